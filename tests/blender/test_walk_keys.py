"""The direction keys as seen in a view."""

import math

import numpy as np
import pytest

pytest.importorskip("bpy")
from mathutils import Euler

from levelwalk.operators.session import Held
from levelwalk.operators.walk_keys import BUTTONS, DIRECTIONS, WalkKeys

HALF = math.sqrt(0.5)


def view(tilt, turn):
    """Return the axes of a view tilted up from straight down, and turned to the left from the north, by degrees."""
    return np.array(Euler((math.radians(tilt), 0, math.radians(turn))).to_matrix())


def wish(keys, axes):
    held = WalkKeys()
    for key in keys:
        held.press(key)
    return held.wish(axes)


@pytest.mark.parametrize("tilt", [0, 30, 90, 120], ids=["from above", "steep", "level", "from below"])
@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("W", (0, 1)),
        ("S", (0, -1)),
        ("A", (-1, 0)),
        ("D", (1, 0)),
        ("WD", (HALF, HALF)),
        ("SA", (-HALF, -HALF)),
        ("WS", (0, 0)),
        ("WAD", (0, 1)),
        ("", (0, 0)),
    ],
)
def test_keys_lead_where_they_do_on_the_screen(tilt, keys, expected):
    np.testing.assert_allclose(wish(keys, view(tilt, 0)), expected, atol=1e-6)


@pytest.mark.parametrize("turn", [45, 90, 200])
def test_they_turn_with_the_view(turn):
    angle = math.radians(90 + turn)  # the north, turned to the left

    np.testing.assert_allclose(wish("W", view(60, turn)), (math.cos(angle), math.sin(angle)), atol=1e-6)


def test_arrow_keys_do_the_same_as_letters():
    pairs = (("UP_ARROW", "W"), ("DOWN_ARROW", "S"), ("LEFT_ARROW", "A"), ("RIGHT_ARROW", "D"))
    for arrow, letter in pairs:
        np.testing.assert_array_equal(wish([arrow], view(60, 20)), wish([letter], view(60, 20)))
    np.testing.assert_allclose(wish(["UP_ARROW", "W"], view(60, 0)), (0, 1), atol=1e-6)


def test_a_view_on_its_side_still_has_a_direction():
    axes = np.array(Euler((math.radians(90), 0, 0)).to_matrix()) @ np.array([[0, 1, 0], [-1, 0, 0], [0, 0, 1]])

    np.testing.assert_allclose(wish("W", axes), (0, 1), atol=1e-6)


def test_keys_that_go_up_count_no_more():
    keys = WalkKeys()
    keys.press("W")
    keys.press("D")
    keys.press("Q")  # means nothing
    keys.release("W")
    np.testing.assert_allclose(keys.wish(view(60, 0)), (1, 0), atol=1e-6)

    keys.release_all()
    np.testing.assert_array_equal(keys.wish(view(60, 0)), (0, 0))


@pytest.mark.parametrize(
    ("happenings", "expected"),
    [
        pytest.param(["", "", ""], "___", id="not touched"),
        pytest.param(["+", "", "-"], "DD_", id="held"),
        pytest.param(["+-", "", ""], "D__", id="a tap between two steps is down for one"),
        pytest.param(["+", "-+", "", ""], "D_DD", id="let go and pressed again: up for one step"),
        pytest.param(["+", "-+-", "", ""], "D_D_", id="let go and tapped: up for one, down for one"),
        pytest.param(["+", "++", "-"], "DD_", id="the repeats of a held key are nothing new"),
        pytest.param(["-", "+", ""], "_DD", id="goes up first: it was down before the walk"),
    ],
)
@pytest.mark.parametrize("key", BUTTONS)
def test_no_press_of_a_button_is_lost_between_steps(key, happenings, expected):
    keys = WalkKeys()
    seen = ""
    for happening in happenings:
        for change in happening:
            keys.hold(key, change == "+")
        seen += "D" if getattr(keys.next_step(), BUTTONS[key]) else "_"

    assert seen == expected


def test_two_keys_of_one_button_are_one_press():
    keys = WalkKeys()
    keys.press("C")
    keys.next_step()
    keys.press("CTRL")
    keys.release("C")
    assert keys.next_step() == Held(crouch=True)

    keys.release("CTRL")
    assert keys.next_step() == Held()


def test_leaving_the_window_lets_go_of_all_buttons():
    keys = WalkKeys()
    for key in BUTTONS:
        keys.press(key)
    assert keys.next_step() == Held(True, True, True, True)

    keys.release_all()

    assert keys.next_step() == Held()


def test_buttons_and_directions_have_different_keys():
    assert not set(BUTTONS) & set(DIRECTIONS)
    assert set(BUTTONS.values()) == {"jump", "run", "crouch", "dash"}
