"""Attempts: trying to step up in several ways at once, by walkers of their own."""

from dataclasses import dataclass

import numpy as np

from ..arrays import Indices, Level, Mask, Rows, Scalars, nonzero
from ..geometry.axes import level_dot
from ..geometry.clip import clip_level
from .stand import Ceiling, stand
from .stride import Stride

SHORTER = (0.5, 0.25)  # parts of the way that are tried where all of it ends on something too high
SAME_WALL = 0.99  # cosine between two walls from which they are one
MOST_WALLS = 3  # walls beside a step that the character slides along while it climbs
LEAST_ROOM = 1e-4  # of the radius: a step must bring the character forward by this much


@dataclass(frozen=True, slots=True, eq=False)
class Attempts:
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
    way: Level
    part: Scalars
    lift: Scalars
    blockers: Level
    ceiling: Ceiling

    @classmethod
    def of(
        cls, stride: Stride, lanes: Indices, way: Rows, normal: Rows, ceiling: Ceiling, lift: Scalars, to_edge: Scalars
    ) -> "Attempts":
        """Return those of `lanes` (k,), blocked by something with `normal` (3, k), to go along `way` (3, n), and up by
        `lift` (k,) or `to_edge` (k,)."""
        k, parts = len(lanes), np.array([1.0, 1.0, *SHORTER])
        number, part = np.tile(np.arange(k), len(parts)), parts.repeat(k)
        return cls(
            stride.of(lanes[number], 0.0, stride.body.radius),  # so much more than a step is high is it lifted at most
            way[:2].take(lanes[number], axis=1) * part,
            part,
            np.maximum(np.concatenate([lift, to_edge, *(lift for _ in SHORTER)]), 0.0),
            _level_directions(normal).take(number, axis=1),
            ceiling.of(number),
        )

    def take(self, is_under: Mask) -> tuple[Indices, Scalars]:
        """Go up, forward and down, and return the first attempt (k,) of each lane that climbed, -1 for none, and which
        share of the whole way (a,) each attempt went.

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
        is_ahead = level_dot(came, self.way) > 0
        has_room = is_ahead & (np.hypot(came[0], came[1]) > LEAST_ROOM * stride.settings.radius)
        whole = has_room[:k]
        landing = nonzero(has_room & np.concatenate([whole, ~whole & is_under, *(whole for _ in SHORTER)]))

        down = np.zeros((3, n))
        down[2] = -(risen + stride.settings.ground_snap + 2 * stride.body.stop_short)
        is_climbed = np.zeros(n, bool)
        is_climbed[landing] = stand(stride, down, landing, self.ceiling)
        is_climbed &= stride.offset[2] > before[2] + 2 * stride.body.stop_short
        first = is_climbed.reshape(-1, k).argmax(axis=0) * k + np.arange(k)
        return np.where(is_climbed[first], first, -1), share

    def _go_forward(self) -> Scalars:
        """Go along the ways, sliding along walls beside the step but not along what blocks them, and return the share
        (a,) of each that was gone."""
        stride, n = self.stride, len(self.part)
        forward, left, moving = np.zeros((3, n)), np.ones(n), np.arange(n)
        forward[:2] = self.way
        walls: list[Level] = []
        for _ in range(MOST_WALLS):
            hits = stride.cast(forward, moving)
            left[moving] *= 1 - stride.advance(forward, hits, moving)
            has_met = hits.row[moving] >= 0
            left[moving[~has_met]] = 0.0
            met = moving[has_met]
            wall = _level_directions(hits.normal.take(met, axis=1))
            is_beside = level_dot(wall, self.blockers.take(met, axis=1)) < SAME_WALL
            moving = met[is_beside]
            if not len(moving):
                break
            walls.append(np.zeros((2, n)))
            walls[-1][:, moving] = wall[:, is_beside]
            forward[:2] = clip_level(self.way, np.array(walls)) * left
        return 1 - left


def _level_directions(normal: Rows) -> Level:
    """Return the level directions (2, k) of normals (3, k), of length 1."""
    level: Level = normal[:2] / np.maximum(np.hypot(normal[0], normal[1]), 1e-9)
    return level
