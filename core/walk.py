"""Walk: level motion along the ground or through the air, sliding along all that is touched."""

import numpy as np
from numpy.typing import NDArray

from .arrays import Indices, Rows, Scalars, nonzero
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
    stride.velocity[:, lanes] = along_ground(control, plane, walls, mode, 0.0)[:, lanes]


def drift(stride: Stride, lanes: Indices, control: NDArray[np.float64]) -> None:
    """Move airborne `lanes` (k,) sideways for one step at the level velocity `control` (2, n).

    Walls stop only what goes into them, and a leaning wall gives no lift.
    """
    plane = np.zeros_like(stride.offset)
    plane[2] = 1.0
    walls = _move(stride, lanes, control, plane, SlopeSpeed.HORIZONTAL, 0.0, can_climb=False)
    level = along_ground(control, np.broadcast_to([[0.0], [0.0], [1.0]], plane.shape), walls, SlopeSpeed.HORIZONTAL, 0)
    stride.velocity[:2, lanes] = level[:2, lanes]


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
    left = np.zeros(stride.offset.shape[1])
    left[lanes] = stride.dt
    walls = locked_walls(stride)
    for _ in range(stride.settings.max_slides):
        way = along_ground(control, plane, walls, mode, pull) * left
        moving = lanes[dot(way, way)[lanes] > STILL**2]
        if not len(moving):
            return walls
        hits = stride.cast(way, moving)
        share = stride.advance(way, hits, moving)
        left[moving] *= np.where(hits.row[moving] >= 0, 1 - share, 0.0)
        way[:, moving] *= 1 - share
        met = moving[hits.row[moving] >= 0]
        if not len(met):
            return walls
        _meet(stride, met, hits, way, left, plane, walls, can_climb)
    stride.note(EventKind.SLIDE_LIMIT, moving[left[moving] > 0])
    return walls


def _meet(
    stride: Stride,
    lanes: Indices,
    hits: Hits,
    way: Rows,
    left: Scalars,
    plane: Rows,
    walls: list[Rows],
    can_climb: bool,
) -> None:
    """Decide what `lanes` do at what they hit: follow it, step up, or slide along it as along a wall."""
    normal = hits.normal[:, lanes]
    judged = judge(stride.features, stride.near, hits.row[lanes], normal, stride.settings.slope_limit)
    is_followed = judged.is_even & judged.is_gentle
    is_climbed = np.zeros(len(lanes), bool)
    tried = nonzero(~is_followed)
    if can_climb and len(tried):
        points = stride.contact_points(hits, lanes[tried])
        is_climbed[tried], gone = climb(stride, lanes[tried], points, judged.is_edge[tried], way)
        up = lanes[is_climbed]
        left[up] *= 1 - gone[is_climbed[tried]]
        plane[:, up] = stride.ground_normal[:, up]
    is_followed |= judged.is_walkable & judged.is_gentle & ~is_climbed  # low enough to roll over
    _follow(lanes[is_followed], normal[:, is_followed], plane, walls)
    is_wall = ~is_followed & ~is_climbed
    if is_wall.any():
        wall = np.zeros_like(plane)
        wall[:, lanes[is_wall]] = normal[:, is_wall]
        walls.append(wall)
        stride.touch_wall(lanes[is_wall], normal[:, is_wall], judged.only(nonzero(is_wall)))


def _follow(lanes: Indices, normal: Rows, plane: Rows, walls: list[Rows]) -> None:
    """Let `lanes` go on along ground with `normal` (3, k); the ground that they come from is not to be entered again.

    In a valley each side alone would lead into the other: with both, the way goes along the valley.
    """
    if not len(lanes):
        return
    before = plane[:, lanes].copy()
    plane[:, lanes] = normal
    left = np.zeros_like(plane)
    left[:, lanes] = np.where(dot(before, normal) < 1 - SAME, before, 0.0)
    if left.any():
        walls.append(left)


def locked_walls(stride: Stride) -> list[Rows]:
    """Return two walls that leave no room for motion along a locked direction; none where nothing is locked."""
    if not any(stride.settings.plane_lock):
        return []
    lock = turned(np.array([stride.settings.plane_lock]), stride.body)
    lock = np.broadcast_to(lock, stride.offset.shape)
    return [lock, -lock]
