"""Inside: whether points are inside closed surfaces, by what a ray straight up crosses.

A ray that meets an edge or a corner would be counted once too often or too seldom. So the point is held to be moved by
next to nothing, always the same way: every edge then has it on one side, the same for both of its faces.
"""

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices, Mask, Vectors
from .features import Features
from .grid import Grid


def find_inside(features: Features, grid: Grid, collider: Indices, points: Vectors, of: Indices, top: NDArray) -> Mask:
    """Return which points (k, 3) are inside a closed surface whose faces run counter-clockwise seen from outside.

    Parameters
    ----------
    features, grid
        The level.
    collider : (f,) int
        The collider of each face.
    points : (k, 3) float, m
    of : (k,) int
        The collider that is asked about for each point.
    top : (k,) float, m
        The height of its highest point.
    """
    high = points.copy()
    high[:, 2] = np.maximum(top, points[:, 2])
    row, face = grid.find(points, high)
    own = np.flatnonzero(collider[face] == of[row])
    row, face = row[own], face[own]
    corners = features.corners[face]
    turns = [_side(corners[:, i], corners[:, (i + 1) % 3], points[row]) for i in range(3)]
    is_crossed = (turns[0] == turns[1]) & (turns[1] == turns[2])
    normal = features.normal[face]
    ahead = ((corners[:, 0] - points[row]) * normal).sum(axis=1)
    is_crossed &= ahead * turns[0] > 0
    windings = np.bincount(row[is_crossed], turns[0][is_crossed], len(points))
    return np.asarray(windings > 0.5)


def _side(one: Vectors, other: Vectors, points: Vectors) -> NDArray[np.float64]:
    """Return 1 where a point is on the left of the edge from `one` to `other` (k, 3) seen from above, else -1.

    The two ends are taken in the order of their coordinates, so that both faces of an edge get the same answer. A
    point on the edge's line is on the left of it in that order, as if it were moved along y, and a little against x.
    """
    is_swapped = (one[:, 0] > other[:, 0]) | ((one[:, 0] == other[:, 0]) & (one[:, 1] > other[:, 1]))
    first = np.where(is_swapped[:, None], other, one) - points
    last = np.where(is_swapped[:, None], one, other) - points
    area = first[:, 0] * last[:, 1] - first[:, 1] * last[:, 0]
    return np.where(area >= 0, 1.0, -1.0) * np.where(is_swapped, -1.0, 1.0)
