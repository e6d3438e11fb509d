"""Flat sides: neighbouring triangles in one plane as one polygon each, for those who take polygons."""

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices, Mask
from ..colliders.convexity import match_sides, side_ends
from ..colliders.groups import starts_of
from ..colliders.parts import connect
from .features import FLAT


def join_flat_sides(
    triangles: NDArray[np.int64], normal: NDArray[np.float64], may_join: Mask, vertex_count: int
) -> tuple[Indices, Indices, Indices]:
    """Return polygons: one for each flat side, and one for every other triangle.

    A polygon has all vertices on the rim of its side as corners, and none of those inside. A side whose rim is no
    single ring, such as one with a hole, stays in triangles.

    Parameters
    ----------
    triangles : (t, 3) int
    normal : (t, 3) float
        Unit normals.
    may_join : (t,) bool
        Which triangles may become a part of a polygon.
    vertex_count : int

    Returns
    -------
    corners : (n,) int
        Vertices, polygon after polygon, as the triangles turn.
    starts : (p + 1,) int
        Where the corners of each polygon begin.
    source : (p,) int
        The first triangle of each polygon; ascending.
    """
    mate = match_sides(triangles, vertex_count)
    here = np.flatnonzero(mate > np.arange(len(mate)))
    one, other = here // 3, mate[here] // 3
    is_flat = may_join[one] & may_join[other] & (np.abs(normal[one] - normal[other]).max(axis=1) < FLAT)
    first = connect(one[is_flat], other[is_flat], len(triangles))
    rim = _find_rim(first, mate)
    is_lone = ~_is_ringed(first, rim, triangles, vertex_count)[first]
    first = np.where(is_lone, np.arange(len(triangles)), first)
    return _follow_rims(first, _find_rim(first, mate), triangles, vertex_count)


def _find_rim(first: Indices, mate: Indices) -> Indices:
    """Return the half-edges (k,) with another side, or nothing, beyond; `first` (t,) is the side of each triangle."""
    side = np.repeat(first, 3)
    return np.flatnonzero((mate < 0) | (side != side[mate]))


def _is_ringed(first: Indices, rim: Indices, triangles: NDArray[np.int64], vertex_count: int) -> Mask:
    """Return for which sides (t,), each named for its first triangle, the rim is one ring that meets itself nowhere.

    The rim consists of rings if no vertex begins two of its half-edges. By Euler's formula it is one ring if there
    is one more vertex than there are edges without faces.
    """
    count = len(triangles)
    side = np.repeat(first, 3)
    keys = side * vertex_count + triangles.ravel()
    begins = np.sort(keys[rim])
    is_met_twice = np.zeros(count, bool)
    is_met_twice[begins[1:][begins[1:] == begins[:-1]] // vertex_count] = True
    vertices = np.bincount(np.unique(keys) // vertex_count, minlength=count)
    faces = np.bincount(first, minlength=count)
    edges = (3 * faces + np.bincount(side[rim], minlength=count)) // 2
    return ~is_met_twice & (vertices - edges + faces == 1)


def _follow_rims(
    first: Indices, rim: Indices, triangles: NDArray[np.int64], vertex_count: int
) -> tuple[Indices, Indices, Indices]:
    """Return the corners, starts and names of the sides, around their rims; each rim is one ring."""
    begin, end = side_ends(triangles)
    side = first[rim // 3]
    keys = side * vertex_count + begin[rim]
    order = np.argsort(keys)
    after = order[np.searchsorted(keys[order], side * vertex_count + end[rim])]
    source, at, sizes = np.unique(side, return_index=True, return_counts=True)
    starts = starts_of(sizes)
    corners = np.empty(len(rim), np.intp)
    polygon, step = np.arange(len(source)), 0
    while len(polygon):
        corners[starts[polygon] + step] = begin[rim[at]]
        step += 1
        goes_on = sizes[polygon] > step
        polygon, at = polygon[goes_on], after[at[goes_on]]
    return corners, starts, source
