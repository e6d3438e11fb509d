"""Build Colliders: make what stops and carries the character out of the level's meshes, and report on it."""

import traceback

import bpy

from .building import Cancelled, begin_building, current_building, end_building, go_on_building
from .built_level import BuiltLevel, build_level
from .readiness import is_ready, missing_level
from .redraw import redraw_views
from .to_blender import fit_settings


class LEVELWALK_OT_build_colliders(bpy.types.Operator):
    bl_idname = "levelwalk.build_colliders"
    bl_label = "Build Colliders"
    bl_description = (
        "Read the level's meshes and build what stops and carries the character, then report what came from what: "
        "hulls, and convex faces, of which one takes in all flat neighbors. "
        "Play does this by itself when the level has changed. Esc cancels a build that takes long"
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return is_ready(cls, missing_level(context))

    def execute(self, context: bpy.types.Context) -> set[str]:
        fit_settings(context.scene)
        try:
            return self._tell(context, build_level(context, is_forced=True))
        except ValueError as error:
            return self._refuse(error)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        fit_settings(context.scene)
        try:
            built = begin_building(context, is_forced=True)
        except ValueError as error:
            return self._refuse(error)
        if built is not None:
            return self._tell(context, built)
        self._building = current_building()
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        if self._building is not current_building():  # ended by a file load or by disabling the extension
            return {"CANCELLED"}
        try:
            built = go_on_building(context, event)
        except Cancelled as end:
            self.report({"INFO"}, f"Building was {end}")
            return {"CANCELLED"}
        except ValueError as error:
            return self._refuse(error)
        except Exception as error:  # whatever it is, the user is told
            traceback.print_exc()
            return self._refuse(error)
        return {"RUNNING_MODAL"} if built is None else self._tell(context, built)

    def cancel(self, context: bpy.types.Context) -> None:
        """Blender itself ends the operator: its window was closed."""
        if self._building is current_building():
            end_building()

    def _tell(self, context: bpy.types.Context, built: BuiltLevel) -> set[str]:
        redraw_views(context)
        warning = built.warning
        said = f"{built.summary}; {warning}" if warning else built.summary
        self.report({"WARNING" if built.has_warnings else "INFO"}, said)
        return {"FINISHED"}

    def _refuse(self, error: Exception) -> set[str]:
        self.report({"ERROR"}, f"Cannot build colliders: {error}")
        return {"CANCELLED"}
