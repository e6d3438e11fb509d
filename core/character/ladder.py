"""Ladder: going up and down climbable objects, and pulling up on ledges."""

import numpy as np

from ..arrays import Indices, Level, Mask, Rows, Scalars, is_any, nonzero
from ..geometry.axes import dot, level_dot, turned
from .memory import CLIMB, NONE
from .stand import stand
from .state import AIRBORNE, GROUNDED
from .stride import Stride

INTO = 0.5  # cosine between the wish and the way into the wall from which a walker means to climb it
REACH = 2.0  # skins: how far from a ladder a walker may be and still hold it


def wish_into_wall(stride: Stride, wish: Level) -> tuple[Rows, Scalars, Mask]:
    """Return the level way into the wall that stopped each lane, (3, n) of length 1 or zeros; how much of the wish
    goes there, (n,) m/s; and whether that is meant, (n,) bool."""
    into = -turned(stride.memory.wall_normal, stride.body)
    into[2] = 0.0
    into /= np.maximum(np.sqrt(dot(into, into)), 1e-9)
    size = np.sqrt(wish[0] ** 2 + wish[1] ** 2)
    meant = level_dot(wish, into[:2])
    return into, meant, meant > INTO * np.maximum(size, 1e-9)


def hold_ladders(stride: Stride, wish: Level) -> Mask:
    """Return which lanes (n,) hold a climbable object in this step, with their action set to CLIMB.

    A walker takes hold by wishing into a climbable wall that stopped it; it lets go by jumping, by stepping off at
    the foot, or where the object ends.
    """
    settings, memory = stride.settings, stride.memory
    if not settings.climb_speed or not (is_any(stride.walls_before[0] >= 0) or is_any(memory.action)):
        return np.zeros(len(memory.action), bool)
    climbing = memory.action == CLIMB
    may_begin = (memory.action == NONE) & stride.is_climbable(stride.walls_before[0])
    if not is_any(climbing | may_begin):
        return np.zeros(len(climbing), bool)
    into, meant, is_meant = wish_into_wall(stride, wish)
    begins = may_begin & is_meant
    off = climbing & (stride.support == GROUNDED) & (meant <= 0)
    holds = (climbing & ~off) | begins
    lanes = nonzero(holds)
    way = into * (REACH * settings.skin_width)
    hits = stride.cast(way, lanes)
    held = np.zeros(len(holds), bool)
    objects = np.full(len(holds), -1, np.intp)
    struck = lanes[hits.row[lanes] >= 0]
    objects[struck] = stride.objects_hit(hits, struck)
    held[struck] = stride.is_climbable(objects[struck])
    stride.walls[0, held] = objects[held]
    stride.wall_normal[:, held] = -into[:, held]
    memory.action = np.where(held, CLIMB, np.where(climbing, NONE, memory.action)).astype(np.int8)
    return held


def climb_ladders(stride: Stride, lanes: Indices, wish: Level) -> None:
    """Move `lanes` up or down what they hold, and sideways along it, without gravity."""
    settings = stride.settings
    into = -stride.wall_normal
    full = np.maximum(settings.speed, 1e-9)
    meant = level_dot(wish, into[:2]) / full
    along = np.stack([-into[1], into[0], np.zeros_like(into[0])])
    sideways = level_dot(wish, along[:2]) / full
    velocity = along * (np.clip(sideways, -1, 1) * settings.climb_speed)
    velocity[2] = np.clip(meant, -1, 1) * settings.climb_speed
    stride.velocity[:, lanes] = velocity[:, lanes]
    stride.support[lanes] = AIRBORNE
    for part in (np.array([0.0, 0.0, 1.0]), np.array([1.0, 1.0, 0.0])):
        way = velocity * part[:, None] * stride.dt
        hits = stride.cast(way, lanes)
        stride.advance(way, hits, lanes)
    down = np.zeros(stride.offset.shape)
    low = lanes[stride.velocity[2, lanes] <= 0]
    if len(low):
        down[2, low] = -2 * settings.skin_width
        before = stride.offset[:, low].copy()
        floats = ~stand(stride, down, low)
        stride.offset[:, low[floats]] = before[:, floats]
        stride.support[low[floats]] = AIRBORNE
