"""Nearest: how far points are from triangles, and on which side of them."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices, Mask, Rows

PAIRS_AT_ONCE = 1 << 20  # point and triangle pairs in a temporary array


@dataclass(frozen=True, slots=True, eq=False)
class NearPairs:
    """Some points, and for each the triangles that are about as near as the nearest: k pairs.

    Attributes
    ----------
    rows : slice
        Which of the points.
    point : (k,) int
        Counted from the first of `rows`; rises. Every point has a triangle.
    triangle : (k,) int
    distance, height : (k,) float, m
        Of the point from the triangle, and above its plane.
    starts : (n,) int
        Where the pairs of each point begin.
    least : (n,) float, m
        Distance of each point from the nearest.
    """

    rows: slice
    point: Indices
    triangle: Indices
    distance: NDArray[np.float64]
    height: NDArray[np.float64]
    starts: Indices
    least: NDArray[np.float64]

    def is_behind(self) -> Mask:
        """Return which points (n,) are behind the surface.

        Of triangles equally near, the one that the point is highest above or deepest below tells: at an edge that two
        of them share the other one may have the point on its wrong side.
        """
        told = np.where(self.distance <= self.least[self.point] * (1 + 1e-9) + 1e-12, np.abs(self.height), -1.0)
        highest = np.maximum.reduceat(told, self.starts)
        is_below = (told >= highest[self.point]) & (self.height < 0)
        return np.asarray(np.logical_or.reduceat(is_below, self.starts))


def nearest_sides(points: NDArray[np.float64], corners: NDArray[np.float64]) -> tuple[NDArray[np.float64], Mask]:
    """Return how far points are from the nearest of some triangles, and whether they are behind it.

    Parameters
    ----------
    points : (n, 3) float, m
    corners : (t, 3, 3) float, m
        Counter-clockwise seen from the front; at least one, each with an area.

    Returns
    -------
    distance : (n,) float, m
    is_behind : (n,) bool
    """
    distance, is_behind = np.empty(len(points)), np.empty(len(points), bool)
    for pairs in near_pairs(points, corners, 0.0):
        distance[pairs.rows], is_behind[pairs.rows] = pairs.least, pairs.is_behind()
    return distance, is_behind


def near_pairs(points: NDArray[np.float64], corners: NDArray[np.float64], beyond: float) -> Iterator[NearPairs]:
    """Yield pairs of points and triangles, among them all that are up to `beyond` further than the nearest."""
    middle = corners.mean(axis=1)
    radius = np.sqrt(((corners - middle[:, None]) ** 2).sum(axis=2).max(axis=1))
    count = max(PAIRS_AT_ONCE // len(corners), 1)
    for begin in range(0, len(points), count):
        rows = slice(begin, min(begin + count, len(points)))
        point, triangle = _candidates(points[rows], middle, radius, beyond)
        distance, height = measure(points[rows][point], corners[triangle])
        starts = np.searchsorted(point, np.arange(rows.stop - begin))
        yield NearPairs(rows, point, triangle, distance, height, starts, np.minimum.reduceat(distance, starts))


def _candidates(
    points: NDArray[np.float64], middle: NDArray[np.float64], radius: NDArray[np.float64], beyond: float
) -> tuple[Indices, Indices]:
    """Return pairs of points and the triangles that may be nearest to them, by the spheres around the triangles."""
    origin = middle.mean(axis=0)
    p, m = points - origin, middle - origin
    apart = (p**2).sum(axis=1)[:, None] - 2 * (p @ m.T) + (m**2).sum(axis=1)
    apart = np.sqrt(np.maximum(apart, 0.0, out=apart), out=apart)
    furthest = (apart + radius).min(axis=1)
    slack = beyond + 1e-7 * (np.abs(p).max(initial=0.0) + np.abs(m).max(initial=0.0))
    point, triangle = np.nonzero(apart - radius <= (furthest + slack)[:, None])
    return point, triangle


def measure(
    points: NDArray[np.float64], corners: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return how far each point (n, 3) is from its triangle (n, 3, 3), and how high above its plane."""
    point = np.ascontiguousarray(points.T)
    a, b, c = np.ascontiguousarray(corners.transpose(1, 2, 0))
    normal = _cross(b - a, c - a)
    normal /= np.maximum(np.sqrt(_dot(normal, normal)), 1e-300)
    height = _dot(point - a, normal)
    is_inside = np.ones(len(points), bool)
    to_edges = np.full(len(points), np.inf)
    for begin, end in ((a, b), (b, c), (c, a)):
        along, off = end - begin, point - begin
        is_inside &= _dot(_cross(along, off), normal) >= 0
        off -= np.clip(_dot(off, along) / np.maximum(_dot(along, along), 1e-300), 0.0, 1.0) * along
        np.minimum(to_edges, _dot(off, off), out=to_edges)
    return np.where(is_inside, np.abs(height), np.sqrt(to_edges)), height


def _dot(a: Rows, b: Rows) -> NDArray[np.float64]:
    return np.asarray(a[0] * b[0] + a[1] * b[1] + a[2] * b[2])


def _cross(a: Rows, b: Rows) -> Rows:
    return np.stack([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])
