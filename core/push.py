"""Push: velocity given from outside, by an explosion or a jump pad, which fades and is stopped by walls."""

from dataclasses import replace

import numpy as np

from .arrays import Vectors, nonzero
from .pieces import turned
from .state import AIRBORNE
from .stride import Stride

FADE_TIME = 1 / 60  # seconds after which `push_fade` is left
GONE = 1e-3  # m/s below which a push has faded


def take_push(stride: Stride, push: Vectors | None) -> None:
    """Add what is pushed in this step; its part along up becomes the walker's own velocity at once."""
    if push is None or not push.any():
        return
    local = turned(push, stride.body)
    lifted = nonzero(local[2] != 0)
    stride.velocity[2, lifted] += local[2, lifted]
    stride.support[lifted[local[2, lifted] > 0]] = AIRBORNE
    local[2] = 0.0
    stride.memory = replace(stride.memory, push=stride.memory.push + stride.to_world(local))


def fade_push(stride: Stride) -> None:
    """Let what is left of pushes fade."""
    push = stride.memory.push
    if not push.any():
        return
    left = push * stride.settings.push_fade ** (stride.dt / FADE_TIME)
    left[np.abs(left).max(axis=1) < GONE] = 0.0
    stride.memory = replace(stride.memory, push=left)


def stop_push(stride: Stride) -> None:
    """Take from pushes what goes into the walls that stop the walker: the rest slides along."""
    push = stride.memory.push
    if not push.any():
        return
    wall = stride.wall_normal.copy()
    wall[2] = 0.0
    wall /= np.maximum(np.sqrt(wall[0] ** 2 + wall[1] ** 2), 1e-9)
    normal = stride.to_world(wall)
    left = push - np.minimum((push * normal).sum(axis=1), 0.0)[:, None] * normal
    stride.memory = replace(stride.memory, push=left)
