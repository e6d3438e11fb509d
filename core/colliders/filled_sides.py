"""Filled sides: which faces of hulls lie in a flat side that triangles of the mesh fill, all of it."""

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices, Mask, expand
from .clean import find_duplicates, keep_used
from .convexity import edge_keys, find_planes, side_ends
from .groups import starts_of

SIDES_LIMIT = 4_000_000  # sides of a hull times triangles, up to which is asked which sides are filled
ON_SIDE = 1e-6  # share of the size within which a triangle of the mesh lies in a side of the hull
SIDE_DIGITS = 6  # of directions and places that tell sides apart
EXACT = 1e-6  # share of its area and outline within which a side is filled


def find_filled(
    vertices: NDArray[np.float64],
    hulls: NDArray[np.int64],
    hull_of: Indices,
    triangles: NDArray[np.int64],
    mesh_of: Indices,
    size: NDArray[np.float64],
) -> Mask:
    """Return which faces of hulls (f,) have no free space under them; some of these may be missed.

    Such a face is a triangle of the mesh, or lies in a side of the hull that triangles of the mesh tile: they have
    its area, and the edges that only one of them has are as long as its outline.

    Parameters
    ----------
    vertices : (v, 3) float, m
    hulls, triangles : (f, 3) and (t, 3) int
        Rows of `vertices`: the faces of the hulls and the triangles of their meshes.
    hull_of, mesh_of : (f,) and (t,) int
        The hull that each is of, or that its mesh has; sorted.
    size : (h,) float, m
        Of each hull.
    """
    is_filled = find_duplicates(np.concatenate([triangles, hulls]), len(vertices))[len(triangles) :]
    rest = np.flatnonzero(~is_filled)
    normal, offset = find_planes(vertices, hulls[rest])
    touches = _touch_at_corner(vertices, hulls[rest, 0], triangles, normal, offset, ON_SIDE * size[hull_of[rest]])
    rest, normal, offset = rest[touches], normal[touches], offset[touches]
    key = np.round(np.column_stack([normal, offset / size[hull_of[rest]]]), SIDE_DIGITS) + 0.0
    of_hulls, of_meshes, of_rest = (
        starts_of(np.bincount(owner, minlength=len(size))) for owner in (hull_of, mesh_of, hull_of[rest])
    )
    for hull in np.flatnonzero(np.diff(of_rest)):
        rows = slice(of_rest[hull], of_rest[hull + 1])
        _, first, side = np.unique(key[rows], axis=0, return_index=True, return_inverse=True)
        faces = hulls[of_hulls[hull] : of_hulls[hull + 1]]
        mesh = triangles[of_meshes[hull] : of_meshes[hull + 1]]
        if len(first) * len(mesh) <= SIDES_LIMIT:
            is_full = _are_full(vertices, faces, mesh, normal[rows][first], offset[rows][first], ON_SIDE * size[hull])
            is_filled[rest[rows]] = is_full[side.reshape(-1)]
    return is_filled


def _touch_at_corner(
    vertices: NDArray[np.float64],
    corner: Indices,
    triangles: NDArray[np.int64],
    normal: NDArray[np.float64],
    offset: NDArray[np.float64],
    tolerance: NDArray[np.float64],
) -> Mask:
    """Return in which of some planes (k,) a triangle at the plane's `corner` lies, as it does in all filled sides."""
    is_asked = np.zeros(len(vertices), bool)
    is_asked[corner] = True
    uses = np.flatnonzero(is_asked[triangles.ravel()])
    used = triangles.ravel()[uses]
    order = np.argsort(used, kind="stable")
    begins = np.searchsorted(used[order], corner, "left")
    counts = np.searchsorted(used[order], corner, "right") - begins
    triangle = uses[order][expand(begins, counts)] // 3
    plane = np.repeat(np.arange(len(corner)), counts)
    is_in = np.ones(len(plane), bool)
    for side in range(3):
        height = (vertices[triangles[triangle, side]] * normal[plane]).sum(axis=1) - offset[plane]
        is_in &= np.abs(height) <= tolerance[plane]
    return np.bincount(plane[is_in], minlength=len(corner)) > 0


def _are_full(
    vertices: NDArray[np.float64],
    faces: NDArray[np.int64],
    mesh: NDArray[np.int64],
    normal: NDArray[np.float64],
    offset: NDArray[np.float64],
    tolerance: float,
) -> Mask:
    """Return which planes (s,) of a hull's sides the triangles of its mesh fill as far as its faces do."""
    used, local = keep_used(np.concatenate([faces, mesh]), len(vertices))
    points = vertices[used]
    is_on = np.abs(points @ normal.T - offset) <= tolerance
    whole, outline, _ = _measure_sides(points, local[: len(faces)], is_on, normal)
    area, edges, back = _measure_sides(points, local[len(faces) :], is_on, normal)
    is_back = back > area  # the mesh is flipped
    if is_back.any():
        area_back, edges_back, _ = _measure_sides(points, local[len(faces) :, ::-1], is_on, normal)
        area, edges = np.where(is_back, area_back, area), np.where(is_back, edges_back, edges)
    return np.asarray((np.abs(area - whole) <= EXACT * whole) & (np.abs(edges - outline) <= EXACT * outline))


def _measure_sides(
    points: NDArray[np.float64], triangles: NDArray[np.int64], is_on: Mask, normal: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return, of the triangles in each plane (s,) that run as it does, the area and how long the edges are that only
    one of them has; and the area of those that run the other way."""
    sides = len(normal)
    vertex, side = np.nonzero(is_on)
    starts = starts_of(np.bincount(vertex, minlength=len(points)))
    counts = np.diff(starts)[triangles[:, 0]]
    triangle, side = np.repeat(np.arange(len(triangles)), counts), side[expand(starts[triangles[:, 0]], counts)]
    is_in = is_on[triangles[triangle, 1], side] & is_on[triangles[triangle, 2], side]
    triangle, side = triangle[is_in], side[is_in]
    a, b, c = (points[triangles[triangle, i]] for i in range(3))
    area = (np.cross(b - a, c - a) * normal[side]).sum(axis=1) / 2
    begin, end = side_ends(triangles[triangle[area > 0]])
    edge_side = np.repeat(side[area > 0], 3)
    keys = edge_side * len(points) ** 2 + edge_keys(begin, end, len(points))
    _, first, number = np.unique(keys, return_index=True, return_inverse=True)
    surplus = np.abs(np.bincount(number.reshape(-1), np.where(begin < end, 1, -1), len(first)))
    length = np.linalg.norm(points[begin[first]] - points[end[first]], axis=1) * surplus
    sums = ((side, np.maximum(area, 0.0)), (edge_side[first], length), (side, np.maximum(-area, 0.0)))
    one_way, edges, other_way = (np.asarray(np.bincount(of, what, sides), np.float64) for of, what in sums)
    return one_way, edges, other_way
