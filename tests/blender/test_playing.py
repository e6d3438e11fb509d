"""A walk in progress, driven without its window's events: what it moves, what it borrows, and that it gives it back."""

import math
import time

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")
from blender.scenes import add_cube, update  # noqa: E402
from mathutils import Euler  # noqa: E402

import levelwalk  # noqa: E402
from levelwalk.core import Event, EventKind, Settings  # noqa: E402
from levelwalk.operators.play import new_session  # noqa: E402
from levelwalk.operators.playing import begin_play, current_play, end_play  # noqa: E402
from levelwalk.operators.readiness import missing_character, missing_level, missing_object_mode  # noqa: E402


def draw_nothing(header, context):
    """Stand for the status bar's drawing."""


def is_status_bar_its_own():
    from bl_ui.space_statusbar import STATUSBAR_HT_header

    return STATUSBAR_HT_header.draw is getattr(STATUSBAR_HT_header, "_draw_orig", STATUSBAR_HT_header.draw)


@pytest.fixture
def view():
    """Return the 3D View that the empty file shows."""
    return next(area for area in bpy.context.screen.areas if area.type == "VIEW_3D")


@pytest.fixture
def play(scene, floor, character, view):
    """Return a walk in progress on the floor, in that view."""
    window = bpy.context.window
    character.location = (1, 2, 0.02)
    view.spaces.active.region_3d.view_location = (9, 9, 9)
    with bpy.context.temp_override(window=window, area=view):
        yield begin_play(bpy.context, new_session(bpy.context), draw_nothing)
        end_play()


def walk(play, seconds=0.2, key="W"):
    """Hold a key for some time, as the timer's events would find it."""
    play.keys.press(key)
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        time.sleep(0.02)
        play.tick(bpy.context)
    play.keys.release(key)


def test_it_moves_the_character_and_the_view_with_it(play, character, view):
    before = np.array(view.spaces.active.region_3d.view_location)

    walk(play)

    moved = np.array(character.location) - (1, 2, 0.02)
    assert np.linalg.norm(moved[:2]) > 0.3  # 0.2 s at 4 m/s are 0.8 m; a machine may be slow
    np.testing.assert_allclose(np.array(view.spaces.active.region_3d.view_location) - before, moved, atol=1e-4)


def test_it_begins_with_the_character_in_the_middle_of_the_view(play, view):
    region = view.spaces.active.region_3d

    np.testing.assert_allclose(region.view_location, (1, 2, 0.02 + 0.9), atol=1e-5)
    assert region.view_distance <= 6 * 1.8 + 1e-5


def test_keeping_gives_the_walk_and_leaves_the_character_where_it_went(play, character):
    walk(play)
    play.tick(bpy.context)

    take = end_play(is_kept=True)

    assert current_play() is None
    np.testing.assert_allclose(character.location, take.position[-1], atol=1e-5)
    np.testing.assert_allclose(take.position[0], (1, 2, 0.02), atol=1e-6)
    assert is_status_bar_its_own()


def test_cancelling_puts_character_and_view_back(play, character, view):
    walk(play)
    play.viewport.orbit(100, 50)
    play.viewport.zoom(2)

    assert end_play() is None

    assert tuple(character.location) == pytest.approx((1, 2, 0.02))
    assert tuple(character.rotation_euler) == (0, 0, 0)
    assert tuple(view.spaces.active.region_3d.view_location) == (9, 9, 9)
    assert is_status_bar_its_own()


def test_the_mouse_turns_the_view_about_up(play, view):
    region = view.spaces.active.region_3d
    region.view_rotation = Euler((1.0, 0, 0.5)).to_quaternion()
    rate = bpy.context.preferences.inputs.view_rotate_sensitivity_turntable

    play.drag((100, 100))
    for x, y in ((150, 100), (200, 80)):  # two moves without a redraw between them
        play.drag((x, y))
    play.drag(None)
    play.drag((0, 0))  # the button is down again, elsewhere

    np.testing.assert_allclose(region.view_rotation.to_euler(), (1.0 - 20 * rate, 0, 0.5 - 100 * rate), atol=1e-5)


def test_the_view_does_not_turn_over(play, view):
    region = view.spaces.active.region_3d

    play.viewport.orbit(0, 1e5)
    assert math.degrees(region.view_rotation.to_euler().x) == pytest.approx(178, abs=0.1)
    play.viewport.orbit(0, -1e5)
    assert math.degrees(region.view_rotation.to_euler().x) == pytest.approx(2, abs=0.1)


def test_keeping_a_walk_of_no_steps_is_cancelling(play):
    assert end_play(is_kept=True) is None


def load_a_file():
    bpy.ops.wm.read_factory_settings(use_empty=True)


def undo():
    bpy.ops.ed.undo_push(message="one")
    bpy.ops.ed.undo_push(message="two")
    bpy.ops.ed.undo()


def disable():
    levelwalk.unregister()
    levelwalk.register()


@pytest.mark.parametrize("way_out", [load_a_file, undo, disable])
def test_every_way_out_ends_it(play, way_out):
    walk(play, 0.05)

    way_out()

    assert current_play() is None
    assert is_status_bar_its_own()


def test_disabling_puts_the_character_back(play, character):
    walk(play)

    disable()

    assert tuple(character.location) == pytest.approx((1, 2, 0.02))


def test_a_character_that_goes_away_is_an_error_that_names_it(play, character):
    bpy.data.objects.remove(character)

    with pytest.raises(LookupError, match="“Character” is gone"):
        play.tick(bpy.context)
    end_play()

    assert is_status_bar_its_own()


