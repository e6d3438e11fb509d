"""Copy to Selected: give all selected objects the collider settings of the active one."""

import bpy

from .built_level import mark_stale
from .level_members import SOLID_TYPES
from .readiness import is_ready

SETTINGS = ("collider", "piece_error", "sides", "layer", "is_climbable")


class LEVELWALK_OT_copy_collider_settings(bpy.types.Operator):
    bl_idname = "levelwalk.copy_collider_settings"
    bl_label = "Copy to Selected"
    bl_description = "Give all other selected objects the collider, sides, layer and climbing of the active object"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        active = context.active_object
        return is_ready(
            cls,
            "There is no active object" if active is None else "",
            "" if _others(context) else "Select the objects to copy to beside the active one",
        )

    def execute(self, context: bpy.types.Context) -> set[str]:
        source = context.active_object.levelwalk
        others = _others(context)
        editable = [ob for ob in others if ob.is_editable]
        for ob in editable:
            for name in SETTINGS:
                setattr(ob.levelwalk, name, getattr(source, name))
        mark_stale(context.scene)
        linked = len(others) - len(editable)
        if linked:
            self.report({"WARNING"}, f"Copied to {len(editable)}; {linked} linked from other files cannot be changed")
        else:
            self.report({"INFO"}, f"Copied to {len(editable)}")
        return {"FINISHED"} if editable else {"CANCELLED"}


def _others(context: bpy.types.Context) -> list[bpy.types.Object]:
    """Return the selected objects beside the active one that can be part of a level."""
    return [ob for ob in context.selected_objects if ob != context.active_object and ob.type in SOLID_TYPES]
