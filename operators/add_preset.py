"""Add Character Preset: keep the settings in a file of the user's, for any scene; Blender's own preset operator."""

import bpy
from bl_operators.presets import AddPresetBase


class LEVELWALK_OT_add_preset(AddPresetBase, bpy.types.Operator):
    bl_idname = "levelwalk.add_preset"
    bl_label = "Add Character Preset"
    bl_description = "Keep the character's settings as a preset of your own, or remove one"
    preset_menu = "LEVELWALK_PT_presets"
    preset_subdir = "levelwalk"
    preset_defines = ["group = bpy.context.scene.levelwalk"]
    preset_values = ["group.settings_text"]
