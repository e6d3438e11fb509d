"""Features: the faces, edges and corners that a capsule can touch, found once from the colliders.

An edge whose two faces are coplanar, and a corner in the middle of a straight edge, can never be touched before
the faces beside them; they are left out, so that the seams of a tessellated floor do not exist for the character.
Which faces meet at a feature is kept: ground is judged by the face, not by the rounded normal at an edge.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices, Mask, expand
from ..colliders.colliders import ColliderKind, Colliders
from .corner_fans import EDGEWISE, find_fans

FLAT = 1e-4
"""Angle (rad) below which two faces or two edges count as one. A sphere of radius r rolling over what was left out
would dip by r FLAT² / 2, 2e-9 m for a character; casts reach over the borders of faces by r FLAT to close the gap."""


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """What can be touched: f faces, e edges, c corners.

    Attributes
    ----------
    corners : (f, 3, 3) float, m
        The three points of each face, in world space.
    normal : (f, 3) float
        Unit normal of each face; outward for the faces of hulls.
    is_one_sided, carries, stops : (f,) bool
        Its front alone counts; it may be stood on; it stops the character.
    is_front : (f,) bool
        One-sided, and of no solid: nothing for who is half-way through it.
    has_fronts : bool
        Some faces are such, or never stop.
    object_index : (f,) int
        Level object that the face belongs to.
    owned : (f, 6) int32
        Edges (3) and corners (3) that are gathered with this face; -1 for those that another face owns or that
        cannot be touched. Every feature has one owner, so that none is gathered twice.
    edge_ends : (e, 2, 3) float, m
    edge_inward : (e, 2, 3) float
        Unit directions from the edge into its faces; zeros for a face that is not there. A contact on the edge
        points away from both, which tells where it cannot be touched. At the border of a one-sided sheet the second
        points to its back.
    edge_faces_at : (e + 1,) int
        Where the faces of an edge begin in `edge_faces`.
    edge_faces : (k,) int
    corner_point : (c, 3) float, m
    corner_outward : (c, 4, 3) float
        Unit directions along up to four edges of the corner, zeros beyond.
    corner_edges_at : (c + 1,) int
    corner_edges : (k,) int
    corner_fans_at : (c + 1,) int
        Where the faces of a corner begin in `fan_faces`; it has some only if they are `is_front`.
    fan_faces : (k,) int
        All faces at the corner, also those between edges that cannot be touched.
    fan_sides : (k,) int8
        Which of the face's three points the corner is.
    """

    corners: NDArray[np.float64]
    normal: NDArray[np.float64]
    is_one_sided: Mask
    carries: Mask
    stops: Mask
    is_front: Mask
    has_fronts: bool
    object_index: Indices
    owned: NDArray[np.int32]
    edge_ends: NDArray[np.float64]
    edge_inward: NDArray[np.float64]
    edge_faces_at: Indices
    edge_faces: Indices
    corner_point: NDArray[np.float64]
    corner_outward: NDArray[np.float64]
    corner_edges_at: Indices
    corner_edges: Indices
    corner_fans_at: Indices
    fan_faces: Indices
    fan_sides: NDArray[np.int8]

    @classmethod
    def find(cls, colliders: Colliders) -> "Features":
        """Find the features of `colliders`, whose triangles have an area."""
        triangles = np.asarray(colliders.triangles, dtype=np.int64)
        corners = colliders.vertices[triangles]
        normal = _unit(np.asarray(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), np.float64))
        kind = np.asarray(colliders.kind)[colliders.collider]
        is_one_sided, stops = np.asarray(colliders.is_one_sided, dtype=bool), np.asarray(colliders.stops, dtype=bool)
        is_front = is_one_sided & (kind == ColliderKind.FACES)
        edges = _Edges(triangles, corners, len(colliders.vertices))
        if (is_one_sided & (kind != ColliderKind.HULL)).any():
            edges.see_from_front(normal, is_one_sided & (kind != ColliderKind.HULL))
        corner_ids, outward, edges_at, corner_edges = _find_corners(edges.vertices, colliders.vertices)
        fans_at, fan_faces, fan_sides = find_fans(triangles, is_front, corner_ids, len(colliders.vertices))

        owned = np.full((len(triangles), 6), -1, np.int32)
        owned[edges.owner // 3, edges.owner % 3] = np.arange(len(edges.owner))
        first_use = np.zeros(len(colliders.vertices), np.int64)
        uses = triangles.ravel()
        first_use[uses[::-1]] = np.arange(len(uses))[::-1]
        owner = first_use[corner_ids]
        owned[owner // 3, 3 + owner % 3] = np.arange(len(owner))
        return cls(
            corners=corners,
            normal=normal,
            is_one_sided=is_one_sided,
            carries=np.asarray(colliders.carries, dtype=bool),
            stops=stops,
            is_front=is_front,
            has_fronts=bool(is_front.any()) or not stops.all(),
            object_index=np.asarray(colliders.object_index, dtype=np.intp)[colliders.collider],
            owned=owned,
            edge_ends=colliders.vertices[edges.vertices],
            edge_inward=edges.inward,
            edge_faces_at=edges.faces_at,
            edge_faces=edges.faces,
            corner_point=colliders.vertices[corner_ids],
            corner_outward=outward,
            corner_edges_at=edges_at,
            corner_edges=corner_edges,
            corner_fans_at=fans_at,
            fan_faces=fan_faces,
            fan_sides=fan_sides,
        )


class _Edges:
    """The edges that can be touched, with the half-edge (3 face + side) that owns each."""

    def __init__(self, triangles: NDArray[np.int64], corners: NDArray[np.float64], vertex_count: int) -> None:
        starts, ends = triangles.ravel(), np.roll(triangles, -1, axis=1).ravel()
        keys = np.minimum(starts, ends) * vertex_count + np.maximum(starts, ends)
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
        first = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]])) if len(keys) else np.zeros(0, np.intp)
        count = np.diff(np.append(first, len(keys)))
        inward = _inward(corners)
        one = inward[order[first]]
        other = inward[order[np.minimum(first + 1, len(order) - 1)]] if len(order) else one
        is_flat = (count == 2) & (_squared(one + other) < FLAT**2)
        kept = np.flatnonzero(~is_flat)
        first, count = first[kept], count[kept]

        self.owner = order[first]
        self.vertices = np.stack([starts[self.owner], ends[self.owner]], axis=1)
        self.inward = np.zeros((len(kept), 2, 3))
        self.inward[:, 0] = np.where((count <= 2)[:, None], one[kept], 0)
        self.inward[:, 1] = np.where((count == 2)[:, None], other[kept], 0)
        self.faces_at = np.concatenate([[0], np.cumsum(count)])
        sides = order[expand(first, count)]
        self.faces = sides // 3
        self.starts = starts[sides]

    def see_from_front(self, normal: NDArray[np.float64], is_sheet: Mask) -> None:
        """Leave out the valleys of one-sided faces, and let their borders be touched from the front alone.

        From the front a valley is never touched before the faces beside it, and from behind nothing is.
        """
        first, count = self.faces_at[:-1], np.diff(self.faces_at)
        one, second = self.faces[first], first + np.minimum(1, count - 1)
        is_even = (count == 2) & (self.starts[first] != self.starts[second])
        rise = _dot(self.inward[:, 1], normal[one])
        is_valley = is_sheet[one] & is_even & (rise > 0)
        border = np.flatnonzero(is_sheet[one] & (count == 1))
        self.inward[border, 1] = _unit(-normal[one[border]] - EDGEWISE * self.inward[border, 0])
        crowded = np.flatnonzero(is_sheet[one] & (count > 2))
        pair, face = np.repeat(crowded, count[crowded]), self.faces[expand(first[crowded], count[crowded])]
        np.subtract.at(self.inward[:, 0], pair, normal[face])
        self.inward[crowded, 0] = _unit(self.inward[crowded, 0])
        self._keep(np.flatnonzero(~is_valley))

    def _keep(self, kept: Indices) -> None:
        first, count = self.faces_at[kept], np.diff(self.faces_at)[kept]
        sides = expand(first, count)
        self.owner, self.vertices, self.inward = self.owner[kept], self.vertices[kept], self.inward[kept]
        self.faces_at = np.concatenate([[0], np.cumsum(count)])
        self.faces, self.starts = self.faces[sides], self.starts[sides]


def _dot(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the dot products of vectors (k, 3); numpy sums whole columns much faster than rows of three."""
    return np.asarray(one[:, 0] * other[:, 0] + one[:, 1] * other[:, 1] + one[:, 2] * other[:, 2])


