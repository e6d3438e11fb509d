"""Events: what happened on a walk, when, to which lane, where, and on which object."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from .arrays import Mask


class EventKind(IntEnum):
    """What can happen in a step."""

    LANDED = 0
    LEFT_GROUND = 1
    JUMPED = 2
    STEPPED_UP = 3
    HIT_WALL = 4  # a wall begins to stop it, or another one
    HIT_CEILING = 5
    SLIDE_LIMIT = 6  # a step had more surfaces to slide along than max_slides
    OVERLAP = 7  # the capsule was inside the level, and was moved out as far as there is room
    LEFT_LEVEL = 8  # below everything there is
    STEPPED_DOWN = 9
    ACTION = 10  # an action began or ended: `value` is the Action
    TOO_STEEP = 11  # blocked by ground of `value` rad, over the slope limit
    TOO_HIGH = 12  # blocked by a step of `value` m, over the step offset
    TOO_LOW = 13  # blocked by head-room of `value` m, under the height and its skin
    TOO_NARROW = 14  # blocked by a gap of `value` m, under the width and its skin


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened: at `step`, to `lane`, at `position` (feet, m).

    `value` and `limit` are numbers that belong to the kind, None where it has none: for LANDED the height of the fall
    (m) and the speed of the impact (m/s), for STEPPED_UP and STEPPED_DOWN the height (m), for what blocks the size
    found and the one allowed.
    """

    step: int
    lane: int
    kind: EventKind
    position: tuple[float, float, float]
    normal: tuple[float, float, float]  # of the surface, towards the character; zeros where there is none
    object: str  # name of the level object; empty where there is none
    value: float | None = None
    limit: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Events:
    """Events as arrays of one length: (k,) and (k, 3); iterate for single `Event` values."""

    step: NDArray[np.int64]
    lane: NDArray[np.int64]
    kind: NDArray[np.int8]
    position: NDArray[np.float64]
    normal: NDArray[np.float64]
    object_index: NDArray[np.int64]  # into `names`; -1 where there is none
    value: NDArray[np.float64]  # NaN where there is none, as in limit
    limit: NDArray[np.float64]
    names: tuple[str, ...] = ()

    @classmethod
    def none(cls, names: tuple[str, ...] = ()) -> "Events":
        """Return no events."""
        return cls(*_NOTHING, names)

    @classmethod
    def join(cls, parts: "list[Events]", names: tuple[str, ...] = ()) -> "Events":
        """Return all events of `parts`, in their order."""
        full = [part for part in parts if len(part)]
        if not full:
            return cls.none(names)
        return cls(
            np.concatenate([part.step for part in full]),
            np.concatenate([part.lane for part in full]),
            np.concatenate([part.kind for part in full]),
            np.concatenate([part.position for part in full]),
            np.concatenate([part.normal for part in full]),
            np.concatenate([part.object_index for part in full]),
            np.concatenate([part.value for part in full]),
            np.concatenate([part.limit for part in full]),
            names,
        )

    def __len__(self) -> int:
        return len(self.step)

    def __iter__(self) -> Iterator[Event]:
        for i in range(len(self)):
            named = self.object_index[i]
            yield Event(
                int(self.step[i]),
                int(self.lane[i]),
                EventKind(self.kind[i]),
                tuple(self.position[i].tolist()),
                tuple(self.normal[i].tolist()),
                self.names[named] if named >= 0 else "",
                _number(self.value[i]),
                _number(self.limit[i]),
            )

    def at_step(self, index: int) -> "Events":
        """Return the same events, as those of step `index`."""
        return replace(self, step=np.full(len(self), index, np.int64))

    def of(self, kind: EventKind) -> "Events":
        """Return the events of one kind."""
        return self.only(self.kind == kind)

    def only(self, chosen: Mask) -> "Events":
        """Return the events that are chosen, (k,)."""
        return Events(
            self.step[chosen],
            self.lane[chosen],
            self.kind[chosen],
            self.position[chosen],
            self.normal[chosen],
            self.object_index[chosen],
            self.value[chosen],
            self.limit[chosen],
            self.names,
        )


_NOTHING = (
    np.zeros(0, np.int64),
    np.zeros(0, np.int64),
    np.zeros(0, np.int8),
    np.zeros((0, 3)),
    np.zeros((0, 3)),
    np.zeros(0, np.int64),
    np.zeros(0),
    np.zeros(0),
)  # the arrays of no events


def _number(value: np.float64) -> float | None:
    return None if math.isnan(value) else float(value)
