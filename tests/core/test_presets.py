"""Presets: the engines' own numbers, converted here anew from their units, against those of the data."""

import json
import math
from dataclasses import fields

import pytest

from levelwalk.core import Settings, SlopeSpeed, World, simulate
from levelwalk.core.presets import FILE, load_presets
from levelwalk.core.samples.sample_level import SAMPLE_START, sample_level, sample_walk

PRESETS = {preset.name: preset for preset in load_presets()}
DEFAULTS = Settings()
PERSON = {"radius": 0.3, "height": 1.8}
INCH = 1 / 32  # m in a Quake unit, as chosen
CM = 0.01


def rise(speed, gravity):
    """Return how high a throw goes: v² / 2g."""
    return speed**2 / (2 * gravity)


def even_stop(speed, distance):
    """Return the even deceleration that stops in `distance`: v² / 2d."""
    return speed**2 / (2 * distance)


def unreal_stop(speed=600.0, friction=8.0 * 2.0, braking=2048.0):
    """Return the centimetres of braking with dv/dt = -(f v + b), by small steps."""
    distance, dt = 0.0, 1e-6
    while speed > 0:
        distance += speed * dt
        speed -= (friction * speed + braking) * dt
    return distance


# Of each engine, in its own units where they are not ours.
EXPECTED = {
    "Unity CharacterController": {
        "radius": 0.5,
        "height": 2.0,
        "slope_limit": math.radians(45),
        "step_offset": 0.3,
        "skin_width": 0.08,
        "ground_snap": 0.0,
        "gravity": 9.81,
        "slope_speed": SlopeSpeed.HORIZONTAL,
    },
    "PhysX": {
        **PERSON,
        "slope_limit": math.acos(0.707),
        "step_offset": 0.5,
        "skin_width": 0.1,
        "ground_snap": 0.0,
        "max_slides": 10,
        "slope_speed": SlopeSpeed.HORIZONTAL,
    },
    "Unity DOTS": {
        **PERSON,
        "slope_limit": math.radians(60),
        "step_offset": 0.0,
        "skin_width": 0.01,
        "ground_snap": 0.5,
        "gravity": 30.0,
        "speed": 10.0,
        "acceleration": even_stop(10, 10 / 15),  # v fades as exp(-15 t): it comes v / 15 far
        "air_acceleration": 50.0,
        "jump_height": rise(10, 30),
        "max_slides": 8,
        "slope_speed": SlopeSpeed.SURFACE,
    },
    "Kinematic Character Controller": {
        **PERSON,
        "slope_limit": math.radians(60),
        "step_offset": 0.5,
        "skin_width": 0.01,
        "ground_snap": max(0.3, 0.5),  # radius or step height
        "ledge_distance": 0.5,
        "gravity": 30.0,
        "speed": 10.0,
        "acceleration": even_stop(10, 10 / 15),
        "air_acceleration": 5.0,
        "jump_height": rise(10, 30),
        "max_slides": 5,
        "slope_speed": SlopeSpeed.SURFACE,
    },
    "Godot CharacterBody3D": {
        **PERSON,
        "slope_limit": math.radians(45),
        "step_offset": 0.0,
        "skin_width": 0.001,
        "ground_snap": 0.1,
        "gravity": 9.8,
        "max_slides": 6,
        "holds_on_slopes": True,
        "slope_speed": SlopeSpeed.PROJECTED,
    },
    "Godot CharacterBody3D, Constant Speed": {
        **PERSON,
        "slope_limit": math.radians(45),
        "step_offset": 0.0,
        "skin_width": 0.001,
        "ground_snap": 0.1,
        "gravity": 9.8,
        "max_slides": 6,
        "slope_speed": SlopeSpeed.SURFACE,
    },
    "Unreal CharacterMovement": {
        "radius": 34 * CM,
        "height": 2 * 88 * CM,
        "slope_limit": math.radians(44.765),
        "step_offset": 45 * CM,
        "ground_snap": 45 * CM,
        "gravity": 980 * CM,
        "speed": 600 * CM,
        "acceleration": 2048 * CM,
        "deceleration": even_stop(600, unreal_stop()) * CM,
        "air_acceleration": 0.05 * 2048 * CM,
        "jump_height": rise(420, 980) * CM,
        "crouch_height": 2 * 40 * CM,
        "crouch_speed": 300 * CM,
        "slope_speed": SlopeSpeed.HORIZONTAL,  # bMaintainHorizontalGroundVelocity
    },
    "Jolt CharacterVirtual": {
        "radius": 0.3,
        "height": 1.35 + 2 * 0.3,
        "slope_limit": math.radians(50),
        "step_offset": 0.4,
        "skin_width": 0.02,
        "ground_snap": 0.5,
        "gravity": 9.81,
        "speed": 6.0,
        "jump_height": rise(4, 9.81),
        "crouch_height": 0.8 + 2 * 0.3,
        "max_slides": 5,
        "slope_speed": SlopeSpeed.PROJECTED,
    },
    "Rapier": {
        **PERSON,
        "slope_limit": math.radians(45),
        "step_offset": 0.0,
        "skin_width": 0.01 * 1.8,
        "ground_snap": 0.2 * 1.8,
        "max_slides": 20,
        "slope_speed": SlopeSpeed.PROJECTED,
    },
    "Bullet": {
        **PERSON,
        "slope_limit": math.radians(45),
        "step_offset": DEFAULTS.step_offset,
        "skin_width": 0.02,
        "ground_snap": DEFAULTS.step_offset,
        "gravity": 29.4,
        "terminal_speed": 55.0,
        "jump_height": rise(10, 29.4),
        "max_slides": 10,
    },
    "Quake III": {
        "radius": 15 * INCH,
        "height": (32 + 24) * INCH,
        "slope_limit": math.acos(0.7),
        "step_offset": 18 * INCH,
        "skin_width": 0.125 * INCH,
        "ground_snap": 0.25 * INCH,
        "gravity": 800 * INCH,
        "speed": 320 * INCH,
        "acceleration": 10 * 320 * INCH,
        "air_acceleration": 320 * INCH,
        # Friction 6: from 320 down to the stop speed of 100 by exp(-6 t), from there evenly by 600 a second.
        "deceleration": even_stop(320, 220 / 6 + rise(100, 600)) * INCH,
        "jump_height": rise(270, 800) * INCH,
        "crouch_height": (16 + 24) * INCH,
        "crouch_speed": 0.25 * 320 * INCH,
        "max_slides": 4,
        "slope_speed": SlopeSpeed.SURFACE,
    },
}


