"""Stairs: stepping up onto what is low enough, by going up, forward and down."""

import math
from dataclasses import dataclass

import numpy as np

from ..arrays import Indices, Mask, Rows, Scalars, nonzero
from ..events import EventKind
from ..geometry.axes import dot
from ..geometry.clip import clip_level
from ..geometry.ground import feet_of
from ..settings import Settings
from .foothold import has_foothold
from .stand import NEW_STEP, Ceiling, stand
from .stride import Stride

TOLERANCE = 0.005  # of the height: how much higher than step_offset a step may be, to climb one that is just as high
SAME_WALL = 0.99  # cosine between two walls from which they are one
MOST_WALLS = 3  # walls beside a step that the character slides along while it climbs
SHORTER = (0.5, 0.25)  # parts of the way that are tried where all of it ends on something too high
STEEPEST_LIFT = 1.5  # of the step offset: on a slope of 48 degrees a step along the normal is as much upwards
FEW = 0.7  # of all lanes: so few are looked at alone, without the arrays of all the others
UPRIGHT = 1e-6  # upward component of a normal below which lifting leads along the face
LEAST_ROOM = 1e-4  # of the radius: a step must bring the character forward by this much


def climb(
    stride: Stride, lanes: Indices, rows: Indices, points: Rows, normal: Rows, is_edge: Mask, way: Rows
) -> tuple[Mask, Scalars]:
    """Try to step up where `lanes` (k,) are blocked.

    Up by the step offset or as far as there is room, forward along what is left of the way, and down: taken if
    the character comes forward and up, and stands on something walkable that is not higher than the step offset
    above what it stood on. Where a low ceiling bars the way, no higher than the edge in front; where the way ends
    on the next step but one, only part of it.

    Parameters
    ----------
    rows : (k,) int
        Rows of the near pieces that block the lanes.
    points, normal : (3, k) float, m
        What blocks the lanes.
    is_edge : (k,) bool
        It is an edge, not a wall that may go on upwards.
    way : (3, n) float, m
        What is left to go; its level part counts.

    Returns
    -------
    is_climbed : (k,) bool
        Those lanes have been moved, the others not.
    share : (k,) float
        Share of the way that was gone.
    """
    is_climbed, share = np.zeros(len(lanes), bool), np.zeros(len(lanes))
    low = nonzero(~_goes_on_upwards(stride, lanes, rows))
    if stride.settings.step_offset <= 0 or not len(low):
        return is_climbed, share
    ceiling = step_ceiling(stride, lanes[low])
    low = low[_is_low(stride, lanes[low], points[:, low], ceiling)]
    if not len(low):
        return is_climbed, share
    lanes, points, normal, is_edge = lanes[low], points[:, low], normal[:, low], is_edge[low]
    if len(low) < FEW * way.shape[1] or not stride.has_all_near:
        few, number = stride.of(lanes, stride.body.radius, 2 * stride.body.radius), np.arange(len(low))
        way, ceiling = way.take(lanes, axis=1), ceiling.of(lanes)
        is_climbed[low], share[low] = _climb(few, number, points, normal, is_edge, way, ceiling)
        stride.take_over(few, lanes)
    else:
        is_climbed[low], share[low] = _climb(stride, lanes, points, normal, is_edge, way, ceiling)
    return is_climbed, share


def _goes_on_upwards(stride: Stride, lanes: Indices, rows: Indices) -> Mask:
    """Return which of `rows` (k,) are of upright faces that still bar the way of `lanes` when these are lifted."""
    near = stride.near
    goes_on = np.zeros(len(rows), bool)
    flat = nonzero((rows < len(near.is_one_sided)) & (near.feature[rows] < len(stride.features.normal)))
    flat = flat[np.abs(near.plane[2, rows[flat]]) < UPRIGHT]
    if not len(flat):
        return goes_on
    outward, beyond = near.borders(rows[flat], stride.offset.take(lanes[flat], axis=1))
    is_above = outward[:, 2] > UPRIGHT
    upwards = np.where(is_above, -beyond / np.where(is_above, outward[:, 2], 1.0), np.inf).min(axis=0)
    goes_on[flat] = upwards > most_lift(stride.settings)
    return goes_on


