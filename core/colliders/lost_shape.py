"""Lost shape: why the triangles of a mesh have no area, where the mesh as a whole is the cause."""

from dataclasses import dataclass

import numpy as np

from ..mesh import TriMesh

LOST = 0.25  # share of its size by which a mesh is rounded from which it has no shape
FLAT = 1e-6  # share of its length up to which a mesh has no thickness; above the rounding of single precision


@dataclass(frozen=True, slots=True)
class Shape:
    """What may be wrong with a mesh as a whole.

    Attributes
    ----------
    too_far : float, m
        How far it is from the origin, if its coordinates there are rounded by as much as its size; else 0.
    is_flat : bool
        All of it lies in one plane or line.
    """

    too_far: float
    is_flat: bool

    @classmethod
    def of(cls, mesh: TriMesh) -> "Shape":
        """Return the shape of what the triangles of a mesh use."""
        points = mesh.vertices[np.unique(mesh.triangles)]
        if not len(points):
            return cls(0.0, False)
        low, high = points.min(axis=0), points.max(axis=0)
        distance = float(np.maximum(np.abs(low), np.abs(high)).max())
        with np.errstate(over="ignore"):
            is_single = bool((points == points.astype(np.float32)).all())  # as Blender stores them
        step = float(np.spacing(np.float32(distance) if is_single else distance))
        spread = points - (low / 2 + high / 2)
        thickness, _, length = np.sqrt(np.maximum(np.linalg.eigvalsh(spread.T @ spread), 0))
        return cls(distance if step > LOST * float((high - low).max()) else 0.0, bool(thickness <= FLAT * length))

    def distance(self) -> str:
        """Return how far it is too far from the origin."""
        return f"{self.too_far:,.0f} m" if self.too_far < 1e9 else f"{self.too_far:.3g} m"
