"""Convex parts: which loose parts of meshes are convex solids as they are."""

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices, Mask
from .convexity import find_planes, heights_beside, highest_points, solid_angles
from .groups import starts_of
from .parts import is_closed, orient
from .some_parts import SomeParts

DENT = 1e-5
"""Share of a part's size by which a vertex may be in front of a triangle's plane in a part that counts as convex. Too
small and what was turned is not convex, because meshes are stored in single precision; too large and shallow dishes
are filled."""
DENT_LIMIT = 1e-4  # the same with what is added for triangles that are small beside the rounding of their corners
SINGLE_ROUNDING = 2.0**-23  # of a number in single precision
ALL_PAIRS = 4_000_000  # vertices times triangles up to which every vertex is measured against every triangle
MEASURED_FACES = 512  # of a larger part; those with the deepest valleys, and as many more spread over it
PROBES = 4  # triangles of a part that have to have all of it on one side before it is looked at more closely


def find_convex_parts(
    vertices: NDArray[np.float64], triangles: NDArray[np.int64], vertex_part: Indices, count: int
) -> tuple[Mask, NDArray[np.int64]]:
    """Find the parts that are closed and, but for dents, convex.

    A part is convex if every edge has two triangles, no vertex is outside any triangle's plane, and the surface goes
    round its middle once. Which way round its triangles run does not matter.

    Parameters
    ----------
    vertices : (v, 3) float, m
    triangles : (t, 3) int
        With an area, welded, no two alike.
    vertex_part : (v,) int
        The part of each vertex, as `find_parts` returns it.
    count : int
        How many parts there are.

    Returns
    -------
    is_convex : (count,) bool
    turned : (t, 3) int
        The triangles; those of convex parts run counter-clockwise seen from outside.
    """
    is_convex = np.zeros(count, bool)
    turned = triangles.copy()
    faces = np.bincount(vertex_part[triangles[:, 0]], minlength=count)
    chosen = np.flatnonzero((faces >= 4) & (faces % 2 == 0))  # a closed surface of t triangles has 3 t / 2 edges
    some = SomeParts.pick(vertices, triangles, vertex_part, count, chosen)
    for probe in range(PROBES):
        some = some.only(_is_one_sided(some, probe))
    some = some.only(is_closed(some.match(), some.face_part, len(some)))
    if not len(some):
        return is_convex, turned
    oriented, is_orientable = orient(some.points, some.triangles, some.match(), some.face_part, len(some))
    some = some.turned(oriented).only(is_orientable)
    some = some.only(_is_convex(some))
    is_convex[some.part] = True
    turned[some.row] = some.vertex[some.triangles]
    return is_convex, turned


def _may_stand_out(some: SomeParts, rows: Indices) -> NDArray[np.float64]:
    """Return how far (k,) vertices may be in front of the triangles `rows` (k,).

    A corner that is off by its rounding in single precision tilts a triangle the more, the lower the triangle is.
    """
    a, b, c = (some.points[some.triangles[rows, i]] for i in range(3))
    longest = np.sqrt(np.maximum(np.maximum(_squared(b - a), _squared(c - b)), _squared(a - c)))
    lowest = np.sqrt(_squared(np.asarray(np.cross(b - a, c - a)))) / longest
    rounding = some.rounding[some.face_part[rows]] * (SINGLE_ROUNDING / np.finfo(np.float64).eps)
    return np.minimum(DENT + 2 * rounding / lowest, DENT_LIMIT)


def _squared(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.einsum("ij,ij->i", vectors, vectors)


def _is_one_sided(some: SomeParts, probe: int) -> Mask:
    """Return which parts lie on one side of one of their triangles: most parts that are not convex fail at once."""
    if not len(some):
        return np.zeros(0, bool)
    sizes = np.diff(some.starts)
    faces = np.bincount(some.face_part, minlength=len(some))
    rows = starts_of(faces)[:-1] + faces * probe // PROBES
    normal, offset = find_planes(some.points, some.triangles[rows])
    height = np.einsum("ij,ij->i", some.points, np.repeat(normal, sizes, axis=0)) - np.repeat(offset, sizes)
    above = np.maximum.reduceat(height, some.starts[:-1])
    below = np.minimum.reduceat(height, some.starts[:-1])
    return np.asarray(np.minimum(above, -below) <= _may_stand_out(some, rows))


def _is_convex(some: SomeParts) -> Mask:
    """Return which of the closed parts, whose triangles run the right way, have no vertex in front of a triangle."""
    if not len(some):
        return np.zeros(0, bool)
    normal, offset = find_planes(some.points, some.triangles)
    slack = _may_stand_out(some, np.arange(len(some.triangles)))
    excess = heights_beside(some.points, some.triangles, some.match(), normal, offset) - slack
    is_convex = np.ones(len(some), bool)
    is_convex[some.face_part[excess > 0]] = False

    sizes = np.diff(some.starts)
    middle = np.add.reduceat(some.points, some.starts[:-1], axis=0) / sizes[:, None]
    angle = solid_angles(some.points, some.triangles, middle[some.face_part])
    is_convex &= np.abs(np.bincount(some.face_part, angle, len(some)) - 4 * np.pi) < 1e-3

    faces = np.bincount(some.face_part, minlength=len(some))
    is_measured = is_convex[some.face_part]
    for part in np.flatnonzero(is_convex & (sizes * faces > ALL_PAIRS)):
        rows = np.flatnonzero(some.face_part == part)
        is_measured[rows] = False
        deepest = np.argpartition(excess[rows], -MEASURED_FACES)[-MEASURED_FACES:]
        is_measured[rows[deepest]] = True
        is_measured[rows[:: max(len(rows) // MEASURED_FACES, 1)]] = True
    face_starts = starts_of(np.bincount(some.face_part[is_measured], minlength=len(some)))
    limit = (offset + slack)[is_measured]
    return is_convex & (highest_points(some.points, some.starts, normal[is_measured], limit, face_starts) <= 0)
