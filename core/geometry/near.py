"""Near: the pieces of the level around each walker, as seen from the lower end of its axis.

Casting a capsule against a convex collider is casting a point against the collider grown by the capsule. With the
point the lower end of the capsule's axis, and the axis reaching up from it by its span, the grown surface has flat
pieces (faces, the same lowered by the span, and the upright parallelogram between the two places of an edge) and
round ones (cylinders about the two places of an edge, an upright cylinder at a corner, and a sphere at each of its
ends). Every piece becomes one row here.

Coordinates are the walker's: from where the lower end of its axis was at the gathering, with z along up. So a level
far from the origin works as one at the origin, casts need not know which way is up, and crouching moves nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices, Mask, Rows, Scalars, Vectors, nonzero
from ..mesh import Layer
from .body import Body
from .corner_pieces import corner_pieces
from .edge_pieces import edge_pieces
from .face_pieces import face_pieces
from .features import Features
from .grid import Grid
from .pieces import Around, Flat, Round

Number = TypeVar("Number", bound=np.generic)

SLACK = 1e-6
"""Metres by which the distance to a piece may be off; it costs a few rows and covers any rounding."""


@dataclass(frozen=True, slots=True, eq=False)
class Near:
    """The pieces around n walkers, r rows in all; flat rows first.

    Attributes
    ----------
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
    beside : (r,) float, m
        The same for the way to go sideways, as long as it leads no further along up than `along`.
    feature : (r,) int
        Face f, or edge f + e, or corner f + e + c of the features.
    shift : (r,) float, m
        Which point of the axis touches the piece, from its lower end: 0, or the span; NaN for any.
    plane : (4, flat) float
        Unit normal, and the distance of the plane along it from the origin.
    bounds : (flat, 16) float
        Four half-planes within the plane, unit normals (4 x 3) and offsets (4): a point of the piece is behind all.
    is_one_sided : (flat,) bool
    line : (7, round) float
        First point, unit direction and length of a cylinder's axis; direction and length are zero for a sphere.
    is_front : (r,) bool, or None where there are none
        Counts from one side alone, and not for who is half-way through: see `fronts`.
    fence : (15, round) float, or None where there are none
        Which part of the piece counts.
    features : Features, or None where there are none
        What the fences refer to.
    """

    body: Body
    span: Scalars
    origin: Vectors
    across: Scalars
    along: Scalars
    lane: Indices
    clear: Scalars
    beside: Scalars
    feature: Indices
    shift: Scalars
    plane: NDArray[np.float64]
    bounds: NDArray[np.float64]
    is_one_sided: Mask
    line: NDArray[np.float64]
    is_front: Mask | None = None
    fence: NDArray[np.float64] | None = None
    features: Features | None = None

    def borders(self, rows: Indices, at: Rows) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the unit normals (4, 3, k) of the borders of flat `rows` (k,), and how far beyond each of them the
        points `at` (3, k) are, (4, k); all are negative inside."""
        bounds = self.bounds.take(rows, axis=0).T
        outward = bounds[:12].reshape(4, 3, -1)
        beyond = outward[:, 0] * at[0] + outward[:, 1] * at[1] + outward[:, 2] * at[2] - bounds[12:]
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
    reach = (np.abs(body.turn.T) @ half).T + SLACK
    middle = origin + np.asarray(body.up) * (span / 2)[:, None]
    lane, face = grid.find(middle - reach, middle + reach)
    if layers in (Layer.GROUND, Layer.OBSTACLE):
        kept = nonzero((features.carries if layers is Layer.GROUND else features.stops)[face])
        lane, face = lane[kept], face[kept]
    judged = body if layers is None else replace(body, gentlest=None)
    around = Around(features, judged, span, origin, across, along, np.sqrt(across * across + along * along) + SLACK)
    owned = features.owned[face]
    row, side = np.nonzero(owned >= 0)
    feature, row, is_edge = owned[row, side].astype(np.intp), lane[row], side < 3
    edge, corner = nonzero(is_edge), nonzero(~is_edge)
    faces = face_pieces(around, lane, face)
    sides, ends = edge_pieces(around, row[edge], feature[edge])
    flat, round_ = [faces, sides], [ends, *corner_pieces(around, row[corner], feature[corner])]
    return _near(around, body, flat, round_)


def _near(around: Around, body: Body, flat: list[Flat], round_: list[Round]) -> Near:
    """Return all the rows together."""
    parts: list[Flat | Round] = [*flat, *round_]
    has_fronts = around.features.has_fronts
    return Near(
        body,
        around.span,
        around.origin,
        around.across,
        around.along,
        np.concatenate([part.lane for part in parts]),
        np.concatenate([part.clear for part in parts]),
        np.concatenate([part.beside for part in parts]),
        np.concatenate([part.feature for part in parts]),
        np.concatenate([part.shift for part in parts]),
        np.concatenate([part.plane for part in flat], axis=1),
        np.concatenate([part.bounds for part in flat]),
        np.concatenate([part.is_one_sided for part in flat]),
        np.concatenate([part.line for part in round_], axis=1),
        np.concatenate([part.is_front for part in parts if part.is_front is not None]) if has_fronts else None,
        np.concatenate([part.fence for part in round_ if part.fence is not None], axis=1) if has_fronts else None,
        around.features if has_fronts else None,
    )


def only_rows(near: Near, kept: Indices) -> Near:
    """Return some of the rows, of all walkers."""
    flat = int(np.searchsorted(kept, len(near.is_one_sided)))
    kept_flat, kept_round = kept[:flat], kept[flat:] - len(near.is_one_sided)
    return replace(
        near,
        lane=near.lane[kept],
        clear=near.clear[kept],
        beside=near.beside[kept],
        feature=near.feature[kept],
        shift=near.shift[kept],
        plane=near.plane.take(kept_flat, axis=1),
        bounds=near.bounds.take(kept_flat, axis=0),
        is_one_sided=near.is_one_sided[kept_flat],
        line=near.line.take(kept_round, axis=1),
        is_front=None if near.is_front is None else near.is_front[kept],
        fence=None if near.fence is None else near.fence.take(kept_round, axis=1),
    )


def join_rows(parts: Sequence[Near]) -> Near:
    """Return the rows of all `parts` together; the walkers are those of the first one."""

    def mix(values: list[NDArray[Number]]) -> NDArray[Number]:
        flat = [of_part[: len(part.is_one_sided)] for of_part, part in zip(values, parts, strict=True)]
        round_ = [of_part[len(part.is_one_sided) :] for of_part, part in zip(values, parts, strict=True)]
        return np.concatenate(flat + round_)

    fronts = [part.is_front for part in parts if part.is_front is not None]
    fences = [part.fence for part in parts if part.fence is not None]
    return replace(
        parts[0],
        lane=mix([part.lane for part in parts]),
        clear=mix([part.clear for part in parts]),
        beside=mix([part.beside for part in parts]),
        feature=mix([part.feature for part in parts]),
        shift=mix([part.shift for part in parts]),
        plane=np.concatenate([part.plane for part in parts], axis=1),
        bounds=np.concatenate([part.bounds for part in parts]),
        is_one_sided=np.concatenate([part.is_one_sided for part in parts]),
        line=np.concatenate([part.line for part in parts], axis=1),
        is_front=mix(fronts) if fronts else None,
        fence=np.concatenate(fences, axis=1) if fences else None,
    )
