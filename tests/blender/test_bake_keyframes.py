"""Baking a take: the keys are where the walk was, at the scene's frame rate, and nothing else is touched."""

import dataclasses
import math

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")
from blender.scenes import curves_of, keys_of, straight_take, turning_take, update  # noqa: E402

from levelwalk.operators.from_blender import read_take  # noqa: E402
from levelwalk.operators.readiness import missing_freedom  # noqa: E402
from levelwalk.operators.to_blender import keep_take  # noqa: E402


def bake(take, **options):
    """Keep a take and bake it; return the character's curves."""
    scene = bpy.context.scene
    keep_take(scene, take)
    assert bpy.ops.levelwalk.bake_keyframes(**options) == {"FINISHED"}
    return curves_of(scene.levelwalk.character)


@pytest.mark.parametrize(
    ("fps", "fps_base", "frames"),
    [
        pytest.param(24, 1.0, 48, id="24"),
        pytest.param(25, 1.0, 50, id="25"),
        pytest.param(30, 1.001, 60, id="29.97, the end falls between two frames"),
        pytest.param(60, 1.0, 120, id="60, a key a step"),
        pytest.param(120, 1.0, 240, id="120, between the steps"),
        pytest.param(10, 3.0, 7, id="a frame in 0.3 s"),
    ],
)
def test_keys_are_at_the_frame_rate_of_the_scene(scene, character, fps, fps_base, frames):
    scene.render.fps, scene.render.fps_base = fps, fps_base

    curves = bake(straight_take(metres=8.0, seconds=2.0), frame_start=10)

    numbers, values = keys_of(curves["location", 1])
    np.testing.assert_array_equal(numbers, 10 + np.arange(frames + 1))
    seconds = np.minimum((numbers - 10) * fps_base / fps, 2.0)
    np.testing.assert_allclose(values, -4.0 * seconds, atol=1e-5)
    assert set(curves) == {("location", i) for i in range(3)} | {("rotation_euler", i) for i in range(3)}


def test_the_action_is_named_after_the_take_and_moves_the_character(scene, character):
    keep_take(scene, straight_take(metres=4.0, seconds=1.0, start=(1, 2, 3)))
    scene.levelwalk.takes[0].name = "To the door"

    bpy.ops.levelwalk.bake_keyframes(frame_start=1)

    assert character.animation_data.action.name == "To the door"
    for frame, y in ((1, 2.0), (13, 0.0), (25, -2.0)):
        scene.frame_set(frame)
        np.testing.assert_allclose(character.matrix_world.translation, (1, y, 3), atol=1e-5)


def test_the_current_frame_stays(scene, character):
    scene.frame_set(7)

    bake(straight_take(), frame_start=1)

    assert scene.frame_current == 7


@pytest.mark.parametrize("mode", ["XYZ", "ZYX", "QUATERNION", "AXIS_ANGLE"])
def test_the_heading_turns_with_the_take_in_every_rotation_mode(scene, character, mode):
    character.rotation_mode = mode

    bake(turning_take(turns=2, seconds=2), frame_start=0)

    for frame in range(0, 49, 6):
        scene.frame_set(frame)
        turned = character.matrix_world.to_quaternion()
        expected = math.radians(720 * frame / 48)
        assert math.cos(turned.to_euler().z - expected) == pytest.approx(1, abs=1e-5)


def test_euler_angles_go_on_past_whole_turns(scene, character):
    curves = bake(turning_take(turns=2, seconds=2), frame_start=0)

    _, angles = keys_of(curves["rotation_euler", 2])
    np.testing.assert_allclose(angles, np.radians(np.linspace(0, 720, 49)), atol=1e-4)


def test_the_scale_and_a_lean_stay(scene, character):
    character.scale = (-1, 2, 3)
    character.rotation_euler = (0.3, 0, 0)
    update()

    curves = bake(turning_take(), frame_start=0)

    assert ("scale", 0) not in curves
    np.testing.assert_allclose(keys_of(curves["rotation_euler", 0])[1], 0.3, atol=1e-4)
    assert tuple(character.scale) == (-1, 2, 3)


