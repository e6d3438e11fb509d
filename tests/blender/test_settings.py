"""The scene's settings: the core's defaults and words, in the scene's units, kept in the file."""

import math
from dataclasses import fields

import pytest

bpy = pytest.importorskip("bpy")
from blender.scenes import straight_take  # noqa: E402

from levelwalk.core import Settings, SlopeSpeed  # noqa: E402
from levelwalk.core.settings import describe  # noqa: E402
from levelwalk.operators.from_blender import metres_per_unit, read_settings, read_take  # noqa: E402
from levelwalk.operators.to_blender import keep_take  # noqa: E402

SHOWN = [field.name for field in fields(Settings) if field.name != "up"]  # Blender's up is Z


def test_a_new_scene_has_the_defaults_of_the_core(scene):
    assert read_settings(scene) == Settings()


@pytest.mark.parametrize("name", SHOWN)
def test_each_setting_of_the_core_can_be_edited_and_shows_its_description(scene, name):
    assert scene.levelwalk.bl_rna.properties[name].description == describe(name)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("radius", 0.45),
        ("height", 2.1),
        ("step_offset", 0.0),
        ("slope_limit", math.radians(50)),
        ("slope_limit", math.radians(33.3)),
        ("gravity", 25.0),
        ("jump_height", 2.3),
        ("max_slides", 7),
    ],
)
def test_what_is_typed_is_what_the_core_gets(scene, name, value):
    setattr(scene.levelwalk, name, value)

    assert getattr(read_settings(scene), name) == pytest.approx(value, abs=1e-12)


def test_a_slope_speed_is_chosen_by_name(scene):
    scene.levelwalk.slope_speed = "PROJECTED"

    assert read_settings(scene).slope_speed is SlopeSpeed.PROJECTED


@pytest.mark.parametrize("name", ["acceleration", "air_acceleration"])
def test_accelerations_are_infinite_until_they_are_limited(scene, name):
    setattr(scene.levelwalk, name, 12.0)
    assert getattr(read_settings(scene), name) == math.inf

    setattr(scene.levelwalk, f"use_{name}", True)
    assert getattr(read_settings(scene), name) == 12.0


def test_settings_that_make_no_character_are_refused_by_name(scene):
    scene.levelwalk.height = 0.5

    with pytest.raises(ValueError, match="height must be at least twice the radius"):
        read_settings(scene)


@pytest.mark.parametrize("name", ["radius", "jump_height", "speed", "gravity"])
def test_lengths_speeds_and_accelerations_are_in_the_units_of_the_scene(scene, name):
    scene.unit_settings.scale_length = 0.01
    setattr(scene.levelwalk, name, 50.0)
    scene.levelwalk.height = 500.0

    assert getattr(read_settings(scene), name) == pytest.approx(0.5, rel=1e-9)


def test_angles_have_no_scale(scene):
    scene.unit_settings.scale_length = 0.01
    scene.levelwalk.character = bpy.data.objects.new("Character", None)

    assert read_settings(scene).slope_limit == Settings().slope_limit


def test_a_scene_without_units_is_in_metres(scene):
    scene.unit_settings.scale_length = 0.01
    scene.unit_settings.system = "NONE"

    assert metres_per_unit(scene) == 1.0


def test_choosing_a_character_gives_it_its_size_in_a_scene_in_centimetres(scene):
    scene.unit_settings.scale_length = 0.01
    scene.levelwalk.radius = 25.0  # chosen before, and kept

    scene.levelwalk.character = bpy.data.objects.new("Character", None)

    assert scene.levelwalk.height == pytest.approx(180.0)
    settings = read_settings(scene)
    assert settings.radius == pytest.approx(0.25)
    assert (settings.height, settings.speed, settings.gravity) == pytest.approx((1.8, 4.0, 9.81))


def test_settings_and_takes_survive_saving_and_loading(scene, tmp_path):
    take = straight_take(metres=2.0)
    scene.levelwalk.radius = 0.4
    scene.levelwalk.character = bpy.data.objects.new("Hero", None)
    scene.collection.objects.link(scene.levelwalk.character)
    keep_take(scene, take)

    file = str(tmp_path / "kept.blend")
    bpy.ops.wm.save_as_mainfile(filepath=file)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    assert not bpy.context.scene.levelwalk.takes
    bpy.ops.wm.open_mainfile(filepath=file)

    group = bpy.context.scene.levelwalk
    assert group.character.name == "Hero"
    assert read_settings(bpy.context.scene).radius == 0.4
    assert [item.name for item in group.takes] == ["Walk 1"]
    assert (read_take(group.takes[0]).position == take.position).all()


def test_takes_get_names_of_their_own(scene):
    for _ in range(3):
        keep_take(scene, straight_take())
    scene.levelwalk.active_take = 1
    bpy.ops.levelwalk.remove_take()
    keep_take(scene, straight_take())

    assert [item.name for item in scene.levelwalk.takes] == ["Walk 1", "Walk 3", "Walk 2"]
    assert scene.levelwalk.active_take == 2


def test_removing_the_last_take_leaves_the_one_before_it_active(scene):
    keep_take(scene, straight_take())
    keep_take(scene, straight_take())

    bpy.ops.levelwalk.remove_take()

    assert scene.levelwalk.active_take == 0
    bpy.ops.levelwalk.remove_take()
    with pytest.raises(RuntimeError, match="There is no take"):
        bpy.ops.levelwalk.remove_take()
