"""Ease: coming nearer to an aim by a share of what is left, equally far at any step rate."""

import math

import numpy as np
from numpy.typing import NDArray

from ..arrays import Vectors

SHARE_TIME = 1 / 60  # seconds after which a setting that is a share has been gone once
LEAST_ANGLE = 1e-6  # rad between two directions below which the way between them is as good as straight


def share_of(share: float, dt: float) -> float:
    """Return the share gone in `dt` seconds of what is gone by `share` (0 to 1) in a sixtieth of a second.

    What is left is multiplied: 1 - (1 - share)^(60 dt).
    """
    gone: float = 1.0 - (1.0 - share) ** (dt / SHARE_TIME)
    return gone


def share_in(time: float, dt: float) -> float:
    """Return the share gone in `dt` seconds if after `time` (s, above 0) 1/e is left: 1 - exp(-dt / time)."""
    return -math.expm1(-dt / time)


def turned_towards(start: Vectors, aim: Vectors, share: float) -> Vectors:
    """Return the unit directions (n, 3) that lie a share of the angle from `start` on the way to `aim`.

    The angle that is left is multiplied by 1 - share, so that many small steps end where a large one does. On the
    great circle through both the parts are sin((1 - share) a) / sin a and sin(share a) / sin a (Shoemake 1985).
    """
    across = np.cross(start, aim)
    angle = np.arctan2(np.sqrt((across * across).sum(axis=1)), (start * aim).sum(axis=1))
    is_near = angle < LEAST_ANGLE
    sine = np.where(is_near, 1.0, np.sin(angle))
    kept: NDArray[np.float64] = np.where(is_near, 1.0 - share, np.sin((1.0 - share) * angle) / sine)
    gained: NDArray[np.float64] = np.where(is_near, share, np.sin(share * angle) / sine)
    turned: Vectors = start * kept[:, None] + aim * gained[:, None]
    return turned / np.maximum(np.sqrt((turned * turned).sum(axis=1)), 1e-300)[:, None]