def test_a_parent_that_moves_and_turns_is_taken_into_account(scene, character):
    platform = bpy.data.objects.new("Platform", None)
    scene.collection.objects.link(platform)
    for frame, x in ((1, 0.0), (25, 12.0)):
        platform.location.x = x
        platform.rotation_euler.z = x / 10
        platform.keyframe_insert("location", frame=frame)
        platform.keyframe_insert("rotation_euler", frame=frame)
    character.parent = platform
    scene.frame_set(9)

    bake(straight_take(metres=4.0, seconds=1.0), frame_start=1)

    for frame in (1, 7, 13, 25):
        scene.frame_set(frame)
        place = (0, -4.0 * (frame - 1) / 24, 0)
        np.testing.assert_allclose(character.matrix_world.translation, place, atol=1e-4)
        np.testing.assert_allclose(character.matrix_world.to_euler(), (0, 0, 0), atol=1e-5)  # faces -Y, as it walks


def test_places_are_in_the_units_of_the_scene(scene, character):
    scene.unit_settings.scale_length = 0.01

    curves = bake(straight_take(metres=2.0), frame_start=1)

    assert keys_of(curves["location", 1])[1][-1] == pytest.approx(-200, rel=1e-5)


def stairs_take(rise=0.2, run=0.3, speed=4.0, dt=1 / 60):
    """Return a take that walks 2 m along -Y, up five steps, and 3 m on; each step lifts at once."""
    take = straight_take(metres=6.5, seconds=6.5 / speed, dt=dt)
    way = -take.position[:, 1]
    height = rise * np.clip(np.floor((way - 2 - 1e-9) / run) + 1, 0, 5)
    return dataclasses.replace(take, position=take.position + height[:, None] * [0, 0, 1])


def heights(curves):
    return keys_of(curves["location", 2])[1]


@pytest.mark.parametrize("scale", [1.0, 0.01])
def test_steps_are_smoothed_if_asked_and_only_the_height_changes(scene, character, scale):
    """Over 0.6 m a step of 0.2 m lifts with two times v² h / d² at most, two of them being within reach."""
    scene.unit_settings.scale_length = scale
    scene.render.fps = 60
    exact = bake(stairs_take(), frame_start=1)
    sudden, along = heights(exact) * scale, keys_of(exact["location", 1])[1]

    curves = bake(stairs_take(), frame_start=1, smooth_steps=0.6 / scale)

    even = heights(curves) * scale
    np.testing.assert_array_equal(keys_of(curves["location", 1])[1], along)
    assert np.abs(np.diff(sudden, n=2)).max() * 60**2 == pytest.approx(0.2 * 60**2, rel=1e-4)
    assert np.abs(np.diff(even, n=2)).max() * 60**2 <= 1.1 * 2 * 4.0**2 * 0.2 / 0.6**2
    assert 0.05 < np.abs(even - sudden).max() <= 0.3
    np.testing.assert_allclose(even[[0, -1]], sudden[[0, -1]], atol=1e-6)


def test_the_length_of_the_smoothing_is_that_of_the_scene_if_none_is_given(scene, character):
    exact = heights(bake(stairs_take()))
    scene.levelwalk.smooth_steps = 0.6

    even = heights(bake(stairs_take()))
    again = heights(bake(stairs_take(), smooth_steps=0.0))

    assert np.abs(even - exact).max() > 0.05
    np.testing.assert_array_equal(again, exact)


def test_smoothing_leaves_the_take_as_it_is(scene, character):
    bake(stairs_take(), smooth_steps=0.6)

    kept = read_take(scene.levelwalk.takes[0])
    np.testing.assert_array_equal(kept.position, stairs_take().position)


def test_the_scene_takes_the_range_of_the_walk_if_asked(scene, character):
    bake(straight_take(seconds=1.0), frame_start=100)
    assert (scene.frame_start, scene.frame_end) == (1, 250)

    bpy.ops.levelwalk.bake_keyframes(frame_start=100, is_range_set=True)
    assert (scene.frame_start, scene.frame_end) == (100, 124)


def test_baking_is_one_undo_step(scene, character):
    name = character.name
    keep_take(scene, straight_take())
    bpy.ops.ed.undo_push(message="before")

    bpy.ops.levelwalk.bake_keyframes("EXEC_DEFAULT", True, frame_start=1)
    assert bpy.data.objects[name].animation_data is not None
    bpy.ops.ed.undo()

    assert bpy.data.objects[name].animation_data is None
    assert len(bpy.context.scene.levelwalk.takes) == 1


