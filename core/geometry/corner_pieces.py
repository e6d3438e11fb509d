"""Corner pieces: corners grown by the capsule, to a sphere for each end of it and the cylinder between the two."""

from dataclasses import dataclass

import numpy as np

from ..arrays import Indices, Rows, Scalars, nonzero
from .axes import dot, to_walker, turned_all
from .fronts import corner_fronts
from .pieces import CLOSE, LEAST_LEVEL, TURNED_AWAY, Around, Beside, Pieces, end_pieces, round_pieces


@dataclass(frozen=True, slots=True, eq=False)
class _Corners(Beside):
    """k corners beside walkers, in their coordinates.

    Attributes
    ----------
    point : (3, k) float, m
    distance : (k,) float, m
        How far they are sideways.
    outward : (3, 4, k) float
        Directions that a contact points away from: along the edges; zeros for none.
    """

    point: Rows
    distance: Scalars
    outward: Rows


def corner_pieces(around: Around, lane: Indices, corner: Indices) -> list[Pieces]:
    """Return for each of the corners (k,) a sphere for each end of the capsule of `lane` (k,), and the upright cylinder
    between the two: those that can be touched."""
    corners = _corners_beside(around, lane, corner)
    return [_end_pieces(around, corners), _side_pieces(around, corners)]


def _corners_beside(around: Around, lane: Indices, corner: Indices) -> _Corners:
    """Return those of the corners (k,) that are near enough sideways to be touched."""
    features, body = around.features, around.body
    point = to_walker(features.corner_point[corner], around.origin[lane], body)
    distance = np.hypot(point[0], point[1])
    beside = distance - body.radius * (1 + CLOSE)
    kept = nonzero(beside <= around.across[lane])
    lane, corner, beside = lane[kept], corner[kept], beside[kept]
    point, distance = point.take(kept, axis=1), distance[kept]
    outward, fronts = turned_all(features.corner_outward[corner], body), None
    if features.has_fronts:
        fronts = corner_fronts(features, corner, list(outward.transpose(1, 0, 2)), body)
        outward = np.stack(fronts.into, axis=1)
    feature = corner + len(features.normal) + len(features.edge_ends)
    return _Corners(lane, feature, beside, fronts, point, distance, outward)


def _end_pieces(around: Around, corners: _Corners) -> Pieces:
    """Return a sphere for each corner and end of the capsule."""
    body, span, point = around.body, around.span[corners.lane], corners.point
    centre = point[:, None].repeat(2, axis=1)
    centre[2, 1] -= span
    clear = np.sqrt(dot(centre, centre)) - body.radius
    turned_away = -dot(centre[:, None], corners.outward[:, :, None]).min(axis=0)
    clear = np.maximum(clear, turned_away - TURNED_AWAY * body.radius)
    clear = np.maximum(clear, np.where(span > 0, [point[2], span - point[2]], -np.inf))
    return end_pieces(around, corners, centre, np.zeros((4, len(span))), clear)


def _side_pieces(around: Around, corners: _Corners) -> Pieces:
    """Return the upright cylinder for each corner."""
    body, span, point = around.body, around.span[corners.lane], corners.point
    outward, fronts = corners.outward, corners.fronts
    clear = np.maximum(corners.distance - body.radius, np.maximum(-point[2], point[2] - span))
    level = np.hypot(outward[0], outward[1])
    turned_away = -(point[0] * outward[0] + point[1] * outward[1]) / np.maximum(level, LEAST_LEVEL)
    turned_away = np.where(level > LEAST_LEVEL, turned_away, -np.inf).max(axis=0)
    clear = np.maximum(clear, turned_away - TURNED_AWAY * body.radius)
    is_none = span <= 0
    if fronts is not None:
        is_none |= fronts.is_gone_at(0)
    of = nonzero(around.touches(corners.lane, np.where(is_none, np.inf, clear), corners.beside))
    line = np.zeros((7, len(of)))
    line[:3] = point.take(of, axis=1)
    line[2] -= span[of]
    line[5], line[6] = 1.0, span[of]
    return round_pieces(
        corners.lane[of],
        clear[of],
        corners.beside[of],
        corners.feature[of],
        np.full(len(of), np.nan),
        line,
        None if fronts is None else fronts.is_front[of],
        None if fronts is None else fronts.fence(0, span, body)[:, of],
    )
