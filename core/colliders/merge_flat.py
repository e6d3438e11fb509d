"""Merge flat: neighbouring triangles in one plane become few convex polygons, written back as few triangles.

The surface stays the same, and so does what is beside each edge: a corner is dropped only in the middle of a straight
edge, and only where no other face has it as a corner.
"""

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices, Mask
from .fans import triangulate
from .flat_regions import FLAT, FlatRegions

STRAIGHT = 1e-11  # sine of the angle below which a corner is straight; many of them in a row stay within `FLAT`
DIRECTIONS = 180  # edges of a region are removed by directions: so many in half a turn


def merge_flat(
    vertices: NDArray[np.float64], triangles: NDArray[np.int64], size: NDArray[np.float64]
) -> tuple[NDArray[np.int64], Indices, Indices]:
    """Merge triangles.

    Parameters
    ----------
    vertices : (v, 3) float, m
    triangles : (t, 3) int
        With an area, welded.
    size : (t,) float, m
        Of the mesh of each triangle: what is flat is a share of it.

    Returns
    -------
    triangles : (k, 3) int
        Those that stay as they are, in their order, then those of polygons.
    source : (k,) int
        For each a triangle of those given that lies in the same plane.
    face : (k,) int
        Which convex face each is of: 0, 1, ..
    """
    everything = np.arange(len(triangles))
    regions = FlatRegions.find(vertices, triangles, FLAT * size) if len(triangles) else None
    if regions is None:
        return triangles, everything, everything
    merging = _Merging(vertices, regions, regions.find_pinned(triangles, len(vertices)))
    merging.take_convex_regions()
    merging.dissolve(np.flatnonzero(merging.is_alive))
    while len(merging.candidates):
        merging.dissolve(merging.remove_edges())
    corners, starts, source = merging.polygons()
    made, polygon = triangulate(vertices, corners, starts, regions.normal[regions.region[source]])
    is_kept = np.ones(len(triangles), bool)
    is_kept[regions.row] = False
    kept = np.flatnonzero(is_kept)
    return (
        np.concatenate([triangles[kept], made]),
        np.concatenate([kept, regions.row[source[polygon]]]),
        np.concatenate([np.arange(len(kept)), len(kept) + polygon]),
    )


