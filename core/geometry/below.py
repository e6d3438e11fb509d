"""Below: the faces that carry around each walker, gathered anew only for those that leave what they have.

They reach deep below the feet and some way above them, which is more than a walker can touch in a step, see `near`;
and they are few, as only what carries and is not upright counts.
"""

from dataclasses import dataclass, replace

import numpy as np

from ..arrays import Indices, Mask, Scalars, Vectors, expand, nonzero
from .axes import turned
from .body import Body
from .features import Features
from .grid import Grid
from .near import SLACK
from .plumb import Plumb

MOSTLY_USED = 0.5  # share of the faces in use below which the others are given up

Pairs = tuple[Indices, Indices]  # position in the lanes that were asked for, and a face


@dataclass(frozen=True, slots=True, eq=False)
class Below:
    """The faces around n walkers, r in all.

    Attributes
    ----------
    features : Features
        The level.
    body : Body
        Tells which way is up.
    above, depth : float, m
        How far over the feet and below them faces count.
    origin : (n, 3) float, m
        Feet at the gathering, in world space.
    across, along : (n,) float, m
        How far from there places are covered along both level axes, and the feet along up; negative for walkers of
        which nothing is known.
    first, count : (n,) int
        Where the faces of a walker begin, and how many they are.
    face : (r,) int
    """

    features: Features
    body: Body
    above: float
    depth: float
    origin: Vectors
    across: Scalars
    along: Scalars
    first: Indices
    count: Indices
    face: Indices

    def __reduce__(self) -> tuple[type[None], tuple[()]]:
        """Leave this out of what is pickled or copied deeply, as Gathered is."""
        return type(None), ()

    @classmethod
    def nothing(cls, features: Features, body: Body, above: float, depth: float, n: int) -> "Below":
        """Return what is known of `n` walkers before anything is gathered."""
        none, unknown = np.zeros(n, np.intp), np.full(n, -1.0)
        return cls(features, body, above, depth, np.zeros((n, 3)), unknown, unknown, none, none, np.zeros(0, np.intp))

    def is_of(self, features: Features, body: Body, above: float, depth: float) -> bool:
        """Return whether this is of that level and for such questions."""
        return self.features is features and (self.body.up, self.above, self.depth) == (body.up, above, depth)

    def covers(self, lanes: Indices, feet: Vectors, ahead: Scalars) -> Mask:
        """Return whether all that is around `feet` (k, 3) of `lanes` (k,), up to `ahead` (k,), m, is known."""
        x, y, z = np.abs(turned(feet - self.origin[lanes], self.body))
        covered: Mask = (np.maximum(x, y) + ahead <= self.across[lanes]) & (z <= self.along[lanes])
        return covered

    def pairs(self, lanes: Indices) -> Pairs:
        """Return the faces around `lanes` (k,), each with its position in `lanes`."""
        count = self.count[lanes]
        return np.arange(len(lanes)).repeat(count), self.face[expand(self.first[lanes], count)]

    def find(self, grid: Grid, places: Vectors) -> Pairs:
        """Return the faces that may be above or below each of `places` (k, 3), in world space at the height of the
        feet, without keeping them."""
        up = np.asarray(self.body.up)
        top, bottom = places + up * self.above, places - up * self.depth
        return self._carrying(grid, np.minimum(top, bottom), np.maximum(top, bottom))

    def _carrying(self, grid: Grid, low: Vectors, high: Vectors) -> Pairs:
        """Return the faces that carry and may touch each of the boxes from `low` to `high`, (k, 3)."""
        of, face = grid.find(low, high)
        carrying = nonzero(self.features.carries[face])
        return of[carrying], face[carrying]

    def gather(self, grid: Grid, lanes: Indices, feet: Vectors, across: Scalars, along: Scalars) -> "Below":
        """Return the same with what is around `feet` (k, 3) of `lanes` (k,) up to `across` and `along` (k,), m."""
        half = np.stack([across, across, along + (self.above + self.depth) / 2])
        reach = self.body.box_in_world(half) + SLACK
        middle = feet + np.asarray(self.body.up) * ((self.above - self.depth) / 2)
        of, face = self._carrying(grid, middle - reach, middle + reach)
        kept = nonzero(Plumb.at(self.features, self.body, feet[of], face).may_meet(across[of] + SLACK))
        return self._put(lanes, feet, across, along, np.bincount(of[kept], minlength=len(lanes)), face[kept])

    def _put(
        self, lanes: Indices, feet: Vectors, across: Scalars, along: Scalars, count: Indices, face: Indices
    ) -> "Below":
        """Return the same with `face`, `count` (k,) for each, around `lanes` (k,); what was there stays unused until
        that is much."""
        counts = self.count.copy()
        counts[lanes] = 0
        old, first = self.face, self.first
        if counts.sum() < MOSTLY_USED * len(old):
            old, first = old[expand(first, counts)], np.cumsum(counts) - counts
        first, origin, all_across, all_along = first.copy(), self.origin.copy(), self.across.copy(), self.along.copy()
        first[lanes] = len(old) + np.cumsum(count) - count
        counts[lanes], origin[lanes], all_across[lanes], all_along[lanes] = count, feet, across, along
        return replace(
            self,
            origin=origin,
            across=all_across,
            along=all_along,
            first=first,
            count=counts,
            face=np.concatenate([old, face]),
        )
