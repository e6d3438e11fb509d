"""Concave: blocks over outlines that need not be convex."""

import itertools
from collections.abc import Sequence

from builders import Point

from levelwalk.core import TriMesh


def block(outline: Sequence[Point], low: float, high: float, name: str = "block") -> TriMesh:
    """Return an upright solid over an outline of axis-parallel sides, counter-clockwise, that need not be convex.

    Its top and bottom are cut into the cells between all coordinates of the outline, so that all edges match.
    """
    xs, ys = (sorted({point[axis] for point in outline}) for axis in (0, 1))
    cells = [
        (x0, y0, x1, y1)
        for x0, x1 in itertools.pairwise(xs)
        for y0, y1 in itertools.pairwise(ys)
        if is_in((x0 + x1) / 2, (y0 + y1) / 2, outline)
    ]
    filled, vertices, triangles = set(cells), [], []

    def quad(a, b, c, d):
        first = len(vertices)
        vertices.extend([a, b, c, d])
        triangles.extend([(first, first + 1, first + 2), (first, first + 2, first + 3)])

    for x0, y0, x1, y1 in cells:
        quad((x0, y0, high), (x1, y0, high), (x1, y1, high), (x0, y1, high))
        quad((x0, y0, low), (x0, y1, low), (x1, y1, low), (x1, y0, low))
        if not any(cell[2] == x0 and cell[1] == y0 for cell in filled):
            quad((x0, y0, low), (x0, y0, high), (x0, y1, high), (x0, y1, low))
        if not any(cell[0] == x1 and cell[1] == y0 for cell in filled):
            quad((x1, y0, low), (x1, y1, low), (x1, y1, high), (x1, y0, high))
        if not any(cell[3] == y0 and cell[0] == x0 for cell in filled):
            quad((x0, y0, low), (x1, y0, low), (x1, y0, high), (x0, y0, high))
        if not any(cell[1] == y1 and cell[0] == x0 for cell in filled):
            quad((x0, y1, low), (x0, y1, high), (x1, y1, high), (x1, y1, low))
    return TriMesh(vertices, triangles, name, mode="FACES", sides="SOLID")


def is_in(x: float, y: float, outline: Sequence[Point]) -> bool:
    """Say whether a point seen from above is inside an outline, by what a ray to its right crosses."""
    crossings = 0
    for (x0, y0), (x1, y1) in zip(outline, outline[1:] + outline[:1], strict=True):
        crossings += (y0 > y) != (y1 > y) and x < x0 + (y - y0) / (y1 - y0) * (x1 - x0)
    return crossings % 2 == 1
