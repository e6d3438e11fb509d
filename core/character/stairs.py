"""Stairs: stepping up onto what is low enough, by going up, forward and down."""

import math

import numpy as np

from ..arrays import Indices, Mask, Rows, Scalars, nonzero
from ..events import EventKind
from ..geometry.axes import dot
from ..geometry.ground import feet_of
from ..settings import Settings
from .attempts import Attempts
from .foothold import has_foothold
from .stand import NEW_STEP, Ceiling
from .stride import Stride

TOLERANCE = 0.005  # of the height: how much higher than step_offset a step may be, to climb one that is just as high
STEEPEST_LIFT = 1.5  # of the step offset: on a slope of 48 degrees a step along the normal is as much upwards
UPRIGHT = 1e-6  # upward component of a normal below which lifting leads along the face


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
    attempts = Attempts.of(stride, lanes[low], way, normal.take(low, axis=1), ceiling, lift, to_edge)
    chosen, gone = attempts.take(is_edge[low] & (points[2][low] < highest))
    up = nonzero(chosen >= 0)
    is_climbed[low[up]], share[low[up]] = True, gone[chosen[up]]
    _step_up(stride, lanes[low[up]], attempts.stride, chosen[up])
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
    flat = nonzero((rows < near.flat) & (near.feature(rows) < len(near.features.normal)))
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
