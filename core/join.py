"""Join: the colliders and features of parts of a level put together as if they had been built at once."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .arrays import Indices
from .colliders.colliders import Colliders
from .geometry.features import Features

VERTICES, TRIANGLES, COLLIDERS, EDGES, EDGE_FACES, CORNERS, CORNER_EDGES, FANS = range(8)  # counted of each mesh


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Some meshes, one after the other, of what has been built.

    Attributes
    ----------
    colliders : Colliders
    features : Features
        Of all that was built together.
    sizes : (m, 8) int
        How many vertices, triangles, .. each of its meshes has.
    first, last : int
        The meshes from `first` to before `last` are the part.
    """

    colliders: Colliders
    features: Features
    sizes: Indices
    first: int
    last: int


def measure(colliders: Colliders, features: Features, count: int) -> Indices:
    """Return how many vertices, triangles, .. each of `count` meshes has, (count, 8) int."""
    sizes = np.zeros((count, 8), np.intp)
    mesh = features.object_index
    edge_mesh = mesh[features.edge_faces[features.edge_faces_at[:-1]]]
    corner_mesh = edge_mesh[features.corner_edges[features.corner_edges_at[:-1]]]
    vertex_mesh = np.zeros(len(colliders.vertices), np.intp)
    vertex_mesh[colliders.triangles] = mesh[:, None]
    sizes[:, VERTICES] = np.bincount(vertex_mesh, minlength=count)
    sizes[:, TRIANGLES] = np.bincount(mesh, minlength=count)
    sizes[:, COLLIDERS] = np.bincount(colliders.object_index, minlength=count)
    sizes[:, EDGES] = np.bincount(edge_mesh, minlength=count)
    sizes[:, EDGE_FACES] = np.bincount(edge_mesh, np.diff(features.edge_faces_at), count)
    sizes[:, CORNERS] = np.bincount(corner_mesh, minlength=count)
    sizes[:, CORNER_EDGES] = np.bincount(corner_mesh, np.diff(features.corner_edges_at), count)
    sizes[:, FANS] = np.bincount(corner_mesh, np.diff(features.corner_fans_at), count)
    return sizes


def join(parts: Sequence[Part], names: tuple[str, ...]) -> Generator[float, None, tuple[Colliders, Features, Indices]]:
    """Put parts together, in their order; `names` are those of all their meshes. Yields the share that is done.

    Returns
    -------
    Colliders, Features
        Equal to what the meshes would become at once.
    sizes : (m, 8) int
    """
    pieces = [_Piece.of(part, meshes) for part, meshes in zip(parts, _begins(parts), strict=True)]
    sizes = np.concatenate([np.zeros((0, 8), np.intp), *(part.sizes[part.first : part.last] for part in parts)])
    begins = np.cumsum([np.zeros(8, np.intp), *(piece.end - piece.begin for piece in pieces)], axis=0)
    for piece, begin in zip(pieces, begins, strict=False):
        piece.shift = begin - piece.begin
    totals = begins[-1]

    def put(what: int, array: Callable[[Part], NDArray], refers_to: int | None = None) -> NDArray:
        return np.concatenate([piece.take(what, array(piece.part), refers_to) for piece in pieces])

    colliders = Colliders(
        vertices=put(VERTICES, lambda part: part.colliders.vertices),
        triangles=put(TRIANGLES, lambda part: part.colliders.triangles, VERTICES),
        is_one_sided=put(TRIANGLES, lambda part: part.colliders.is_one_sided),
        collider=put(TRIANGLES, lambda part: part.colliders.collider, COLLIDERS),
        carries=put(TRIANGLES, lambda part: part.colliders.carries),
        stops=put(TRIANGLES, lambda part: part.colliders.stops),
        object_index=put(COLLIDERS, lambda part: part.colliders.object_index, MESHES),
        kind=put(COLLIDERS, lambda part: part.colliders.kind),
        names=names,
    )
    yield 0.3
    is_front = put(TRIANGLES, lambda part: part.features.is_front)
    corners = put(TRIANGLES, lambda part: part.features.corners)
    normal = put(TRIANGLES, lambda part: part.features.normal)
    owned = np.concatenate([piece.owned() for piece in pieces])
    yield 0.6
    features = Features(
        corners=corners,
        normal=normal,
        is_one_sided=colliders.is_one_sided,
        carries=colliders.carries,
        stops=colliders.stops,
        is_front=is_front,
        has_fronts=bool(is_front.any()) or not colliders.stops.all(),
        object_index=colliders.object_index[colliders.collider],
        owned=owned,
        edge_ends=put(EDGES, lambda part: part.features.edge_ends),
        edge_inward=put(EDGES, lambda part: part.features.edge_inward),
        edge_faces_at=np.append(
            put(EDGES, lambda part: part.features.edge_faces_at[:-1], EDGE_FACES), totals[EDGE_FACES]
        ),
        edge_faces=put(EDGE_FACES, lambda part: part.features.edge_faces, TRIANGLES),
        corner_point=put(CORNERS, lambda part: part.features.corner_point),
        corner_outward=put(CORNERS, lambda part: part.features.corner_outward),
        corner_edges_at=np.append(
            put(CORNERS, lambda part: part.features.corner_edges_at[:-1], CORNER_EDGES), totals[CORNER_EDGES]
        ),
        corner_edges=put(CORNER_EDGES, lambda part: part.features.corner_edges, EDGES),
        corner_fans_at=np.append(put(CORNERS, lambda part: part.features.corner_fans_at[:-1], FANS), totals[FANS]),
        fan_faces=put(FANS, lambda part: part.features.fan_faces, TRIANGLES),
        fan_sides=put(FANS, lambda part: part.features.fan_sides),
    )
    return colliders, features, sizes


MESHES = 8  # what indices of objects refer to


def _begins(parts: Sequence[Part]) -> list[int]:
    """Return the number of meshes before each part."""
    return [sum(part.last - part.first for part in parts[:i]) for i in range(len(parts))]


@dataclass(slots=True, eq=False)
class _Piece:
    """A part, where it begins and ends in what it is taken from, and by how much its indices shift."""

    part: Part
    begin: Indices  # (8,)
    end: Indices
    meshes: int
    shift: Indices

    @classmethod
    def of(cls, part: Part, meshes: int) -> "_Piece":
        """`meshes` is how many come before the part."""
        begin = part.sizes[: part.first].sum(axis=0)
        end = begin + part.sizes[part.first : part.last].sum(axis=0)
        return cls(part, begin, end, meshes - part.first, np.zeros(8, np.intp))

    def take(self, what: int, array: NDArray, refers_to: int | None) -> NDArray:
        taken = array[self.begin[what] : self.end[what]]
        if refers_to is None:
            return taken
        shift = self.meshes if refers_to == MESHES else int(self.shift[refers_to])
        return taken + taken.dtype.type(shift) if shift else taken

    def owned(self) -> NDArray[np.int32]:
        taken = self.part.features.owned[self.begin[TRIANGLES] : self.end[TRIANGLES]]
        shift = np.repeat(self.shift[[EDGES, CORNERS]], 3).astype(np.int32)
        return np.where(taken >= 0, taken + shift, taken) if shift.any() else taken
