"""Walk: level motion along the ground or through the air, sliding along all that is touched."""

from dataclasses import dataclass

import numpy as np

from ..arrays import Indices, Level, Mask, Rows, Scalars, is_any, nonzero
from ..events import EventKind
from ..geometry.axes import dot, turned
from ..geometry.cast import Hits
from ..settings import SlopeSpeed
from .stairs import climb
from .stand import TOUCHING
from .steer import along_ground
from .stride import Stride

SAME = 1e-9  # one minus the cosine between two planes below which they are one
SAME_POINT = 1e-6  # the same between two contact normals below which they are at one point of an edge
STILL = 1e-9  # metres in one step below which there is nothing to move


def walk(stride: Stride, lanes: Indices, control: Level) -> Mask:
    """Move grounded `lanes` (k,) along the ground for one step at the level velocity `control` (2, n).

    Walkable ground that is met is followed, steps are climbed, and everything else is a wall to slide along. Returns
    which lanes (n,) came to other ground.
    """
    mode = stride.settings.walk_speed_mode
    pull = stride.settings.fall_acceleration * stride.dt if mode is SlopeSpeed.PROJECTED else 0.0
    course = _move(stride, lanes, control, stride.ground_normal.copy(), mode, pull, on_ground=True)
    velocity = course.pace
    if pull:
        velocity = along_ground(control, course.plane, course.walls, mode, 0.0, stride.slope_normal)
    stride.velocity[:, lanes] = velocity.take(lanes, axis=1)
    return course.is_elsewhere


def drift(stride: Stride, lanes: Indices, control: Level) -> None:
    """Move airborne `lanes` (k,) sideways for one step at the level velocity `control` (2, n).

    Walls stop only what goes into them, and a leaning wall gives no lift.
    """
    plane = np.zeros(stride.offset.shape)
    plane[2] = 1.0
    # What is followed in the air is followed along it: on a nearly upright face the wish would lead to the sky.
    course = _move(stride, lanes, control, plane.copy(), SlopeSpeed.SURFACE, 0.0, on_ground=False)
    velocity = course.pace
    if course.has_met:  # along the walls, but not along ground that was followed
        velocity = along_ground(control, plane, course.walls, SlopeSpeed.HORIZONTAL, 0.0)
    stride.velocity[:2, lanes] = velocity[:2].take(lanes, axis=1)


@dataclass(slots=True, eq=False)
class _Course:
    """What is left of one step's motion, and along what it goes.

    Attributes
    ----------
    on_ground : bool
        Steps are climbed; in the air they are walls.
    plane : (3, n) float
        Normal of the ground that is followed; up in the air.
    walls : list of (3, n) float
        Normals of what may not be entered, zeros where a lane has hit nothing.
    pace, way : (3, n) float, m/s and m
        The velocity along it, and what is left to go.
    square : (n,) float, m²
        Of the length of the way that was cast last.
    left : (n,) float, s
        Time that is left.
    has_turned : (n,) bool
        The lane has followed other ground in this step already.
    has_met : bool
        Some lane has met something.
    is_elsewhere : (n,) bool
        The lane has followed or climbed something, and may not be on the ground that it stood on.
    """

    on_ground: bool
    plane: Rows
    walls: list[Rows]
    pace: Rows
    way: Rows
    square: Scalars
    left: Scalars
    has_turned: Mask
    has_met: bool
    is_elsewhere: Mask

    def follow(self, lanes: Indices, normal: Rows) -> None:
        """Let `lanes` go on along ground with `normal` (3, k).

        In a valley each side alone would lead into the other: who turns once more may not enter again what it comes
        from, and so goes along the valley.
        """
        again = self.has_turned[lanes] & (dot(self.plane.take(lanes, axis=1), normal) < 1 - SAME)
        if is_any(again):
            wall = np.zeros(self.plane.shape)
            wall[:, lanes[again]] = self.plane.take(lanes[again], axis=1)
            self.walls.append(wall)
        self.plane[:, lanes] = normal
        self.has_turned[lanes] = True
        self.is_elsewhere[lanes] = True

    def step_up(self, lanes: Indices, ground_normal: Rows, share: Scalars) -> None:
        """Let `lanes` go on along what carries them now, after a `share` (k,) of their way."""
        self.left[lanes] *= 1 - share
        self.plane[:, lanes] = ground_normal.take(lanes, axis=1)
        self.is_elsewhere[lanes] = True


