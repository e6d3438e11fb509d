"""Solid pieces: loose parts that are not convex, as convex solids that together fill them."""

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices, Mask
from .cells import TooDetailedError
from .decompose import ON_PLANE, PIECES_LIMIT, decompose, decompose_roughly
from .hull import convex_hulls
from .join_pieces import join_pieces

LOST_VOLUME = 1e-4  # share of a part's volume, beside the rounding of its surface, that its pieces may be off by

ROUNDINGS = 4  # steps of single precision within which a point of a mesh that is stored so lies on a plane
COARSEST = 1e-3  # share of the size within which a point lies on a plane, however coarse the mesh is stored


class PieceTrouble(Enum):
    """Why a part has no pieces."""

    OPEN = "its surface is not closed"
    CROSSING = "its surface crosses itself"
    MANY = f"it would need more than {PIECES_LIMIT:,} pieces"


@dataclass(frozen=True, slots=True, eq=False)
class SolidPieces:
    """Convex solids cut from parts, g of them.

    Attributes
    ----------
    vertices : (v, 3) float, m
        Of one piece after the other; pieces share none.
    triangles : (t, 3) int
        Rows of `vertices`, counter-clockwise seen from outside.
    vertex_piece : (v,) int
    piece_part : (g,) int
        Which part each piece comes from.
    troubles : dict of int to PieceTrouble
        Parts without pieces.
    """

    vertices: NDArray[np.float64]
    triangles: NDArray[np.int64]
    vertex_piece: Indices
    piece_part: Indices
    troubles: dict[int, PieceTrouble]


def cut_parts(
    vertices: NDArray[np.float64],
    triangles: NDArray[np.int64],
    vertex_part: Indices,
    is_solid: Mask,
    wanted: Mask,
    part_object: Indices,
    error: NDArray[np.float64],
) -> SolidPieces:
    """Cut parts into convex pieces.

    Parameters
    ----------
    vertices : (v, 3) float, m
    triangles : (t, 3) int
        Those of solid parts outward.
    vertex_part : (v,) int
        The part of each vertex.
    is_solid, wanted : (p,) bool
        Which parts are closed, and which are to be cut.
    part_object : (p,) int
        Which object a part belongs to: if one has more than `PIECES_LIMIT` pieces, none of its parts is cut.
    error : (p,) float, m
        How far pieces may stand out; 0 for exact pieces.
    """
    face_part = vertex_part[triangles[:, 0]]
    order = np.argsort(face_part, kind="stable")
    bounds = np.searchsorted(face_part[order], np.arange(len(wanted) + 1))
    troubles = {int(part): PieceTrouble.OPEN for part in np.flatnonzero(wanted & ~is_solid)}
    found: list[tuple[int, NDArray[np.float64]]] = []
    counts: dict[int, int] = {}
    for part in np.flatnonzero(wanted & is_solid):
        of_object = int(part_object[part])
        if counts.get(of_object, 0) > PIECES_LIMIT:
            continue
        used, rows = np.unique(triangles[order[bounds[part] : bounds[part + 1]]], return_inverse=True)
        pieces = _cut(vertices[used], rows.reshape(-1, 3), float(error[part]))
        if isinstance(pieces, PieceTrouble):
            troubles[int(part)] = pieces
            added = PIECES_LIMIT + 1 if pieces is PieceTrouble.MANY else 0
        else:
            found += [(int(part), piece) for piece in pieces]
            added = len(pieces)
        counts[of_object] = counts.get(of_object, 0) + added
    blown = {name for name, count in counts.items() if count > PIECES_LIMIT}
    for part in np.flatnonzero(wanted & is_solid):
        if int(part_object[part]) in blown:
            troubles[int(part)] = PieceTrouble.MANY
    return _join([(part, piece) for part, piece in found if part not in troubles], troubles)


def _cut(
    vertices: NDArray[np.float64], triangles: NDArray[np.int64], error: float
) -> list[NDArray[np.float64]] | PieceTrouble:
    """Return the corners of a part's pieces, or why there are none."""
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    size, middle = float((high - low).max()), low / 2 + high / 2
    unit = (vertices - middle) / size
    on_plane = min(max(ON_PLANE, ROUNDINGS * _rounding(vertices) / size), COARSEST)
    try:
        if error > 0:
            cut = decompose_roughly(unit, triangles, error / size, on_plane)
        else:
            cut = decompose(unit, triangles, on_plane)
    except TooDetailedError:
        return PieceTrouble.MANY
    pieces = join_pieces(cut, on_plane)
    made = convex_hulls(np.concatenate(pieces), np.array([len(piece) for piece in pieces])) if pieces else None
    got = _volume(np.concatenate(pieces), made.triangles)[0] if made else 0.0
    wanted, surface = _volume(unit, triangles)
    slack = LOST_VOLUME * wanted + on_plane * surface
    if got < wanted - slack or (error == 0 and got > wanted + slack):
        return PieceTrouble.CROSSING  # what is enclosed twice, or inside out, is filled once
    return [piece * size + middle for piece in pieces]


def _rounding(vertices: NDArray[np.float64]) -> float:
    """Return by how much, m, coordinates may be off because they are stored in single precision; 0 if they are not."""
    with np.errstate(over="ignore"):
        single = vertices.astype(np.float32)
    return float(np.spacing(np.abs(single).max())) if (single == vertices).all() else 0.0


def _volume(points: NDArray[np.float64], triangles: NDArray[np.int64]) -> tuple[float, float]:
    """Return the volume and the area of a closed surface."""
    a, b, c = (points[triangles[:, i]] for i in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2
    return float((a * np.cross(b, c)).sum() / 6), float(area)


def _join(found: list[tuple[int, NDArray[np.float64]]], troubles: dict[int, PieceTrouble]) -> SolidPieces:
    part = np.array([part for part, _ in found], np.intp)
    sizes = np.array([len(piece) for _, piece in found], np.int64)
    vertices = np.concatenate([np.zeros((0, 3)), *(piece for _, piece in found)])
    hulls = convex_hulls(vertices, sizes)
    return SolidPieces(vertices, hulls.triangles, np.repeat(np.arange(len(found)), sizes), part, troubles)
