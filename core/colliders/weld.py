"""Weld: which vertices are at one place, found with one sort."""

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices

# A direction that no edge of a level runs along or across: points that are apart differ along it, almost always.
DIRECTION = np.array([0.4782193, 0.6187251, 0.6231137])


def find_equal(
    unit: NDArray[np.float64], group: NDArray[np.int64], tolerance: NDArray[np.float64]
) -> tuple[Indices, Indices]:
    """Return which points stay, and for each point the one that stands for it.

    Parameters
    ----------
    unit : (n, 3) float
        Points at unit size, see `to_unit`.
    group : (n,) int
        Points of different groups are never welded; sorted.
    tolerance : (n,) float
        Distance along each axis up to which points are at one place.

    Returns
    -------
    kept : (k,) int
        The first of the points at each place, in order.
    place : (n,) int
        For each point the row of `kept` that is at its place.
    """
    along = unit @ DIRECTION
    order = np.argsort(along, kind="stable") if _is_single(group) else np.lexsort((along, group))
    link = _link(unit[order], along[order], group[order], tolerance[order])
    while True:  # every point is linked to one before it: follow the links to the first
        further = link[link]
        if np.array_equal(further, link):
            break
        link = further
    first = np.full(len(order), len(order))
    np.minimum.at(first, link, order)
    first_of = np.empty(len(order), np.intp)
    first_of[order] = first[link]
    is_kept = first_of == np.arange(len(order))
    return np.flatnonzero(is_kept), (np.cumsum(is_kept) - 1)[first_of]


def _is_single(group: NDArray[np.int64]) -> bool:
    return len(group) == 0 or bool(group[0] == group[-1])


def _link(
    unit: NDArray[np.float64], along: NDArray[np.float64], group: NDArray[np.int64], tolerance: NDArray[np.float64]
) -> Indices:
    """Return for each point, sorted along the direction, the last one before it at its place, or itself."""
    link = np.arange(len(unit))
    reach = tolerance * np.abs(DIRECTION).sum() + 1e-15
    later = np.arange(1, len(unit))
    back = 1
    while len(later):
        near = (along[later] - along[later - back] <= reach[later]) & (group[later] == group[later - back])
        later = later[near]
        is_equal = (np.abs(unit[later] - unit[later - back]) <= tolerance[later, None]).all(axis=1)
        link[later[is_equal]] = later[is_equal] - back
        later = later[~is_equal]
        back += 1
        later = later[later >= back]
    return link