def test_another_action_is_kept_and_one_of_the_same_name_is_written_over(scene, character):
    character.keyframe_insert("location", frame=1)
    mine = character.animation_data.action.name

    bake(straight_take(seconds=1.0), frame_start=1)
    assert bpy.data.actions[mine].use_fake_user
    bpy.ops.levelwalk.bake_keyframes(frame_start=50)

    assert {action.name for action in bpy.data.actions} == {mine, "Walk 1"}
    numbers, _ = keys_of(curves_of(character)["location", 0])
    np.testing.assert_array_equal(numbers, 50 + np.arange(25))


def test_a_second_character_does_not_lose_its_keys(scene, character):
    bake(straight_take(), frame_start=1)
    other = bpy.data.objects.new("Other", None)
    scene.collection.objects.link(other)
    scene.levelwalk.character = other

    bpy.ops.levelwalk.bake_keyframes(frame_start=1)

    assert other.animation_data.action != character.animation_data.action
    scene.frame_set(25)
    for ob in (character, other):
        assert ob.location.y == pytest.approx(-4, abs=1e-5)


def bake_active(scene, index):
    scene.levelwalk.active_take = index
    bpy.ops.levelwalk.bake_keyframes(frame_start=1)


def test_baking_takes_in_turn_makes_one_action_each(scene, character):
    keep_take(scene, straight_take(metres=4.0))
    keep_take(scene, straight_take(metres=2.0))

    for index, metres in ((0, 4.0), (1, 2.0), (0, 4.0), (1, 2.0), (0, 4.0)):
        bake_active(scene, index)
        assert character.animation_data.action.name == f"Walk {index + 1}"
        scene.frame_set(25)
        assert character.location.y == pytest.approx(-metres, abs=1e-5)

    assert {action.name for action in bpy.data.actions} == {"Walk 1", "Walk 2"}


def test_an_action_that_only_has_the_name_of_the_take_is_left_alone(scene, character):
    mine = bpy.data.actions.new("Walk 1")
    mine.use_fake_user = True

    for _ in range(2):
        bake(straight_take(), frame_start=1)
        scene.levelwalk.takes.clear()

    assert character.animation_data.action.name == "Walk 1.001"
    assert {action.name for action in bpy.data.actions} == {"Walk 1", "Walk 1.001"}
    assert not mine.fcurves if hasattr(mine, "fcurves") else not mine.layers


def test_a_character_that_was_renamed_is_baked_to_the_same_action(scene, character):
    bake(straight_take(), frame_start=1)
    character.name = "Hero"
    bake(straight_take(), frame_start=1)  # Walk 2

    bake_active(scene, 0)

    assert {action.name for action in bpy.data.actions} == {"Walk 1", "Walk 2"}
    scene.frame_set(25)
    assert character.location.y == pytest.approx(-4, abs=1e-5)


def test_the_start_frame_is_that_of_the_scene_if_none_is_given(scene, character):
    scene.levelwalk.bake_start = 40

    for options, first in (({}, 40), ({"frame_start": 7}, 7), ({}, 40)):
        curves = bake(straight_take(), **options)
        assert keys_of(curves["location", 1])[0][0] == first


def test_the_first_key_has_no_whole_turns_of_the_walk_before(scene, character):
    character.rotation_euler.z = math.radians(-360)
    update()

    curves = bake(turning_take(turns=-1), frame_start=1)

    angles = keys_of(curves["rotation_euler", 2])[1]
    np.testing.assert_allclose((angles[0], angles[-1]), (0, -2 * math.pi), atol=1e-4)


def lock_location(character):
    character.lock_location[1] = True
    return "location Y of “Character” is locked"


def lock_rotation(character):
    character.lock_rotation[2] = True
    return "rotation Z of “Character” is locked"


def add_driver(character):
    character.driver_add("location", 0).driver.expression = "1"
    return "drivers move “Character”"


def add_delta_driver(character):
    character.driver_add("delta_rotation_euler", 2).driver.expression = "frame"
    return "drivers move “Character” by its delta_rotation_euler"


def add_constraint(character):
    character.constraints.new("LIMIT_LOCATION").name = "Fence"
    return "the constraint “Fence” moves “Character” too: disable or apply it"


def lock_curves(character):
    bpy.ops.levelwalk.bake_keyframes(frame_start=1)
    curves_of(character)["location", 0].lock = True
    return "the action “Walk 1” has locked channels"


