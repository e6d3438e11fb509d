"""Distances and first touches, worked out independently of the core: by measuring, not by a formula for each shape.

The core casts a point against a collider grown by the capsule. Here nothing is grown: the distance between the
capsule's axis and each triangle is measured, and the first touch is where that distance falls to the radius. All
triangles are tested, with no features, no seams and no grid, so that a fault of the core cannot be repeated here.

Rows of arrays belong together: (m, 3) points, (m, 3, 3) triangles as their corners.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

UP = (0.0, 0.0, 1.0)
GRAZING = 1e-9  # m: two paths that differ by less than this in their nearest approach are both right
PAIRS = 200_000  # pairs of capsule and triangle measured at once, to keep memory small


@dataclass(frozen=True, slots=True)
class Touch:
    """Where moving capsules first touch; one row a capsule.

    Attributes
    ----------
    fraction : (n,) float
        Share of the displacement before the touch; 1 where there is none.
    nearest : (n,) float, m
        Smallest gap on the way up to the touch, to what is near the way; infinite where nothing is.
    gap : (n,) float, m
        Gap at the start to what is near the way; negative where the start overlaps.
    """

    fraction: Array
    nearest: Array
    gap: Array


def axis(feet: Array, radius: float, height: float, up: tuple[float, float, float] = UP) -> tuple[Array, Array]:
    """Return the lower and the upper end of the capsules' axes, (n, 3) each."""
    feet, rise = np.atleast_2d(np.asarray(feet, float)), np.asarray(up, float)
    return feet + radius * rise, feet + (height - radius) * rise


def separation(low: Array, high: Array, triangles: Array) -> Array:
    """Return the shortest vectors from triangles to segments, (m, 3); zeros where they cross.

    The closest pair of a segment and a triangle is a point where they cross, an end of the segment and a point of the
    triangle, or a point of the segment and a point of an edge. All are tried and the shortest is kept.
    """
    a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
    tries = [low - _on_triangle(low, a, b, c), high - _on_triangle(high, a, b, c)]
    tries += [_between_segments(low, high, p, q) for p, q in ((a, b), (b, c), (c, a))]
    best = tries[0]
    for other in tries[1:]:
        best = np.where((_dot(other, other) < _dot(best, best))[:, None], other, best)
    best[crosses(low, high, triangles)] = 0.0
    return best


def crosses(low: Array, high: Array, triangles: Array) -> NDArray[np.bool_]:
    """Return which segments pass through their triangle, (m,) bool; those in its plane do not."""
    a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
    normal = np.cross(b - a, c - a)
    above, below = _dot(low - a, normal), _dot(high - a, normal)
    opposite = (above * below <= 0) & (above != below)
    share = np.divide(above, above - below, out=np.zeros_like(above), where=opposite)
    point = low + share[:, None] * (high - low)
    inside = opposite
    for p, q in ((a, b), (b, c), (c, a)):
        inside = inside & (_dot(np.cross(q - p, point - p), normal) >= 0)
    return inside


def gaps(feet: Array, radius: float, height: float, triangles: Array, up: tuple[float, float, float] = UP) -> Array:
    """Return the gap between capsules and the nearest of all triangles, (n,) m; at the deepest minus the radius."""
    low, high = axis(feet, radius, height, up)
    nearest = np.full(len(low), np.inf)
    for lanes, faces in _all_pairs(len(low), len(triangles)):
        apart = np.linalg.norm(separation(low[lanes], high[lanes], triangles[faces]), axis=1)
        np.minimum.at(nearest, lanes, apart)
    return nearest - radius


def gaps_nearby(feet: Array, radius: float, height: float, triangles: Array, within: float) -> Array:
    """Return `gaps` cut off at `within`, for long walks in large levels, Z up."""
    low, high = axis(feet, radius, height)
    reach = radius + within
    nearest = np.full(len(low), reach)
    for lanes, faces in _near_pairs(low - reach, high + reach, triangles):
        apart = np.linalg.norm(separation(low[lanes], high[lanes], triangles[faces]), axis=1)
        np.minimum.at(nearest, lanes, apart)
    return nearest - radius


def passes_through(before: Array, after: Array, triangles: Array) -> NDArray[np.bool_]:
    """Return which points, moving straight from `before` to `after` (n, 3), pass through any of the triangles."""
    passes = np.zeros(len(before), bool)
    for lanes, faces in _near_pairs(np.minimum(before, after), np.maximum(before, after), triangles):
        passes[lanes[crosses(before[lanes], after[lanes], triangles[faces])]] = True
    return passes


