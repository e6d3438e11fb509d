"""Axes: vectors in the walker's axes, whose z is up, component first."""

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices, Level, Rows, Scalars, Vectors
from .body import UPRIGHT, Body


def to_walker(points: NDArray[np.float64], origin: Vectors, body: Body) -> Rows:
    """Return world `points` (k, 3) as seen from `origin` (k, 3), component first (3, k)."""
    return turned(points - origin, body)


def turned(vectors: NDArray[np.float64], body: Body) -> Rows:
    """Return world directions (k, 3) in the walker's axes, component first (3, k), in an array of their own."""
    if body.up == UPRIGHT:
        return vectors.T.copy()
    return np.asarray(body.turn @ vectors.T)


def turned_all(vectors: NDArray[np.float64], body: Body) -> Rows:
    """Return several world directions each (k, m, 3) in the walker's axes: (component, which of them, k)."""
    if body.up == UPRIGHT:
        return vectors.transpose(2, 1, 0).copy()
    return np.asarray(body.turn @ vectors.reshape(-1, 3).T).reshape(3, -1, vectors.shape[1]).swapaxes(1, 2)


def dot(a: Rows, b: Rows) -> Scalars:
    """Return the dot product of each column."""
    products = a * b
    total: Scalars = products[0] + products[1] + products[2]
    return total


def spread(of_lanes: NDArray[np.float64], lane: Indices) -> NDArray[np.float64]:
    """Return what each `lane` (k,) has of `of_lanes` (.., n): (.., k), or (.., 1) of a lone walker, for all alike."""
    return of_lanes if of_lanes.shape[-1] == 1 else of_lanes.take(lane, axis=-1)


def lane_dot(vectors: Rows, of_lanes: Rows, lane: Indices) -> Scalars:
    """Return the dot product of each of `vectors` (3, k) with what its `lane` (k,) has of `of_lanes` (3, n)."""
    if of_lanes.shape[1] == 1:
        total: Scalars = of_lanes[:, 0].dot(vectors)  # of a lone walker: in a fifth of the time
        return total
    return dot(vectors, of_lanes.take(lane, axis=1))


def level_dot(a: Level, b: Level) -> Scalars:
    """Return the dot product of each column of level vectors (2, k)."""
    products = a * b
    total: Scalars = products[0] + products[1]
    return total
