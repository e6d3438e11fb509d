"""The level as built for the character: kept in memory between plays, and noticed when it no longer fits.

Colliders are not stored in the file: they follow from the meshes. Nothing of Blender is kept here but names and
numbers, so that undo, deletion and file loads cannot leave a dangling reference.
"""

import hashlib
from dataclasses import dataclass, replace

import bpy

from ..core.mesh import TriMesh
from ..core.world import World
from .build_report import ReportEntry, sum_up
from .family import family_of
from .level_from_blender import read_level
from .level_members import outline_of

GEOMETRY = (bpy.types.Mesh, bpy.types.Curve, bpy.types.MetaBall)


@dataclass(frozen=True, slots=True, eq=False)
class BuiltLevel:
    """The colliders of a scene's level, and what they were made of."""

    world: World
    summary: str
    entries: tuple[ReportEntry, ...]  # what was left out or mended, and why
    scene: str
    digest: bytes
    outline: int  # of what may be level, when it was read

    @property
    def lines(self) -> tuple[str, ...]:
        """The entries in words."""
        return tuple(entry.line for entry in self.entries)


_built: BuiltLevel | None = None
_is_stale = False


def built_level(scene: bpy.types.Scene) -> BuiltLevel | None:
    """Return what was built last for this scene, or None."""
    return _built if _built is not None and _built.scene == scene.name else None


def is_stale() -> bool:
    """Say whether the level was seen to change since it was built."""
    return _is_stale


def build_level(context: bpy.types.Context, *, is_forced: bool = False) -> BuiltLevel:
    """Read the level and build its colliders; what is built already from the same meshes is taken as it is.

    Raises
    ------
    ValueError
        If there is nothing to walk on, or a mesh cannot be built; the message names it.
    """
    global _built, _is_stale
    scene = context.scene
    level = read_level(scene, context.evaluated_depsgraph_get())
    digest, outline = _digest(level.meshes), outline_of(scene, context.view_layer)
    if is_forced or _built is None or _built.scene != scene.name or _built.digest != digest:
        world = World.build(level.meshes)
        summary, entries = sum_up(world.report, level)
        if not len(world.colliders):
            first = f"nothing is left of the level. {entries[0].line}" if entries else "the level has no visible mesh"
            raise ValueError(first)
        _built = BuiltLevel(world, summary, entries, scene.name, digest, outline)
    elif _built.outline != outline:
        _built = replace(_built, outline=outline)
    _is_stale = False
    return _built


def forget_level() -> None:
    """Drop what was built: another file has other levels."""
    global _built, _is_stale
    _built, _is_stale = None, False


def mark_stale(scene: bpy.types.Scene) -> None:
    """Mark the scene's level as stale: it was said to be built in another way."""
    global _is_stale
    _is_stale = _is_stale or built_level(scene) is not None


def note_changes(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    """Mark the level as stale when something that it may be made of was changed, added, removed, hidden or renamed.

    It is a hint for the panel alone. Play compares the meshes themselves.
    """
    global _is_stale
    built = built_level(scene)
    if _is_stale or built is None:
        return
    family = family_of(scene.levelwalk.character)
    is_outline_in_doubt = False
    for update in depsgraph.updates:
        changed = update.id.original
        is_changed = update.is_updated_geometry
        if isinstance(changed, bpy.types.Object):
            is_level = changed.type not in {"CAMERA", "LIGHT"} and changed not in family
            is_changed = is_changed or update.is_updated_transform
            is_outline_in_doubt |= is_level
        else:
            is_level = isinstance(changed, GEOMETRY)
            is_outline_in_doubt |= isinstance(changed, bpy.types.Scene | bpy.types.Collection)
        if is_level and is_changed:
            _is_stale = True
            return
    if is_outline_in_doubt:
        _is_stale = built.outline != outline_of(scene, depsgraph.view_layer)


def _digest(meshes: tuple[TriMesh, ...]) -> bytes:
    total = hashlib.blake2b(digest_size=16)
    for mesh in meshes:
        choices = (mesh.name, mesh.mode, mesh.layer, mesh.sides, mesh.is_climbable, mesh.piece_error)
        total.update(repr((choices, mesh.triangles.shape)).encode())
        total.update(mesh.vertices.tobytes())
        total.update(mesh.triangles.tobytes())
    return total.digest()
