"""Edge pieces: edges grown by the capsule, to a cylinder for each end of it and the parallelogram between the two."""

import numpy as np

from ..arrays import Indices, Rows, Scalars, nonzero
from .axes import dot, to_walker, turned
from .fronts import Fronts, edge_fronts
from .pieces import CLOSE, LEAST_LEVEL, TURNED_AWAY, Around, Pieces, end_pieces, flat_pieces


def edge_pieces(around: Around, lane: Indices, edge: Indices) -> tuple[Pieces, Pieces]:
    """Return for each of the edges (k,) the upright parallelogram between its two places that the capsule's side
    touches, and a cylinder for each end of the capsule of `lane` (k,): those that can be touched."""
    features, body = around.features, around.body
    at = around.origin[lane]
    start = to_walker(features.edge_ends[edge, 0], at, body)
    stop = to_walker(features.edge_ends[edge, 1], at, body)
    aside = _level_distance(start, stop) - body.radius * (1 + CLOSE)
    kept = nonzero(aside <= around.across[lane])
    lane, edge, aside = lane[kept], edge[kept], aside[kept]
    start, stop = start.take(kept, axis=1), stop.take(kept, axis=1)
    along = stop - start
    length = np.sqrt(dot(along, along))
    along = along / np.maximum(length, 1e-300)
    inward = [turned(features.edge_inward[edge, i], body) for i in range(2)]
    fronts = edge_fronts(features, edge, inward, body) if features.has_fronts else None
    inward = inward if fronts is None else fronts.into
    feature = edge + len(features.normal)
    sides = _side_pieces(around, lane, aside, feature, start, stop, along, inward, fronts)
    return sides, _end_pieces(around, lane, aside, feature, start, stop, along, length, inward, fronts)


def _level_distance(start: Rows, stop: Rows) -> Scalars:
    """Return the level distance (k,), m, of lines from `start` to `stop` (3, k) to the origin."""
    x, y = stop[0] - start[0], stop[1] - start[1]
    place = -(start[0] * x + start[1] * y) / np.maximum(x * x + y * y, 1e-300)
    place = np.minimum(np.maximum(place, 0.0), 1.0)
    x, y = start[0] + place * x, start[1] + place * y
    distance: Scalars = np.sqrt(x * x + y * y)
    return distance


def _end_pieces(
    around: Around,
    lane: Indices,
    beside: Scalars,
    feature: Indices,
    start: Rows,
    stop: Rows,
    along: Rows,
    length: Scalars,
    inward: list[Rows],
    fronts: Fronts | None,
) -> Pieces:
    """Return a cylinder for each edge, from `start` to `stop` (3, k), and end of the capsule."""
    body, span = around.body, around.span[lane]
    point = np.repeat(start[:, None], 2, axis=1)
    point[2, 1] -= span
    place = np.minimum(np.maximum(-dot(point, along[:, None]), 0.0), length)
    nearest = point + place * along[:, None]
    clear = np.sqrt(dot(nearest, nearest)) - body.radius
    turned_away = np.maximum(-dot(point, inward[0][:, None]), -dot(point, inward[1][:, None]))
    past = np.array([np.minimum(start[2], stop[2]), span - np.maximum(start[2], stop[2])])
    clear = np.maximum(clear, turned_away - TURNED_AWAY * body.radius)
    clear = np.maximum(clear, np.where(span > 0, past, -np.inf))
    axis = np.concatenate([along, length[None]])
    return end_pieces(around, lane, feature, point, axis, clear, beside, fronts)


def _side_pieces(
    around: Around,
    lane: Indices,
    beside: Scalars,
    feature: Indices,
    start: Rows,
    stop: Rows,
    along: Rows,
    inward: list[Rows],
    fronts: Fronts | None,
) -> Pieces:
    """Return for each edge, from `start` to `stop` (3, k), the upright parallelogram between its two places."""
    body, span = around.body, around.span[lane]
    level = np.hypot(along[0], along[1])
    ahead = along / np.maximum(level, LEAST_LEVEL)  # unit level direction, and the slope as its third component
    normal = np.zeros(ahead.shape)
    normal[0], normal[1] = -ahead[1], ahead[0]
    offset = dot(normal, start)
    rise = ahead[2]
    steepness = np.sqrt(1 + rise * rise)
    first = ahead[0] * start[0] + ahead[1] * start[1]
    last = ahead[0] * stop[0] + ahead[1] * stop[1]
    top = (start[2] - rise * first) / steepness
    limits = np.array([-first, last, top, span / steepness - top])

    away = np.abs(offset)
    into = dot(normal, inward[0]), dot(normal, inward[1])
    blocked = np.maximum(*into) > TURNED_AWAY
    blocked_back = -np.minimum(*into) > TURNED_AWAY
    clear = np.maximum(away - body.radius, -limits.min(axis=0))
    clear = np.where(np.where(offset > 0, blocked_back, blocked), np.maximum(clear, away), clear)
    is_none = (blocked & blocked_back) | (level <= LEAST_LEVEL) | (span <= 0)
    if fronts is not None:
        is_none |= fronts.is_gone_at(0)
    of = nonzero(around.touches(lane, np.where(is_none, np.inf, clear), beside))

    normal, offset, limits = normal.take(of, axis=1), offset[of], limits.take(of, axis=1)
    is_one_sided, is_front = np.zeros(len(of), bool), None
    if fronts is not None:
        is_front = fronts.is_front[of]
        is_one_sided = is_front & (blocked | blocked_back)[of]
        sign = np.where(is_front & blocked[of], -1.0, 1.0)
        normal, offset = normal * sign, offset * sign
    ahead, rise, steepness = ahead.take(of, axis=1), rise[of], steepness[of]
    form, border = np.zeros((7, len(of))), np.zeros((16, len(of)))
    form[:3], form[3], form[4] = normal, offset, is_one_sided
    border[0:2], border[3:5] = -ahead[:2], ahead[:2]
    border[6:8], border[8] = -rise * ahead[:2] / steepness, 1 / steepness
    border[9:12], border[12:] = -border[6:9], limits
    return flat_pieces(
        lane[of],
        clear[of],
        beside[of],
        feature[of],
        np.full(len(of), np.nan),
        form,
        border.T,
        is_front,
    )
