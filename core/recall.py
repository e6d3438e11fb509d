"""Recall: what a walker keeps in mind of a step, and the events that compare it with the step before."""

from dataclasses import replace

import numpy as np

from .events import EventKind
from .memory import Action
from .state import State, Support
from .stride import Stride


def remember(stride: Stride, state: State, lowest: float) -> None:
    """Count the time in the air, note landings and actions, and who fell below `lowest` (m along up)."""
    before, memory = state.memory, stride.memory
    height = stride.heights()
    grounded = stride.support == Support.GROUNDED
    was_grounded = state.support == Support.GROUNDED
    on_ladder = memory.action == Action.CLIMB
    rests = grounded | on_ladder
    landed = np.flatnonzero(grounded & ~was_grounded)
    speed = -(state.velocity @ stride.body.turn[2])[landed] + stride.settings.fall_acceleration * stride.dt
    stride.note(
        EventKind.LANDED,
        landed,
        stride.ground_normal[:, landed],
        stride.ground_object[landed],
        np.maximum(before.peak, height)[landed] - height[landed],
        np.maximum(speed, 0.0),
    )
    left = was_grounded & ~grounded
    stride.note(EventKind.LEFT_GROUND, np.flatnonzero(left & ~memory.is_jumping))
    began = np.flatnonzero(memory.action != before.action)
    stride.note(EventKind.ACTION, began, value=memory.action[began].astype(np.float64))
    was_height = state.position @ stride.body.turn[2]
    stride.note(EventKind.LEFT_LEVEL, np.flatnonzero((height < lowest) & (was_height >= lowest)))
    stride.memory = replace(
        memory,
        air_time=np.where(rests, 0.0, np.where(left, 0.0, memory.air_time) + stride.dt),
        is_jumping=memory.is_jumping & ~rests & (stride.velocity[2] > 0),
        may_coyote=np.where(grounded, True, memory.may_coyote),
        air_jumps=np.where(rests, 0, memory.air_jumps),
        peak=np.where(rests, height, np.maximum(memory.peak, height)),
        wall_normal=stride.to_world(stride.wall_normal),
    )
