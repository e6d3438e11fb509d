"""Solid parts: which loose parts of meshes are closed surfaces with an inside, turned outward."""

import numpy as np
from numpy.typing import NDArray

from .arrays import Indices, Mask
from .parts import is_closed, orient
from .some_parts import SomeParts

NO_VOLUME = 1e-9  # share of the cube of its size up to which a closed part, folded flat, has no inside


def find_solid_parts(
    vertices: NDArray[np.float64], triangles: NDArray[np.int64], vertex_part: Indices, wanted: Mask
) -> tuple[Mask, NDArray[np.int64]]:
    """Find the parts that are closed and have an inside.

    A part has one if every edge has two triangles, these can be turned so that all have the outside on the same side,
    and they enclose a volume.

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
    if len(some):
        some = some.only(is_closed(some.match(), some.face_part, len(some)))
    if not len(some):
        return is_solid, turned
    oriented, is_orientable = orient(some.points, some.triangles, some.match(), some.face_part, len(some))
    some = some.turned(oriented)
    a, b, c = (some.points[some.triangles[:, i]] for i in range(3))
    volume = np.bincount(some.face_part, (a * np.cross(b, c)).sum(axis=1), len(some)) / 6
    some = some.only(is_orientable & (volume > NO_VOLUME))
    is_solid[some.part] = True
    turned[some.row] = some.vertex[some.triangles]
    return is_solid, turned
