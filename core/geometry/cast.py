"""Cast: where moving capsules first touch the pieces around them. Exact: each piece has a closed formula."""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ..arrays import Indices, Rows, Scalars, nonzero
from .axes import dot, lane_dot, spread
from .body import Body
from .fronts import is_inside_fence
from .near import SLACK, Near

BORDER = 1e-4
"""Share of the radius by which a piece reaches over its border, to close the gap at what `features.FLAT` left out."""
INWARDS = 1e-7
"""Cosine of the motion to a surface below which a capsule that touches it already is held to move along it."""


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """The first hit of each lane.

    Attributes
    ----------
    fraction : (n,) float
        Share of the displacement before the hit; 1 where nothing is hit.
    row : (n,) int
        Row of the near pieces that is hit; -1 where nothing is.
    normal : (3, n) float
        From the level to the capsule, in the walker's axes; zeros where nothing is hit.
    found_rows, found_fraction : (k,)
        All pieces that are in the way, and where; the first hits are among them.
    found_normal : (3, k) float
    """

    fraction: Scalars
    row: Indices
    normal: Rows
    found_rows: Indices
    found_fraction: Scalars
    found_normal: Rows


def rows_within(near: Near, reach: Scalars) -> tuple[Indices, Indices]:
    """Return the flat and the round rows whose pieces may be touched within `reach` (n,) of the origins.

    A lane with a negative infinite reach has none.
    """
    rows = nonzero(near.clear <= spread(reach, near.lane))
    split = int(rows.searchsorted(near.flat))
    return rows[:split], rows[split:]


def reach_of(offset: Rows, way: Rows, lanes: Indices) -> Scalars:
    """Return how far from the origin each of `lanes` gets on `way`; minus infinity for the other lanes.

    On a straight way that is at one of its ends.
    """
    if offset.shape[1] == len(lanes) == 1:
        ends = offset[:, 0].tolist(), (offset + way)[:, 0].tolist()
        return np.array([max(math.hypot(*ends[0]), math.hypot(*ends[1])) + SLACK])
    reach = np.full(offset.shape[1], -np.inf)
    at = offset.take(lanes, axis=1)
    to = at + way.take(lanes, axis=1)
    reach[lanes] = np.sqrt(np.maximum(dot(at, at), dot(to, to))) + SLACK
    return reach


def cast(near: Near, offset: Rows, way: Rows, lanes: Indices) -> Hits:
    """Move capsules along a displacement to their first hit.

    A capsule that touches or overlaps a piece at the start is hit at fraction 0 when it moves into it, and not
    when it moves along it or out of it.

    Parameters
    ----------
    near : Near
        The pieces, which must cover the motion.
    offset, way : (3, n) float, m
        Where the centres are, from the origins of `near`, and where they go from there.
    lanes : (k,) int
        The lanes that move; no other is hit.
    """
    flat, round_ = rows_within(near, reach_of(offset, way, lanes))
    rows, share, normals = _cast_flat(near, flat, offset, way) if len(flat) else NOTHING
    if len(round_):
        others, later, of_others = _cast_round(near, round_, offset, way)
        if len(others):
            rows, share = np.concatenate([others, rows]), np.concatenate([later, share])
            normals = np.concatenate([of_others, normals], axis=1)
    n = offset.shape[1]
    if not len(rows):
        return _no_hits(n)
    fraction, row, normal = np.full(n, 1.0), np.full(n, -1, np.intp), np.zeros((3, n))
    order = (-share).argsort(kind="stable")  # the last of equal indices stays: the nearest, flat before round
    lane = near.lane[rows[order]]
    fraction[lane] = share[order]
    row[lane] = rows[order]
    normal[:, lane] = normals.take(order, axis=1)
    return Hits(fraction, row, normal, rows, share, normals)


def most_overlap(body: Body) -> float:
    """Return how far (m) a body may overlap the front of what counts from its front alone: by its skin."""
    return body.skin + BORDER * body.radius


Found = tuple[Indices, Scalars, Rows]  # rows that are hit, fractions, normals
NOTHING: Found = np.zeros(0, np.intp), np.zeros(0), np.zeros((3, 0))


@lru_cache(maxsize=64)
def _no_hits(n: int) -> Hits:
    """Return that none of n lanes hits anything."""
    hits = Hits(np.ones(n), np.full(n, -1, np.intp), np.zeros((3, n)), *NOTHING)
    for values in (hits.fraction, hits.row, hits.normal):
        values.setflags(write=False)
    return hits


