"""The properties of the character's settings: one for each field of the core's Settings.

Defaults and tooltips are the core's own. A setting that can be infinite, or none, has a check box before its number.
"""

import math
from dataclasses import fields
from enum import Enum

from bpy.props import BoolProperty, EnumProperty, FloatProperty, FloatVectorProperty, IntProperty

from ..core.settings import Facing, JumpDirection, LedgeGuard, Movement, Settings, SlopeSpeed, describe
from ..operators.units import SWITCHED_OFF, UNITS, Unit, switch_of

DEFAULTS = Settings()
LEFT_OUT = {"up"}  # Blender's up is Z

# The number that is offered once a check box is on, for settings that the core has off.
OFFERED = {
    "acceleration": 5 * DEFAULTS.speed,  # at full speed in a fifth of a second
    "deceleration": 5 * DEFAULTS.speed,
    "air_acceleration": 5 * DEFAULTS.speed,
    "ledge_distance": DEFAULTS.radius / 2,
    "launch_speed": DEFAULTS.speed,
    "terminal_speed": 55.0,  # m/s, about that of a person in free fall
    "turn_rate": 4 * math.pi,  # round in a quarter of a second: quick to answer, without flipping over
    "plane_lock": (0.0, 1.0, 0.0),
}

LABELS = {  # where the setting's name does not make a good one, or one that is too long for the sidebar
    "holds_on_slopes": "Hold on Slopes",
    "ledge_distance": "Stand Past Edge",
    "normal_smoothing": "Smooth Normals",
    "guard_ahead": "Look Ahead",
    "guard_depth": "Drop",
    "wall_jump_speed": "Wall Jump",
    "slide_deceleration": "Slide Braking",
    "dash_wait": "Dash Pause",
    "turn_rate": "Turning",
    "plane_lock": "Locked Axis",
}

CHOICES: dict[type[Enum], tuple[tuple[str, str, str], ...]] = {
    Movement: (
        (Movement.CHARACTER.value, "Character", "Goes along the ground, with steps, ground snap and abilities"),
        (Movement.MOMENTUM.value, "Momentum", "A body that keeps its momentum and is left to gravity and contacts"),
    ),
    SlopeSpeed: (
        (SlopeSpeed.SURFACE.value, "Along the Surface", "As fast up and down a slope as on the flat"),
        (SlopeSpeed.HORIZONTAL.value, "Seen from Above", "Covers the same ground plan on any slope: Unity, PhysX"),
        (SlopeSpeed.PROJECTED.value, "Projected", "Slower uphill: Jolt, Rapier, Havok, Godot's default"),
    ),
    LedgeGuard: (
        (LedgeGuard.WALK_OFF.value, "Walk Off", "Goes over the edge and falls"),
        (LedgeGuard.STOP.value, "Stop", "Stops before the edge"),
        (LedgeGuard.SLIDE.value, "Slide Along", "Goes along the edge, on the side that is nearer to the wish"),
    ),
    JumpDirection: (
        (JumpDirection.UP.value, "Up", "Straight up, whatever the ground"),
        (JumpDirection.NORMAL.value, "Off the Ground", "Along the normal of the ground: away from a slope"),
    ),
    Facing: (
        (Facing.MOTION.value, "Motion", "Turns to where it moves, also while it slides along a wall"),
        (Facing.WISH.value, "Wish", "Turns to where it is told to go"),
    ),
}

UNIT_OPTIONS: dict[Unit, dict[str, object]] = {
    Unit.LENGTH: {"subtype": "DISTANCE", "precision": 3},
    Unit.VELOCITY: {"unit": "VELOCITY", "precision": 3},
    Unit.ACCELERATION: {"unit": "ACCELERATION", "precision": 3},
    Unit.ANGLE: {"subtype": "ANGLE", "precision": 2},
    Unit.TIME: {"unit": "TIME_ABSOLUTE", "precision": 3, "step": 1},
    Unit.SHARE: {"subtype": "FACTOR", "max": 1.0},
    Unit.FACTOR: {"soft_max": 10.0},
}


def setting_properties() -> dict[str, object]:
    """Return the properties by name, each check box before what it switches."""
    properties: dict[str, object] = {}
    for name in (field.name for field in fields(Settings) if field.name not in LEFT_OUT):
        if name in SWITCHED_OFF:
            properties[switch_of(name)] = _switch(name)
        properties[name] = _property(name)
    return properties


def title_of(name: str) -> str:
    """Return the label of a setting."""
    return LABELS.get(name, name.replace("_", " ").title())


def _switch(name: str) -> object:
    """Return the check box of a setting."""
    return BoolProperty(
        name=f"Limit {title_of(name)}" if SWITCHED_OFF[name] == math.inf else f"Use {title_of(name)}",
        description=describe(name),
        default=getattr(DEFAULTS, name) != SWITCHED_OFF[name],
    )


def _property(name: str) -> object:
    """Return the property of a setting, of the kind that the core's default has."""
    default = getattr(DEFAULTS, name)
    words = {"name": title_of(name), "description": describe(name)}
    if name in SWITCHED_OFF and default == SWITCHED_OFF[name]:
        default = OFFERED[name]
    if isinstance(default, bool):
        return BoolProperty(**words, default=default)
    if isinstance(default, Enum):
        return EnumProperty(**words, items=CHOICES[type(default)], default=default.value)
    if isinstance(default, tuple):
        return FloatVectorProperty(**words, default=default, subtype="XYZ", min=-1.0, max=1.0)
    if isinstance(default, int):
        return IntProperty(**words, default=default, min=1 if name == "max_slides" else 0, soft_max=10)
    options = dict(UNIT_OPTIONS[UNITS[name]])
    if name == "slope_limit":
        options["max"] = math.pi / 2
    return FloatProperty(**words, default=default, min=0.0, **options)
