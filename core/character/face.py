"""Face: which way a walker looks."""

import numpy as np

from ..arrays import Level, Scalars, is_any
from ..geometry.axes import level_dot
from ..settings import Facing
from .ease import share_of
from .stride import Stride

STANDING = 0.01  # m/s below which a motion has no direction to turn to
CORNERED = 0.05  # share turned in a sixtieth of a second where the guard finds no way


def faced(stride: Stride, wish: Level) -> Scalars:
    """Return the headings (n,), rad, turned towards the motion or the wish.

    They turn by a share of the angle that is left, where the settings have one, and by at most the turning rate.
    Along a rim that the guard leads it along, a walker goes on facing its wish; where the guard has found no way, it
    turns there slowly.
    """
    settings, heading = stride.settings, stride.memory.heading
    towards = wish if settings.facing is Facing.WISH else stride.velocity
    if stride.is_guarded is not False:
        towards = np.where(stride.is_guarded, wish, towards[:2])
    has_aim = level_dot(towards[:2], towards[:2]) > STANDING**2
    if not is_any(has_aim):
        return heading
    turn = _wrapped(np.arctan2(towards[1], towards[0]) - heading)
    if settings.turn_share or stride.is_cornered is not False:
        share = share_of(settings.turn_share or 1.0, stride.dt)
        turn = turn * np.where(stride.is_cornered, min(share, share_of(CORNERED, stride.dt)), share)
    most = settings.turn_rate * stride.dt
    if most < np.inf:
        turn = np.minimum(np.maximum(turn, -most), most)
    turned = heading + turn
    return np.where(has_aim, _wrapped(turned), heading)


def _wrapped(angle: Scalars) -> Scalars:
    """Return the same angles (n,) from -pi on, below pi."""
    wrapped: Scalars = np.remainder(angle + np.pi, 2 * np.pi) - np.pi
    return wrapped
