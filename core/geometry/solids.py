"""Solids: whether the middle of a capsule is inside a solid, where no face of it may be near, and the way out.

Faces tell of an overlap only while the capsule's axis is outside. A character that starts in the middle of a large
block touches none of its faces. Solids are hulls, and closed objects that ask to count from outside alone.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices, Mask, Rows, Scalars, Vectors
from ..colliders.colliders import ColliderKind, Colliders
from .axes import turned
from .contacts import find_touches
from .features import Features
from .grid import Grid
from .inside import find_inside
from .near import Near, gather

DOWN = -0.5  # upward component of a normal below which a face leads down, where there may be no ground
NEEDLE = 1e-4  # height by length below which a face of a hull is a needle
MOST_WAYS = 24  # ways out of a solid that are tried: the shortest ones
ROOM = 1e-3  # of the radius: how deep a capsule may be in the level at the end of a way out


@dataclass(frozen=True, slots=True, eq=False)
class Solids:
    """The s solids of a level that stop the character.

    Attributes
    ----------
    boxes : Grid
        Over the box of each solid.
    number : (s,) int
        Their rows among the colliders.
    is_hull : (s,) bool
    faces_at : (s,) int
        Where the faces of a solid begin among all faces.
    faces_end : (s,) int
        Where they end.
    collider : (f,) int
        The collider of each face.
    features, grid
        The level.
    """

    boxes: Grid
    number: Indices
    is_hull: Mask
    faces_at: Indices
    faces_end: Indices
    collider: Indices
    features: Features
    grid: Grid

    @classmethod
    def find(cls, colliders: Colliders, features: Features, grid: Grid) -> "Solids":
        """Find the solids among the colliders."""
        collider, kind = np.asarray(colliders.collider), np.asarray(colliders.kind)
        starts = np.searchsorted(collider, np.arange(len(kind) + 1))
        solid = np.flatnonzero((kind != ColliderKind.FACES) & (np.diff(starts) > 0))
        solid = solid[features.stops[starts[solid]]]
        low = high = np.zeros((0, 3))
        if len(solid):
            filled = np.flatnonzero(np.diff(starts) > 0)
            rows = np.searchsorted(filled, solid)
            low = np.minimum.reduceat(grid.low, starts[filled])[rows]
            high = np.maximum.reduceat(grid.high, starts[filled])[rows]
        return cls(
            boxes=Grid.build(low, high),
            number=solid,
            is_hull=kind[solid] == ColliderKind.HULL,
            faces_at=starts[solid],
            faces_end=starts[solid + 1],
            collider=collider,
            features=features,
            grid=grid,
        )

    def ways_out(self, near: Near, offset: Rows, lanes: Indices) -> tuple[Rows, Indices]:
        """Return the shortest displacement (3, n) that brings each lane's capsule out of the solid it is deepest in,
        and which level object that is, (n,).

        Only solids that hold the middle of the capsule are asked; for all other lanes it is zero, and -1. Out of what
        is not convex the way ends where there is room, if there is such a way.
        """
        return self._find_ways(near, offset, lanes, must_be_free=True)

    def depth(self, near: Near, offset: Rows, lanes: Indices) -> Scalars:
        """Return how deep (n,), m, each lane's capsule is in a solid that holds its middle; minus infinity for none."""
        ways, _ = self._find_ways(near, offset, lanes, must_be_free=False)
        length = np.sqrt(ways[0] ** 2 + ways[1] ** 2 + ways[2] ** 2) - near.body.stop_short
        return np.where(length > 0, length, -np.inf)

    def _find_ways(self, near: Near, offset: Rows, lanes: Indices, *, must_be_free: bool) -> tuple[Rows, Indices]:
        ways, objects = np.zeros(offset.shape), np.full(offset.shape[1], -1, np.intp)
        if not len(self.number):
            return ways, objects
        middle = offset[:, lanes].copy()
        middle[2] += near.span[lanes] / 2
        centre = near.origin[lanes] + (near.body.turn.T @ middle).T
        longest = np.zeros(offset.shape[1])
        for row, solid in zip(*self._holding(centre), strict=True):
            lane = lanes[row]
            capsule = _Capsule(near, float(near.span[lane]), centre[row])
            if self.is_hull[solid]:
                found = self._way_out_of_hull(capsule, solid)
            else:
                found = self._way_out_of_faces(capsule, solid, must_be_free)
            length = float(np.linalg.norm(found))
            if length > longest[lane]:
                longest[lane] = length
                ways[:, lane] = found
                objects[lane] = self.features.object_index[self.faces_at[solid]]
        return ways, objects

    def _holding(self, points: Vectors) -> tuple[Indices, Indices]:
        """Return (point, solid) pairs, of the solids that hold each of the points (k, 3)."""
        row, solid = self.boxes.find(points, points)
        holds = np.zeros(len(row), bool)
        for pair in np.flatnonzero(self.is_hull[solid]):
            holds[pair] = self._depths(points[row[pair]], solid[pair]).min() >= 0
        asked = np.flatnonzero(~self.is_hull[solid])
        if len(asked):
            of, top = self.number[solid[asked]], self.boxes.high[solid[asked], 2]
            holds[asked] = find_inside(self.features, self.grid, self.collider, points[row[asked]], of, top)
        return row[holds], solid[holds]

    def _depths(self, point: Vectors, solid: int) -> Scalars:
        """Return how far a point (3,) is behind each face of a solid; infinitely far behind needles, which by
        rounding face anywhere and lie along the edge of a real face."""
        faces = slice(self.faces_at[solid], self.faces_end[solid])
        corners = self.features.corners[faces]
        depths: Scalars = ((corners[:, 0] - point) * self.features.normal[faces]).sum(axis=1)
        sides = corners - np.roll(corners, 1, axis=1)
        twice_area = np.linalg.norm(np.cross(sides[:, 0], sides[:, 1]), axis=1)
        return np.where(twice_area > NEEDLE * (sides * sides).sum(axis=2).max(axis=1), depths, np.inf)

    def _way_out_of_hull(self, capsule: "_Capsule", solid: int) -> NDArray[np.float64]:
        upright = turned(self.features.normal[self.faces_at[solid] : self.faces_end[solid]], capsule.near.body)
        length = capsule.length_out(self._depths(capsule.centre, solid), upright)
        nearest = int(np.where(_is_kept(upright), length, np.inf).argmin())
        return np.asarray(upright[:, nearest] * length[nearest])

    def _way_out_of_faces(self, capsule: "_Capsule", solid: int, must_be_free: bool) -> NDArray[np.float64]:
        """Return the shortest way out to a face of a solid, from inside, to where there is room.

        Ways are looked for in growing boxes; where none has room it is the shortest of all.
        """
        half = capsule.near.body.radius + capsule.span / 2
        extent = float((self.boxes.high[solid] - self.boxes.low[solid]).max())
        while True:
            ways, length = self._ways_to_faces(capsule, solid, half, may_lead_down=half > extent)
            is_sure = length + capsule.near.body.radius <= half  # no face beyond the box is a shorter way
            if is_sure.any() and not must_be_free:
                return ways[0]
            tried = np.flatnonzero(is_sure | (half > extent))[:MOST_WAYS]
            free = np.flatnonzero(self._is_free(capsule, ways[tried]))
            if len(free) or half > extent:
                return np.asarray(ways[tried[free[0]]] if len(free) else ways[0])
            half *= 2

    def _ways_to_faces(
        self, capsule: "_Capsule", solid: int, half: float, *, may_lead_down: bool
    ) -> tuple[NDArray[np.float64], Scalars]:
        """Return the ways out (k, 3), shortest first, straight to the faces of a solid in a box and to the nearest
        place of all, and their lengths (k,); in the walker's axes."""
        _, face = self.grid.find(capsule.centre[None] - half, capsule.centre[None] + half)
        face = face[self.collider[face] == self.number[solid]]
        if not len(face):
            return np.zeros((0, 3)), np.zeros(0)
        places, is_ahead = _nearest_on_triangles(self.features, face, capsule.centre)
        is_ahead[((places - capsule.centre) ** 2).sum(axis=1).argmin()] = True
        upright = turned(places[is_ahead] - capsule.centre, capsule.near.body)
        distance = np.sqrt((upright * upright).sum(axis=0))
        upright /= np.maximum(distance, 1e-300)
        length = capsule.length_out(distance, upright)
        kept = np.flatnonzero(_is_kept(upright, may_lead_down=may_lead_down))
        kept = kept[np.argsort(length[kept], kind="stable")]
        return (upright * length)[:, kept].T, length[kept]

    def _is_free(self, capsule: "_Capsule", ways: NDArray[np.float64]) -> Mask:
        """Return which of the places that `ways` (k, 3) lead to have room for the capsule."""
        body, k = capsule.near.body, len(ways)
        centre = capsule.centre + ways @ body.turn
        origin = centre - np.asarray(body.up) * (capsule.span / 2)
        still = np.zeros(k)
        around = gather(self.features, self.grid, body, np.full(k, capsule.span), origin, still, still)
        touches = find_touches(around, np.zeros((3, k)), np.full(k, -ROOM * body.radius), is_start=True)
        is_free = np.ones(k, bool)
        is_free[touches.lane] = False
        is_free[self._holding(centre)[0]] = False
        return is_free


