"""Colliders: what a level is for the character, made from its meshes as their modes ask."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices, Mask
from ..mesh import ColliderMode, Layer, Sides, TriMesh
from .build_report import BuildReport, ObjectReport
from .clean import CleanMeshes, clean_meshes, keep_used
from .findings import Finding
from .lost_shape import Shape
from .merge_flat import merge_flat
from .object_findings import find_findings
from .part_solids import ColliderKind, Coverings, Parts, Solids, make_solids

__all__ = ["BuildReport", "ColliderKind", "Colliders", "build_colliders"]

IS_MERGING = True  # whether flat neighbours become one convex face; off in tests that compare both


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
        no volume. PIECES cuts what is closed and not convex into hulls that fill it, exactly or within the mesh's
        `piece_error`; what is open, crosses itself or needs more than 4,096 of them stays faces. Of a mesh with sides
        SOLID, each loose part that stays faces and is closed becomes a SOLID of its own; other faces count from the
        front.

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
    looked_at = [meshes[i] for i in counting]
    clean = clean_meshes(looked_at)
    parts = Parts.find(clean, looked_at)
    made = make_solids(clean, parts)
    collider_of, mesh_of, kind = _number(made)

    triangles, face = _merge(made)
    collider = collider_of[made.part_of_vertex[triangles[:, 0]]]
    order = np.argsort(collider, kind="stable")
    used, triangles = keep_used(triangles[order], len(made.vertices))
    collider, object_index = collider[order], counting[mesh_of]
    may_carry = np.array([mesh.layer is not Layer.OBSTACLE for mesh in meshes], bool)
    may_stop = np.array([mesh.layer is not Layer.GROUND for mesh in meshes], bool)
    has_front = np.array([mesh.sides is not Sides.BOTH for mesh in meshes], bool)
    is_one_sided = (kind == ColliderKind.HULL) | has_front[object_index]
    colliders = Colliders(
        vertices=made.vertices[used],
        triangles=triangles,
        is_one_sided=is_one_sided[collider],
        collider=collider,
        carries=may_carry[object_index[collider]],
        stops=may_stop[object_index[collider]],
        object_index=object_index,
        kind=kind,
        names=tuple(mesh.name for mesh in meshes),
    )
    faces = np.bincount(object_index[collider[_firsts(face[order])]], minlength=len(meshes))
    findings = find_findings(looked_at, clean, parts, made)
    return colliders, _report(meshes, counting, clean, colliders, faces, findings, made.coverings)


def _why_ignored(mesh: TriMesh) -> str:
    """Say why a mesh is not looked at; empty if it is."""
    if mesh.mode is ColliderMode.NONE:
        return "its collider is “None”"
    return "it acts as “Ignore”" if mesh.layer is Layer.IGNORE else ""


def _why_nothing(mesh: TriMesh) -> str:
    """Say why nothing has come of a mesh."""
    if not len(mesh.triangles):
        return "it has no triangles"
    shape = Shape.of(mesh)
    if shape.too_far:
        return f"it is {shape.distance()} from the origin, too far for numbers to hold its size"
    return "none of its triangles has an area"


def _merge(made: Solids) -> tuple[NDArray[np.int64], Indices]:
    """Return fewer triangles: those of faces and solids merged where they are flat. And for each which convex face of
    its object it is a part of; -1 for those of hulls."""
    is_hull = (made.kind == ColliderKind.HULL)[made.part_of_vertex[made.triangles[:, 0]]]
    face = np.where(is_hull, -1, np.arange(len(is_hull)))
    rows = np.flatnonzero(~is_hull)
    if not IS_MERGING or not len(rows):
        return made.triangles, face
    mesh = made.part_mesh[made.part_of_vertex]
    order = np.argsort(mesh, kind="stable")
    starts = np.flatnonzero(np.concatenate([[True], np.diff(mesh[order]) != 0]))
    size = np.ones(int(mesh.max()) + 1)
    spread = np.maximum.reduceat(made.vertices[order], starts) - np.minimum.reduceat(made.vertices[order], starts)
    size[mesh[order[starts]]] = spread.max(axis=1)
    some = made.triangles[rows]
    merged, _, number = merge_flat(made.vertices, some, size[mesh[some[:, 0]]])
    hulls = made.triangles[is_hull]
    return np.concatenate([merged, hulls]), np.concatenate([number, np.full(len(hulls), -1)])


def _firsts(face: Indices) -> Indices:
    """Return a row of each number in `face` but -1."""
    numbers, rows = np.unique(face, return_index=True)
    return np.asarray(rows[numbers >= 0])


def _number(made: Solids) -> tuple[Indices, Indices, NDArray[np.int8]]:
    """Return the collider of each part (q,), and of each collider its mesh and kind.

    A mesh's hulls come first, then its faces, then its solids.
    """
    groups, kinds = len(made.part_mesh) + 1, len(ColliderKind)
    keys = (made.part_mesh * kinds + made.kind) * groups + made.group + 1
    distinct = np.unique(keys[made.is_used])
    mesh_and_kind = distinct // groups
    return np.searchsorted(distinct, keys), mesh_and_kind // kinds, (mesh_and_kind % kinds).astype(np.int8)


def _report(
    meshes: Sequence[TriMesh],
    counting: Indices,
    clean: CleanMeshes,
    colliders: Colliders,
    faces: Indices,
    findings: dict[int, list[Finding]],
    coverings: Coverings,
) -> BuildReport:
    is_hull = colliders.kind == ColliderKind.HULL
    hulls = np.bincount(colliders.object_index[is_hull], minlength=len(meshes))
    entries = [
        ObjectReport(mesh.name, triangles=len(mesh.triangles), is_left_out=True, reason=_why_ignored(mesh))
        for mesh in meshes
    ]
    for i, index in enumerate(counting):
        reason = ""
        if not hulls[index] and not faces[index]:
            reason = _why_nothing(meshes[index])
        entries[index] = ObjectReport(
            name=meshes[index].name,
            hulls=int(hulls[index]),
            faces=int(faces[index]),
            triangles=int(clean.given_triangles[i]),
            dropped_zero_area=int(clean.zero_area[i]),
            mended_zero_area=int(clean.mended[i]),
            dropped_duplicates=int(clean.duplicates[i]),
            welded_vertices=int(clean.welded_vertices[i]),
            unused_vertices=int(clean.unused_vertices[i]),
            hull_error=float(coverings.error[i]),
            closed_openings=int(coverings.openings[i]),
            findings=tuple(findings.get(i, ())),
            is_left_out=bool(reason),
            reason=reason,
        )
    return BuildReport(tuple(entries))
