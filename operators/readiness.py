"""Why an operator cannot run yet, in words for the tooltip of its greyed-out button. Empty means that it can."""

import bpy

from .freedom import check_walkable
from .ignored import ignoring_collection
from .level_members import walkable_objects


def missing_object_mode(context: bpy.types.Context) -> str:
    """Say what is wrong with the mode."""
    return "" if context.mode == "OBJECT" else "Go to Object Mode first"


def missing_character(context: bpy.types.Context) -> str:
    """Say what is wrong with the scene's character."""
    character = context.scene.levelwalk.character
    if character is None:
        return "Choose a character, or add one"
    if character.name not in context.view_layer.objects:
        return f"The character “{character.name}” is not in this view layer: choose another one"
    if not character.is_editable:
        return f"The character “{character.name}” is linked from another file: make it local or override it"
    return ""


def missing_freedom(context: bpy.types.Context) -> str:
    """Say what stands against moving the scene's character."""
    if context.scene.levelwalk.character is None:
        return ""
    try:
        check_walkable(context.scene)
    except ValueError as error:
        return str(error)[:1].upper() + str(error)[1:]
    return ""


def missing_level(context: bpy.types.Context) -> str:
    """Say what is wrong with the level."""
    if any(walkable_objects(context.scene, context.view_layer)):
        return ""
    level = context.scene.levelwalk.level
    ignored = "" if level is None else ignoring_collection(level)
    if ignored:
        where = "is" if ignored == level.name else f"is in “{ignored}”, which is"
        return f"The level collection “{level.name}” {where} ignored: turn off Ignore in its properties"
    if any(walkable_objects(context.scene, context.view_layer, is_ignoring=False)):
        of_what = "" if level is None else f" of the level collection “{level.name}”"
        return f"All visible meshes{of_what} are in ignored collections"
    if level is None:
        return "There is no visible mesh to walk on"
    return f"The level collection “{level.name}” has no visible mesh"


def is_ready(operator: type[bpy.types.Operator], *missing: str) -> bool:
    """Give the first thing missing as the reason why the operator's button is grey; say whether there is none."""
    for reason in missing:
        if reason:
            operator.poll_message_set(reason)
            return False
    return True
