"""Colliders: what a level is for the character, made from its meshes as their modes ask."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from .arrays import Indices, Mask
from .build_report import BuildReport, ObjectReport, counted
from .clean import CleanMeshes, clean_meshes, keep_used
from .convex_parts import find_convex_parts
from .hull import NO_SURFACE, convex_hulls
from .mesh import ColliderMode, Layer, Sides, TriMesh
from .parts import find_parts
from .solid_parts import find_solid_parts


class ColliderKind(IntEnum):
    """What a collider is."""

    HULL = 0  # a convex solid
    FACES = 1  # triangles of one object
    SOLID = 2  # triangles of one loose part that is closed, outward: it has an inside


@dataclass(frozen=True, slots=True, eq=False)
class Colliders:
    """All colliders of a level: c colliders of f triangles in all.

    Attributes
    ----------
    vertices : (v, 3) float, m
        In world space; no two colliders share one.
    triangles : (f, 3) int
        Rows of `vertices`, each with an area; collider after collider.
    is_one_sided : (f,) bool
        Counts from its front alone, from where it is counter-clockwise: faces of hulls, outward, and of objects
        whose sides are FRONT or SOLID. Others count from both sides.
    collider : (f,) int
        The collider of each triangle.
    carries, stops : (f,) bool
        Whether the character may stand on it: not on the layer OBSTACLE; whether it stops the character: not on
        the layer GROUND.
    object_index : (c,) int
        Which of `names` each collider comes from; rises.
    kind : (c,) int8 of ColliderKind
    names : tuple of str
        The names of all level objects in their order, also of those without a collider.
    """

    vertices: NDArray[np.float64]
    triangles: NDArray[np.int64]
    is_one_sided: Mask
    collider: Indices
    carries: Mask
    stops: Mask
    object_index: Indices
    kind: NDArray[np.int8]
    names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.kind)


def build_colliders(meshes: Sequence[TriMesh]) -> tuple[Colliders, BuildReport]:
    """Make colliders from level objects.

    Parameters
    ----------
    meshes : sequence of TriMesh
        Each becomes what its mode says. AUTO makes a hull of each loose part that is closed and convex, and leaves
        all others as they are: doors, windows and stairs are never closed. HULL and PARTS leave as it is what spans
        no volume. Of a mesh with sides SOLID, each loose part that stays faces and is closed becomes a SOLID of its
        own; other faces count from the front.

    Returns
    -------
    Colliders, BuildReport
        The report has one entry for each mesh.

    Raises
    ------
    ValueError
        If an index is out of range or a vertex of a triangle is not finite; the message names the mesh. Meshes whose
        mode is NONE are not looked at.
    """
    counting = np.array([i for i, mesh in enumerate(meshes) if not _why_ignored(mesh)], np.intp)
    clean = clean_meshes([meshes[i] for i in counting])
    parts = _Parts.find(clean, [meshes[i].mode for i in counting])
    sides = np.array([_SIDES.index(meshes[i].sides) for i in counting], np.intp)
    is_convex, triangles = _find_convex(clean, parts)
    group, hulls, refusals = _make_hulls(clean, parts)
    triangles = triangles[group[parts.of_vertex[triangles[:, 0]]] < 0]
    group[is_convex] = np.flatnonzero(is_convex)
    kind = np.where(group < 0, ColliderKind.FACES, ColliderKind.HULL)
    is_wanted = (group < 0) & (sides == _SIDES.index(Sides.SOLID))[parts.mesh]
    is_solid, triangles = find_solid_parts(clean.vertices, triangles, parts.of_vertex, is_wanted)
    group[is_solid], kind[is_solid] = np.flatnonzero(is_solid), ColliderKind.SOLID
    collider_of, mesh_of, kind = _number(parts.mesh, group, kind)

    triangles = np.concatenate([triangles, hulls])
    collider = collider_of[parts.of_vertex[triangles[:, 0]]]
    order = np.argsort(collider, kind="stable")
    used, triangles = keep_used(triangles[order], len(clean.vertices))
    collider, object_index = collider[order], counting[mesh_of]
    may_carry = np.array([mesh.layer is not Layer.OBSTACLE for mesh in meshes], bool)
    may_stop = np.array([mesh.layer is not Layer.GROUND for mesh in meshes], bool)
    is_one_sided = (kind == ColliderKind.HULL) | (sides != _SIDES.index(Sides.BOTH))[mesh_of]
    colliders = Colliders(
        vertices=clean.vertices[used],
        triangles=triangles,
        is_one_sided=is_one_sided[collider],
        collider=collider,
        carries=may_carry[object_index[collider]],
        stops=may_stop[object_index[collider]],
        object_index=object_index,
        kind=kind,
        names=tuple(mesh.name for mesh in meshes),
    )
    without_inside = np.bincount(parts.mesh[is_wanted & ~is_solid], minlength=len(counting))
    return colliders, _report(meshes, counting, clean, colliders, refusals, without_inside)


def _why_ignored(mesh: TriMesh) -> str:
    """Say why a mesh is not looked at; empty if it is."""
    if mesh.mode is ColliderMode.NONE:
        return "its collider mode is NONE"
    return "its layer is IGNORE" if mesh.layer is Layer.IGNORE else ""


_MODES = list(ColliderMode)
_SIDES = list(Sides)


@dataclass(frozen=True, slots=True, eq=False)
class _Parts:
    """The loose parts of all meshes, p of them."""

    of_vertex: Indices  # (v,)
    mesh: Indices  # (p,)
    mode: Indices  # (p,) rows of _MODES

    @classmethod
    def find(cls, clean: CleanMeshes, modes: Sequence[ColliderMode]) -> "_Parts":
        of_vertex, count = find_parts(clean.triangles, len(clean.vertices))
        mesh = np.zeros(count, np.intp)
        mesh[of_vertex] = clean.vertex_mesh
        return cls(of_vertex, mesh, np.array([_MODES.index(mode) for mode in modes], np.intp)[mesh])

    def has(self, mode: ColliderMode) -> Mask:
        """Return which parts are of meshes with this mode."""
        return self.mode == _MODES.index(mode)


def _find_convex(clean: CleanMeshes, parts: _Parts) -> tuple[Mask, NDArray[np.int64]]:
    """Return which parts of AUTO meshes are convex, and all triangles, those of these parts outward."""
    rows = np.flatnonzero(parts.has(ColliderMode.AUTO)[parts.of_vertex[clean.triangles[:, 0]]])
    triangles = clean.triangles.copy()
    is_convex, triangles[rows] = find_convex_parts(clean.vertices, triangles[rows], parts.of_vertex, len(parts.mesh))
    return is_convex, triangles


def _make_hulls(clean: CleanMeshes, parts: _Parts) -> tuple[Indices, NDArray[np.int64], dict[int, list[str]]]:
    """Make the hulls of HULL and PARTS meshes.

    Returns for each part the first part that is in the same hull, or -1; the triangles of all hulls; and for meshes
    the reasons why there are parts without a hull.
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
    reasons: dict[int, list[str]] = {}
    for group, reason in sorted(made.refusals.items()):
        reasons.setdefault(int(parts.mesh[wanted[group]]), []).append(reason)
    is_refused = np.zeros(len(parts.mesh) + 1, bool)
    is_refused[wanted[list(made.refusals)]] = True
    return np.where(is_refused[hull_of], -1, hull_of), rows[made.triangles], reasons


