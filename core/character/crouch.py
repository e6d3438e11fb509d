"""Crouch: changing the height on the spot, with the feet where they are."""

import numpy as np

from ..arrays import Indices, Mask, Scalars, is_any, nonzero
from ..commands import Command
from ..geometry.axes import turned
from ..geometry.cast import cast
from ..geometry.gathered import Gathered
from ..settings import Movement, Settings
from .memory import CROUCH, NONE, SLIDE, Memory
from .state import GROUNDED, State

FASTER = 1.01  # of the walking speed: who is faster than that runs, and goes into a crouch slide


def is_crouched(memory: Memory) -> Mask:
    """Return which walkers (n,) are at their crouching height."""
    if not is_any(memory.action):
        return np.zeros(len(memory.action), bool)
    crouched: Mask = (memory.action == CROUCH) | (memory.action == SLIDE)
    return crouched


def spans_of(settings: Settings, memory: Memory) -> Scalars:
    """Return the length of each walker's axis (n,), m."""
    return np.where(is_crouched(memory), settings.crouch_span, settings.span)


def find_rising(settings: Settings, state: State, command: Command) -> Indices:
    """Return the crouched walkers (k,) that want to stand up."""
    if not settings.crouch_height or not is_any(state.memory.action):
        return np.zeros(0, np.intp)
    crouched = is_crouched(state.memory)
    return nonzero(crouched if command.crouch is None else crouched & ~command.crouch)


def crouch(settings: Settings, state: State, command: Command, rising: Indices, gathered: Gathered | None) -> Memory:
    """Return a copy of the memory, of walkers that have gone down, or up again where there is head-room.

    Out of a run on the ground, going down begins a crouch slide if there is one. Who wants to stand up tries again
    in each step, and stays crouched under a low ceiling. `gathered` is what is around them; None if nobody is
    `rising`.
    """
    memory = state.memory.copy()
    is_asked = settings.crouch_height and command.crouch is not None and is_any(command.crouch)
    down = command.crouch & (memory.action == NONE) if is_asked else np.zeros(len(state), bool)
    if not is_any(down) and not len(rising):
        return memory
    action, velocity, time = memory.action.copy(), memory.action_velocity.copy(), memory.action_time.copy()
    action[down] = CROUCH
    time[down] = 0.0
    if settings.slide_speed and settings.movement is Movement.CHARACTER:
        speed = np.sqrt((state.velocity * state.velocity).sum(axis=1))
        fast = down & (state.support == GROUNDED) & (speed > settings.speed * FASTER)
        action[fast] = SLIDE
        faster = np.maximum(speed, settings.slide_speed) / np.maximum(speed, 1e-9)
        velocity[fast] = (state.velocity * faster[:, None])[fast]
    if gathered is not None:
        free = rising[_has_head_room(settings, state, rising, gathered)]
        action[free] = NONE
        time[free] = np.inf
    memory.action, memory.action_velocity, memory.action_time = action, velocity, time
    return memory


def _has_head_room(settings: Settings, state: State, lanes: Indices, gathered: Gathered) -> Mask:
    """Return which of the crouched `lanes` (k,) have room to stand up."""
    origin = state.position[lanes] + np.asarray(settings.up) * settings.radius
    offset = turned(origin - gathered.origin[lanes], gathered.body)
    rise = np.zeros(offset.shape)
    rise[2] = settings.span - settings.crouch_span
    near = gathered.around(lanes, np.hypot(offset[0], offset[1]), np.abs(offset[2]) + rise[2])
    has_room: Mask = cast(near, offset, rise, np.arange(len(lanes))).row < 0
    return has_room
