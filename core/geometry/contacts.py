"""Contacts: what a capsule touches where it stands, how far away it is, and how to get out of an overlap."""

from dataclasses import dataclass

import numpy as np

from ..arrays import Indices, Mask, Rows, Scalars, nonzero
from .axes import dot, to_walker
from .cast import BORDER, most_overlap, rows_within
from .fronts import is_inside_fence
from .near import SLACK, Near

MOST_PUSHES = 24  # pushes out of an overlap in one step; what is not out by then is wedged


@dataclass(frozen=True, slots=True, eq=False)
class Touches:
    """Pieces that face a capsule, each nearest within its own borders.

    Attributes
    ----------
    row : (k,) int
        Row of the near pieces.
    lane : (k,) int
    gap : (k,) float, m
        Distance of the surface of the near pieces' body along the normal; negative inside.
    normal : (3, k) float
        From the level to the capsule, in the walker's axes.
    """

    row: Indices
    lane: Indices
    gap: Scalars
    normal: Rows


def find_touches(near: Near, offset: Rows, within: Scalars, *, is_start: bool = False) -> Touches:
    """Return all pieces nearer than `within` (n,) to the surface of the capsules at `offset` (3, n).

    A lane with a negative infinite `within` has none. What counts from its front alone is nothing for who is half-way
    through it; but at a start it is for those whose axis is in front, so that feet put on the ground are on the ground.
    """
    # The bound of a piece counts the way to its borders too, so it may be zero however deep the overlap is.
    reach = np.where(within > -np.inf, np.sqrt(dot(offset, offset)) + np.maximum(within, 0.0) + SLACK, -np.inf)
    flat, round_ = rows_within(near, reach)
    overlap = near.body.radius if is_start else most_overlap(near.body)
    parts = [_touch_flat(near, flat, offset, overlap), _touch_round(near, round_, offset, overlap)]
    row = np.concatenate([part[0] for part in parts])
    gap = np.concatenate([part[1] for part in parts])
    normal = np.concatenate([part[2] for part in parts], axis=1)
    lane = near.lane[row]
    kept = nonzero(gap <= within[lane])
    return Touches(row[kept], lane[kept], gap[kept], normal.take(kept, axis=1))


def _touch_flat(near: Near, rows: Indices, offset: Rows, overlap: float) -> tuple[Indices, Scalars, Rows]:
    plane = near.planes(rows)
    at = offset.take(near.lane[rows], axis=1)
    distance = dot(plane[:3], at) - plane[3]
    is_solid = plane[4] > 0.0
    side = np.where((distance < 0) & ~is_solid, -1.0, 1.0)
    distance = distance * side
    outward, beyond = near.borders(rows, at)
    border = near.body.radius * BORDER
    gap = distance - near.body.radius

    # Where the axis goes through a face, the way out leads past the end that is nearer to it: out of the front of
    # a solid, back through a sheet.
    shift = near.shift(rows)
    span = np.where(shift > 0, -shift, np.where(np.isnan(shift), 0.0, near.span[near.lane[rows]]))
    other = distance + span * plane[2] * side  # of the other end
    is_pierced = np.where(is_solid, (distance < 0) & (other >= -distance), (other < 0) & (distance <= -other))
    lower = np.where(is_pierced, distance / np.where(is_pierced, plane[2] * side, 1.0), 0.0)
    is_pierced &= (beyond - lower * outward[:, 2]).max(axis=0) <= border
    gap = np.where(is_pierced & ~is_solid, -distance - near.body.radius, gap)
    side = np.where(is_pierced & ~is_solid, -side, side)
    is_kept = ((beyond.max(axis=0) <= border) & (distance >= -SLACK)) | is_pierced
    if near.features.has_fronts:
        is_kept &= ~near.is_front(rows) | (~is_pierced & (distance >= near.body.radius - overlap))
    kept = nonzero(is_kept)
    return rows[kept], gap[kept], plane[:3, kept] * side[kept]


