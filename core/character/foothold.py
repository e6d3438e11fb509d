"""Foothold: whether anything near could carry a walker higher up. Most walls have nothing, and few casts are needed.

Both functions err to one side: where they say no, feeling for the ground finds none. What carries is a walkable face,
or an edge or a corner of one. Resting on these the lower end of the axis is no higher than on the face's whole plane,
and at most the radius beyond the face's borders; that is what is tested here, for all faces at once.
"""

import numpy as np

from ..arrays import Indices, Mask, Rows, Scalars, nonzero
from ..geometry.axes import dot, to_walker, turned
from ..geometry.body import Body, cos_limit
from ..geometry.features import Features
from ..geometry.near import Near
from ..world import World
from .stand import Ceiling
from .stride import Stride

SURE = 1e-4  # of the radius: what a face is missed by at least, many times any rounding
SURE_HEIGHT = 0.1  # gaps to the ground: the same for the height, that the ground underfoot is missed by


def has_foothold(
    near: Near,
    slope_limit: float,
    at: Rows,
    reach: Scalars,
    low: Scalars,
    high: Scalars,
    ceiling: Ceiling | None = None,
) -> Mask:
    """Return which walkers (n,) may find walkable ground among the `near` pieces; True where that is not known.

    Parameters
    ----------
    slope_limit : float, rad
    at : (3, n) float, m
        Places about which is felt for ground, for the lower ends of the axes; their heights do not matter.
    reach : (n,) float, m
        How far sideways from there.
    low, high : (n,) float, m
        Heights of the lower ends of the axes: the ground must let them come to rest above `low`, and they come
        from `high` at the most.
    ceiling : Ceiling or None
        Ground above it does not count.
    """
    radius = near.body.radius
    sure = SURE * radius
    found = ~_has_all(near, np.hypot(at[0], at[1]) + reach + sure, low - radius, high + sure)
    rows = _face_rows(near, slope_limit)
    if not len(rows):
        return found
    lane = near.lane[rows]
    plane = near.planes(rows)
    place, reach, low, high = at.take(lane, axis=1), reach[lane] + sure, low[lane], high[lane] + sure
    kept = nonzero(_is_at_height(near.body, plane, place, reach, low, high))
    rows, lane, place, reach, low, high = (
        rows[kept], lane[kept], place.take(kept, axis=1), reach[kept], low[kept], high[kept]
    )  # fmt: skip
    place[2] = high
    outward, beyond = near.borders(rows, place)
    beyond += np.minimum(outward[:, 2] * (low - radius - high), 0.0) - np.hypot(outward[:, 0], outward[:, 1]) * reach
    is_near = beyond.max(axis=0) <= radius + sure
    if ceiling is not None:
        normal, top = ceiling.normal.take(lane, axis=1), ceiling.height[lane] + sure
        is_near &= _lowest(near, rows, normal) <= top
    found[lane[is_near]] = True
    return found


def has_ground_above(world: World, stride: Stride, lanes: Indices, way: Rows, low: float, high: float) -> Mask:
    """Return which of `lanes` (k,) may find walkable ground by going up, along the level `way` (3, k), and down.

    `low` and `high` (m) are how much higher than now the lower ends of the axes come to rest at the least, and come
    from at the most. As `has_foothold`, but for what is farther away than the near pieces.
    """
    features, body = world.features, stride.body
    sure = SURE * body.radius
    at = stride.offset.take(lanes, axis=1) + way
    middle = at.copy()
    middle[2] += (low + high) / 2
    world_middle = stride.near.origin[lanes] + stride.to_world(middle)
    wide = body.radius + sure
    half = body.box_in_world(np.array([wide, wide, (high - low) / 2 + 2 * wide]))
    which, face = world.grid.find(world_middle - half, world_middle + half)
    normal = turned(features.normal[face], body)
    kept = nonzero(_is_walkable(features, stride.settings.slope_limit, normal[2], face, features.is_one_sided[face]))
    which, face, normal = which[kept], face[kept], normal.take(kept, axis=1)
    point = to_walker(features.corners[face, 0], stride.near.origin[lanes[which]], body)
    plane = np.concatenate([normal, dot(normal, point)[None]])
    place = at.take(which, axis=1)
    reach = np.zeros(len(which)) + sure
    found = np.zeros(len(lanes), bool)
    found[which[_is_at_height(body, plane, place, reach, place[2] + low, place[2] + high + sure)]] = True
    return found


def _has_all(near: Near, sideways: Scalars, low: Scalars, high: Scalars) -> Mask:
    """Return for which walkers (n,) all faces are there that can be touched, inside or at their borders, within
    `sideways` (n,) of the origin and between the heights `low` and `high` (n,)."""
    upwards, radius = np.maximum(np.abs(low), np.abs(high)), near.body.radius
    has_all: Mask = (sideways + radius <= near.across) & (upwards + radius <= near.along)
    return has_all


def _face_rows(near: Near, slope_limit: float) -> Indices:
    """Return the rows of walkable faces, for the lower end of the axis."""
    rows = np.arange(near.flat)
    face = near.feature(rows)
    rows = nonzero((near.shift(rows) == 0) & (face < len(near.features.normal)))
    plane = near.planes(rows)
    return rows[_is_walkable(near.features, slope_limit, plane[2], face[rows], plane[4] > 0.0)]


def _is_walkable(features: Features, slope_limit: float, upward: Scalars, face: Indices, is_one_sided: Mask) -> Mask:
    """Return which faces (k,), with normals that point up by `upward`, carry from one of their sides."""
    least = cos_limit(slope_limit) * (1 - SURE)
    walkable: Mask = (np.where(is_one_sided, upward, np.abs(upward)) >= least) & features.carries[face]
    return walkable


def _is_at_height(body: Body, plane: Rows, at: Rows, reach: Scalars, low: Scalars, high: Scalars) -> Mask:
    """Return on which planes (4, k) a ball within `reach` of `at` can rest higher than `low` and not over `high`."""
    side = np.where(plane[2] < 0, -1.0, 1.0)
    upward = plane[2] * side
    level = (plane[0] * at[0] + plane[1] * at[1] - plane[3]) * side
    tilt = np.hypot(plane[0], plane[1])
    aside = tilt * reach
    is_high = body.radius + body.stop_short * (1 + SURE_HEIGHT) + aside - level > upward * low
    is_low = level + aside + upward * high >= -body.radius * (tilt + SURE)  # a contact under it points up
    at_height: Mask = is_high & is_low
    return at_height


def _lowest(near: Near, rows: Indices, normal: Rows) -> Scalars:
    """Return how far along `normal` (3, k) the lowest corners of the faces of flat `rows` (k,) are."""
    face, origin = near.feature(rows), near.origin[near.lane[rows]]
    corners = [dot(normal, to_walker(near.features.corners[face, i], origin, near.body)) for i in range(3)]
    return np.minimum(np.minimum(corners[0], corners[1]), corners[2])
