"""One object: what its name makes of it, why it is left out of the level, and what it shows as an instancer."""

import bpy

from ..core.engine_names import NameReading, read_names
from .kits import kits_of
from .level_members import SOLID_TYPES, UNDECIDED, LevelMembers, is_decided


def named(scene: bpy.types.Scene, ob: bpy.types.Object) -> NameReading:
    """Return what an object's name alone makes of it, whatever stands beside it."""
    if not scene.levelwalk.use_engine_names or is_decided(ob):
        return UNDECIDED
    return read_names([ob.name]).get(ob.name, UNDECIDED)


def why_left_out(scene: bpy.types.Scene, ob: bpy.types.Object) -> str:
    """Say why an object itself, whatever instances there are of it, is not part of the level; empty if it is."""
    members = LevelMembers.beside(scene, ob)
    return members.why_outside(ob) or members.why_not(ob, ob) or members.why_hidden(ob)


def instanced_objects(ob: bpy.types.Object) -> list[bpy.types.Object]:
    """Return the objects that can be level in the collection that an instancer shows, and in those shown in it."""
    sources = [source for kit in kits_of([ob]) for source in kit.all_objects]
    return list(dict.fromkeys(source for source in sources if source.type in SOLID_TYPES))
