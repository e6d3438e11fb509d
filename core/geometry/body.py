"""Body: the capsule that is moved, and the directions it takes for sideways and up."""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ..settings import Settings

UPRIGHT = (0.0, 0.0, 1.0)  # the usual up, in which the walker's axes are the world's
STOP_SHORT = 1e-6
"""Share of the height by which a motion stops short of what it hits: enough for the next cast not to start inside,
and too little to see. A tenth of the skin at most."""
LIMIT_MARGIN = math.radians(0.1)
"""Ground may be this much steeper than the slope limit: a ramp built at the limit itself is walkable."""


@dataclass(frozen=True, slots=True)
class Body:
    """The round part of an upright capsule; how long its axis is may differ from lane to lane.

    Attributes
    ----------
    radius : float, m
    up : (x, y, z), unit length
    stop_short : float, m
        Gap that a motion leaves to what it hits.
    skin : float, m
        How much of the radius is skin, which may overlap what counts from its front alone.
    gentlest : float or None
        Smallest upward component of the normal of ground that carries and never stops: what is steeper is not there.
        None to be stopped by such ground too.
    """

    radius: float
    up: tuple[float, float, float] = UPRIGHT
    stop_short: float = 0.0
    skin: float = 0.0
    gentlest: float | None = None

    @classmethod
    def with_skin(cls, settings: Settings) -> "Body":
        """Return the capsule grown by its skin, which is what the character moves: it stops where the gap of the
        true capsule is `skin_width` along the normal."""
        stop_short = min(STOP_SHORT * settings.height, settings.skin_width / 10)
        skin = settings.skin_width - stop_short
        return cls(settings.radius + skin, settings.up, stop_short, skin, cos_limit(settings.slope_limit))

    @classmethod
    def without_skin(cls, settings: Settings) -> "Body":
        """Return the true capsule."""
        return cls(settings.radius, settings.up, gentlest=cos_limit(settings.slope_limit))

    @property
    def turn(self) -> NDArray[np.float64]:
        """Rotation (3, 3) from world axes to the walker's, whose z is up."""
        return turn_upright(self.up)

    def box_in_world(self, half: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the half sizes (k, 3) along the world's axes of what just holds boxes with half sizes `half` (3, k)
        along the walker's; of one box (3,) for (3,)."""
        return (np.abs(self.turn.T) @ half).T


def cos_limit(slope_limit: float) -> float:
    """Return the smallest upward component of a walkable normal."""
    return math.cos(min(slope_limit + LIMIT_MARGIN, math.pi / 2 - 1e-6))


@lru_cache(maxsize=64)
def turn_upright(up: tuple[float, float, float]) -> NDArray[np.float64]:
    """Return the smallest rotation (3, 3) that takes `up` to (0, 0, 1).

    It is I + K + K² / (1 + up_z) with K the cross product matrix of up x z (Rodrigues' formula without angles).
    """
    x, y, z = up
    if z < -1 + 1e-12:
        turned = np.diag([1.0, -1.0, -1.0])
    else:
        cross = np.array([[0, 0, -x], [0, 0, -y], [x, y, 0]], dtype=np.float64)
        turned = np.eye(3) + cross + cross @ cross / (1 + z)
    turned.setflags(write=False)
    return turned
