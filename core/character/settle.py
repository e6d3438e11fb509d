"""Settle: a walker that has just been put somewhere is moved out of what it overlaps, or held where it cannot be."""

import numpy as np

from ..arrays import Indices, Mask, Rows, nonzero
from ..events import EventKind
from ..geometry.axes import dot
from ..geometry.contacts import Touches, depenetrate, find_touches
from ..geometry.solids import Solids
from .caught import find_caught
from .stride import Stride


def settle(solids: Solids, stride: Stride, lanes: Indices) -> Mask:
    """Move `lanes` out of what they overlap, and return which lanes (n,) may not be out of it yet."""
    n = stride.offset.shape[1]
    if not len(lanes):
        return np.zeros(n, bool)
    within = np.full(n, -np.inf)
    # Of the true capsule: a start within the skin is pushed out without a word.
    within[lanes] = -stride.settings.skin_width - stride.body.stop_short
    touches = find_touches(stride.near, stride.offset, within, is_start=True)
    ways, holders = solids.ways_out(stride.near, stride.offset, lanes)
    _note_overlaps(stride, touches, ways, holders)
    offset, is_free = depenetrate(stride.near, stride.offset + ways, lanes, stride.body.stop_short)
    stride.offset[:, lanes] = offset[:, lanes]
    is_led_out = dot(ways, ways) > 0
    find_caught(stride, nonzero(~is_free & ~is_led_out))
    # Out of a hull may be into what was not gathered: the next step looks again.
    is_unsettled: Mask = ~is_free | is_led_out
    return is_unsettled


def _note_overlaps(stride: Stride, touches: Touches, ways: Rows, holders: Indices) -> None:
    """Record for each lane its deepest overlap, or the way out of the hull that holds it; what is caught was told."""
    order = np.argsort(-touches.gap, kind="stable")
    deepest = np.full(stride.offset.shape[1], -1, np.intp)
    deepest[touches.lane[order]] = order
    lanes = nonzero((deepest >= 0) & (holders < 0) & ~stride.memory.is_caught)
    rows, normal = touches.row[deepest[lanes]], touches.normal[:, deepest[lanes]]
    judged = stride.judge(rows, normal)
    skin = stride.settings.skin_width - stride.body.stop_short
    depth = -touches.gap[deepest[lanes]] - skin
    stride.note(EventKind.OVERLAP, lanes, normal, judged.object_index, depth)
    alone = nonzero(holders >= 0)
    length = np.sqrt(dot(ways, ways)[alone])
    stride.note(EventKind.OVERLAP, alone, ways[:, alone] / length, holders[alone], length - skin)
