"""Crouch: changing the height on the spot, with the feet where they are."""

from dataclasses import replace

import numpy as np

from ..arrays import Mask, Scalars, is_any, nonzero
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
    crouched = is_crouched(memory)
    spans = np.zeros(len(crouched)) + settings.span
    return np.where(crouched, settings.crouch_span, spans) if is_any(crouched) else spans


def crouch(gathered: Gathered, settings: Settings, state: State, command: Command) -> Memory:
    """Return the memory of walkers that have gone down, or up again where there is head-room.

    Out of a run on the ground, going down begins a crouch slide if there is one. Who wants to stand up tries again
    in each step, and stays crouched under a low ceiling.
    """
    memory = state.memory
    crouched = is_crouched(memory)
    if not settings.crouch_height or (command.crouch is None and not is_any(crouched)):
        return memory
    wanted = np.zeros(len(state), bool) if command.crouch is None else command.crouch
    down = wanted & (memory.action == NONE)
    up = nonzero(crouched & ~wanted)
    if not is_any(down) and not len(up):
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
    if len(up):
        origin = state.position[up] + np.asarray(settings.up) * settings.radius
        offset = turned(origin - gathered.origin[up], gathered.body)
        rise = np.zeros(offset.shape)
        rise[2] = settings.span - settings.crouch_span
        near = gathered.around(up, np.hypot(offset[0], offset[1]), np.abs(offset[2]) + rise[2])
        free = up[cast(near, offset, rise, np.arange(len(up))).row < 0]
        action[free] = NONE
        time[free] = np.inf
    return replace(memory, action=action, action_velocity=velocity, action_time=time)
