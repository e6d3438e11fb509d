"""The mesh of one object at one place in the world. A mesh that many objects and instances share is read once."""

from typing import Protocol

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from ..core.colliders.build_report import counted

Arrays = tuple[NDArray[np.float64], NDArray[np.int64]]  # vertices (v, 3) and triangles (t, 3)


class Tell(Protocol):
    """Who is told what is odd about a mesh, or was mended."""

    def __call__(self, text: str, *, is_mended: bool = False) -> None:
        """Take note of it."""


class MeshReader:
    """Reads meshes from the evaluated objects of one dependency graph."""

    def __init__(self) -> None:
        self._arrays: dict[int, Arrays] = {}  # by the address of Blender's mesh, in its own axes
        self._mirrored: dict[int, NDArray[np.int64]] = {}

    @property
    def count(self) -> int:
        """How many meshes were asked of Blender."""
        return len(self._arrays)

    def read(self, evaluated: bpy.types.Object, matrix: NDArray[np.float64], scale: float, note: Tell) -> Arrays | None:
        """Return an object's mesh in the world, m; None if it has no faces.

        Triangles with a corner that is not finite are dropped. `note` is called with what was mended or is odd.

        Parameters
        ----------
        evaluated : bpy.types.Object
        matrix : (4, 4) float
            From the object's axes to the world's, in Blender units.
        scale : float
            Metres in a unit.

        Raises
        ------
        RuntimeError
            If Blender makes no mesh of the object.
        """
        local, triangles = self._local(evaluated)
        if not len(triangles):
            return None
        with np.errstate(invalid="ignore", over="ignore"):
            vertices = (local @ matrix[:3, :3].T + matrix[:3, 3]) * scale
            turn = _determinant(matrix)
            is_sound = bool(np.isfinite(vertices.sum()))  # quick, and seldom wrong
        if turn < 0:  # a mirrored mesh would show its inside
            triangles = self._turned(evaluated, triangles)
        if turn == 0:
            note("an axis has scale 0, so it is flat")
        if not is_sound:
            is_finite = np.logical_and.reduce(np.isfinite(vertices), axis=1)
            is_kept = is_finite[triangles].all(axis=1)
            dropped = int(np.count_nonzero(~is_kept))
            vertices, triangles = _without_rest(vertices, triangles[is_kept])
            if dropped and len(triangles):
                note(f"dropped {counted(dropped, 'triangle')} with corners that are no numbers", is_mended=True)
        return vertices, triangles

    def _local(self, evaluated: bpy.types.Object) -> Arrays:
        key = evaluated.data.as_pointer()
        if key not in self._arrays:
            # In Edit Mode the evaluated mesh itself is still empty; to_mesh fills it.
            self._arrays[key] = mesh_arrays(evaluated.to_mesh())
            evaluated.to_mesh_clear()
        return self._arrays[key]

    def _turned(self, evaluated: bpy.types.Object, triangles: NDArray[np.int64]) -> NDArray[np.int64]:
        key = evaluated.data.as_pointer()
        if key not in self._mirrored:
            self._mirrored[key] = np.ascontiguousarray(triangles[:, ::-1])
        return self._mirrored[key]


def mesh_arrays(mesh: bpy.types.Mesh) -> Arrays:
    """Return the vertices (v, 3), in the mesh's own axes, and triangles (t, 3) of a Blender mesh."""
    vertices = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", vertices)
    triangles = np.empty(3 * len(mesh.loop_triangles), dtype=np.int32)
    mesh.loop_triangles.foreach_get("vertices", triangles)
    return vertices.reshape(-1, 3).astype(np.float64), triangles.reshape(-1, 3).astype(np.int64)


def world_matrix(ob: bpy.types.Object, depsgraph: bpy.types.Depsgraph) -> Matrix:
    """Return an object's place in the world, also of one that Blender does not evaluate because it is disabled.

    Of such an object parents count, and constraints do not.
    """
    evaluated = ob.evaluated_get(depsgraph)
    if evaluated.is_evaluated:
        return evaluated.matrix_world
    if ob.parent is None:
        return ob.matrix_basis
    return world_matrix(ob.parent, depsgraph) @ ob.matrix_parent_inverse @ ob.matrix_basis


def _determinant(matrix: NDArray[np.float64]) -> float:
    """Return by how much a matrix (4, 4) grows volumes; in plain numbers, ten times as fast as numpy."""
    (a, b, c, _), (d, e, f, _), (g, h, i, _), _ = matrix.tolist()
    return float(a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g))


def _without_rest(vertices: NDArray[np.float64], triangles: NDArray[np.int64]) -> Arrays:
    """Return only those vertices that a triangle uses, and the triangles counted anew."""
    used, corners = np.unique(triangles, return_inverse=True)
    return vertices[used], corners.reshape(-1, 3).astype(np.int64)
