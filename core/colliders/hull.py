"""Convex hulls of points, checked before they are handed out."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..arrays import Indices, Mask, expand
from .convexity import (
    find_planes,
    heights_beside,
    highest_points,
    match_sides,
    side_ends,
    solid_angles,
)
from .groups import starts_of, to_unit
from .quickhull import Surface
from .simplex import Span, first_simplices

SLACKS = (1e-7, 1e-12, 1e-10, 1e-9, 1e-8, 1e-6, 1e-5)
"""Shares of the size up to which a point counts as lying on a face, in the order in which they are tried. The first is
the rounding of meshes, which are stored in single precision: a smaller one makes slivers of flat sides. Points at
just that height above a face can make a surface that is not convex; with another slack they are no border case."""
ROUNDING = 8.0  # a slack is at least that many times the rounding of the coordinates
TOLERANCE = 1e-6  # share of the size by which a point may be in front of a face of a finished hull
TOLERANCE_SLACKS = 4.0  # the same in slacks, for those too large to do better
ALL_PAIRS = 200_000_000  # points times faces up to which every point of a hull is measured against every face
SEAM = 1e-3
"""Share of the tolerance that is left between neighbours in larger hulls, whose corners are measured against
neighbours only: there small errors add up from face to face."""

REASONS = {
    Span.FEW: "fewer than four points",
    Span.PLACE: "all points are at one place",
    Span.LINE: "all points lie in one line",
    Span.PLANE: "all points lie in one plane",
}
NO_SURFACE = "rounding leaves no surface that is convex"


@dataclass(frozen=True, slots=True, eq=False)
class Hulls:
    """The hulls of g groups of points.

    Attributes
    ----------
    triangles : (t, 3) int
        Rows of the points, counter-clockwise seen from outside; sorted by group.
    group : (t,) int
        Whose hull each triangle belongs to.
    refusals : dict of int to str
        The groups that have no hull, and why.
    """

    triangles: NDArray[np.int64]
    group: Indices
    refusals: dict[int, str]


def convex_hull(points: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the convex hull of points.

    Points that stand out by no more than the rounding of single precision may be left out. No point is more than 1e-6
    of the longest side of the points' box in front of a face (4e-5 where rounding forbids to do better); this is
    checked, as is that every edge has two faces and that the surface goes round its middle once.

    Parameters
    ----------
    points : (n, 3) float, m
        In any order, with duplicates, anywhere.

    Returns
    -------
    vertices : (k, 3) float, m
        Those of the points that are corners, in their order.
    triangles : (m, 3) int
        Rows of `vertices`, counter-clockwise seen from outside.

    Raises
    ------
    ValueError
        If a number is not finite, or the points span no volume: the message says what they are instead.
    """
    cloud = np.asarray(points, dtype=np.float64)
    if cloud.ndim != 2 or cloud.shape[1] != 3:
        raise ValueError(f"points must be (n, 3), got {cloud.shape}")
    if not np.isfinite(cloud).all():
        row = int(np.flatnonzero(~np.isfinite(cloud).all(axis=1))[0])
        raise ValueError(f"points must be finite, got {cloud[row]} at {row}")
    hulls = convex_hulls(cloud, np.array([len(cloud)]))
    if hulls.refusals:
        raise ValueError(f"no convex hull: {hulls.refusals[0]}")
    used = np.unique(hulls.triangles)
    return cloud[used], np.searchsorted(used, hulls.triangles)


