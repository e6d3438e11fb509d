"""Guard: keeping a walker from going over a drop, by stopping it or letting it slide along the rim."""

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices, Mask, Rows, Scalars, Vectors, nonzero
from ..geometry.axes import dot
from ..geometry.features import Features
from ..geometry.grid import Grid
from ..settings import LedgeGuard
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
    chosen = before.copy()
    chosen[lanes] = 0.0  # who rests keeps its side
    stride.memory = replace(stride.memory, rim_side=chosen)
    heading = np.arctan2(control[1, lanes], control[0, lanes])
    ahead = np.maximum(settings.guard_ahead, AHEAD * speed[lanes] * stride.dt)
    blocked = nonzero(~_is_free_ahead(stride, grid, lanes, heading, ahead))
    if not len(blocked):
        return control
    stride.is_guarded = np.isin(np.arange(control.shape[1]), lanes[blocked])
    guarded = control.copy()
    at_rim, heading, ahead = lanes[blocked], heading[blocked], ahead[blocked]
    guarded[:, at_rim] = 0.0
    if settings.ledge_guard is LedgeGuard.STOP:
        return guarded
    around = _faces_around(stride, grid, at_rim, ahead)
    turn = np.zeros(len(at_rim))
    first = np.where(before[at_rim] < 0, -SIDEWAYS, SIDEWAYS)  # the side once chosen is kept while it is free
    for side in (first, -first):
        free = _is_free(stride, around, at_rim, heading + side, ahead)
        turn = np.where(free & (turn == 0), side, turn)
    chosen = chosen.copy()
    chosen[at_rim] = np.sign(turn)
    stride.memory = replace(stride.memory, rim_side=chosen)
    stride.is_cornered = stride.is_guarded & (chosen == 0)
    slides = nonzero(turn != 0)
    closed_turn = np.zeros(len(at_rim))
    for _ in range(math.ceil(math.log2(SIDEWAYS / NARROW))):
        middle = (turn + closed_turn) / 2
        free = _is_free(stride, around, at_rim, heading + middle, ahead)
        turn = np.where(free, middle, turn)
        closed_turn = np.where(free, closed_turn, middle)
    along = np.stack([np.cos(heading + turn), np.sin(heading + turn)])
    guarded[:, at_rim[slides]] = (along * (SLOWER * speed[at_rim]))[:, slides]
    return guarded


def _above(stride: Stride, lanes: Indices, heading: Scalars, ahead: Scalars) -> tuple[Vectors, Vectors]:
    """Return the points (k, 3) above the places `ahead` (k,) of `lanes`, and the way (3,) down, in world space."""
    settings = stride.settings
    way = np.zeros((3, len(lanes)))
    way[0], way[1], way[2] = np.cos(heading) * ahead, np.sin(heading) * ahead, FROM_ABOVE
    points = stride.positions()[lanes] + stride.to_world(way)
    return points, -np.asarray(settings.up) * (FROM_ABOVE + settings.guard_depth)


def _is_free_ahead(stride: Stride, grid: Grid, lanes: Indices, heading: Scalars, ahead: Scalars) -> Mask:
    """Return for each of `lanes` (k,) whether there is ground below the place `ahead` (k,) of it."""
    features = stride.features
    points, down = _above(stride, lanes, heading, ahead)
    # Mostly it is the ground that was there in the last step: only where it is not, the level is asked.
    known = stride.memory.ground_ahead[lanes]
    likely = nonzero(known >= 0)
    faces = known.copy()
    faces[likely[~_crosses(features, points[likely], down, known[likely])]] = -1
    open_ = nonzero(faces < 0)
    if len(open_):
        faces[open_] = find_ground(features, grid, points[open_], down)
        seen = stride.memory.ground_ahead.copy()
        seen[lanes] = faces
        stride.memory = replace(stride.memory, ground_ahead=seen)
    return faces >= 0


Around = tuple[Indices, Indices]  # pairs: position in the lanes that were asked about, and a face that carries


def _faces_around(stride: Stride, grid: Grid, lanes: Indices, ahead: Scalars) -> Around:
    """Return the faces that may lie below any place `ahead` (k,) of `lanes` (k,)."""
    settings = stride.settings
    top = stride.positions()[lanes] + np.asarray(settings.up) * FROM_ABOVE
    bottom = top - np.asarray(settings.up) * (FROM_ABOVE + settings.guard_depth)
    aside = ahead[:, None] * np.abs(stride.body.turn[:2]).sum(axis=0)
    of, face = grid.find(np.minimum(top, bottom) - aside, np.maximum(top, bottom) + aside)
    carrying = nonzero(stride.features.carries[face])
    return of[carrying], face[carrying]


def _is_free(stride: Stride, around: Around, lanes: Indices, heading: Scalars, ahead: Scalars) -> Mask:
    """Return the same as `_is_free_ahead`, of the faces `around` alone."""
    points, down = _above(stride, lanes, heading, ahead)
    of, face = around
    free = np.zeros(len(lanes), bool)
    free[of[_crosses(stride.features, points[of], down, face)]] = True
    return free


def find_ground(features: Features, grid: Grid, points: Vectors, down: Vectors) -> Indices:
    """Return for each of `points` (k, 3), in world space, a face that carries within `down` (3,), m, of it; or -1."""
    low, high = np.minimum(points, points + down), np.maximum(points, points + down)
    ray, face = grid.find(low, high)
    carrying = nonzero(features.carries[face])
    ray, face = ray[carrying], face[carrying]
    crossed = nonzero(_crosses(features, points[ray], down, face))
    found = np.full(len(points), -1, np.intp)
    found[ray[crossed]] = face[crossed]
    return found


def _crosses(features: Features, points: Vectors, down: Vectors, faces: Indices) -> Mask:
    """Return whether the way `down` (3,) from each of `points` (k, 3) crosses its face of `faces` (k,).

    A ray against triangles, by the signs of three volumes (Moeller and Trumbore's test).
    """
    a, b, c = (corner.T for corner in np.moveaxis(features.corners[faces], 1, 0))
    one, other, from_corner = b - a, c - a, points.T - a
    way = np.broadcast_to(down[:, None], one.shape)
    across, turned = _cross(way, other), _cross(from_corner, one)
    volume = dot(one, across)
    is_level = np.abs(volume) > 1e-12 * np.sqrt(dot(down, down))
    volume = np.where(is_level, volume, 1.0)
    u, v, share = dot(from_corner, across) / volume, dot(way, turned) / volume, dot(other, turned) / volume
    crossed: Mask = is_level & (u >= -1e-9) & (v >= -1e-9) & (u + v <= 1 + 1e-9) & (share >= 0) & (share <= 1)
    return crossed


def _cross(a: Rows, b: Rows) -> Rows:
    """Return the cross product of each column, (3, k)."""
    return np.stack([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])
