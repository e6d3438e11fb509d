"""Mantle: pulling up on a ledge that is too high to step on."""

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices, Level, Mask, Rows, Scalars, is_any, nonzero
from ..geometry.axes import dot, turned
from ..geometry.cast import advance, cast
from ..geometry.ground import judge
from ..settings import Settings
from .foothold import has_foothold
from .ladder import wish_into_wall
from .memory import MANTLE, NONE
from .stand import stand
from .state import AIRBORNE
from .stride import Stride

STALLED = 4  # steps after which a walker that something stops on its way up lets go


def begin_mantles(stride: Stride, wish: Level) -> None:
    """Let walkers that push against a ledge within reach begin to pull themselves up.

    The ledge must be above the step offset and within the mantle height, walkable, and with room to stand; the way
    is up along the wall, then forward by the capsule's width.
    """
    settings, memory = stride.settings, stride.memory
    if not settings.mantle_height or not is_any(memory.wall_normal):
        return
    at_wall = memory.wall_normal.any(axis=1) & (memory.action == NONE)
    into, _, is_meant = wish_into_wall(stride, wish)
    lanes = nonzero(at_wall & is_meant)
    if not len(lanes):
        return
    forward = into.take(lanes, axis=1) * (settings.radius + 2 * settings.skin_width)
    few = stride.of(lanes, *mantle_reach(settings))
    tried = nonzero(_may_have_ledges(few, forward))
    if not len(tried):
        return
    rise = _find_ledges(few, tried, forward)
    reachable = nonzero((rise > settings.step_offset) & (rise <= settings.mantle_height))
    if len(reachable):
        there, places = _find_places(few, reachable, rise, forward)
        _begin(stride, lanes[there], places)


def mantle_reach(settings: Settings) -> tuple[float, float]:
    """Return how far sideways and along up a ledge may matter, m: the wall is the radius away, and the ledge behind
    it carries if it is touched by its border."""
    return 2 * settings.radius + 4 * settings.skin_width, settings.mantle_height + 2 * settings.radius


def _may_have_ledges(stride: Stride, forward: Rows) -> Mask:
    """Return which lanes (n,) may have a ledge within reach, `forward` (3, n) from them, by the near pieces."""
    settings = stride.settings
    at = stride.offset + forward
    low, high = at[2] + settings.step_offset, at[2] + settings.mantle_height + settings.skin_width
    return has_foothold(stride.near, settings.slope_limit, at, np.zeros(len(low)), low, high)


def _find_ledges(stride: Stride, lanes: Indices, forward: Rows) -> Scalars:
    """Return how high the ledges ahead of `lanes` (k,) are, (n,) m; zero for none.

    The character goes up as far as there is room; from there its lower end feels for them, `forward` (3, n) and down.
    """
    near, short = stride.near, stride.body.stop_short
    offset, up, down = stride.offset.copy(), np.zeros(forward.shape), np.zeros(forward.shape)
    up[2] = stride.settings.mantle_height + stride.settings.skin_width
    down[2, lanes] = -up[2][lanes] * advance(offset, up, cast(near, offset, up, lanes), lanes, short)
    lower = near.lower_ends()
    lanes = lanes[cast(lower, offset, forward, lanes).row[lanes] < 0]
    offset += forward
    hits = cast(lower, offset, down, lanes)
    found = lanes[hits.row[lanes] >= 0]
    judged = judge(lower, hits.row[found], hits.normal.take(found, axis=1), stride.settings.slope_limit)
    advance(offset, down, hits, found, short)
    found = found[judged.is_walkable]
    rise = np.zeros(forward.shape[1])
    rise[found] = offset[2][found] - stride.offset[2][found]
    return rise


def _find_places(stride: Stride, lanes: Indices, rise: Scalars, forward: Rows) -> tuple[Indices, NDArray[np.float64]]:
    """Return the lanes that have room to stand on their ledge, and where their feet are then, (k, 3).

    `rise` (n,) and `forward` (3, n) lead there; the lanes of `stride` are left there.
    """
    up = np.zeros(forward.shape)
    up[2] = rise + stride.settings.skin_width / 2
    lanes = lanes[stride.cast(up, lanes).row[lanes] < 0]
    stride.offset[:, lanes] += up.take(lanes, axis=1)
    lanes = lanes[stride.cast(forward, lanes).row[lanes] < 0]
    stride.offset[:, lanes] += forward.take(lanes, axis=1)
    if len(lanes):
        lanes = lanes[stand(stride, -up, lanes)]
    return lanes, stride.positions()[lanes]


def _begin(stride: Stride, lanes: Indices, places: NDArray[np.float64]) -> None:
    memory = stride.memory
    action, to, time = memory.action.copy(), memory.action_velocity.copy(), memory.action_time.copy()
    action[lanes], to[lanes], time[lanes] = MANTLE, places, 0.0
    memory.action, memory.action_velocity, memory.action_time = action, to, time


def mantle(stride: Stride, lanes: Indices) -> None:
    """Move `lanes` towards their ledges, up first, and let them stand when they are there."""
    settings, memory = stride.settings, stride.memory
    target = turned(memory.action_velocity - stride.positions(), stride.body)
    budget = max(settings.climb_speed, settings.speed / 2) * stride.dt
    rise = np.clip(target[2], 0.0, budget)
    level = target.copy()
    level[2] = 0.0
    length = np.sqrt(dot(level, level))
    forward = level * (np.minimum(np.maximum(budget - rise, 0.0), length) / np.maximum(length, 1e-9))
    up: Rows = np.zeros(target.shape)
    up[2] = rise
    blocked = np.zeros(len(memory.action), bool)
    for way in (up, forward):
        hits = stride.cast(way, lanes)
        stride.advance(way, hits, lanes)
        blocked[lanes] |= hits.row[lanes] >= 0
    stride.velocity[:, lanes] = (up + forward)[:, lanes] / stride.dt
    stride.support[lanes] = AIRBORNE
    there = nonzero((rise < budget) & (length <= budget - rise + 1e-9) & (memory.action == MANTLE))
    done = np.union1d(there, nonzero(blocked & (memory.action_time > STALLED * stride.dt)))
    if len(there):
        down = np.zeros(target.shape)
        down[2, there] = -2 * settings.skin_width
        stand(stride, down, there)
        stride.velocity[:, there] = 0.0
    action = memory.action.copy()
    action[done] = NONE
    memory.action = action
