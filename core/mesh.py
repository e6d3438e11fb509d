"""TriMesh: the triangles of one level object in world space."""

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import ArrayLike, NDArray

FARTHEST = 1e70  # m, of a vertex from the origin: beyond, the squares of areas are no numbers any more


class ColliderMode(Enum):
    """What a level object becomes for the character."""

    AUTO = "AUTO"  # each loose part that is convex becomes one hull, every other part its own faces
    HULL = "HULL"  # one convex hull around all of it: closes doors, windows and stairs
    PARTS = "PARTS"  # a convex hull around each loose part
    PIECES = "PIECES"  # convex solids that together fill it, exact within its `piece_error`
    FACES = "FACES"  # its triangles, exact
    NONE = "NONE"  # nothing: the character walks through it


class Layer(Enum):
    """What the character may do with a level object."""

    BOTH = "BOTH"  # stands on it and is stopped by it
    GROUND = "GROUND"  # it carries the character where it is not too steep, and never stops it
    OBSTACLE = "OBSTACLE"  # it stops the character but never carries it
    IGNORE = "IGNORE"  # neither: it is not part of the level


class Sides(Enum):
    """From where the faces of a level object count. Hulls and pieces count from outside alone, whatever this says."""

    BOTH = "BOTH"  # from both sides: right whichever way the normals point
    FRONT = "FRONT"  # from the front alone: passed from behind
    SOLID = "SOLID"  # from outside alone, and who starts inside is pushed out; asks for a closed surface


@dataclass(frozen=True, slots=True, eq=False)
class TriMesh:
    """One level object: vertices in world space and the triangles between them.

    Parameters
    ----------
    vertices : (v, 3) float, m
    triangles : (t, 3) int
        Indices into `vertices`; counter-clockwise seen from outside.
    name : str
        The object's name, for messages, events and reports.
    mode : ColliderMode or its name
        What the object becomes for the character.
    layer : Layer or its name
        What the character may do with it.
    sides : Sides or its name
        From where its faces count.
    is_climbable : bool
        The character climbs it as a ladder, by walking into it.
    piece_error : float, m
        For PIECES: how far a piece may stand out from the surface; 0 for none.

    Raises
    ------
    ValueError
        If a shape is not the one above, or `piece_error` is negative. Whether numbers and indices make sense is
        asked when the world is built.
    """

    vertices: NDArray[np.float64]
    triangles: NDArray[np.int64]
    name: str = "mesh"
    mode: ColliderMode = ColliderMode.AUTO
    layer: Layer = Layer.BOTH
    sides: Sides = Sides.BOTH
    is_climbable: bool = False
    piece_error: float = 0.0

    def __init__(
        self,
        vertices: ArrayLike,
        triangles: ArrayLike,
        name: str = "mesh",
        *,
        mode: ColliderMode | str = ColliderMode.AUTO,
        layer: Layer | str = Layer.BOTH,
        sides: Sides | str = Sides.BOTH,
        is_climbable: bool = False,
        piece_error: float = 0.0,
    ) -> None:
        points = np.asarray(vertices, dtype=np.float64)
        corners = np.asarray(triangles)
        if points.size == 0:
            points = points.reshape(0, 3)
        if corners.size == 0:
            corners = np.zeros((0, 3), np.int64)
        if points.ndim != 2 or points.shape[1] != 3:
            raise ValueError(f"{name}: vertices must be (v, 3), got {points.shape}")
        if corners.ndim != 2 or corners.shape[1] != 3:
            raise ValueError(f"{name}: triangles must be (t, 3), got {corners.shape}")
        if not np.issubdtype(corners.dtype, np.integer):
            raise ValueError(f"{name}: triangles must be integers, got {corners.dtype}")
        if not 0 <= piece_error < np.inf:
            raise ValueError(f"{name}: piece_error must be 0 m or more, got {piece_error}")
        for field, value in (
            ("vertices", points),
            ("triangles", corners.astype(np.int64, copy=False)),
            ("name", name),
            ("mode", ColliderMode(mode)),
            ("layer", Layer(layer)),
            ("sides", Sides(sides)),
            ("is_climbable", bool(is_climbable)),
            ("piece_error", float(piece_error)),
        ):
            object.__setattr__(self, field, value)


def check_mesh(mesh: TriMesh) -> None:
    """Check that a mesh can be built.

    Raises
    ------
    ValueError
        If a triangle's index is out of range, or a vertex of a triangle is not finite, or beyond `FARTHEST`: names
        mesh and vertex.
    """
    if not len(mesh.triangles):
        return
    count = len(mesh.vertices)
    if mesh.triangles.min() < 0 or mesh.triangles.max() >= count:
        wrong = (mesh.triangles < 0) | (mesh.triangles >= count)
        row = int(np.flatnonzero(wrong.any(axis=1))[0])
        index = int(mesh.triangles[row][wrong[row]][0])
        raise ValueError(f"{mesh.name}: triangle {row} uses vertex {index}, but there are {count} vertices from 0")
    is_somewhere = np.abs(mesh.vertices) < FARTHEST  # and no NaN
    if not is_somewhere.all():
        bad = np.isin(mesh.triangles, np.flatnonzero(~is_somewhere.all(axis=1)))
        if bad.any():
            vertex = int(mesh.triangles[bad][0])
            place = tuple(mesh.vertices[vertex].tolist())
            raise ValueError(f"{mesh.name}: vertex {vertex} is at {place}; move or delete it")
