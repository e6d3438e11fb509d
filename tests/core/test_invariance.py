"""Walks that must be the same walk: moved far away, turned, mirrored, cut otherwise, with another up direction."""

import math
from dataclasses import replace

import builders
import numpy as np
import pytest
from builders import BASE

from levelwalk.core import Commands, Settings, TriMesh, World, simulate

pytestmark = pytest.mark.slow
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


# Random levels, with everything switched on

BUSY = replace(
    BASE,
    acceleration=30.0,
    deceleration=25.0,
    air_acceleration=10.0,
    jump_release=0.5,
    coyote_time=0.1,
    jump_buffer=0.1,
    air_jumps=1,
    wall_jump_speed=4.0,
    slide_speed=8.0,
    dash_speed=12.0,
    mantle_height=1.2,
    ledge_distance=0.2,
    turn_rate=6.0,
    normal_smoothing=0.1,
)
LENGTHS = (
    "radius height skin_width step_offset ground_snap ledge_distance guard_ahead guard_depth speed run_speed "
    "acceleration deceleration gravity air_acceleration jump_height wall_jump_speed crouch_height crouch_speed "
    "slide_speed slide_deceleration dash_speed climb_speed mantle_height"
).split()


def _random_level(seed):
    """Return uneven ground in squares, and boxes, ramps and hulls on it."""
    random = np.random.default_rng(seed)
    ground = builders.tessellated((-12, -12, 0), (24, 0, 0), (0, 24, 0), size=1.0, mode="FACES")
    bumps = random.uniform(-0.2, 0.2, (len(ground.vertices), 1)) * [0, 0, 1]
    level = [TriMesh(ground.vertices + bumps, ground.triangles, "ground", mode="FACES")]
    for i in range(6):
        x, y = random.uniform(-9, 9, 2)
        size = random.uniform(0.3, 2, 2)
        level.append(builders.box((x, y, -0.5), (x + size[0], y + size[1], random.uniform(0.2, 1.5)), f"box {i}"))
        level.append(builders.hull(random.uniform(-9, 9, 3) * (1, 1, 0) + random.uniform(-1, 1, (7, 3)), f"hull {i}"))
        slope = builders.ramp(random.uniform(10, 70), x=0, length=4, half_width=1)
        level.append(builders.moved(slope, by=(*random.uniform(-9, 9, 2), -0.3), turn=_about_z(random.uniform(0, 360))))
    return level


def _busy(seed, meshes, turn=None, by=(0.0, 0, 0), settings=BUSY, size=1.0):
    """Walk lanes through `meshes` for one second with all buttons, in the level's own axes."""
    random = np.random.default_rng(seed + 1000)
    steps, turn = 90, np.eye(3) if turn is None else turn
    start = np.column_stack([random.uniform(-8, 8, (LANES, 2)), np.full(LANES, 2.5)])
    angle = np.repeat(random.uniform(0, 2 * math.pi, (steps // 30, LANES)), 30, axis=0)
    move = np.stack([np.cos(angle), np.sin(angle)], axis=2) @ turn[:2, :2].T
    jump, run, crouch, dash = (np.repeat(random.random((steps // 5, LANES)) < 0.2, 5, axis=0) for _ in range(4))
    push = np.where(random.random((steps, LANES, 1)) < 0.02, random.normal(0, 4, (steps, LANES, 3)), 0.0) @ turn.T
    commands = Commands(move, jump, run, crouch, dash, push * size)
    trace = simulate(World.build(meshes), settings, start * size @ turn.T + by, commands, dt=DT)
    return (trace.position - by) @ turn / size


def _same_but_for_few(walked, expected):
    """A step that comes out to the other side of a limit by rounding parts two walks for good: one in a hundred may."""
    apart = np.abs(walked - expected).max(axis=(0, 2))
    assert (apart > SAME).mean() <= 0.01, apart


SEEDS = range(2)


@pytest.mark.parametrize("seed", SEEDS)
def test_on_random_levels_mirrored_and_turned_the_walk_is_the_same(seed):
    level = _random_level(seed)
    plain = _busy(seed, level)
    for turn in (np.diag([1.0, -1, 1]), np.diag([-1.0, 1, 1]), _about_z(90), _about_z(37)):
        other = [builders.moved(mesh, turn=turn) for mesh in level]
        other = [builders.flipped(mesh) for mesh in other] if np.linalg.det(turn) < 0 else other
        _same_but_for_few(_busy(seed, other, turn=turn), plain)


@pytest.mark.parametrize("seed", SEEDS)
def test_on_random_levels_far_away_the_walk_is_the_same(seed):
    level, by = _random_level(seed), np.array([1e5, -1e5, 1e4])

    far = _busy(seed, [builders.moved(mesh, by=by) for mesh in level], by=by)

    _same_but_for_few(far, _busy(seed, level))


@pytest.mark.parametrize("factor", [0.01, 100.0])
@pytest.mark.parametrize("seed", SEEDS)
def test_on_random_levels_scaled_with_its_settings_the_walk_is_the_same(seed, factor):
    level = _random_level(seed)
    scaled = [TriMesh(mesh.vertices * factor, mesh.triangles, mesh.name, mode=mesh.mode) for mesh in level]
    settings = replace(BUSY, **{name: getattr(BUSY, name) * factor for name in LENGTHS})

    _same_but_for_few(_busy(seed, scaled, settings=settings, size=factor), _busy(seed, level))


@pytest.mark.parametrize("seed", SEEDS)
def test_on_random_levels_flat_quads_may_be_cut_the_other_way(seed):
    """The sides of boxes and ramps, and a flat floor in squares."""
    random = np.random.default_rng(seed)
    _, *rest = _random_level(seed)
    flat = builders.tessellated((-12, -12, 0), (24, 0, 0), (0, 24, 0), size=1.0, mode="FACES")
    half = len(flat.triangles) // 2
    a, b, c = flat.triangles[:half].T
    d = flat.triangles[half:, 2]
    swap = random.random(half) < 0.5
    first = np.where(swap[:, None], np.column_stack([a, b, d]), np.column_stack([a, b, c]))
    second = np.where(swap[:, None], np.column_stack([b, c, d]), np.column_stack([a, c, d]))
    other = TriMesh(flat.vertices, np.concatenate([first, second]), "ground", mode="FACES")

    _same_but_for_few(_busy(seed, [other, *rest]), _busy(seed, [flat, *rest]))
