"""Smoothed ground normals: told of and used for the speed on slopes; where the feet are, and on what, stays exact."""

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from builders import corners_of, extruded, floor, ramp
from takes import AHEAD, ALL_RATES, BACK, held, take

from levelwalk.core import Commands, Settings, SlopeSpeed, Support, TriMesh, World, simulate

SKIN, TIME = 0.02, 0.2
OFF = Settings()
SMOOTH = replace(OFF, normal_smoothing=TIME)


def _angles(normals):
    """Return the angles (k,) of unit normals (k, 3) to the first one, rad."""
    return np.arctan2(np.linalg.norm(np.cross(normals[0], normals), axis=1), normals @ normals[0])


def _told(states):
    return np.array([state.ground_normal[0] for state in states])


def _crossing(way, hz, angle=20, settings=SMOOTH):
    """Walk from the floor on to a ramp, or from a ramp on to a plateau; return the states from before the crease on."""
    level = [floor(), ramp(angle, x=2, length=20)]
    if way == "plateau":
        end = 2 + 3 * math.cos(math.radians(angle))
        high = 3 * math.sin(math.radians(angle))
        level = [floor(), extruded([(2, 0), (end + 9, 0), (end + 9, high), (end, high)], name="hill")]
    start = (1.2, 0, 0.03) if way == "ramp" else (4.2, 0, 0.9)
    walk = take(level, held(0.8, AHEAD), settings=settings, start=start, standing=0.2, hz=hz)
    faces = np.array([state.memory.face_normal[0] for state in walk.states])
    first = int(np.flatnonzero(_angles(faces) > 1e-3)[0])
    assert walk.is_grounded.all()
    return walk.states[first - 1 :]


@pytest.mark.parametrize("hz", ALL_RATES)
@pytest.mark.parametrize("way", ["ramp", "plateau"])
def test_after_a_crease_the_normal_comes_nearer_by_an_exponential(way, hz):
    """The angle still to go is exp(-t / time) of the crease's 20 degrees, t counted from the step that crossed it."""
    told = _angles(_told(_crossing(way, hz)))

    t = np.arange(len(told)) / hz
    np.testing.assert_allclose(told, math.radians(20) * (1 - np.exp(-t / TIME)), atol=1e-6)


def test_it_is_the_same_at_any_rate_but_for_the_step_that_crosses_the_crease():
    """Two rates cross it up to a step apart, in which the angle changes by at most 20 degrees times dt / time."""
    late = [_angles(_told(_crossing("ramp", hz)))[round(0.1 * hz)] for hz in (30, 60, 120, 240)]

    assert np.ptp(late) <= math.radians(20) / 30 / TIME


@pytest.mark.parametrize("hz", ALL_RATES)
def test_the_speed_on_a_slope_follows_the_smoothed_normal(hz):
    """Seen from above v cos of the angle that was told of after the step before."""
    states = _crossing("ramp", hz)
    told = _angles(_told(states))
    level = np.array([np.linalg.norm(state.velocity[0, :2]) for state in states])

    np.testing.assert_allclose(level[2:], OFF.speed * np.cos(told[1:-1]), rtol=1e-6)


def _ragged(seed=7, half=12.0, size=0.4, bump=0.06):
    """Return ground in triangles that lean up to some twenty degrees either way."""
    random = np.random.default_rng(seed)
    count = round(2 * half / size) + 1
    x, y = np.meshgrid(np.linspace(-half, half, count), np.linspace(-half, half, count), indexing="ij")
    points = np.column_stack([x.ravel(), y.ravel(), random.uniform(-bump, bump, count * count)])
    a = (np.arange(count - 1)[:, None] * count + np.arange(count - 1)).ravel()
    triangles = np.concatenate(
        [np.column_stack([a, a + count, a + count + 1]), np.column_stack([a, a + count + 1, a + 1])]
    )
    return TriMesh(points, triangles, "ragged", mode="FACES")


RAGGED = _ragged()
LANES = 8


@pytest.fixture(scope="module")
def ragged():
    """Return a function that walks eight walkers straight over ragged ground for two seconds."""
    world = World.build([RAGGED])
    angle = np.linspace(0, 2 * math.pi, LANES, endpoint=False) + 0.1
    move = np.tile(np.column_stack([np.cos(angle), np.sin(angle)]), (140, 1, 1))
    move[:20] = 0.0

    @cache
    def walked(settings):
        return simulate(world, settings, np.tile([0.0, 0.0, 0.2], (LANES, 1)), Commands(move))

    return walked


