"""Pieces: faces, edges and corners grown by the capsule, one row for each piece of the grown surface.

Each row has a lower bound of the way that the capsule must go before it can touch the piece. It counts the
gap, and also where contact is possible at all: a contact at an edge points away from the faces beside it, one of
the lower end points up. Most edges of a floor are ruled out that way without a cast.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices, Mask, Rows, Scalars, Vectors
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
class Beside:
    """k edges or corners that are near enough to walkers sideways to be touched.

    Attributes
    ----------
    lane, feature : (k,) int
    beside : (k,) float, m
        As in Pieces.
    fronts : Fronts or None
        What counts from one side alone; None if nothing in the level does.
    """

    lane: Indices
    feature: Indices
    beside: Scalars
    fronts: Fronts | None


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """Rows of pieces, r in all.

    Attributes
    ----------
    lane : (r,) int
    clear : (r,) float, m
        Lower bound of the way to go from the origin before the piece can be touched.
    beside : (r,) float, m
        The same for the way to go sideways, as long as it leads no further along up than was asked for.
    feature : (r,) int
        Face f, or edge f + e, or corner f + e + c of the features.
    shift : (r,) float, m
        Which point of the axis touches the piece, from its lower end: 0, or the span; NaN for any.
    is_flat : (r,) bool
        A part of a plane; else a cylinder or a sphere.
    is_front : (r,) bool
        Counts from one side alone, and not for who is half-way through: see `fronts`.
    form : (7, r) float
        Of what is flat the unit normal, the distance of the plane along it from the origin, and 1 if it has no back,
        else -1. Of a cylinder the first point, the unit direction and the length of its axis; direction and length are
        zero for a sphere.
    border : (r, 16) float
        Of what is flat four half-planes within the plane, unit normals (4 x 3) and offsets (4): a point of the piece is
        behind all. Else the fence, which tells what part of the piece counts; zeros if nothing in the level has fronts.
    """

    lane: Indices
    clear: Scalars
    beside: Scalars
    feature: Indices
    shift: Scalars
    is_flat: Mask
    is_front: Mask
    form: NDArray[np.float64]
    border: NDArray[np.float64]

    @classmethod
    def empty(cls, rows: int) -> "Pieces":
        """Return so many rows with nothing in them yet."""
        return cls(
            lane=np.empty(rows, np.intp),
            clear=np.empty(rows),
            beside=np.empty(rows),
            feature=np.empty(rows, np.intp),
            shift=np.empty(rows),
            is_flat=np.empty(rows, bool),
            is_front=np.empty(rows, bool),
            form=np.empty((7, rows)),
            border=np.empty((rows, 16)),
        )

    def put(self, rows: Indices, source: "Pieces", at: Indices) -> None:
        """Enter in `rows` (k,) what the `source` has in its rows `at` (k,), but for the lanes."""
        self.clear[rows] = source.clear[at]
        self.beside[rows] = source.beside[at]
        self.feature[rows] = source.feature[at]
        self.shift[rows] = source.shift[at]
        self.is_flat[rows] = source.is_flat[at]
        self.is_front[rows] = source.is_front[at]
        self.form[:, rows] = source.form.take(at, axis=1)
        self.border[rows] = source.border.take(at, axis=0)


def flat_pieces(
    lane: Indices,
    clear: Scalars,
    beside: Scalars,
    feature: Indices,
    shift: Scalars,
    form: NDArray[np.float64],
    border: NDArray[np.float64],
    is_front: Mask | None = None,
) -> Pieces:
    """Return flat rows; `is_front` is None for none."""
    none = np.zeros(len(lane), bool)
    is_front = none if is_front is None else is_front
    return Pieces(lane, clear, beside, feature, shift, ~none, is_front, form, border)


def round_pieces(
    lane: Indices,
    clear: Scalars,
    beside: Scalars,
    feature: Indices,
    shift: Scalars,
    form: NDArray[np.float64],
    is_front: Mask | None = None,
    fence: NDArray[np.float64] | None = None,
) -> Pieces:
    """Return round rows; `fence` is (15, r), and None for none."""
    border, none = np.zeros((len(lane), 16)), np.zeros(len(lane), bool)
    if fence is not None:
        border[:, : len(fence)] = fence.T
    is_front = none if is_front is None else is_front
    return Pieces(lane, clear, beside, feature, shift, none, is_front, form, border)


def end_pieces(around: Around, found: Beside, point: Rows, axis: Rows, clear: Scalars) -> Pieces:
    """Return a cylinder, or a sphere, for each of k features and end of the capsule: those that can be touched.

    `point` (3, 2, k) are the first points of the axes, for the lower and the upper end, and `axis` (4, k) their
    direction and length. `clear` (2, k) is as in Pieces.
    """
    body, span, fronts, fences = around.body, around.span[found.lane], found.fronts, None
    if fronts is not None:
        clear = np.where([fronts.is_gone_at(1), fronts.is_gone_at(-1)], np.inf, clear)
    end, of = np.nonzero(around.touches(found.lane, clear, found.beside))
    if fronts is not None:
        fences = np.where(end == 0, fronts.fence(1, span, body)[:, of], fronts.fence(-1, span, body)[:, of])
    return round_pieces(
        found.lane[of],
        clear[end, of],
        found.beside[of],
        found.feature[of],
        np.where(end == 0, 0.0, span[of]),
        np.concatenate([point[:, end, of], axis.take(of, axis=1)]),
        None if fronts is None else fronts.is_front[of],
        fences,
    )


def join_rows(parts: Sequence[Pieces]) -> Pieces:
    """Return all rows, in the order of the parts."""
    return Pieces(
        np.concatenate([part.lane for part in parts]),
        np.concatenate([part.clear for part in parts]),
        np.concatenate([part.beside for part in parts]),
        np.concatenate([part.feature for part in parts]),
        np.concatenate([part.shift for part in parts]),
        np.concatenate([part.is_flat for part in parts]),
        np.concatenate([part.is_front for part in parts]),
        np.concatenate([part.form for part in parts], axis=1),
        np.concatenate([part.border for part in parts]),
    )
