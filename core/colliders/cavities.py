"""Cavities: closed surfaces inside closed surfaces of the same object, which face the other way: hollow rooms."""

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices, Mask
from .convexity import solid_angles


def find_containers(
    vertices: NDArray[np.float64],
    given: NDArray[np.int64],
    outward: NDArray[np.int64],
    vertex_part: Indices,
    part_mesh: Indices,
    is_closed: Mask,
) -> Indices:
    """Return for each part (p,) the part that it is a cavity of, or -1.

    A cavity lies inside a closed part of the same mesh and is wound the other way. One that is wound the same way is a
    solid in a solid, as where boxes of a block-out overlap. A solid in a cavity is none.

    Parameters
    ----------
    vertices : (v, 3) float, m
    given, outward : (t, 3) int
        The triangles as they came, and with those of closed parts turned outward.
    vertex_part, part_mesh : (v,) and (p,) int
    is_closed : (p,) bool
    """
    container = np.full(len(part_mesh), -1, np.intp)
    part = vertex_part[given[:, 0]]
    is_same = (given == outward).all(axis=1)
    sizes, kept = np.bincount(part, minlength=len(part_mesh)), np.bincount(part[is_same], minlength=len(part_mesh))
    sign = np.where(is_closed & (kept == sizes), 1, np.where(is_closed & (kept == 0), -1, 0))
    meshes = int(part_mesh.max(initial=-1)) + 1
    has_both = np.ones(meshes, bool)
    for one in (1, -1):
        has_both &= np.bincount(part_mesh[sign == one], minlength=meshes) > 0
    some = np.flatnonzero((sign != 0) & has_both[part_mesh])
    if not len(some):
        return container
    low, high = np.full((len(part_mesh), 3), np.inf), np.full((len(part_mesh), 3), -np.inf)
    rows = np.flatnonzero(np.isin(vertex_part, some))
    np.minimum.at(low, vertex_part[rows], vertices[rows])
    np.maximum.at(high, vertex_part[rows], vertices[rows])
    volume = (high[some] - low[some]).prod(axis=1)
    order = np.argsort(part, kind="stable")
    starts = np.searchsorted(part[order], np.arange(len(part_mesh) + 1))
    for inner in some:
        is_around = (low[some] < low[inner]).all(axis=1) & (high[some] > high[inner]).all(axis=1)
        is_around &= (sign[some] == -sign[inner]) & (part_mesh[some] == part_mesh[inner])
        around = np.flatnonzero(is_around)
        place = vertices[given[order[starts[inner]], 0]]
        for outer in some[around[np.argsort(volume[around], kind="stable")]]:
            faces = outward[order[starts[outer] : starts[outer + 1]]]
            if solid_angles(vertices - place, faces, np.zeros(3)).sum() > 2 * np.pi:
                container[inner] = outer
                break
    return _only_odd(container)


def _only_odd(container: Indices) -> Indices:
    """Keep the containers of parts that are an odd number of surfaces deep: the others are solids in cavities."""
    depth, at = np.zeros(len(container), np.int64), container
    while (at >= 0).any():
        depth += at >= 0
        at = np.where(at >= 0, container[at], -1)
    return np.where(depth % 2 == 1, container, -1)
