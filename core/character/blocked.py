"""Blocked: why a wall stopped a walker, with the number that was found and the one that is allowed."""

import math

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices, Level, Mask, Rows, Scalars, expand, is_any, nonzero
from ..events import EventKind
from ..geometry.axes import dot, level_dot
from ..geometry.cast import cast
from ..geometry.contacts import find_touches
from ..geometry.ground import judge
from ..world import World
from .foothold import has_ground_above
from .look import look_around
from .state import GROUNDED
from .stride import Stride

LOOK = 1.0  # of the radius: how far beyond the contact is looked for a way on
STUCK = 0.1  # of the wished way: a walker that comes forward by less is at rest
UPRIGHT = 0.1  # upward component of a normal below which a surface counts as upright
FACING = -0.85  # cosine between the normals of two walls below which they face each other
BESIDE = 0.9  # cosine between the normals at two edges below which they are not one and the same corner
JUST = 1e-4  # share by which a gap may be too narrow without being told
SURELY = 1 - 1e-6  # of a way: what is hit later may be missed by another rounding
PAIRS_AT_ONCE = 1 << 18  # of contacts: finely divided walls have many, and their pairs are to fit into memory
STEEPEST = math.radians(89)  # steeper than this is a wall and no slope


def explain(world: World, stride: Stride, wish: Level) -> None:
    """Record which rule stops the walkers that walls have begun to stop.

    It is looked for when a wall is touched first, and once more when the walker comes to rest there: only then may
    both sides of a gap be touched. In this order: ground over the slope limit; something that could be stepped on
    if it were lower; a passage that is free for a lower character, or for a narrower one. A plain wall is none of
    these.
    """
    memory = stride.memory
    touches = stride.walls[0] >= 0
    if not is_any(touches):
        if is_any(memory.is_explained) or is_any(memory.is_stuck):
            memory.is_explained = memory.is_stuck = np.zeros(len(touches), bool)
        return
    moved = stride.offset - stride.start
    asked = np.sqrt(wish[0] ** 2 + wish[1] ** 2) * stride.dt
    is_stuck = touches & (asked > 0) & (np.sqrt(dot(moved, moved)) < STUCK * asked)
    begins = (stride.walls_before[0] < 0) | (is_stuck & ~memory.is_stuck)
    untold = nonzero(touches & begins & ~memory.is_explained & (stride.support == GROUNDED))
    is_explained = memory.is_explained & touches
    if len(untold):
        few = stride.of(untold, _looked(stride), 0.0)
        few.wall_object = stride.wall_object[untold]
        is_found = np.zeros(len(untold), bool)
        for look in (_explain_slope, _explain_step, _explain_head_room, _explain_width):
            rest = nonzero(~is_found)
            if len(rest):
                is_found[look(world, few, rest)] = True
        stride.take_events(few, untold)
        is_explained[untold[is_found]] = True
    memory.is_explained, memory.is_stuck = is_explained, is_stuck


def _explain_slope(world: World, stride: Stride, lanes: Indices) -> Indices:
    """Return those of `lanes` (k,) that ground over the slope limit stops, and tell of it; this and the next alike."""
    upward = stride.wall_face[2][lanes]
    angle = np.arccos(np.clip(upward, -1, 1))
    found = nonzero((angle > stride.settings.slope_limit) & (angle < STEEPEST))
    _note(stride, EventKind.TOO_STEEP, lanes[found], angle[found], stride.settings.slope_limit)
    return lanes[found]


def _ahead(stride: Stride, lanes: Indices) -> Rows:
    """Return the way (3, k) from `lanes` on through what stops them."""
    into = -stride.wall_normal.take(lanes, axis=1)
    into[2] = 0.0
    way: Rows = into / np.maximum(np.sqrt(dot(into, into)), 1e-9) * _looked(stride)
    return way


def _looked(stride: Stride) -> float:
    """Return how far ahead is looked, m."""
    return LOOK * stride.settings.radius + 2 * stride.settings.skin_width


def _explain_step(world: World, stride: Stride, lanes: Indices) -> Indices:
    """Look for ground ahead that is too high: up by the character's height, forward, and down."""
    settings = stride.settings
    may = has_ground_above(world, stride, lanes, _ahead(stride, lanes), settings.step_offset, settings.height)
    lanes = lanes[may]
    if not len(lanes):
        return lanes
    near = look_around(world, stride, lanes, settings.span, _looked(stride), settings.height)
    every = np.arange(len(lanes))
    offset = np.zeros((3, len(lanes)))
    up, down = np.zeros(offset.shape), np.zeros(offset.shape)
    up[2] = settings.height
    hits = cast(near, offset, up, every)
    offset = offset + up * hits.fraction * (1 - 1e-6)
    way = _ahead(stride, lanes)
    is_open = cast(near, offset, way, every).row < 0
    offset = offset + way
    down[2] = -settings.height
    hits = cast(near, offset, down, nonzero(is_open))
    struck = nonzero(hits.row >= 0)
    judged = judge(near, hits.row[struck], hits.normal.take(struck, axis=1), settings.slope_limit)
    height = (offset + down * hits.fraction)[2, struck]  # the lower end of the axis is as far over any ground
    found = judged.is_walkable & (height > settings.step_offset)
    _note(stride, EventKind.TOO_HIGH, lanes[struck[found]], height[found], settings.step_offset)
    return lanes[struck[found]]


