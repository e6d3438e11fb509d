"""Part solids: the hulls, pieces and solids that the loose parts of meshes become, as their modes and sides ask."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices, Mask
from ..mesh import ColliderMode, Sides, TriMesh
from .cavities import find_containers
from .clean import CleanMeshes
from .convex_parts import find_convex_parts
from .hull import convex_hulls
from .hull_error import measure_hulls
from .parts import find_parts, swapped
from .solid_parts import find_solid_parts
from .solid_pieces import PieceTrouble, cut_parts
from .surface_faults import Faults, find_faults


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
    has_front: Mask  # (p,) whether its sides are FRONT or SOLID
    asks_inside: Mask  # (p,) whether its sides are SOLID
    piece_error: NDArray[np.float64]  # (p,) m

    @classmethod
    def find(cls, clean: CleanMeshes, meshes: Sequence[TriMesh]) -> "Parts":
        of_vertex, count = find_parts(clean.triangles, len(clean.vertices))
        mesh = np.zeros(count, np.intp)
        mesh[of_vertex] = clean.vertex_mesh
        mode = np.array([_MODES.index(one.mode) for one in meshes], np.intp)
        has_front = np.array([one.sides is not Sides.BOTH for one in meshes], bool)
        asks_inside = np.array([one.sides is Sides.SOLID for one in meshes], bool)
        error = np.array([one.piece_error for one in meshes], np.float64)
        return cls(of_vertex, mesh, mode[mesh], has_front[mesh], asks_inside[mesh], error[mesh])

    def has(self, *modes: ColliderMode) -> Mask:
        """Return which parts are of meshes with one of these modes."""
        return np.isin(self.mode, [_MODES.index(mode) for mode in modes])


@dataclass(frozen=True, slots=True, eq=False)
class Coverings:
    """What the hulls of HULL and PARTS meshes cover besides the meshes, m of them; see `HullErrors`."""

    error: NDArray[np.float64]  # (m,) m
    place: NDArray[np.float64]  # (m, 3)
    openings: Indices  # (m,)


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
    opened: Faults  # of the parts whose sides matter
    crowded: Faults  # of the parts that were to be closed
    mixed: Faults  # of the parts whose faces count from the front
    coverings: Coverings


def make_solids(clean: CleanMeshes, parts: Parts) -> Solids:
    """Make hulls, pieces and solids of the parts that ask for them; the others stay faces."""
    is_convex, outward = _find_convex(clean, parts)
    group, hulls, refusals = _make_hulls(clean, parts)
    coverings = _measure(clean, parts, group, hulls)
    is_closed, outward, container = _find_closed(clean, parts, is_convex, outward, group < 0)
    is_hollow = container >= 0
    is_hollow[container[container >= 0]] = True
    is_convex &= ~is_hollow
    body = np.where(container >= 0, container, np.arange(len(container)))
    group[is_convex] = np.flatnonzero(is_convex)

    part = parts.of_vertex[clean.triangles[:, 0]]
    is_free = group < 0
    asks_pieces, asks_inside = parts.has(ColliderMode.PIECES) & is_free, parts.asks_inside & is_free
    asked = asks_pieces & (container < 0)
    rows = np.flatnonzero(asks_pieces[part])
    cut = cut_parts(
        clean.vertices, outward[rows], body[parts.of_vertex], is_closed, asked, parts.mesh, parts.piece_error
    )
    is_cut = asked.copy()
    is_cut[list(cut.troubles)] = False
    is_cut = is_cut[body] & asks_pieces
    is_solid = asks_inside & is_closed & ~is_cut
    kind = np.where(group < 0, ColliderKind.FACES, ColliderKind.HULL)
    group[is_solid], kind[is_solid] = body[is_solid], ColliderKind.SOLID
    is_made = ~is_free & ~is_convex  # the hulls of HULL and PARTS bring their own triangles
    triangles = np.where((is_solid | is_convex)[part][:, None], outward, clean.triangles)[~(is_cut | is_made)[part]]

    counts_from_front = is_free & parts.has_front & ~is_solid & ~is_cut & ~is_convex
    opened, crowded, mixed = find_faults(
        clean.vertices, clean.triangles, parts.of_vertex, counts_from_front | (asks_pieces & ~is_cut)
    )
    crowded = Faults(np.where((asks_inside & ~is_solid) | asks_pieces, crowded.count, 0), crowded.place)
    mixed = Faults(np.where(counts_from_front, mixed.count, 0), mixed.place)
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
        opened=opened,
        crowded=crowded,
        mixed=mixed,
        coverings=coverings,
    )


def _find_closed(
    clean: CleanMeshes, parts: Parts, is_convex: Mask, outward: NDArray[np.int64], is_free: Mask
) -> tuple[Mask, NDArray[np.int64], Indices]:
    """Return which parts are known to be closed, the triangles with those of these parts turned outward, and of which
    part each is a cavity, or -1; the triangles of cavities face the empty space inside them."""
    part = parts.of_vertex[clean.triangles[:, 0]]
    is_turned = (clean.triangles != outward).any(axis=1)
    turned = np.bincount(parts.mesh[part[is_turned & is_convex[part]]], minlength=len(clean.given_triangles)) > 0
    may_hold = turned[parts.mesh] & parts.has(ColliderMode.AUTO, ColliderMode.PIECES)
    wanted = is_free & ~is_convex & (parts.has(ColliderMode.PIECES) | parts.asks_inside | may_hold)
    is_closed, outward = find_solid_parts(clean.vertices, outward, parts.of_vertex, wanted)
    is_closed |= is_convex
    container = find_containers(clean.vertices, clean.triangles, outward, parts.of_vertex, parts.mesh, is_closed)
    return is_closed, swapped(outward, (container >= 0)[part]), container


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


def _measure(clean: CleanMeshes, parts: Parts, group: Indices, hulls: NDArray[np.int64]) -> Coverings:
    """Measure the hulls that were made against their meshes; those of one convex part need not be."""
    meshes = len(clean.given_triangles)
    error, place, openings = np.zeros(meshes), np.zeros((meshes, 3)), np.zeros(meshes, np.intp)
    part = parts.of_vertex[clean.triangles[:, 0]]
    rows = np.flatnonzero(group[part] >= 0)
    is_convex, _ = find_convex_parts(clean.vertices, clean.triangles[rows], parts.of_vertex, len(parts.mesh))
    is_single = np.bincount(group[group >= 0], minlength=len(parts.mesh))[group] == 1
    measured = np.unique(group[(group >= 0) & ~(is_convex & is_single)])
    if not len(measured):
        return Coverings(error, place, openings)
    number = np.full(len(parts.mesh) + 1, -1)
    number[measured] = np.arange(len(measured))
    hull_of, mesh_of = number[group[parts.of_vertex[hulls[:, 0]]]], number[group[part]]
    hull_rows = np.flatnonzero(hull_of >= 0)
    mesh_rows = np.flatnonzero(mesh_of >= 0)
    hull_rows = hull_rows[np.argsort(hull_of[hull_rows], kind="stable")]
    mesh_rows = mesh_rows[np.argsort(mesh_of[mesh_rows], kind="stable")]
    mesh = parts.mesh[measured]
    found = measure_hulls(
        clean.vertices,
        hulls[hull_rows],
        hull_of[hull_rows],
        clean.triangles[mesh_rows],
        mesh_of[mesh_rows],
        np.bincount(mesh)[mesh],
    )
    order = np.argsort(found.error, kind="stable")
    error[mesh[order]], place[mesh[order]] = found.error[order], found.place[order]  # the largest is the last
    return Coverings(error, place, np.bincount(mesh, found.openings, meshes).astype(np.intp))
