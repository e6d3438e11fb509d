"""Solid parts: which loose parts of meshes are closed surfaces with an inside, turned outward."""

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices, Mask
from .convexity import edge_keys, side_ends
from .parts import is_closed, orient, swapped
from .some_parts import SomeParts

NO_VOLUME = 1e-9  # share of the cube of its size up to which a closed part, folded flat, has no inside


def find_solid_parts(
    vertices: NDArray[np.float64], triangles: NDArray[np.int64], vertex_part: Indices, wanted: Mask
) -> tuple[Mask, NDArray[np.int64]]:
    """Find the parts that are closed and have an inside.

    A part has one if every edge has two triangles that can be turned so that all have the outside on the same side, or
    more that are wound that way already, and if they enclose a volume.

    Parameters
    ----------
    vertices : (v, 3) float, m
    triangles : (t, 3) int
        With an area, welded, no two alike.
    vertex_part : (v,) int
        The part of each vertex, as `find_parts` returns it.
    wanted : (p,) bool
        Which of the parts are looked at.

    Returns
    -------
    is_solid : (p,) bool
    turned : (t, 3) int
        The triangles; those of solid parts run counter-clockwise seen from outside.
    """
    is_solid, turned = np.zeros(len(wanted), bool), triangles.copy()
    if not wanted.any():
        return is_solid, turned
    some = SomeParts.pick(vertices, triangles, vertex_part, len(wanted), np.flatnonzero(wanted))
    has_pairs = is_closed(some.match(), some.face_part, len(some))
    if has_pairs.any():
        paired = some.only(has_pairs)
        oriented, is_orientable = orient(paired.points, paired.triangles, paired.match(), paired.face_part, len(paired))
        _keep(paired.turned(oriented).only(is_orientable), is_solid, turned)
    is_even = ~has_pairs & _is_even(some)
    if is_even.any():
        even = some.only(is_even)
        _keep(even.turned(swapped(even.triangles, (_volumes(even) < 0)[even.face_part])), is_solid, turned)
    return is_solid, turned


def _keep(some: SomeParts, is_solid: Mask, turned: NDArray[np.int64]) -> None:
    """Write down those of the closed parts that have an inside."""
    if len(some):
        some = some.only(_volumes(some) > NO_VOLUME)
        is_solid[some.part] = True
        turned[some.row] = some.vertex[some.triangles]


def _volumes(some: SomeParts) -> NDArray[np.float64]:
    a, b, c = (some.points[some.triangles[:, i]] for i in range(3))
    return np.bincount(some.face_part, (a * np.cross(b, c)).sum(axis=1), len(some)) / 6


def _is_even(some: SomeParts) -> Mask:
    """Return which parts are closed as they are wound: along each edge as many triangles run one way as the other.

    Two boxes that touch along an edge, welded there, are such a part: four triangles have the edge.
    """
    begin, end = side_ends(some.triangles)
    keys = edge_keys(begin, end, len(some.points))
    _, first, edge = np.unique(keys, return_index=True, return_inverse=True)
    runs = np.bincount(edge.reshape(-1), np.where(begin < end, 1, -1), len(first))
    is_even = np.ones(len(some), bool)
    is_even[some.face_part[first[runs != 0] // 3]] = False
    return is_even
