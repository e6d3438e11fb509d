"""Face: which way a walker looks."""

import numpy as np
from numpy.typing import NDArray

from .arrays import Scalars
from .ease import share_of
from .settings import Facing
from .stride import Stride

STANDING = 0.01  # m/s below which a motion has no direction to turn to
CORNERED = 0.05  # share turned in a sixtieth of a second where the guard finds no way


def faced(stride: Stride, wish: NDArray[np.float64]) -> Scalars:
    """Return the headings (n,), rad, turned towards the motion or the wish.

    They turn by a share of the angle that is left, where the settings have one, and by at most the turning rate.
    Along a rim that the guard leads it along, a walker goes on facing its wish; where the guard has found no way, it
    turns there slowly.
    """
    settings, heading = stride.settings, stride.memory.heading
    by_wish = stride.is_guarded | (settings.facing is Facing.WISH)
    towards = np.where(by_wish, wish, stride.velocity[:2])
    has_aim = towards[0] ** 2 + towards[1] ** 2 > STANDING**2
    if not has_aim.any():
        return heading
    turn = np.remainder(np.arctan2(towards[1], towards[0]) - heading + np.pi, 2 * np.pi) - np.pi
    if settings.turn_share or np.any(stride.is_cornered):
        share = share_of(settings.turn_share or 1.0, stride.dt)
        turn = turn * np.where(stride.is_cornered, min(share, share_of(CORNERED, stride.dt)), share)
    most = settings.turn_rate * stride.dt
    turned = np.remainder(heading + np.clip(turn, -most, most) + np.pi, 2 * np.pi) - np.pi
    return np.where(has_aim, turned, heading)
