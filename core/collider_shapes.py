"""Collider shapes: the polygons of each collider with its own points, for those who write colliders as meshes."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .arrays import Indices
from .colliders.colliders import ColliderKind
from .geometry.flat_sides import join_flat_sides
from .world import World


@dataclass(frozen=True, slots=True, eq=False)
class ColliderShapes:
    """The shapes of c colliders: v points, p polygons and their n corners, collider after collider.

    Attributes
    ----------
    points : (v, 3) float, m
    point_starts : (c + 1,) int
        Where the points of each collider begin.
    corners : (n,) int
        Which point of its collider each corner is: 0, 1, ..
    corner_starts : (p + 1,) int
        Where the corners of each polygon begin.
    polygon_starts : (c + 1,) int
        Where the polygons of each collider begin.
    """

    points: NDArray[np.float64]
    point_starts: Indices
    corners: Indices
    corner_starts: Indices
    polygon_starts: Indices

    @classmethod
    def of(cls, world: World) -> "ColliderShapes":
        """Find the shapes of a world: hulls have a polygon for each flat side, faces keep their triangles."""
        colliders = world.colliders
        owner, count = colliders.collider, len(colliders.vertices)
        # Colliders that share a vertex are no neighbours.
        keys, triangles = np.unique(owner[:, None] * count + colliders.triangles, return_inverse=True)
        triangles = triangles.reshape(-1, 3).astype(np.int64)
        is_hull = (colliders.kind == ColliderKind.HULL)[owner]
        corners, corner_starts, source = join_flat_sides(triangles, world.features.normal, is_hull, len(keys))
        used, corners = np.unique(corners, return_inverse=True)
        everyone = np.arange(len(colliders) + 1)
        point_starts = np.searchsorted(keys[used] // count, everyone)
        polygon_starts = np.searchsorted(owner[source], everyone)
        begins = np.repeat(point_starts[owner[source]], np.diff(corner_starts))
        return cls(
            points=colliders.vertices[keys[used] % count],
            point_starts=point_starts,
            corners=corners.reshape(-1) - begins,
            corner_starts=corner_starts,
            polygon_starts=polygon_starts,
        )

    def of_collider(self, collider: int) -> tuple[NDArray[np.float64], Indices, Indices]:
        """Return the points (v, 3) of a collider, the corners (n,) of its polygons, and where each begins (p,)."""
        points = self.points[self.point_starts[collider] : self.point_starts[collider + 1]]
        starts = self.corner_starts[self.polygon_starts[collider] : self.polygon_starts[collider + 1] + 1]
        return points, self.corners[starts[0] : starts[-1]], starts[:-1] - starts[0]
