"""Stand: lowering the character onto what carries it, and following ground that drops away."""

import numpy as np

from .arrays import Indices, Mask, Rows, Scalars
from .contacts import contact_points, find_touches
from .events import EventKind
from .ground import judge
from .state import Support
from .stride import Stride

TOUCHING = 4.0  # gaps up to this many times `stop_short` count as touched


def stand(stride: Stride, down: Rows, lanes: Indices, highest: Scalars | None = None) -> Mask:
    """Lower `lanes` (k,) along `down` (3, n) and return which of them come to stand on something walkable.

    All that is touched at the first hit is judged, so that a steep face beside the floor hides no floor. Those
    that do not stand are moved as well. `highest` (n,) is the height, in the walker's coordinates, above which
    the ground does not count.
    """
    hits = stride.cast(down, lanes)
    stride.advance(down, hits, lanes)
    landed = lanes[hits.row[lanes] >= 0]
    stands = np.zeros(stride.offset.shape[1], bool)
    if not len(landed):
        return stands[lanes]
    judged = judge(stride.features, stride.near, hits.row[landed], hits.normal[:, landed], stride.settings.slope_limit)
    points = stride.contact_points(hits, landed)
    is_good = judged.is_walkable & (hits.normal[2, landed] > 0)
    if highest is not None:
        is_good &= points[2] <= highest[landed]
    good = np.flatnonzero(is_good)
    carried = landed[good]
    _set_ground(stride, carried, judged.normal[:, good], points[:, good], judged.object_index[good])
    stands[carried] = True
    others = landed[~is_good]
    if len(others):
        stands[others] = stand_on_touched(stride, others, highest)
    return stands[lanes]


def stand_on_touched(stride: Stride, lanes: Indices, highest: Scalars | None = None) -> Mask:
    """Return which of `lanes` (k,) touch something walkable where they are, and let it carry them.

    Where nothing walkable is touched, the steep surface that faces up most becomes the ground normal.
    """
    reach = np.full(stride.offset.shape[1], -np.inf)
    reach[lanes] = TOUCHING * stride.body.stop_short
    touches = find_touches(stride.near, stride.offset, reach)
    stands = np.zeros(stride.offset.shape[1], bool)
    stride.support[lanes] = Support.AIRBORNE
    if not len(touches.row):
        return stands[lanes]
    lane = touches.lane
    judged = judge(stride.features, stride.near, touches.row, touches.normal, stride.settings.slope_limit)
    points = contact_points(
        stride.features, stride.near, touches.row, stride.offset[:, lane], touches.normal, touches.gap
    )
    is_below = touches.normal[2] > 1e-3
    is_ground = judged.is_walkable & is_below
    if highest is not None:
        is_ground &= points[2] <= highest[lane]
    order = np.argsort(np.where(is_ground, 2.0, 0.0) + touches.normal[2], kind="stable")
    order = order[is_below[order]]  # the best contact last: it is the one that stays
    _set_ground(stride, lane[order], judged.normal[:, order], points[:, order], judged.object_index[order])
    stands[lane[is_ground]] = True
    stride.support[lane[order]] = np.where(stands[lane[order]], Support.GROUNDED, Support.STEEP)
    return stands[lanes]


def _set_ground(stride: Stride, lanes: Indices, normal: Rows, point: Rows, objects: Indices) -> None:
    stride.support[lanes] = Support.GROUNDED
    stride.ground_normal[:, lanes] = normal
    stride.ground_point[:, lanes] = point
    stride.ground_object[lanes] = objects


def follow_ground(stride: Stride, lanes: Indices) -> None:
    """Keep `lanes` on the ground after walking: down by the ground snap onto walkable ground, or let them fall."""
    before = stride.offset[:, lanes].copy()
    down = np.zeros_like(stride.offset)
    down[2, lanes] = -max(stride.settings.ground_snap, 2 * TOUCHING * stride.body.stop_short)
    is_carried = stand(stride, down, lanes)
    lost = np.flatnonzero(~is_carried)
    if not len(lost):
        return
    off = lanes[lost]
    stride.offset[:, off] = before[:, lost]
    still = stand_on_touched(stride, off)
    gone = off[~still]
    stride.ground_object[gone[stride.support[gone] == Support.AIRBORNE]] = -1
    stride.note(EventKind.LEFT_GROUND, gone)
