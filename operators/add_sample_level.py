"""Add Sample Level: a small block-out with ramps, stairs, a door and a gap to jump, and a character at its start."""

import bmesh
import bpy

from ..core.samples.sample_level import SAMPLE_GOAL, SAMPLE_START, sample_level
from .add_character import add_character, make_only_selection
from .from_blender import metres_per_unit
from .readiness import is_ready, missing_object_mode
from .to_blender import add_empty, add_mesh_objects, default_in

NAME = "Sample Level"


class LEVELWALK_OT_add_sample_level(bpy.types.Operator):
    bl_idname = "levelwalk.add_sample_level"
    bl_label = "Add Sample Level"
    bl_description = (
        "Add a small block-out with ramps, stairs, a door, a tunnel and a gap to jump, and a character at its start"
    )
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return is_ready(cls, missing_object_mode(context))

    def execute(self, context: bpy.types.Context) -> set[str]:
        scene = context.scene
        scale = metres_per_unit(scene)
        collection = bpy.data.collections.new(NAME)
        scene.collection.children.link(collection)
        for ob in add_mesh_objects(scene, collection, sample_level()):
            cut_into_convex(ob.data)
        add_empty(collection, "Goal", SAMPLE_GOAL / scale, "CONE", default_in(scene, "radius"))
        scene.levelwalk.level = collection
        make_only_selection(context, add_character(context, SAMPLE_START / scale))
        return {"FINISHED"}


def cut_into_convex(content: bpy.types.Mesh) -> None:
    """Cut each face that is not convex into convex ones.

    The side of the stairs has corners in a line. Blender, which cuts faces into triangles by its own rule, would make
    triangles without area of them.
    """
    sides = bmesh.new()
    sides.from_mesh(content)
    bmesh.ops.connect_verts_concave(sides, faces=sides.faces)
    sides.to_mesh(content)
    sides.free()
