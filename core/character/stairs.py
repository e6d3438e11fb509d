"""Stairs: stepping up onto what is low enough, by going up, forward and down."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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
    highest = _highest(points.take(low, axis=1), ceiling)
    is_low = _is_low(stride, lanes[low], points.take(low, axis=1), highest)
    low, ceiling, highest = low[is_low], ceiling.of(nonzero(is_low)), highest[is_low]
    if not len(low):
        return is_climbed, share
    margin = TOLERANCE * stride.settings.height
    feet = feet_of(stride.offset.take(lanes[low], axis=1), stride.body)
    lift = np.minimum(highest - feet, most_lift(stride.settings))
    to_edge = points[2][low] - feet + margin
    found = nonzero(_has_foothold(stride, lanes[low], way, np.maximum(lift, to_edge), ceiling))
    if not len(found):
        return is_climbed, share
    low, ceiling, lift, to_edge, highest = low[found], ceiling.of(found), lift[found], to_edge[found], highest[found]
    attempts = _Attempts.of(stride, lanes[low], way, normal.take(low, axis=1), ceiling, lift, to_edge)
    has_climbed, gone = attempts.take(is_edge[low] & (points[2][low] < highest))
    first = has_climbed.reshape(-1, len(low)).argmax(axis=0) * len(low) + np.arange(len(low))
    is_climbed[low] = has_climbed[first]
    up = nonzero(has_climbed[first])
    share[low[up]] = gone[first[up]]
    _step_up(stride, lanes[low[up]], attempts.stride, first[up])
    return is_climbed, share


def _step_up(stride: Stride, lanes: Indices, attempts: Stride, climbed: Indices) -> None:
    """Move `lanes` (k,) to where the `attempts` that have `climbed` (k,) are, and note how high the steps were."""
    stood = stride.ground_point[2][lanes]
    stride.take_over(attempts, climbed, lanes)
    height = stride.ground_point[2][lanes] - stood
    rose = nonzero(height > NEW_STEP * stride.settings.height)
    lanes = lanes[rose]
    normal, objects = stride.ground_normal.take(lanes, axis=1), stride.ground_object[lanes]
    stride.note(EventKind.STEPPED_UP, lanes, normal, objects, height[rose])


def _goes_on_upwards(stride: Stride, lanes: Indices, rows: Indices) -> Mask:
    """Return which of `rows` (k,) are of upright faces that still bar the way of `lanes` when these are lifted."""
    near = stride.near
    goes_on = np.zeros(len(rows), bool)
    flat = nonzero((rows < near.flat) & (near.feature(rows) < len(stride.features.normal)))
    flat = flat[np.abs(near.planes(rows[flat])[2]) < UPRIGHT]
    if not len(flat):
        return goes_on
    outward, beyond = near.borders(rows[flat], stride.offset.take(lanes[flat], axis=1))
    is_above = outward[:, 2] > UPRIGHT
    upwards = np.where(is_above, -beyond / np.where(is_above, outward[:, 2], 1.0), np.inf).min(axis=0)
    goes_on[flat] = upwards > most_lift(stride.settings)
    return goes_on


def _is_low(stride: Stride, lanes: Indices, points: Rows, highest: Scalars) -> Mask:
    """Return which of `points` (3, k), which block `lanes` (k,), are no higher than the rounded end of the capsule, or
    than the ceiling at the `highest` (k,) above them."""
    reached = np.maximum(highest, feet_of(stride.offset.take(lanes, axis=1), stride.body) + stride.body.radius)
    is_low: Mask = points[2] <= reached + TOLERANCE * stride.settings.height
    return is_low


def _highest(points: Rows, ceiling: Ceiling) -> Scalars:
    """Return how high each ceiling (k,) is above its point of `points` (3, k)."""
    highest: Scalars = points[2] + (ceiling.height - dot(ceiling.normal, points)) / ceiling.normal[2]
    return highest


def _has_foothold(stride: Stride, lanes: Indices, way: Rows, lift: Scalars, ceiling: Ceiling) -> Mask:
    """Return which of `lanes` (k,) may find ground under their ceilings when they go `way` (3, n), `lift` (k,) up."""
    offset, level = stride.offset.take(lanes, axis=1), way.take(lanes, axis=1)
    reach = np.hypot(level[0], level[1])
    above, top = offset[2] + 2 * stride.body.stop_short, offset[2] + np.maximum(lift, 0.0)
    near = stride.around(lanes, stride.body.radius, 2 * stride.body.radius)
    return has_foothold(near, stride.settings.slope_limit, offset, reach, above, top, ceiling)


@dataclass(frozen=True, slots=True, eq=False)
class _Attempts:
    """Attempts of k lanes to step up, tried side by side: of each lane a whole step, one that is lifted no higher than
    the edge in front, and shorter ones.

    Attributes
    ----------
    stride : Stride
        Has a walker for each of the a attempts: the first of all lanes, then the second of all, and so on.
    way : (2, a) float, m
        Where each goes, seen from above.
    part : (a,) float
        Of the whole way.
    lift : (a,) float, m
        How far up each goes at the most.
    blockers : (2, a) float
        Level directions of the normals of what blocks the lanes.
    ceiling : Ceiling
        Of each.
    """

    stride: Stride
    way: NDArray[np.float64]
    part: Scalars
    lift: Scalars
    blockers: NDArray[np.float64]
    ceiling: Ceiling

    @classmethod
    def of(
        cls, stride: Stride, lanes: Indices, way: Rows, normal: Rows, ceiling: Ceiling, lift: Scalars, to_edge: Scalars
    ) -> "_Attempts":
        """Return those of `lanes` (k,), blocked by something with `normal` (3, k), to go along `way` (3, n), and up by
        `lift` (k,) or `to_edge` (k,)."""
        k, parts = len(lanes), np.array([1.0, 1.0, *SHORTER])
        number, part = np.tile(np.arange(k), len(parts)), parts.repeat(k)
        return cls(
            stride.of(lanes[number], 0.0, stride.body.radius),  # `most_lift` is that much more than a step is high
            way[:2].take(lanes[number], axis=1) * part,
            part,
            np.maximum(np.concatenate([lift, to_edge, *(lift for _ in SHORTER)]), 0.0),
            _level_directions(normal).take(number, axis=1),
            ceiling.of(number),
        )

    def take(self, is_under: Mask) -> tuple[Mask, Scalars]:
        """Go up, forward and down, and return which attempts (a,) climbed, and which share of the whole way (a,) they
        went.

        Shorter ones count if the whole step has room, the low one if it has none and the lane `is_under` (k,) a ceiling
        that its edge is not above.
        """
        stride, n, k = self.stride, len(self.part), len(is_under)
        before, up = stride.offset.copy(), np.zeros((3, n))
        up[2] = self.lift
        every = np.arange(n)
        risen = stride.advance(up, stride.cast(up, every), every) * self.lift
        share = self._go_forward() * self.part
        came = stride.offset[:2] - before[:2]
        is_ahead = came[0] * self.way[0] + came[1] * self.way[1] > 0
        has_room = is_ahead & (np.hypot(came[0], came[1]) > LEAST_ROOM * stride.settings.radius)
        whole = has_room[:k]
        landing = nonzero(has_room & np.concatenate([whole, ~whole & is_under, *(whole for _ in SHORTER)]))

        down = np.zeros((3, n))
        down[2] = -(risen + stride.settings.ground_snap + 2 * stride.body.stop_short)
        is_climbed = np.zeros(n, bool)
        is_climbed[landing] = stand(stride, down, landing, self.ceiling)
        is_climbed &= stride.offset[2] > before[2] + 2 * stride.body.stop_short
        return is_climbed, share

    def _go_forward(self) -> Scalars:
        """Go along the ways, sliding along walls beside the step but not along what blocks them, and return the share
        (a,) of each that was gone."""
        stride, n = self.stride, len(self.part)
        forward, left, moving = np.zeros((3, n)), np.ones(n), np.arange(n)
        forward[:2] = self.way
        walls: list[NDArray[np.float64]] = []
        for _ in range(MOST_WALLS):
            hits = stride.cast(forward, moving)
            left[moving] *= 1 - stride.advance(forward, hits, moving)
            has_met = hits.row[moving] >= 0
            left[moving[~has_met]] = 0.0
            met = moving[has_met]
            wall = _level_directions(hits.normal.take(met, axis=1))
            is_beside = (wall * self.blockers.take(met, axis=1)).sum(axis=0) < SAME_WALL
            moving = met[is_beside]
            if not len(moving):
                break
            walls.append(np.zeros((2, n)))
            walls[-1][:, moving] = wall[:, is_beside]
            forward[:2] = clip_level(self.way, np.array(walls)) * left
        return 1 - left


def _level_directions(normal: Rows) -> NDArray[np.float64]:
    """Return the level directions (2, k) of normals (3, k), of length 1."""
    level: NDArray[np.float64] = normal[:2] / np.maximum(np.hypot(normal[0], normal[1]), 1e-9)
    return level


def step_ceiling(stride: Stride, lanes: Indices) -> Ceiling:
    """Return the planes up to which `lanes` (k,) may step: the ground that they stand on, raised by the step offset.

    On a slope that is measured along the ground's normal. Who hangs at the edge of a step by its side, further round
    than the slope limit, does not stand on that step: then it is measured from its lowest point.
    """
    settings, body = stride.settings, stride.body
    point, offset = stride.ground_point.take(lanes, axis=1), stride.offset.take(lanes, axis=1)
    lowest = offset.copy()
    lowest[2] = feet_of(offset, body)
    beside = np.hypot(point[0] - offset[0], point[1] - offset[1])
    is_steady = beside <= body.radius * (math.sin(settings.slope_limit) + 1e-3)
    is_steady &= (point[2] >= lowest[2] - body.radius) & (point[2] <= lowest[2] + body.radius)
    up = np.array([[0.0], [0.0], [1.0]])
    normal = np.where(is_steady, stride.ground_normal.take(lanes, axis=1), up)
    base = np.where(is_steady, point, lowest)
    above = dot(normal, base) + settings.step_offset
    above = np.where(is_steady, above, np.maximum(above, point[2]))  # the edge that it hangs at has been allowed
    return Ceiling(normal, above + TOLERANCE * settings.height)


def most_lift(settings: Settings) -> float:
    """Return how far a step may lift the character at the most, m: on a slope further than the step offset."""
    return highest_step(settings) + settings.radius


def highest_step(settings: Settings) -> float:
    """Return how much higher a step may bring the character at the most, m: on a slope further than the offset."""
    return STEEPEST_LIFT * settings.step_offset
