"""Needles: triangles without area, and how the triangles beside them take in their corners before they go."""

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices, Mask
from .convexity import edge_keys, match_sides

THIN = 1e-6
"""Height of a triangle by its longest side below which it has no area: rounding alone makes such needles, and the
direction they face is chance."""
ROUNDS = 128  # a fan of so many needles is mended, one in each; Blender's own faces of 1,000 corners take 15


def has_no_area(unit: NDArray[np.float64], triangles: NDArray[np.int64], tolerance: NDArray[np.float64]) -> Mask:
    """Return which triangles (t,) are lower than the welding distance, or needles.

    Parameters
    ----------
    unit : (v, 3) float
        Vertices at unit size, see `to_unit`.
    triangles : (t, 3) int
    tolerance : (v,) float
        The distance within which each vertex is welded.
    """
    a, b, c = (unit[triangles[:, i]] for i in range(3))
    longest = np.sqrt(np.maximum(np.maximum(_squared(b - a), _squared(c - b)), _squared(a - c)))
    twice_area = np.sqrt(_squared(np.asarray(np.cross(b - a, c - a))))
    lowest = np.maximum(THIN * longest, tolerance[triangles[:, 0]])
    return np.asarray(twice_area <= lowest * longest)


def mend_needles(
    unit: NDArray[np.float64],
    triangles: NDArray[np.int64],
    tolerance: NDArray[np.float64],
    is_flat: Mask,
    is_again: Mask,
) -> tuple[NDArray[np.int64], Mask]:
    """Return the triangles, and which of them still have no area and may go, without opening a closed surface.

    The corners of a needle lie on a line. If it were dropped, the triangle along its longest side would end where two
    others end on the other side, and the surface would be open there. So that side is turned: it goes from the
    needle's middle corner to the far corner of the triangle beside it, which cuts that triangle in two where its edge
    has the corner, and the surface stays where it is. A side that none or more than one triangle has besides the
    needle is left alone, for the surface is not closed there.

    Parameters
    ----------
    unit, triangles, tolerance
        As for `has_no_area`.
    is_flat, is_again : (t,) bool
        Which triangles have no area, and which are there already; the latter are never beside anything.
    """
    needles = is_flat & ~is_again & _has_three_corners(triangles)
    if not needles.any():
        return triangles, is_flat
    is_near = np.zeros(len(unit), bool)
    is_near[triangles[needles]] = True
    is_some = np.logical_or.reduce(is_near[triangles], axis=1) & ~is_again
    is_some &= needles | ~is_flat
    rows = np.flatnonzero(is_some)
    some, flat = triangles[rows], is_flat[rows]
    for may_pass_on in (False, True):
        for _ in range(ROUNDS):
            if not flat.any() or not _turn_sides(unit, some, tolerance, flat, may_pass_on):
                break
    triangles, is_flat = triangles.copy(), is_flat.copy()
    triangles[rows], is_flat[rows] = some, flat
    return triangles, is_flat


def _turn_sides(
    unit: NDArray[np.float64],
    triangles: NDArray[np.int64],
    tolerance: NDArray[np.float64],
    is_flat: Mask,
    may_pass_on: bool,
) -> bool:
    """Turn the longest sides of needles, none of a triangle twice; change `triangles` and `is_flat` in place.

    Returns whether any was turned. Beside has to be a triangle that leaves two with an area, or a needle whose longest
    side it is as well: then their longest sides become shorter, so that this ends. With `may_pass_on` it may also be a
    triangle so thin that it leaves a needle, but one that goes on to a triangle further away.
    """
    needle = np.flatnonzero(is_flat)
    corners = triangles.ravel()
    side = _longest_sides(unit, triangles, needle)
    mate = match_sides(triangles, len(unit))[side]
    needle, side, mate = needle[mate >= 0], side[mate >= 0], mate[mate >= 0]
    beside = mate // 3
    middle, far = corners[_before(side)], corners[_before(mate)]
    begin, end = corners[mate], corners[_before(_before(mate))]
    one, two = np.column_stack([begin, middle, far]), np.column_stack([middle, end, far])
    is_pair = is_flat[beside]
    is_pair[is_pair] = _longest_sides(unit, triangles, beside[is_pair]) == mate[is_pair]
    is_left = [has_no_area(unit, made, tolerance) for made in (one, two)]
    is_useful = ~(is_left[0] | is_left[1])
    if may_pass_on:
        for made, is_needle, inner in ((one, is_left[0], 1), (two, is_left[1], 2)):
            is_useful |= is_needle & (_longest_sides(unit, made, np.arange(len(made))) % 3 != inner)
    new = edge_keys(middle, far, len(unit))
    is_free = ~np.isin(new, edge_keys(corners, corners[_before(_before(np.arange(len(corners))))], len(unit)))
    chosen = np.flatnonzero((is_pair | (is_useful & ~is_flat[beside])) & is_free & (middle != far))

    chosen = chosen[np.sort(np.unique(new[chosen], return_index=True)[1])]
    first = np.full(len(triangles), len(needle))
    for taken in (needle, beside):
        np.minimum.at(first, taken[chosen], chosen)
    chosen = chosen[(first[needle[chosen]] == chosen) & (first[beside[chosen]] == chosen)]
    for taken, made in ((needle[chosen], one[chosen]), (beside[chosen], two[chosen])):
        triangles[taken] = made
        is_flat[taken] = has_no_area(unit, made, tolerance)
    return len(chosen) > 0


def _longest_sides(unit: NDArray[np.float64], triangles: NDArray[np.int64], rows: Indices) -> Indices:
    """Return the longest side of each of some triangles, numbered as by `side_ends`."""
    corner = unit[triangles[rows]]
    along = np.roll(corner, -1, axis=1) - corner
    return np.asarray(3 * rows + np.einsum("ijk,ijk->ij", along, along).argmax(axis=1))


def _before(side: Indices) -> Indices:
    """Return the side of the same triangle before each; twice is the one after."""
    return np.asarray(side // 3 * 3 + (side + 2) % 3)


def _has_three_corners(triangles: NDArray[np.int64]) -> Mask:
    """Return which triangles have three different corners."""
    a, b, c = triangles.T
    return np.asarray((a != b) & (b != c) & (c != a))


def _squared(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.einsum("ij,ij->i", vectors, vectors)
