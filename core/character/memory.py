"""Memory: what a walker remembers from step to step besides where it is, for jumps and abilities."""

from dataclasses import dataclass, fields
from enum import IntEnum
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices, Mask, Scalars, Vectors


class Action(IntEnum):
    """What a walker is doing besides walking and falling."""

    NONE = 0
    CROUCH = 1
    SLIDE = 2  # crouch slide
    DASH = 3
    CLIMB = 4  # on a ladder or a climbable wall
    MANTLE = 5  # pulling itself up on a ledge


NONE, CROUCH, SLIDE, DASH, CLIMB, MANTLE = (int(action) for action in Action)  # plain numbers, as for Support

ON_TIME = 1e-9  # seconds by which a sum of steps may miss a time


@dataclass(slots=True, eq=False)
class Memory:
    """What n walkers remember.

    A step makes a copy and sets what has changed in it to other arrays: the memory of a state, and all arrays, stay
    as they are.

    Attributes
    ----------
    air_time : (n,) float, s
        Since the walker was last grounded; zero while it is.
    jump_wait : (n,) float, s
        Since a press of jump that has not been answered; infinite for none.
    jump_held, dash_held : (n,) bool
        Whether the button was down in the last step.
    is_jumping : (n,) bool
        Rises from a jump, which letting go of the button can still cut short.
    is_remembered : (n,) bool
        Counts as grounded by the ground memory alone, and falls meanwhile.
    may_coyote : (n,) bool
        Left the ground without a jump.
    air_jumps : (n,) int
        Jumps made in the air since the ground.
    face_normal : (n, 3) float
        Normal of the face that carries the walker, without smoothing; zeros in the air.
    peak : (n,) float, m
        Greatest height along up since the walker left the ground.
    heading : (n,) float, rad
        Where it faces, about up.
    push : (n, 3) float, m/s
        What is left of pushes from outside.
    action : (n,) int8 of Action
    action_time : (n,) float, s
        Since the action began; for DASH it goes on counting after its end, until the next may begin.
    action_velocity : (n, 3) float, m/s
        Of a dash or a crouch slide; for a mantle, where the feet go to, m.
    rim_side : (n,) float
        To which side the guard led the walker along a rim in the last step: 1 left, -1 right, 0 not.
    ground_ahead : (n,) int
        Face that the guard found ahead of the walker in the last step; -1 for none.
    is_explained : (n,) bool
        What stops the walker at the wall that it touches has been told.
    is_stuck : (n,) bool
        Walls kept the walker where it was in the last step.
    is_wedged : (n,) bool
        Steep surfaces held the walker between them at the end of the last step: it may jump.
    is_caught : (n,) bool
        Inside the level with no way out: told already, and held still.
    crease : (n, 3) float
        Way down between several steep surfaces that the walker touches, as long as its sine; zeros where there is none.
    wall_normal : (n, 3) float
        Of the wall that stopped the walker in the last step; zeros for none.
    """

    air_time: Scalars
    jump_wait: Scalars
    jump_held: Mask
    dash_held: Mask
    is_jumping: Mask
    is_remembered: Mask
    may_coyote: Mask
    air_jumps: NDArray[np.int64]
    face_normal: Vectors
    peak: Scalars
    heading: Scalars
    push: Vectors
    action: NDArray[np.int8]
    action_time: Scalars
    action_velocity: Vectors
    rim_side: Scalars
    ground_ahead: Indices
    is_explained: Mask
    is_stuck: Mask
    is_wedged: Mask
    is_caught: Mask
    crease: Vectors
    wall_normal: Vectors

    def of(self, lanes: Indices) -> "Memory":
        """Return the memory of some of the walkers."""
        return Memory(*[values[lanes] for values in _all_fields(self)])

    def copy(self) -> "Memory":
        """Return another one with the same arrays."""
        return Memory(*_all_fields(self))

    @classmethod
    def fresh(cls, height: Scalars, heading: float = 0.0) -> "Memory":
        """Return the memory of walkers that have just been put at `height` (n,) along up, facing `heading`."""
        n = len(height)
        return cls(
            air_time=np.full(n, np.inf),
            jump_wait=np.full(n, np.inf),
            jump_held=np.zeros(n, bool),
            dash_held=np.zeros(n, bool),
            is_jumping=np.zeros(n, bool),
            is_remembered=np.zeros(n, bool),
            may_coyote=np.zeros(n, bool),
            air_jumps=np.zeros(n, np.int64),
            face_normal=np.zeros((n, 3)),
            peak=height,
            heading=np.full(n, float(heading)),
            push=np.zeros((n, 3)),
            action=np.zeros(n, np.int8),
            action_time=np.full(n, np.inf),
            action_velocity=np.zeros((n, 3)),
            rim_side=np.zeros(n),
            ground_ahead=np.full(n, -1, np.intp),
            is_explained=np.zeros(n, bool),
            is_stuck=np.zeros(n, bool),
            is_wedged=np.zeros(n, bool),
            is_caught=np.zeros(n, bool),
            crease=np.zeros((n, 3)),
            wall_normal=np.zeros((n, 3)),
        )


_all_fields = attrgetter(*(each.name for each in fields(Memory)))
