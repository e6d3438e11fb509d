"""Foothold: whether anything near could carry a walker higher up. Most walls have nothing, and few casts are needed.

Both functions err to one side: where they say no, feeling for the ground finds none. What carries is a walkable face,
or an edge or a corner of one. Resting on these the lower end of the axis is no higher than on the face's whole plane,
and at most the radius beyond the face's borders; that is what is tested here, for all faces at once.
"""

import numpy as np

from ..arrays import Indices, Mask, Rows, Scalars, nonzero
from ..geometry.axes import dot, to_walker, turned
from ..geometry.body import cos_limit
from ..geometry.features import Features
from ..geometry.near import Near
from ..world import World
from .stand import Ceiling
from .stride import Stride

SURE = 1e-4  # of the radius: what a face is missed by at least, many times any rounding
SURE_HEIGHT = 0.1  # gaps to the ground: the same for the height, that the ground underfoot is missed by


def has_foothold(
    stride: Stride,
    lanes: Indices,
    at: Rows,
    reach: Scalars,
    low: Scalars,
    high: Scalars,
    ceiling: Ceiling | None = None,
) -> Mask:
    """Return which of `lanes` (k,) may find walkable ground among the near pieces; True where that is not known.

    Parameters
    ----------
    at : (3, k) float, m
        Places about which is felt for ground, for the lower ends of the axes; their heights do not matter.
    reach : (k,) float, m
        How far sideways from there.
    low, high : (k,) float, m
        Heights of the lower ends of the axes: the ground must let them come to rest above `low`, and they come
        from `high` at the most.
    ceiling : Ceiling or None
        Ground above it does not count.
    """
    near, radius = stride.near, stride.body.radius
    sure, number = SURE * radius, np.full(len(near.origin), -1)
    number[lanes] = np.arange(len(lanes))
    found = ~_has_all(near, lanes, np.hypot(at[0], at[1]) + reach + sure, low - radius, high + sure)
    rows = _face_rows(stride, number >= 0)
    if not len(rows):
        return found
    which = number[near.lane[rows]]
    plane = near.plane.take(rows, axis=1)
    place, reach, low, high = at.take(which, axis=1), reach[which] + sure, low[which], high[which] + sure
    kept = nonzero(_is_at_height(stride, plane, place, reach, low, high))
    rows, which, place, reach, low, high = (
        rows[kept], which[kept], place.take(kept, axis=1), reach[kept], low[kept], high[kept]
    )  # fmt: skip
    place[2] = high
    outward, beyond = near.borders(rows, place)
    beyond += np.minimum(outward[:, 2] * (low - radius - high), 0.0) - np.hypot(outward[:, 0], outward[:, 1]) * reach
    is_near = beyond.max(axis=0) <= radius + sure
    if ceiling is not None:
        lane = near.lane[rows]
        normal, top = ceiling.normal.take(lane, axis=1), ceiling.height[lane] + sure
        is_near &= _lowest(stride.features, near, rows, normal) <= top
    found[which[is_near]] = True
    return found


def has_ground_above(world: World, stride: Stride, lanes: Indices, way: Rows, low: float, high: float) -> Mask:
    """Return which of `lanes` (k,) may find walkable ground by going up, along the level `way` (3, k), and down.

    `low` and `high` (m) are how much higher than now the lower ends of the axes come to rest at the least, and come
    from at the most. As `has_foothold`, but for what is farther away than the near pieces.
    """
    features, body = stride.features, stride.body
    sure = SURE * body.radius
    at = stride.offset.take(lanes, axis=1) + way
    middle = at.copy()
    middle[2] += (low + high) / 2
    world_middle = stride.near.origin[lanes] + stride.to_world(middle)
    wide = body.radius + sure
    half = np.abs(body.turn.T) @ np.array([wide, wide, (high - low) / 2 + 2 * wide])
    which, face = world.grid.find(world_middle - half, world_middle + half)
    normal = turned(features.normal[face], body)
    kept = nonzero(_is_walkable(stride, normal[2], face, features.is_one_sided[face]))
    which, face, normal = which[kept], face[kept], normal.take(kept, axis=1)
    point = to_walker(features.corners[face, 0], stride.near.origin[lanes[which]], body)
    plane = np.concatenate([normal, dot(normal, point)[None]])
    place = at.take(which, axis=1)
    reach = np.zeros(len(which)) + sure
    found = np.zeros(len(lanes), bool)
    found[which[_is_at_height(stride, plane, place, reach, place[2] + low, place[2] + high + sure)]] = True
    return found


def _has_all(near: Near, lanes: Indices, sideways: Scalars, low: Scalars, high: Scalars) -> Mask:
    """Return for which of `lanes` (k,) all faces are there that can be touched, inside or at their borders, within
    `sideways` (k,) of the origin and between the heights `low` and `high` (k,)."""
    upwards, radius = np.maximum(np.abs(low), np.abs(high)), near.body.radius
    has_all: Mask = (sideways + radius <= near.across[lanes]) & (upwards + radius <= near.along[lanes])
    return has_all


def _face_rows(stride: Stride, is_asked: Mask) -> Indices:
    """Return the rows of walkable faces, for the lower end of the axis, of the lanes (n,) that are asked for."""
    near = stride.near
    flat = len(near.is_one_sided)
    rows = nonzero(is_asked[near.lane[:flat]] & (near.shift[:flat] == 0))
    rows = rows[near.feature[rows] < len(stride.features.normal)]
    return rows[_is_walkable(stride, near.plane[2, rows], near.feature[rows], near.is_one_sided[rows])]


def _is_walkable(stride: Stride, upward: Scalars, face: Indices, is_one_sided: Mask) -> Mask:
    """Return which faces (k,), with normals that point up by `upward`, carry from one of their sides."""
    least = cos_limit(stride.settings.slope_limit) * (1 - SURE)
    walkable: Mask = (np.where(is_one_sided, upward, np.abs(upward)) >= least) & stride.features.carries[face]
    return walkable


def _is_at_height(stride: Stride, plane: Rows, at: Rows, reach: Scalars, low: Scalars, high: Scalars) -> Mask:
    """Return on which planes (4, k) a ball within `reach` of `at` can rest higher than `low` and not over `high`."""
    body = stride.body
    side = np.where(plane[2] < 0, -1.0, 1.0)
    upward = plane[2] * side
    level = (plane[0] * at[0] + plane[1] * at[1] - plane[3]) * side
    tilt = np.hypot(plane[0], plane[1])
    aside = tilt * reach
    is_high = body.radius + body.stop_short * (1 + SURE_HEIGHT) + aside - level > upward * low
    is_low = level + aside + upward * high >= -body.radius * (tilt + SURE)  # a contact under it points up
    at_height: Mask = is_high & is_low
    return at_height


def _lowest(features: Features, near: Near, rows: Indices, normal: Rows) -> Scalars:
    """Return how far along `normal` (3, k) the lowest corners of the faces of flat `rows` (k,) are."""
    face, origin = near.feature[rows], near.origin[near.lane[rows]]
    corners = [dot(normal, to_walker(features.corners[face, i], origin, near.body)) for i in range(3)]
    return np.minimum(np.minimum(corners[0], corners[1]), corners[2])
