"""The panel in an object's properties: what the object is to the character."""

import bpy

from ..core.mesh import ColliderMode
from .tab import body_of

SOLID_TYPES = {"MESH", "CURVE", "SURFACE", "META", "FONT"}  # what can bring faces into a level


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
        layout.prop(group, "collider")
        if group.collider != ColliderMode.NONE.value:
            layout.prop(group, "layer")
            layout.prop(group, "is_climbable")


classes = (LEVELWALK_PT_object,)
