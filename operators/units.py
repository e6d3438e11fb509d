"""Units: what each setting is measured in, and which settings have a check box that turns them off.

Blender's lengths, and with them speeds and accelerations, are in the scene's own unit. Angles, times and shares are
the same in every scene.
"""

import math
from enum import Enum


class Unit(Enum):
    """What a setting with a number is measured in."""

    LENGTH = "LENGTH"
    VELOCITY = "VELOCITY"
    ACCELERATION = "ACCELERATION"
    ANGLE = "ANGLE"
    TIME = "TIME"
    SHARE = "SHARE"  # 0 to 1
    FACTOR = "FACTOR"


_NAMES = {
    Unit.LENGTH: (
        "radius height skin_width step_offset ground_snap ledge_distance guard_ahead guard_depth jump_height "
        "crouch_height mantle_height"
    ),
    Unit.VELOCITY: (
        "speed run_speed launch_speed terminal_speed wall_jump_speed crouch_speed slide_speed dash_speed climb_speed"
    ),
    Unit.ACCELERATION: "acceleration deceleration air_acceleration slide_deceleration gravity",
    Unit.ANGLE: "slope_limit turn_rate",
    Unit.TIME: "normal_smoothing ground_memory coyote_time jump_buffer dash_time dash_wait",
    Unit.SHARE: "jump_release push_fade turn_share",
    Unit.FACTOR: "gravity_scale",
}
UNITS = {name: unit for unit, names in _NAMES.items() for name in names.split()}

# The settings that hold a length, alone or by the second.
LENGTHS = tuple(name for name, unit in UNITS.items() if unit in (Unit.LENGTH, Unit.VELOCITY, Unit.ACCELERATION))

# What a setting is while the check box before it is off: Blender's fields hold neither infinity nor "none".
SWITCHED_OFF = {
    "ledge_distance": math.inf,
    "launch_speed": math.inf,
    "acceleration": math.inf,
    "deceleration": math.inf,
    "air_acceleration": math.inf,
    "terminal_speed": math.inf,
    "turn_rate": math.inf,
    "plane_lock": (0.0, 0.0, 0.0),
}


def switch_of(name: str) -> str:
    """Return the name of the check box of a setting in SWITCHED_OFF."""
    return f"use_{name}"
