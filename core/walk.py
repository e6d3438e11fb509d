"""Walk: level motion along the ground or through the air, sliding along all that is touched."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .arrays import Indices, Mask, Rows, Scalars, nonzero
from .cast import Hits
from .events import EventKind
from .ground import judge
from .pieces import dot, turned
from .settings import SlopeSpeed
from .stairs import climb
from .steer import along_ground
from .stride import Stride

SAME = 1e-9  # one minus the cosine between two planes below which they are one
STILL = 1e-9  # metres in one step below which there is nothing to move


def walk(stride: Stride, lanes: Indices, control: NDArray[np.float64]) -> None:
    """Move grounded `lanes` (k,) along the ground for one step at the level velocity `control` (2, n).

    Walkable ground that is met is followed, steps are climbed, and everything else is a wall to slide along.
    """
    mode = stride.settings.walk_speed_mode
    pull = stride.settings.fall_acceleration * stride.dt if mode is SlopeSpeed.PROJECTED else 0.0
    plane = stride.ground_normal.copy()
    walls = _move(stride, lanes, control, plane, mode, pull, can_climb=True)
    stride.velocity[:, lanes] = along_ground(control, plane, walls, mode, 0.0, stride.slope_normal)[:, lanes]


def drift(stride: Stride, lanes: Indices, control: NDArray[np.float64]) -> None:
    """Move airborne `lanes` (k,) sideways for one step at the level velocity `control` (2, n).

    Walls stop only what goes into them, and a leaning wall gives no lift.
    """
    plane = np.zeros_like(stride.offset)
    plane[2] = 1.0
    walls = _move(stride, lanes, control, plane, SlopeSpeed.HORIZONTAL, 0.0, can_climb=False)
    level = along_ground(control, np.broadcast_to([[0.0], [0.0], [1.0]], plane.shape), walls, SlopeSpeed.HORIZONTAL, 0)
    stride.velocity[:2, lanes] = level[:2, lanes]


@dataclass(slots=True, eq=False)
class _Course:
    """What is left of one step's motion, and along what it goes.

    Attributes
    ----------
    plane : (3, n) float
        Normal of the ground that is followed; up in the air.
    walls : list of (3, n) float
        Normals of what may not be entered, zeros where a lane has hit nothing.
    way : (3, n) float, m
    left : (n,) float, s
        Time that is left.
    has_turned : (n,) bool
        The lane has followed other ground in this step already.
    """

    plane: Rows
    walls: list[Rows]
    way: Rows
    left: Scalars
    has_turned: Mask

    def follow(self, lanes: Indices, normal: Rows) -> None:
        """Let `lanes` go on along ground with `normal` (3, k).

        In a valley each side alone would lead into the other: who turns once more may not enter again what it comes
        from, and so goes along the valley.
        """
        again = self.has_turned[lanes] & (dot(self.plane[:, lanes], normal) < 1 - SAME)
        if again.any():
            wall = np.zeros_like(self.plane)
            wall[:, lanes[again]] = self.plane[:, lanes[again]]
            self.walls.append(wall)
        self.plane[:, lanes] = normal
        self.has_turned[lanes] = True


def _move(
    stride: Stride,
    lanes: Indices,
    control: NDArray[np.float64],
    plane: Rows,
    mode: SlopeSpeed,
    pull: float,
    *,
    can_climb: bool,
) -> list[Rows]:
    """Move `lanes` along `plane`, which is changed to the plane they end on, and return the walls they hit."""
    n = stride.offset.shape[1]
    course = _Course(plane, locked_walls(stride), np.zeros((3, n)), np.zeros(n), np.zeros(n, bool))
    course.left[lanes] = stride.dt
    for _ in range(stride.settings.max_slides):
        course.way = along_ground(control, plane, course.walls, mode, pull, stride.slope_normal) * course.left
        moving = lanes[dot(course.way, course.way)[lanes] > STILL**2]
        if not len(moving):
            return course.walls
        hits = stride.cast(course.way, moving)
        share = stride.advance(course.way, hits, moving)
        course.left[moving] *= np.where(hits.row[moving] >= 0, 1 - share, 0.0)
        course.way[:, moving] *= 1 - share
        met = moving[hits.row[moving] >= 0]
        if not len(met):
            return course.walls
        _meet(stride, met, hits, course, can_climb)
    stride.note(EventKind.SLIDE_LIMIT, moving[course.left[moving] > 0])
    return course.walls


def _meet(stride: Stride, lanes: Indices, hits: Hits, course: _Course, can_climb: bool) -> None:
    """Decide what `lanes` do at what they hit: follow it, step up, or slide along it as along a wall."""
    normal = hits.normal[:, lanes]
    judged = judge(stride.features, stride.near, hits.row[lanes], normal, stride.settings.slope_limit)
    is_followed = judged.is_even & judged.is_gentle
    is_climbed = np.zeros(len(lanes), bool)
    tried = nonzero(~is_followed)
    if can_climb and len(tried):
        points = stride.contact_points(hits, lanes[tried])
        is_climbed[tried], gone = climb(
            stride, lanes[tried], points, normal[:, tried], judged.is_edge[tried], course.way
        )
        up = lanes[is_climbed]
        course.left[up] *= 1 - gone[is_climbed[tried]]
        course.plane[:, up] = stride.ground_normal[:, up]
    is_followed |= judged.is_walkable & judged.is_gentle & ~is_climbed  # low enough to roll over
    course.follow(lanes[is_followed], normal[:, is_followed])
    is_wall = ~is_followed & ~is_climbed
    if is_wall.any():
        wall = np.zeros_like(course.plane)
        wall[:, lanes[is_wall]] = normal[:, is_wall]
        course.walls.append(wall)
        stride.touch_wall(lanes[is_wall], normal[:, is_wall], judged.only(nonzero(is_wall)))


def locked_walls(stride: Stride) -> list[Rows]:
    """Return two walls that leave no room for motion along a locked direction; none where nothing is locked."""
    if not any(stride.settings.plane_lock):
        return []
    lock = turned(np.array([stride.settings.plane_lock]), stride.body)
    lock = np.broadcast_to(lock, stride.offset.shape)
    return [lock, -lock]
