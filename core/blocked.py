"""Blocked: why a wall stopped a walker, with the number that was found and the one that is allowed."""

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from .arrays import Indices, Rows, nonzero
from .cast import cast
from .contacts import find_touches
from .events import EventKind
from .ground import judge
from .near import Near, gather
from .pieces import dot
from .state import GROUNDED
from .stride import Stride
from .world import World

LOOK = 1.0  # of the radius: how far beyond the contact is looked for a way on
STUCK = 0.1  # of the wished way: a walker that comes forward by less is at rest
UPRIGHT = 0.1  # upward component of a normal below which a surface counts as upright
OPPOSITE = 0.1  # length of the sum of normals below which walls face each other
STEEPEST = math.radians(89)  # steeper than this is a wall and no slope


def explain(world: World, stride: Stride, wish: NDArray[np.float64]) -> None:
    """Record which rule stops the walkers that walls have begun to stop.

    It is looked for when a wall is touched first, and once more when the walker comes to rest there: only then may
    both sides of a gap be touched. In this order: ground over the slope limit; something that could be stepped on
    if it were lower; a passage that is free for a lower character, or for a narrower one. A plain wall is none of
    these.
    """
    memory = stride.memory
    touches = stride.walls[0] >= 0
    if not touches.any():
        if memory.is_explained.any() or memory.is_stuck.any():
            none = np.zeros(len(touches), bool)
            stride.memory = replace(memory, is_explained=none, is_stuck=none)
        return
    moved = stride.offset - stride.start
    asked = np.sqrt(wish[0] ** 2 + wish[1] ** 2) * stride.dt
    is_stuck = touches & (asked > 0) & (np.sqrt(dot(moved, moved)) < STUCK * asked)
    begins = (stride.walls_before[0] < 0) | (is_stuck & ~memory.is_stuck)
    untold = nonzero(touches & begins & ~memory.is_explained & (stride.support == GROUNDED))
    is_explained = memory.is_explained & touches
    rest = untold
    for look in (_explain_slope, _explain_step, _explain_head_room, _explain_width):
        if len(rest):
            rest = look(world, stride, rest)
    is_explained[np.setdiff1d(untold, rest)] = True
    stride.memory = replace(memory, is_explained=is_explained, is_stuck=is_stuck)


def _explain_slope(world: World, stride: Stride, lanes: Indices) -> Indices:
    upward = stride.wall_face[2, lanes]
    angle = np.arccos(np.clip(upward, -1, 1))
    found = nonzero((angle > stride.settings.slope_limit) & (angle < STEEPEST))
    _note(stride, EventKind.TOO_STEEP, lanes[found], angle[found], stride.settings.slope_limit)
    return np.setdiff1d(lanes, lanes[found])


def _look_around(world: World, stride: Stride, lanes: Indices, span: float, up: float) -> Near:
    """Gather the pieces around `lanes` for a capsule of another height, for looks up to `up` metres upwards."""
    settings = stride.settings
    origin = stride.positions()[lanes] + np.asarray(settings.up) * settings.radius
    across = np.full(len(lanes), LOOK * settings.radius + 4 * settings.skin_width)
    spans = np.full(len(lanes), span)
    return gather(world.features, world.grid, stride.body, spans, origin, across, np.full(len(lanes), up))


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
    near = _look_around(world, stride, lanes, settings.span, settings.height)
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
    hits = cast(near, offset, down, nonzero(is_open))
    struck = nonzero(hits.row >= 0)
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
    hits = cast(near, offset + way, up, nonzero(is_open))
    struck = nonzero(hits.row >= 0)
    skins = 2 * (stride.body.radius - settings.radius)
    room = hits.fraction[struck] * settings.height + 2 * settings.radius + skins
    found = room < settings.height + skins
    _note(stride, EventKind.TOO_LOW, lanes[struck[found]], room[found], settings.height + skins)
    return np.setdiff1d(lanes, lanes[struck[found]])


def _explain_width(world: World, stride: Stride, lanes: Indices) -> Indices:
    """Look for two walls that the character touches from both sides, and measure the gap between them."""
    settings = stride.settings
    reach = np.full(stride.offset.shape[1], -np.inf)
    reach[lanes] = settings.skin_width
    touches = find_touches(stride.near, stride.offset, reach)
    needed, found = 2 * stride.body.radius, []
    for lane in lanes:
        at = nonzero((touches.lane == lane) & (np.abs(touches.normal[2]) < UPRIGHT))
        level = touches.normal[:2, at]
        if len(at) < 2:
            continue
        ahead = level.sum(axis=1)
        is_between = np.hypot(*ahead) < OPPOSITE  # two walls face each other, and the way on is along them
        across = level[:, 0] if is_between else np.array([-ahead[1], ahead[0]]) / np.hypot(*ahead)
        beside = (across @ level) * (touches.gap[at] + stride.body.radius)  # of the axis, measured across the way
        width = float(beside.max() - beside.min())
        if beside.min() < 0 < beside.max() and width < needed - stride.settings.skin_width / 2:
            _note(stride, EventKind.TOO_NARROW, np.array([lane]), np.array([width]), needed)
            found.append(lane)
    return np.setdiff1d(lanes, found)


def _note(stride: Stride, kind: EventKind, lanes: Indices, value: np.ndarray, limit: float) -> None:
    stride.note(kind, lanes, stride.wall_normal[:, lanes], stride.walls[0, lanes], value, limit)