def _explain_head_room(world: World, stride: Stride, lanes: Indices) -> Indices:
    """Look whether a ball of the character's width could go on, and how high the passage is there."""
    settings = stride.settings
    lanes = lanes[~_bars_ball(stride, lanes)]
    if not len(lanes):
        return lanes
    near = look_around(world, stride, lanes, 0.0, _looked(stride), settings.height)
    every = np.arange(len(lanes))
    offset = np.zeros((3, len(lanes)))
    way = _ahead(stride, lanes)
    is_open = cast(near, offset, way, every).row < 0
    up = np.zeros(offset.shape)
    up[2] = settings.height
    hits = cast(near, offset + way, up, nonzero(is_open))
    struck = nonzero(hits.row >= 0)
    skins = 2 * (stride.body.radius - settings.radius)
    room = hits.fraction[struck] * settings.height + 2 * settings.radius + skins
    found = room < settings.height + skins
    _note(stride, EventKind.TOO_LOW, lanes[struck[found]], room[found], settings.height + skins)
    return lanes[struck[found]]


def _bars_ball(stride: Stride, lanes: Indices) -> Mask:
    """Return for which of `lanes` (k,) something near bars the way on to the lower end of the capsule alone."""
    way = np.zeros(stride.offset.shape)
    way[:, lanes] = _ahead(stride, lanes)
    hits = stride.cast(way, lanes)
    is_low = (stride.near.shift(hits.found_rows) == 0) & (hits.found_fraction < SURELY)
    is_barred = np.zeros(stride.offset.shape[1], bool)
    is_barred[stride.near.lane[hits.found_rows[is_low]]] = True
    return is_barred[lanes]


def _explain_width(world: World, stride: Stride, lanes: Indices) -> Indices:
    """Look for two walls that the character touches from both sides, and measure the gap between them."""
    settings = stride.settings
    reach = np.full(stride.offset.shape[1], -np.inf)
    reach[lanes] = settings.skin_width
    touches = find_touches(stride.near, stride.offset, reach)
    at = nonzero(np.abs(touches.normal[2]) < UPRIGHT)
    at = at[np.argsort(touches.lane[at], kind="stable")]
    rows, lane, normal = touches.row[at], touches.lane[at], touches.normal.take(at, axis=1)
    is_edge = stride.judge(rows, normal).is_edge
    width = _widths(len(reach), lane, normal[:2], touches.gap[at] + stride.body.radius, is_edge)[lanes]
    needed = 2 * (settings.radius + settings.skin_width)
    found = nonzero(width < needed * (1 - JUST))
    _note(stride, EventKind.TOO_NARROW, lanes[found], width[found], needed)
    return lanes[found]


def _widths(n: int, lane: Indices, normal: NDArray[np.float64], distance: Scalars, is_edge: Mask) -> Scalars:
    """Return for each of n lanes the smallest gap between two contacts that stand on both sides of the way; infinite
    for none.

    The contacts (k,) are in the order of their lanes. `normal` (2, k) is level and points to the axis, which is at
    `distance` (k,). Two edges make a gap, and two walls that face each other; two walls that meet at an angle are a
    corner, which no narrower character passes.
    """
    place, width = np.arange(len(lane)), np.full(n, np.inf)
    others = np.searchsorted(lane, lane, side="right") - place - 1  # of the same lane, after each
    for some in np.array_split(place, 1 + int(others.sum()) // PAIRS_AT_ONCE):
        i, j = some.repeat(others[some]), expand(some + 1, others[some])
        one, other = normal.take(i, axis=1), normal.take(j, axis=1)
        facing = level_dot(one, other)
        is_gap = (facing < FACING) | (is_edge[i] & is_edge[j] & (facing < BESIDE))
        apart = one * distance[i] - other * distance[j]
        np.minimum.at(width, lane[i], np.where(is_gap, np.hypot(apart[0], apart[1]), np.inf))
    return width


def _note(stride: Stride, kind: EventKind, lanes: Indices, value: np.ndarray, limit: float) -> None:
    stride.note(kind, lanes, stride.wall_normal.take(lanes, axis=1), stride.wall_object[lanes], value, limit)
