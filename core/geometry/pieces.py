"""Pieces: faces, edges and corners grown by the capsule, one row for each piece of the grown surface.

Each row has a lower bound of the way that the capsule must go before it can touch the piece. It counts the
gap, and also where contact is possible at all: a contact at an edge points away from the faces beside it, one of
the lower end points up. Most edges of a floor are ruled out that way without a cast.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices, Mask, Rows, Scalars, Vectors, nonzero
from .axes import dot, to_walker, turned
from .body import Body
from .features import FLAT, Features
from .fronts import FENCE, Fronts, corner_fronts, edge_fronts, face_fronts

CLOSE = 1e-3  # of the radius: what is just out of reach is kept, whatever rounding does
LEAST_LEVEL = 1e-6  # horizontal share of an edge's direction below which it counts as upright
TURNED_AWAY = 2 * FLAT
"""Cosine above which a normal points into a face beside it. Nothing is ruled out more finely than features are
left out: on an upright wall, which end of the capsule comes first may hang on an edge that is too flat to be kept."""


@dataclass(frozen=True, slots=True, eq=False)
class Around:
    """The level and the capsules in it: for n walkers the lower ends of their axes `origin` (n, 3), in world space,
    the axes' lengths `span` (n,), and how far they may go from there sideways (`across`) and along up (`along`)."""

    features: Features
    body: Body
    span: Scalars
    origin: Vectors
    across: Scalars
    along: Scalars

    def level_way(self, lane: Indices, normal: Rows, gap: Scalars) -> Scalars:
        """Return how far sideways the walkers must go at least to come nearer by `gap` (k,), m, along a unit `normal`
        (3, k), however far they go along up."""
        upright = np.abs(normal[2])
        left = gap - self.along[lane] * upright - CLOSE * self.body.radius
        level = np.sqrt(np.maximum(1 - upright * upright, LEAST_LEVEL * LEAST_LEVEL))
        return np.where(left > 0, left / level, left)


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """Rows of one kind; the fields are those of Near, and either `line` is None or the flat ones are. `is_front` and
    `fence` are None where nothing counts from one side alone."""

    lane: Indices
    clear: Scalars
    beside: Scalars
    feature: Indices
    shift: Scalars
    plane: NDArray[np.float64] | None = None
    bounds: NDArray[np.float64] | None = None
    is_one_sided: Mask | None = None
    line: NDArray[np.float64] | None = None
    is_front: Mask | None = None
    fence: NDArray[np.float64] | None = None

    def only(self, rows: Indices) -> "Pieces":
        """Return some of the rows."""
        return Pieces(
            self.lane[rows],
            self.clear[rows],
            self.beside[rows],
            self.feature[rows],
            self.shift[rows],
            None if self.plane is None else self.plane.take(rows, axis=1),
            None if self.bounds is None else self.bounds.take(rows, axis=0),
            None if self.is_one_sided is None else self.is_one_sided[rows],
            None if self.line is None else self.line.take(rows, axis=1),
            None if self.is_front is None else self.is_front[rows],
            None if self.fence is None else self.fence.take(rows, axis=1),
        )


def face_pieces(around: Around, lane: Indices, face: Indices) -> list[Pieces]:
    """Return a flat piece for each face and end of the capsule."""
    features, body = around.features, around.body
    at, span = around.origin[lane], around.span[lane]
    points = [to_walker(features.corners[face, i], at, body) for i in range(3)]
    normal = turned(features.normal[face], body)
    outward, limits = [], []
    for i in range(3):
        along = points[(i + 1) % 3] - points[i]
        across = np.stack(
            [
                along[1] * normal[2] - along[2] * normal[1],
                along[2] * normal[0] - along[0] * normal[2],
                along[0] * normal[1] - along[1] * normal[0],
            ]
        )
        across /= np.maximum(np.sqrt(dot(across, across)), 1e-300)
        outward.append(across)
        limits.append(dot(across, points[i]))
    outwards, zeros = np.concatenate([*outward, np.zeros((3, len(face)))]), np.zeros(len(face))
    is_solid, is_front = features.is_one_sided[face], None
    if features.has_fronts:
        is_front, is_gone, sign = face_fronts(features, face, normal[2], body)
        is_solid, normal = is_solid | is_front, normal * sign
    lower = dot(normal, points[0])
    upper = lower - span * normal[2]

    # The axis goes through a face only where a walk starts inside the level: neither end need be near it then.
    past = [np.minimum(span * across[2], 0.0) - limit for across, limit in zip(outward, limits, strict=True)]
    pierced = np.where(lower * upper < 0, np.maximum(np.maximum(past[0], past[1]), past[2]), np.inf)

    rows = []
    for offset, shift, faces_up in ((lower, zeros, 1.0), (upper, span, -1.0)):
        bounds = np.stack([*(limit - shift * across[2] for across, limit in zip(outward, limits, strict=True)), zeros])
        away = np.abs(offset)
        # The lower end touches what faces up, the upper end what faces down; solids have one side.
        facing = np.where(offset > 0, -normal[2], normal[2]) * faces_up
        is_turned = ((facing < -TURNED_AWAY) & (span > 0)) | (is_solid & (offset > 0))
        clear = np.maximum(away - body.radius, -bounds[:3].min(axis=0))
        clear = np.minimum(np.where(is_turned, np.maximum(clear, away), clear), pierced)
        beside = around.level_way(lane, normal, away - body.radius)
        for i, across in enumerate(outward):
            beside = np.maximum(beside, around.level_way(lane, across, -bounds[i]))
        beside = np.where(pierced < np.inf, np.minimum(beside, clear), beside)
        if is_front is not None:
            is_far = (normal[2] * faces_up < -FENCE) & (span > 0)  # the other end comes first, from the front
            clear = np.where(is_front & (is_gone | is_far), np.inf, clear)
        rows.append(
            Pieces(
                lane,
                clear,
                beside,
                face,
                shift,
                plane=np.concatenate([normal, offset[None]]),
                bounds=np.concatenate([outwards, bounds]).T,
                is_one_sided=is_solid,
                is_front=is_front,
            )
        )
    return rows


