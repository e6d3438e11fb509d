"""Guard: keeping a walker from going over a drop, by stopping it or letting it slide along the rim."""

import math

import numpy as np

from ..arrays import Indices, Level, Mask, Rows, Scalars, is_any, nonzero
from ..geometry.below import Below
from ..geometry.grid import Grid
from ..geometry.plumb import Plumb
from ..settings import LedgeGuard
from .stride import Stride

Around = tuple[Indices, Plumb]  # pairs: position in the walkers that were asked about, and a face

FROM_ABOVE = 2.0  # metres over the feet from where ground ahead is looked for
AHEAD = 1.2  # of the next step: a fast walker looks further
SIDEWAYS = math.radians(80)  # turns that are tried where there is no ground ahead
NARROW = math.radians(10)  # bracket between a free and a closed heading that is narrow enough
NOTHING: Around = np.zeros(0, np.intp), Plumb(*[np.zeros(0)] * 9)
SLOWER = 0.75  # of the speed, along a rim
ROOM = 0.5  # of the way ahead: what is gathered around a walker beyond it, to be kept for further steps


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
    ahead = np.maximum(settings.guard_ahead, AHEAD * speed[lanes] * stride.dt)
    blocked, around = _find_blocked(stride, grid, lanes, control.take(lanes, axis=1) * (ahead / speed[lanes]), ahead)
    guarded = control
    if len(blocked):
        at_rim = lanes[blocked]
        stride.is_guarded = np.zeros(control.shape[1], bool)
        stride.is_guarded[at_rim] = True
        guarded = control.copy()
        guarded[:, at_rim] = 0.0
        if settings.ledge_guard is LedgeGuard.SLIDE:
            heading = np.arctan2(control[1][at_rim], control[0][at_rim])
            side, along = _find_way(around, heading, ahead[blocked], before[at_rim], settings.guard_depth)
            chosen[at_rim] = side
            stride.is_cornered = stride.is_guarded & (chosen == 0)
            slides = nonzero(side != 0)
            guarded[:, at_rim[slides]] = (along * (SLOWER * speed[at_rim]))[:, slides]
    if is_any(chosen != before):
        stride.memory.rim_side = chosen
    return guarded


def _find_blocked(stride: Stride, grid: Grid, lanes: Indices, way: Level, ahead: Scalars) -> tuple[Indices, Around]:
    """Return which of `lanes` (k,) have no ground below the place that is `way` (2, k), m, `ahead` (k,) of them, and
    the faces that may lie below any place as far from these."""
    features, depth = stride.features, stride.settings.guard_depth
    feet = stride.positions()[lanes]
    before = stride.memory.ground_ahead[lanes]
    faces = before.copy()

    def ask(asked: Indices, plumb: Plumb, face: Indices) -> None:
        met = nonzero(plumb.meets(way[0][asked], way[1][asked], FROM_ABOVE, depth))
        faces[asked[met]] = face[met]

    # Mostly it is the ground that was there in the last step: only where it is not, more faces are asked.
    likely = nonzero(before >= 0)
    if len(likely):
        faces[likely] = -1
        ask(likely, Plumb.at(features, stride.body, feet[likely], before[likely]), before[likely])
    open_ = nonzero(faces < 0)
    if not len(open_):
        return open_, NOTHING
    level = features, stride.body, FROM_ABOVE, depth
    below = stride.below
    if below is None or not below.is_of(*level):
        below = Below.nothing(*level, stride.offset.shape[1])
    unknown = open_[~below.covers(lanes[open_], feet[open_], ahead[open_])]
    if len(unknown):
        # Whoever walks on over a level of many faces needs one of them: the rest is looked for at a rim only.
        of, face = below.find(grid, feet[unknown] + stride.to_world(_level(way.take(unknown, axis=1))))
        of = unknown[of]
        ask(of, Plumb.at(features, stride.body, feet[of], face), face)
        stale = unknown[faces[unknown] < 0]
        if len(stale):
            room = ROOM * ahead[stale]
            below = below.gather(grid, lanes[stale], feet[stale], ahead[stale] + room, room)
        open_ = open_[faces[open_] < 0]
    stride.below = below
    around = NOTHING
    if len(open_):
        of, face = below.pairs(lanes[open_])
        of = open_[of]
        plumb = Plumb.at(features, stride.body, feet[of], face)
        ask(of, plumb, face)
        is_blocked = faces < 0
        kept = nonzero(is_blocked[of] & plumb.may_meet(ahead[of]))
        around = (np.cumsum(is_blocked) - 1)[of[kept]], plumb.only(kept)
    if is_any(faces != before):
        seen = stride.memory.ground_ahead.copy()
        seen[lanes] = faces
        stride.memory.ground_ahead = seen
    return nonzero(faces < 0), around


def _level(way: Level) -> Rows:
    """Return the level directions `way` (2, k) with a component along up, (3, k)."""
    return np.concatenate([way, np.zeros((1, way.shape[1]))])


def _find_way(around: Around, heading: Scalars, ahead: Scalars, before: Scalars, depth: float) -> tuple[Scalars, Level]:
    """Return to which side the way is free, 1 left, -1 right, 0 for none, and the direction (2, k) nearest to
    `heading` (k,) that is.

    Parameters
    ----------
    around : Around
        The faces that may be ground.
    before : (k,) float
        The side chosen in the step before: it is kept while it is free.
    depth : float, m
        How deep ground may be below the feet.
    """
    of, plumb = around

    def is_free(turn: Scalars) -> Mask:
        towards = heading + turn
        x, y = np.cos(towards) * ahead, np.sin(towards) * ahead
        free = np.zeros(len(heading), bool)
        free[of[plumb.meets(x[of], y[of], FROM_ABOVE, depth)]] = True
        return free

    turn = np.zeros(len(heading))
    first = np.where(before < 0, -SIDEWAYS, SIDEWAYS)
    for side in (first, -first):
        turn = np.where(is_free(side) & (turn == 0), side, turn)
    chosen = np.sign(turn)
    closed_turn = np.zeros(len(heading))
    for _ in range(math.ceil(math.log2(SIDEWAYS / NARROW))):
        middle = (turn + closed_turn) / 2
        free = is_free(middle)
        turn = np.where(free, middle, turn)
        closed_turn = np.where(free, closed_turn, middle)
    return chosen, np.stack([np.cos(heading + turn), np.sin(heading + turn)])