def _near_pairs(lowest: Array, highest: Array, triangles: Array):  # type: ignore[no-untyped-def]
    """Yield index arrays of box and triangle, where the boxes `lowest` to `highest` (n, 3) meet those of triangles.

    The boxes are sorted into square columns, and those into smaller ones; a column looks only at the triangles that
    meet the box around it all.
    """
    bottoms, tops = triangles.min(axis=1), triangles.max(axis=1)
    for many in _columns(lowest, np.arange(len(lowest)), 8.0):
        low, high = lowest[many].min(axis=0), highest[many].max(axis=0)
        around = np.flatnonzero((bottoms <= high).all(axis=1) & (tops >= low).all(axis=1))
        for lanes in _columns(lowest, many, 1.0):
            low, high = lowest[lanes].min(axis=0), highest[lanes].max(axis=0)
            faces = around[(bottoms[around] <= high).all(axis=1) & (tops[around] >= low).all(axis=1)]
            meets = (bottoms[faces] <= highest[lanes, None]).all(axis=2)
            meets &= (tops[faces] >= lowest[lanes, None]).all(axis=2)
            box, face = np.nonzero(meets)
            if len(box):
                yield lanes[box], faces[face]


def _columns(points: Array, lanes: NDArray[np.intp], cell: float) -> list[NDArray[np.intp]]:
    """Return `lanes` in groups whose points lie in one square column of side `cell`."""
    places = np.floor(points[lanes, :2] / cell).astype(int)
    column = np.unique(places, axis=0, return_inverse=True)[1].ravel()
    order = np.argsort(column, kind="stable")
    return np.split(lanes[order], np.flatnonzero(np.diff(column[order])) + 1)


def hull_gaps(
    feet: Array, radius: float, height: float, corners: Array, triangles: Array, up: tuple[float, float, float] = UP
) -> Array:
    """Return the gap between capsules and one solid convex hull, (n,) m; negative inside, by how far it must move out.

    Outside it is the distance to the surface. Where the axis is in the solid, it is the smallest translation that
    parts the two: for convex polyhedra that lies along a face's normal or across an edge and the axis.
    """
    surface = gaps(feet, radius, height, triangles, up)
    low, high = axis(feet, radius, height, up)
    a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
    faces = np.cross(b - a, c - a)
    across = np.cross(np.concatenate([b - a, c - b, a - c]), np.asarray(up, float))
    ways = np.concatenate([faces, across, -across])
    length = np.linalg.norm(ways, axis=1)
    ways = ways[length > 1e-12] / length[length > 1e-12, None]
    reach = (corners @ ways.T).max(axis=0)
    apart = np.minimum(low @ ways.T, high @ ways.T) - reach
    deepest = apart.max(axis=1)
    return np.where(deepest < 0, deepest - radius, surface)


def cast(
    feet: Array,
    displacement: Array,
    radius: float,
    height: float,
    triangles: Array,
    up: tuple[float, float, float] = UP,
) -> Touch:
    """Return where capsules moving along `displacement` (n, 3) first touch any of `triangles` (t, 3, 3).

    The gap to one triangle is a convex function of the way, as both are convex. So Newton's steps from the start come
    nearer to the touch without ever passing it, and a gap that no longer shrinks never will again.
    """
    feet, displacement = np.atleast_2d(feet).astype(float), np.atleast_2d(displacement).astype(float)
    low, high = axis(feet, radius, height, up)
    touch = Touch(np.ones(len(feet)), np.full(len(feet), np.inf), np.full(len(feet), np.inf))
    middle = (low + high + displacement) / 2
    reach = (np.linalg.norm(high - low, axis=1) + np.linalg.norm(displacement, axis=1)) / 2 + radius
    centre = triangles.mean(axis=1)
    size = np.linalg.norm(triangles - centre[:, None], axis=2).max(axis=1)
    for lanes, faces in _all_pairs(len(feet), len(triangles)):
        is_near = np.linalg.norm(middle[lanes] - centre[faces], axis=1) <= reach[lanes] + size[faces] + 1e-6
        lanes, faces = lanes[is_near], faces[is_near]
        fraction, nearest, gap = _first_touch(low[lanes], high[lanes], displacement[lanes], radius, triangles[faces])
        np.minimum.at(touch.fraction, lanes, fraction)
        np.minimum.at(touch.nearest, lanes, nearest)
        np.minimum.at(touch.gap, lanes, gap)
    return touch


