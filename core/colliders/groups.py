"""Groups: numbers over consecutive rows, for many small sets of points at once.

Group g owns the rows starts[g] to starts[g + 1] of an array; no group is empty.
"""

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices


def starts_of(sizes: NDArray[np.int64]) -> Indices:
    """Return where groups of `sizes` (g,) begin, (g + 1,): the last number is the count of all rows."""
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.intp)


def pick_highest(
    values: NDArray[np.float64], among: NDArray[np.float64], starts: Indices, slack: float | NDArray[np.float64]
) -> Indices:
    """Return for each group the row (g,) of the highest value; of those within `slack` the highest `among`.

    With distances from a middle as `among`, the row picked from points in one plane is a corner of what they
    span, never a point between two others.
    """
    sizes = np.diff(starts)
    highest = np.maximum.reduceat(values, starts[:-1])
    ties = np.flatnonzero(values >= np.repeat(highest - slack, sizes))
    group = np.repeat(np.arange(len(sizes)), sizes)[ties]
    begins = np.flatnonzero(np.concatenate([[True], group[1:] != group[:-1]]))
    best = np.maximum.reduceat(among[ties], begins)
    winners = np.flatnonzero(among[ties] == best[group])
    return ties[winners[np.concatenate([[True], np.diff(group[winners]) != 0])]]


def to_unit(
    points: NDArray[np.float64], starts: Indices
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return the points about the middle of their group's box and over its longest side.

    Returns
    -------
    unit : (n, 3) float
        Numbers from -0.5 to 0.5: tolerances on them are shares of a group's size, wherever the group is.
    size : (g,) float, m
        The longest side of each group's box; 1 where all points are at one place.
    rounding : (g,) float
        Share of its size by which a group's coordinates may be off, because they are stored as doubles.
    """
    low = np.minimum.reduceat(points, starts[:-1], axis=0)
    high = np.maximum.reduceat(points, starts[:-1], axis=0)
    size = (high - low).max(axis=1)
    size[size == 0] = 1.0
    sizes = np.diff(starts)
    unit = points - np.repeat(low / 2 + high / 2, sizes, axis=0)
    unit /= np.repeat(size, sizes)[:, None]
    rounding = np.finfo(np.float64).eps * np.maximum(np.abs(low), np.abs(high)).max(axis=1) / size
    return unit, size, rounding
