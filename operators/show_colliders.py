"""Show Colliders during a walk: no undo step is made, for it would hold the character half-way."""

import bpy
from bpy.props import EnumProperty

from .redraw import redraw_views

LOOKS = (
    ("TOGGLE", "Toggle", "Show the colliders, or hide them"),
    ("KIND", "Kind", "Color them by what they are"),
    ("SURFACE", "Surface", "Color them by what their faces are to the character"),
)


class LEVELWALK_OT_show_colliders(bpy.types.Operator):
    bl_idname = "levelwalk.show_colliders"
    bl_label = "Show Colliders"
    bl_description = "Draw what stops and carries the character over the level, also while playing (O)"
    bl_options = {"INTERNAL"}

    look: EnumProperty(name="Look", description="What to change", items=LOOKS, options={"SKIP_SAVE"})

    def execute(self, context: bpy.types.Context) -> set[str]:
        if self.look == "TOGGLE":
            toggle_colliders(context)
        else:
            context.scene.levelwalk.colour_by = self.look
        return {"FINISHED"}


def toggle_colliders(context: bpy.types.Context) -> None:
    """Show the colliders of the scene, or hide them."""
    group = context.scene.levelwalk
    group.show_colliders = not group.show_colliders
    redraw_views(context)
