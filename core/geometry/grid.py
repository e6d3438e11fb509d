"""Grid: which faces may lie in a box, found without looking at the others.

Faces are sorted by size into layers, each a grid whose cells are at least as large as its faces, so that a face is
entered once, in the cell of its lowest corner, and reaches at most into the next cell. A few huge faces among many
small ones cost nothing, and building takes one sort.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices, expand, nonzero

CELL = 2.0  # finest cell in median face sizes: smaller cells make more look-ups, larger ones more faces to sift
GROWTH = 4.0  # cell size of a layer by that of the layer below


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """The faces of one size: cells in the order of their keys, and the faces of each cell."""

    cell_size: float
    cells: NDArray[np.int64]  # (3,) how many cells there are along each axis
    keys: NDArray[np.int64]  # (k,) occupied cells, sorted
    starts: NDArray[np.int64]  # (k + 1,) where a cell's faces begin in `faces`
    faces: Indices


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
        layer_of = np.ceil(np.log(np.maximum(size / finest, 1.0)) / np.log(GROWTH)).astype(np.int64)
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
    places = np.floor((low[faces] - origin) / cell_size).astype(np.int64)
    cells = places.max(axis=0) + 1
    keys = (places[:, 0] * cells[1] + places[:, 1]) * cells[2] + places[:, 2]
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    starts = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
    return Layer(cell_size, cells, keys[starts], np.append(starts, len(keys)), faces[order])


def _find_in_layer(layer: Layer, low: NDArray[np.float64], high: NDArray[np.float64]) -> tuple[Indices, Indices]:
    """Return (box, face) pairs of the cells that a box touches; boxes are relative to the grid's origin."""
    first = np.clip(np.floor(low / layer.cell_size) - 1, 0, layer.cells).astype(np.int64)
    last = np.clip(np.floor(high / layer.cell_size), -1, layer.cells - 1).astype(np.int64)
    spans = np.maximum(last - first + 1, 0)
    wanted = spans[:, 0] * spans[:, 1] * spans[:, 2]
    is_wide = wanted > len(layer.keys)  # a box over most of the level: sift the occupied cells instead
    box = np.repeat(np.arange(len(low)), np.where(is_wide, 0, wanted))
    nth = expand(np.zeros(len(low), np.int64), np.where(is_wide, 0, wanted))
    nth, z = np.divmod(nth, spans[box, 2])
    x, y = np.divmod(nth, spans[box, 1])
    keys = ((first[box, 0] + x) * layer.cells[1] + first[box, 1] + y) * layer.cells[2] + first[box, 2] + z
    slot = np.minimum(np.searchsorted(layer.keys, keys), len(layer.keys) - 1)
    full = np.flatnonzero(layer.keys[slot] == keys)
    box, slot = box[full], slot[full]
    if is_wide.any():
        wide = np.flatnonzero(is_wide)
        box = np.concatenate([box, np.repeat(wide, len(layer.keys))])
        slot = np.concatenate([slot, np.tile(np.arange(len(layer.keys)), len(wide))])
    counts = layer.starts[slot + 1] - layer.starts[slot]
    return np.repeat(box, counts), layer.faces[expand(layer.starts[slot], counts)]
