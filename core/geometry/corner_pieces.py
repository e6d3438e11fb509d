"""Corner pieces: corners grown by the capsule, to a sphere for each end of it and the cylinder between the two."""

import numpy as np

from ..arrays import Indices, Rows, Scalars, nonzero
from .axes import dot, to_walker, turned_all
from .fronts import Fronts, corner_fronts
from .pieces import CLOSE, LEAST_LEVEL, TURNED_AWAY, Around, Pieces, end_pieces, round_pieces


def corner_pieces(around: Around, lane: Indices, corner: Indices) -> list[Pieces]:
    """Return for each of the corners (k,) a sphere for each end of the capsule of `lane` (k,), and the upright cylinder
    between the two: those that can be touched."""
    features, body = around.features, around.body
    point = to_walker(features.corner_point[corner], around.origin[lane], body)
    distance = np.hypot(point[0], point[1])
    beside = distance - body.radius * (1 + CLOSE)
    kept = nonzero(beside <= around.across[lane])
    lane, corner, beside = lane[kept], corner[kept], beside[kept]
    point, distance = point.take(kept, axis=1), distance[kept]
    outward = turned_all(features.corner_outward[corner], body)
    fronts = None
    if features.has_fronts:
        fronts = corner_fronts(features, corner, list(outward.transpose(1, 0, 2)), body)
        outward = np.stack(fronts.into, axis=1)
    feature = corner + len(features.normal) + len(features.edge_ends)
    return [
        _end_pieces(around, lane, beside, feature, point, outward, fronts),
        _side_pieces(around, lane, beside, feature, point, distance, outward, fronts),
    ]


def _end_pieces(
    around: Around,
    lane: Indices,
    beside: Scalars,
    feature: Indices,
    point: Rows,
    outward: Rows,
    fronts: Fronts | None,
) -> Pieces:
    """Return a sphere for each corner at `point` (3, k) and end of the capsule.

    `outward` (3, 4, k) are directions along its edges: a contact points away from them.
    """
    body, span = around.body, around.span[lane]
    centre = np.repeat(point[:, None], 2, axis=1)
    centre[2, 1] -= span
    clear = np.sqrt(dot(centre, centre)) - body.radius
    turned_away = -dot(centre[:, None], outward[:, :, None]).min(axis=0)
    clear = np.maximum(clear, turned_away - TURNED_AWAY * body.radius)
    clear = np.maximum(clear, np.where(span > 0, [point[2], span - point[2]], -np.inf))
    return end_pieces(around, lane, feature, centre, np.zeros((4, len(lane))), clear, beside, fronts)


def _side_pieces(
    around: Around,
    lane: Indices,
    beside: Scalars,
    feature: Indices,
    point: Rows,
    distance: Scalars,
    outward: Rows,
    fronts: Fronts | None,
) -> Pieces:
    """Return the upright cylinder for each corner at a level `distance` (k,); the rest is as for the spheres."""
    body, span = around.body, around.span[lane]
    clear = np.maximum(distance - body.radius, np.maximum(-point[2], point[2] - span))
    level = np.hypot(outward[0], outward[1])
    turned_away = -(point[0] * outward[0] + point[1] * outward[1]) / np.maximum(level, LEAST_LEVEL)
    turned_away = np.where(level > LEAST_LEVEL, turned_away, -np.inf).max(axis=0)
    clear = np.maximum(clear, turned_away - TURNED_AWAY * body.radius)
    is_none = span <= 0
    if fronts is not None:
        is_none |= fronts.is_gone_at(0)
    of = nonzero(around.touches(lane, np.where(is_none, np.inf, clear), beside))
    line = np.zeros((7, len(of)))
    line[:3] = point.take(of, axis=1)
    line[2] -= span[of]
    line[5], line[6] = 1.0, span[of]
    return round_pieces(
        lane[of],
        clear[of],
        beside[of],
        feature[of],
        np.full(len(of), np.nan),
        line,
        None if fronts is None else fronts.is_front[of],
        None if fronts is None else fronts.fence(0, span, body)[:, of],
    )
