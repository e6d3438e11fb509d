"""The panels in the properties of objects and collections: what they are to the character."""

import bpy

from ..core.mesh import ColliderMode, Layer
from ..operators.copy_collider_settings import LEVELWALK_OT_copy_collider_settings
from ..operators.level_members import SOLID_TYPES
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
        for name in shown_of(group):
            layout.prop(group, name)
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


def shown_of(group: bpy.types.PropertyGroup) -> list[str]:
    """Return the names of those properties of an object that mean something beside the others."""
    if group.collider == ColliderMode.NONE.value:
        return ["collider"]
    if group.layer == Layer.IGNORE.value:
        return ["collider", "layer"]
    names = ["collider"]
    if group.collider == ColliderMode.PIECES.value:
        names.append("piece_error")
    if group.collider in WITH_SIDES:
        names.append("sides")
    return [*names, "layer", "is_climbable"]


classes = (LEVELWALK_PT_object, LEVELWALK_PT_collection)
