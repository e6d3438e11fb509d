"""State: what the next step needs to know of a walker, and no more."""

from dataclasses import dataclass, replace
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices, Mask, Scalars, Vectors
from ..events import Events
from ..geometry.below import Below
from ..geometry.features import Features
from ..geometry.gathered import Gathered
from .memory import Memory


class Support(IntEnum):
    """What carries the character."""

    AIRBORNE = 0
    STEEP = 1  # touches ground steeper than the slope limit: slides, and cannot jump
    GROUNDED = 2


AIRBORNE, STEEP, GROUNDED = (int(support) for support in Support)  # plain numbers: they are compared in every step


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
        Normal of the face that carries the walker, smoothed over time if the settings say so; zeros in the air.
    ground_sum : (n, 3) float
        Normalised sum of the normals of all ground that is touched: straight up out of a hollow.
    ground_count : (n,) int
        How many surfaces carry the walker.
    ground_point : (n, 3) float, m
        Point of the level that carries the walker, in world space.
    ground_object : (n,) int
        Index into the world's names of the object that carries the walker; -1 in the air.
    ground_face : (n,) int
        Face in whose inside the ground point is, among the world's features; -1 in the air, and on an edge.
    walls : (2, n) int
        The first two objects whose walls stopped the walker in the last step; -1 for none.
    is_unsettled : (n,) bool
        The next step first looks whether the capsule is inside the level.
    memory : Memory
        What jumps and abilities need to know.
    events : Events
        What happened in the step that led here.
    near : Gathered or None
        The level around each walker. It is only kept to save time: without it the next step gathers it again.
    below : Below or None
        The ground below each walker, as far as the ledge guard has asked for it. It is only kept to save time.
    """

    position: Vectors
    velocity: Vectors
    support: NDArray[np.int8]
    ground_normal: Vectors
    ground_sum: Vectors
    ground_count: Indices
    ground_point: Vectors
    ground_object: Indices
    ground_face: Indices
    walls: NDArray[np.intp]
    is_unsettled: Mask
    memory: Memory
    events: Events
    near: Gathered | None = None
    below: Below | None = None

    @property
    def heading(self) -> Scalars:
        """Where the walkers face, (n,) rad about up, from the world's x axis turned upright."""
        return self.memory.heading

    @property
    def is_wedged(self) -> Mask:
        """Whether steep surfaces hold the walkers between them, (n,): nothing carries them, and they may jump."""
        return self.memory.is_wedged

    @property
    def is_caught(self) -> Mask:
        """Whether the walkers are inside the level with no way out, (n,): they are held still."""
        return self.memory.is_caught

    def is_of(self, features: Features) -> bool:
        """Return whether what is kept of the level is of that one; True if nothing is kept."""
        return self.near is None or self.near.features is features

    def without_level(self) -> "State":
        """Return the same without anything that is known of the level, to go on in another one."""
        memory, none = self.memory.copy(), np.full(len(self), -1, np.intp)
        memory.ground_ahead = none
        return replace(
            self,
            ground_object=none,
            ground_face=none,
            walls=np.full((2, len(self)), -1, np.intp),
            is_unsettled=np.ones(len(self), bool),
            memory=memory,
            near=None,
            below=None,
        )

    def __len__(self) -> int:
        return len(self.position)
