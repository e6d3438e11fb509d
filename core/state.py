"""State: what the next step needs to know of a walker, and no more."""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from .arrays import Indices, Mask, Vectors
from .events import Events
from .near import Near


class Support(IntEnum):
    """What carries the character."""

    AIRBORNE = 0
    STEEP = 1  # touches ground steeper than the slope limit: slides, and cannot jump
    GROUNDED = 2


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """All walkers between two steps; n lanes.

    Attributes
    ----------
    position : (n, 3) float, m
        The lowest points of the capsules, in world space.
    velocity : (n, 3) float, m/s
    support : (n,) int8 of Support
    ground_normal : (n, 3) float
        Normal of the face that carries the walker; zeros in the air.
    ground_point : (n, 3) float, m
        Point of the level that carries the walker, in world space.
    ground_object : (n,) int
        Index into the world's names of the object that carries the walker; -1 in the air.
    wall_object : (n,) int
        The object whose wall stopped the walker in the last step; -1 for none.
    is_unsettled : (n,) bool
        The next step first looks whether the capsule is inside the level.
    events : Events
        What happened in the step that led here.
    near : Near or None
        The level around each walker. It is only kept to save time: without it the next step gathers it again.
    """

    position: Vectors
    velocity: Vectors
    support: NDArray[np.int8]
    ground_normal: Vectors
    ground_point: Vectors
    ground_object: Indices
    wall_object: Indices
    is_unsettled: Mask
    events: Events
    near: Near | None = None

    def __len__(self) -> int:
        return len(self.position)