def _first_touch(low: Array, high: Array, way: Array, radius: float, triangles: Array) -> tuple[Array, Array, Array]:
    done = np.zeros(len(low))
    nearest = np.full(len(low), np.inf)
    gap = np.full(len(low), np.inf)
    result = np.ones(len(low))
    open_rows = np.arange(len(low))
    for turn in range(200):
        moved = done[open_rows, None] * way[open_rows]
        apart = separation(low[open_rows] + moved, high[open_rows] + moved, triangles[open_rows])
        length = np.linalg.norm(apart, axis=1)
        left = length - radius
        if turn == 0:
            gap = left.copy()
        nearest[open_rows] = np.minimum(nearest[open_rows], left)
        slope = np.divide(_dot(apart, way[open_rows]), length, out=np.zeros_like(length), where=length > 0)
        touches = left <= 1e-12
        result[open_rows[touches]] = done[open_rows[touches]]
        goes_on = ~touches & (slope < 0)
        rows = open_rows[goes_on]
        done[rows] += left[goes_on] / -slope[goes_on]
        open_rows = rows[done[rows] <= 1]
        if not len(open_rows):
            return result, nearest, gap
    # What is left grazes: it nears its touch more slowly than any rounding; where it stands is the answer.
    result[open_rows] = done[open_rows]
    return result, nearest, gap


def _all_pairs(lanes: int, faces: int):  # type: ignore[no-untyped-def]
    """Yield index arrays of all pairs of lane and face, a limited number at a time."""
    if not lanes or not faces:
        return
    at_once = max(1, PAIRS // faces)
    for first in range(0, lanes, at_once):
        lane = np.arange(first, min(first + at_once, lanes))
        yield np.repeat(lane, faces), np.tile(np.arange(faces), len(lane))


def _dot(a: Array, b: Array) -> Array:
    return np.asarray((a * b).sum(axis=1))


def _on_triangle(point: Array, a: Array, b: Array, c: Array) -> Array:
    """Return the closest points of triangles to points: the foot of the plane where it is inside, else on an edge."""
    normal = np.cross(b - a, c - a)
    square = _dot(normal, normal)
    height = np.divide(_dot(point - a, normal), square, out=np.zeros_like(square), where=square > 0)
    foot = point - height[:, None] * normal
    inside = square > 0
    best = _on_segment(point, a, b)
    for p, q in ((a, b), (b, c), (c, a)):
        inside = inside & (_dot(np.cross(q - p, foot - p), normal) >= 0)
        other = _on_segment(point, p, q)
        nearer = _dot(point - other, point - other) < _dot(point - best, point - best)
        best = np.where(nearer[:, None], other, best)
    return np.where(inside[:, None], foot, best)


def _on_segment(point: Array, a: Array, b: Array) -> Array:
    way = b - a
    square = _dot(way, way)
    share = np.divide(_dot(point - a, way), square, out=np.zeros_like(square), where=square > 0)
    return a + np.clip(share, 0, 1)[:, None] * way


def _between_segments(a: Array, b: Array, c: Array, d: Array) -> Array:
    """Return the shortest vector from segment c-d to segment a-b: inside both, or from an end of one to the other."""
    tries = [a - _on_segment(a, c, d), b - _on_segment(b, c, d), _on_segment(c, a, b) - c, _on_segment(d, a, b) - d]
    best = tries[0]
    for other in tries[1:]:
        best = np.where((_dot(other, other) < _dot(best, best))[:, None], other, best)
    u, v, w = b - a, d - c, a - c
    uu, uv, vv, uw, vw = _dot(u, u), _dot(u, v), _dot(v, v), _dot(u, w), _dot(v, w)
    area = uu * vv - uv * uv
    slanted = area > 1e-12 * uu * vv
    along_a = np.divide(uv * vw - vv * uw, area, out=np.full_like(area, -1.0), where=slanted)
    along_c = np.divide(uu * vw - uv * uw, area, out=np.full_like(area, -1.0), where=slanted)
    inside = (along_a > 0) & (along_a < 1) & (along_c > 0) & (along_c < 1)
    across = w + along_a[:, None] * u - along_c[:, None] * v
    return np.where((inside & (_dot(across, across) < _dot(best, best)))[:, None], across, best)
