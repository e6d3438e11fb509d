"""Caught: a walker inside the level that nothing leads out of is held still where it is."""

from dataclasses import fields

import numpy as np

from ..arrays import Indices, Rows, Scalars, is_any, nonzero
from ..geometry.contacts import find_touches, smallest_gap
from .memory import Memory
from .state import AIRBORNE
from .stride import Stride


def find_caught(stride: Stride, lanes: Indices) -> None:
    """Find which of `lanes` (k,), which pushes have not brought out of the level, are caught there.

    Those that are as deep in it as before are put back to where the step began. Where the pushes have gone beyond what
    was gathered nobody is caught: the next step goes on from there.
    """
    if not len(lanes) and not is_any(stride.memory.is_caught):
        return
    near, offset = stride.near, stride.offset
    known = (np.hypot(offset[0], offset[1]) <= near.across) & (np.abs(offset[2]) <= near.along)
    lanes = lanes[known[lanes]]
    gained = _gaps(stride, offset, lanes) - _gaps(stride, stride.start, lanes)
    deep = lanes[gained <= stride.body.stop_short]
    offset[:, deep] = stride.start[:, deep]
    caught = np.zeros(offset.shape[1], bool)
    caught[lanes] = True
    stride.memory.is_caught = caught


def _gaps(stride: Stride, offset: Rows, lanes: Indices) -> Scalars:
    within = np.full(offset.shape[1], -np.inf)
    within[lanes] = 0.0
    return smallest_gap(find_touches(stride.near, offset, within, is_start=True), within)[lanes]


def hold_caught(stride: Stride, offset: Rows, memory: Memory, told: int) -> None:
    """Undo what the step has done to caught walkers since they were at `offset` (3, n) with this `memory`, and `told`
    events had been noted."""
    lanes = nonzero(memory.is_caught)
    stride.offset[:, lanes] = offset[:, lanes]
    stride.velocity[:, lanes] = 0.0
    stride.support[lanes] = AIRBORNE
    stride.ground_normal[:, lanes] = 0.0
    stride.ground_object[lanes] = -1
    stride.walls[:, lanes] = -1
    stride.wall_normal[:, lanes] = 0.0
    for field in fields(Memory):
        values = np.array(getattr(stride.memory, field.name))
        values[lanes] = getattr(memory, field.name)[lanes]
        setattr(stride.memory, field.name, values)
    stride.events[told:] = [events.only(~np.isin(events.lane, lanes)) for events in stride.events[told:]]
