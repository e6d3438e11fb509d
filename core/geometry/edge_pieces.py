"""Edge pieces: edges grown by the capsule, to a cylinder for each end of it and the parallelogram between the two."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices, Rows, Scalars, nonzero
from .axes import dot, level_dot, to_walker, turned
from .fronts import edge_fronts
from .pieces import CLOSE, LEAST_LEVEL, TURNED_AWAY, Around, Beside, Pieces, end_pieces, flat_pieces


@dataclass(frozen=True, slots=True, eq=False)
class _Edges(Beside):
    """k edges beside walkers, in their coordinates.

    Attributes
    ----------
    start, stop : (3, k) float, m
    along : (3, k) float
        Unit direction from the one to the other.
    length : (k,) float, m
    inward : list of two (3, k) float
        Directions that a contact points away from: into the two faces; zeros for none.
    """

    start: Rows
    stop: Rows
    along: Rows
    length: Scalars
    inward: list[Rows]


def edge_pieces(around: Around, lane: Indices, edge: Indices) -> tuple[Pieces, Pieces]:
    """Return for each of the edges (k,) the upright parallelogram between its two places that the capsule's side
    touches, and a cylinder for each end of the capsule of `lane` (k,): those that can be touched."""
    edges = _edges_beside(around, lane, edge)
    return _side_pieces(around, edges), _end_pieces(around, edges)


def _edges_beside(around: Around, lane: Indices, edge: Indices) -> _Edges:
    """Return those of the edges (k,) that are near enough sideways to be touched."""
    features, body = around.features, around.body
    at = around.origin[lane]
    start = to_walker(features.edge_ends[edge, 0], at, body)
    stop = to_walker(features.edge_ends[edge, 1], at, body)
    beside = _level_distance(start, stop) - body.radius * (1 + CLOSE)
    kept = nonzero(beside <= around.across[lane])
    lane, edge, beside = lane[kept], edge[kept], beside[kept]
    start, stop = start.take(kept, axis=1), stop.take(kept, axis=1)
    along = stop - start
    length = np.sqrt(dot(along, along))
    along = along / np.maximum(length, 1e-300)
    inward, fronts = [turned(features.edge_inward[edge, i], body) for i in range(2)], None
    if features.has_fronts:
        fronts = edge_fronts(features, edge, inward, body)
        inward = fronts.into
    feature = edge + len(features.normal)
    return _Edges(lane, feature, beside, fronts, start, stop, along, length, inward)


def _level_distance(start: Rows, stop: Rows) -> Scalars:
    """Return the level distance (k,), m, of lines from `start` to `stop` (3, k) to the origin."""
    x, y = stop[0] - start[0], stop[1] - start[1]
    place = -(start[0] * x + start[1] * y) / np.maximum(x * x + y * y, 1e-300)
    place = np.minimum(np.maximum(place, 0.0), 1.0)
    x, y = start[0] + place * x, start[1] + place * y
    distance: Scalars = np.sqrt(x * x + y * y)
    return distance


def _end_pieces(around: Around, edges: _Edges) -> Pieces:
    """Return a cylinder for each edge and end of the capsule."""
    body, span, start, stop = around.body, around.span[edges.lane], edges.start, edges.stop
    along, length = edges.along, edges.length
    point = start[:, None].repeat(2, axis=1)
    point[2, 1] -= span
    place = np.minimum(np.maximum(-dot(point, along[:, None]), 0.0), length)
    nearest = point + place * along[:, None]
    clear = np.sqrt(dot(nearest, nearest)) - body.radius
    one, other = edges.inward
    turned_away = np.maximum(-dot(point, one[:, None]), -dot(point, other[:, None]))
    past = np.array([np.minimum(start[2], stop[2]), span - np.maximum(start[2], stop[2])])
    clear = np.maximum(clear, turned_away - TURNED_AWAY * body.radius)
    clear = np.maximum(clear, np.where(span > 0, past, -np.inf))
    return end_pieces(around, edges, point, np.concatenate([along, length[None]]), clear)


def _side_pieces(around: Around, edges: _Edges) -> Pieces:
    """Return for each edge the upright parallelogram between its two places."""
    body, span = around.body, around.span[edges.lane]
    plane, border, level = _parallelograms(edges, span)
    away, into = np.abs(plane[3]), [dot(plane[:3], inward) for inward in edges.inward]
    blocked = np.maximum(*into) > TURNED_AWAY
    blocked_back = -np.minimum(*into) > TURNED_AWAY
    clear = np.maximum(away - body.radius, -border[12:].min(axis=0))
    clear = np.where(np.where(plane[3] > 0, blocked_back, blocked), np.maximum(clear, away), clear)
    is_none = (blocked & blocked_back) | (level <= LEAST_LEVEL) | (span <= 0)
    if edges.fronts is not None:
        is_none |= edges.fronts.is_gone_at(0)
    of = nonzero(around.touches(edges.lane, np.where(is_none, np.inf, clear), edges.beside))

    form, is_front = np.zeros((7, len(of))), None
    form[:4], form[4] = plane.take(of, axis=1), -1.0
    if edges.fronts is not None:
        is_front = edges.fronts.is_front[of]
        form[:4] *= np.where(is_front & blocked[of], -1.0, 1.0)
        form[4] = np.where(is_front & (blocked | blocked_back)[of], 1.0, -1.0)
    no_end = np.full(len(of), np.nan)
    return flat_pieces(
        edges.lane[of],
        clear[of],
        edges.beside[of],
        edges.feature[of],
        no_end,
        form,
        border.take(of, axis=1).T,
        is_front,
    )


def _parallelograms(edges: _Edges, span: Scalars) -> tuple[NDArray[np.float64], NDArray[np.float64], Scalars]:
    """Return for each edge the plane (4, k) that is upright and has it in it, the borders (16, k) of what lies between
    the edge and the same lowered by `span` (k,), and how level the edge is (k,), 0 to 1."""
    along, start, stop = edges.along, edges.start, edges.stop
    level = np.hypot(along[0], along[1])
    ahead = along / np.maximum(level, LEAST_LEVEL)  # unit level direction, and the slope as its third component
    rise, steepness = ahead[2], np.sqrt(1 + ahead[2] * ahead[2])
    first, last = level_dot(ahead[:2], start[:2]), level_dot(ahead[:2], stop[:2])
    top = (start[2] - rise * first) / steepness
    plane, border = np.zeros((4, len(level))), np.zeros((16, len(level)))
    plane[0], plane[1] = -ahead[1], ahead[0]
    plane[3] = level_dot(plane[:2], start[:2])
    border[0:2], border[3:5] = -ahead[:2], ahead[:2]
    border[6:8], border[8] = -rise * ahead[:2] / steepness, 1 / steepness
    border[9:12] = -border[6:9]
    border[12], border[13], border[14], border[15] = -first, last, top, span / steepness - top
    return plane, border, level
