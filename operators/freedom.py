"""Whether a character's location and rotation are free to be animated, and what to do if they are not."""

from collections.abc import Iterable

import bpy
import numpy as np
from numpy.typing import NDArray

from .stance import Stance, parent_frame

DRIVEN = ("location", "rotation", "delta_location", "delta_rotation")  # beginnings of property names
SCALING = {"COPY_SCALE", "LIMIT_SCALE", "MAINTAIN_VOLUME"}  # constraints that leave place and rotation alone
STILL = 1e-4  # rad or units; a channel that changes by less, as single precision does, may be locked


def check_free(character: bpy.types.Object) -> None:
    """Raise ValueError, with the remedy, if something stands against keyframes of location and rotation."""
    name = character.name
    if not character.is_editable:
        raise ValueError(f"“{name}” is linked from another file: make it local or override it")
    for constraint in character.constraints:
        if _moves(constraint):
            raise ValueError(
                f"the constraint “{constraint.name}” moves “{name}” too: disable or apply it in the Constraints tab"
            )
    animation = character.animation_data
    if animation is None:
        return
    if animation.use_tweak_mode:
        raise ValueError(f"“{name}” is in the NLA's tweak mode: leave it first")
    driven = [driver.data_path for driver in animation.drivers if not driver.mute]
    driven = sorted({path for path in driven if path.startswith(DRIVEN)})
    if driven:
        raise ValueError(
            f"drivers move “{name}” by its {' and '.join(driven)}: mute or remove them in the Drivers Editor"
        )


def check_walkable(scene: bpy.types.Scene) -> None:
    """Raise ValueError, with the remedy, if the scene's character cannot be moved and turned as a walk does it."""
    group = scene.levelwalk
    character = group.character
    check_free(character)
    stance, frame = Stance.of(character), parent_frame(character)
    place = np.array(character.matrix_world.translation)
    locked = np.array(group.plane_lock, dtype=np.float64) * group.use_plane_lock
    length = np.linalg.norm(locked)
    across = np.eye(3) - (np.outer(locked, locked) / length**2 if length else 0)
    check_locks(character, "location", np.array([stance.location(place + way, frame) for way in across]))
    now = np.array(getattr(character, stance.rotation_path), dtype=np.float64)
    turned = [stance.turned(stance.heading + turn, frame, now) for turn in (-1.0, 1.0)]
    check_locks(character, stance.rotation_path, np.array(turned))


def _moves(constraint: bpy.types.Constraint) -> bool:
    """Say whether a constraint has a part in where an object is or how it is turned."""
    is_on = constraint.enabled and constraint.is_valid and constraint.influence > 0
    if constraint.type == "TRANSFORM":
        return is_on and constraint.map_to != "SCALE"
    return is_on and constraint.type not in SCALING


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


def check_curves(action: bpy.types.Action, curves: Iterable[bpy.types.FCurve], paths: set[str]) -> None:
    """Raise ValueError if a curve that would be written over is locked in the animation editors."""
    for curve in curves:
        if curve.data_path in paths and (curve.lock or (curve.group is not None and curve.group.lock)):
            raise ValueError(f"the action “{action.name}” has locked channels: unlock them in the Dope Sheet")


def _locks(character: bpy.types.Object, path: str) -> list[bool]:
    if path == "location":
        return list(character.lock_location)
    if path == "rotation_euler":
        return list(character.lock_rotation)
    return [character.lock_rotations_4d and character.lock_rotation_w, *character.lock_rotation]