class _Merging:
    """Polygons as rings of half-edges, of which ever more are removed."""

    def __init__(self, vertices: NDArray[np.float64], regions: FlatRegions, pinned: Mask) -> None:
        count = len(regions.origin)
        self.points = vertices
        self.origin = regions.origin
        self.twin = regions.twin.copy()
        self.is_border = regions.is_border
        self.face = np.arange(count) // 3  # the polygons; named for one of their triangles
        self.joined = np.arange(count)  # what each polygon has become a part of
        self.region = regions.region[self.face]
        self.normal = regions.normal
        step = np.arange(count)
        self.next = step // 3 * 3 + (step + 1) % 3
        self.prev = step // 3 * 3 + (step + 2) % 3
        self.is_alive = np.ones(count, bool)
        self.pinned = pinned
        self.is_inner = (self.twin >= 0) & (self.region == self.region[self.twin])
        self.rank = self._rank_directions()
        self.uses = np.bincount(self.origin, minlength=len(vertices))  # half-edges that begin at each vertex
        self.candidates = np.zeros(0, np.intp)  # half-edges that may be removed

    def _along(self, half: Indices) -> NDArray[np.float64]:
        return self.points[self.origin[self.next[half]]] - self.points[self.origin[half]]

    def _turn(self, into: Indices, out: Indices) -> tuple[NDArray[np.float64], Mask]:
        """Return the sine of the turn between half-edges, positive to the left, and whether they go on, not back."""
        a, b = self._along(into), self._along(out)
        length = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
        sine = (np.cross(a, b) * self.normal[self.region[into]]).sum(axis=1) / np.maximum(length, 1e-300)
        return sine, (a * b).sum(axis=1) > 0

    def _rank_directions(self) -> Indices:
        """Return for each half-edge when its direction is removed: of a region, those whose edges are longest first.

        Taking one direction after the other makes rows of a grid of squares, then one rectangle of all rows; in
        another order the pieces of different rows would not fit together.
        """
        rank = np.zeros(len(self.origin), np.intp)
        inner = np.flatnonzero(self.is_inner)
        along = self._along(inner)
        normal = self.normal[self.region[inner]]
        axis = np.eye(3)[np.abs(normal).argmin(axis=1)]
        across = np.cross(normal, axis)
        angle = np.arctan2((along * across).sum(axis=1), (along * np.cross(across, normal)).sum(axis=1))
        way = np.round(angle / np.pi * DIRECTIONS).astype(np.int64) % DIRECTIONS
        keys, group = np.unique(self.region[inner] * DIRECTIONS + way, return_inverse=True)
        group = group.reshape(-1)
        length = np.bincount(group, np.linalg.norm(along, axis=1)) / np.bincount(group)
        order = np.lexsort((keys, -np.round(length, 6)))
        place = np.empty(len(keys), np.intp)
        place[order] = np.arange(len(keys))
        rank[inner] = place[group]
        return rank

    def take_convex_regions(self) -> None:
        """Make one polygon of each region that is convex as a whole."""
        rim = np.flatnonzero(~self.is_inner)
        key = self.region[rim] * len(self.points) + self.origin[rim]
        order = np.argsort(key, kind="stable")
        rim, key = rim[order], key[order]
        end = self.region[rim] * len(self.points) + self.origin[self.next[rim]]
        after = np.minimum(np.searchsorted(key, end), len(key) - 1)
        is_bad = key[after] != end
        is_bad[1:] |= key[1:] == key[:-1]  # where the rim touches itself
        is_bad[:-1] |= key[1:] == key[:-1]
        into, out = rim, rim[after]
        a = self._along(into)
        b = self._along(out)
        length = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
        sine = (np.cross(a, b) * self.normal[self.region[into]]).sum(axis=1) / np.maximum(length, 1e-300)
        is_bad |= (sine < -STRAIGHT) | ((sine < STRAIGHT) & ((a * b).sum(axis=1) < 0))
        is_convex = np.bincount(self.region[rim[is_bad]], minlength=len(self.normal)) == 0
        taken = is_convex[self.region]
        self._kill(np.flatnonzero(taken & self.is_inner))
        chosen = is_convex[self.region[into]]
        self.next[into[chosen]] = out[chosen]
        self.prev[out[chosen]] = into[chosen]
        first = np.full(len(self.normal), len(self.face))
        np.minimum.at(first, self.region, self.face)
        self.face = np.where(taken, first[self.region], self.face)
        inner = np.flatnonzero(self.is_inner & ~taken)
        self.candidates = inner

    def _find_face(self, half: Indices) -> Indices:
        """Return the polygon of half-edges; polygons that were joined are linked to what they have become."""
        face = self.face[half]
        while True:
            further = self.joined[face]
            if np.array_equal(further, face):
                break
            face = further
        self.face[half] = face
        return face

    def remove_edges(self) -> Indices:
        """Remove edges whose two polygons make a convex one, none of a polygon twice.

        Returns the half-edges after those that were removed. What cannot be removed now never can, for corners only
        grow; but where corners are dropped, what is left of their edges can be tried again.
        After S. Hertel and K. Mehlhorn, Fast triangulation of simple polygons, FCT 1983, which takes one edge after
        the other.
        """
        half = self.candidates[self.is_alive[self.candidates]]
        half = np.unique(np.minimum(half, self.twin[half]))
        first = np.full(len(self.normal), len(self.origin))
        np.minimum.at(first, self.region[half], self.rank[half])
        is_turn = self.rank[half] == first[self.region[half]]
        later, half = half[~is_turn], half[is_turn]
        other = self.twin[half]
        face, beside = self._find_face(half), self._find_face(other)
        is_convex = face != beside
        for into, out in ((self.prev[half], self.next[other]), (self.prev[other], self.next[half])):
            sine, goes_on = self._turn(into, out)
            is_convex &= (sine > STRAIGHT) | ((sine >= -STRAIGHT) & goes_on)
        half, other, face, beside = half[is_convex], other[is_convex], face[is_convex], beside[is_convex]

        # A fixed scramble: in the order of the numbers only one edge of a row would win.
        order = (half.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(20)
        best = np.full(len(self.origin), np.iinfo(np.uint64).max, np.uint64)
        np.minimum.at(best, face, order)
        np.minimum.at(best, beside, order)
        wins = (best[face] == order) & (best[beside] == order)
        left = np.concatenate([later, half[~wins]])
        self.candidates = np.concatenate([left, self.twin[left]])
        half, other = half[wins], other[wins]
        after = np.concatenate([self.next[half], self.next[other]])
        for one, two in ((half, other), (other, half)):
            self.next[self.prev[one]] = self.next[two]
            self.prev[self.next[two]] = self.prev[one]
        self._kill(np.concatenate([half, other]))
        self.joined[beside[wins]] = face[wins]
        return after

    def _kill(self, half: Indices) -> None:
        self.is_alive[half] = False
        np.subtract.at(self.uses, self.origin[half], 1)

    def dissolve(self, half: Indices) -> None:
        """Drop corners in the middle of straight edges that no other face has as a corner: of those where `half` begin.

        A corner of two faces is dropped from both.
        """
        opposite = self.twin[self.prev[half]]
        half = np.unique(np.concatenate([half, opposite[opposite >= 0]]))
        half = half[self.is_alive[half]]
        half = half[(self.uses[self.origin[half]] <= 2) & ~self.pinned[self.origin[half]]]
        before = self.prev[half]
        sine, goes_on = self._turn(before, half)
        is_straight = np.zeros(len(self.origin), bool)
        is_straight[half] = (np.abs(sine) <= STRAIGHT) & goes_on
        opposite = self.twin[before]
        is_pair = (opposite >= 0) & is_straight[opposite] & (self.twin[self.prev[opposite]] == half)
        is_lone = self.is_border[half] & self.is_border[before]
        uses = self.uses[self.origin[half]]
        goes = is_straight[half] & ((is_pair & (uses == 2)) | (is_lone & (uses == 1)))
        gone = np.zeros(len(self.origin), bool)
        gone[half[goes]] = True
        kept = self.prev[half[goes]]
        kept = kept[~gone[kept]]
        following = self.next[kept]
        while True:  # over all dropped corners in a row
            is_gone = gone[following]
            if not is_gone.any():
                break
            following = np.where(is_gone, self.next[following], following)
        self.twin[kept] = self.twin[self.prev[following]]
        self.next[kept] = following
        self.prev[following] = kept
        self._kill(half[goes])
        self.candidates = np.concatenate([self.candidates, kept[self.is_inner[kept]]])

    def polygons(self) -> tuple[Indices, Indices, Indices]:
        """Return the corners of all polygons (n,), where each begins (p + 1,), and a triangle of each (p,)."""
        alive = np.flatnonzero(self.is_alive)
        faces, position = np.unique(self._find_face(alive), return_inverse=True)
        sizes = np.bincount(position.reshape(-1))
        at = np.full(len(faces), -1)
        at[position.reshape(-1)[::-1]] = alive[::-1]
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.intp)
        corners = np.empty(len(alive), np.intp)
        for step in range(int(sizes.max())):
            longer = np.flatnonzero(sizes > step)
            corners[starts[longer] + step] = self.origin[at[longer]]
            at[longer] = self.next[at[longer]]
        return corners, starts, faces