def _number(
    part_mesh: Indices, group: Indices, part_kind: NDArray[np.int64]
) -> tuple[Indices, Indices, NDArray[np.int8]]:
    """Return the collider of each part (p,), and of each collider its mesh and kind.

    Parts of one mesh, kind and `group` are one collider. A mesh's hulls come first, then its faces, then its solids.
    """
    groups, kinds = len(part_mesh) + 1, len(ColliderKind)
    keys = (part_mesh * kinds + part_kind) * groups + group + 1
    distinct, collider_of = np.unique(keys, return_inverse=True)
    mesh_and_kind = distinct // groups
    return collider_of.reshape(-1), mesh_and_kind // kinds, (mesh_and_kind % kinds).astype(np.int8)


def _report(
    meshes: Sequence[TriMesh],
    counting: Indices,
    clean: CleanMeshes,
    colliders: Colliders,
    refusals: dict[int, list[str]],
    without_inside: Indices,
) -> BuildReport:
    is_hull = colliders.kind == ColliderKind.HULL
    hulls = np.bincount(colliders.object_index[is_hull], minlength=len(meshes))
    faces = np.bincount(colliders.object_index[colliders.collider[~is_hull[colliders.collider]]], minlength=len(meshes))
    entries = [
        ObjectReport(mesh.name, triangles=len(mesh.triangles), is_left_out=True, reason=_why_ignored(mesh))
        for mesh in meshes
    ]
    for i, index in enumerate(counting):
        reason = ""
        if not hulls[index] and not faces[index]:
            reason = "none of its triangles has an area" if clean.given_triangles[i] else "it has no triangles"
        notes = [_explain(meshes[index].mode, refusals[i])] if i in refusals else []
        if without_inside[i]:
            notes.append(_explain_no_inside(int(without_inside[i])))
        entries[index] = ObjectReport(
            name=meshes[index].name,
            hulls=int(hulls[index]),
            faces=int(faces[index]),
            triangles=int(clean.given_triangles[i]),
            dropped_zero_area=int(clean.zero_area[i]),
            dropped_duplicates=int(clean.duplicates[i]),
            welded_vertices=int(clean.welded_vertices[i]),
            unused_vertices=int(clean.unused_vertices[i]),
            notes=tuple(notes),
            is_left_out=bool(reason),
            reason=reason,
        )
    return BuildReport(tuple(entries))


def _explain(mode: ColliderMode, reasons: list[str]) -> str:
    what = "no hull" if mode is ColliderMode.HULL else f"{counted(len(reasons), 'part')} without a hull"
    remedy = "simplify it" if NO_SURFACE in reasons else "give it a thickness"
    return f"{what}, because {', '.join(sorted(set(reasons)))}; the faces stay as they are: {remedy}, or choose FACES"


def _explain_no_inside(count: int) -> str:
    what = f"{counted(count, 'part')} {'has' if count == 1 else 'have'} no inside, because the surface is not closed"
    return f"{what}; the faces count from the front: fill the holes, or choose the sides BOTH"
