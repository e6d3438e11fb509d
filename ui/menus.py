"""Menus: Add > Level Walk, and Object > Level Walk, through which the operators are also found by F3."""

import bpy

from ..operators.add_character import LEVELWALK_OT_add_character
from ..operators.add_gym_level import LEVELWALK_OT_add_gym_level
from ..operators.add_sample_level import LEVELWALK_OT_add_sample_level
from ..operators.apply_preset import LEVELWALK_OT_apply_preset
from ..operators.bake_keyframes import LEVELWALK_OT_bake_keyframes
from ..operators.build_colliders import LEVELWALK_OT_build_colliders
from ..operators.make_collider_objects import LEVELWALK_OT_make_collider_objects
from ..operators.play import LEVELWALK_OT_play


class LEVELWALK_MT_add(bpy.types.Menu):
    bl_label = "Level Walk"

    def draw(self, context: bpy.types.Context) -> None:
        self.layout.operator(LEVELWALK_OT_add_character.bl_idname, text="Character", icon="EMPTY_AXIS")
        self.layout.operator(LEVELWALK_OT_add_sample_level.bl_idname, text="Sample Level", icon="MESH_GRID")
        self.layout.operator(LEVELWALK_OT_add_gym_level.bl_idname, text="Gym Level", icon="ALIGN_BOTTOM")


class LEVELWALK_MT_object(bpy.types.Menu):
    bl_label = "Level Walk"

    def draw(self, context: bpy.types.Context) -> None:
        for operator in (LEVELWALK_OT_play, LEVELWALK_OT_build_colliders, LEVELWALK_OT_bake_keyframes):
            self.layout.operator(operator.bl_idname)
        self.layout.operator_menu_enum(LEVELWALK_OT_make_collider_objects.bl_idname, "engine")
        self.layout.separator()
        self.layout.operator_menu_enum(LEVELWALK_OT_apply_preset.bl_idname, "preset")


classes = (LEVELWALK_MT_add, LEVELWALK_MT_object)


def _draw_add(self: bpy.types.Menu, context: bpy.types.Context) -> None:
    self.layout.separator()
    self.layout.menu("LEVELWALK_MT_add", icon="ARMATURE_DATA")


def _draw_object(self: bpy.types.Menu, context: bpy.types.Context) -> None:
    self.layout.separator()
    self.layout.menu("LEVELWALK_MT_object")


def register() -> None:
    """Add the entries to Blender's menus; the classes are registered already."""
    bpy.types.VIEW3D_MT_add.append(_draw_add)
    bpy.types.VIEW3D_MT_object.append(_draw_object)


def unregister() -> None:
    """Remove the entries."""
    bpy.types.VIEW3D_MT_object.remove(_draw_object)
    bpy.types.VIEW3D_MT_add.remove(_draw_add)
