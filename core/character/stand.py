"""Stand: lowering the character onto what carries it, and following ground that drops away."""

from dataclasses import dataclass, replace

import numpy as np

from ..arrays import Indices, Mask, Rows, Scalars, nonzero
from ..events import EventKind
from ..geometry.axes import dot, spread
from ..geometry.cast import cast
from ..geometry.contacts import contact_points, find_touches
from ..geometry.ground import Judged
from .state import AIRBORNE, GROUNDED, STEEP
from .stride import Stride

TOUCHING = 4.0  # gaps up to this many times `stop_short` count as touched
NEW_STEP = 0.005  # of the height: a change of the ground's height that counts as a step, not as unevenness
LEAST_DROP = 1e-4  # of the height: what a step down sinks by at least; walking down a ramp sinks by nothing
LEAST_HOLD = 0.2  # upward component of a contact at an edge below which a fall glances off it
SAME_NORMAL = 1000.0  # normals that agree to one part in this are one surface


@dataclass(frozen=True, slots=True, eq=False)
class Ceiling:
    """Planes above which ground does not count: `normal` (3, n), and `height` (n,), m, along it."""

    normal: Rows
    height: Scalars

    def of(self, lanes: Indices) -> "Ceiling":
        """Return the planes of some lanes (k,)."""
        return Ceiling(self.normal.take(lanes, axis=1), self.height[lanes])

    def is_over(self, points: Rows, lanes: Indices) -> Mask:
        """Return which `points` (3, k) of `lanes` are not above."""
        over: Mask = dot(self.normal.take(lanes, axis=1), points) <= self.height[lanes]
        return over


def stand(stride: Stride, down: Rows, lanes: Indices, ceiling: Ceiling | None = None) -> Mask:
    """Lower `lanes` (k,) along `down` (3, n) and return which of them come to stand on something walkable.

    All that is touched at the first hit is judged, so that a steep face beside the floor hides no floor, and the
    most upright of what is walkable carries. Those that do not stand are moved as well. Ground above the `ceiling`
    does not count.
    """
    hits = stride.cast(down, lanes)
    stride.advance(down, hits, lanes)
    stands = np.zeros(stride.offset.shape[1], bool)
    lane = stride.near.lane[hits.found_rows]
    later = (hits.found_fraction - hits.fraction[lane]) * np.sqrt(dot(down, down))[lane]
    level = np.maximum(hits.found_normal[2], 1e-3)
    met = nonzero((later <= TOUCHING * stride.body.stop_short / level) & (hits.found_normal[2] > 0))
    if not len(met):
        return stands[lanes]
    lane, rows, normal = lane[met], hits.found_rows[met], hits.found_normal.take(met, axis=1)
    judged = stride.judge(rows, normal)
    gap = np.full(len(met), stride.body.stop_short)
    points = contact_points(stride.near, rows, stride.offset.take(lane, axis=1), normal, gap)
    is_good = judged.is_walkable
    if ceiling is None:
        is_good = is_good & ~hangs(stride, lane, judged, points)
    else:
        is_good = is_good & ceiling.is_over(points, lane)
    good = nonzero(is_good)
    good = good[normal[2][good].argsort(kind="stable")]
    _set_ground(stride, lane[good], rows[good], judged.only(good), points.take(good, axis=1))
    stands[lane[good]] = True
    if len(good) > 1:
        _sum_normals(stride, lane[good], judged.normal.take(good, axis=1))
    return stands[lanes]


