"""The same walk at 30, 60, 120 and 240 steps a second: as far, as high, and up the same stairs."""

import math
from dataclasses import replace

import numpy as np
import pytest
from builders import box, floor, heading, moved, stairs, stairs_down, tessellated, wall

from levelwalk.core import Commands, EventKind, Settings, Support, TriMesh, World, simulate

pytestmark = pytest.mark.slow
RATES, SKIN = [30, 60, 120, 240], 0.02
WALKER = Settings(jump_height=1.0)
LONG = floor(half=130.0)
SECONDS = 10


def _walk(level, settings, wishes, hz, start=(0, 0, SKIN), seconds=SECONDS, run=False):
    """Walk a lane for each wish (n, 2), kept all the time."""
    steps = round(seconds * hz)
    commands = Commands(np.tile(np.asarray(wishes, float), (steps, 1, 1)), run=np.full(steps, run))
    return simulate(World.build(level), settings, start, commands, dt=1 / hz)


def _far(level, settings, *wishes, start=(0, 0, SKIN), run=False):
    """Return the distances from the start seen from above after ten seconds, a row for each rate."""
    traces = [_walk(level, settings, wishes, hz, start, run=run) for hz in RATES]
    return np.array([np.linalg.norm((trace.position[-1] - trace.position[0])[:, :2], axis=1) for trace in traces])


@pytest.mark.parametrize("acceleration", [50.0, 4.0])
def test_on_flat_ground_the_distance_is_that_of_the_formula(acceleration):
    """v t, less v² / 2a for getting up to speed."""
    settings = replace(WALKER, speed=10.0, acceleration=acceleration, air_acceleration=acceleration)

    expected = 10 * SECONDS - 10**2 / (2 * acceleration)
    np.testing.assert_allclose(_far([LONG], settings, heading(25)), expected, rtol=0.005)


def test_on_a_slope_the_distance_is_that_of_the_formula():
    """Up and down 20 degrees."""
    c, s = math.cos(math.radians(20)), math.sin(math.radians(20))
    plane = moved(LONG, turn=[[c, 0, -s], [0, 1, 0], [s, 0, c]])

    far = _far([plane], WALKER, (1, 0), (-1, 0), start=(0, 0, 0.32 / c - 0.3))

    np.testing.assert_allclose(far, 40 * c, rtol=0.005)


def test_along_a_wall_the_distance_is_that_of_the_formula():
    far = _far([LONG, wall((-9, 0.33), (60, 0.33))], WALKER, heading(20), heading(60))

    np.testing.assert_allclose(far, np.tile(40 * np.cos(np.radians([20, 60])), (4, 1)), rtol=0.005)


def test_running_over_hills_is_as_far():
    """Waves of 0.5 m in 8 m, in squares of half a metre."""
    ground = tessellated((-4, -3, 0), (90, 0, 0), (0, 6, 0), size=0.5, mode="FACES")
    heights = 0.25 * np.sin(ground.vertices[:, :1] * 2 * math.pi / 8) * [0, 0, 1]
    waves = TriMesh(ground.vertices + heights, ground.triangles, mode="FACES")

    far = _far([waves], WALKER, (1, 0), start=(0, 0, 0.1), run=True)

    np.testing.assert_allclose(far, far.mean(), rtol=0.005)
    assert 0.97 * 70 <= far.min() <= 70


def test_the_apex_of_a_jump_is_as_high():
    for hz in RATES:
        commands = Commands(np.zeros((hz, 2)), np.arange(hz) >= 2)
        jump = simulate(World.build([LONG]), WALKER, (0, 0, SKIN), commands, dt=1 / hz)
        assert jump.position[:, 0, 2].max() - SKIN == pytest.approx(1.0, rel=0.01), hz


@pytest.mark.parametrize("hz", RATES)
@pytest.mark.parametrize(("rise", "run"), [(0.2, 0.3), (0.3, 0.3)])
@pytest.mark.parametrize("speed", [3.0, 7.0])
def test_stairs_are_climbed_and_descended(speed, rise, run, hz):
    settings, top = replace(WALKER, speed=speed), 8 * rise + SKIN
    seconds = (1 + 8 * run + 1) / speed
    up_level, down_level = [floor(), stairs(8, rise, run, x=1)], [floor(), stairs_down(8, rise, run, x=1)]
    up = _walk(up_level, settings, [(1, 0)], hz, seconds=seconds)
    down = _walk(down_level, settings, [(1, 0)], hz, start=(0, 0, top), seconds=seconds)

    for trace, height in ((up, top), (down, SKIN)):
        assert trace.position[-1, 0, 2] == pytest.approx(height, abs=0.01)
        assert (trace.support[1:, 0] == Support.GROUNDED).all()
        assert trace.position[-1, 0, 0] == pytest.approx(speed * seconds, rel=0.05)


def test_a_walk_with_turns_jumps_and_a_push_ends_in_one_place():
    """What happens at a moment is right to a step of the slowest rate, and what is pushed to a tenth of its way."""
    level = [floor(), box((3, -9, 0), (30, 30, 0.25), "terrace"), wall((-9, 6), (30, 6))]
    ends = []
    for hz in RATES:
        times = np.arange(round(4 * hz)) / hz
        move = np.where((times < 1.5)[:, None], (1.0, 0.0), np.where((times < 3)[:, None], (0.2, 0.9), (0.0, 0.0)))
        push = np.zeros((len(times), 3))
        push[round(2.0 * hz)] = (3, 0, 0)
        commands = Commands(move, (times >= 0.2) & (times < 0.5), push=push)
        ends.append(simulate(World.build(level), WALKER, (0, 0, SKIN), commands, dt=1 / hz).position[-1, 0])

    assert np.ptp(ends, axis=0).max() <= 0.15


@pytest.mark.parametrize("hz", [15, 10])
def test_slow_frames_neither_tunnel_nor_lose_the_ground(hz):
    level = [floor(), wall((3, 4), (3, -4), thickness=0.05)]

    trace = _walk(level, replace(WALKER, run_speed=30.0), [(1, 0)], hz, run=True, seconds=3)

    assert trace.position[:, 0, 0].max() == pytest.approx(3 - 0.32, abs=0.001)
    assert (trace.support[1:, 0] == Support.GROUNDED).all()
    assert len(trace.events.of(EventKind.HIT_WALL)) == 1
