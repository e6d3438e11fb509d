"""Cell: a convex polyhedron, cut in two by planes."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..arrays import Mask

SPARE_CORNERS = 50  # of a cell beyond what it can have: planes that are nearly the same make some by rounding


class TooDetailedError(Exception):
    """The surface has more detail than is worth cutting up."""


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """A convex polyhedron of n corners between f planes.

    Two corners that lie on two planes in common are the ends of an edge: that is all that a cut has to know.

    Attributes
    ----------
    points : (n, 3) float
    is_on : (n, f) bool
        Which of the planes each corner lies on.
    """

    points: NDArray[np.float64]
    is_on: Mask

    @classmethod
    def box(cls, half: float) -> "Cell":
        """Return the cube about the origin that reaches from -half to half."""
        signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
        return cls(signs * half, np.concatenate([signs < 0, signs > 0], axis=1))

    def split(
        self, normal: NDArray[np.float64], offset: float, tolerance: float
    ) -> tuple["Cell | None", "Cell | None"]:
        """Return what is in front of a plane and what is behind it; None for a side without a corner.

        Corners within `tolerance` of the plane count as lying on it.

        Raises
        ------
        TooDetailedError
            If a side has more corners than a convex polyhedron of its planes can have, 2 f - 4 (Euler): planes are so
            nearly the same that corners which share two of them are no edges, and each cut would multiply them.
        """
        height = self.points @ normal - offset
        front, back = np.flatnonzero(height > tolerance), np.flatnonzero(height < -tolerance)
        if not len(front) or not len(back):
            return (self, None) if len(front) else (None, self)
        on = np.flatnonzero(np.abs(height) <= tolerance)
        shared = self.is_on[front].astype(np.float32) @ self.is_on[back].T.astype(np.float32)  # counts: exact
        i, j = np.nonzero(shared >= 2)
        i, j = front[i], back[j]
        share = height[i] / (height[i] - height[j])
        cut = self.points[i] + share[:, None] * (self.points[j] - self.points[i])
        _, distinct = np.unique(np.round(cut, 11), axis=0, return_index=True)
        points = np.concatenate([self.points[on], cut[distinct]])
        is_on = np.concatenate([self.is_on[on], (self.is_on[i] & self.is_on[j])[distinct]])
        sides = []
        for rows in (front, back):
            added = np.zeros((len(rows) + len(points), 1), bool)
            added[len(rows) :] = True
            planes = np.concatenate([np.concatenate([self.is_on[rows], is_on]), added], axis=1)
            corners = np.concatenate([self.points[rows], points])
            planes = planes[:, planes.sum(axis=0) >= 3]
            if len(corners) > 2 * planes.shape[1] - 4 + SPARE_CORNERS:
                raise TooDetailedError
            sides.append(Cell(corners, planes))
        return sides[0], sides[1]
