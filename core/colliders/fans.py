"""Fans: convex polygons as triangles, none thinner than need be."""

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices
from .groups import starts_of

MANY = 6  # corners of a polygon from which several are cut off in a round
POINTLESS = 1e-5  # height by the longest side of a corner's triangle below which the corner counts as straight


def triangulate(
    points: NDArray[np.float64], corners: Indices, starts: Indices, normal: NDArray[np.float64]
) -> tuple[NDArray[np.int64], Indices]:
    """Cut convex polygons into triangles.

    In rounds, the corners whose triangle with their neighbours is fattest, compared with those of the neighbours, are
    cut off. A corner in the middle of a straight edge is never cut off before it is a corner.

    Parameters
    ----------
    points : (v, 3) float, m
    corners : (n,) int
        Rows of `points`, counter-clockwise, polygon after polygon.
    starts : (p + 1,) int
        Where the corners of each polygon begin.
    normal : (p, 3) float

    Returns
    -------
    triangles : (t, 3) int
        Polygon after polygon.
    polygon : (t,) int
    """
    made: list[NDArray[np.int64]] = []
    owner: list[Indices] = []
    polygon = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    while len(corners):
        sizes = np.bincount(polygon, minlength=len(starts) - 1)
        is_last = sizes[polygon] == 3
        made.append(corners[is_last].reshape(-1, 3).astype(np.int64))
        owner.append(polygon[is_last][::3])
        corners, polygon = corners[~is_last], polygon[~is_last]
        if not len(corners):
            break
        sizes = np.bincount(polygon, minlength=len(starts) - 1)
        first = starts_of(sizes)[:-1][polygon]
        place, count = np.arange(len(corners)) - first, sizes[polygon]
        before, after = first + (place - 1) % count, first + (place + 1) % count
        fatness = _fatness(points[corners[before]], points[corners], points[corners[after]], normal[polygon])
        is_corner = fatness > POINTLESS
        corner_count = np.bincount(polygon[is_corner], minlength=len(sizes))[polygon]
        # Of a triangle with points on its sides, the apex over a side has to stay, or that side alone is left.
        may_go = is_corner & ~((corner_count == 3) & is_corner[before] & is_corner[after])
        order = np.lexsort((-fatness, ~may_go))
        rank = np.empty(len(corners), np.intp)
        rank[order] = np.arange(len(corners))
        best = np.full(len(sizes), len(corners))
        np.minimum.at(best, polygon, rank)
        is_best = rank == best[polygon]
        is_cut = is_best | (may_go & (corner_count >= MANY) & (rank < rank[before]) & (rank < rank[after]))
        made.append(np.stack([corners[before], corners, corners[after]], axis=1)[is_cut].astype(np.int64))
        owner.append(polygon[is_cut])
        corners, polygon = corners[~is_cut], polygon[~is_cut]
    triangles, polygon = np.concatenate([np.zeros((0, 3), np.int64), *made]), np.concatenate([polygon[:0], *owner])
    order = np.argsort(polygon, kind="stable")
    return triangles[order], polygon[order]


def _fatness(
    a: NDArray[np.float64], b: NDArray[np.float64], c: NDArray[np.float64], normal: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the height of triangles by their longest side; 0 or less where the middle corner is none."""
    twice_area = (np.cross(b - a, c - b) * normal).sum(axis=1)
    longest = np.maximum(np.maximum(((b - a) ** 2).sum(axis=1), ((c - b) ** 2).sum(axis=1)), ((a - c) ** 2).sum(axis=1))
    return np.asarray(twice_area / np.maximum(longest, 1e-300))
