"""Add Character: an empty at the 3D cursor that Play moves, with the capsule drawn around it."""

import bpy
from numpy.typing import ArrayLike

from .readiness import is_ready, missing_object_mode
from .to_blender import add_empty, default_in

NAME = "Character"


class LEVELWALK_OT_add_character(bpy.types.Operator):
    bl_idname = "levelwalk.add_character"
    bl_label = "Add Character"
    bl_description = (
        "Add an empty at the 3D cursor and make it the character. Its origin is where the feet are; parent a model "
        "to it to see that walk"
    )
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return is_ready(cls, missing_object_mode(context))

    def execute(self, context: bpy.types.Context) -> set[str]:
        character = add_character(context, context.scene.cursor.location)
        make_only_selection(context, character)
        return {"FINISHED"}


def add_character(context: bpy.types.Context, place: ArrayLike) -> bpy.types.Object:
    """Add an empty at `place` (3,), in Blender units, and make it the scene's character."""
    scene = context.scene
    character = add_empty(open_collection(context), NAME, place, "PLAIN_AXES", default_in(scene, "radius"))
    scene.levelwalk.character = character
    return character


def open_collection(context: bpy.types.Context) -> bpy.types.Collection:
    """Return where new objects go: the active collection, or the scene's own if that one is linked or hidden."""
    layer = context.view_layer.active_layer_collection
    is_open = layer.is_visible and layer.collection.is_editable
    return layer.collection if is_open else context.scene.collection


def make_only_selection(context: bpy.types.Context, ob: bpy.types.Object) -> None:
    """Select `ob` alone and make it active."""
    for other in context.selected_objects:
        other.select_set(False)
    ob.select_set(True)
    context.view_layer.objects.active = ob
