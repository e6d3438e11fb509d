"""Remove Take: drop the active take from the file."""

import bpy

from .readiness import is_ready


class LEVELWALK_OT_remove_take(bpy.types.Operator):
    bl_idname = "levelwalk.remove_take"
    bl_label = "Remove Take"
    bl_description = "Remove the active take; keyframes baked from it stay"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return is_ready(cls, "" if context.scene.levelwalk.takes else "There is no take")

    def execute(self, context: bpy.types.Context) -> set[str]:
        group = context.scene.levelwalk
        group.takes.remove(group.active_take)
        group.active_take = max(0, min(group.active_take, len(group.takes) - 1))
        return {"FINISHED"}
