"""Face: which way a walker looks."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from .settings import Facing
from .stride import Stride

STANDING = 0.01  # m/s below which a motion has no direction to turn to


def face(stride: Stride, wish: NDArray[np.float64]) -> None:
    """Turn walkers towards their motion or their wish, by at most the turning rate."""
    settings, memory = stride.settings, stride.memory
    by_wish = stride.is_guarded | (settings.facing is Facing.WISH)
    towards = np.where(by_wish, wish, stride.velocity[:2])
    has_aim = towards[0] ** 2 + towards[1] ** 2 > STANDING**2
    if not has_aim.any():
        return
    aim = np.arctan2(towards[1], towards[0])
    turn = np.remainder(aim - memory.heading + np.pi, 2 * np.pi) - np.pi
    most = settings.turn_rate * stride.dt
    turned = memory.heading + np.clip(turn, -most, most)
    heading = np.where(has_aim, np.remainder(turned + np.pi, 2 * np.pi) - np.pi, memory.heading)
    stride.memory = replace(memory, heading=heading)
