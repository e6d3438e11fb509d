"""What the file keeps: the settings of the character, the choice of level and character, and the takes.

Defaults and tooltips of the character's settings are the core's own.
"""

import math

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from ..core.settings import Settings, SlopeSpeed, describe
from ..operators.to_blender import fit_settings

DEFAULTS = Settings()
# Offered where the core's default is infinite, once the check box beside it limits it: at full walking speed in a
# fifth of a second.
LIMITED_ACCELERATION = 5 * DEFAULTS.speed

SLOPE_SPEEDS = (
    (SlopeSpeed.SURFACE.value, "Along the Surface", "As fast up and down a slope as on the flat"),
    (SlopeSpeed.HORIZONTAL.value, "Seen from Above", "Covers the same ground plan on any slope: Unity, PhysX"),
    (SlopeSpeed.PROJECTED.value, "Projected", "Slower uphill and downhill: Jolt, Rapier, Havok, Godot's default"),
)


def _title(name: str) -> str:
    return name.replace("_", " ").title()


def _number(name: str, unit: str, **options: object) -> object:
    """Return the property of a core setting that holds a length, alone or by the second."""
    default = getattr(DEFAULTS, name)
    subtype = {"subtype": "DISTANCE"} if unit == "LENGTH" else {"unit": unit}
    return FloatProperty(
        name=_title(name),
        description=describe(name),
        default=default if math.isfinite(default) else LIMITED_ACCELERATION,
        min=0.0,
        precision=3,
        **subtype,
        **options,
    )


def _limit(name: str) -> object:
    """Return the check box that makes an acceleration finite."""
    return BoolProperty(
        name=f"Limit {_title(name)}",
        description=describe(name),
        default=math.isfinite(getattr(DEFAULTS, name)),
    )


def _character_chosen(_: bpy.types.PropertyGroup, context: bpy.types.Context) -> None:
    fit_settings(context.scene)


class LevelWalkTake(bpy.types.PropertyGroup):
    """One recorded walk; its name is the name of its action when it is baked."""

    content: StringProperty(name="Content", description="The recorded walk, as packed text")
    duration: FloatProperty(name="Duration", description="Length of the walk in time", unit="TIME_ABSOLUTE")
    distance: FloatProperty(name="Distance", description="Length of the walked path", unit="LENGTH")


class LevelWalkScene(bpy.types.PropertyGroup):
    """Everything of Level Walk that belongs to a scene."""

    level: PointerProperty(
        type=bpy.types.Collection,
        name="Level",
        description="Collection with the level's objects; left empty, every visible mesh but the character",
    )
    character: PointerProperty(
        type=bpy.types.Object,
        name="Character",
        description="Object that walks. Its origin is where the feet are, and its front is -Y",
        update=_character_chosen,
    )

    radius: _number("radius", "LENGTH")
    height: _number("height", "LENGTH")
    skin_width: _number("skin_width", "LENGTH")
    step_offset: _number("step_offset", "LENGTH")
    ground_snap: _number("ground_snap", "LENGTH")
    jump_height: _number("jump_height", "LENGTH")
    speed: _number("speed", "VELOCITY")
    run_speed: _number("run_speed", "VELOCITY")
    gravity: _number("gravity", "ACCELERATION")
    use_acceleration: _limit("acceleration")
    acceleration: _number("acceleration", "ACCELERATION")
    use_air_acceleration: _limit("air_acceleration")
    air_acceleration: _number("air_acceleration", "ACCELERATION")
    slope_limit: FloatProperty(
        name=_title("slope_limit"),
        description=describe("slope_limit"),
        default=DEFAULTS.slope_limit,
        min=0.0,
        max=math.pi / 2,
        subtype="ANGLE",
    )
    slope_speed: EnumProperty(
        name=_title("slope_speed"),
        description=describe("slope_speed"),
        items=SLOPE_SPEEDS,
        default=DEFAULTS.slope_speed.value,
    )
    max_slides: IntProperty(
        name=_title("max_slides"),
        description=describe("max_slides"),
        default=DEFAULTS.max_slides,
        min=1,
        soft_max=10,
    )

    takes: CollectionProperty(type=LevelWalkTake, name="Takes", description="Walks that were kept")
    active_take: IntProperty(name="Active Take", description="Take to bake")
    bake_start: IntProperty(
        name="Start Frame", description="Frame of the first key", default=1, min=-1048574, max=1048574
    )


classes = (LevelWalkTake, LevelWalkScene)


def register() -> None:
    """Give every scene its settings; the classes are registered already."""
    bpy.types.Scene.levelwalk = PointerProperty(type=LevelWalkScene, name="Level Walk")


def unregister() -> None:
    """Take the settings away again."""
    del bpy.types.Scene.levelwalk