def _squared(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    return _dot(vectors, vectors)


def _unit(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the vectors (k, 3) at length 1; zeros stay."""
    return np.asarray(vectors / np.maximum(np.sqrt(_squared(vectors)), 1e-300)[:, None])


def _inward(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return for each side of each face (3 f, 3) the unit direction from the side into the face."""
    inward = np.empty_like(corners)
    for i in range(3):
        along = _unit(corners[:, (i + 1) % 3] - corners[:, i])
        across = corners[:, (i + 2) % 3] - corners[:, i]
        across -= _dot(across, along)[:, None] * along
        inward[:, i] = _unit(across)
    return inward.reshape(-1, 3)


def _find_corners(
    edges: NDArray[np.int64], vertices: NDArray[np.float64]
) -> tuple[Indices, NDArray[np.float64], Indices, Indices]:
    """Return the vertices that can be touched, their edges' directions, and which edges meet there.

    A vertex where no edge ends is inside a face; one where two edges go on straight is inside an edge.
    """
    ends = edges.T.ravel()
    order = np.argsort(ends, kind="stable")
    used, first, count = np.unique(ends[order], return_index=True, return_counts=True)
    directions = _unit(vertices[edges[:, 1]] - vertices[edges[:, 0]])
    directions = np.concatenate([directions, -directions])[order]
    outward = np.zeros((len(used), 4, 3))
    for i in range(4):
        has = np.flatnonzero(count > i)
        outward[has, i] = directions[first[has] + i]
    is_straight = (count == 2) & (_squared(outward[:, 0] + outward[:, 1]) < FLAT**2)
    kept = np.flatnonzero((count >= 2) & ~is_straight)
    edges_at = np.concatenate([[0], np.cumsum(count[kept])])
    edge_of_end = order % max(len(edges), 1)
    return used[kept], outward[kept], edges_at, edge_of_end[expand(first[kept], count[kept])]
