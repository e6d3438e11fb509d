"""Dash: the level velocity of walkers whose action leads them instead of the wish: dashes and crouch slides."""

import numpy as np

from ..arrays import Indices, Level, Rows, is_any, nonzero
from ..commands import Command
from ..geometry.axes import dot, turned
from ..geometry.ground import rise_of
from .memory import CROUCH, DASH, NONE, ON_TIME, SLIDE
from .state import GROUNDED
from .stride import Stride


def begin_dash(stride: Stride, command: Command, wish: Level) -> None:
    """Begin the dashes that are asked for, along the wish, or ahead where there is none."""
    settings, memory = stride.settings, stride.memory
    if not settings.dash_speed:
        return
    held = np.zeros(len(stride.support), bool) if command.dash is None else command.dash
    pressed = held & ~memory.dash_held
    memory.dash_held = held.copy()  # whoever gave it may fill it anew for the next step
    if not is_any(pressed):
        return
    is_ready = memory.action_time >= settings.dash_time + settings.dash_wait - ON_TIME
    begins = pressed & (memory.action == NONE) & is_ready
    ahead = np.stack([np.cos(memory.heading), np.sin(memory.heading)])
    size = np.sqrt(wish[0] ** 2 + wish[1] ** 2)
    towards = np.where(size > 0, wish / np.maximum(size, 1e-9), ahead) * settings.dash_speed
    velocity = stride.to_world(np.concatenate([towards, np.zeros((1, len(size)))]))
    memory.action = np.where(begins, DASH, memory.action).astype(np.int8)
    memory.action_time = np.where(begins, 0.0, memory.action_time)
    memory.action_velocity = np.where(begins[:, None], velocity, memory.action_velocity)


def lead(stride: Stride, control: Level) -> Level:
    """Return `control` (2, n), m/s, with the velocity of dashes and crouch slides where there are some."""
    memory = stride.memory
    if not is_any(memory.action):
        return control
    is_dashing, is_sliding = memory.action == DASH, memory.action == SLIDE
    if not (is_any(is_dashing) or is_any(is_sliding)):
        return control
    led = turned(memory.action_velocity, stride.body)
    if is_any(is_sliding):
        _slow_down(stride, nonzero(is_sliding), led)
    return np.where(is_dashing | is_sliding, led[:2], control)


def _slow_down(stride: Stride, lanes: Indices, led: Rows) -> None:
    """Let crouch slides lose speed, and gain it downhill; a slow one becomes a crouch.

    They move at the mean of the speeds before and after. Along a plane with normal n gravity gives g n_z n_level as
    seen from above, which is longer along the surface by sqrt(1 + s²), with s the rise along the heading.
    """
    settings, dt = stride.settings, stride.dt
    velocity, normal = led[:, lanes], stride.ground_normal[:, lanes]
    grounded = stride.support[lanes] == GROUNDED
    before = np.sqrt(dot(velocity, velocity))
    rise = rise_of(normal, velocity[:2] / np.maximum(before, 1e-9))
    pull = settings.fall_acceleration * normal[2] * normal[:2] * np.sqrt(1 + rise * rise)
    velocity[:2] += np.where(grounded, pull * dt, 0.0)
    velocity[2] = 0.0
    speed = np.sqrt(dot(velocity, velocity))
    slower = np.where(grounded, np.maximum(speed - settings.slide_deceleration * dt, 0.0), speed)
    velocity *= slower / np.maximum(speed, 1e-9)
    led[:, lanes] = (led[:, lanes] + velocity) / 2
    action, keep = stride.memory.action.copy(), stride.memory.action_velocity.copy()
    action[lanes[slower <= settings.crouch_speed]] = CROUCH
    keep[lanes] = stride.to_world(velocity)
    stride.memory.action, stride.memory.action_velocity = action, keep
