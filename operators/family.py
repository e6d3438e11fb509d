"""Family: the objects that are the character, which the level does without."""

import bpy


def family_of(character: bpy.types.Object | None) -> set[bpy.types.Object]:
    """Return the character and all that hangs on it or on its armature; the level does without them.

    The armature of a character that is a body is the one that bends it or that it is parented to. A character on a
    bone rides on that armature, and what else hangs on it may well be level.
    """
    if character is None:
        return set()
    family = {character, *character.children_recursive}
    rigs = {ob for ob in family if ob.type == "ARMATURE"} | _rigs_of(character)
    if character.parent_type != "BONE" and character.parent is not None and character.parent.type == "ARMATURE":
        rigs.add(character.parent)
    for rig in rigs - family:
        family |= {rig, *rig.children_recursive}
    if rigs:
        for body in [ob for ob in bpy.data.objects if not rigs.isdisjoint(_rigs_of(ob))]:
            family |= {body, *body.children_recursive}
    return family


def _rigs_of(ob: bpy.types.Object) -> set[bpy.types.Object]:
    """Return the armatures that bend an object."""
    return {modifier.object for modifier in ob.modifiers if modifier.type == "ARMATURE" and modifier.object}
