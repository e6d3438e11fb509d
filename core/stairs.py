"""Stairs: stepping up onto what is low enough, by going up, forward and down."""

import math
from dataclasses import dataclass

import numpy as np

from .arrays import Indices, Mask, Rows, Scalars, nonzero
from .clip import clip_level
from .events import EventKind
from .ground import feet_of
from .stand import NEW_STEP, stand
from .stride import Stride

TOLERANCE = 0.005  # of the height: how much higher than step_offset a step may be, to climb one that is just as high
MOST_WALLS = 3  # walls beside a step that the character slides along while it climbs
SHORTER = (0.5, 0.25)  # parts of the way that are tried where all of it ends on something too high
LEAST_ROOM = 1e-4  # of the radius: a step must bring the character forward by this much


def climb(stride: Stride, lanes: Indices, points: Rows, is_edge: Mask, way: Rows) -> tuple[Mask, Scalars]:
    """Try to step up where `lanes` (k,) are blocked.

    Up by the step offset or as far as there is room, forward along what is left of the way, and down: taken if
    the character comes forward, and stands on something walkable that is not higher than the step offset above
    what it stood on. Where a low ceiling bars the way, no higher than the edge in front; where the way ends on the
    next step but one, only part of it.

    Parameters
    ----------
    points : (3, k) float, m
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
    settings, body = stride.settings, stride.body
    margin = TOLERANCE * settings.height
    feet = feet_of(stride.offset[:, lanes], body)
    highest = standing_level(stride, lanes) + settings.step_offset + margin
    is_climbed, share = np.zeros(len(lanes), bool), np.zeros(len(lanes))
    tried = nonzero(points[2] <= np.maximum(highest, feet + body.radius) + margin)
    if settings.step_offset <= 0 or not len(tried):
        return is_climbed, share
    stood = stride.ground_point[2, lanes]
    step = _Step(stride, way, lanes, highest)
    has_room = step.take(tried, highest - feet, 1.0, is_climbed, share)
    low = tried[~has_room & is_edge[tried] & (points[2, tried] < highest[tried])]
    if len(low):
        step.take(low, points[2] - feet + margin, 1.0, is_climbed, share)
    for part in SHORTER:
        short = tried[has_room & ~is_climbed[tried]]
        if len(short):
            step.take(short, highest - feet, part, is_climbed, share)
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
    """Attempts of `lanes` (k,) to step up along `way` (3, n) onto what is not over `highest` (k,)."""

    stride: Stride
    way: Rows
    lanes: Indices
    highest: Scalars

    def take(self, tried: Indices, lift: Scalars, part: float, is_climbed: Mask, share: Scalars) -> Mask:
        """Lift those of `tried` (j,), go `part` of the way, and down. Enter in `is_climbed` (k,) and `share` (k,)
        who stands then, leave the others where they were, and return who came forward (j,)."""
        stride, settings = self.stride, self.stride.settings
        start, before = self.lanes[tried], stride.offset.copy()
        up = np.zeros_like(self.way)
        up[2, start] = np.maximum(lift[tried], 0.0)
        risen = stride.advance(up, stride.cast(up, start), start) * up[2, start]

        gone = _go_forward(stride, self.way * part, start) * part
        came = stride.offset[:2, start] - before[:2, start]
        ahead = came[0] * self.way[0, start] + came[1] * self.way[1, start] > 0
        has_room: Mask = ahead & (np.hypot(came[0], came[1]) > LEAST_ROOM * settings.radius)

        down = np.zeros_like(self.way)
        down[2, start] = -(risen + settings.ground_snap + 2 * stride.body.stop_short)
        ceiling = np.full(self.way.shape[1], np.inf)
        ceiling[self.lanes] = self.highest
        landing = tried[has_room]
        is_climbed[landing] = stand(stride, down, self.lanes[landing], ceiling)
        share[tried] = np.where(is_climbed[tried], gone, 0.0)
        failed = start[~is_climbed[tried]]
        stride.offset[:, failed] = before[:, failed]
        return has_room


def _go_forward(stride: Stride, way: Rows, lanes: Indices) -> Scalars:
    """Move `lanes` (k,) along the level part of `way`, sliding along walls beside the step, and return the share
    (k,) of the way that was gone."""
    forward = way.copy()
    forward[2] = 0.0
    asked = forward[:2].copy()
    left = np.ones(way.shape[1])
    walls = []
    moving = lanes
    for _ in range(MOST_WALLS):
        hits = stride.cast(forward, moving)
        left[moving] *= 1 - stride.advance(forward, hits, moving)
        met = moving[hits.row[moving] >= 0]
        left[np.setdiff1d(moving, met)] = 0.0
        if not len(met):
            break
        wall = np.zeros_like(asked)
        wall[:, met] = hits.normal[:2, met]
        wall /= np.maximum(np.hypot(wall[0], wall[1]), 1e-9)
        walls.append(wall)
        forward[:2] = clip_level(asked, np.stack(walls)) * left
        moving = met
    share: Scalars = 1 - left[lanes]
    return share


def standing_level(stride: Stride, lanes: Indices) -> Scalars:
    """Return the height of what `lanes` stand on (k,), in the walker's coordinates.

    It is the point that carries, if the capsule stands on it no further round than the slope limit; else its
    lowest point: hanging at the edge of a step by its side is not standing on that step.
    """
    settings, body = stride.settings, stride.body
    point, offset = stride.ground_point[:, lanes], stride.offset[:, lanes]
    beside = np.hypot(point[0] - offset[0], point[1] - offset[1])
    feet = feet_of(offset, body)
    is_steady = beside <= body.radius * (math.sin(settings.slope_limit) + 1e-3)
    level: Scalars = np.where(is_steady, np.clip(point[2], feet, feet + body.radius), feet)
    return level
