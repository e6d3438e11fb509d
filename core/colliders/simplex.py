"""Simplex: the first tetrahedron inside a set of points, or the reason why there is none."""

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices
from .groups import pick_highest

FLAT = 1e-6
"""Share of its size below which a set of points has no thickness. Numbers stored in single precision (meshes) are off
by up to 1e-7: a smaller limit makes bodies without thickness out of turned planes."""
TIE = 1e-9  # share of the size within which two points are equally far


class Span(IntEnum):
    """What a set of points spans."""

    BODY = 0
    FEW = 1  # fewer than four points
    PLACE = 2
    LINE = 3
    PLANE = 4


def first_simplices(unit: NDArray[np.float64], starts: Indices) -> tuple[Indices, NDArray[np.int8]]:
    """Find four corners of each group of points that span a large tetrahedron.

    Parameters
    ----------
    unit : (n, 3) float
        Points as `to_unit` returns them.
    starts : (g + 1,) int
        Where the groups begin.

    Returns
    -------
    corners : (g, 4) int
        Rows of `unit`; the fourth is behind the other three, which are counter-clockwise seen from outside.
    span : (g,) int8 of Span
        Only where this is BODY are the corners of use.
    """
    sizes = np.diff(starts)
    radius = (unit**2).sum(axis=1)
    extremes = [pick_highest(sign * unit[:, axis], radius, starts, TIE) for axis in range(3) for sign in (1, -1)]
    first, second = _farthest_pair(unit, np.stack(extremes, axis=1))

    span = np.full(len(sizes), Span.BODY, np.int8)
    along = unit[second] - unit[first]
    length = np.linalg.norm(along, axis=1)
    span[length <= FLAT] = Span.PLACE
    along /= np.where(length > 0, length, 1.0)[:, None]

    offset = unit - np.repeat(unit[first], sizes, axis=0)
    on_line = np.repeat(along, sizes, axis=0)
    across = offset - (offset * on_line).sum(axis=1)[:, None] * on_line
    width = np.linalg.norm(across, axis=1)
    third = pick_highest(width, radius, starts, TIE)
    span[(width[third] <= FLAT) & (span == Span.BODY)] = Span.LINE

    normal = np.cross(along, across[third])
    normal /= np.where(width[third] > 0, width[third], 1.0)[:, None]
    height = (offset * np.repeat(normal, sizes, axis=0)).sum(axis=1)
    fourth = pick_highest(np.abs(height), radius, starts, TIE)
    span[(np.abs(height[fourth]) <= FLAT) & (span == Span.BODY)] = Span.PLANE
    span[sizes < 4] = Span.FEW

    is_above = height[fourth] > 0
    corners = np.stack([first, np.where(is_above, third, second), np.where(is_above, second, third), fourth], axis=1)
    return corners, span


def _farthest_pair(unit: NDArray[np.float64], choices: Indices) -> tuple[Indices, Indices]:
    """Return for each row of `choices` (g, k) its two points that are farthest apart."""
    points = unit[choices]
    apart = ((points[:, :, None] - points[:, None]) ** 2).sum(axis=3)
    count = choices.shape[1]
    best = apart.reshape(len(choices), -1).argmax(axis=1)
    row = np.arange(len(choices))
    return choices[row, best // count], choices[row, best % count]
