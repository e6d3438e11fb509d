"""Blocked: why a wall stopped a walker, with the number that was found and the one that is allowed."""

import math

import numpy as np

from .arrays import Indices, Rows
from .cast import cast
from .contacts import find_touches
from .events import EventKind
from .ground import judge
from .near import Near, gather
from .pieces import dot
from .stride import Stride
from .world import World

LOOK = 1.0  # of the radius: how far beyond the contact is looked for a way on
STEEPEST = math.radians(89)  # steeper than this is a wall and no slope


def explain(world: World, stride: Stride, lanes: Indices) -> None:
    """Record for `lanes`, which a wall has begun to stop, which rule stopped them.

    In this order: ground over the slope limit; something that could be stepped on if it were lower; a passage that
    is free for a lower character, or for a narrower one. A plain wall is none of these.
    """
    rest = _explain_slope(stride, lanes)
    if len(rest):
        rest = _explain_step(world, stride, rest)
    if len(rest):
        rest = _explain_head_room(world, stride, rest)
    if len(rest):
        _explain_width(stride, rest)


def _explain_slope(stride: Stride, lanes: Indices) -> Indices:
    upward = stride.wall_face[2, lanes]
    angle = np.arccos(np.clip(upward, -1, 1))
    found = np.flatnonzero((angle > stride.settings.slope_limit) & (angle < STEEPEST))
    _note(stride, EventKind.TOO_STEEP, lanes[found], angle[found], stride.settings.slope_limit)
    return np.setdiff1d(lanes, lanes[found])


def _look_around(world: World, stride: Stride, lanes: Indices, span: float, up: float) -> Near:
    """Gather the pieces around `lanes` for a capsule of another height, for looks up to `up` metres upwards."""
    settings = stride.settings
    origin = stride.positions()[lanes] + np.asarray(settings.up) * settings.radius
    reach = np.full(len(lanes), up + 4 * settings.radius)
    spans = np.full(len(lanes), span)
    return gather(world.features, world.grid, stride.body, spans, origin, reach, reach)


def _ahead(stride: Stride, lanes: Indices) -> Rows:
    """Return the way (3, k) from `lanes` on through what stops them."""
    into = -stride.wall_normal[:, lanes]
    into[2] = 0.0
    length = LOOK * stride.settings.radius + 2 * stride.settings.skin_width
    way: Rows = into / np.maximum(np.sqrt(dot(into, into)), 1e-9) * length
    return way


def _explain_step(world: World, stride: Stride, lanes: Indices) -> Indices:
    """Look for ground ahead that is too high: up by the character's height, forward, and down."""
    settings = stride.settings
    near = _look_around(world, stride, lanes, settings.span, 2 * settings.height)
    every = np.arange(len(lanes))
    offset = np.zeros((3, len(lanes)))
    up, down = np.zeros_like(offset), np.zeros_like(offset)
    up[2] = settings.height
    hits = cast(near, offset, up, every)
    offset = offset + up * hits.fraction * (1 - 1e-6)
    way = _ahead(stride, lanes)
    is_open = cast(near, offset, way, every).row < 0
    offset = offset + way
    down[2] = -settings.height
    hits = cast(near, offset, down, np.flatnonzero(is_open))
    struck = np.flatnonzero(hits.row >= 0)
    judged = judge(world.features, near, hits.row[struck], hits.normal[:, struck], settings.slope_limit)
    height = (offset + down * hits.fraction)[2, struck]  # the lower end of the axis is as far over any ground
    found = judged.is_walkable & (height > settings.step_offset)
    _note(stride, EventKind.TOO_HIGH, lanes[struck[found]], height[found], settings.step_offset)
    return np.setdiff1d(lanes, lanes[struck[found]])


def _explain_head_room(world: World, stride: Stride, lanes: Indices) -> Indices:
    """Look whether a ball of the character's width could go on, and how high the passage is there."""
    settings = stride.settings
    near = _look_around(world, stride, lanes, 0.0, settings.height)
    every = np.arange(len(lanes))
    offset = np.zeros((3, len(lanes)))
    way = _ahead(stride, lanes)
    is_open = cast(near, offset, way, every).row < 0
    up = np.zeros_like(offset)
    up[2] = settings.height
    hits = cast(near, offset + way, up, np.flatnonzero(is_open))
    struck = np.flatnonzero(hits.row >= 0)
    skins = 2 * (stride.body.radius - settings.radius)
    room = hits.fraction[struck] * settings.height + 2 * settings.radius + skins
    found = room < settings.height + skins
    _note(stride, EventKind.TOO_LOW, lanes[struck[found]], room[found], settings.height + skins)
    return np.setdiff1d(lanes, lanes[struck[found]])


def _explain_width(stride: Stride, lanes: Indices) -> None:
    """Look for two walls that the character touches from both sides, and measure the gap between them."""
    settings = stride.settings
    reach = np.full(stride.offset.shape[1], -np.inf)
    reach[lanes] = settings.skin_width
    touches = find_touches(stride.near, stride.offset, reach)
    into = -stride.wall_normal
    needed = 2 * stride.body.radius
    for lane in lanes:
        at = np.flatnonzero((touches.lane == lane) & (np.abs(touches.normal[2]) < 0.1))
        normal, gap = touches.normal[:, at], touches.gap[at]
        across = np.stack([-into[1, lane], into[0, lane]]) / max(math.hypot(into[0, lane], into[1, lane]), 1e-9)
        side = across @ normal[:2]
        left, right = side > 0.05, side < -0.05
        if not (left.any() and right.any()):
            continue
        beside = side * (gap + stride.body.radius)  # of the axis, measured across the way
        width = float(beside[left].min() - beside[right].max())
        if width < needed:
            _note(stride, EventKind.TOO_NARROW, np.array([lane]), np.array([width]), needed)


def _note(stride: Stride, kind: EventKind, lanes: Indices, value: np.ndarray, limit: float) -> None:
    stride.note(kind, lanes, stride.wall_normal[:, lanes], stride.wall_object[lanes], value, limit)