def hangs(stride: Stride, lanes: Indices, judged: Judged, points: Rows) -> Mask:
    """Return which contacts (k,) are edges that the middle of the character is too far beyond to stand on.

    Only a ledge counts: where there is ground within a step below the outer side, it is the edge of a step.
    """
    limit = stride.settings.ledge_distance
    outside = np.zeros(len(lanes), bool)
    if limit >= stride.body.radius:
        return outside
    beyond = stride.offset[:2, lanes] - points[:2]
    distance = np.hypot(beyond[0], beyond[1])
    far = nonzero(judged.is_edge & ~judged.is_even & judged.is_walkable & (distance > limit))
    if not len(far):
        return outside
    # A lane may have several contacts; one probe at a time is simple, and edges are few.
    for contact in far:
        lane = lanes[contact : contact + 1]
        probe = stride.offset.copy()
        aside = beyond[:, contact] / distance[contact] * (stride.body.radius * (1 + 1e-3) - distance[contact])
        probe[:2, lane[0]] += aside
        way = np.zeros(probe.shape)
        way[2, lane] = -(stride.settings.step_offset + stride.body.radius)
        hit = cast(stride.near, probe, way, lane)
        outside[contact] = hit.row[lane[0]] < 0
    return outside


def stand_on_touched(stride: Stride, lanes: Indices) -> Mask:
    """Return which of `lanes` (k,) touch something walkable where they are, and let it carry them.

    Where nothing walkable is touched, the steep surface that faces up most becomes the ground normal.
    """
    reach = np.full(stride.offset.shape[1], -np.inf)
    reach[lanes] = TOUCHING * stride.body.stop_short
    touches = find_touches(stride.near, stride.offset, reach)
    stands = np.zeros(stride.offset.shape[1], bool)
    stride.support[lanes] = AIRBORNE
    if not len(touches.row):
        return stands[lanes]
    lane = touches.lane
    judged = stride.judge(touches.row, touches.normal)
    points = contact_points(stride.near, touches.row, stride.offset.take(lane, axis=1), touches.normal, touches.gap)
    is_below = touches.normal[2] > 1e-3
    is_ground = judged.is_walkable & is_below
    is_ground &= ~hangs(stride, lane, judged, points)
    is_rim = judged.is_edge & ~judged.is_even & ~judged.is_gentle
    is_ground &= ~(is_rim & (touches.normal[2] < LEAST_HOLD) & (stride.was_in_air[lane]))
    order = np.argsort(np.where(is_ground, 2.0, 0.0) + touches.normal[2], kind="stable")
    order = order[is_below[order]]  # the best contact last: it is the one that stays
    # What does not carry is slid off along the contact itself: at an edge that is not the slope of a face.
    judged = replace(judged, normal=np.where(is_ground, judged.normal, touches.normal))
    _set_ground(stride, lane[order], touches.row[order], judged.only(order), points.take(order, axis=1))
    stands[lane[is_ground]] = True
    stride.support[lane[order]] = np.where(stands[lane[order]], GROUNDED, STEEP)
    return stands[lanes]


def _set_ground(stride: Stride, lanes: Indices, rows: Indices, judged: Judged, points: Rows) -> None:
    """Let contacts (k,) at `points` (3, k), on `rows` of the near pieces, carry `lanes` (k,); the last of each lane."""
    stride.support[lanes] = GROUNDED
    stride.ground_normal[:, lanes] = judged.normal
    stride.ground_sum[:, lanes] = judged.normal
    stride.ground_count[lanes] = 1
    stride.ground_point[:, lanes] = points
    stride.ground_object[lanes] = judged.object_index
    stride.ground_face[lanes] = np.where(judged.is_edge, -1, stride.near.feature(rows))


