"""Cavities: closed surfaces inside closed surfaces of the same object, which face the other way: hollow rooms."""

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices, Mask
from .convexity import solid_angles

TOUCHING = 1e-6  # share of its size by which a cavity may reach out of the box of what it is in
CLEAR = 0.1  # solid angle by which one from a place is off that of the outside, 0, or the inside, where it is clear
PLACES = 64  # of a cavity that are asked at the most, where it touches the wall


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
    solid in a solid, as where boxes of a block-out overlap. A solid in a cavity is none. It may touch the wall.

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
        slack = TOUCHING * (high[inner] - low[inner]).max()
        is_around = (low[some] <= low[inner] + slack).all(axis=1) & (high[some] >= high[inner] - slack).all(axis=1)
        is_around &= (sign[some] == -sign[inner]) & (part_mesh[some] == part_mesh[inner])
        around = np.flatnonzero(is_around)
        corners = vertices[given[order[starts[inner] : starts[inner + 1]]]]
        for outer in some[around[np.argsort(volume[around], kind="stable")]]:
            faces = outward[order[starts[outer] : starts[outer + 1]]]
            if _is_in(corners, vertices, faces):
                container[inner] = outer
                break
    return _only_odd(container)


def _is_in(corners: NDArray[np.float64], vertices: NDArray[np.float64], faces: NDArray[np.int64]) -> bool:
    """Return whether a surface (t, 3, 3) is inside another, by the first of its places that is not on that."""
    middles = corners[:: len(corners) // PLACES + 1].mean(axis=1)
    used, rows = np.unique(faces, return_inverse=True)
    for place in (corners[0, 0], *middles):
        angle = solid_angles(vertices[used] - place, rows.reshape(-1, 3), np.zeros(3)).sum()
        if angle < CLEAR or angle > 4 * np.pi - CLEAR:
            return bool(angle > CLEAR)
    return False


def _only_odd(container: Indices) -> Indices:
    """Keep the containers of parts that are an odd number of surfaces deep: the others are solids in cavities."""
    depth, at = np.zeros(len(container), np.int64), container
    while (at >= 0).any():
        depth += at >= 0
        at = np.where(at >= 0, container[at], -1)
    return np.where(depth % 2 == 1, container, -1)
