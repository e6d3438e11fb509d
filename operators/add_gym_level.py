"""Add Gym Level: rows of slopes, steps, gaps, ceilings, doors and ledges in growing sizes, and a character."""

import bpy

from ..core.samples.gym_level import GYM_START, gym_level
from .add_character import add_character, make_only_selection
from .from_blender import metres_per_unit
from .readiness import is_ready, missing_object_mode
from .to_blender import add_mesh_objects

NAME = "Gym Level"


class LEVELWALK_OT_add_gym_level(bpy.types.Operator):
    bl_idname = "levelwalk.add_gym_level"
    bl_label = "Add Gym Level"
    bl_description = (
        "Add rows of slopes, steps, gaps, ceilings, doors and ledges in growing sizes and a ladder, to find out what "
        "the character's settings can do, and a character at their start"
    )
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return is_ready(cls, missing_object_mode(context))

    def execute(self, context: bpy.types.Context) -> set[str]:
        scene = context.scene
        collection = bpy.data.collections.new(NAME)
        scene.collection.children.link(collection)
        meshes = gym_level()
        for ob, mesh in zip(add_mesh_objects(scene, collection, meshes), meshes, strict=True):
            ob.levelwalk.is_climbable = mesh.is_climbable
        scene.levelwalk.level = collection
        make_only_selection(context, add_character(context, GYM_START / metres_per_unit(scene)))
        return {"FINISHED"}