@pytest.mark.parametrize(
    "obstacle", [lock_location, lock_rotation, add_driver, add_delta_driver, add_constraint, lock_curves]
)
def test_what_is_locked_or_driven_is_refused_and_left_alone(scene, character, obstacle):
    keep_take(scene, straight_take(towards=(0.6, -0.8)))
    message = obstacle(character)
    actions = {action.name for action in bpy.data.actions}

    with pytest.raises(RuntimeError, match=message):
        bpy.ops.levelwalk.bake_keyframes(frame_start=9)

    assert {action.name for action in bpy.data.actions} == actions


@pytest.mark.parametrize("obstacle", [lock_location, lock_rotation, add_driver, add_delta_driver, add_constraint])
def test_what_is_locked_or_driven_is_said_before_the_walk(scene, character, obstacle):
    assert missing_freedom(bpy.context) == ""

    message = obstacle(character)

    assert missing_freedom(bpy.context).startswith(message[:1].upper() + message[1:])


@pytest.mark.parametrize(
    ("kind", "options"),
    [("LIMIT_LOCATION", {"influence": 0.0}), ("LIMIT_LOCATION", {"mute": True}), ("LIMIT_SCALE", {})],
)
def test_constraints_that_do_not_move_the_character_do_not_matter(scene, character, kind, options):
    constraint = character.constraints.new(kind)
    for name, value in options.items():
        setattr(constraint, name, value)

    assert missing_freedom(bpy.context) == ""


def test_a_lock_of_the_axis_that_the_walk_keeps_to_does_not_matter(scene, character):
    character.lock_location[1] = True
    scene.levelwalk.use_plane_lock = True
    scene.levelwalk.plane_lock = (0, 1, 0)

    assert missing_freedom(bpy.context) == ""


def test_locks_of_channels_that_stay_as_they_are_do_not_matter(scene, character):
    character.lock_rotation = (True, True, False)
    character.lock_location = (True, False, True)

    bake(straight_take(), frame_start=1)


def test_a_linked_character_is_refused(scene, tmp_path):
    kit = bpy.data.collections.new("Kit")
    kit.objects.link(bpy.data.objects.new("Hero", None))
    file = str(tmp_path / "kit.blend")
    bpy.data.libraries.write(file, {kit})
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    with bpy.data.libraries.load(file, link=True) as (_, linked):
        linked.collections = ["Kit"]
    scene.collection.children.link(linked.collections[0])
    scene.levelwalk.character = bpy.data.objects["Hero"]
    keep_take(scene, straight_take())

    with pytest.raises(RuntimeError, match="“Hero” is linked from another file"):
        bpy.ops.levelwalk.bake_keyframes(frame_start=1)


def test_an_overridden_character_is_baked_to_an_action_of_its_own(scene, tmp_path):
    kit = bpy.data.collections.new("Kit")
    hero = bpy.data.objects.new("Hero", None)
    kit.objects.link(hero)
    hero.keyframe_insert("location", frame=1)
    file = str(tmp_path / "kit.blend")
    bpy.data.libraries.write(file, {kit})
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    with bpy.data.libraries.load(file, link=True) as (_, linked):
        linked.collections = ["Kit"]
    scene.collection.children.link(linked.collections[0])
    linked.collections[0].override_hierarchy_create(scene, bpy.context.view_layer, do_fully_editable=True)
    scene.levelwalk.character = next(ob for ob in bpy.data.objects if ob.override_library)

    bake(straight_take(), frame_start=1)

    action = scene.levelwalk.character.animation_data.action
    assert action.library is None
    scene.frame_set(25)
    assert scene.levelwalk.character.location.y == pytest.approx(-4, abs=1e-5)


@pytest.mark.parametrize(
    ("prepare", "message"),
    [
        (lambda scene: None, "There is no take yet"),
        (lambda scene: keep_take(scene, straight_take()), "Choose a character"),
    ],
    ids=["no take", "no character"],
)
def test_the_button_says_what_is_missing(scene, prepare, message):
    prepare(scene)

    with pytest.raises(RuntimeError, match=message):
        bpy.ops.levelwalk.bake_keyframes()


def test_a_damaged_take_is_refused(scene, character):
    keep_take(scene, straight_take()).content = "broken"

    with pytest.raises(RuntimeError, match="“Walk 1” cannot be read"):
        bpy.ops.levelwalk.bake_keyframes()
