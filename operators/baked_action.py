"""The action that a take is baked to: found again at the next bake, and made where there is none."""

import re
from typing import TypeAlias

import bpy

Channels: TypeAlias = bpy.types.bpy_prop_collection  # of curves or of their groups

BAKED = "levelwalk_take"  # custom property of the actions made here: the take's name
NUMBER = re.compile(r"\.\d{3,}$")  # that Blender adds to a name that is taken


def baked_before(character: bpy.types.Object, name: str) -> bpy.types.Action | None:
    """Return the action that an earlier bake made under a name and that nothing but the character uses, or None."""
    current = character.animation_data.action if character.animation_data else None

    def is_ours(action: bpy.types.Action) -> bool:
        is_named = action.name == name or NUMBER.sub("", action.name) == name
        users = action.users - action.use_fake_user - (action == current)
        return is_named and action.get(BAKED) == name and action.is_editable and users == 0

    found = [action for action in bpy.data.actions if is_ours(action)]
    return current if current in found else next(iter(found), None)


def all_curves(action: bpy.types.Action) -> list[bpy.types.FCurve]:
    """Return the curves of an action, on every version of Blender."""
    if not hasattr(action, "slots"):  # before Blender 4.4
        return list(action.fcurves)
    bags = (bag for layer in action.layers for strip in layer.strips for bag in strip.channelbags)
    return [curve for bag in bags for curve in bag.fcurves]


def assign_action(
    character: bpy.types.Object, action: bpy.types.Action | None, name: str
) -> tuple[bpy.types.Action, Channels, Channels]:
    """Give the character the action, or a new one, and return it with the lists of its curves and groups."""
    animation = character.animation_data or character.animation_data_create()
    former = animation.action
    if action is None:
        action = bpy.data.actions.new(name)
        action[BAKED] = name
    if former is not None and former != action and former.is_editable:
        former.use_fake_user = True  # the character's former animation stays in the file
    animation.action = action
    if not hasattr(action, "slots"):  # before Blender 4.4
        return action, action.fcurves, action.groups
    slot = animation.action_slot
    if slot is None:
        # The slot of an earlier bake may have another name: the character was renamed since.
        slots = [slot for slot in action.slots if slot.target_id_type == "OBJECT"]
        slot = slots[0] if slots else action.slots.new(id_type="OBJECT", name=character.name)
        animation.action_slot = slot
    layer = action.layers[0] if action.layers else action.layers.new("Layer")
    strip = layer.strips[0] if layer.strips else layer.strips.new(type="KEYFRAME")
    bag = strip.channelbag(slot, ensure=True)
    return action, bag.fcurves, bag.groups
