"""Grid: which faces may lie in a box, found without looking at the others.

Faces are sorted by size into layers, each a grid with cells of about the size of its faces. A face is entered in every
cell that its box touches, a few at the most. So long walls and huge floors among many small faces cost little, and
building takes one sort.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices, expand, nonzero

CELL = 2.0  # finest cell in median face sizes: smaller cells make more look-ups, larger ones more faces to sift
SPREAD = 4.0  # faces are up to so many cells long: more make more entries, fewer make more faces to sift
GROWTH = 4.0  # cell size of a layer by that of the layer below
FIRST_X, FIRST_Y, FIRST_Z = 1, 2, 4  # an entry in the lowest cell of its face along that axis


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """A spatial index over the boxes of f faces, with e entries in k occupied cells of l layers.

    All cells are in one table, so that one look-up serves all layers.

    Attributes
    ----------
    low, high : (f, 3) float, m
        The box of each face.
    origin, top : (3,) float, m
        Lowest and highest corner of everything.
    cell_size : (l,) float, m
        From fine to coarse.
    cells : (l, 3) int
        How many cells a layer has along each axis.
    first_key : (l,) int
        Key of the first cell of a layer; those above one another follow one another.
    keys : (k,) int
        Of the occupied cells, sorted.
    starts : (k + 1,) int
        Where the entries of a cell begin.
    faces : (e,) int
        Of each entry.
    firsts : (e,) int
        Along which axes the entry is in its face's lowest cell.
    levels : (e,) int
        Cell of the entry along z.
    layer_starts : (l + 1,) int
        Where the entries of a layer begin.
    """

    low: NDArray[np.float64]
    high: NDArray[np.float64]
    origin: NDArray[np.float64]
    top: NDArray[np.float64]
    cell_size: NDArray[np.float64]
    cells: NDArray[np.int64]
    first_key: NDArray[np.int64]
    keys: NDArray[np.int64]
    starts: NDArray[np.int64]
    faces: NDArray[np.int32]
    firsts: NDArray[np.uint8]
    levels: NDArray[np.int32]
    layer_starts: NDArray[np.int64]

    @classmethod
    def build(cls, low: NDArray[np.float64], high: NDArray[np.float64]) -> "Grid":
        """Sort the boxes `low` to `high`, (f, 3) each, into layers of cells."""
        if len(low) == 0:
            none, nothing = np.zeros(0, np.int64), np.zeros((0, 3), np.int64)
            bytes_, places = np.zeros(0, np.uint8), np.zeros(0, np.int32)
            return cls(
                low, high, np.zeros(3), np.zeros(3), np.zeros(0), nothing, none, none, np.zeros(1, np.int64),
                places, bytes_, places, np.zeros(1, np.int64),
            )  # fmt: skip
        origin, top = low.min(axis=0), high.max(axis=0)
        size = np.maximum(np.maximum(high[:, 0] - low[:, 0], high[:, 1] - low[:, 1]), high[:, 2] - low[:, 2])
        extent = float((top - origin).max())
        finest = max(CELL * float(np.median(size)), extent * 1e-5, 1e-9)
        layer_of = np.ceil(np.log(np.maximum(size / (SPREAD * finest), 1.0)) / np.log(GROWTH)).astype(np.int64)
        used = np.unique(layer_of)
        cell_size = finest * GROWTH**used
        layers = [
            _make_layer(float(of_layer), np.flatnonzero(layer_of == i), low, high, origin)
            for i, of_layer in zip(used, cell_size, strict=True)
        ]
        cells = np.array([layer.cells for layer in layers])
        first_key = np.concatenate([[0], np.cumsum(cells.prod(axis=1))])
        counts = np.array([len(layer.faces) for layer in layers])
        layer_starts = np.concatenate([[0], np.cumsum(counts)])
        starts = [layer.starts + first for layer, first in zip(layers, layer_starts, strict=False)]
        return cls(
            low,
            high,
            origin,
            top,
            cell_size,
            cells,
            first_key[:-1],
            np.concatenate([layer.keys + first for layer, first in zip(layers, first_key, strict=False)]),
            np.append(np.concatenate(starts), layer_starts[-1]),
            np.concatenate([layer.faces for layer in layers]),
            np.concatenate([layer.firsts for layer in layers]),
            np.concatenate([layer.levels for layer in layers]),
            layer_starts,
        )

    def find(self, low: NDArray[np.float64], high: NDArray[np.float64]) -> tuple[Indices, Indices]:
        """Return (box, face) pairs whose boxes touch, for query boxes `low` to `high`, (n, 3) each.

        Pairs come in the order of the boxes, and of layers and cells within a box.
        """
        box, face = self._in_cells_of(low, high)
        for axis in range(3):  # the fewer are left, the less there is to look up
            touches = self.low[:, axis][face] <= high[:, axis][box]
            touches &= self.high[:, axis][face] >= low[:, axis][box]
            kept = nonzero(touches)
            box, face = box[kept], face[kept]
        return box, face

    def _in_cells_of(self, low: NDArray[np.float64], high: NDArray[np.float64]) -> tuple[Indices, Indices]:
        """Return (box, face) pairs of the cells that a box touches, each once, in the order of the boxes and layers.

        Cells above one another follow one another, so each column of a box is one stretch of entries. Of the cells
        that a box shares with a face, the lowest one tells of it: it is the first of the box or of the face along each
        axis.
        """
        layers, size = len(self.cell_size), self.cell_size[:, None]
        low, high = (low - self.origin)[:, None] / size, (high - self.origin)[:, None] / size
        first = np.minimum(np.maximum(np.floor(low), 0.0), self.cells).astype(np.int64).reshape(-1, 3)
        last = np.minimum(np.maximum(np.floor(high), -1.0), self.cells - 1).astype(np.int64).reshape(-1, 3)
        spans = np.maximum(last - first + 1, 0)
        columns = spans[:, 0] * spans[:, 1] * (spans[:, 2] > 0)
        wide = nonzero(columns > len(self.keys))  # boxes over most of the level: all faces instead
        columns[wide] = 0
        query = np.arange(len(columns)).repeat(columns)  # a box in a layer
        layer = query % layers
        x, y = np.divmod(expand(np.zeros(len(columns), np.int64), columns), np.maximum(spans[:, 1], 1)[query])
        cells, corner = self.cells[layer], first[query]
        lowest = self.first_key[layer] + ((corner[:, 0] + x) * cells[:, 1] + corner[:, 1] + y) * cells[:, 2]
        lowest += corner[:, 2]
        begin = self.starts[self.keys.searchsorted(lowest)]
        counts = self.starts[self.keys.searchsorted(lowest + spans[:, 2][query])] - begin
        needed = ((x > 0) * FIRST_X + (y > 0) * FIRST_Y + FIRST_Z).astype(np.uint8).repeat(counts)
        query = query.repeat(counts)
        entry = expand(begin, counts)
        is_lowest = (self.levels[entry] == first[:, 2][query]) * np.uint8(FIRST_Z)
        kept = nonzero(((self.firsts[entry] | is_lowest) & needed) == needed)
        query, face = query[kept], self.faces[entry[kept]].astype(np.intp)
        if len(wide):
            query, face = self._with_all(wide, query, face)
        return query // layers, face

    def _with_all(self, wide: Indices, query: Indices, face: Indices) -> tuple[Indices, Indices]:
        """Return the pairs `query` and `face` and with them all faces of the layers of `wide` queries."""
        layers = len(self.cell_size)
        parts = [(query, face)]
        for number in wide:
            of_layer = slice(*self.layer_starts[number % layers : number % layers + 2])
            every = self.faces[of_layer][self.firsts[of_layer] == FIRST_X + FIRST_Y + FIRST_Z].astype(np.intp)
            parts.append((np.full(len(every), number), every))
        query, face = (np.concatenate(part) for part in zip(*parts, strict=True))
        order = np.argsort(query, kind="stable")
        return query[order], face[order]


@dataclass(frozen=True, slots=True, eq=False)
class _Layer:
    """The faces of one size: as in Grid, numbered from this layer on."""

    cells: NDArray[np.int64]
    keys: NDArray[np.int64]
    starts: NDArray[np.int64]
    faces: NDArray[np.int32]
    firsts: NDArray[np.uint8]
    levels: NDArray[np.int32]


def _make_layer(
    cell_size: float,
    faces: Indices,
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    origin: NDArray[np.float64],
) -> _Layer:
    first = np.floor((low[faces] - origin) / cell_size).astype(np.int64)
    spans = np.floor((high[faces] - origin) / cell_size).astype(np.int64) - first + 1
    cells = (first + spans).max(axis=0)
    counts = spans[:, 0] * spans[:, 1] * spans[:, 2]
    entry = np.arange(len(faces)).repeat(counts)
    nth, z = np.divmod(expand(np.zeros(len(faces), np.int64), counts), spans[:, 2][entry])
    x, y = np.divmod(nth, spans[:, 1][entry])
    firsts = ((x == 0) * FIRST_X + (y == 0) * FIRST_Y + (z == 0) * FIRST_Z).astype(np.uint8)
    levels = first[:, 2][entry] + z
    keys = ((first[:, 0][entry] + x) * cells[1] + first[:, 1][entry] + y) * cells[2] + levels
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    starts = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
    return _Layer(
        cells,
        keys[starts],
        starts,
        faces[entry[order]].astype(np.int32),
        firsts[order],
        levels[order].astype(np.int32),
    )
