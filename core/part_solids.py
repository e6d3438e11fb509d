"""Part solids: the hulls, pieces and solids that the loose parts of meshes become, as their modes and sides ask."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from .arrays import Indices, Mask
from .clean import CleanMeshes
from .convex_parts import find_convex_parts
from .hull import convex_hulls
from .mesh import ColliderMode, Sides, TriMesh
from .parts import find_parts
from .solid_parts import find_solid_parts
from .solid_pieces import PieceTrouble, cut_parts


class ColliderKind(IntEnum):
    """What a collider is."""

    HULL = 0  # a convex solid
    FACES = 1  # triangles of one object
    SOLID = 2  # triangles of one loose part that is closed, outward: it has an inside


_MODES = list(ColliderMode)


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """The loose parts of all meshes, p of them."""

    of_vertex: Indices  # (v,)
    mesh: Indices  # (p,)
    mode: Indices  # (p,) rows of _MODES
    asks_inside: Mask  # (p,) whether its sides are SOLID
    piece_error: NDArray[np.float64]  # (p,) m

    @classmethod
    def find(cls, clean: CleanMeshes, meshes: Sequence[TriMesh]) -> "Parts":
        of_vertex, count = find_parts(clean.triangles, len(clean.vertices))
        mesh = np.zeros(count, np.intp)
        mesh[of_vertex] = clean.vertex_mesh
        mode = np.array([_MODES.index(one.mode) for one in meshes], np.intp)
        asks_inside = np.array([one.sides is Sides.SOLID for one in meshes], bool)
        error = np.array([one.piece_error for one in meshes], np.float64)
        return cls(of_vertex, mesh, mode[mesh], asks_inside[mesh], error[mesh])

    def has(self, *modes: ColliderMode) -> Mask:
        """Return which parts are of meshes with one of these modes."""
        return np.isin(self.mode, [_MODES.index(mode) for mode in modes])


@dataclass(frozen=True, slots=True, eq=False)
class Solids:
    """What the parts have become: triangles of q parts, those of the meshes and behind them the pieces cut from some.

    Parts of one mesh, kind and group are one collider.
    """

    vertices: NDArray[np.float64]  # (w, 3)
    triangles: NDArray[np.int64]  # (t, 3)
    part_of_vertex: Indices  # (w,)
    part_mesh: Indices  # (q,)
    group: Indices  # (q,)
    kind: NDArray[np.int64]  # (q,) of ColliderKind
    is_used: Mask  # (q,) False for those that pieces replace
    refusals: dict[int, str]  # parts without the hull that was asked for, and why
    troubles: dict[int, PieceTrouble]  # parts without the pieces that were asked for
    has_no_inside: Mask  # (p,) parts whose sides are SOLID, but that are not closed


def make_solids(clean: CleanMeshes, parts: Parts) -> Solids:
    """Make hulls, pieces and solids of the parts that ask for them; the others stay faces."""
    is_convex, triangles = _find_convex(clean, parts)
    group, hulls, refusals = _make_hulls(clean, parts)
    triangles = triangles[group[parts.of_vertex[triangles[:, 0]]] < 0]
    group[is_convex] = np.flatnonzero(is_convex)

    asks_pieces = parts.has(ColliderMode.PIECES) & (group < 0)
    asks_inside = parts.asks_inside & (group < 0)
    is_closed, outward = find_solid_parts(clean.vertices, triangles, parts.of_vertex, asks_pieces | asks_inside)
    cut = cut_parts(clean.vertices, outward, parts.of_vertex, is_closed, asks_pieces, parts.mesh, parts.piece_error)
    is_cut = asks_pieces.copy()
    is_cut[list(cut.troubles)] = False
    is_solid = asks_inside & is_closed & ~is_cut
    part = parts.of_vertex[triangles[:, 0]]
    triangles = np.where(is_solid[part][:, None], outward, triangles)[~is_cut[part]]
    kind = np.where(group < 0, ColliderKind.FACES, ColliderKind.HULL)
    group[is_solid], kind[is_solid] = np.flatnonzero(is_solid), ColliderKind.SOLID

    pieces, first = np.arange(len(cut.piece_part)), len(parts.mesh)
    return Solids(
        vertices=np.concatenate([clean.vertices, cut.vertices]),
        triangles=np.concatenate([triangles, hulls, cut.triangles + len(clean.vertices)]),
        part_of_vertex=np.concatenate([parts.of_vertex, first + cut.vertex_piece]),
        part_mesh=np.concatenate([parts.mesh, parts.mesh[cut.piece_part]]),
        group=np.concatenate([group, first + pieces]),
        kind=np.concatenate([kind, np.full(len(pieces), ColliderKind.HULL)]),
        is_used=np.concatenate([~is_cut, np.ones(len(pieces), bool)]),
        refusals=refusals,
        troubles=cut.troubles,
        has_no_inside=asks_inside & ~is_closed & ~is_cut,
    )


def _find_convex(clean: CleanMeshes, parts: Parts) -> tuple[Mask, NDArray[np.int64]]:
    """Return which parts are hulls as they are, and all triangles, those of these parts outward."""
    may_be = parts.has(ColliderMode.AUTO, ColliderMode.PIECES)
    rows = np.flatnonzero(may_be[parts.of_vertex[clean.triangles[:, 0]]])
    triangles = clean.triangles.copy()
    is_convex, triangles[rows] = find_convex_parts(clean.vertices, triangles[rows], parts.of_vertex, len(parts.mesh))
    return is_convex, triangles


def _make_hulls(clean: CleanMeshes, parts: Parts) -> tuple[Indices, NDArray[np.int64], dict[int, str]]:
    """Make the hulls of HULL and PARTS meshes.

    Returns for each part the first part that is in the same hull, or -1; the triangles of all hulls; and the reasons
    why there are parts without a hull.
    """
    first_part = np.full(len(clean.given_triangles), len(parts.mesh))
    np.minimum.at(first_part, parts.mesh, np.arange(len(parts.mesh)))
    hull_of = np.where(parts.has(ColliderMode.PARTS), np.arange(len(parts.mesh)), -1)
    hull_of = np.where(parts.has(ColliderMode.HULL), first_part[parts.mesh], hull_of)
    wanted, sizes = np.unique(hull_of[parts.of_vertex], return_counts=True)
    wanted, sizes = wanted[wanted >= 0], sizes[wanted >= 0]
    rows = np.flatnonzero(hull_of[parts.of_vertex] >= 0)
    rows = rows[np.argsort(hull_of[parts.of_vertex[rows]], kind="stable")]

    made = convex_hulls(clean.vertices[rows], sizes)
    refusals = {int(wanted[group]): reason for group, reason in sorted(made.refusals.items())}
    is_refused = np.zeros(len(parts.mesh) + 1, bool)
    is_refused[list(refusals)] = True
    return np.where(is_refused[hull_of], -1, hull_of), rows[made.triangles], refusals
