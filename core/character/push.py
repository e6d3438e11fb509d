"""Push: velocity given from outside, by an explosion or a jump pad, which fades and is stopped by walls."""

import numpy as np

from ..arrays import Level, Vectors, is_any, nonzero
from ..geometry.axes import turned
from .state import AIRBORNE
from .stride import Stride

FADE_TIME = 1 / 60  # seconds after which `push_fade` is left
LEAST_FADE = 1e-9  # a push that fades at once still acts for a moment
GONE = 3e-3  # radii in a second below which a push has faded


def take_push(stride: Stride, push: Vectors | None) -> None:
    """Add what is pushed in this step; its part along up becomes the walker's own velocity at once."""
    if push is None or not is_any(push):
        return
    local = turned(np.where(np.isfinite(push), push, 0.0), stride.body)
    lifted = nonzero(local[2] != 0)
    stride.velocity[2, lifted] += local[2, lifted]
    stride.support[lifted[local[2, lifted] > 0]] = AIRBORNE
    local[2] = 0.0
    stride.memory.push = stride.memory.push + stride.to_world(local)


def with_push(stride: Stride, control: Level) -> Level:
    """Return the level velocity `control` (2, n), m/s, with the mean of what pushes add to it over this step."""
    return control + _pushed_velocity(stride) if is_any(stride.memory.push) else control


def without_last_push(stride: Stride, velocity: Level) -> Level:
    """Return a level `velocity` (2, n) without the part that pushes gave in the step before."""
    return velocity - _pushed_velocity(stride) / _left(stride) if is_any(stride.memory.push) else velocity


def _pushed_velocity(stride: Stride) -> Level:
    """Return the mean level velocity (2, n), m/s, that pushes give over this step.

    At sixty steps a second a push p acts for one step and is multiplied by f, and so goes p / 60 / (1 - f) in all.
    At another rate, where k = f^(60 dt) is left after a step, it goes as far with the velocity
    p (1 - k) / (1 - f) / (60 dt).
    """
    fade = stride.settings.push_fade
    mean = (1 - _left(stride)) / (1 - fade) * FADE_TIME / stride.dt if fade < 1 else 1.0
    return turned(stride.memory.push, stride.body)[:2] * mean


def fade_push(stride: Stride) -> None:
    """Let pushes fade, and take from them what goes into the walls that stop the walker: the rest slides along."""
    push = stride.memory.push
    if not is_any(push):
        return
    wall = stride.wall_normal.copy()
    wall[2] = 0.0
    wall /= np.maximum(np.sqrt(wall[0] ** 2 + wall[1] ** 2), 1e-9)
    normal = stride.to_world(wall)
    push = push - np.minimum((push * normal).sum(axis=1), 0.0)[:, None] * normal
    push = push * _left(stride)
    push[np.abs(push).max(axis=1) < GONE * stride.settings.radius] = 0.0
    stride.memory.push = push


def _left(stride: Stride) -> float:
    left: float = max(stride.settings.push_fade, LEAST_FADE) ** (stride.dt / FADE_TIME)
    return left
