"""Fit to Units: give the character its default size, whatever the scene's unit is."""

import bpy

from .to_blender import reset_lengths


class LEVELWALK_OT_fit_units(bpy.types.Operator):
    bl_idname = "levelwalk.fit_units"
    bl_label = "Fit to Units"
    bl_description = "Give the character's lengths and speeds their defaults, in the scene's units"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        reset_lengths(context.scene)
        return {"FINISHED"}
