"""Parts: the loose parts of meshes, whether they are closed, and which way round their triangles run."""

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices, Mask
from .convexity import side_ends


def find_parts(triangles: NDArray[np.int64], vertex_count: int) -> tuple[Indices, int]:
    """Return for each vertex (v,) the number of its loose part, and how many parts there are.

    Triangles that share a vertex are of one part. Parts are numbered by their first vertices; a vertex without a
    triangle is a part of its own.
    """
    links = np.concatenate([triangles[:, :2], triangles[:, 1:]])
    first = connect(links[:, 0], links[:, 1], vertex_count)
    is_first = first == np.arange(vertex_count)
    return (np.cumsum(is_first) - 1)[first], int(is_first.sum())


def connect(one: NDArray[np.int64], other: NDArray[np.int64], count: int) -> Indices:
    """Return for each of `count` nodes the smallest node that it is connected with, by links from `one` to `other`.

    Every tree of nodes is hung under a lower one that it is linked to, and flattened, until no link is left between
    trees; the number of rounds grows with the logarithm of the nodes.
    """
    root = np.arange(count)
    while True:
        one, other = root[one], root[other]
        apart = one != other
        one, other = one[apart], other[apart]
        if not len(one):
            return root
        low, high = np.minimum(one, other), np.maximum(one, other)
        np.minimum.at(root, high, low)
        while True:
            higher = root[root]
            if np.array_equal(higher, root):
                break
            root = higher


def is_closed(mate: Indices, part: Indices, count: int) -> Mask:
    """Return which parts (count,) have exactly two triangles at every edge.

    Parameters
    ----------
    mate : (3 t,) int
        As `match_sides` returns it.
    part : (t,) int
        The part of each triangle.
    """
    is_open = np.zeros(count, bool)
    is_open[part[np.flatnonzero(mate < 0) // 3]] = True
    return ~is_open


def orient(
    points: NDArray[np.float64], triangles: NDArray[np.int64], mate: Indices, part: Indices, count: int
) -> tuple[NDArray[np.int64], Mask]:
    """Turn the triangles of closed parts so that all run counter-clockwise seen from outside.

    Parameters
    ----------
    points : (v, 3) float
        Near the origin, compared with the size of a part: outside is where the volume is positive.
    triangles : (t, 3) int
        Triangles of closed parts.
    mate, part, count
        As for `is_closed`.

    Returns
    -------
    turned : (t, 3) int
        Some with their first two corners swapped. Mates of `turned` have to be found again.
    is_orientable : (count,) bool
        False for parts that have no outside, such as a Klein bottle; their triangles are of no use.
    """
    begin, _ = side_ends(triangles)
    is_orientable = np.ones(count, bool)
    turned = triangles
    is_same_way = begin == begin[mate]  # a side and its mate must run against each other
    if is_same_way.any():
        # Every triangle is there twice, as it is and turned; its sides connect it with what fits beside it.
        t = len(triangles)
        here, there = np.arange(3 * t) // 3, mate // 3
        ends = np.concatenate([there + t * is_same_way, there + t * ~is_same_way])
        first = connect(np.concatenate([here, here + t]), ends, 2 * t)
        is_orientable[part[first[:t] == first[t:]]] = False
        turned = swapped(triangles, first[:t] > first[t:])

    a, b, c = (points[turned[:, i]] for i in range(3))
    volume = np.bincount(part, (a * np.cross(b, c)).sum(axis=1), count)
    return swapped(turned, volume[part] < 0), is_orientable


def swapped(triangles: NDArray[np.int64], chosen: Mask) -> NDArray[np.int64]:
    """Return the triangles (t, 3), the `chosen` (t,) ones turned round."""
    return np.asarray(np.where(chosen[:, None], triangles[:, [1, 0, 2]], triangles))
