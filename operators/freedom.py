"""Whether a character's location and rotation are free to be animated, and what to do if they are not."""

import bpy
import numpy as np
from numpy.typing import NDArray

STILL = 1e-4  # rad or units; a channel that changes by less, as single precision does, may be locked


def check_free(character: bpy.types.Object) -> None:
    """Raise ValueError, with the remedy, if something stands against keyframes of location and rotation."""
    name = character.name
    if not character.is_editable:
        raise ValueError(f"“{name}” is linked from another file: make it local or override it")
    animation = character.animation_data
    if animation is None:
        return
    if animation.use_tweak_mode:
        raise ValueError(f"“{name}” is in the NLA's tweak mode: leave it first")
    if any(driver.data_path.startswith(("location", "rotation")) for driver in animation.drivers):
        raise ValueError(f"drivers move “{name}” and would undo the keyframes: remove them first")


def check_locks(character: bpy.types.Object, path: str, values: NDArray[np.float64]) -> None:
    """Raise ValueError if a locked channel would have to change.

    Parameters
    ----------
    character : Object
    path : str
        Of the property.
    values : (k, 3) or (k, 4) float
        The property's values to come.
    """
    now = np.array(getattr(character, path))
    changing = (np.abs(values - now) > STILL).any(axis=0)
    for is_changing, is_locked, channel in zip(changing, _locks(character, path), "WXYZ"[-len(now) :], strict=True):
        if is_changing and is_locked:
            what = "location" if path == "location" else "rotation"
            raise ValueError(f"{what} {channel} of “{character.name}” is locked: unlock it in the Transform panel")


def check_curves(action: bpy.types.Action, fcurves: bpy.types.bpy_prop_collection, path: str, channels: int) -> None:
    """Raise ValueError if a curve that would be written over is locked in the animation editors."""
    for index in range(channels):
        curve = fcurves.find(path, index=index)
        if curve is not None and (curve.lock or (curve.group is not None and curve.group.lock)):
            raise ValueError(f"the action “{action.name}” has locked channels: unlock them in the Dope Sheet")


def _locks(character: bpy.types.Object, path: str) -> list[bool]:
    if path == "location":
        return list(character.lock_location)
    if path == "rotation_euler":
        return list(character.lock_rotation)
    return [character.lock_rotations_4d and character.lock_rotation_w, *character.lock_rotation]
