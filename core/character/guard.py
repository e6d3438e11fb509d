"""Guard: keeping a walker from going over a drop, by stopping it or letting it slide along the rim."""

import math
from dataclasses import dataclass

import numpy as np

from ..arrays import Indices, Level, Mask, Rows, Scalars, Vectors, is_any, nonzero
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


@dataclass(slots=True, eq=False)
class _Places:
    """The places ahead of k walkers, and what is found below them.

    Attributes
    ----------
    stride : Stride
    lanes : (k,) int
    feet : (k, 3) float, m
        In world space.
    way : (2, k) float, m
        From there to the places.
    ahead : (k,) float, m
        How long that is.
    face : (k,) int
        Ground below the place; -1 while none has been found.
    """

    stride: Stride
    lanes: Indices
    feet: Vectors
    way: Level
    ahead: Scalars
    face: Indices

    def ask(self, of: Indices, face: Indices) -> Plumb:
        """Look whether a `face` (j,) is ground for each of the places `of` (j,), and return where it is."""
        plumb = Plumb.at(self.stride.near.features, self.stride.body, self.feet[of], face)
        met = nonzero(plumb.meets(self.way[0][of], self.way[1][of], FROM_ABOVE, self.stride.settings.guard_depth))
        self.face[of[met]] = face[met]
        return plumb

    def open(self) -> Indices:
        """Return the places without ground so far."""
        return nonzero(self.face < 0)


def _find_blocked(stride: Stride, grid: Grid, lanes: Indices, way: Level, ahead: Scalars) -> tuple[Indices, Around]:
    """Return which of `lanes` (k,) have no ground below the place that is `way` (2, k), m, `ahead` (k,) of them, and
    the faces that may lie below any place as far from these."""
    before = stride.memory.ground_ahead[lanes]
    places = _Places(stride, lanes, stride.positions()[lanes], way, ahead, np.full(len(lanes), -1, np.intp))
    # Mostly it is the ground that was there in the last step: only where it is not, more faces are asked.
    likely = nonzero(before >= 0)
    if len(likely):
        places.ask(likely, before[likely])
    around = _ask_more(places, grid) if len(places.open()) else NOTHING
    if is_any(places.face != before):
        seen = stride.memory.ground_ahead.copy()
        seen[lanes] = places.face
        stride.memory.ground_ahead = seen
    return places.open(), around


def _ask_more(places: _Places, grid: Grid) -> Around:
    """Look for ground below the places that have none yet, and return the faces around those that keep none, which
    are counted from 0."""
    stride, lanes, feet, ahead = places.stride, places.lanes, places.feet, places.ahead
    level = stride.near.features, stride.body, FROM_ABOVE, stride.settings.guard_depth
    below, open_ = stride.below, places.open()
    if below is None or not below.is_of(*level):
        below = Below.nothing(*level, stride.offset.shape[1])
    unknown = open_[~below.covers(lanes[open_], feet[open_], ahead[open_])]
    if len(unknown):
        # Whoever walks on over a level of many faces needs one of them: the rest is looked for at a rim only.
        of, face = below.find(grid, feet[unknown] + stride.to_world(_level(places.way.take(unknown, axis=1))))
        places.ask(unknown[of], face)
        stale = unknown[places.face[unknown] < 0]
        if len(stale):
            room = ROOM * ahead[stale]
            below = below.gather(grid, lanes[stale], feet[stale], ahead[stale] + room, room)
        open_ = places.open()
    stride.below = below
    if not len(open_):
        return NOTHING
    of, face = below.pairs(lanes[open_])
    of = open_[of]
    plumb = places.ask(of, face)
    is_blocked = places.face < 0
    kept = nonzero(is_blocked[of] & plumb.may_meet(ahead[of]))
    return (np.cumsum(is_blocked) - 1)[of[kept]], plumb.only(kept)


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
