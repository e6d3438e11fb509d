"""Openings: how many places there are, apart from each other, where hulls cover free space."""

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices
from .groups import starts_of

AT_ONCE = 32  # balls whose neighbours are looked for together: the largest first, which have most of them


def count_openings(points: NDArray[np.float64], radius: NDArray[np.float64], owner: Indices, count: int) -> Indices:
    """Return how many groups of empty balls each of `count` hulls has; balls that overlap are of one opening.

    Parameters
    ----------
    points, radius : (n, 3) and (n,) float, m
    owner : (n,) int
        The hull of each ball.
    """
    openings = np.zeros(count, np.intp)
    order = np.lexsort((-radius, owner))
    starts = starts_of(np.bincount(owner, minlength=count))
    for hull in np.flatnonzero(np.diff(starts)):
        rows = order[starts[hull] : starts[hull + 1]]
        while len(rows):
            rows = _without_first(points, radius, rows)
            openings[hull] += 1
    return openings


def _without_first(points: NDArray[np.float64], radius: NDArray[np.float64], rows: Indices) -> Indices:
    """Return the `rows` of the balls that are not in one group with the first."""
    group, rows = rows[:1], rows[1:]
    while len(group) and len(rows):
        some, group = group[:AT_ONCE], group[AT_ONCE:]
        apart = ((points[rows][:, None] - points[some]) ** 2).sum(axis=2)
        is_beside = (apart < (radius[rows][:, None] + radius[some]) ** 2).any(axis=1)
        group, rows = np.concatenate([group, rows[is_beside]]), rows[~is_beside]
    return rows
