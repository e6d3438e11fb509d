"""Pieces: faces, edges and corners grown by the capsule, one row for each piece of the grown surface.

Each row has a lower bound of the way that the capsule must go before it can touch the piece. It counts the
gap, and also where contact is possible at all: a contact at an edge points away from the faces beside it, one of
the lower end points up. Most edges of a floor are ruled out that way without a cast.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices, Mask, Scalars, Vectors
from .body import Body
from .features import FLAT, Features
from .fronts import Fronts

CLOSE = 1e-3  # of the radius: what is just out of reach is kept, whatever rounding does
LEAST_LEVEL = 1e-6  # horizontal share of an edge's direction below which it counts as upright
TURNED_AWAY = 2 * FLAT
"""Cosine above which a normal points into a face beside it. Nothing is ruled out more finely than features are
left out: on an upright wall, which end of the capsule comes first may hang on an edge that is too flat to be kept."""
ENDS = np.array([[1.0], [-1.0]])
"""The lower end of the capsule and its upper end, by whether what it touches faces up or down. Pieces for both come as
(2, k)."""


@dataclass(frozen=True, slots=True, eq=False)
class Around:
    """The level and the capsules in it: for n walkers the lower ends of their axes `origin` (n, 3), in world space,
    the axes' lengths `span` (n,), and how far they may go from there: sideways (`across`), along up (`along`), and in
    any direction (`reach`)."""

    features: Features
    body: Body
    span: Scalars
    origin: Vectors
    across: Scalars
    along: Scalars
    reach: Scalars

    def level_way(self, lane: Indices, upright: Scalars, gap: Scalars) -> Scalars:
        """Return how far sideways the walkers must go at least to come nearer by `gap` (.., k), m, along unit normals
        that are `upright` (.., k), the upward component, however far they go along up."""
        left = gap - self.along[lane] * upright - CLOSE * self.body.radius
        level = np.sqrt(np.maximum(1 - upright * upright, LEAST_LEVEL * LEAST_LEVEL))
        return np.where(left > 0, left / level, left)

    def touches(self, lane: Indices, clear: Scalars, beside: Scalars) -> Mask:
        """Return what can be touched (.., k), by the bounds `clear` and `beside` of the way to it and sideways."""
        can_touch: Mask = (clear <= self.reach[lane]) & (beside <= self.across[lane])
        return can_touch


@dataclass(frozen=True, slots=True, eq=False)
class Flat:
    """Flat rows; the fields are those of Near."""

    lane: Indices
    clear: Scalars
    beside: Scalars
    feature: Indices
    shift: Scalars
    plane: NDArray[np.float64]
    bounds: NDArray[np.float64]
    is_one_sided: Mask
    is_front: Mask | None


@dataclass(frozen=True, slots=True, eq=False)
class Round:
    """Round rows; the fields are those of Near."""

    lane: Indices
    clear: Scalars
    beside: Scalars
    feature: Indices
    shift: Scalars
    line: NDArray[np.float64]
    is_front: Mask | None
    fence: NDArray[np.float64] | None


def end_fences(fronts: Fronts, span: Scalars, body: Body, end: Indices, of: Indices) -> NDArray[np.float64]:
    """Return the fences (15, r) of rows that are touched by an `end` (r,), 0 or 1, of piece `of` (r,)."""
    return np.where(end == 0, fronts.fence(1, span, body)[:, of], fronts.fence(-1, span, body)[:, of])
