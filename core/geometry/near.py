"""Near: the pieces of the level around each walker, as seen from the lower end of its axis.

Casting a capsule against a convex collider is casting a point against the collider grown by the capsule. With the
point the lower end of the capsule's axis, and the axis reaching up from it by its span, the grown surface has flat
pieces (faces, the same lowered by the span, and the upright parallelogram between the two places of an edge) and
round ones (cylinders about the two places of an edge, an upright cylinder at a corner, and a sphere at each of its
ends). Every piece becomes one row here.

Coordinates are the walker's: from where the lower end of its axis was at the gathering, with z along up. So a level
far from the origin works as one at the origin, casts need not know which way is up, and crouching moves nothing.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices, Mask, Rows, Scalars, Vectors, nonzero
from ..mesh import Layer
from .body import Body
from .corner_pieces import corner_pieces
from .edge_pieces import edge_pieces
from .face_pieces import face_pieces
from .features import Features
from .fronts import FENCE_ROWS
from .grid import Grid
from .pieces import Around, Pieces, join_rows

SLACK = 1e-6
"""Metres by which the distance to a piece may be off; it costs a few rows and covers any rounding."""


@dataclass(frozen=True, slots=True, eq=False)
class Near:
    """The pieces around n walkers, r rows in all; flat rows first. It only points to where the pieces are kept.

    Attributes
    ----------
    features : Features
        The level.
    body : Body
        The capsule that the rows were grown by.
    span : (n,) float, m
        Length of the axis.
    origin : (n, 3) float, m
        Lower ends of the axes at the gathering, in world space: zero in the coordinates of the rows.
    across, along : (n,) float, m
        How far a walker may be from its origin, sideways and along up, so that the rows are all that it can touch.
    lane : (r,) int
    clear : (r,) float, m
        Lower bound of the way to go from the origin before the piece can be touched.
    at : (r,) int
        Where the rows are in `pieces`, whose lanes are numbered in their own way.
    flat : int
        How many of the rows are flat.
    pieces : Pieces
    """

    features: Features
    body: Body
    span: Scalars
    origin: Vectors
    across: Scalars
    along: Scalars
    lane: Indices
    clear: Scalars
    at: Indices
    flat: int
    pieces: Pieces

    def feature(self, rows: Indices | slice) -> Indices:
        """Return the feature that each of `rows` (k,) belongs to; this and what follows as in Pieces."""
        return self.pieces.feature[self.at[rows]]

    def shift(self, rows: Indices) -> Scalars:
        """Return which point of the axis touches `rows` (k,), m from its lower end."""
        return self.pieces.shift[self.at[rows]]

    def is_front(self, rows: Indices) -> Mask:
        """Return which of `rows` (k,) count from one side alone."""
        return self.pieces.is_front[self.at[rows]]

    def planes(self, rows: Indices) -> NDArray[np.float64]:
        """Return the planes (4, k) of flat `rows` (k,), and below these (5, k) 1 where there is no back,
        and else -1."""
        return self.pieces.form[:5].take(self.at[rows], axis=1)

    def lines(self, rows: Indices) -> NDArray[np.float64]:
        """Return the axes (7, k) of round `rows` (k,)."""
        return self.pieces.form.take(self.at[rows], axis=1)

    def fences(self, rows: Indices) -> NDArray[np.float64]:
        """Return the fences (15, k) of round `rows` (k,)."""
        return self.pieces.border.take(self.at[rows], axis=0).T[:FENCE_ROWS]

    def lower_ends(self) -> "Near":
        """Return the rows alone that the lower ends of the axes touch."""
        rows = nonzero(self.pieces.shift[self.at] == 0)
        lane, clear, at, flat = self.lane[rows], self.clear[rows], self.at[rows], int(rows.searchsorted(self.flat))
        return replace(self, lane=lane, clear=clear, at=at, flat=flat)

    def borders(self, rows: Indices, at: Rows) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the unit normals (4, 3, k) of the borders of flat `rows` (k,), and how far beyond each of them the
        points `at` (3, k) are, (4, k); all are negative inside."""
        border = self.pieces.border.take(self.at[rows], axis=0).T
        outward = border[:12].reshape(4, 3, -1)
        beyond = outward[:, 0] * at[0] + outward[:, 1] * at[1] + outward[:, 2] * at[2] - border[12:]
        return outward, beyond


def gather(
    features: Features,
    grid: Grid,
    body: Body,
    span: Scalars,
    origin: Vectors,
    across: Scalars,
    along: Scalars,
    layers: Layer | None = None,
) -> Near:
    """Gather the pieces that capsules can touch while the lower ends of their axes stay near `origin`.

    Parameters
    ----------
    features, grid
        The level.
    body : Body
    span : (n,) float, m
        Lengths of the axes.
    origin : (n, 3) float, m
        Lower ends of the axes, in world space.
    across, along : (n,) float, m
        How far the walkers may go sideways, and along up.
    layers : Layer or None
        None for what is there for a character: all, and of the layer GROUND what carries. Else only objects that
        carry (GROUND), that stop (OBSTACLE), or all (BOTH), and these from all their sides.
    """
    half = np.array([across + body.radius, across + body.radius, along + body.radius + span / 2])
    reach = body.box_in_world(half) + SLACK
    middle = origin + np.asarray(body.up) * (span / 2)[:, None]
    lane, face = grid.find(middle - reach, middle + reach)
    if layers in (Layer.GROUND, Layer.OBSTACLE):
        kept = nonzero((features.carries if layers is Layer.GROUND else features.stops)[face])
        lane, face = lane[kept], face[kept]
    judged = body if layers is None else replace(body, gentlest=None)
    around = Around(features, judged, span, origin, across, along, furthest(across, along))
    owned = features.owned[face]
    row, side = np.nonzero(owned >= 0)
    feature, row, is_edge = owned[row, side].astype(np.intp), lane[row], side < 3
    edge, corner = nonzero(is_edge), nonzero(~is_edge)
    faces = face_pieces(around, lane, face)
    sides, ends = edge_pieces(around, row[edge], feature[edge])
    pieces = join_rows([faces, sides, ends, *corner_pieces(around, row[corner], feature[corner])])
    flat = len(faces.lane) + len(sides.lane)
    every = np.arange(len(pieces.lane))
    return Near(features, body, span, origin, across, along, pieces.lane, pieces.clear, every, flat, pieces)


def furthest(across: Scalars, along: Scalars) -> Scalars:
    """Return how far walkers (n,) get in any direction that go at most `across` sideways and `along` upwards."""
    reach: Scalars = np.sqrt(across * across + along * along) + SLACK
    return reach
