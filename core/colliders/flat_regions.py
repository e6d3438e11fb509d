"""Flat regions: triangles side by side in one plane, and their half-edges."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices, Mask
from .convexity import edge_keys, find_planes, match_sides, side_ends
from .parts import connect

FLAT = 1e-9
"""Share of its mesh's size within which the corners of a region lie in one plane. Too small and the rounding of doubles
keeps faces apart; too large and casts change."""
SAMPLED_FROM = 1 << 16  # triangles from which a sample decides whether there is enough to merge
SAMPLE = 2048  # triangles of the sample
WORTH = 0.02  # share of the sample's edges that have to be flat


@dataclass(frozen=True, slots=True, eq=False)
class FlatRegions:
    """r regions of two triangles or more, t triangles in all; half-edge 3 t + i goes from corner i of triangle t on.

    Attributes
    ----------
    row : (t,) int
        Which of all triangles these are.
    origin : (3 t,) int
        Vertex where each half-edge begins.
    twin : (3 t,) int
        The half-edge on the other side, which runs the other way; -1 where there is none among these triangles, or
        more than two triangles share the edge.
    is_border : (3 t,) bool
        Nothing runs along the other side: exactly one of all triangles has this edge.
    region : (t,) int
    normal : (r, 3) float
    """

    row: Indices
    origin: Indices
    twin: Indices
    is_border: Mask
    region: Indices
    normal: NDArray[np.float64]

    @classmethod
    def find(
        cls, vertices: NDArray[np.float64], triangles: NDArray[np.int64], tolerance: NDArray[np.float64]
    ) -> "FlatRegions | None":
        """Find the regions; None if there are none, or too few to be worth it.

        `tolerance` (t,) is the distance in m within which corners lie in a triangle's plane.
        """
        if len(triangles) > SAMPLED_FROM and not _is_worth(vertices, triangles, tolerance):
            return None
        mate = match_sides(triangles, len(vertices))
        begin, _ = side_ends(triangles)
        mate = np.where((mate >= 0) & (begin != begin[mate]), mate, -1)
        flat = _flat_sides(vertices, triangles, mate, tolerance)
        if not len(flat):
            return None
        first = connect(flat // 3, mate[flat] // 3, len(triangles))
        normal, offset = find_planes(vertices, triangles)
        off = (vertices[triangles] * normal[first][:, None]).sum(axis=2) - offset[first][:, None]
        is_off = np.bincount(first[(np.abs(off) > tolerance[:, None]).any(axis=1)], minlength=len(triangles)) > 0
        size = np.bincount(first, minlength=len(triangles))
        row = np.flatnonzero((size[first] > 1) & ~is_off[first])
        if not len(row):
            return None
        firsts, region = np.unique(first[row], return_inverse=True)
        place = np.full(len(triangles), -1)
        place[row] = np.arange(len(row))
        sides = (3 * row[:, None] + np.arange(3)).ravel()
        other = mate[sides]
        twin = np.where(other >= 0, 3 * place[other // 3] + other % 3, -1)
        twin[place[other // 3] < 0] = -1
        is_border = _is_lone(triangles, sides, len(vertices))
        return cls(row, begin[sides], twin, is_border, region.reshape(-1), normal[firsts])

    def find_pinned(self, triangles: NDArray[np.int64], vertex_count: int) -> Mask:
        """Return which vertices (v,) other triangles have as a corner."""
        is_other = np.ones(len(triangles), bool)
        is_other[self.row] = False
        pinned = np.zeros(vertex_count, bool)
        pinned[triangles[is_other]] = True
        return pinned


def _is_lone(triangles: NDArray[np.int64], sides: Indices, vertex_count: int) -> Mask:
    """Return which of the `sides` no other triangle has, whichever way round."""
    keys = edge_keys(*side_ends(triangles), vertex_count)
    ordered = np.sort(keys)
    wanted = keys[sides]
    return np.asarray(np.searchsorted(ordered, wanted, "right") - np.searchsorted(ordered, wanted) == 1)


def _flat_sides(
    vertices: NDArray[np.float64], triangles: NDArray[np.int64], mate: Indices, tolerance: NDArray[np.float64]
) -> Indices:
    """Return the sides, the first of each two, whose triangles lie in one plane and do not fold onto each other."""
    here = np.flatnonzero(mate > np.arange(len(mate)))
    there = mate[here]
    a, b = here // 3, there // 3
    corner = vertices[triangles.ravel()[here]]
    along = vertices[np.roll(triangles, -1, axis=1).ravel()[here]] - corner
    apex = vertices[triangles.ravel()[a * 3 + (here + 2) % 3]] - corner
    far = vertices[triangles.ravel()[b * 3 + (there + 2) % 3]] - corner
    one, other = np.cross(along, apex), np.cross(far, along)
    height = np.abs((one * far).sum(axis=1)) / np.maximum(np.linalg.norm(one, axis=1), 1e-300)
    back = np.abs((other * apex).sum(axis=1)) / np.maximum(np.linalg.norm(other, axis=1), 1e-300)
    is_flat = (np.maximum(height, back) <= tolerance[a]) & ((one * other).sum(axis=1) > 0)
    return here[is_flat]


def _is_worth(vertices: NDArray[np.float64], triangles: NDArray[np.int64], tolerance: NDArray[np.float64]) -> bool:
    """Return whether enough of the sides of some triangles, spread over all, are flat."""
    chosen = np.linspace(0, len(triangles) - 1, SAMPLE).astype(np.intp)
    is_near = np.zeros(len(vertices), bool)
    is_near[triangles[chosen]] = True
    beside = np.flatnonzero(
        is_near[triangles[:, 0]].astype(np.int8) + is_near[triangles[:, 1]] + is_near[triangles[:, 2]] > 1
    )
    some = triangles[beside]
    mate = match_sides(some, len(vertices))
    begin, _ = side_ends(some)
    mate = np.where((mate >= 0) & (begin != begin[mate]), mate, -1)
    return bool(len(_flat_sides(vertices, some, mate, tolerance[beside])) > WORTH * 3 * SAMPLE)
