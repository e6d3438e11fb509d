"""Crouch: changing the height on the spot, with the feet where they are."""

from dataclasses import replace

import numpy as np

from .arrays import Scalars
from .body import Body
from .cast import cast
from .commands import Command
from .memory import Action, Memory
from .near import Near
from .pieces import turned
from .settings import Settings
from .state import State, Support

CROUCHED = (Action.CROUCH, Action.SLIDE)


def spans_of(settings: Settings, memory: Memory) -> Scalars:
    """Return the length of each walker's axis (n,), m."""
    return np.where(np.isin(memory.action, CROUCHED), settings.crouch_span, settings.span)


def crouch(near: Near, settings: Settings, body: Body, state: State, command: Command) -> Memory:
    """Return the memory of walkers that have gone down, or up again where there is head-room.

    Out of a run on the ground, going down begins a crouch slide if there is one. Who wants to stand up tries again
    in each step, and stays crouched under a low ceiling.
    """
    memory = state.memory
    if not settings.crouch_height or (command.crouch is None and not np.isin(memory.action, CROUCHED).any()):
        return memory
    wanted = np.zeros(len(state), bool) if command.crouch is None else command.crouch
    is_crouched = np.isin(memory.action, CROUCHED)
    down = wanted & (memory.action == Action.NONE)
    up = np.flatnonzero(is_crouched & ~wanted)
    action, velocity, time = memory.action.copy(), memory.action_velocity.copy(), memory.action_time.copy()
    action[down] = Action.CROUCH
    time[down] = 0.0
    if settings.slide_speed:
        speed = np.sqrt((state.velocity * state.velocity).sum(axis=1))
        fast = down & (state.support == Support.GROUNDED) & (speed > settings.speed)
        action[fast] = Action.SLIDE
        faster = np.maximum(speed, settings.slide_speed) / np.maximum(speed, 1e-9)
        velocity[fast] = (state.velocity * faster[:, None])[fast]
    if len(up):
        offset = turned(state.position + np.asarray(settings.up) * settings.radius - near.origin, body)
        rise = np.zeros_like(offset)
        rise[2, up] = settings.span - settings.crouch_span
        free = up[cast(near, offset, rise, up).row[up] < 0]
        action[free] = Action.NONE
        time[free] = np.inf
    return replace(memory, action=action, action_velocity=velocity, action_time=time)
