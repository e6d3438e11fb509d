"""The preset menu in the header of the character's panel: game engines, and below them the user's own."""

import bpy
from bl_ui.utils import PresetPanel

from ..core.presets import load_presets
from ..operators.add_preset import LEVELWALK_OT_add_preset
from ..operators.apply_preset import LEVELWALK_OT_apply_preset, identifier_of


class LEVELWALK_PT_presets(PresetPanel, bpy.types.Panel):
    bl_label = "Character Presets"
    bl_ui_units_x = 13  # wide enough for the longest name
    preset_subdir = LEVELWALK_OT_add_preset.preset_subdir
    preset_operator = "script.execute_preset"
    preset_add_operator = LEVELWALK_OT_add_preset.bl_idname

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        layout.emboss = "PULLDOWN_MENU"
        layout.operator_context = "EXEC_DEFAULT"
        self.draw_engines(layout)
        layout.separator()
        if bpy.utils.preset_paths(self.preset_subdir):
            super().draw(context)
        else:  # Blender's own list would say that a path is missing
            self.draw_new(layout, context)

    @staticmethod
    def draw_engines(layout: bpy.types.UILayout) -> None:
        """Draw an entry for each engine; its tooltip says what the preset leaves out."""
        column = layout.column(align=True)
        for preset in load_presets():
            entry = column.operator(LEVELWALK_OT_apply_preset.bl_idname, text=preset.name, translate=False)
            entry.preset = identifier_of(preset)

    @classmethod
    def draw_new(cls, layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
        """Draw the field for the name of a first preset of the user's own."""
        manager = context.window_manager
        row = layout.row()
        name = row.row()
        name.emboss = "NORMAL"
        name.prop(manager, "preset_name", text="")
        row.operator(cls.preset_add_operator, text="", icon="ADD").name = manager.preset_name


classes = (LEVELWALK_PT_presets,)