def test_there_is_a_preset_for_each_engine():
    assert list(PRESETS) == list(EXPECTED)


@pytest.mark.parametrize(("engine", "name"), [(engine, name) for engine, values in EXPECTED.items() for name in values])
def test_the_numbers_are_those_of_the_engine(engine, name):
    value = getattr(PRESETS[engine].settings(), name)
    expected = EXPECTED[engine][name]

    assert value == (expected if name == "slope_speed" else pytest.approx(expected, rel=1e-4, abs=1e-12))


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_what_a_preset_does_not_give_is_the_default(preset):
    settings = preset.settings()

    assert set(preset.values) <= {field.name for field in fields(Settings)}
    for field in fields(Settings):
        if field.name not in preset.values:
            assert getattr(settings, field.name) == getattr(DEFAULTS, field.name)


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_each_says_where_it_is_from_how_it_was_converted_and_what_it_leaves_out(preset):
    for texts in (preset.source, preset.conversions, preset.not_reproduced):
        assert texts
        assert all(text == text.strip() and text and not text.endswith(".") for text in texts)


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_a_height_or_speed_that_was_chosen_here_is_said_so(preset):
    said = " ".join(preset.conversions)

    if (preset.values["radius"], preset.values["height"]) == (0.3, 1.8):
        assert "a person, radius 0.3 m, total height 1.8 m" in said
    if "speed" not in preset.values:
        assert "Level Walk's own" in said


def test_the_file_holds_no_names_that_are_not_read():
    for entry in json.loads(FILE.read_text(encoding="utf-8")):
        assert set(entry) == {"name", "source", "settings", "conversions", "not_reproduced"}


def test_presets_cannot_be_changed_by_their_users():
    with pytest.raises(TypeError):
        PRESETS["Rapier"].values["radius"] = 1.0


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_every_one_of_them_walks(preset):
    trace = simulate(World.build(sample_level()), preset.settings(), SAMPLE_START, sample_walk(), steps=60)

    assert abs(trace.position[-1, 0, 0] - SAMPLE_START[0]) > 0.3
    assert trace.position[-1, 0, 2] > -0.1
