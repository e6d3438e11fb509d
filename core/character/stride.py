"""Stride: one step being taken, as the arrays that its stages change in turn. It lives as long as the step."""

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices, Mask, Rows, Scalars, Vectors, is_any, nonzero
from ..events import EventKind, Events
from ..geometry.axes import level_dot
from ..geometry.below import Below
from ..geometry.body import UPRIGHT, Body
from ..geometry.cast import Hits, advance, cast
from ..geometry.contacts import contact_points
from ..geometry.gathered import Gathered
from ..geometry.ground import Judged, judge
from ..geometry.near import Near
from ..settings import Settings
from .memory import Memory
from .state import AIRBORNE


@dataclass(slots=True, eq=False)
class Stride:
    """All lanes of one step. Vectors are (3, n), in the walker's axes and from the origins of `near`.

    Attributes
    ----------
    near : Near
        What the walkers can touch while they move.
    gathered : Gathered or None
        That, and what is further away; None for some of the walkers, who have no more.
    start, offset : (3, n) float, m
        Where the lower ends of the axes were when the step began, and where they are.
    velocity : (3, n) float, m/s
    support : (n,) int8 of Support
    ground_normal, ground_sum : (3, n) float
        Of the face that carries, and the normalised sum of those of all ground that is touched.
    slope_normal : (3, n) float or None
        Smoothed normal of the ground, for the speed on slopes; None where nothing is smoothed.
    ground_count : (n,) int
        How many surfaces carry the walker.
    ground_point : (3, n) float, m
        Point of the level that carries the walker.
    ground_object : (n,) int
        What carries the walker; -1 for nothing.
    ground_face : (n,) int
        Face in whose inside the ground point is; -1 for none.
    walls_before, walls : (2, n) int
        The first two objects whose walls stopped the walker in the step before, and in this one; -1 for none.
    wall_object : (n,) int
    wall_normal, wall_face : (3, n) float
        Of the last wall that stops the walker in this step, at the contact and of the face there; zeros for none.
        The face is one that looks down where the contact is on an edge.
    climbable : (m,) bool
        Which of the level's objects can be climbed.
    was_in_air : (n,) bool
        Nothing carried the walker when the step began.
    kick : (2, n) float, m/s
        Level velocity that a jump gives.
    is_guarded : (n,) bool or False
        The ledge guard leads the walker, which goes on facing its wish.
    is_cornered : (n,) bool or False
        The ledge guard has found no free side: the walker stands and turns slowly.
    is_wedged : (n,) bool or False
    crease : (n, 3) float or None
        As they are to be in the memory.
    memory : Memory
        As it is to be after the step; stages set what has changed in it.
    below : Below or None
        The faces that carry around each walker, as far as they are known.
    """

    settings: Settings
    body: Body
    near: Near
    gathered: Gathered | None
    dt: float
    start: Rows
    offset: Rows
    velocity: Rows
    support: NDArray[np.int8]
    ground_normal: Rows
    ground_sum: Rows
    ground_count: Indices
    ground_point: Rows
    ground_object: Indices
    ground_face: Indices
    walls_before: NDArray[np.intp]
    walls: NDArray[np.intp]
    wall_normal: Rows
    wall_face: Rows
    climbable: Mask
    memory: Memory
    slope_normal: Rows | None = None
    below: Below | None = None
    events: list[Events] = field(default_factory=list)
    kick: Rows = field(init=False)
    wall_object: Indices = field(init=False)
    was_in_air: Mask = field(init=False)
    is_guarded: Mask | bool = False
    is_cornered: Mask | bool = False
    is_wedged: Mask | bool = False
    crease: Vectors | None = None

    def __post_init__(self) -> None:
        self.kick = np.zeros((2, self.offset.shape[1]))
        self.wall_object = np.zeros(self.offset.shape[1], np.intp) - 1
        self.was_in_air = self.support == AIRBORNE

    def around(self, lanes: Indices, across: float, along: float) -> Near:
        """Return the pieces around some of the walkers, `lanes` (k,), which may go further by `across` and `along` (m)
        than the others."""
        assert self.gathered is not None, "some of some of the walkers"
        return self.gathered.around(lanes, self.near.across[lanes] + across, self.near.along[lanes] + along)

    def of(self, lanes: Indices, across: float, along: float) -> "Stride":
        """Return the step of some of the walkers, `lanes` (k,), to try what few of them do; see `take_over`.

        They may go further, by `across` and `along` (m), than the others.
        """
        return Stride(
            settings=self.settings,
            body=self.body,
            near=self.around(lanes, across, along),
            gathered=None,
            dt=self.dt,
            start=self.start.take(lanes, axis=1),
            offset=self.offset.take(lanes, axis=1),
            velocity=self.velocity.take(lanes, axis=1),
            support=self.support[lanes],
            ground_normal=self.ground_normal.take(lanes, axis=1),
            ground_sum=self.ground_sum.take(lanes, axis=1),
            ground_count=self.ground_count[lanes],
            ground_point=self.ground_point.take(lanes, axis=1),
            ground_object=self.ground_object[lanes],
            ground_face=self.ground_face[lanes],
            walls_before=self.walls_before.take(lanes, axis=1),
            walls=self.walls.take(lanes, axis=1),
            wall_normal=self.wall_normal.take(lanes, axis=1),
            wall_face=self.wall_face.take(lanes, axis=1),
            climbable=self.climbable,
            memory=self.memory.of(lanes),
            slope_normal=None if self.slope_normal is None else self.slope_normal.take(lanes, axis=1),
        )

    def take_over(self, part: "Stride", chosen: Indices, lanes: Indices) -> None:
        """Take over where the `chosen` (k,) walkers of `part` are, and what carries them; they are `lanes` here."""
        self.offset[:, lanes] = part.offset.take(chosen, axis=1)
        self.support[lanes] = part.support[chosen]
        self.ground_normal[:, lanes] = part.ground_normal.take(chosen, axis=1)
        self.ground_sum[:, lanes] = part.ground_sum.take(chosen, axis=1)
        self.ground_count[lanes] = part.ground_count[chosen]
        self.ground_point[:, lanes] = part.ground_point.take(chosen, axis=1)
        self.ground_object[lanes] = part.ground_object[chosen]
        self.ground_face[lanes] = part.ground_face[chosen]

    def take_events(self, part: "Stride", lanes: Indices) -> None:
        """Take over what happened to the walkers of `part`, which are `lanes` here."""
        self.events += [replace(events, lane=lanes[events.lane].astype(np.int64)) for events in part.events]

    def cast(self, way: Rows, lanes: Indices) -> Hits:
        """Cast the lanes' capsules along `way` from where they are."""
        return cast(self.near, self.offset, way, lanes)

    def keep_within(self, way: Rows, lanes: Indices) -> None:
        """Shorten `way` (3, n), in place, where `lanes` (k,) would leave what was gathered: the next step goes on."""
        at, along = self.offset.take(lanes, axis=1), way.take(lanes, axis=1)
        to = at + along
        across, height = self.near.across[lanes], self.near.along[lanes]
        is_out = (to[0] * to[0] + to[1] * to[1] > across * across) | (np.abs(to[2]) > height)
        if not is_any(is_out):
            return
        out = nonzero(is_out)
        at, along, across, height = at.take(out, axis=1), along.take(out, axis=1), across[out], height[out]
        square = np.maximum(along[0] ** 2 + along[1] ** 2, 1e-300)
        half = level_dot(at[:2], along[:2])
        room = np.maximum(across * across - at[0] ** 2 - at[1] ** 2, 0.0)
        sideways = (np.sqrt(half * half + square * room) - half) / square
        upwards = (height - np.sign(along[2]) * at[2]) / np.maximum(np.abs(along[2]), 1e-300)
        way[:, lanes[out]] = along * np.clip(np.minimum(sideways, upwards), 0.0, 1.0)

    def advance(self, way: Rows, hits: Hits, lanes: Indices) -> Scalars:
        """Move `lanes` along `way` up to what they hit, and return the share of the way (k,) that they went."""
        return advance(self.offset, way, hits, lanes, self.body.stop_short)

    def contact_points(self, hits: Hits, lanes: Indices) -> Rows:
        """Return the points (3, k) of the level that `lanes` have hit."""
        none = np.full(len(lanes), self.body.stop_short)
        return contact_points(
            self.near,
            hits.row[lanes],
            self.offset.take(lanes, axis=1),
            hits.normal.take(lanes, axis=1),
            none,
        )

    def judge(self, rows: Indices, normal: Rows) -> Judged:
        """Judge contacts with `normal` (3, k) on `rows` (k,) of `near`."""
        return judge(self.near, rows, normal, self.settings.slope_limit)

    def objects_hit(self, hits: Hits, lanes: Indices) -> Indices:
        """Return the level objects (k,) that `lanes` have hit."""
        return self.judge(hits.row[lanes], hits.normal.take(lanes, axis=1)).object_index

    def touch_wall(self, lanes: Indices, normal: Rows, judged: Judged) -> None:
        """Record that walls with `normal` (3, k) stop `lanes`; an event where no wall of that object did before."""
        objects = judged.object_index
        known = np.concatenate([self.walls_before, self.walls])[:, lanes]
        is_new = (known != objects).all(axis=0)
        is_first = self.walls[0][lanes] < 0
        self.walls[0, lanes[is_first]] = objects[is_first]
        others = lanes[~is_first & (self.walls[0][lanes] != objects)]
        self.walls[1, others] = objects[~is_first & (self.walls[0][lanes] != objects)]
        self.wall_object[lanes] = objects
        self.wall_normal[:, lanes] = normal
        # An edge is no slope, however its two faces lie.
        self.wall_face[:, lanes] = np.where(judged.is_edge, np.array([[0.0], [0.0], [-1.0]]), judged.normal)
        self.note(EventKind.HIT_WALL, lanes[is_new], normal[:, is_new], objects[is_new])

    def is_climbable(self, objects: Indices) -> Mask:
        """Return which of `objects` (k,) can be climbed; -1 cannot."""
        climbable: Mask = (objects >= 0) & self.climbable[np.maximum(objects, 0)]
        return climbable

    def note(
        self,
        kind: EventKind,
        lanes: Indices,
        normal: Rows | None = None,
        objects: Indices | None = None,
        value: Scalars | None = None,
        limit: Scalars | float | None = None,
    ) -> None:
        """Record that `kind` happened to `lanes`, on surfaces with `normal` (3, k) of `objects` (k,)."""
        k = len(lanes)
        if k == 0:
            return
        self.events.append(
            Events(
                np.zeros(k, np.int64),
                lanes.astype(np.int64),
                np.full(k, kind, np.int8),
                self.positions()[lanes],
                np.zeros((k, 3)) if normal is None else self.to_world(normal),
                np.full(k, -1, np.int64) if objects is None else objects.astype(np.int64),
                np.full(k, np.nan) if value is None else np.asarray(value, np.float64),
                np.broadcast_to(np.asarray(np.nan if limit is None else limit, np.float64), (k,)),
            )
        )

    def to_world(self, vectors: Rows) -> Vectors:
        """Return directions (3, k) of the walker's axes in world axes, (k, 3)."""
        if self.body.up == UPRIGHT:
            return vectors.T.copy()
        return np.ascontiguousarray((self.body.turn.T @ vectors).T)

    def positions(self) -> Vectors:
        """Return where the feet are, (n, 3) in world space."""
        feet = self.offset.copy()
        feet[2] -= self.settings.radius
        return self.near.origin + self.to_world(feet)

    def heights(self) -> Scalars:
        """Return how high the feet are along up, (n,) from the world's origin."""
        heights: Scalars = self.near.origin @ self.body.turn[2] + self.offset[2] - self.settings.radius
        return heights
