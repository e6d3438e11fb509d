"""Momentum: a body driven through its velocity and left to gravity and contacts, without friction or bounce."""

import numpy as np

from ..arrays import Level, Rows, nonzero
from ..events import EventKind
from ..geometry.axes import dot, turned
from .slide import Slid, slide
from .stand import count_contacts, stand_on_touched
from .state import AIRBORNE, GROUNDED
from .stride import Stride


def drive(stride: Stride, wish: Level) -> None:
    """Move all lanes for one step: towards the wish by the acceleration, down by gravity, along what is touched."""
    settings, dt = stride.settings, stride.dt
    lanes = np.arange(stride.offset.shape[1])
    velocity = _accelerate(stride, wish) + turned(stride.memory.push, stride.body)
    stride.memory.push = np.zeros_like(stride.memory.push)  # it is part of the momentum now
    last = velocity.copy()
    last[2] = np.maximum(velocity[2] - settings.fall_acceleration * dt, -settings.terminal_speed)
    way = (velocity + last) / 2 * dt
    slid = slide(stride.near, stride.offset, way, lanes, settings.max_slides)
    stride.offset[:] = slid.offset
    stride.velocity[:] = slid.clip(last, lanes)
    _meet_walls(stride, slid)
    stride.note(EventKind.SLIDE_LIMIT, nonzero(~slid.is_done))
    stand_on_touched(stride, lanes)
    in_air = stride.support == AIRBORNE
    stride.ground_normal[:, in_air] = 0.0
    stride.ground_object[in_air] = -1
    stride.ground_face[in_air] = -1
    count_contacts(stride, lanes)


def _accelerate(stride: Stride, wish: Level) -> Rows:
    """Return the velocities (3, n) changed towards the wish along the ground plane.

    The wish is turned into the plane, with its length, and compared with the velocity's part there. So going
    downhill and reversing keep contact: the change never leads off the ground or into it.
    """
    settings, velocity = stride.settings, stride.velocity
    grounded = stride.support == GROUNDED
    normal = np.where(grounded, stride.ground_sum, np.array([[0.0], [0.0], [1.0]]))
    level = np.concatenate([wish, np.zeros((1, wish.shape[1]))])
    along = level - normal * dot(level, normal)
    size = np.sqrt(dot(level, level))
    aim = along * (size / np.maximum(np.sqrt(dot(along, along)), 1e-9))
    change = aim - (velocity - normal * dot(velocity, normal))
    size = np.sqrt(dot(change, change))
    asked = (wish[0] != 0) | (wish[1] != 0)
    on_ground = np.where(asked, settings.acceleration, settings.deceleration)
    limit = np.where(grounded, on_ground, settings.air_acceleration) * stride.dt
    share = np.where(size > limit, limit / np.maximum(size, 1e-300), 1.0)
    changed: Rows = velocity + change * share
    return changed


def _meet_walls(stride: Stride, slid: Slid) -> None:
    """Record the surfaces that were met and cannot be stood on."""
    for rows, normals in zip(slid.rows, slid.normals, strict=True):
        met = nonzero(rows >= 0)
        if not len(met):
            return
        judged = stride.judge(rows[met], normals[:, met])
        walls = nonzero(~judged.is_walkable)
        stride.touch_wall(met[walls], normals[:, met[walls]], judged.only(walls))
