"""Pieces: faces, edges and corners grown by the capsule, one row for each piece of the grown surface.

Each row has a lower bound of the way that the capsule's centre must go before it can touch the piece. It counts the
gap, and also where contact is possible at all: a contact at an edge points away from the faces beside it, one of
the lower end points up. Most edges of a floor are ruled out that way without a cast.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .arrays import Indices, Mask, Rows, Scalars, Vectors
from .body import Body
from .features import FLAT, Features

UPRIGHT = 1e-6  # horizontal share of an edge's direction below which it counts as upright
TURNED_AWAY = 2 * FLAT
"""Cosine above which a normal points into a face beside it. Nothing is ruled out more finely than features are
left out: on an upright wall, which end of the capsule comes first may hang on an edge that is too flat to be kept."""


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """Rows of one kind; the fields are those of Near, and either `line` is None or the flat ones are."""

    lane: Indices
    clear: Scalars
    feature: Indices
    shift: Scalars
    plane: NDArray[np.float64] | None = None
    bounds: NDArray[np.float64] | None = None
    is_one_sided: Mask | None = None
    line: NDArray[np.float64] | None = None

    def only(self, rows: Indices) -> "Pieces":
        """Return some of the rows."""
        return Pieces(
            self.lane[rows],
            self.clear[rows],
            self.feature[rows],
            self.shift[rows],
            None if self.plane is None else self.plane.take(rows, axis=1),
            None if self.bounds is None else self.bounds.take(rows, axis=1),
            None if self.is_one_sided is None else self.is_one_sided[rows],
            None if self.line is None else self.line.take(rows, axis=1),
        )


def to_walker(points: NDArray[np.float64], origin: Vectors, body: Body) -> Rows:
    """Return world `points` (k, 3) as seen from `origin` (k, 3), component first (3, k)."""
    return turned(points - origin, body)


def turned(vectors: NDArray[np.float64], body: Body) -> Rows:
    """Return world directions (k, 3) in the walker's axes, component first (3, k), in an array of their own."""
    if body.up == (0.0, 0.0, 1.0):
        return vectors.T.copy()
    return np.asarray(body.turn @ vectors.T)


def dot(a: Rows, b: Rows) -> Scalars:
    """Return the dot product of each column."""
    product: Scalars = a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    return product


def _ends(body: Body) -> tuple[float, ...]:
    """Return the places of the axis' ends, from the centre; a sphere has one."""
    return (-body.half_length, body.half_length) if body.half_length > 0 else (0.0,)


def face_pieces(features: Features, body: Body, origin: Vectors, lane: Indices, face: Indices) -> Pieces:
    """Return a flat piece for each face and end of the capsule."""
    at = origin[lane]
    points = [to_walker(features.corners[face, i], at, body) for i in range(3)]
    normal = turned(features.normal[face], body)
    outward, offsets = [], []
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
        offsets.append(dot(across, points[i]))
    height = dot(normal, points[0])
    is_solid = features.is_solid[face]
    nearest_end = _least_way(body, height, normal, outward, offsets)
    zeros = np.zeros(len(face))
    rows = []
    for shift in _ends(body):
        offset = height - shift * normal[2]
        bounds = [limit - shift * across[2] for across, limit in zip(outward, offsets, strict=True)]
        away = np.abs(offset)
        # The lower end touches what faces up, the upper end what faces down; solids have one side.
        facing = np.where(offset > 0, -normal[2], normal[2]) * -np.sign(shift)
        is_turned = (facing < -TURNED_AWAY) | (is_solid & (offset > 0))
        clear = np.maximum(away - body.radius, -np.minimum(np.minimum(bounds[0], bounds[1]), bounds[2]))
        clear = np.where(is_turned, np.maximum(clear, away), clear)
        rows.append(
            Pieces(
                lane,
                np.minimum(clear, nearest_end),
                face,
                np.full(len(face), shift),
                plane=np.concatenate([normal, offset[None]]),
                bounds=np.concatenate([*outward, np.zeros((3, len(face))), np.stack([*bounds, zeros])]),
                is_one_sided=is_solid,
            )
        )
    return rows[0] if len(rows) == 1 else _both(rows[0], rows[1])


def _least_way(body: Body, height: Scalars, normal: Rows, outward: list[Rows], offsets: list[Scalars]) -> Scalars:
    """Return how far the capsule's axis is from going through each face; infinite where it cannot as it stands.

    An axis goes through a face only where a walk starts inside the level: neither end then need be near the face.
    """
    half = body.half_length
    is_between = np.abs(height) < half * np.abs(normal[2])
    beside = [-limit - half * np.abs(across[2]) for across, limit in zip(outward, offsets, strict=True)]
    way: Scalars = np.where(is_between, np.maximum(np.maximum(beside[0], beside[1]), beside[2]), np.inf)
    return way


def _both(one: Pieces, other: Pieces) -> Pieces:
    assert one.plane is not None and other.plane is not None
    assert one.bounds is not None and other.bounds is not None
    assert one.is_one_sided is not None and other.is_one_sided is not None
    return Pieces(
        np.concatenate([one.lane, other.lane]),
        np.concatenate([one.clear, other.clear]),
        np.concatenate([one.feature, other.feature]),
        np.concatenate([one.shift, other.shift]),
        plane=np.concatenate([one.plane, other.plane], axis=1),
        bounds=np.concatenate([one.bounds, other.bounds], axis=1),
        is_one_sided=np.concatenate([one.is_one_sided, other.is_one_sided]),
    )


