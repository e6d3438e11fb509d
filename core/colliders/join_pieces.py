"""Join pieces: neighbouring convex pieces whose union is convex become one."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from .groups import starts_of
from .hull import convex_hulls
from .weld import find_equal

GAP = 1e-8
"""Share of a joined piece's surface, times the size of all, that its volume may exceed that of the two: in the mean
they lie that near to each other. Rounding only, and the more where more than `SHARED` is one place; anything to see
is a thousand times larger."""
SHARED = 1e-6  # share of the size within which corners of neighbours are at one place


@dataclass(frozen=True, slots=True, eq=False)
class _Piece:
    points: NDArray[np.float64]  # (n, 3) its corners
    places: NDArray[np.int64]  # (n,) numbers of where they are: pieces side by side share some
    volume: float
    surface: float


def join_pieces(pieces: list[NDArray[np.float64]], shared: float = SHARED) -> list[NDArray[np.float64]]:
    """Return fewer pieces that fill the same space.

    Two convex solids side by side have a convex union only if a whole side of each is the same polygon. So only
    pieces that share three corners are tried; those whose hull has no more volume than both are joined, the largest
    first, until none is left.

    Parameters
    ----------
    pieces : list of (n, 3) float
        Points whose convex hulls are the pieces, which do not overlap; all together at unit size.
    shared : float
        Within which corners of neighbours are at one place.

    Returns
    -------
    list of (n, 3) float
        The corners of pieces. What has no volume is left out.
    """
    if not pieces:
        return []
    points = np.concatenate(pieces)
    _, place = find_equal(points, np.zeros(len(points), np.int64), np.full(len(points), shared))
    places = np.split(place, np.cumsum([len(piece) for piece in pieces])[:-1])
    found = {i: piece for i, piece in enumerate(_hulls(pieces, places)) if piece.volume > 0}
    new, count = set(found), len(pieces)
    joins: dict[tuple[int, int], _Piece] = {}
    while new:
        pairs = _neighbours(found, new)
        clouds = [np.concatenate([found[i].points for i in pair]) for pair in pairs]
        spots = [np.concatenate([found[i].places for i in pair]) for pair in pairs]
        for pair, whole in zip(pairs, _hulls(clouds, spots), strict=True):
            excess = whole.volume - found[pair[0]].volume - found[pair[1]].volume
            if whole.volume > 0 and excess <= GAP * (shared / SHARED) * whole.surface:
                joins[pair] = whole
        new = set()
        for pair in sorted(joins, key=lambda pair: (-joins[pair].volume, pair)):
            if pair[0] in found and pair[1] in found:
                found[count] = joins[pair]
                del found[pair[0]], found[pair[1]]
                new.add(count)
                count += 1
        joins = {pair: whole for pair, whole in joins.items() if pair[0] in found and pair[1] in found}
    return [piece.points for piece in found.values()]


def _neighbours(found: dict[int, _Piece], new: set[int]) -> list[tuple[int, int]]:
    """Return the pairs of pieces that share three corners, of which one is new; the lower number first."""
    users = defaultdict(list)
    for number in sorted(found):
        for place in set(found[number].places.tolist()):
            users[place].append(number)
    shared: Counter[tuple[int, int]] = Counter()
    for numbers in users.values():
        shared.update(pair for pair in combinations(numbers, 2) if pair[0] in new or pair[1] in new)
    return sorted(pair for pair, times in shared.items() if times >= 3)


def _hulls(pieces: list[NDArray[np.float64]], places: list[NDArray[np.int64]]) -> list[_Piece]:
    """Return the hull of each piece; without volume where there is none."""
    if not pieces:
        return []
    points, place = np.concatenate(pieces), np.concatenate(places)
    sizes = np.array([len(piece) for piece in pieces])
    hulls = convex_hulls(points, sizes)
    origin = np.array([piece[0] for piece in pieces])[hulls.group]
    a, b, c = (points[hulls.triangles[:, i]] - origin for i in range(3))
    volume = np.bincount(hulls.group, (a * np.cross(b, c)).sum(axis=1), len(pieces)) / 6
    surface = np.bincount(hulls.group, np.linalg.norm(np.cross(b - a, c - a), axis=1), len(pieces)) / 2
    used = np.unique(hulls.triangles)
    bounds = np.searchsorted(used, starts_of(sizes))
    rows = [used[bounds[i] : bounds[i + 1]] for i in range(len(pieces))]
    return [_Piece(points[row], place[row], float(volume[i]), float(surface[i])) for i, row in enumerate(rows)]