def _level_velocity(trace):
    return trace.velocity[25:, :, :2]


def test_over_ragged_ground_the_speed_trembles_less(ragged):
    rough, smooth = (np.linalg.norm(_level_velocity(ragged(settings)), axis=2) for settings in (OFF, SMOOTH))

    assert (np.abs(np.diff(smooth, axis=0)).mean(axis=0) < 0.5 * np.abs(np.diff(rough, axis=0)).mean(axis=0)).all()
    assert (smooth.std(axis=0) < rough.std(axis=0)).all()


def test_over_ragged_ground_the_direction_trembles_less(ragged):
    """Projected on slopes, walking turns aside: with less of it, and less suddenly."""
    projected = replace(OFF, slope_speed=SlopeSpeed.PROJECTED)
    velocities = [_level_velocity(ragged(replace(projected, normal_smoothing=time))) for time in (0.0, TIME)]

    rough, smooth = (np.unwrap(np.arctan2(v[:, :, 1], v[:, :, 0]), axis=0) for v in velocities)
    assert np.abs(np.diff(smooth, axis=0)).mean() < 0.5 * np.abs(np.diff(rough, axis=0)).mean()
    assert smooth.std(axis=0).mean() < rough.std(axis=0).mean()


def test_what_is_told_of_ragged_ground_changes_less(ragged):
    rough, smooth = (ragged(settings).ground_normal[25:] for settings in (OFF, SMOOTH))

    assert np.linalg.norm(np.diff(smooth, axis=0), axis=2).mean() < (
        0.5 * np.linalg.norm(np.diff(rough, axis=0), axis=2).mean()
    )
    np.testing.assert_allclose(np.linalg.norm(smooth, axis=2), 1, atol=1e-9)


@pytest.mark.parametrize("time", [0.02, TIME, 5.0])
def test_the_feet_are_neither_lifted_nor_sunk(ragged, time):
    """Put down again where it came by, the walker stays: it has stood on the ground in every step."""
    trace = ragged(replace(OFF, normal_smoothing=time))
    assert (trace.support[20:] == Support.GROUNDED).all()
    places = trace.position[30::20].reshape(-1, 3)

    down = simulate(World.build([RAGGED]), OFF, places, Commands(np.zeros((3, len(places), 2))))

    np.testing.assert_allclose(down.position[-1], places, atol=1e-4)


@pytest.mark.parametrize("time", [0.0, 5.0])
@pytest.mark.parametrize(("angle", "climbs"), [(44, True), (46, False)])
def test_what_can_be_walked_on_stays_the_same(angle, climbs, time):
    up = take([floor(), ramp(angle)], held(1, AHEAD), settings=replace(OFF, normal_smoothing=time))

    assert (up.position[-1, 2] > 0.5) == climbs
    assert up.is_grounded.all()


def test_landing_starts_anew():
    """From a ramp down on to the floor: the first normal told of after the fall is that of the floor itself."""
    level = [floor(z=-3), ramp(30, x=0, length=3)]
    settings = replace(SMOOTH, normal_smoothing=10.0)

    fall = take(level, held(1.5, BACK), settings=settings, start=(1, 0, 1.0), standing=0.3)

    landed = int(np.flatnonzero(fall.is_grounded & (fall.position[:, 2] < -2))[0])
    np.testing.assert_allclose(_told(fall.states)[landed], (0, 0, 1), atol=1e-9)
    assert not _told(fall.states)[landed - 1].any()


def test_off_the_normal_is_that_of_the_face(ragged):
    trace = ragged(OFF)
    triangles = corners_of([RAGGED])
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    normals /= np.linalg.norm(normals, axis=1)[:, None]

    told = trace.ground_normal[25:].reshape(-1, 3)
    nearest = (told @ normals.T).max(axis=1)
    np.testing.assert_allclose(nearest, 1, atol=1e-12)


@pytest.mark.parametrize("hz", [30, 120])
def test_with_acceleration_the_speed_is_never_above_what_was_asked(hz):
    settings = replace(SMOOTH, acceleration=10.0, deceleration=10.0, normal_smoothing=0.5)

    states = _crossing("ramp", hz, settings=settings)

    assert max(np.linalg.norm(state.velocity[0, :2]) for state in states) <= OFF.speed * (1 + 1e-9)
