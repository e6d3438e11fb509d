"""Fall: vertical motion through the air, sliding down what is too steep, until something carries."""

import numpy as np

from ..arrays import Indices, Mask, Rows, Scalars, nonzero
from ..events import EventKind
from ..geometry.clip import clip_velocity
from .memory import DASH
from .stand import stand_on_touched
from .state import AIRBORNE
from .stride import Stride
from .walk import STILL, locked_walls
from .wedge import find_creases


def rises(stride: Stride, lanes: Indices) -> Mask:
    """Return which of `lanes` (k,) end the step higher than they began it, if nothing is in the way."""
    first, last = _speeds(stride, lanes)
    upward: Mask = first + last > 0
    return upward


def rise_or_fall(stride: Stride, lanes: Indices) -> None:
    """Move airborne or sliding `lanes` (k,) up or down for one step of gravity.

    The way is that of the exact integral, v t - g t² / 2, so that a jump reaches the same height at any step rate.
    A ceiling ends the rise; what is too steep turns the fall into sliding; what is walkable ends it.
    """
    if not len(lanes):
        return
    first, last = _speeds(stride, lanes)
    up = np.zeros(stride.offset.shape)
    up[2, lanes] = (first + last) / 2 * stride.dt
    stride.velocity[2, lanes] = last
    stride.support[lanes] = AIRBORNE
    rising = lanes[up[2][lanes] > 0]
    if len(rising):
        _rise(stride, up, rising)
    falling = lanes[up[2][lanes] <= 0]
    if len(falling):
        _fall(stride, up, falling)
        find_creases(stride, falling)
    in_air = lanes[stride.support[lanes] == AIRBORNE]
    stride.ground_normal[:, in_air] = 0.0
    stride.ground_object[in_air] = -1
    stride.ground_face[in_air] = -1


def _speeds(stride: Stride, lanes: Indices) -> tuple[Scalars, Scalars]:
    """Return the upward speeds (k,) at the start and at the end of the step; a dash floats."""
    settings = stride.settings
    floats = stride.memory.action[lanes] == DASH
    first = np.where(floats, 0.0, stride.velocity[2][lanes])
    last = np.maximum(first - settings.fall_acceleration * stride.dt, -settings.terminal_speed)
    return first, np.where(floats, 0.0, last)


def _rise(stride: Stride, up: Rows, lanes: Indices) -> None:
    hits = stride.cast(up, lanes)
    stride.advance(up, hits, lanes)
    struck = lanes[hits.row[lanes] >= 0]
    stride.velocity[2, struck] = np.minimum(stride.velocity[2][struck], 0.0)
    stride.note(EventKind.HIT_CEILING, struck, hits.normal.take(struck, axis=1), stride.objects_hit(hits, struck))


def _fall(stride: Stride, way: Rows, lanes: Indices) -> None:
    """Move `lanes` along `way`, at first straight down, along the steep surfaces that they meet."""
    fallen = way.copy()
    locks = locked_walls(stride)
    slopes = np.zeros((stride.settings.max_slides + len(locks), *stride.offset.shape))
    slopes[: len(locks)] = locks or 0.0
    count = np.full(stride.offset.shape[1], len(locks))
    left = np.ones(stride.offset.shape[1])
    moving = lanes
    for _ in range(stride.settings.max_slides):
        hits = stride.cast(way, moving)
        left[moving] *= 1 - stride.advance(way, hits, moving)
        met = moving[hits.row[moving] >= 0]
        if not len(met):
            return
        normal = hits.normal.take(met, axis=1)
        is_carried = stand_on_touched(stride, met)
        stride.velocity[2, met[is_carried]] = 0.0
        sliding = nonzero(~is_carried)
        met = met[sliding]
        slopes[count[met], :, met] = normal.take(sliding, axis=1).T
        count[met] += 1
        _slide(stride, way, fallen * left, met, slopes, count)
        moving = met[np.abs(way.take(met, axis=1)).max(axis=0, initial=0.0) > STILL]
        if not len(moving):
            return
    stride.note(EventKind.SLIDE_LIMIT, moving)


def _slide(stride: Stride, way: Rows, rest: Rows, lanes: Indices, slopes: Rows, count: Indices) -> None:
    """Turn the `rest` (3, n) of the way, and the velocity, along all slopes that `lanes` have met in this step."""
    if not len(lanes):
        return
    normals = np.ascontiguousarray(slopes[:, :, lanes].transpose(2, 0, 1))
    way[:, lanes] = clip_velocity(rest[:, lanes].T.copy(), normals, count[lanes]).T
    velocity = stride.velocity[:, lanes].T.copy()
    stride.velocity[:, lanes] = clip_velocity(velocity, normals, count[lanes]).T