def convex_hulls(points: NDArray[np.float64], sizes: NDArray[np.int64]) -> Hulls:
    """Return the convex hulls of many groups of points, as `convex_hull` does for one.

    Parameters
    ----------
    points : (n, 3) float, m
        Finite; group after group.
    sizes : (g,) int
        How many points each group has.
    """
    refusals = {int(group): REASONS[Span.FEW] for group in np.flatnonzero(sizes < 4)}
    enough = np.flatnonzero(sizes >= 4)
    if not len(enough):
        return _join([], refusals)
    rows, starts = expand(starts_of(sizes)[enough], sizes[enough]), starts_of(sizes[enough])
    unit, _, rounding = to_unit(points[rows], starts)
    corners, span = first_simplices(unit, starts)
    refusals.update({int(enough[i]): REASONS[Span(span[i])] for i in np.flatnonzero(span != Span.BODY)})

    todo = np.flatnonzero(span == Span.BODY)
    found: list[tuple[NDArray[np.int64], Indices]] = []
    for share in SLACKS:
        if not len(todo):
            break
        counts = np.diff(starts)[todo]
        some, some_starts = expand(starts[todo], counts), starts_of(counts)
        slack = np.maximum(share, ROUNDING * rounding[todo])
        surface = Surface(unit[some], some_starts, corners[todo] + (some_starts[:-1] - starts[todo])[:, None], slack)
        surface.grow()
        triangles, group = surface.faces()
        tolerance = np.maximum(TOLERANCE, TOLERANCE_SLACKS * slack)
        is_good = check_hulls(unit[some], some_starts, triangles, group, tolerance)
        kept = is_good[group]
        found.append((rows[some[triangles[kept]]], enough[todo[group[kept]]]))
        todo = todo[~is_good]
    refusals.update({int(enough[i]): NO_SURFACE for i in todo})
    return _join(found, refusals)


def hull_volumes(points: NDArray[np.float64], sizes: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the volume (g,) of the convex hulls of many groups of points; 0 where there is none."""
    made = convex_hulls(points, sizes)
    first = np.minimum(starts_of(sizes)[:-1], max(len(points) - 1, 0))
    origin = points[first][made.group]
    a, b, c = (points[made.triangles[:, i]] - origin for i in range(3))
    return np.bincount(made.group, (a * np.cross(b, c)).sum(axis=1), len(sizes)) / 6


def check_hulls(
    points: NDArray[np.float64],
    point_starts: Indices,
    triangles: NDArray[np.int64],
    group: Indices,
    tolerance: NDArray[np.float64],
) -> Mask:
    """Return which groups (g,) of points have their convex hull in `triangles`, which are sorted by group.

    A surface is convex, and all of it outside, if each side has one mate that runs the other way, no face has a
    neighbour or a point in front of it by more than `tolerance` (g,), and it goes round its middle once.
    """
    groups = len(point_starts) - 1
    is_good = np.bincount(group, minlength=groups) >= 4
    mate = match_sides(triangles, len(points))
    begin, end = side_ends(triangles)
    is_good[group[np.flatnonzero((mate < 0) | (end[mate] != begin)) // 3]] = False
    if not is_good.any():
        return is_good

    face_starts = starts_of(np.bincount(group, minlength=groups))
    too_many = np.diff(point_starts) * np.diff(face_starts) > ALL_PAIRS
    normal, offset = find_planes(points, triangles)
    valley = heights_beside(points, triangles, mate, normal, offset)
    is_good[group[valley > np.where(too_many, SEAM, 1.0)[group] * tolerance[group]]] = False

    corners, owner = np.unique(triangles), np.repeat(np.arange(groups), np.diff(point_starts))
    counts = np.maximum(np.bincount(owner[corners], minlength=groups), 1)
    middle = [np.bincount(owner[corners], points[corners, axis], groups) / counts for axis in range(3)]
    angle = solid_angles(points, triangles, np.stack(middle, axis=1)[group])
    is_good[group[angle < -1e-9]] = False
    is_good &= np.abs(np.bincount(group, angle, groups) - 4 * np.pi) < 1e-3

    is_measured = np.ones(len(points), bool)
    is_measured[corners[too_many[owner[corners]]]] = False
    measured_starts = starts_of(np.bincount(owner[is_measured], minlength=groups))
    highest = highest_points(points[is_measured], measured_starts, normal, offset, face_starts)
    return is_good & (highest <= tolerance)


def _join(found: list[tuple[NDArray[np.int64], Indices]], refusals: dict[int, str]) -> Hulls:
    if not found:
        return Hulls(np.zeros((0, 3), np.int64), np.zeros(0, np.intp), refusals)
    triangles, group = (np.concatenate(column) for column in zip(*found, strict=True))
    order = np.argsort(group, kind="stable")
    return Hulls(triangles[order], group[order], refusals)
