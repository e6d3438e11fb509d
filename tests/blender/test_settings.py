"""The scene's settings: the core's defaults and words, in the scene's units, kept in the file."""

import math
from dataclasses import fields

import pytest

bpy = pytest.importorskip("bpy")
from blender.scenes import straight_take  # noqa: E402

from levelwalk.core import Facing, JumpDirection, LedgeGuard, Movement, Settings, SlopeSpeed  # noqa: E402
from levelwalk.core.settings import describe  # noqa: E402
from levelwalk.operators.from_blender import metres_per_unit, read_settings, read_take  # noqa: E402
from levelwalk.operators.to_blender import keep_take, write_settings  # noqa: E402
from levelwalk.operators.units import LENGTHS, SWITCHED_OFF, UNITS  # noqa: E402

SHOWN = [field.name for field in fields(Settings) if field.name != "up"]  # Blender's up is Z
NUMBERS = [name for name in SHOWN if isinstance(getattr(Settings(), name), float)]
# Each setting with another value than its default.
OTHER = {
    **{name: 0.5 * getattr(Settings(), name) for name in NUMBERS if 0 < getattr(Settings(), name) < math.inf},
    **{name: 0.375 for name in NUMBERS if getattr(Settings(), name) in (0, math.inf)},
    "height": 1.25,
    "holds_on_slopes": False,
    "air_jumps": 2,
    "max_slides": 7,
    "plane_lock": (0.0, 1.0, 0.0),
    "movement": Movement.MOMENTUM,
    "slope_speed": SlopeSpeed.PROJECTED,
    "ledge_guard": LedgeGuard.SLIDE,
    "jump_direction": JumpDirection.NORMAL,
    "facing": Facing.WISH,
}


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
        ("coyote_time", 0.15),
        ("jump_release", 0.45),
        ("crouch_height", 0.95),
    ],
)
def test_what_is_typed_is_what_the_core_gets(scene, name, value):
    setattr(scene.levelwalk, name, value)

    assert getattr(read_settings(scene), name) == pytest.approx(value, abs=1e-12)


def test_a_slope_speed_is_chosen_by_name(scene):
    scene.levelwalk.slope_speed = "PROJECTED"

    assert read_settings(scene).slope_speed is SlopeSpeed.PROJECTED


def test_every_number_has_a_unit():
    assert set(UNITS) == set(NUMBERS)


@pytest.mark.parametrize("name", NUMBERS)
def test_what_the_core_lets_be_infinite_has_a_check_box_and_nothing_else_has(name):
    try:
        Settings(**{name: math.inf})
        may_be_infinite = True
    except ValueError:
        may_be_infinite = False

    assert (SWITCHED_OFF.get(name) == math.inf) == may_be_infinite


@pytest.mark.parametrize("name", [name for name in SWITCHED_OFF if name != "plane_lock"])
def test_limits_count_once_their_check_box_is_on(scene, name):
    setattr(scene.levelwalk, name, 12.0)
    assert getattr(read_settings(scene), name) == math.inf

    setattr(scene.levelwalk, f"use_{name}", True)
    assert getattr(read_settings(scene), name) == pytest.approx(12.0, abs=1e-5)


@pytest.mark.parametrize("name", SWITCHED_OFF)
def test_a_check_box_offers_a_number_that_makes_a_difference(scene, name):
    setattr(scene.levelwalk, f"use_{name}", True)

    assert getattr(read_settings(scene), name) != SWITCHED_OFF[name]


def test_a_locked_direction_is_one_of_length_1(scene):
    scene.levelwalk.use_plane_lock = True
    scene.levelwalk.plane_lock = (1, 1, 0)

    assert read_settings(scene).plane_lock == pytest.approx((math.sqrt(0.5), math.sqrt(0.5), 0))


@pytest.mark.parametrize("scale", [1.0, 0.01])
@pytest.mark.parametrize("name", SHOWN)
def test_every_setting_goes_into_the_scene_and_comes_back(scene, name, scale):
    scene.unit_settings.scale_length = scale
    settings = Settings(**{name: OTHER[name]})
    assert settings != Settings()

    write_settings(scene, settings)

    back = read_settings(scene)
    expected = getattr(settings, name)
    assert getattr(back, name) == (pytest.approx(expected, rel=1e-6) if name in NUMBERS else expected)
    assert {other for other in SHOWN if getattr(back, other) != getattr(Settings(), other)} == {name}


def test_switching_off_keeps_the_number_for_the_next_time(scene):
    write_settings(scene, Settings(acceleration=30.0))
    write_settings(scene, Settings())

    assert read_settings(scene).acceleration == math.inf
    assert scene.levelwalk.acceleration == 30.0


@pytest.mark.parametrize("enum", [Movement, SlopeSpeed, LedgeGuard, JumpDirection, Facing])
def test_every_choice_of_the_core_is_offered_and_explained(scene, enum):
    name = next(name for name in SHOWN if isinstance(getattr(Settings(), name), enum))
    items = scene.levelwalk.bl_rna.properties[name].enum_items

    assert set(items.keys()) == {choice.value for choice in enum}
    assert all(item.description and item.name != item.identifier for item in items)


def test_settings_that_make_no_character_are_refused_by_name(scene):
    scene.levelwalk.height = 0.5

    with pytest.raises(ValueError, match="height must be at least twice the radius"):
        read_settings(scene)


@pytest.mark.parametrize("name", [name for name in LENGTHS if name != "height"])
def test_lengths_speeds_and_accelerations_are_in_the_units_of_the_scene(scene, name):
    scene.unit_settings.scale_length = 0.01
    scene.levelwalk.height, scene.levelwalk.radius = 500.0, 60.0
    setattr(scene.levelwalk, name, 50.0)
    if name in SWITCHED_OFF:
        setattr(scene.levelwalk, f"use_{name}", True)

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