def _cast_flat(near: Near, rows: Indices, offset: Rows, way: Rows) -> Found:
    """Hit flat pieces: the plane at the distance of the radius, then the test inside the piece's borders."""
    radius, lane, plane = near.body.radius, near.lane[rows], near.planes(rows)
    distance = lane_dot(plane[:3], offset, lane) - plane[3]
    rate = lane_dot(plane[:3], way, lane)
    side = np.where(distance < 0.0, plane[4], 1.0)
    distance, rate = distance * side, rate * side
    is_hit = (rate < 0.0) & (distance + rate < radius) & (distance >= 0.0)
    if near.features.has_fronts:
        is_hit &= ~near.is_front(rows) | (distance >= radius - most_overlap(near.body))
    hit = nonzero(is_hit)
    if not len(hit):
        return NOTHING
    rows, lane, distance, rate = rows[hit], lane[hit], distance[hit], rate[hit]
    normal = plane[:3].take(hit, axis=1) * side[hit]
    at, along = offset.take(lane, axis=1), way.take(lane, axis=1)
    touching = distance <= radius
    share = np.where(touching, 0.0, (radius - distance) / rate)
    place = at + share * along
    _, beyond = near.borders(rows, place)
    is_hit = beyond.max(axis=0) <= radius * BORDER
    is_hit &= ~touching | (rate < -INWARDS * np.sqrt(dot(along, along)))
    hit = nonzero(is_hit)
    return rows[hit], share[hit], normal.take(hit, axis=1)


def _cast_round(near: Near, rows: Indices, offset: Rows, way: Rows) -> Found:
    """Hit cylinders and spheres: the quadratic in the plane across the axis, then the test along the axis."""
    radius, lane, line = near.body.radius, near.lane[rows], near.lines(rows)
    axis = line[3:6]
    at = spread(offset, lane) - line[:3]
    place = dot(at, axis)
    at = at - place * axis
    gap, half = dot(at, at) - radius * radius, lane_dot(at, way, lane)
    close = nonzero((half < 0.0) & (gap + half + half < 0.0))  # it comes nearer, and by enough
    if not len(close):
        return NOTHING
    rows, gap, place, length = rows[close], gap[close], place[close], line[6][close]
    at, axis, along = at.take(close, axis=1), axis.take(close, axis=1), way.take(lane[close], axis=1)
    pace = dot(along, axis)
    along = along - pace * axis
    square, half = dot(along, along), dot(at, along)
    root = half * half - square * gap
    touching = gap <= 0.0
    share = np.where(touching, 0.0, gap / np.maximum(np.sqrt(np.maximum(root, 0.0)) - half, 1e-300))  # the smaller root
    normal = at + share * along
    normal /= np.maximum(np.sqrt(dot(normal, normal)), 1e-300)
    place = place + share * pace
    border = radius * BORDER
    is_hit = (half < 0.0) & (root > 0.0) & (share < 1.0) & (place >= -border) & (place <= length + border)
    is_hit &= ~touching | (dot(normal, along) < -INWARDS * np.sqrt(square + pace * pace))
    if near.features.has_fronts:
        least = radius - most_overlap(near.body)
        is_hit &= ~near.is_front(rows) | (gap >= least * least - radius * radius)
        there = nonzero(is_hit)
        fences = near.fences(rows[there])
        is_hit[there] = is_inside_fence(fences, normal.take(there, axis=1), near.features, near.body)
    hit = nonzero(is_hit)
    return rows[hit], share[hit], normal.take(hit, axis=1)


def advance(offset: Rows, way: Rows, hits: Hits, lanes: Indices, stop_short: float) -> Scalars:
    """Move `lanes` (k,) of `offset` (3, n), in place, along `way` up to what they hit.

    A motion stops short of a surface by `stop_short` (m), measured along the normal. Returns the share of the way
    (k,) that each lane went.
    """
    along, share = way.take(lanes, axis=1), np.full(len(lanes), 1.0)
    if len(hits.found_rows):
        rate = -dot(hits.normal.take(lanes, axis=1), along)
        short = np.where(rate > 0.0, stop_short / np.maximum(rate, 1e-300), 0.0)
        share = np.maximum(hits.fraction[lanes] - short, 0.0)
        along = along * share
    if offset.shape[1] == len(lanes) == 1:
        offset += along
    else:
        offset[:, lanes] += along
    return share
