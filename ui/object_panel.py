"""The panels in the properties of objects and collections: what they are to the character."""

import bpy

from ..core.engine_names import NameReading
from ..core.mesh import ColliderMode, Layer
from ..operators.copy_collider_settings import LEVELWALK_OT_copy_collider_settings
from ..operators.level_members import SOLID_TYPES, UNDECIDED, named
from .tab import body_of

WITH_SIDES = {ColliderMode.AUTO.value, ColliderMode.FACES.value}  # of the others only solids are left


class LEVELWALK_PT_object(bpy.types.Panel):
    bl_label = "Level Walk"
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "object"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return context.object is not None and context.object.type in SOLID_TYPES

    def draw(self, context: bpy.types.Context) -> None:
        layout = body_of(self)
        layout.use_property_split = True
        layout.use_property_decorate = False
        group = context.object.levelwalk
        reading = named(context.scene, context.object)
        for name in shown_of(group, reading):
            layout.prop(group, name)
            if name == "collider" and reading != UNDECIDED:
                row = layout.row()
                row.alignment = "RIGHT"
                row.label(text=f"By its name: {_words(group, reading)}", icon="INFO")
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


def shown_of(group: bpy.types.PropertyGroup, reading: NameReading = UNDECIDED) -> list[str]:
    """Return the names of those properties of an object that mean something beside the others and its name."""
    collider = group.collider if reading.mode is None else reading.mode.value
    if collider == ColliderMode.NONE.value or reading.left_out:
        return ["collider"]
    if group.layer == Layer.IGNORE.value:
        return ["collider", "layer"]
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
