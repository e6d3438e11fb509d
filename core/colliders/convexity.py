"""Convexity: sides shared by triangles, planes, and how far points stand out in front of them."""

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices, expand
from .groups import starts_of

PAIRS_AT_ONCE = 1 << 20  # rows of a temporary array: larger ones leave the processor's cache
MATRIX_FROM = 1 << 14  # point and face pairs of a group from which a matrix product is faster than gathering rows


def side_ends(triangles: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the vertices where the sides begin and end, (3 t,): side 3 t + i of triangle t goes from corner i on."""
    return triangles.ravel(), np.roll(triangles, -1, axis=1).ravel()


def edge_keys(one: NDArray[np.int64], other: NDArray[np.int64], vertex_count: int) -> NDArray[np.int64]:
    """Return a number for each edge between two vertices, whichever way round."""
    return np.minimum(one, other) * vertex_count + np.maximum(one, other)


def match_sides(triangles: NDArray[np.int64], vertex_count: int) -> Indices:
    """Return for each side (3 t,) the other side on the same edge; -1 unless exactly two triangles share it."""
    keys = edge_keys(*side_ends(triangles), vertex_count)
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    is_new = np.concatenate([[True], keys[1:] != keys[:-1], [True]])
    first = np.flatnonzero(is_new[:-1] & ~is_new[1:])  # begins a run of two or more
    first = first[is_new[first + 2]]
    mate = np.full(len(keys), -1, np.intp)
    mate[order[first]] = order[first + 1]
    mate[order[first + 1]] = order[first]
    return mate


def find_planes(
    points: NDArray[np.float64], triangles: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the unit normals (t, 3) and offsets (t,) of triangles: ``normal @ point - offset`` is the height."""
    corner = points[triangles[:, 0]]
    cross = np.cross(points[triangles[:, 1]] - corner, points[triangles[:, 2]] - corner)
    normal = np.asarray(cross, np.float64)
    normal /= np.maximum(np.linalg.norm(normal, axis=1), 1e-300)[:, None]
    return normal, (normal * corner).sum(axis=1)


def heights_beside(
    points: NDArray[np.float64],
    triangles: NDArray[np.int64],
    mate: Indices,
    normal: NDArray[np.float64],
    offset: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return for each triangle (t,) how high the far corners of its neighbours stand above it; every side has a mate.

    A valley is a positive height, a ridge a negative one.
    """
    far = triangles.ravel()[mate // 3 * 3 + (mate + 2) % 3].reshape(-1, 3)
    return np.stack([(normal * points[far[:, i]]).sum(axis=1) - offset for i in range(3)]).max(axis=0)


def highest_points(
    points: NDArray[np.float64],
    point_starts: Indices,
    normal: NDArray[np.float64],
    offset: NDArray[np.float64],
    face_starts: Indices,
) -> NDArray[np.float64]:
    """Return for each group (g,) how high any of its points stands above any of its faces; -inf without either."""
    point_counts, face_counts = np.diff(point_starts), np.diff(face_starts)
    highest = np.full(len(point_counts), -np.inf)
    pairs = point_counts * face_counts
    for group in np.flatnonzero(pairs >= MATRIX_FROM):
        some = points[point_starts[group] : point_starts[group + 1]]
        rows = max(PAIRS_AT_ONCE // len(some), 1)
        for begin in range(face_starts[group], face_starts[group + 1], rows):
            faces = slice(begin, min(begin + rows, face_starts[group + 1]))
            top = (normal[faces] @ some.T).max(axis=1) - offset[faces]
            highest[group] = max(highest[group], top.max())

    small = np.flatnonzero((pairs > 0) & (pairs < MATRIX_FROM))
    for block in np.array_split(small, pairs[small].sum() // PAIRS_AT_ONCE + 1):
        if not len(block):
            continue
        face = expand(face_starts[block], face_counts[block])
        group = np.repeat(block, face_counts[block])
        point = expand(point_starts[group], point_counts[group])
        face = np.repeat(face, point_counts[group])
        height = (normal[face] * points[point]).sum(axis=1) - offset[face]
        highest[block] = np.maximum.reduceat(height, starts_of(pairs[block])[:-1])
    return highest


def solid_angles(
    points: NDArray[np.float64], triangles: NDArray[np.int64], origin: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the solid angle (t,) under which each triangle is seen from its `origin` (t, 3); positive from behind.

    Over a closed surface they add up to 4 pi where it surrounds the origin once. Formula: A. van Oosterom and
    J. Strackee, The solid angle of a plane triangle, IEEE Trans. Biomed. Eng. 30, 1983.
    """
    a, b, c = (points[triangles[:, i]] - origin for i in range(3))
    la, lb, lc = (np.linalg.norm(side, axis=1) for side in (a, b, c))
    volume = (a * np.cross(b, c)).sum(axis=1)
    ab, bc, ca = (a * b).sum(axis=1), (b * c).sum(axis=1), (c * a).sum(axis=1)
    return np.asarray(2 * np.arctan2(volume, la * lb * lc + ab * lc + bc * la + ca * lb))
