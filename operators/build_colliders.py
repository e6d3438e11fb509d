"""Build Colliders: make what stops and carries the character out of the level's meshes, and report on it."""

import bpy

from .built_level import build_level
from .readiness import is_ready, missing_level
from .redraw import redraw_views
from .to_blender import fit_settings


class LEVELWALK_OT_build_colliders(bpy.types.Operator):
    bl_idname = "levelwalk.build_colliders"
    bl_label = "Build Colliders"
    bl_description = (
        "Read the level's meshes and build what stops and carries the character, then report what came from what. "
        "Play does this by itself when the level has changed"
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return is_ready(cls, missing_level(context))

    def execute(self, context: bpy.types.Context) -> set[str]:
        fit_settings(context.scene)
        try:
            built = build_level(context, is_forced=True)
        except ValueError as error:
            self.report({"ERROR"}, f"Cannot build colliders: {error}")
            return {"CANCELLED"}
        redraw_views(context)
        self.report({"INFO"}, built.summary)
        return {"FINISHED"}
