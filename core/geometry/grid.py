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
class Layer:
    """The faces of one size: cells in the order of their keys, and the entries of each cell."""

    cell_size: float
    cells: NDArray[np.int64]  # (3,) how many cells there are along each axis
    keys: NDArray[np.int64]  # (k,) occupied cells, sorted; those above one another follow one another
    starts: NDArray[np.int64]  # (k + 1,) where a cell's entries begin
    faces: Indices  # (e,) of each entry
    firsts: NDArray[np.uint8]  # (e,) along which axes the entry is in its face's lowest cell
    levels: NDArray[np.int32]  # (e,) cell of the entry along z


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """A spatial index over the boxes of faces.

    Attributes
    ----------
    low, high : (f, 3) float, m
        The box of each face.
    origin, top : (3,) float, m
        Lowest and highest corner of everything.
    layers : tuple of Layer
    """

    low: NDArray[np.float64]
    high: NDArray[np.float64]
    origin: NDArray[np.float64]
    top: NDArray[np.float64]
    layers: tuple[Layer, ...]

    @classmethod
    def build(cls, low: NDArray[np.float64], high: NDArray[np.float64]) -> "Grid":
        """Sort the boxes `low` to `high`, (f, 3) each, into layers of cells."""
        if len(low) == 0:
            return cls(low, high, np.zeros(3), np.zeros(3), ())
        origin, top = low.min(axis=0), high.max(axis=0)
        size = np.maximum(np.maximum(high[:, 0] - low[:, 0], high[:, 1] - low[:, 1]), high[:, 2] - low[:, 2])
        extent = float((top - origin).max())
        finest = max(CELL * float(np.median(size)), extent * 1e-5, 1e-9)
        layer_of = np.ceil(np.log(np.maximum(size / (SPREAD * finest), 1.0)) / np.log(GROWTH)).astype(np.int64)
        layers = [
            _make_layer(finest * GROWTH ** int(i), np.flatnonzero(layer_of == i), low, high, origin)
            for i in np.unique(layer_of)
        ]
        return cls(low, high, origin, top, tuple(layers))

    def find(self, low: NDArray[np.float64], high: NDArray[np.float64]) -> tuple[Indices, Indices]:
        """Return (box, face) pairs whose boxes touch, for query boxes `low` to `high`, (n, 3) each.

        Pairs come in the order of the boxes, and of layers and cells within a box.
        """
        found = [_find_in_layer(layer, low - self.origin, high - self.origin) for layer in self.layers]
        if not found:
            return np.zeros(0, np.intp), np.zeros(0, np.intp)
        box = np.concatenate([pair[0] for pair in found])
        face = np.concatenate([pair[1] for pair in found])
        for axis in range(3):  # the fewer are left, the less there is to look up
            touches = self.low[:, axis][face] <= high[:, axis][box]
            touches &= self.high[:, axis][face] >= low[:, axis][box]
            kept = nonzero(touches)
            box, face = box[kept], face[kept]
        order = np.argsort(box, kind="stable")
        return box[order], face[order]


def _make_layer(
    cell_size: float,
    faces: Indices,
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    origin: NDArray[np.float64],
) -> Layer:
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
    return Layer(
        cell_size,
        cells,
        keys[starts],
        np.append(starts, len(keys)),
        faces[entry[order]],
        firsts[order],
        levels[order].astype(np.int32),
    )


def _find_in_layer(layer: Layer, low: NDArray[np.float64], high: NDArray[np.float64]) -> tuple[Indices, Indices]:
    """Return (box, face) pairs of the cells that a box touches, each once; boxes are relative to the grid's origin.

    Cells above one another follow one another, so each column of a box is one stretch of entries. Of the cells that
    a box shares with a face, the lowest one tells of it: it is the first of the box or of the face along each axis.
    """
    first = np.minimum(np.maximum(np.floor(low / layer.cell_size), 0), layer.cells).astype(np.int64)
    last = np.minimum(np.maximum(np.floor(high / layer.cell_size), -1), layer.cells - 1).astype(np.int64)
    spans = np.maximum(last - first + 1, 0)
    columns = np.where(spans[:, 2] > 0, spans[:, 0] * spans[:, 1], 0)
    wide = nonzero(columns > len(layer.keys))  # boxes over most of the level: all faces instead
    columns[wide] = 0
    box = np.arange(len(low)).repeat(columns)
    x, y = np.divmod(expand(np.zeros(len(low), np.int64), columns), np.maximum(spans[:, 1], 1)[box])
    lowest = ((first[:, 0][box] + x) * layer.cells[1] + first[:, 1][box] + y) * layer.cells[2] + first[:, 2][box]
    begin = layer.starts[layer.keys.searchsorted(lowest)]
    counts = layer.starts[layer.keys.searchsorted(lowest + spans[:, 2][box])] - begin
    needed = ((x > 0) * FIRST_X + (y > 0) * FIRST_Y + FIRST_Z).astype(np.uint8).repeat(counts)
    box = box.repeat(counts)
    entry = expand(begin, counts)
    lowest_level = (layer.levels[entry] == first[:, 2][box]) * np.uint8(FIRST_Z)
    kept = nonzero(((layer.firsts[entry] | lowest_level) & needed) == needed)
    box, face = box[kept], layer.faces[entry[kept]]
    if len(wide):
        every = layer.faces[layer.firsts == FIRST_X + FIRST_Y + FIRST_Z]
        box = np.concatenate([box, wide.repeat(len(every))])
        face = np.concatenate([face, np.tile(every, len(wide))])
    return box, face
