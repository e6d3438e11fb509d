"""Bake to Keyframes: turn the active take into keyframes of the character's location and heading."""

import bpy
from bpy.props import BoolProperty, FloatProperty, IntProperty

from .from_blender import metres_per_unit, read_take
from .readiness import is_ready, missing_character, missing_object_mode
from .to_blender import bake_take


class LEVELWALK_OT_bake_keyframes(bpy.types.Operator):
    bl_idname = "levelwalk.bake_keyframes"
    bl_label = "Bake to Keyframes"
    bl_description = (
        "Write the active take as keyframes of the character's location and heading, one key a frame, in an action "
        "named after the take. An action of an earlier bake is written over; other actions are kept in the file"
    )
    bl_options = {"REGISTER", "UNDO"}

    frame_start: IntProperty(
        name="Start Frame",
        description="Frame of the first key; left out, the scene's start frame for baking",
        default=1,
        min=-1048574,
        max=1048574,
        options={"SKIP_SAVE"},
    )
    smooth_steps: FloatProperty(
        name="Smooth Steps",
        description="Length of the way over which steps are smoothed; left out, that of the scene for baking",
        default=0.0,
        min=0.0,
        subtype="DISTANCE",
        options={"SKIP_SAVE"},
    )
    is_range_set: BoolProperty(
        name="Set Scene Range",
        description="Make the scene's frame range that of the baked walk",
        default=False,
        options={"SKIP_SAVE"},
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        group = context.scene.levelwalk
        has_take = 0 <= group.active_take < len(group.takes)
        return is_ready(
            cls,
            "" if has_take else "There is no take yet: press Play, walk, and keep the walk",
            missing_object_mode(context),
            missing_character(context),
        )

    def execute(self, context: bpy.types.Context) -> set[str]:
        scene = context.scene
        group = scene.levelwalk
        item = group.takes[group.active_take]
        if not self.properties.is_property_set("frame_start"):  # from a menu, or from a script that leaves it out
            self.frame_start = group.bake_start
        if not self.properties.is_property_set("smooth_steps"):
            self.smooth_steps = group.smooth_steps
        try:
            take = read_take(item).smoothed(self.smooth_steps * metres_per_unit(scene))
            action, last = bake_take(scene, group.character, take, item.name, self.frame_start)
        except ValueError as error:
            self.report({"ERROR"}, f"Cannot bake: {error}")
            return {"CANCELLED"}
        if self.is_range_set:
            scene.frame_start, scene.frame_end = self.frame_start, last
        self.report({"INFO"}, f"Baked “{item.name}” to frames {self.frame_start} to {last}, action “{action.name}”")
        return {"FINISHED"}
