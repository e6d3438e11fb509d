"""What constructors refuse: each limit just below and just above, and messages that name what is wrong."""

import math

import numpy as np
import pytest

from levelwalk.core import Commands, Settings, SlopeSpeed, TriMesh, World

CORNERS = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]


@pytest.mark.parametrize(
    ("name", "accepted", "refused"),
    [
        pytest.param("radius", 1e-6, 0.0, id="radius above zero"),
        pytest.param("radius", 0.9, 0.9 + 1e-9, id="radius at most half the height"),
        pytest.param("radius", 0.3, math.nan, id="radius a number"),
        pytest.param("height", 0.6, 0.6 - 1e-9, id="height at least twice the radius"),
        pytest.param("height", 100.0, math.inf, id="height finite"),
        pytest.param("skin_width", 1e-6, 0.0, id="skin above zero"),
        pytest.param("skin_width", 0.3, 0.3 + 1e-9, id="skin at most the radius"),
        pytest.param("slope_limit", 0.0, -1e-9, id="slope limit not negative"),
        pytest.param("slope_limit", math.pi / 2, math.pi / 2 + 1e-9, id="slope limit at most upright"),
        pytest.param("step_offset", 0.0, -1e-9, id="step offset not negative"),
        pytest.param("ground_snap", 0.0, -1e-9, id="ground snap not negative"),
        pytest.param("ground_snap", 1.0, math.nan, id="ground snap a number"),
        pytest.param("gravity", 0.0, -1e-9, id="gravity not negative"),
        pytest.param("gravity", 100.0, math.inf, id="gravity finite"),
        pytest.param("speed", 0.0, -1e-9, id="speed not negative"),
        pytest.param("speed", 1.0, math.nan, id="speed a number"),
        pytest.param("run_speed", 0.0, -1e-9, id="run speed not negative"),
        pytest.param("jump_height", 0.0, -1e-9, id="jump height not negative"),
        pytest.param("acceleration", math.inf, -1e-9, id="acceleration not negative"),
        pytest.param("air_acceleration", 0.0, math.nan, id="air acceleration a number"),
        pytest.param("turn_share", 1.0, 1.0 + 1e-9, id="turn share at most the whole"),
        pytest.param("turn_share", 0.0, -1e-9, id="turn share not negative"),
        pytest.param("max_slides", 1, 0, id="at least one slide"),
    ],
)
def test_a_setting_is_refused_just_beyond_its_limit(name, accepted, refused):
    small = {"skin_width": 1e-7} if name == "radius" else {}  # so that the limit of the skin is not met first

    assert getattr(Settings(**small, **{name: accepted}), name) == accepted
    with pytest.raises(ValueError, match=f"radius|{name}") as refusal:
        Settings(**small, **{name: refused})
    if name != "radius":
        assert name in str(refusal.value)


@pytest.mark.parametrize("up", [(0, 0, 0), (math.nan, 0, 1), (math.inf, 0, 0)])
def test_up_must_be_a_direction(up):
    with pytest.raises(ValueError, match="up must be a direction"):
        Settings(up=up)


def test_up_is_made_unit_length():
    np.testing.assert_allclose(Settings(up=(0, 3, 4)).up, (0, 0.6, 0.8), atol=1e-15)


def test_slope_speed_may_be_given_by_its_name():
    assert Settings(slope_speed="HORIZONTAL").slope_speed is SlopeSpeed.HORIZONTAL
    with pytest.raises(ValueError, match="SIDEWAYS"):
        Settings(slope_speed="SIDEWAYS")


def test_jump_speed_is_that_of_a_throw_to_the_jump_height():
    assert Settings(gravity=9.81, jump_height=25 / 19.62).jump_speed == pytest.approx(5.0, abs=1e-12)
    assert Settings(jump_height=0).jump_speed == 0


@pytest.mark.parametrize(
    ("move", "jump", "message"),
    [
        pytest.param(np.zeros(3), None, r"move must be \(s, 2\) or \(s, n, 2\), got \(3,\)", id="flat"),
        pytest.param(np.zeros((5, 3)), None, r"got \(5, 3\)", id="three components"),
        pytest.param([[0.0, math.nan]], None, "finite", id="not a number"),
        pytest.param([[0.0, math.inf]], None, "finite", id="infinite"),
        pytest.param(np.zeros((5, 2)), np.zeros(4, bool), r"jump must be \(5,\)", id="too few jumps"),
        pytest.param(np.zeros((5, 2)), np.zeros((5, 2, 1), bool), r"jump must be \(5,\)", id="jumps of three axes"),
    ],
)
def test_commands_that_do_not_fit_are_refused(move, jump, message):
    with pytest.raises(ValueError, match=message):
        Commands(move, jump)


@pytest.mark.parametrize(
    ("vertices", "triangles", "message"),
    [
        pytest.param(np.zeros((3, 2)), [(0, 1, 2)], r"gate: vertices must be \(v, 3\), got \(3, 2\)", id="flat points"),
        pytest.param(CORNERS, [(0, 1, 2, 0)], r"gate: triangles must be \(t, 3\), got \(1, 4\)", id="quads"),
        pytest.param(CORNERS, [(0.0, 1.0, 2.0)], "gate: triangles must be integers", id="no integers"),
    ],
)
def test_a_mesh_of_the_wrong_shape_is_refused_by_name(vertices, triangles, message):
    with pytest.raises(ValueError, match=message):
        TriMesh(vertices, triangles, "gate")


def test_an_unknown_mode_is_refused():
    with pytest.raises(ValueError, match="SOLID"):
        TriMesh(CORNERS, [(0, 1, 2)], mode="SOLID")


@pytest.mark.parametrize(
    "mesh",
    [
        pytest.param(TriMesh([(0, 0, math.nan), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)], "gate"), id="not a number"),
        pytest.param(TriMesh([(0, 0, math.inf), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)], "gate"), id="infinite"),
        pytest.param(TriMesh(CORNERS, [(0, 1, 3)], "gate"), id="index beyond the vertices"),
        pytest.param(TriMesh(CORNERS, [(0, 1, -1)], "gate"), id="negative index"),
        pytest.param(TriMesh(np.zeros((0, 3)), [(0, 1, 2)], "gate"), id="no vertices"),
    ],
)
def test_a_world_is_refused_with_the_name_of_the_bad_mesh(mesh):
    with pytest.raises(ValueError, match="gate"):
        World.build([TriMesh(CORNERS, [(0, 1, 2)], "floor"), mesh])


def test_a_world_of_nothing_is_no_error():
    for meshes in ([], [TriMesh([], [], "empty")]):
        np.testing.assert_array_equal(World.build(meshes).bounds, np.zeros((2, 3)))


def test_a_world_knows_its_names_and_bounds():
    floor = TriMesh([(-2, -3, 0), (4, -3, 0), (4, 5, 1)], [(0, 1, 2)], "floor")
    world = World.build([floor, TriMesh(CORNERS, [(0, 1, 2)], "tile")])

    assert world.names == ("floor", "tile")
    np.testing.assert_array_equal(world.bounds, [(-2, -3, 0), (4, 5, 1)])
