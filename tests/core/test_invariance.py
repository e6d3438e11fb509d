"""Walks that must be the same walk: moved far away, turned, mirrored, cut otherwise, with another up direction."""

import math

import builders
import numpy as np
import pytest
from builders import BASE

from levelwalk.core import Commands, Settings, TriMesh, World, simulate

DT, STEPS, LANES = 1 / 60, 240, 8
SAME = 1e-6  # m


def _walk(meshes, turn=None, by=(0.0, 0, 0), settings=BASE, wish=None):
    """Walk LANES seeded walkers through `meshes`; starts and wishes are turned and moved as the level was."""
    random = np.random.default_rng(40)
    start = np.column_stack([random.uniform(-3, 1.4, LANES), random.uniform(-2.2, 4, LANES), np.full(LANES, 0.03)])
    angle = np.repeat(random.uniform(0, 2 * math.pi, (STEPS // 40, LANES)), 40, axis=0)
    move = np.stack([np.cos(angle), np.sin(angle)], axis=2)
    jump = random.random((STEPS, LANES)) < 0.01
    turn = np.eye(3) if turn is None else turn
    if wish is not None:
        move = move @ np.asarray(wish).T
    trace = simulate(World.build(meshes), settings, start @ turn.T + by, Commands(move, jump), dt=DT)
    return (trace.position - by) @ turn


def _about_z(degrees):
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def _upright_to(up):
    """Return the smallest turn (3, 3) that takes z to `up`: about z x up, by Rodrigues' formula."""
    x, y, z = up
    sine = math.hypot(x, y)
    axis = np.array([-y, x, 0]) / sine
    cross = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + sine * cross + (1 - z) * cross @ cross


@pytest.fixture(scope="module")
def plain():
    return _walk(builders.playground())


@pytest.mark.parametrize("by", [(1e3, 0, 0), (1e5, -1e5, 0), (-1e5, 1e5, 1e4)], ids=str)
def test_far_from_the_origin_the_walk_is_the_same(plain, by):
    level = [builders.moved(mesh, by=by) for mesh in builders.playground()]

    np.testing.assert_allclose(_walk(level, by=by), plain, atol=SAME)


@pytest.mark.parametrize("degrees", [90, 180, 37])
def test_turned_about_up_the_walk_is_the_same(plain, degrees):
    turn = _about_z(degrees)
    level = [builders.moved(mesh, turn=turn) for mesh in builders.playground()]

    np.testing.assert_allclose(_walk(level, turn=turn, wish=turn[:2, :2]), plain, atol=SAME)


def test_mirrored_the_walk_is_the_same(plain):
    mirror = np.diag([1.0, -1, 1])
    level = [builders.flipped(builders.moved(mesh, turn=mirror)) for mesh in builders.playground()]

    np.testing.assert_allclose(_walk(level, turn=mirror, wish=mirror[:2, :2]), plain, atol=SAME)


UPS = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0.6, 0, 0.8), (-0.48, 0.64, -0.6)]


@pytest.mark.parametrize("up", UPS, ids=str)
def test_with_another_up_the_walk_is_the_same(plain, up):
    """Wishes are in the axes that the smallest turn from z to up makes of x and y."""
    turn = _upright_to(up)
    level = [builders.moved(mesh, turn=turn) for mesh in builders.playground()]
    settings = Settings(**{name: getattr(BASE, name) for name in Settings.__slots__ if name != "up"}, up=up)

    np.testing.assert_allclose(_walk(level, turn=turn, settings=settings), plain, atol=SAME)


def test_upside_down_the_walk_is_the_same():
    turn = np.diag([1.0, -1, -1])
    settings = Settings(up=(0, 0, -1))
    level = [builders.moved(mesh, turn=turn) for mesh in (builders.floor(), builders.ramp(30))]
    commands = builders.rows((2, (1, 0)))

    upside_down = simulate(World.build(level), settings, (0, 0, -0.03), commands, dt=DT).position
    upright = simulate(World.build([builders.floor(), builders.ramp(30)]), Settings(), (0, 0, 0.03), commands, dt=DT)

    np.testing.assert_allclose(upside_down @ turn, upright.position, atol=SAME)


def test_the_order_of_objects_does_not_matter(plain):
    np.testing.assert_allclose(_walk(builders.playground()[::-1]), plain, atol=SAME)


def test_faces_may_be_turned_round(plain):
    """Blender meshes often have flipped normals; solids are told by their shape and sheets count from both sides."""
    np.testing.assert_allclose(_walk([builders.flipped(mesh) for mesh in builders.playground()]), plain, atol=SAME)


def test_a_floor_may_be_cut_along_its_other_diagonal(plain):
    floor, *others = builders.playground()
    other = TriMesh(floor.vertices, [(0, 1, 3), (1, 2, 3)], "floor")

    np.testing.assert_allclose(_walk([other, *others]), plain, atol=SAME)


def test_a_floor_may_be_in_squares(plain):
    _, *others = builders.playground()
    squares = builders.tessellated((-15, -15, 0), (30, 0, 0), (0, 30, 0), size=0.5, name="floor")

    np.testing.assert_allclose(_walk([squares, *others]), plain, atol=SAME)


def test_boxes_may_be_faces(plain):
    """What is exact about a hull is exact about its faces, as long as nobody is inside."""
    level = [TriMesh(mesh.vertices, mesh.triangles, mesh.name, mode="FACES") for mesh in builders.playground()]

    np.testing.assert_allclose(_walk(level), plain, atol=SAME)