def edge_pieces(around: Around, lane: Indices, edge: Indices) -> list[Pieces]:
    """Return a cylinder for each edge and end of the capsule, and the parallelogram between the two."""
    features, body = around.features, around.body
    at = around.origin[lane]
    start = to_walker(features.edge_ends[edge, 0], at, body)
    stop = to_walker(features.edge_ends[edge, 1], at, body)
    aside = _level_distance(start, stop) - body.radius * (1 + CLOSE)
    kept = nonzero(aside <= around.across[lane])
    lane, edge, aside = lane[kept], edge[kept], aside[kept]
    start, stop = start.take(kept, axis=1), stop.take(kept, axis=1)
    span = around.span[lane]
    along = stop - start
    length = np.sqrt(dot(along, along))
    along = along / np.maximum(length, 1e-300)
    inward = [turned(features.edge_inward[edge, i], body) for i in range(2)]
    fronts = edge_fronts(features, edge, inward, body) if features.has_fronts else None
    inward = inward if fronts is None else fronts.into
    feature = edge + len(features.normal)
    low, high = np.minimum(start[2], stop[2]), np.maximum(start[2], stop[2])
    parts = []
    for end, shift, past in ((1, np.zeros(len(edge)), low), (-1, span, span - high)):
        point = start.copy()
        point[2] -= shift
        place = np.clip(-dot(point, along), 0.0, length)
        nearest = point + place * along
        clear = np.sqrt(dot(nearest, nearest)) - body.radius
        beside = np.maximum(-dot(point, inward[0]), -dot(point, inward[1])) - TURNED_AWAY * body.radius
        clear = np.maximum(clear, np.maximum(beside, np.where(span > 0, past, -np.inf)))
        line = np.concatenate([point, along, length[None]])
        parts.append(_round_pieces(body, lane, clear, aside, feature, shift, line, fronts, end, span))
    kept = nonzero((np.hypot(along[0], along[1]) > LEAST_LEVEL) & (span > 0))
    parts.append(
        _side_pieces(
            body, lane[kept], aside[kept], feature[kept], start[:, kept], stop[:, kept], along[:, kept],
            [direction[:, kept] for direction in inward], span[kept],
            None if fronts is None else (fronts.is_front[kept], fronts.is_gone_at(0)[kept]),
        )
    )  # fmt: skip
    return parts


def _level_distance(start: Rows, stop: Rows) -> Scalars:
    """Return the level distance (k,), m, of lines from `start` to `stop` (3, k) to the origin."""
    x, y = stop[0] - start[0], stop[1] - start[1]
    place = -(start[0] * x + start[1] * y) / np.maximum(x * x + y * y, 1e-300)
    place = np.minimum(np.maximum(place, 0.0), 1.0)
    x, y = start[0] + place * x, start[1] + place * y
    distance: Scalars = np.sqrt(x * x + y * y)
    return distance


def _round_pieces(
    body: Body,
    lane: Indices,
    clear: Scalars,
    beside: Scalars,
    feature: Indices,
    shift: Scalars,
    line: NDArray[np.float64],
    fronts: Fronts | None,
    end: int,
    span: Scalars,
) -> Pieces:
    """Return round pieces that are touched by the lower end (1) of the capsule, its upper end (-1) or its side (0)."""
    if fronts is None:
        return Pieces(lane, clear, beside, feature, shift, line=line)
    clear = np.where(fronts.is_gone_at(end), np.inf, clear)
    fence = fronts.fence(end, span, body)
    return Pieces(lane, clear, beside, feature, shift, line=line, is_front=fronts.is_front, fence=fence)