def _touch_round(near: Near, rows: Indices, offset: Rows, overlap: float) -> tuple[Indices, Scalars, Rows]:
    line = near.lines(rows)
    at = offset.take(near.lane[rows], axis=1) - line[:3]
    place = dot(at, line[3:6])
    at = at - place * line[3:6]
    distance = np.sqrt(dot(at, at))
    border = near.body.radius * BORDER
    kept = nonzero((place >= -border) & (place <= line[6] + border))
    normal = at.take(kept, axis=1) / np.maximum(distance[kept], 1e-300)
    normal[2] = np.where(distance[kept] > 0, normal[2], 1.0)
    rows, gap = rows[kept], distance[kept] - near.body.radius
    if near.features.has_fronts:
        kept = nonzero(~near.is_front(rows) | (gap >= -overlap))
        rows, gap, normal = rows[kept], gap[kept], normal.take(kept, axis=1)
        kept = nonzero(is_inside_fence(near.fences(rows), normal, near.features, near.body))
        rows, gap, normal = rows[kept], gap[kept], normal.take(kept, axis=1)
    return rows, gap, normal


def contact_points(near: Near, rows: Indices, offset: Rows, normal: Rows, gap: Scalars) -> Rows:
    """Return the points (3, k) of the level that face the capsule at `rows`, in the walker's coordinates.

    `offset` (3, k) is where the walker is for each row, `normal` and `gap` as in Touches.
    """
    features = near.features
    faces, edges = len(features.normal), len(features.edge_ends)
    shift = near.shift(rows)
    upright = np.where(np.isnan(shift), 0.0, shift)
    point = offset - normal * (gap + near.body.radius)
    point[2] += upright
    feature, lane = near.feature(rows), near.lane[rows]

    on_edge = nonzero((feature >= faces) & (feature < faces + edges))
    if len(on_edge):
        origin = near.origin[lane[on_edge]]
        ends = features.edge_ends[feature[on_edge] - faces]
        start, stop = to_walker(ends[:, 0], origin, near.body), to_walker(ends[:, 1], origin, near.body)
        weight = np.ones((3, len(on_edge)))
        weight[2] = np.where(np.isnan(shift[on_edge]), 0.0, 1.0)  # the capsule's side may be at any height
        along = (stop - start) * weight
        place = dot((point.take(on_edge, axis=1) - start) * weight, along) / np.maximum(dot(along, along), 1e-300)
        point[:, on_edge] = start + np.clip(place, 0.0, 1.0) * (stop - start)
    at_corner = nonzero(feature >= faces + edges)
    if len(at_corner):
        corner = features.corner_point[feature[at_corner] - faces - edges]
        point[:, at_corner] = to_walker(corner, near.origin[lane[at_corner]], near.body)
    return point


def smallest_gap(touches: Touches, within: Scalars) -> Scalars:
    """Return for each lane the smallest gap, or `within` (n,) where nothing is nearer."""
    gap = within.copy()
    np.minimum.at(gap, touches.lane, touches.gap)
    return gap


def depenetrate(near: Near, offset: Rows, lanes: Indices, room: float) -> tuple[Rows, Mask]:
    """Move capsules out of what they overlap, each time along the normal of the deepest overlap.

    Parameters
    ----------
    near : Near
    offset : (3, n) float, m
    lanes : (k,) int
    room : float, m
        Gap to leave to the surface of the near pieces' body.

    Returns
    -------
    offset : (3, n) float, m
    is_free : (n,) bool
        False where the capsule is wedged and still overlaps; True for the lanes that were not asked about.
    """
    offset = offset.copy()
    is_free = np.ones(offset.shape[1], bool)
    active = lanes
    for _ in range(MOST_PUSHES):
        within = np.full(offset.shape[1], -np.inf)
        within[active] = 0.0
        touches = find_touches(near, offset, within, is_start=True)
        is_free[active] = True
        if not len(touches.row):
            break
        order = np.argsort(-touches.gap, kind="stable")  # the deepest last: it is the one that stays
        deepest = np.full(offset.shape[1], -1, np.intp)
        deepest[touches.lane[order]] = order
        active = nonzero(deepest >= 0)
        chosen = deepest[active]
        is_free[active] = False
        offset[:, active] += touches.normal.take(chosen, axis=1) * (room - touches.gap[chosen])
        sideways = np.hypot(offset[0][active], offset[1][active])
        inside = (sideways <= near.across[active]) & (np.abs(offset[2][active]) <= near.along[active])
        active = active[inside]  # beyond what was gathered nothing is known: the next step goes on from there
    return offset, is_free
