"""Stride: one step being taken, as the arrays that its stages change in turn. It lives as long as the step."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .arrays import Indices, Rows, Scalars, Vectors
from .body import Body
from .cast import Hits, cast
from .contacts import contact_points
from .events import EventKind, Events
from .features import Features
from .ground import judge
from .near import Near
from .settings import Settings


@dataclass(slots=True, eq=False)
class Stride:
    """All lanes of one step. Vectors are (3, n), in the walker's axes and from the origins of `near`.

    Attributes
    ----------
    start, offset : (3, n) float, m
        Where the lower ends of the axes were when the step began, and where they are.
    velocity : (3, n) float, m/s
    support : (n,) int8 of Support
    ground_normal : (3, n) float
    ground_point : (3, n) float, m
        Point of the level that carries the walker.
    ground_object, wall_before, wall_object : (n,) int
        What carries the walker, what stopped it in the step before, and what does in this one; -1 for nothing.
    """

    features: Features
    settings: Settings
    body: Body
    near: Near
    dt: float
    start: Rows
    offset: Rows
    velocity: Rows
    support: NDArray[np.int8]
    ground_normal: Rows
    ground_point: Rows
    ground_object: Indices
    wall_before: Indices
    wall_object: Indices
    events: list[Events] = field(default_factory=list)

    def cast(self, way: Rows, lanes: Indices) -> Hits:
        """Cast the lanes' capsules along `way` from where they are."""
        return cast(self.near, self.offset, way, lanes)

    def advance(self, way: Rows, hits: Hits, lanes: Indices) -> Scalars:
        """Move `lanes` along `way` up to what they hit, and return the share of the way (k,) that they went.

        A motion stops short of a surface by the body's `stop_short`, measured along the normal.
        """
        along = way[:, lanes]
        normal = hits.normal[:, lanes]
        rate = -(normal[0] * along[0] + normal[1] * along[1] + normal[2] * along[2])
        short = np.where(rate > 0, self.body.stop_short / np.maximum(rate, 1e-300), 0.0)
        share: Scalars = np.maximum(hits.fraction[lanes] - short, 0.0)
        self.offset[:, lanes] += along * share
        return share

    def contact_points(self, hits: Hits, lanes: Indices) -> Rows:
        """Return the points (3, k) of the level that `lanes` have hit."""
        none = np.full(len(lanes), self.body.stop_short)
        return contact_points(
            self.features, self.near, hits.row[lanes], self.offset[:, lanes], hits.normal[:, lanes], none
        )

    def objects_hit(self, hits: Hits, lanes: Indices) -> Indices:
        """Return the level objects (k,) that `lanes` have hit."""
        judged = judge(self.features, self.near, hits.row[lanes], hits.normal[:, lanes], self.settings.slope_limit)
        return judged.object_index

    def touch_wall(self, lanes: Indices, normal: Rows, objects: Indices) -> None:
        """Record that walls of `objects` (k,) stop `lanes`; an event where another object did before, or none."""
        is_new = self.wall_before[lanes] != objects
        self.wall_object[lanes] = objects
        self.note(EventKind.HIT_WALL, lanes[is_new], normal[:, is_new], objects[is_new])

    def note(self, kind: EventKind, lanes: Indices, normal: Rows | None = None, objects: Indices | None = None) -> None:
        """Record that `kind` happened to `lanes`, on surfaces with `normal` (3, k) of `objects` (k,)."""
        if len(lanes) == 0:
            return
        towards = np.zeros((len(lanes), 3)) if normal is None else np.ascontiguousarray((self.body.turn.T @ normal).T)
        self.events.append(
            Events(
                np.zeros(len(lanes), np.int64),
                lanes.astype(np.int64),
                np.full(len(lanes), kind, np.int8),
                self.positions()[lanes],
                towards,
                np.full(len(lanes), -1, np.int64) if objects is None else objects.astype(np.int64),
            )
        )

    def positions(self) -> Vectors:
        """Return where the feet are, (n, 3) in world space."""
        feet = self.offset.copy()
        feet[2] -= self.settings.radius
        return self.near.origin + np.ascontiguousarray((self.body.turn.T @ feet).T)