def test_a_start_inside_the_level_is_told(scene, floor, character, view):
    add_cube("Block", location=(1.1, 0, 1))  # its face is 0.2 m inside the capsule at the origin
    update()
    with bpy.context.temp_override(window=bpy.context.window, area=view):
        play = begin_play(bpy.context, new_session(bpy.context), draw_nothing)
        time.sleep(0.03)
        message = play.tick(bpy.context)
        end_play()

    assert message.startswith("The character was inside “Block” and was moved out of a depth of 0.20 m")


def first_message(view, seconds):
    """Return what the first tick of a walk says that comes late, so that it takes several steps."""
    update()
    with bpy.context.temp_override(window=bpy.context.window, area=view):
        play = begin_play(bpy.context, new_session(bpy.context), draw_nothing)
        time.sleep(seconds)
        message = play.tick(bpy.context)
        end_play()
    return message


def overlap(step, name, depth):
    return Event(step, 0, EventKind.OVERLAP, (1.0, 2.0, 0.0), (0.0, 0.0, 1.0), name, depth)


def test_of_steps_out_of_the_level_on_end_the_deepest_is_told(play):
    for _ in range(12):
        play.session.step()

    told = [
        play._words(overlap(*event)).split(" and was")[0]
        for event in [(0, "Rock", 2.02), (1, "Floor", 0.04), (2, "Crag", 2.5), (9, "Wall", 0.1)]
    ]

    assert told == [f"The character was inside “{name}”" for name in ("Rock", "Rock", "Crag", "Wall")]
    assert play._words(overlap(10, "Floor", 0.04)).endswith("a depth of 0.10 m")


def test_a_start_that_a_floor_cuts_through_is_told(scene, floor, character, view):
    character.location = (1, 0, -0.1)

    message = first_message(view, 0.1)

    assert message == "The character was inside “Floor” and was moved out of a depth of 0.10 m"


def test_a_start_that_is_inside_by_rounding_alone_is_not_told(play):
    play.session.step()

    assert play._words(overlap(0, "Floor", 1e-6)) == ""


def test_a_start_inside_a_solid_is_told(scene, floor, character, view):
    add_cube("Rock", location=(0, 0, 1)).scale = (2, 2, 2)  # its nearest side is 1.7 m away, at x = 2; capsule 0.3 m
    character.location = (1.0, 0, 0.5)

    message = first_message(view, 0.1)

    # Out of the side at x = 2, by the radius more than the way of the axis.
    assert message == "The character was inside “Rock” and was moved out of a depth of 1.30 m"


def test_an_overlap_without_a_name_is_given_that_of_what_is_nearest(play, floor):
    event = Event(0, 0, EventKind.OVERLAP, (1.0, 2.0, -0.1), (0.0, 0.0, 0.0), "", 0.1)
    play.session.step()

    assert "inside “Floor”" in play._words(event)


def test_clicks_count_only_on_the_picture(play, view):
    picture = next(region for region in view.regions if region.type == "WINDOW")
    middle = picture.x + picture.width // 2, picture.y + picture.height // 2

    assert play.viewport.is_under(middle)
    assert not play.viewport.is_under((view.x - 5, middle[1]))
    for region in view.regions:
        if region.type != "WINDOW" and min(region.width, region.height) > 1:
            assert not play.viewport.is_under((region.x + region.width // 2, region.y + region.height // 2))


def test_a_character_added_before_the_unit_was_set_is_fitted_to_it(scene, floor, character):
    scene.unit_settings.scale_length = 0.01

    new_session(bpy.context)

    assert scene.levelwalk.height == pytest.approx(180)
    scene.unit_settings.scale_length = 1.0
    assert new_session(bpy.context).settings.height == pytest.approx(1.8)


def test_lengths_that_were_typed_stay_when_the_unit_changes(scene, floor, character):
    scene.levelwalk.speed = 5.0
    scene.unit_settings.scale_length = 0.01

    bpy.ops.levelwalk.build_colliders()

    assert (scene.levelwalk.speed, scene.levelwalk.run_speed) == pytest.approx((5, 100 * Settings().run_speed))


def test_a_fall_out_of_the_level_is_told(scene, floor, character, view):
    character.location = (50, 0, -1.75)  # beside the floor, and near a height below it: it falls 5 cm in 0.1 s
    with bpy.context.temp_override(window=bpy.context.window, area=view):
        play = begin_play(bpy.context, new_session(bpy.context), draw_nothing)
        walk(play, 0.3)
        end_play()

    assert "Below the level" in play.message


def test_units_reach_the_picture(scene, view):
    scene.unit_settings.scale_length = 0.01
    bpy.ops.levelwalk.add_sample_level()
    with bpy.context.temp_override(window=bpy.context.window, area=view):
        play = begin_play(bpy.context, new_session(bpy.context), draw_nothing)
        walk(play, 0.05)
        points, _, _ = play.contacts()
        place, size = play.place, play.body_size
        end_play()

    assert size == pytest.approx((30, 180))
    np.testing.assert_allclose(points[0] - place, (0, 0, -2), atol=1e-3)  # the skin, in centimetres


def test_play_needs_a_window(scene, floor, character):
    with pytest.raises(RuntimeError, match="Play needs a window"):
        bpy.ops.levelwalk.play("INVOKE_DEFAULT")


def test_what_is_missing_is_named(scene):
    assert missing_character(bpy.context) == "Choose a character, or add one"
    assert missing_level(bpy.context) == "There is no visible mesh to walk on"

    scene.levelwalk.character = bpy.data.objects.new("Ghost", None)
    assert "“Ghost” is not in this view layer" in missing_character(bpy.context)

    add_cube()
    update()
    assert missing_level(bpy.context) == missing_object_mode(bpy.context) == ""
