"""Clean: the triangles of all level objects in one set of arrays, welded, without those that cannot be touched."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices, Mask
from ..mesh import TriMesh, check_mesh
from .groups import starts_of, to_unit
from .needles import has_no_area, mend_needles
from .weld import find_equal

WELD = 1e-9
"""Share of a mesh's size up to which vertices are at one place. Too small and the two sides of a seam, computed in
different ways, come apart; too large and fine detail of a large mesh closes."""
WELD_LIMIT = 1e-6  # m; however large the mesh is
SPECK = 1e-70  # m; a mesh so small is one point: the squares of its areas are no numbers any more


@dataclass(frozen=True, slots=True, eq=False)
class CleanMeshes:
    """The triangles of m meshes.

    Attributes
    ----------
    vertices : (v, 3) float, m
        Mesh after mesh; each is used by a triangle, and no two of a mesh are at one place.
    triangles : (t, 3) int
        Rows of `vertices`; mesh after mesh, in their order, with an area, no two alike.
    vertex_mesh, triangle_mesh : (v,) and (t,) int
        Which mesh they belong to.
    given_triangles, welded_vertices, unused_vertices, zero_area, duplicates : (m,) int
        What came in, and what was left out.
    mended : (m,) int
        How many triangles without area were not left out: the ones beside them took in their corners.
    zero_area_at, duplicate_at : (m, 3) float, m
        The middle of the first triangle that was left out; zeros where there is none.
    """

    vertices: NDArray[np.float64]
    triangles: NDArray[np.int64]
    vertex_mesh: Indices
    triangle_mesh: Indices
    given_triangles: Indices
    welded_vertices: Indices
    unused_vertices: Indices
    zero_area: Indices
    mended: Indices
    duplicates: Indices
    zero_area_at: NDArray[np.float64]
    duplicate_at: NDArray[np.float64]


def clean_meshes(meshes: Sequence[TriMesh]) -> CleanMeshes:
    """Put all meshes in one set of arrays, weld each and drop what is no surface.

    Vertices are welded by place: exporters split them where normals or texture coordinates differ. Triangles without
    area are mended, see `mend_needles`, or dropped, and so are all but the first of those with the same three corners.

    Raises
    ------
    ValueError
        If a triangle's index is out of range, or a vertex of a triangle is not finite: names mesh and vertex.
    """
    for mesh in meshes:
        check_mesh(mesh)
    count = len(meshes)
    vertex_counts = np.array([len(mesh.vertices) for mesh in meshes], np.int64)
    given = np.array([len(mesh.triangles) for mesh in meshes], np.int64)
    triangle_mesh = np.repeat(np.arange(count), given)
    vertex_mesh = np.repeat(np.arange(count), vertex_counts)
    vertices = np.concatenate([np.zeros((0, 3)), *(mesh.vertices for mesh in meshes)])
    triangles = np.concatenate([np.zeros((0, 3), np.int64), *(mesh.triangles for mesh in meshes)])
    triangles += starts_of(vertex_counts)[triangle_mesh][:, None]

    used, triangles = keep_used(triangles, len(vertices))
    vertices, vertex_mesh = vertices[used], vertex_mesh[used]
    used_counts = np.bincount(vertex_mesh, minlength=count)
    unit, tolerance = _measure(vertices, used_counts)
    kept, place = find_equal(unit, vertex_mesh, tolerance)
    vertices, unit, vertex_mesh, tolerance = vertices[kept], unit[kept], vertex_mesh[kept], tolerance[kept]
    triangles = place[triangles]
    welded = used_counts - np.bincount(vertex_mesh, minlength=count)

    is_flat = was_flat = has_no_area(unit, triangles, tolerance)
    is_again = find_duplicates(triangles, len(vertices))
    if was_flat.any():
        triangles, is_flat = mend_needles(unit, triangles, tolerance, was_flat, is_again)
    is_again &= ~is_flat

    def count_of(chosen: Mask) -> Indices:
        return np.bincount(triangle_mesh[chosen], minlength=count)

    def first_of(chosen: Mask) -> NDArray[np.float64]:
        return _first_middles(vertices, triangles[chosen], triangle_mesh[chosen], count)

    zero_area, duplicates = count_of(is_flat), count_of(is_again)
    mended = np.maximum(count_of(was_flat) - zero_area, 0)  # no less than none: what was passed on may stay
    zero_area_at, duplicate_at = first_of(is_flat), first_of(is_again)
    is_kept = ~(is_flat | is_again)
    triangles, triangle_mesh = triangles[is_kept], triangle_mesh[is_kept]
    used, triangles = keep_used(triangles, len(vertices))
    return CleanMeshes(
        vertices=vertices[used],
        triangles=triangles,
        vertex_mesh=vertex_mesh[used],
        triangle_mesh=triangle_mesh,
        given_triangles=given,
        welded_vertices=welded,
        unused_vertices=vertex_counts - used_counts,
        zero_area=zero_area,
        mended=mended,
        duplicates=duplicates,
        zero_area_at=zero_area_at,
        duplicate_at=duplicate_at,
    )


def _first_middles(
    vertices: NDArray[np.float64], triangles: NDArray[np.int64], mesh: Indices, count: int
) -> NDArray[np.float64]:
    """Return the middle of the first triangle of each of `count` meshes."""
    middle = np.zeros((count, 3))
    middle[mesh[::-1]] = vertices[triangles[::-1]].mean(axis=1)
    return middle


def find_duplicates(triangles: NDArray[np.int64], vertex_count: int) -> Mask:
    """Return which triangles (t,) have the same three corners as an earlier one, in whatever order."""
    low, high = triangles.min(axis=1, initial=vertex_count), triangles.max(axis=1, initial=0)
    middle = triangles.sum(axis=1) - low - high
    pair = low * vertex_count + middle
    if vertex_count < 2_000_000:  # the three numbers fit in one
        order = np.argsort(pair * vertex_count + high, kind="stable")
    else:
        order = np.lexsort((high, pair))
    pair, high = pair[order], high[order]
    is_again = np.zeros(len(triangles), bool)
    is_again[order[1:]] = (pair[1:] == pair[:-1]) & (high[1:] == high[:-1])
    return is_again


def keep_used(triangles: NDArray[np.int64], vertex_count: int) -> tuple[Indices, NDArray[np.int64]]:
    """Return which vertices the triangles use, and the triangles as rows of those."""
    is_used = np.zeros(vertex_count, bool)
    is_used[triangles] = True
    return np.flatnonzero(is_used), (np.cumsum(is_used) - 1)[triangles]


def _measure(
    vertices: NDArray[np.float64], counts: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the vertices at the unit size of their mesh, and for each the distance within which it is welded."""
    if not len(vertices):
        return vertices, np.zeros(0)
    counts = counts[counts > 0]
    unit, size, rounding = to_unit(vertices, starts_of(counts))
    tolerance = np.where(size < SPECK, 2.0, np.minimum(WELD, WELD_LIMIT / size) + 4 * rounding)
    return unit, np.repeat(tolerance, counts)
