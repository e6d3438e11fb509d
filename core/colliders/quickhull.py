"""Quickhull: convex surfaces around sets of points, all sets and many points of each in the same numpy calls.

After C. B. Barber, D. P. Dobkin and H. Huhdanpaa, The quickhull algorithm for convex hulls, ACM Trans. Math. Softw. 22,
1996. There one point is added at a time: the faces that it sees give way to a cone over their border. Here every face
that has points in front of it proposes its farthest one, and all proposals are carried out at once whose seen faces
neither overlap nor touch: such cones cannot see each other, so the surface stays convex.

All that is chosen depends on the set alone: the same points give the same surface, whichever sets are beside them.
"""

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices, Mask, expand
from .convexity import PAIRS_AT_ONCE, find_planes
from .groups import pick_highest, starts_of

# The faces of a tetrahedron (a, b, c, d) with d behind the first one, and the face beside each of their sides.
FACES = np.array([[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]])
BESIDE = np.array([[1, 2, 3], [3, 2, 0], [1, 3, 0], [2, 1, 0]])


class Surface:
    """The growing surfaces of all sets, and the points still in front of them. Its arrays are written in place.

    Parameters
    ----------
    unit : (n, 3) float
        The points of all sets, each set at unit size.
    starts : (g + 1,) int
        Where the sets begin.
    simplices : (g, 4) int
        A first tetrahedron in each set; the fourth corner is behind the other three.
    slack : (g,) float
        Height above a face up to which a point counts as lying on it.
    """

    def __init__(
        self, unit: NDArray[np.float64], starts: Indices, simplices: Indices, slack: NDArray[np.float64]
    ) -> None:
        sets = len(simplices)
        room = max(2 * len(unit), 4 * sets)  # a surface with v corners has 2 v - 4 faces
        self.unit, self.starts, self.slack = unit, starts, slack
        self.set_of = np.repeat(np.arange(sets), np.diff(starts))
        self.radius = (unit**2).sum(axis=1)
        self.is_failed = np.zeros(sets, bool)
        self.corners = np.zeros((room, 3), np.int64)
        self.beside = np.zeros((room, 3), np.intp)  # side i, from corner i to the next, is shared with this face
        self.normal = np.zeros((room, 3))
        self.offset = np.zeros(room)
        self.count = 4 * sets
        self.free = np.zeros(0, np.intp)  # rows below `count` without a face

        first = 4 * np.arange(sets)
        self._put(np.arange(self.count), simplices[:, FACES].reshape(-1, 3))
        self.beside[: self.count] = (first[:, None, None] + BESIDE).reshape(-1, 3)
        self.point, self.owner, self.above = self._find_owners(
            np.arange(len(unit)), np.arange(self.count), first[self.set_of], np.full(len(unit), 4)
        )

    def grow(self) -> None:
        """Add points until none is in front of its surface; sets in which rounding breaks it are marked as failed."""
        while len(self.point):
            seeds, apex = self._propose()
            face, chooser, claim, is_won = self._find_seen(seeds, apex)
            self._build_cones(face, chooser, claim, is_won, apex)

    def faces(self) -> tuple[NDArray[np.int64], Indices]:
        """Return the triangles (t, 3) of the sets that did not fail, sorted by set and corners, and the set of each."""
        is_face = np.ones(self.count, bool)
        is_face[self.free] = False
        triangles = self.corners[: self.count][is_face]
        owner = self.set_of[triangles[:, 0]]
        order = np.lexsort((triangles[:, 2], triangles[:, 1], triangles[:, 0]))  # the sets' points rise
        order = order[~self.is_failed[owner[order]]]
        return triangles[order], owner[order]

    def _propose(self) -> tuple[Indices, Indices]:
        """Return faces with points in front of them, and the farthest point of each; rank rises along the arrays."""
        order = np.lexsort((self.point, self.owner))  # rows of faces have to do with other sets, points have not
        self.point, self.owner, self.above = self.point[order], self.owner[order], self.above[order]
        begins = np.flatnonzero(np.concatenate([[True], self.owner[1:] != self.owner[:-1]]))
        seeds = self.owner[begins]
        slack = self.slack[self.set_of[self.point[begins]]]
        starts = np.append(begins, len(self.owner))
        apex = self.point[pick_highest(self.above, self.radius[self.point], starts, slack)]
        # Ranks that have nothing to do with the place let many proposals win side by side; a fixed scramble, so
        # that the same points always give the same surface.
        among = apex - self.starts[self.set_of[apex]]
        scrambled = (among.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32)
        order = np.argsort(scrambled, kind="stable")
        rank = np.full(self.count, -1, np.intp)
        rank[seeds[order]] = np.arange(len(order))
        # A proposal next to one of higher rank would lose: it need not look around at all.
        is_top = rank[seeds[order]] > rank[self.beside[seeds[order]]].max(axis=1)
        order = order[is_top]
        return seeds[order], apex[order]

    def _find_seen(self, seeds: Indices, apex: Indices) -> tuple[Indices, Indices, Indices, Mask]:
        """Let each proposal claim the faces that its apex sees; where two meet, the higher one keeps them.

        Returns the faces claimed and by whom (k,), who holds each face (-1: nobody), and which proposals keep all
        that they see and meet no winner beside it.
        """
        slack = self.slack[self.set_of[apex]]
        claim = np.full(self.count, -1, np.intp)
        stamp = np.zeros(self.count, np.intp)
        is_won = np.ones(len(seeds), bool)
        face, chooser = seeds, np.arange(len(seeds))
        claim[face] = chooser
        faces, choosers = [face], [chooser]
        while len(face):
            face, chooser = self.beside[face].ravel(), np.repeat(chooser, 3)
            fresh = np.flatnonzero((claim[face] != chooser) & is_won[chooser])
            face, chooser = face[fresh], chooser[fresh]
            height = (self.normal[face] * self.unit[apex[chooser]]).sum(axis=1) - self.offset[face]
            seen = np.flatnonzero(height > slack[chooser])
            face, chooser = face[seen], chooser[seen]
            before = claim[face]
            is_won[before[(before >= 0) & (before < chooser)]] = False
            claim[face] = np.maximum(before, chooser)  # choosers rise: of equal faces the last, highest one stays
            is_won[chooser[claim[face] != chooser]] = False
            stamp[face] = np.arange(len(face))
            once = np.flatnonzero(is_won[chooser] & (stamp[face] == np.arange(len(face))))
            face, chooser = face[once], chooser[once]
            faces.append(face)
            choosers.append(chooser)

        face, chooser = np.concatenate(faces), np.concatenate(choosers)
        kept = is_won[chooser]
        face, chooser = face[kept], chooser[kept]
        rival = claim[self.beside[face]]
        is_beaten = (rival > chooser[:, None]) & is_won[rival]
        is_won[chooser[is_beaten.any(axis=1)]] = False
        kept = is_won[chooser]
        return face[kept], chooser[kept], claim, is_won

    def _build_cones(self, face: Indices, chooser: Indices, claim: Indices, is_won: Mask, apex: Indices) -> None:
        """Replace the faces seen by each winner by a cone from their border to its apex."""
        row, side = np.nonzero(claim[self.beside[face]] != chooser[:, None])
        old, winner = face[row], chooser[row]
        begin, end = self.corners[old, side], self.corners[old, (side + 1) % 3]
        begin_key, end_key = winner * len(self.unit) + begin, winner * len(self.unit) + end
        order = np.argsort(begin_key)
        begin_key, end_key = begin_key[order], end_key[order]
        old, side, winner, begin, end = old[order], side[order], winner[order], begin[order], end[order]
        after = np.minimum(np.searchsorted(begin_key, end_key), len(begin_key) - 1)
        is_broken = begin_key[after] != end_key  # the border is no ring
        is_broken[1:] |= begin_key[1:] == begin_key[:-1]
        if is_broken.any():
            self._give_up(np.unique(self.set_of[apex[winner[is_broken]]]))
            return

        across = self.beside[old, side]
        across_side = (self.beside[across] == old[:, None]).argmax(axis=1)
        rows = np.concatenate([face, self.free, np.arange(self.count, self.count + len(old))])
        new, self.free = rows[: len(old)], rows[len(old) :]
        self.free = self.free[self.free < self.count]
        self.count = max(self.count, int(new.max()) + 1)
        was_seen = np.zeros(self.count, bool)
        was_seen[face] = True
        self._put(new, np.stack([begin, end, apex[winner]], axis=1))
        self.beside[new, 0] = across
        self.beside[across, across_side] = new
        self.beside[new, 1] = new[after]
        self.beside[new[after], 2] = new

        moved = was_seen[self.owner]
        point, by = self.point[moved], claim[self.owner[moved]]
        is_apex = point == apex[by]
        point, by = point[~is_apex], by[~is_apex]
        first = np.searchsorted(winner, np.arange(len(apex) + 1))
        found = self._find_owners(point, new, first[by], (first[1:] - first[:-1])[by])
        stays = ~moved
        self.point = np.concatenate([self.point[stays], found[0]])
        self.owner = np.concatenate([self.owner[stays], found[1]])
        self.above = np.concatenate([self.above[stays], found[2]])

    def _put(self, rows: Indices, corners: NDArray[np.int64]) -> None:
        self.corners[rows] = corners
        self.normal[rows], self.offset[rows] = find_planes(self.unit, corners)

    def _give_up(self, sets: Indices) -> None:
        self.is_failed[sets] = True
        kept = ~self.is_failed[self.set_of[self.point]]
        self.point, self.owner, self.above = self.point[kept], self.owner[kept], self.above[kept]

    def _find_owners(
        self, points: Indices, faces: Indices, first: Indices, counts: Indices
    ) -> tuple[Indices, Indices, NDArray[np.float64]]:
        """Return which of `points` are in front of a face, that face, and the height above it.

        Point i looks at faces[first[i]] and the following counts[i]; of several faces it takes the one that it is
        highest above.
        """
        parts = []
        for block in np.array_split(np.arange(len(points)), counts.sum() // PAIRS_AT_ONCE + 1):
            place = expand(first[block], counts[block])
            face = faces[place]
            seen_by = np.repeat(np.arange(len(block)), counts[block])
            at = self.unit[points[block]][seen_by]
            height = (self.normal[face] * at).sum(axis=1) - self.offset[face]
            best = (
                pick_highest(height, -place.astype(np.float64), starts_of(counts[block]), 0.0) if len(block) else block
            )
            parts.append((points[block], face[best], height[best]))
        point, owner, above = (np.concatenate(column) for column in zip(*parts, strict=True))
        front = np.flatnonzero(above > self.slack[self.set_of[point]])
        return point[front], owner[front], above[front]
