"""Surface faults: edges where a surface is open, crowded or wound both ways, for those whose sides matter."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices, Mask
from .convexity import edge_keys, side_ends


@dataclass(frozen=True, slots=True, eq=False)
class Faults:
    """One fault of p parts.

    Attributes
    ----------
    count : (p,) int
        How many edges have it.
    place : (p, 3) float, m
        The middle of the first of them; zeros where there is none.
    """

    count: Indices
    place: NDArray[np.float64]


def find_faults(
    vertices: NDArray[np.float64], triangles: NDArray[np.int64], vertex_part: Indices, wanted: Mask
) -> tuple[Faults, Faults, Faults]:
    """Return where parts are open, crowded, and wound both ways.

    An edge is open if one triangle has it, crowded if three or more have it, and wound both ways if its two triangles
    run along it in the same direction.

    Parameters
    ----------
    vertices : (v, 3) float, m
    triangles : (t, 3) int
    vertex_part : (v,) int
    wanted : (p,) bool
        Which parts are looked at.
    """
    some = triangles[wanted[vertex_part[triangles[:, 0]]]]
    begin, end = side_ends(some)
    keys = edge_keys(begin, end, len(vertices))
    _, first, edge, sides = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
    forward = np.bincount(edge.reshape(-1)[begin < end], minlength=len(first))

    def faults(has_it: Mask) -> Faults:
        rows = np.sort(first[has_it])
        part = vertex_part[begin[rows]]
        count = np.bincount(part, minlength=len(wanted))
        place = np.zeros((len(wanted), 3))
        place[part[::-1]] = ((vertices[begin[rows]] + vertices[end[rows]]) / 2)[::-1]
        return Faults(count.astype(np.intp), place)

    return faults(sides == 1), faults(sides > 2), faults((sides == 2) & (forward != 1))
