"""Solids: whether the middle of a capsule is inside a hull, where no face of it may be near.

Faces tell of an overlap only while the capsule's axis is outside. A character that starts in the middle of a large
block touches none of its faces.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .arrays import Indices, Rows, Scalars
from .colliders import ColliderKind, Colliders
from .features import Features
from .near import Near
from .pieces import turned

DOWN = -0.5  # upward component of a normal below which a face leads down, where there may be no ground


@dataclass(frozen=True, slots=True, eq=False)
class Solids:
    """The s hulls of a level.

    Attributes
    ----------
    low, high : (s, 3) float, m
        The box of each hull.
    faces_at : (s + 1,) int
        Where the faces of a hull begin in `faces`.
    faces : (k,) int
    features : Features
    """

    low: NDArray[np.float64]
    high: NDArray[np.float64]
    faces_at: Indices
    faces: Indices
    features: Features

    @classmethod
    def find(cls, colliders: Colliders, features: Features) -> "Solids":
        """Find the hulls among the colliders."""
        solid = np.flatnonzero(np.asarray(colliders.kind)[colliders.collider] == ColliderKind.HULL)
        faces = solid[np.argsort(np.asarray(colliders.collider)[solid], kind="stable")]
        hulls, starts = np.unique(np.asarray(colliders.collider)[faces], return_index=True)
        if not len(hulls):
            return cls(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(1, np.intp), faces, features)
        low = np.minimum.reduceat(features.corners[faces].min(axis=1), starts)
        high = np.maximum.reduceat(features.corners[faces].max(axis=1), starts)
        return cls(low, high, np.append(starts, len(faces)), faces, features)

    def ways_out(self, near: Near, offset: Rows, lanes: Indices) -> tuple[Rows, Indices]:
        """Return the shortest displacement (3, n) that brings each lane's capsule out of the hull it is deepest in,
        and which level object that is, (n,).

        Only hulls that hold the middle of the capsule are asked; for all other lanes it is zero, and -1.
        """
        ways, objects = np.zeros(offset.shape), np.full(offset.shape[1], -1, np.intp)
        middle = offset.copy()
        middle[2] += near.span / 2
        centre = near.origin + (near.body.turn.T @ middle).T
        for lane in lanes:
            holding = np.flatnonzero((self.low <= centre[lane]).all(axis=1) & (self.high >= centre[lane]).all(axis=1))
            longest = 0.0
            for solid in holding:
                faces = self.faces[self.faces_at[solid] : self.faces_at[solid + 1]]
                normal = self.features.normal[faces]
                depth = ((self.features.corners[faces, 0] - centre[lane]) * normal).sum(axis=1)
                if depth.min() < 0:
                    continue  # in the box of the hull, but outside of the hull
                upright = turned(normal, near.body)
                depth = depth + near.body.radius + near.span[lane] / 2 * np.abs(upright[2])
                is_below = upright[2] < DOWN
                nearest = int(np.where(is_below & ~is_below.all(), np.inf, depth).argmin())
                if depth[nearest] > longest:
                    longest = float(depth[nearest])
                    ways[:, lane] = upright[:, nearest] * (longest + near.body.stop_short)
                    objects[lane] = self.features.object_index[faces[nearest]]
        return ways, objects

    def depth(self, near: Near, offset: Rows, lanes: Indices) -> Scalars:
        """Return how deep (n,), m, each lane's capsule is in a hull that holds its middle; minus infinity for none."""
        ways, _ = self.ways_out(near, offset, lanes)
        length = np.sqrt(ways[0] ** 2 + ways[1] ** 2 + ways[2] ** 2) - near.body.stop_short
        return np.where(length > 0, length, -np.inf)