def edge_pieces(features: Features, body: Body, origin: Vectors, lane: Indices, edge: Indices) -> list[Pieces]:
    """Return a cylinder for each edge and end of the capsule, and the parallelogram between the two."""
    at = origin[lane]
    start = to_walker(features.edge_ends[edge, 0], at, body)
    stop = to_walker(features.edge_ends[edge, 1], at, body)
    along = stop - start
    length = np.sqrt(dot(along, along))
    along = along / np.maximum(length, 1e-300)
    inward = [turned(features.edge_inward[edge, i], body) for i in range(2)]
    feature = edge + len(features.normal)
    parts = []
    for shift in _ends(body):
        point = start.copy()
        point[2] -= shift
        place = np.clip(-dot(point, along), 0.0, length)
        nearest = point + place * along
        clear = np.sqrt(dot(nearest, nearest)) - body.radius
        beside = np.maximum(-dot(point, inward[0]), -dot(point, inward[1])) - TURNED_AWAY * body.radius
        clear = np.maximum(clear, beside)
        if shift < 0:
            clear = np.maximum(clear, np.minimum(start[2], stop[2]) - shift)
        elif shift > 0:
            clear = np.maximum(clear, shift - np.maximum(start[2], stop[2]))
        line = np.concatenate([point, along, length[None]])
        parts.append(Pieces(lane, clear, feature, np.full(len(edge), shift), line=line))
    if body.half_length > 0:
        parts.append(_side_pieces(body, lane, feature, start, stop, along, inward))
    return parts


def _side_pieces(
    body: Body, lane: Indices, feature: Indices, start: Rows, stop: Rows, along: Rows, inward: list[Rows]
) -> Pieces:
    """Return for each edge the upright parallelogram between its two places, touched by the capsule's side."""
    level = np.sqrt(along[0] * along[0] + along[1] * along[1])
    kept = np.flatnonzero(level > UPRIGHT)
    lane, feature, level = lane[kept], feature[kept], level[kept]
    start, stop, along = start[:, kept], stop[:, kept], along[:, kept]
    ahead = along / level  # unit horizontal direction, and the slope as its third component
    normal = np.stack([-ahead[1], ahead[0], np.zeros(len(kept))])
    offset = dot(normal, start)
    rise = ahead[2]
    steepness = np.sqrt(1 + rise * rise)
    first = ahead[0] * start[0] + ahead[1] * start[1]
    last = ahead[0] * stop[0] + ahead[1] * stop[1]
    base = (start[2] - rise * first) / steepness
    half = body.half_length / steepness
    zeros = np.zeros(len(kept))
    over = np.stack([-rise * ahead[0], -rise * ahead[1], np.ones(len(kept))]) / steepness
    limits = np.stack([-first, last, base + half, half - base])

    away = np.abs(offset)
    towards = np.where(offset > 0, -1.0, 1.0)
    blocked = np.maximum(dot(normal, inward[0][:, kept]), dot(normal, inward[1][:, kept])) > TURNED_AWAY
    blocked_back = np.maximum(-dot(normal, inward[0][:, kept]), -dot(normal, inward[1][:, kept])) > TURNED_AWAY
    is_blocked_here = np.where(towards > 0, blocked, blocked_back)
    clear = np.maximum(away - body.radius, -limits.min(axis=0, initial=np.inf))
    clear = np.where(is_blocked_here, np.maximum(clear, away), clear)
    clear = np.where(blocked & blocked_back, np.inf, clear)
    return Pieces(
        lane,
        clear,
        feature,
        np.full(len(kept), np.nan),
        plane=np.concatenate([normal, offset[None]]),
        bounds=np.concatenate(
            [np.stack([-ahead[0], -ahead[1], zeros, ahead[0], ahead[1], zeros]), over, -over, limits]
        ),
        is_one_sided=np.zeros(len(kept), bool),
    )


def corner_pieces(features: Features, body: Body, origin: Vectors, lane: Indices, corner: Indices) -> list[Pieces]:
    """Return for each corner a sphere for each end of the capsule, and the upright cylinder between the two."""
    point = to_walker(features.corner_point[corner], origin[lane], body)
    outward = [turned(features.corner_outward[corner, i], body) for i in range(4)]
    feature = corner + len(features.normal) + len(features.edge_ends)
    parts = []
    for shift in _ends(body):
        centre = point.copy()
        centre[2] -= shift
        clear = np.sqrt(dot(centre, centre)) - body.radius
        for direction in outward:
            clear = np.maximum(clear, -dot(centre, direction) - TURNED_AWAY * body.radius)
        if shift != 0:
            clear = np.maximum(clear, centre[2] if shift < 0 else -centre[2])
        line = np.concatenate([centre, np.zeros((4, len(corner)))])
        parts.append(Pieces(lane, clear, feature, np.full(len(corner), shift), line=line))
    if body.half_length > 0:
        clear = np.maximum(np.hypot(point[0], point[1]) - body.radius, np.abs(point[2]) - body.half_length)
        for direction in outward:
            level = np.hypot(direction[0], direction[1])
            beside = -(point[0] * direction[0] + point[1] * direction[1]) / np.maximum(level, UPRIGHT)
            beside -= TURNED_AWAY * body.radius
            clear = np.maximum(clear, np.where(level > UPRIGHT, beside, -np.inf))
        line = np.zeros((7, len(corner)))
        line[:3] = point
        line[2] -= body.half_length
        line[5] = 1.0
        line[6] = 2 * body.half_length
        parts.append(Pieces(lane, clear, feature, np.full(len(corner), np.nan), line=line))
    return parts
