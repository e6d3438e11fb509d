"""The outline of a level: what tells that it changed where Blender tells only that there was something."""

import bpy

from ..core.engine_names import is_collision_shape
from .family import family_of
from .ignored import ignored_objects
from .kits import kit_of, kits_of
from .level_members import SOLID_TYPES


def outline_of(scene: bpy.types.Scene, view_layer: bpy.types.ViewLayer) -> int:
    """Return a number that changes with the names, the visibility and the collections of what may be level.

    Blender tells of such changes only that there was something, as it does for a mere selection.
    """
    group = scene.levelwalk
    family, ignored = family_of(group.character), ignored_objects()
    objects = (scene.collection if group.level is None else group.level).all_objects
    uses_names = group.use_engine_names
    rows: list[tuple[object, ...]] = []
    instancers: list[bpy.types.Object] = []
    for ob in objects:
        if ob in family or ob in ignored or (ob.type not in SOLID_TYPES and ob.instance_type != "COLLECTION"):
            continue
        is_counting = uses_names and is_collision_shape(ob.name)  # also while it is hidden
        rows.append((ob.name, is_counting or ob.visible_get(view_layer=view_layer), ob.display_type))
        if kit_of(ob) is not None:
            instancers.append(ob)
    for kit in kits_of(instancers):
        rows.append((kit.name, *kit.instance_offset))
        rows += [(part.name, part.hide_viewport) for part in (kit, *kit.children_recursive)]
        rows += [(ob.name, ob.hide_viewport, ob.display_type) for ob in kit.all_objects if ob not in ignored]
    return hash(tuple(rows))
