"""The panels in the properties of objects and collections: what they are to the character."""

import bpy

from ..core.engine_names import NameReading
from ..core.mesh import ColliderMode, Layer
from ..operators.copy_collider_settings import LEVELWALK_OT_copy_collider_settings
from ..operators.level_members import HIDDEN, SOLID_TYPES, UNDECIDED, LevelMembers
from ..operators.one_object import instanced_objects, named, why_left_out
from .tab import body_of, draw_lines

LISTED = 20  # objects of an instanced collection; the rest is counted
WITH_SIDES = {ColliderMode.AUTO.value, ColliderMode.FACES.value}  # of the others only solids are left


class LEVELWALK_PT_object(bpy.types.Panel):
    bl_label = "Level Walk"
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "object"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        ob = context.object
        return ob is not None and (ob.type in SOLID_TYPES or bool(instanced_objects(ob)))

    def draw(self, context: bpy.types.Context) -> None:
        layout = body_of(self)
        layout.use_property_split = True
        layout.use_property_decorate = False
        ob = context.object
        if ob.type not in SOLID_TYPES:
            _draw_instanced(layout, context, ob)
            return
        _draw_settings(layout, context, ob, why_left_out(context.scene, ob))
        layout.operator(LEVELWALK_OT_copy_collider_settings.bl_idname, icon="COPYDOWN")


class LEVELWALK_PT_collection(bpy.types.Panel):
    bl_label = "Level Walk"
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "collection"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return context.collection is not None and context.collection != context.scene.collection

    def draw(self, context: bpy.types.Context) -> None:
        layout = body_of(self)
        layout.use_property_split = True
        layout.use_property_decorate = False
        layout.prop(context.collection.levelwalk, "is_ignored")


def _draw_instanced(layout: bpy.types.UILayout, context: bpy.types.Context, instancer: bpy.types.Object) -> None:
    """Draw the settings of the objects that an instancer shows: their own collection may be in no view layer."""
    members = LevelMembers(context.scene)
    sources = instanced_objects(instancer)
    for source in sources[:LISTED]:
        column = layout.column()
        column.label(text=source.name, icon="OBJECT_DATA")
        _draw_settings(column, context, source, members.why_not(instancer, source))
    if len(sources) > LISTED:
        layout.label(text=f"and {len(sources) - LISTED:,} more")


def _draw_settings(layout: bpy.types.UILayout, context: bpy.types.Context, ob: bpy.types.Object, left_out: str) -> None:
    """Draw the settings of an object that mean something, and what its name makes of it or why it is left out."""
    group, reading = ob.levelwalk, named(context.scene, ob)
    for name in shown_of(group, reading, left_out):
        layout.prop(group, name)
        if name != "collider":
            continue
        if left_out:
            draw_lines(layout, context, f"Left out: {left_out}", icon="INFO")
        elif reading != UNDECIDED:
            row = layout.row()
            row.alignment = "RIGHT"
            row.label(text=f"By its name: {_words(group, reading)}", icon="INFO")


def shown_of(group: bpy.types.PropertyGroup, reading: NameReading = UNDECIDED, left_out: str = "") -> list[str]:
    """Return the names of those properties of an object that mean something beside the others and its name.

    `left_out` is why it is left out. What is merely hidden keeps all of its settings.
    """
    collider = group.collider if reading.mode is None else reading.mode.value
    if collider == ColliderMode.NONE.value or reading.left_out:
        return ["collider"]
    if group.layer == Layer.IGNORE.value:
        return ["collider", "layer"]
    if left_out not in ("", HIDDEN):
        return ["collider"]
    names = ["collider"]
    if collider == ColliderMode.PIECES.value:
        names.append("piece_error")
    if collider in WITH_SIDES:
        names.append("sides")
    return [*names, "layer", "is_climbable"]


def _words(group: bpy.types.PropertyGroup, reading: NameReading) -> str:
    if reading.mode is None:
        return "left out"
    return str(group.bl_rna.properties["collider"].enum_items[reading.mode.value].name)


classes = (LEVELWALK_PT_object, LEVELWALK_PT_collection)