@dataclass(frozen=True, slots=True, eq=False)
class _Capsule:
    """One capsule with its middle at `centre` (3,), in world space."""

    near: Near
    span: float
    centre: NDArray[np.float64]

    def length_out(self, distance: Scalars, upright: Rows) -> Scalars:
        """Return how far (k,) the capsule must go along directions (3, k) to be out, if its middle is `distance` in."""
        body = self.near.body
        return distance + body.radius + self.span / 2 * np.abs(upright[2]) + body.stop_short


def _is_kept(upright: Rows, *, may_lead_down: bool = True) -> Mask:
    """Return which directions (3, k) do not lead down; all where all do, if they may."""
    is_below = upright[2] < DOWN
    return np.asarray(~is_below | (may_lead_down & is_below.all()))


def _nearest_on_triangles(features: Features, face: Indices, point: NDArray[np.float64]) -> tuple[Vectors, Mask]:
    """Return the place on each face (k, 3) that is nearest to a point (3,), and which are inside of the face."""
    corners, normal = features.corners[face], features.normal[face]
    best = point + ((corners[:, 0] - point) * normal).sum(axis=1)[:, None] * normal
    is_inside = np.ones(len(face), bool)
    on_edge = np.zeros((3, len(face), 3))
    for i in range(3):
        start, along = corners[:, i], corners[:, (i + 1) % 3] - corners[:, i]
        is_inside &= (np.cross(along, best - start) * normal).sum(axis=1) >= 0
        place = ((point - start) * along).sum(axis=1) / np.maximum((along * along).sum(axis=1), 1e-300)
        on_edge[i] = start + np.clip(place, 0.0, 1.0)[:, None] * along
    nearest = ((on_edge - point) ** 2).sum(axis=2).argmin(axis=0) if len(face) else np.zeros(0, np.intp)
    return np.where(is_inside[:, None], best, on_edge[nearest, np.arange(len(face))]), is_inside