def _side_pieces(
    body: Body,
    lane: Indices,
    beside: Scalars,
    feature: Indices,
    start: Rows,
    stop: Rows,
    along: Rows,
    inward: list[Rows],
    span: Scalars,
    fronts: tuple[Mask, Mask] | None,
) -> Pieces:
    """Return for each edge the upright parallelogram between its two places, touched by the capsule's side.

    `fronts` tells which edges count from one side alone, and which are not there.
    """
    ahead = along / np.hypot(along[0], along[1])  # unit horizontal direction, and the slope as its third component
    zeros = np.zeros(len(lane))
    normal = np.stack([-ahead[1], ahead[0], zeros])
    offset = dot(normal, start)
    rise = ahead[2]
    steepness = np.sqrt(1 + rise * rise)
    first = ahead[0] * start[0] + ahead[1] * start[1]
    last = ahead[0] * stop[0] + ahead[1] * stop[1]
    top = (start[2] - rise * first) / steepness
    over = np.stack([-rise * ahead[0], -rise * ahead[1], np.ones(len(lane))]) / steepness
    limits = np.stack([-first, last, top, span / steepness - top])

    away = np.abs(offset)
    blocked = np.maximum(dot(normal, inward[0]), dot(normal, inward[1])) > TURNED_AWAY
    blocked_back = np.maximum(-dot(normal, inward[0]), -dot(normal, inward[1])) > TURNED_AWAY
    clear = np.maximum(away - body.radius, -limits.min(axis=0, initial=np.inf))
    clear = np.where(np.where(offset > 0, blocked_back, blocked), np.maximum(clear, away), clear)
    clear = np.where(blocked & blocked_back, np.inf, clear)
    is_one_sided, is_front = np.zeros(len(lane), bool), None
    if fronts is not None:
        is_front, is_gone = fronts
        clear = np.where(is_gone, np.inf, clear)
        is_one_sided = is_front & (blocked | blocked_back)
        sign = np.where(is_front & blocked, -1.0, 1.0)
        normal, offset = normal * sign, offset * sign
    outwards = np.stack([-ahead[0], -ahead[1], zeros, ahead[0], ahead[1], zeros])
    return Pieces(
        lane,
        clear,
        beside,
        feature,
        np.full(len(lane), np.nan),
        plane=np.concatenate([normal, offset[None]]),
        bounds=np.concatenate([outwards, over, -over, limits]).T,
        is_one_sided=is_one_sided,
        is_front=is_front,
    )


def corner_pieces(around: Around, lane: Indices, corner: Indices) -> list[Pieces]:
    """Return for each corner a sphere for each end of the capsule, and the upright cylinder between the two."""
    features, body = around.features, around.body
    point = to_walker(features.corner_point[corner], around.origin[lane], body)
    distance = np.hypot(point[0], point[1])
    kept = nonzero(distance - body.radius * (1 + CLOSE) <= around.across[lane])
    lane, corner, point, distance = lane[kept], corner[kept], point.take(kept, axis=1), distance[kept]
    aside = distance - body.radius * (1 + CLOSE)
    span = around.span[lane]
    outward = [turned(features.corner_outward[corner, i], body) for i in range(4)]
    fronts = corner_fronts(features, corner, outward, body) if features.has_fronts else None
    outward = outward if fronts is None else fronts.into
    feature = corner + len(features.normal) + len(features.edge_ends)
    parts = []
    for end, shift, past in ((1, np.zeros(len(corner)), point[2]), (-1, span, span - point[2])):
        centre = point.copy()
        centre[2] -= shift
        clear = np.sqrt(dot(centre, centre)) - body.radius
        for direction in outward:
            clear = np.maximum(clear, -dot(centre, direction) - TURNED_AWAY * body.radius)
        clear = np.maximum(clear, np.where(span > 0, past, -np.inf))
        line = np.concatenate([centre, np.zeros((4, len(corner)))])
        parts.append(_round_pieces(body, lane, clear, aside, feature, shift, line, fronts, end, span))

    clear = np.maximum(distance - body.radius, np.maximum(-point[2], point[2] - span))
    for direction in outward:
        level = np.hypot(direction[0], direction[1])
        beside = -(point[0] * direction[0] + point[1] * direction[1]) / np.maximum(level, LEAST_LEVEL)
        beside -= TURNED_AWAY * body.radius
        clear = np.maximum(clear, np.where(level > LEAST_LEVEL, beside, -np.inf))
    line = np.zeros((7, len(corner)))
    line[:3] = point
    line[2] -= span
    line[5] = 1.0
    line[6] = span
    kept = nonzero(span > 0)
    shift = np.full(len(corner), np.nan)
    parts.append(_round_pieces(body, lane, clear, aside, feature, shift, line, fronts, 0, span).only(kept))
    return parts
