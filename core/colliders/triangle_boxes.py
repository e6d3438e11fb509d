"""Triangle boxes: which of many triangles is nearest to a point, found by boxes in boxes."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices, Rows, expand
from .groups import starts_of
from .nearest import measure

TOGETHER = 8  # boxes in a larger one at most
FEW = 16  # boxes of a mesh that are looked at one by one, and for a point before a triangle in the nearest is
PAIRS_AT_ONCE = 1 << 16  # points times boxes in a temporary array: larger ones leave the processor's cache
GRID_BITS = 10  # of each coordinate, in the order of triangles


@dataclass(frozen=True, slots=True, eq=False)
class Boxes:
    """Upright boxes of one size, b of them, and how they are grouped.

    Attributes
    ----------
    low, high : (3, b) float, m
    first : (g + 1,) int
        Where each group begins: all boxes of a mesh, or those in a larger box.
    triangle : (b,) int
        One that is in each box.
    """

    low: Rows
    high: Rows
    first: Indices
    triangle: Indices

    def apart(self, points: Rows, point: Indices, box: Indices) -> NDArray[np.float64]:
        """Return how far points (3, n) and boxes of some pairs (k,) are apart, as squares."""
        apart = np.zeros(len(box))
        for axis in range(3):
            at = points[axis].take(point)
            gap = np.maximum(self.low[axis].take(box) - at, at - self.high[axis].take(box))
            apart += np.maximum(gap, 0.0, out=gap) ** 2
        return apart

    def inside(self, point: Indices, group: Indices) -> tuple[Indices, Indices]:
        """Return pairs of the points and the boxes in their groups."""
        counts = self.first[group + 1] - self.first[group]
        return np.repeat(point, counts), expand(self.first[group], counts)


@dataclass(frozen=True, slots=True, eq=False)
class TriangleBoxes:
    """The triangles of several meshes, in boxes, and these in larger ones.

    Attributes
    ----------
    order : (t,) int
        The rows of the triangles as they were given: mesh after mesh, and near ones side by side.
    corners : (t, 3, 3) float, m
        In this order, as all rows below.
    sizes : tuple of Boxes
        From the largest boxes to those around one triangle each; a group of a size is a box of the one before.
    """

    order: Indices
    corners: NDArray[np.float64]
    sizes: tuple[Boxes, ...]

    @classmethod
    def around(cls, corners: NDArray[np.float64], starts: Indices) -> "TriangleBoxes":
        """Put boxes around triangles (t, 3, 3); those of mesh i are the rows from starts[i] on, at least one."""
        order = _order(corners.mean(axis=1), starts)
        corners = corners[order]
        low, high, triangle = corners.min(axis=1), corners.max(axis=1), np.arange(len(corners))
        sizes: list[Boxes] = []
        while True:
            counts = np.diff(starts)
            is_few = counts.max() <= FEW
            boxes = np.ones_like(counts) if is_few else -(-counts // TOGETHER)
            place = expand(np.zeros_like(boxes), boxes)
            first = np.append(np.repeat(starts[:-1], boxes) + TOGETHER * place, starts[-1])
            sizes.insert(0, Boxes(low.T.copy(), high.T.copy(), first, triangle))
            if is_few:
                return cls(order, corners, tuple(sizes))
            low, high = np.minimum.reduceat(low, first[:-1]), np.maximum.reduceat(high, first[:-1])
            starts, triangle = starts_of(boxes), triangle[(first[:-1] + first[1:]) // 2]

    def nearest(
        self, points: NDArray[np.float64], mesh: Indices, guesses: Indices
    ) -> tuple[NDArray[np.float64], Indices]:
        """Return how far each point (n, 3) is from its mesh (n,), and the row of the triangle there.

        Some rows (n, g) are tried first: the nearer they are, the less has to be looked at.
        """
        found = _Nearest(points, np.full(len(points), np.inf), guesses[:, 0].copy(), self.corners)
        found.look_at(np.repeat(np.arange(len(points)), guesses.shape[1]), guesses.ravel())
        across = np.ascontiguousarray(points.T)
        pairs = len(points) * 4 * TOGETHER * len(self.sizes)
        for point in np.array_split(np.arange(len(points)), pairs // PAIRS_AT_ONCE + 1):
            row = mesh[point]
            for boxes in self.sizes:
                point, row = boxes.inside(point, row)
                apart = boxes.apart(across, point, row)
                near = np.flatnonzero(apart <= found.distance[point] ** 2)
                point, row, apart = point[near], row[near], apart[near]
                is_crowded = np.bincount(point, minlength=len(points))[point] > FEW
                if is_crowded.any():
                    first = np.flatnonzero(is_crowded)[_find_least(point[is_crowded], apart[is_crowded])]
                    found.look_at(point[first], boxes.triangle[row[first]])
                    near = np.flatnonzero(apart <= found.distance[point] ** 2)
                    point, row, apart = point[near], row[near], apart[near]
            first = _find_least(point, apart)
            found.look_at(point[first], row[first])
            near = np.flatnonzero(apart <= found.distance[point] ** 2)
            found.look_at(point[near], row[near])
        return found.distance, found.triangle


@dataclass(frozen=True, slots=True, eq=False)
class _Nearest:
    """The nearest triangles of points (n, 3) so far; written in place."""

    points: NDArray[np.float64]
    distance: NDArray[np.float64]
    triangle: Indices
    corners: NDArray[np.float64]

    def look_at(self, point: Indices, row: Indices) -> None:
        """Keep those of some pairs of a point and a triangle that are nearer; `point` rises."""
        apart, _ = measure(self.points[point], self.corners[row])
        least = _find_least(point, apart)
        least = least[apart[least] < self.distance[point[least]]]
        self.distance[point[least]], self.triangle[point[least]] = apart[least], row[least]


def _find_least(point: Indices, apart: NDArray[np.float64]) -> Indices:
    """Return for each point, which rise, the first pair of those that are the least apart."""
    if not len(point):
        return point
    begins = np.flatnonzero(np.append(True, point[1:] != point[:-1]))
    least = np.minimum.reduceat(apart, begins)
    rows = np.flatnonzero(apart == np.repeat(least, np.diff(np.append(begins, len(point)))))
    return np.asarray(rows[np.append(True, point[rows[1:]] != point[rows[:-1]])])


def _order(middles: NDArray[np.float64], starts: Indices) -> Indices:
    """Return the rows of each mesh along a curve that goes through one cell of a grid, and then to the next.

    G. M. Morton, A computer oriented geodetic data base, IBM, 1966: the bits of the coordinates by turns.
    """
    counts = np.diff(starts)
    low = np.minimum.reduceat(middles, starts[:-1])
    spread = (np.maximum.reduceat(middles, starts[:-1]) - low).max(axis=1)
    scale = (2**GRID_BITS - 1) / np.maximum(spread, 1e-300)
    cell = ((middles - np.repeat(low, counts, axis=0)) * np.repeat(scale, counts)[:, None]).astype(np.int64)
    key = np.repeat(np.arange(len(counts)), counts) << (3 * GRID_BITS)
    for bit in range(GRID_BITS):
        for axis in range(3):
            key |= (cell[:, axis] >> bit & 1) << (3 * bit + axis)
    return np.argsort(key, kind="stable")