def _is_low(stride: Stride, lanes: Indices, points: Rows, ceiling: Ceiling) -> Mask:
    """Return which of `points` (3, k), which block `lanes` (k,), are no higher than the rounded end of the capsule or
    the ceiling."""
    reached = np.maximum(
        _highest(points, lanes, ceiling), feet_of(stride.offset[:, lanes], stride.body) + stride.body.radius
    )
    is_low: Mask = points[2] <= reached + TOLERANCE * stride.settings.height
    return is_low


def _highest(points: Rows, lanes: Indices, ceiling: Ceiling) -> Scalars:
    """Return how high the ceiling is above `points` (3, k), which block `lanes`."""
    ground = ceiling.normal[:, lanes]
    highest: Scalars = points[2] + (ceiling.height[lanes] - dot(ground, points)) / ground[2]
    return highest


def _climb(
    stride: Stride, lanes: Indices, points: Rows, normal: Rows, is_edge: Mask, way: Rows, ceiling: Ceiling
) -> tuple[Mask, Scalars]:
    """Try to step up as `climb` does, with lanes of `stride` that are blocked by something low."""
    settings, body = stride.settings, stride.body
    margin = TOLERANCE * settings.height
    offset = stride.offset.take(lanes, axis=1)
    feet = feet_of(offset, body)
    highest = _highest(points, lanes, ceiling)
    lift, to_edge = np.minimum(highest - feet, most_lift(settings)), points[2] - feet + margin
    is_climbed, share = np.zeros(len(lanes), bool), np.zeros(len(lanes))
    reach = np.hypot(way[0, lanes], way[1, lanes])
    above, top = offset[2] + 2 * body.stop_short, offset[2] + np.maximum(np.maximum(lift, to_edge), 0.0)
    tried = nonzero(has_foothold(stride, lanes, offset, reach, above, top, ceiling))
    if not len(tried):
        return is_climbed, share
    stood = stride.ground_point[2, lanes]
    step = _Step(stride, way, lanes, _level_normals(normal, lanes, way.shape[1]), ceiling)
    has_room = step.take(tried, lift, 1.0, is_climbed, share)
    low = tried[~has_room & is_edge[tried] & (points[2, tried] < highest[tried])]
    if len(low):
        step.take(low, to_edge, 1.0, is_climbed, share)
    for part in SHORTER:
        short = tried[has_room & ~is_climbed[tried]]
        if len(short):
            step.take(short, lift, part, is_climbed, share)
    rose = nonzero(is_climbed & (stride.ground_point[2, lanes] > stood + NEW_STEP * settings.height))
    stepped = lanes[rose]
    stride.note(
        EventKind.STEPPED_UP,
        stepped,
        stride.ground_normal[:, stepped],
        stride.ground_object[stepped],
        (stride.ground_point[2, lanes] - stood)[rose],
    )
    return is_climbed, share


