"""What is not shown means nothing: a change of a hidden setting changes no walk."""

import dataclasses
import math

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")
from builders import box, extruded, floor, moved, stairs  # noqa: E402

from levelwalk.core import Commands, Settings, TriMesh, World, simulate  # noqa: E402
from levelwalk.operators.from_blender import read_settings  # noqa: E402
from levelwalk.operators.to_blender import write_settings  # noqa: E402
from levelwalk.ui.relevance import RULES, is_relevant  # noqa: E402

SYSTEMS = {
    "default": {},
    "everything on": {
        "dash_speed": 9.0,
        "slide_speed": 8.0,
        "mantle_height": 1.4,
        "wall_jump_speed": 4.0,
        "ledge_guard": "SLIDE",
    },
    "no jump": {"jump_height": 0.0, "wall_jump_speed": 4.0},
    "no crouch": {"crouch_height": 0.0, "slide_speed": 8.0},
    "no snap": {"ground_snap": 0.0},
    "slippery": {"holds_on_slopes": False},
    "weightless": {"gravity": 0.0},
    "momentum": {"movement": "MOMENTUM", "acceleration": 10.0, "deceleration": 10.0, "air_acceleration": 1.0},
    "momentum, no jump": {"movement": "MOMENTUM", "acceleration": 10.0, "jump_height": 0.0, "dash_speed": 9.0},
}
# Values far from the defaults and from those above.
CHANGED = {
    "step_offset": 0.15,
    "ground_snap": 0.12,
    "launch_speed": 0.5,
    "holds_on_slopes": False,
    "slope_speed": "HORIZONTAL",
    "normal_smoothing": 0.4,
    "ledge_guard": "STOP",
    "guard_ahead": 0.4,
    "guard_depth": 1.0,
    "gravity_scale": 2.0,
    "terminal_speed": 1.0,
    "jump_direction": "NORMAL",
    "jump_release": 0.2,
    "coyote_time": 0.3,
    "jump_buffer": 0.3,
    "air_jumps": 3,
    "wall_jump_speed": 2.0,
    "push_fade": 0.3,
    "crouch_speed": 0.5,
    "slide_speed": 10.0,
    "slide_deceleration": 1.0,
    "dash_speed": 15.0,
    "dash_time": 0.4,
    "dash_wait": 0.1,
    "climb_speed": 1.0,
    "mantle_height": 1.2,
}


def level():
    """Return ground to fall off, with a crest, stairs, a ladder, a wall and a ledge."""
    ladder = box((-4, -1, 0), (-3.7, 1, 2), "ladder")
    return World.build(
        [
            floor(half=7.0),
            extruded([(1, 0), (5, 0), (3, 1)], half_width=0.8, name="crest"),
            moved(stairs(5, x=2, platform=1), by=(0, 6, 0)),
            TriMesh(ladder.vertices, ladder.triangles, "ladder", is_climbable=True),
            box((-4, -4, 0), (4, -3.6, 3), "wall"),
            box((-2, 3, 0), (0, 5, 1), "ledge"),
        ]
    )


WORLD = level()
STARTS = np.array([[0, 0, 0], [0.5, -0.3, 0], [0, 6, 0], [-3, 0.5, 0], [0, -3, 0], [-1, 2, 0], [5, 2, 1]]) + [
    0,
    0,
    0.02,
]
STEPS = 130
CALM = 70  # steps in which each walker goes straight, and some without a button
BUSY = (1, 3, 4, 5)  # walkers with buttons from the start
ROUNDING = 1e-9  # m; a setting may change how far around a walker the level is gathered, and so the last digits


def walk(settings):
    """Return where seven walkers come to: straight ahead, and then about, with every button pressed now and then."""
    random = np.random.default_rng(3)
    index = np.arange(STEPS)[:, None]
    angle = np.array([0, 0.1, 0, math.pi, -2.2, math.pi / 2, 0.4])
    angle = angle + np.repeat(random.normal(0, 0.8, (STEPS // 10, 1)), 10, axis=0) * (index > CALM)
    move = np.stack([np.cos(angle), np.sin(angle)], axis=2) * (index % 50 < 43)[:, :, None]
    is_busy = (index > CALM) | np.isin(np.arange(7), BUSY)
    pressed = [np.repeat(random.random((STEPS // 5, 7)) < share, 5, axis=0) for share in (0.35, 0.5, 0.2, 0.5)]
    return simulate(WORLD, settings, STARTS, Commands(move, *(button & is_busy for button in pressed))).position


@pytest.fixture(scope="module")
def walks():
    """Return the walks that have been asked for already, by settings."""
    return {}


def hidden_settings(scene, system):
    """Give the scene the settings of a system, and return those and the names of what is not shown then."""
    write_settings(scene, Settings(**SYSTEMS[system]))
    return read_settings(scene), [name for name in RULES if not is_relevant(scene.levelwalk, name)]


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_settings_that_are_not_shown_change_no_walk(scene, walks, system):
    settings, hidden = hidden_settings(scene, system)
    if settings not in walks:
        walks[settings] = walk(settings)

    changed = walk(dataclasses.replace(settings, **{name: CHANGED[name] for name in hidden}))

    np.testing.assert_allclose(changed, walks[settings], rtol=0, atol=ROUNDING)


@pytest.mark.slow
@pytest.mark.parametrize("name", RULES)
def test_a_setting_that_depends_on_others_is_shown_in_some_system_and_changes_a_walk_there(scene, walks, name):
    for system in SYSTEMS:
        settings, hidden = hidden_settings(scene, system)
        if name not in hidden:
            if settings not in walks:
                walks[settings] = walk(settings)
            changed = walk(dataclasses.replace(settings, **{name: CHANGED[name]}))
            if np.abs(changed - walks[settings]).max() > ROUNDING:
                return
    pytest.fail(f"{name} changes nothing, however it is shown")


@pytest.mark.parametrize(
    ("system", "name", "is_shown"),
    [
        ("default", "crouch_speed", True),
        ("no crouch", "crouch_speed", False),
        ("default", "guard_ahead", False),
        ("everything on", "guard_ahead", True),
        ("default", "dash_time", False),
        ("everything on", "dash_time", True),
        ("default", "slide_deceleration", False),
        ("default", "step_offset", True),
        ("momentum", "step_offset", False),
        ("momentum", "ground_snap", False),
        ("momentum", "jump_direction", True),
        ("no jump", "coyote_time", False),
        ("no snap", "launch_speed", False),
        ("slippery", "slope_speed", False),
    ],
)
def test_what_the_other_settings_make_meaningless_is_not_shown(scene, system, name, is_shown):
    write_settings(scene, Settings(**SYSTEMS[system]))

    assert is_relevant(scene.levelwalk, name) == is_shown
