"""Places: points on hulls, how far each is from the mesh, and bounds of that between them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices
from .convexity import edge_keys
from .groups import starts_of
from .nearest import measure
from .triangle_boxes import TriangleBoxes


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Points on hulls, n of them. Faces (f, 3) are rows of three points of one hull.

    Attributes
    ----------
    points : (n, 3) float, m
    hull : (n,) int
        Whose mesh is meant.
    distance : (n,) float, m
    triangle : (n,) int
        Which is that far away; a row of `mesh`.
    mesh : TriangleBoxes
        The meshes of all hulls.
    """

    points: NDArray[np.float64]
    hull: Indices
    distance: NDArray[np.float64]
    triangle: Indices
    mesh: TriangleBoxes

    @classmethod
    def at_corners(cls, vertices: NDArray[np.float64], triangles: NDArray[np.int64], mesh_of: Indices) -> "Places":
        """Return the vertices (v, 3) of meshes (t, 3), whose distance is zero; the hull of each triangle is sorted."""
        mesh = TriangleBoxes.around(vertices[triangles], starts_of(np.bincount(mesh_of)))
        hull, triangle = np.zeros(len(vertices), np.intp), np.zeros(len(vertices), np.intp)
        hull[triangles] = mesh_of[:, None]
        triangle[triangles[mesh.order]] = np.arange(len(triangles))[:, None]
        return cls(vertices, hull, np.zeros(len(vertices)), triangle, mesh)

    def lengths(self, faces: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return how long the longest side of each face is."""
        return np.asarray(np.sqrt(self._squares(faces).max(axis=1)))

    def furthest(self, faces: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return an upper bound (f,) of the distance of what is in each face.

        The distance from one triangle is the largest at a corner of the face, since a triangle is convex: here from
        each of those that the corners are nearest to.
        """
        one, others = faces[:, [0, 0, 1, 1, 2, 2]].ravel(), faces[:, [1, 2, 0, 2, 0, 1]].ravel()
        apart, _ = measure(self.points[others], self.mesh.corners[self.triangle[one]])
        return np.asarray(np.maximum(apart.reshape(-1, 3, 2).max(axis=2), self.distance[faces]).min(axis=1))

    def halve(self, faces: NDArray[np.int64]) -> tuple["Places", NDArray[np.int64]]:
        """Cut faces at the middle of their longest sides: needles become stouter. Return the places with these middles
        behind them, and two faces for each."""
        turn = (self._squares(faces).argmax(axis=1)[:, None] + np.arange(3)) % 3
        a, b, c = np.take_along_axis(faces, turn, axis=1).T
        count = len(self.points)
        side = edge_keys(a, b, count)  # faces beside each other are often cut at one side
        _, first, number = np.unique(side, return_index=True, return_inverse=True)
        ends = np.stack([a[first], b[first]], axis=1)
        middle, hull = self.points[ends].mean(axis=1), self.hull[ends[:, 0]]
        distance, triangle = self.mesh.nearest(middle, hull, self.triangle[ends])
        places = Places(
            np.concatenate([self.points, middle]),
            np.concatenate([self.hull, hull]),
            np.concatenate([self.distance, distance]),
            np.concatenate([self.triangle, triangle]),
            self.mesh,
        )
        between = count + number.reshape(-1)
        return places, np.stack([a, between, c, between, b, c], axis=1).reshape(-1, 3)

    def _squares(self, faces: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the squared lengths (f, 3) of the sides from each corner to the next."""
        corners = self.points[faces]
        return np.asarray(((np.roll(corners, -1, axis=1) - corners) ** 2).sum(axis=2))