@dataclass(slots=True, eq=False)
class _Step:
    """Attempts of `lanes` (k,) to step up along `way` (3, n) onto what is not over the ceiling."""

    stride: Stride
    way: Rows
    lanes: Indices
    blockers: Rows
    ceiling: Ceiling

    def take(self, tried: Indices, lift: Scalars, part: float, is_climbed: Mask, share: Scalars) -> Mask:
        """Lift those of `tried` (j,), go `part` of the way, and down. Enter in `is_climbed` (k,) and `share` (k,)
        who stands then, leave the others where they were, and return who came forward (j,)."""
        stride, settings = self.stride, self.stride.settings
        start, before = self.lanes[tried], stride.offset.copy()
        ground = stride.ground()
        up = np.zeros(self.way.shape)
        up[2, start] = np.maximum(lift[tried], 0.0)
        risen = stride.advance(up, stride.cast(up, start), start) * up[2, start]

        gone = self._go_forward(self.way * part, start) * part
        came = stride.offset[:2, start] - before[:2, start]
        ahead = came[0] * self.way[0, start] + came[1] * self.way[1, start] > 0
        has_room: Mask = ahead & (np.hypot(came[0], came[1]) > LEAST_ROOM * settings.radius)

        down = np.zeros(self.way.shape)
        down[2, start] = -(risen + settings.ground_snap + 2 * stride.body.stop_short)
        landing = tried[has_room]
        stands = stand(stride, down, self.lanes[landing], self.ceiling)
        rises = stride.offset[2, self.lanes[landing]] > before[2, self.lanes[landing]] + 2 * stride.body.stop_short
        is_climbed[landing] = stands & rises
        share[tried] = np.where(is_climbed[tried], gone, 0.0)
        failed = start[~is_climbed[tried]]
        stride.offset[:, failed] = before[:, failed]
        stride.restore_ground(ground, failed)
        return has_room

    def _go_forward(self, way: Rows, lanes: Indices) -> Scalars:
        """Move `lanes` (k,) along the level part of `way`, sliding along walls beside the step but not along what
        blocks them, and return the share (k,) of the way that was gone."""
        stride, forward = self.stride, way.copy()
        forward[2] = 0.0
        asked = forward[:2].copy()
        left = np.ones(way.shape[1])
        walls: list[Rows] = []
        moving = lanes
        for _ in range(MOST_WALLS):
            hits = stride.cast(forward, moving)
            left[moving] *= 1 - stride.advance(forward, hits, moving)
            met = moving[hits.row[moving] >= 0]
            left[moving[hits.row[moving] < 0]] = 0.0
            wall = _level_normals(hits.normal[:, met], met, way.shape[1])
            is_beside = (wall[0] * self.blockers[0] + wall[1] * self.blockers[1])[met] < SAME_WALL
            moving = met[is_beside]
            if not len(moving):
                break
            wall[:, met[~is_beside]] = 0.0
            walls.append(wall[:2])
            forward[:2] = clip_level(asked, np.stack(walls)) * left
        share: Scalars = 1 - left[lanes]
        return share


def _level_normals(normal: Rows, lanes: Indices, n: int) -> Rows:
    """Return the level directions (3, n) of normals (3, k) of `lanes`, of length 1; zeros for the other lanes."""
    level = np.zeros((3, n))
    level[:2, lanes] = normal[:2] / np.maximum(np.hypot(normal[0], normal[1]), 1e-9)
    return level


def step_ceiling(stride: Stride, lanes: Indices) -> Ceiling:
    """Return the planes up to which `lanes` may step: the ground that they stand on, raised by the step offset.

    On a slope that is measured along the ground's normal. Who hangs at the edge of a step by its side, further round
    than the slope limit, does not stand on that step: then it is measured from its lowest point.
    """
    settings, body = stride.settings, stride.body
    n = stride.offset.shape[1]
    point, offset = stride.ground_point[:, lanes], stride.offset[:, lanes]
    lowest = offset.copy()
    lowest[2] = feet_of(offset, body)
    beside = np.hypot(point[0] - offset[0], point[1] - offset[1])
    is_steady = beside <= body.radius * (math.sin(settings.slope_limit) + 1e-3)
    is_steady &= (point[2] >= lowest[2] - body.radius) & (point[2] <= lowest[2] + body.radius)
    up = np.array([[0.0], [0.0], [1.0]])
    normal, height = np.zeros((3, n)), np.full(n, np.inf)
    normal[2] = 1.0
    normal[:, lanes] = np.where(is_steady, stride.ground_normal[:, lanes], up)
    base = np.where(is_steady, point, lowest)
    above = dot(normal[:, lanes], base) + settings.step_offset
    above = np.where(is_steady, above, np.maximum(above, point[2]))  # the edge that it hangs at has been allowed
    height[lanes] = above + TOLERANCE * settings.height
    return Ceiling(normal, height)


def most_lift(settings: Settings) -> float:
    """Return how far a step may lift the character at the most, m: on a slope further than the step offset."""
    return highest_step(settings) + settings.radius


def highest_step(settings: Settings) -> float:
    """Return how much higher a step may bring the character at the most, m: on a slope further than the offset."""
    return STEEPEST_LIFT * settings.step_offset