def rolls_on(stride: Stride, lanes: Indices, elsewhere: Mask) -> Mask:
    """Return which of `lanes` (k,) the face that carried them carries on, after walking along it.

    That is so while they touch it within its borders, and it alone carried them: nothing can lie between. Those that
    came `elsewhere` (n,) are not asked.
    """
    near, at = stride.near, stride.offset
    is_asked = (stride.ground_count == 1) & (stride.support == GROUNDED) & ~elsewhere
    face = np.where(is_asked, stride.ground_face, -1)
    rows = nonzero(near.feature(slice(near.flat)) == spread(face, near.lane[: near.flat]))
    rows = rows[near.shift(rows) == 0.0]
    carried = np.zeros(len(face), bool)
    lane = near.lane[rows]
    at, plane = at.take(lane, axis=1), near.planes(rows)
    distance = np.abs(dot(plane[:3], at) - plane[3])
    _, beyond = near.borders(rows, at)
    gap = np.abs(distance - near.body.radius)
    on = nonzero((gap <= TOUCHING * near.body.stop_short) & (beyond.max(axis=0, initial=-np.inf) <= 0.0))
    lane = lane[on]
    stride.ground_point[:, lane] = at.take(on, axis=1) - stride.ground_normal.take(lane, axis=1) * distance[on]
    carried[lane] = True
    return carried[lanes]


def follow_ground(stride: Stride, lanes: Indices) -> None:
    """Keep `lanes` on the ground after walking: down by the ground snap onto walkable ground, or let them fall."""
    settings = stride.settings
    before, stood = stride.offset.take(lanes, axis=1), stride.ground_point[2][lanes]
    down = np.zeros(stride.offset.shape)
    down[2, lanes] = -max(settings.ground_snap, 2 * TOUCHING * stride.body.stop_short)
    is_carried = stand(stride, down, lanes)
    sunk = before[2] - stride.offset[2][lanes]
    if settings.launch_speed < np.inf:
        rate = dot(stride.velocity.take(lanes, axis=1), stride.ground_normal.take(lanes, axis=1))
        is_carried &= ~((rate > settings.launch_speed) & (sunk > TOUCHING * stride.body.stop_short))
    drop = stood - stride.ground_point[2][lanes]
    stepped = nonzero(is_carried & (sunk > LEAST_DROP * settings.height) & (drop > NEW_STEP * settings.height))
    down_lanes = lanes[stepped]
    stride.note(
        EventKind.STEPPED_DOWN,
        down_lanes,
        stride.ground_normal.take(down_lanes, axis=1),
        stride.ground_object[down_lanes],
        drop[stepped],
    )
    lost = nonzero(~is_carried)
    if len(lost):
        stride.offset[:, lanes[lost]] = before.take(lost, axis=1)
        stand_on_touched(stride, lanes[lost])


def count_contacts(stride: Stride, lanes: Indices) -> None:
    """Count the surfaces that carry `lanes` where they are, and sum their normals."""
    reach = np.full(stride.offset.shape[1], -np.inf)
    carried = lanes[stride.support[lanes] == GROUNDED]
    reach[carried] = TOUCHING * stride.body.stop_short
    touches = find_touches(stride.near, stride.offset, reach)
    if len(touches.row) <= len(carried):
        return  # one each, and that is what they stand on
    judged = stride.judge(touches.row, touches.normal)
    ground = nonzero(judged.is_walkable & (touches.normal[2] > 0))
    _sum_normals(stride, touches.lane[ground], judged.normal.take(ground, axis=1))


def _sum_normals(stride: Stride, lane: Indices, normal: Rows) -> None:
    """Set the count and the normalised sum of the normals (3, k) of ground that carries `lane` (k,).

    Between slopes the sum points straight out. Contacts with one normal are one surface.
    """
    if not len(lane) or np.bincount(lane).max() == 1:
        return
    rounded = np.round(normal * SAME_NORMAL).astype(np.int64)
    _, first = np.unique(np.concatenate([lane[None], rounded]), axis=1, return_index=True)
    lane, normal = lane[first], normal.take(first, axis=1)
    total, count = np.zeros_like(stride.ground_sum), np.zeros_like(stride.ground_count)
    np.add.at(count, lane, 1)
    for axis in range(3):
        np.add.at(total[axis], lane, normal[axis])
    several = nonzero(count > 1)
    stride.ground_count[several] = count[several]
    stride.ground_sum[:, several] = total.take(several, axis=1) / np.maximum(np.sqrt(dot(total, total))[several], 1e-9)
