"""The level as built for the character: kept in memory between plays, and noticed when it no longer fits.

Colliders are not stored in the file: they follow from the meshes. Nothing of Blender is kept here but names and
numbers, so that undo, deletion and file loads cannot leave a dangling reference.
"""

import hashlib
from dataclasses import dataclass

import bpy

from ..core.mesh import TriMesh
from ..core.world import World
from .build_report import sum_up
from .family import family_of
from .from_blender import read_level

GEOMETRY = (bpy.types.Mesh, bpy.types.Curve, bpy.types.MetaBall)


@dataclass(frozen=True, slots=True, eq=False)
class BuiltLevel:
    """The colliders of a scene's level, and what they were made of."""

    world: World
    summary: str
    lines: tuple[str, ...]  # what came from what, what was left out and why
    scene: str
    digest: bytes


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
    digest = _digest(level.meshes)
    if is_forced or _built is None or _built.scene != scene.name or _built.digest != digest:
        world = World.build(level.meshes)
        summary, lines = sum_up(world.report, level)
        if not len(world.colliders):
            raise ValueError(f"nothing is left of the level. {lines[0]}" if lines else "the level has no visible mesh")
        _built = BuiltLevel(world, summary, lines, scene.name, digest)
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
    """Mark the level as stale when something that it may be made of was moved, edited, added or removed.

    It is a hint for the panel alone. Play compares the meshes themselves.
    """
    global _is_stale
    if _is_stale or built_level(scene) is None:
        return
    family = family_of(scene.levelwalk.character)
    for update in depsgraph.updates:
        changed = update.id.original
        if isinstance(changed, bpy.types.Object):
            is_level = changed.type not in {"CAMERA", "LIGHT"} and changed not in family
            is_changed = update.is_updated_geometry or update.is_updated_transform
        else:
            is_level, is_changed = isinstance(changed, GEOMETRY), update.is_updated_geometry
        if is_level and is_changed:
            _is_stale = True
            return


def _digest(meshes: tuple[TriMesh, ...]) -> bytes:
    total = hashlib.blake2b(digest_size=16)
    for mesh in meshes:
        total.update(f"{mesh.name}\n{mesh.mode}\n{mesh.layer}\n{mesh.is_climbable}\n{mesh.triangles.shape}".encode())
        total.update(mesh.vertices.tobytes())
        total.update(mesh.triangles.tobytes())
    return total.digest()
