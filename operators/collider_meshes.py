"""Collider meshes: the shape of a collider written into the mesh of an object.

Blender's way through bmesh looks at all objects of the file for each mesh; this does not.
"""

import bpy
import numpy as np
from numpy.typing import NDArray

from ..core.arrays import Indices


def write_shape(ob: bpy.types.Object, points: NDArray[np.float64], corners: Indices, starts: Indices) -> None:
    """Give an object that is in its place the shape of a collider.

    Parameters
    ----------
    ob : Object
        Its mesh is empty. It has no parent.
    points : (v, 3) float
        In the world, Blender units.
    corners : (n,) int
        Points, polygon after polygon; seen from outside they run to the left.
    starts : (p,) int
        Where the corners of each polygon begin.
    """
    inverse, origin, is_mirrored = _into_axes_of(ob)
    if is_mirrored:  # Blender turns the faces round
        corners, starts = corners[::-1], len(corners) - np.append(starts[1:], len(corners))[::-1]
    _fill(ob.data, (points - origin) @ inverse, corners, starts)


def _into_axes_of(ob: bpy.types.Object) -> tuple[NDArray[np.float64], NDArray[np.float64], bool]:
    """Return the matrix (3, 3) that points, as rows, are to be multiplied with, the origin, and whether it mirrors.

    By hand and in plain numbers: LAPACK takes milliseconds for a small matrix where other threads are at work, and
    numpy's cross products ten times as long as these.
    """
    (a, b, c, x), (d, e, f, y), (g, h, i, z), _ = ob.matrix_basis
    adjugate = (
        (e * i - f * h, f * g - d * i, d * h - e * g),
        (c * h - b * i, a * i - c * g, b * g - a * h),
        (b * f - c * e, c * d - a * f, a * e - b * d),
    )
    volume = a * adjugate[0][0] + b * adjugate[0][1] + c * adjugate[0][2]
    return np.array(adjugate) / volume, np.array((x, y, z)), volume < 0


def _fill(mesh: bpy.types.Mesh, points: NDArray[np.float64], corners: Indices, starts: Indices) -> None:
    """Fill a mesh as its `from_pydata` does, without lists."""
    mesh.vertices.add(len(points))
    mesh.vertices.foreach_set("co", points.astype(np.float32).ravel())
    mesh.loops.add(len(corners))
    mesh.loops.foreach_set("vertex_index", np.ascontiguousarray(corners, np.int32))
    mesh.polygons.add(len(starts))
    mesh.polygons.foreach_set("loop_start", np.ascontiguousarray(starts, np.int32))
    mesh.shade_flat()
    mesh.update(calc_edges=True)
