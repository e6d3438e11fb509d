"""From Blender to the core: the settings, the character's place, and kept takes.

Units. The core is in metres. Blender's lengths, and with them speeds and accelerations, are in units of which the
scene says how many metres they are (`unit_settings.scale_length`); that holds for the vertices and for every number
in the panel. All of them are multiplied by that scale here, and divided by it in `to_blender`.
"""

import math
from dataclasses import fields
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ..core.settings import Settings
from .take import Take
from .units import LENGTHS, SWITCHED_OFF, UNITS, Unit, switch_of

UPRIGHT = 0.5  # of the length of local Y: what is level of it when it is 30 degrees from the vertical


def metres_per_unit(scene: bpy.types.Scene) -> float:
    """Return how many metres one Blender unit of the scene is."""
    units = scene.unit_settings
    return 1.0 if units.system == "NONE" else as_typed(units.scale_length)


def as_typed(value: float) -> float:
    """Return the shortest decimal that Blender's single precision holds as `value`: 0.3, not 0.30000001192."""
    return float(str(np.float32(value)))


def read_settings(scene: bpy.types.Scene) -> Settings:
    """Return the scene's settings in metres.

    Raises
    ------
    ValueError
        If they make no character; the message names the setting.
    """
    group = scene.levelwalk
    scale = metres_per_unit(scene)
    names = (field.name for field in fields(Settings) if hasattr(group, field.name))
    return Settings(**{name: _read_setting(group, name, scale) for name in names})


def read_slope_limit(scene: bpy.types.Scene) -> float:
    """Return the steepest ground that carries the character, rad; also where the settings together make none."""
    limit: float = _read_setting(scene.levelwalk, "slope_limit", metres_per_unit(scene))
    return limit


def _read_setting(group: bpy.types.PropertyGroup, name: str, scale: float) -> Any:
    """Return one setting as the core wants it."""
    if name in SWITCHED_OFF and not getattr(group, switch_of(name)):
        return SWITCHED_OFF[name]
    value = getattr(group, name)
    if name in LENGTHS:
        return as_typed(as_typed(value) * scale)
    if UNITS.get(name) is Unit.ANGLE:
        # Angles are typed in degrees and kept in radians: ten-thousandths of a degree are beyond single precision.
        return math.radians(round(math.degrees(value), 4))
    if name in UNITS:
        return as_typed(value)
    return tuple(value) if name == "plane_lock" else value


def read_take(item: bpy.types.PropertyGroup) -> Take:
    """Return a take kept in the file. ValueError, naming it, if it is damaged."""
    try:
        return Take.unpack(item.content)
    except ValueError as error:
        raise ValueError(f"“{item.name}” cannot be read: {error}") from error


def heading_of(matrix: NDArray[np.float64]) -> float:
    """Return the rotation about Z of a world matrix (4, 4), rad: where its local -Y looks.

    Where that is up or down, as of models that were made with Y up and turned by 90 degrees about X, it is where -Y
    would look after the turn about X that makes local Z upright.
    """
    front = -matrix[:2, 1]
    if np.linalg.norm(front) < UPRIGHT * np.linalg.norm(matrix[:3, 1]):
        front = matrix[:2, 2] if matrix[2, 1] > 0 else -matrix[:2, 2]
    return math.atan2(front[0], -front[1]) if np.any(front) else 0.0


def read_place(character: bpy.types.Object) -> tuple[NDArray[np.float64], float]:
    """Return where the character stands: its origin (3,) in Blender units, and its heading, rad.

    Ask for the evaluated dependency graph first: only that brings world matrices up to date.
    """
    matrix = np.array(character.matrix_world, dtype=np.float64)
    return matrix[:3, 3], heading_of(matrix)
