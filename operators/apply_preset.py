"""Apply Engine Preset: give the character the settings of a game engine's character controller."""

import re

import bpy
from bpy.props import EnumProperty

from ..core.presets import Preset, load_presets
from .to_blender import write_settings


def identifier_of(preset: Preset) -> str:
    """Return the name by which scripts choose a preset: QUAKE_III."""
    return re.sub(r"\W+", "_", preset.name).upper()


PRESETS = {identifier_of(preset): preset for preset in load_presets()}
ITEMS = [(identifier, preset.name, "") for identifier, preset in PRESETS.items()]


class LEVELWALK_OT_apply_preset(bpy.types.Operator):
    bl_idname = "levelwalk.apply_preset"
    bl_label = "Apply Engine Preset"
    bl_description = "Give the character the settings of a game engine's character controller"
    bl_options = {"REGISTER", "UNDO"}

    preset: EnumProperty(name="Engine", description="Whose character controller it is", items=ITEMS)

    @classmethod
    def description(cls, context: bpy.types.Context, properties: bpy.types.OperatorProperties) -> str:
        """Return the tooltip: of a menu's entry, where its numbers come from and what they leave out."""
        if not properties.is_property_set("preset"):
            return cls.bl_description
        return explain(PRESETS[properties.preset])

    def execute(self, context: bpy.types.Context) -> set[str]:
        preset = PRESETS[self.preset]
        write_settings(context.scene, preset.settings())
        self.report({"INFO"}, f"The character has the settings of {preset.name}")
        return {"FINISHED"}


def explain(preset: Preset) -> str:
    """Return what a user should know of a preset, as the lines of a tooltip."""
    parts = (("Not reproduced", preset.not_reproduced), ("Converted", preset.conversions), ("From", preset.source))
    lines = [f"Settings of {preset.name}"]
    for title, texts in parts:
        lines += ["", f"{title}:", *(f"• {text}" for text in texts)]
    return "\n".join(lines)