def _move(
    stride: Stride,
    lanes: Indices,
    control: Level,
    plane: Rows,
    mode: SlopeSpeed,
    pull: float,
    *,
    on_ground: bool,
) -> _Course:
    """Move `lanes` along `plane`, which is changed to the plane they end on, and return how they went."""
    n = stride.offset.shape[1]
    slope = stride.slope_normal if on_ground else None  # in the air the ground has no slope
    still, no = np.zeros((3, n)), np.zeros((2, n), bool)
    course = _Course(on_ground, plane, locked_walls(stride), still, still, still[0], np.zeros(n), no[0], False, no[1])
    course.left[lanes] = stride.dt
    for _ in range(stride.settings.max_slides):
        course.pace = along_ground(control, plane, course.walls, mode, pull, slope)
        course.way = course.pace * course.left
        if mode is not SlopeSpeed.SURFACE or slope is not None:
            stride.keep_within(course.way, lanes)  # on slopes the way may be longer than the wish
        course.square = dot(course.way, course.way)
        moving = lanes[course.square[lanes] > STILL**2]
        if not len(moving):
            return course
        hits = stride.cast(course.way, moving)
        share = stride.advance(course.way, hits, moving)
        met = moving[hits.row[moving] >= 0]
        if not len(met):
            return course
        course.has_met = True
        course.left[moving] *= np.where(hits.row[moving] >= 0, 1 - share, 0.0)
        course.way[:, moving] *= 1 - share
        _meet(stride, met, hits, course)
    stride.note(EventKind.SLIDE_LIMIT, moving[course.left[moving] > 0])
    course.pace = along_ground(control, plane, course.walls, mode, pull, slope)
    return course


def _meet(stride: Stride, lanes: Indices, hits: Hits, course: _Course) -> None:
    """Decide what `lanes` do at what they hit: follow it, step up, or slide along it as along a wall."""
    normal = hits.normal.take(lanes, axis=1)
    rows = hits.row[lanes]
    judged = stride.judge(rows, normal)
    barred = nonzero(~judged.is_walkable)
    others = _walkable_instead(stride, lanes[barred], hits, np.sqrt(course.square))
    found = nonzero(others >= 0)
    if len(found):
        rows[barred[found]] = others[found]
        judged = stride.judge(rows, normal)
    is_followed = judged.is_even & judged.is_gentle
    is_climbed = np.zeros(len(lanes), bool)
    tried = nonzero(~is_followed)
    if course.on_ground and len(tried):
        points = stride.contact_points(hits, lanes[tried])
        is_climbed[tried], gone = climb(
            stride, lanes[tried], rows[tried], points, normal.take(tried, axis=1), judged.is_edge[tried], course.way
        )
        if is_any(is_climbed):
            course.step_up(lanes[is_climbed], stride.ground_normal, gone[is_climbed[tried]])
    is_followed |= judged.is_walkable & judged.is_gentle & ~is_climbed  # low enough to roll over
    followed = nonzero(is_followed)
    if len(followed):
        course.follow(lanes[followed], normal.take(followed, axis=1))
    walls = nonzero(~(is_followed | is_climbed))
    if len(walls):
        normal, stopped = normal.take(walls, axis=1), lanes[walls]
        wall = np.zeros(course.plane.shape)
        wall[:, stopped] = normal
        course.walls.append(wall)
        stride.touch_wall(stopped, normal, judged.only(walls))


def _walkable_instead(stride: Stride, lanes: Indices, hits: Hits, length: Scalars) -> Indices:
    """Return the row (k,) of something walkable that `lanes` (k,) hit in the same point as what they hit; or -1.

    At a corner several edges are hit at once. Rounding decides which is the first, and must not decide whether a rim
    is stepped on. `length` (n,), m, is that of the way that was cast.
    """
    rows = np.full(len(length), -1, np.intp)
    if not len(lanes) or len(hits.found_rows) == 1:
        return rows[lanes]
    is_asked = np.zeros(len(length), bool)
    is_asked[lanes] = True
    lane = stride.near.lane[hits.found_rows]
    later = (hits.found_fraction - hits.fraction[lane]) * length[lane]
    is_same = dot(hits.found_normal, hits.normal.take(lane, axis=1)) > 1 - SAME_POINT
    also = nonzero(is_asked[lane] & is_same & (later <= TOUCHING * stride.body.stop_short))
    also = also[stride.judge(hits.found_rows[also], hits.found_normal.take(also, axis=1)).is_walkable]
    rows[lane[also]] = hits.found_rows[also]
    return rows[lanes]


def locked_walls(stride: Stride) -> list[Rows]:
    """Return two walls that leave no room for motion along a locked direction; none where nothing is locked."""
    if not any(stride.settings.plane_lock):
        return []
    lock = turned(np.array([stride.settings.plane_lock]), stride.body)
    lock = np.broadcast_to(lock, stride.offset.shape)
    return [lock, -lock]
