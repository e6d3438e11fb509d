"""Guard: keeping a walker from going over a drop, by stopping it or letting it slide along the rim."""

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from .arrays import Indices, Mask, Vectors, nonzero
from .features import Features
from .grid import Grid
from .settings import LedgeGuard
from .stride import Stride

Level = NDArray[np.float64]  # (2, n)

FROM_ABOVE = 2.0  # metres over the feet from where ground ahead is looked for
AHEAD = 1.2  # of the next step: a fast walker looks further
SIDEWAYS = math.radians(80)  # turns that are tried where there is no ground ahead
NARROW = math.radians(10)  # bracket between a free and a closed heading that is narrow enough
SLOWER = 0.75  # of the speed, along a rim


def guard(stride: Stride, grid: Grid, lanes: Indices, control: Level) -> Level:
    """Return `control` (2, n), m/s, changed for `lanes` so that they do not walk over a drop.

    The way is free where there is ground below the place ahead. Where it is not, headings to both sides are tried,
    and the one nearest to the wish that is free is found by halving. Where none is free the walker stops, and turns
    slowly.
    """
    settings = stride.settings
    if settings.ledge_guard is LedgeGuard.WALK_OFF:
        return control
    speed = np.sqrt(control[0] ** 2 + control[1] ** 2)
    lanes = lanes[speed[lanes] > 0]
    if not len(lanes):
        return control
    before = stride.memory.rim_side
    stride.memory = replace(stride.memory, rim_side=np.zeros(len(before)))
    heading = np.arctan2(control[1, lanes], control[0, lanes])
    ahead = np.maximum(settings.guard_ahead, AHEAD * speed[lanes] * stride.dt)
    blocked = nonzero(~_is_free(stride, grid, lanes, heading, ahead))
    if not len(blocked):
        return control
    stride.is_guarded = np.isin(np.arange(control.shape[1]), lanes[blocked])
    guarded = control.copy()
    at_rim, heading, ahead = lanes[blocked], heading[blocked], ahead[blocked]
    guarded[:, at_rim] = 0.0
    if settings.ledge_guard is LedgeGuard.STOP:
        return guarded
    turn = np.zeros(len(at_rim))
    first = np.where(before[at_rim] < 0, -SIDEWAYS, SIDEWAYS)  # the side once chosen is kept while it is free
    for side in (first, -first):
        untried = nonzero(turn == 0)
        free = _is_free(stride, grid, at_rim[untried], heading[untried] + side[untried], ahead[untried])
        turn[untried[free]] = side[untried[free]]
    chosen = np.zeros(len(before))
    chosen[at_rim] = np.sign(turn)
    stride.memory = replace(stride.memory, rim_side=chosen)
    stride.is_cornered = stride.is_guarded & (chosen == 0)
    slides = nonzero(turn != 0)
    at_rim, heading, ahead, free_turn = at_rim[slides], heading[slides], ahead[slides], turn[slides]
    closed_turn = np.zeros(len(at_rim))
    for _ in range(math.ceil(math.log2(SIDEWAYS / NARROW))):
        middle = (free_turn + closed_turn) / 2
        free = _is_free(stride, grid, at_rim, heading + middle, ahead)
        free_turn = np.where(free, middle, free_turn)
        closed_turn = np.where(free, closed_turn, middle)
    along = np.stack([np.cos(heading + free_turn), np.sin(heading + free_turn)])
    guarded[:, at_rim] = along * (SLOWER * speed[at_rim])
    return guarded


def _is_free(
    stride: Stride, grid: Grid, lanes: Indices, heading: NDArray[np.float64], ahead: NDArray[np.float64]
) -> Mask:
    """Return for each of `lanes` (k,) whether there is ground below the place `ahead` (k,) of it."""
    settings = stride.settings
    way = np.stack([np.cos(heading) * ahead, np.sin(heading) * ahead, np.full(len(lanes), FROM_ABOVE)])
    points = stride.positions()[lanes] + stride.to_world(way)
    return has_ground(stride.features, grid, points, FROM_ABOVE + settings.guard_depth, settings.up)


def has_ground(features: Features, grid: Grid, points: Vectors, depth: float, up: tuple[float, float, float]) -> Mask:
    """Return for each of `points` (k, 3), in world space, whether a face that carries lies within `depth` (m) below.

    A ray against triangles, by the signs of three volumes (Moeller and Trumbore's test).
    """
    down = -np.asarray(up) * depth
    low, high = np.minimum(points, points + down), np.maximum(points, points + down)
    ray, face = grid.find(low, high)
    corners = features.corners[face]
    one, other = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    across = np.cross(down, other)
    volume = (one * across).sum(axis=1)
    is_level = np.abs(volume) > 1e-12 * depth
    volume = np.where(is_level, volume, 1.0)
    from_corner = points[ray] - corners[:, 0]
    u = (from_corner * across).sum(axis=1) / volume
    turned = np.cross(from_corner, one)
    v = (turned @ down) / volume
    share = (other * turned).sum(axis=1) / volume
    is_hit = is_level & (u >= -1e-9) & (v >= -1e-9) & (u + v <= 1 + 1e-9) & (share >= 0) & (share <= 1)
    found = np.zeros(len(points), bool)
    found[ray[is_hit & features.carries[face]]] = True
    return found
