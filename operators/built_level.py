"""The level as built for the character: kept in memory between plays, and noticed when it no longer fits.

Colliders are not stored in the file: they follow from the meshes. Nothing of Blender is kept here but names and
numbers, so that undo, deletion and file loads cannot leave a dangling reference.
"""

import hashlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import bpy
import numpy as np
from numpy.typing import NDArray

from ..core.batches import digest_of
from ..core.mesh import TriMesh
from ..core.stages import finish
from ..core.world import World
from .build_report import ReportEntry, Weight, sum_up, tell_closed
from .family import family_of
from .from_blender import metres_per_unit
from .ignored import ignored_objects
from .level_from_blender import read_level
from .level_outline import outline_of

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
    scale: float  # metres in a unit, then
    places: NDArray[np.float64]  # (m, 4, 4) world matrices of the level objects, in Blender units
    sources: tuple[str, ...]  # names of the objects that are seen there; of instances those in the collections

    @property
    def lines(self) -> tuple[str, ...]:
        """The entries in words."""
        return tuple(entry.line for entry in self.entries)

    @property
    def has_warnings(self) -> bool:
        """Whether something is not as its author thinks."""
        return any(entry.weight is Weight.WARNING for entry in self.entries)

    @property
    def warning(self) -> str:
        """What a player runs into: closed openings, with the remedy; empty if there are none."""
        return tell_closed(self.entries)


_built: BuiltLevel | None = None
_is_stale = False
_is_in_doubt = False  # whether there was a change that may be one of names or visibility


def built_level(scene: bpy.types.Scene) -> BuiltLevel | None:
    """Return what was built last for this scene, or None."""
    return _built if _built is not None and _built.scene == scene.name else None


def is_stale() -> bool:
    """Say whether the level was seen to change since it was built."""
    global _is_stale, _is_in_doubt
    scene = bpy.context.scene
    if _is_in_doubt and _built is not None and _built.scene == scene.name:
        # Looked at when somebody asks, and not at every selection: with ten thousand objects it takes 40 ms.
        _is_stale = _is_stale or _built.outline != outline_of(scene, bpy.context.view_layer)
        _is_in_doubt = False
    is_scaled = _built is not None and _built.scene == scene.name and _built.scale != metres_per_unit(scene)
    return _is_stale or is_scaled


def build_level(context: bpy.types.Context, *, is_forced: bool = False) -> BuiltLevel:
    """Read the level and build its colliders; what is built already from the same meshes is taken as it is.

    Raises
    ------
    ValueError
        If there is nothing to walk on.
    """
    return finish(build_level_stages(context, is_forced=is_forced))


def build_level_stages(context: bpy.types.Context, *, is_forced: bool = False) -> Generator[float, None, BuiltLevel]:
    """Build the level as `build_level` does, a stage at a time: yield the share that is done, and return the level.

    All of Blender is read before the first yield. What was built before stays until the end, also where this is
    closed before it.
    """
    global _built, _is_stale, _is_in_doubt
    scene = context.scene
    level = read_level(scene, context.evaluated_depsgraph_get())
    scale = metres_per_unit(scene)
    outline, digest, before = outline_of(scene, context.view_layer), _digest(level.meshes), built_level(scene)
    was_stale, _is_stale, _is_in_doubt = _is_stale, False, False  # what changes from here on is not in it
    try:
        if is_forced or before is None or before.digest != digest:
            world = yield from World.build_stages(level.meshes, None if before is None else before.world)
        else:
            world = before.world
        summary, entries = sum_up(world.report, level, scale)
        if not len(world.colliders):
            first = f"nothing is left of the level. {entries[0].line}" if entries else "the level has no visible mesh"
            raise ValueError(first)
    except BaseException:  # also where it is cancelled
        _is_stale = before is not None and (was_stale or _is_stale or before.digest != digest)
        raise
    if before is None or before.world is not world or before.entries != entries:
        _built = BuiltLevel(world, summary, entries, scene.name, digest, outline, scale, level.places, level.sources)
    elif (before.outline, before.scale, before.sources) != (outline, scale, level.sources) or not np.array_equal(
        before.places, level.places
    ):
        _built = replace(before, outline=outline, scale=scale, places=level.places, sources=level.sources)
    else:
        _built = before
    return _built


def forget_level() -> None:
    """Drop what was built: another file has other levels."""
    global _built, _is_stale, _is_in_doubt
    _built, _is_stale, _is_in_doubt = None, False, False


def mark_stale(scene: bpy.types.Scene) -> None:
    """Mark the scene's level as stale: it was said to be built in another way."""
    global _is_stale
    _is_stale = _is_stale or built_level(scene) is not None


@contextmanager
def unnoticed(context: bpy.types.Context) -> Iterator[None]:
    """Let what is changed inside leave the level as it is: fresh or stale. To be used for what is no part of it."""
    global _is_stale, _is_in_doubt
    before = _is_stale, _is_in_doubt
    yield
    context.view_layer.update()
    _is_stale, _is_in_doubt = before


def note_changes(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    """Mark the level as stale when something that it may be made of was changed, added, removed, hidden or renamed.

    It is a hint for the panel alone. Play compares the meshes themselves.
    """
    global _is_stale, _is_in_doubt
    if _is_stale or built_level(scene) is None:
        return
    others = family_of(scene.levelwalk.character) | ignored_objects().keys()
    for update in depsgraph.updates:
        changed = update.id.original
        is_changed = update.is_updated_geometry
        if isinstance(changed, bpy.types.Object):
            is_level = changed.type not in {"CAMERA", "LIGHT"} and changed not in others
            is_changed = is_changed or update.is_updated_transform
            _is_in_doubt |= is_level
        else:
            is_level = isinstance(changed, GEOMETRY)
            _is_in_doubt |= isinstance(changed, bpy.types.Scene | bpy.types.Collection)
        if is_level and is_changed:
            _is_stale = True
            return


def _digest(meshes: tuple[TriMesh, ...]) -> bytes:
    total = hashlib.blake2b(digest_size=16)
    for mesh in meshes:
        total.update(repr((mesh.name, mesh.is_climbable)).encode())
        total.update(digest_of(mesh))
    return total.digest()
