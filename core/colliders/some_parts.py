"""Some parts: a choice of loose parts with their vertices and triangles, to be narrowed down test by test."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices, Mask
from .convexity import match_sides
from .groups import starts_of, to_unit


@dataclass(frozen=True, slots=True, eq=False)
class SomeParts:
    """Some of the parts, p of them: vertices at unit size and triangles, part after part."""

    part: Indices  # (p,) among all parts
    vertex: Indices  # (v,) among all vertices
    points: NDArray[np.float64]  # (v, 3)
    starts: Indices  # (p + 1,) where the vertices of a part begin
    triangles: NDArray[np.int64]  # (t, 3) rows of `points`
    row: Indices  # (t,) among all triangles
    face_part: Indices  # (t,) 0 to p - 1
    rounding: NDArray[np.float64]  # (p,) of its coordinates, as shares of its size

    @classmethod
    def pick(
        cls,
        vertices: NDArray[np.float64],
        triangles: NDArray[np.int64],
        vertex_part: Indices,
        count: int,
        chosen: Indices,
    ) -> "SomeParts":
        number = np.full(count, -1)
        number[chosen] = np.arange(len(chosen))
        vertex = np.flatnonzero(number[vertex_part] >= 0)
        vertex = vertex[np.argsort(number[vertex_part[vertex]], kind="stable")]
        face_part = number[vertex_part[triangles[:, 0]]]
        row = np.flatnonzero(face_part >= 0)
        row = row[np.argsort(face_part[row], kind="stable")]
        place = np.zeros(len(vertices), np.int64)
        place[vertex] = np.arange(len(vertex))
        starts = starts_of(np.bincount(number[vertex_part[vertex]], minlength=len(chosen)))
        if not len(chosen):
            return cls(chosen, vertex, np.zeros((0, 3)), starts, np.zeros((0, 3), np.int64), row, row, np.zeros(0))
        unit, _, rounding = to_unit(vertices[vertex], starts)
        return cls(chosen, vertex, unit, starts, place[triangles[row]], row, face_part[row], rounding)

    def __len__(self) -> int:
        return len(self.part)

    def match(self) -> Indices:
        return match_sides(self.triangles, len(self.points))

    def turned(self, triangles: NDArray[np.int64]) -> "SomeParts":
        return replace(self, triangles=triangles)

    def only(self, is_kept: Mask) -> "SomeParts":
        if is_kept.all():
            return self
        sizes = np.diff(self.starts)
        number = np.cumsum(is_kept) - 1
        has_point, has_face = np.repeat(is_kept, sizes), is_kept[self.face_part]
        place = np.cumsum(has_point) - 1
        return SomeParts(
            self.part[is_kept],
            self.vertex[has_point],
            self.points[has_point],
            starts_of(sizes[is_kept]),
            place[self.triangles[has_face]],
            self.row[has_face],
            number[self.face_part[has_face]],
            self.rounding[is_kept],
        )
