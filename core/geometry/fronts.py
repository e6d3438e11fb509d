"""Fronts: pieces that count from one side alone, and are nothing for who is half-way through them.

There are two kinds. Faces of one-sided objects that are no solids stop from the front and are passed from behind.
Ground that carries and never stops is there from above alone, and only where it is walkable: its walls, its undersides
and its steep faces do not exist, and its edges carry where they are rolled over like a walkable slope.

A contact counts if the capsule, without its skin, was wholly in front of the piece when the motion began. Who is
half-way through goes on as if it were not there, until it is wholly in front once.

Corners and edges are grown to whole cylinders and spheres. A fence tells which part of these counts.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices, Mask, Rows, Scalars, expand, nonzero
from .body import Body
from .corner_fans import shows_front
from .features import Features

FENCE = 1e-5
"""Cosine by which a contact may be over the fence: more than rounding, and less than half the bend of any edge that is
kept (`features.FLAT`), so that none is hit from behind."""
DIRECTIONS, END, LEAST, CORNER = slice(0, 12), 12, 13, 14
"""Rows of a fence: four directions that a contact points away from, and how far up it points at least at the lower end
of the capsule (1), or down at the upper end (-1). And the corner whose faces must show their front; -1 for none."""
FENCE_ROWS = 15


@dataclass(frozen=True, slots=True, eq=False)
class Fronts:
    """What k edges or corners are to a character.

    Attributes
    ----------
    is_front : (k,) bool
        They count from one side alone.
    is_ground : (k,) bool
        They carry and never stop.
    is_gone : (k,) bool
        They are not there.
    into : list of (3, k) float
        Directions that a contact points away from, in the walker's axes; zeros for none.
    corner : (k,) int, or None for edges
        The corner whose fan must show its front; -1 for none.
    """

    is_front: Mask
    is_ground: Mask
    is_gone: Mask
    into: list[Rows]
    corner: Indices | None = None

    def fence(self, end: float, span: Scalars, body: Body) -> NDArray[np.float64]:
        """Return the fence (15, k) of pieces touched by the lower end (1), the upper end (-1) or the side (0)."""
        fence = np.zeros((FENCE_ROWS, len(self.is_front)))
        for i, direction in enumerate(self.into):
            fence[3 * i : 3 * i + 3] = direction * self.is_front
        fence[END] = np.where(self.is_front & ((span > 0) | self.is_ground), end, 0.0)
        fence[LEAST] = np.where(self.is_ground, _gentlest(body), -FENCE)
        fence[CORNER] = -1 if self.corner is None else self.corner
        return fence

    def is_gone_at(self, end: float) -> Mask:
        """Return which pieces (k,) are not there for that end of the capsule."""
        return self.is_gone if end > 0 else self.is_gone | self.is_ground


def face_fronts(features: Features, face: Indices, upward: Scalars, body: Body) -> tuple[Mask, Mask, Scalars]:
    """Return which faces (k,) count from one side alone, which are not there, and -1 for those to be turned round.

    `upward` (k,) is how much their normals point up.
    """
    is_ground = _only_carries(features, face, body)
    sign = np.where(is_ground & ~features.is_one_sided[face] & (upward < 0), -1.0, 1.0)
    return features.is_front[face] | is_ground, is_ground & (upward * sign < _gentlest(body)), sign


def edge_fronts(features: Features, edge: Indices, into: list[Rows], body: Body) -> Fronts:
    """Return what edges (k,) are; `into` are the directions into their two faces."""
    one = features.edge_faces[features.edge_faces_at[edge]]
    is_ground = _only_carries(features, one, body)
    is_gone = np.zeros(len(edge), bool)
    ground = nonzero(is_ground)
    if len(ground):
        into = [direction.copy() for direction in into]
        pair, face, nth = _faces_of(features, edge[ground])
        normal, is_walkable = _upright(features, face, body)
        is_gone[ground] = ~_any(pair, is_walkable, len(ground))
        count = np.bincount(pair, minlength=len(ground))
        for i, direction in enumerate(into):
            unwalkable = (nth == i) & ~is_walkable & (count[pair] == 2)
            direction[:, ground[pair[unwalkable]]] = 0.0
        first = nonzero((nth == 0) & (count[pair] == 2))
        both = is_walkable[first] & is_walkable[first + 1]
        rise = (normal[:, first] * into[1][:, ground[pair[first]]]).sum(axis=0)
        is_gone[ground[pair[first[both & (rise > 0)]]]] = True  # a valley
    return Fronts(features.is_front[one] | is_ground, is_ground, is_gone, into)


def corner_fronts(features: Features, corner: Indices, into: list[Rows], body: Body) -> Fronts:
    """Return what corners (k,) are; `into` are the directions along their edges."""
    edge = features.corner_edges[features.corner_edges_at[corner]]
    one = features.edge_faces[features.edge_faces_at[edge]]
    is_ground = _only_carries(features, one, body)
    is_gone = np.zeros(len(corner), bool)
    ground = nonzero(is_ground)
    if len(ground):
        into = [direction.copy() for direction in into]
        starts = features.corner_edges_at[corner[ground]]
        counts = features.corner_edges_at[corner[ground] + 1] - starts
        at, nth = np.repeat(np.arange(len(ground)), counts), expand(np.zeros_like(counts), counts)
        pair, face, _ = _faces_of(features, features.corner_edges[expand(starts, counts)])
        _, is_walkable = _upright(features, face, body)
        has_ground = _any(pair, is_walkable, len(at))
        is_gone[ground] = ~_any(at, has_ground, len(ground))
        for i, direction in enumerate(into):
            direction[:, ground[at[(nth == i) & ~has_ground]]] = 0.0
    has_fan = ~is_ground & features.is_front[one]
    return Fronts(features.is_front[one] | is_ground, is_ground, is_gone, into, np.where(has_fan, corner, -1))


def is_inside_fence(fence: NDArray[np.float64], normal: Rows, features: Features, body: Body) -> Mask:
    """Return which contacts (k,) with `normal` (3, k) count, by their `fence` (15, k)."""
    over = fence[DIRECTIONS].reshape(4, 3, -1)
    over = over[:, 0] * normal[0] + over[:, 1] * normal[1] + over[:, 2] * normal[2]
    end = fence[END]
    inside: Mask = (over.max(axis=0) <= FENCE) & ((end == 0) | (end * normal[2] >= fence[LEAST]))
    at = nonzero(inside & (fence[CORNER] >= 0))
    if len(at):
        inside[at] = shows_front(features, fence[CORNER, at].astype(np.intp), normal[:, at], body)
    return inside


def _only_carries(features: Features, face: Indices, body: Body) -> Mask:
    """Return which faces (k,) carry the body and never stop it."""
    if body.gentlest is None:
        return np.zeros(len(face), bool)
    return ~features.stops[face]


def _gentlest(body: Body) -> float:
    return -1.0 if body.gentlest is None else body.gentlest


def _faces_of(features: Features, edge: Indices) -> tuple[Indices, Indices, Indices]:
    """Return (edge, face) pairs for edges (k,), counted from 0, and the how-manieth face of its edge each is."""
    starts = features.edge_faces_at[edge]
    counts = features.edge_faces_at[edge + 1] - starts
    pair = np.repeat(np.arange(len(edge)), counts)
    return pair, features.edge_faces[expand(starts, counts)], expand(np.zeros_like(counts), counts)


def _upright(features: Features, face: Indices, body: Body) -> tuple[Rows, Mask]:
    """Return the normals (3, k) of faces in the walker's axes, those of sheets turned up, and which are walkable."""
    normal = body.turn @ features.normal[face].T
    normal *= np.where(~features.is_one_sided[face] & (normal[2] < 0), -1.0, 1.0)
    return normal, normal[2] >= _gentlest(body)


def _any(group: Indices, mask: Mask, count: int) -> Mask:
    """Return for each of `count` groups whether the mask is true in it anywhere."""
    found = np.zeros(count, bool)
    found[group[mask]] = True
    return found
