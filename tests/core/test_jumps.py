"""Jumps: how high, when a press still counts, and where they go, at any step rate; by the formulas of a throw."""

import math
from dataclasses import replace

import numpy as np
import pytest
from builders import BASE, box, flipped, floor, moved, ramp, wall
from takes import AHEAD, ALL_RATES, BACK, IDLE, held, take

from levelwalk.core import Command, Commands, EventKind, JumpDirection, Settings, Support, World, simulate, spawn, step

SKIN, GRAVITY = 0.02, 9.81
JUMPER = Settings(jump_height=1.0)
SPEED = math.sqrt(2 * GRAVITY * 1.0)  # at take-off, m/s


def _rise(walk):
    return walk.position[:, 2].max() - walk.position[0, 2]


def _jumps(walk):
    return len(walk.events(EventKind.JUMPED))


@pytest.mark.parametrize("hz", ALL_RATES)
@pytest.mark.parametrize(("height", "scale"), [(0.5, 1.0), (1.0, 1.0), (2.0, 2.0), (3.0, 0.5)])
def test_a_jump_is_as_high_as_set_at_any_rate(height, scale, hz):
    settings = Settings(jump_height=height, gravity_scale=scale)
    flight = 2 * math.sqrt(2 * height / (GRAVITY * scale))

    jump = take([floor()], held(flight + 0.3, IDLE, "jump"), settings=settings, hz=hz)

    assert _rise(jump) == pytest.approx(height, rel=0.01)
    assert jump.first(EventKind.LANDED).step / hz == pytest.approx(flight, abs=1.5 / hz)


def test_no_height_is_no_jump():
    stand = take([floor()], held(0.5, IDLE, "jump"), settings=replace(JUMPER, jump_height=0.0))

    assert np.ptp(stand.position, axis=0).max() == 0
    assert not stand.events()


@pytest.mark.parametrize("hz", ALL_RATES)
@pytest.mark.parametrize("release", [0.0, 0.3, 0.5, 1.0])
def test_a_button_let_go_cuts_the_rise(release, hz):
    """Let go after a tenth of a second, the walker goes on with its share of the speed v - g t that is left."""
    settings = replace(JUMPER, jump_release=release)

    jump = take([floor()], held(0.1, IDLE, "jump"), held(0.8), settings=settings, hz=hz)

    left = release * (SPEED - GRAVITY * 0.1)
    expected = SPEED * 0.1 - GRAVITY * 0.1**2 / 2 + left**2 / (2 * GRAVITY)
    assert _rise(jump) == pytest.approx(expected, rel=0.01)


def test_a_button_let_go_while_falling_changes_nothing():
    settings = replace(JUMPER, jump_release=0.0)

    let_go = take([floor()], held(0.6, IDLE, "jump"), held(0.6), settings=settings)
    kept = take([floor()], held(1.2, IDLE, "jump"), settings=settings)

    np.testing.assert_array_equal(let_go.position, kept.position)


def test_a_button_held_down_jumps_once():
    assert _jumps(take([floor()], held(3, IDLE, "jump"), settings=JUMPER)) == 1


def test_a_button_is_let_go_by_not_being_mentioned():
    """Press, say nothing of the button for two seconds, press again."""
    world, jumped = World.build([floor()]), 0
    state = spawn(world, JUMPER, (0, 0, 0.02))
    for index in range(150):
        down = np.ones(1, bool) if index in (20, 140) else None
        state = step(world, JUMPER, state, Command(np.zeros((1, 2)), down), 1 / 60)
        jumped += len(state.events.of(EventKind.JUMPED))

    assert jumped == 2


PLATFORM = [floor(), box((-8, -4, 0), (0, 4, 2), "platform")]


def _pressed(level, settings, start, wish, presses, steps, hz):
    """Return a trace with a lane for each of `presses`, the steps in which jump is pressed."""
    jump = np.arange(steps)[:, None] == np.asarray(presses)
    move = np.tile(np.asarray(wish, float), (steps, 1, 1))
    return simulate(World.build(level), settings, start, Commands(move, jump), dt=1 / hz)


def _jumps_of(trace):
    """Return how often each lane jumped, (n,)."""
    return np.bincount(trace.events.of(EventKind.JUMPED).lane, minlength=trace.position.shape[1])


def _after_the_edge(late, settings, hz):
    """Walk off the platform and press jump so long (s) after the ground was left, a lane each."""
    start, second = (-1, 0, 2.02), hz
    left = _pressed(PLATFORM, settings, start, AHEAD, [-1], second, hz).events.of(EventKind.LEFT_GROUND).step[0]
    presses = [left + max(round(seconds * hz), 1) for seconds in late]
    return _pressed(PLATFORM, settings, start, AHEAD, presses, max(presses) + round(0.5 * hz), hz), presses


@pytest.mark.parametrize("hz", ALL_RATES)
def test_c65_a_late_press_counts_within_the_coyote_time(hz):
    walk, presses = _after_the_edge((0.05, 0.1, 0.15, 0.2), replace(JUMPER, coyote_time=0.12), hz)

    assert _jumps_of(walk).tolist() == [1, 1, 0, 0]
    for lane in (0, 1):
        later = walk.position[presses[lane] :, lane, 2]
        assert later.max() - later[0] == pytest.approx(1.0, rel=0.01)


@pytest.mark.parametrize("hz", ALL_RATES)
def test_c66_no_coyote_time_is_none(hz):
    assert _jumps_of(_after_the_edge((0, 0.05), JUMPER, hz)[0]).tolist() == [0, 0]


def test_the_coyote_time_gives_no_second_jump():
    settings = replace(JUMPER, coyote_time=0.3)

    assert _jumps(take([floor()], held(0.1, IDLE, "jump"), held(0.05), held(0.1, IDLE, "jump"), settings=settings)) == 1


@pytest.mark.parametrize("hz", ALL_RATES)
def test_c65_an_early_press_counts_within_the_jump_buffer(hz):
    settings, start = replace(JUMPER, jump_buffer=0.12), (0, 0, 2)
    landed = _pressed([floor()], settings, start, IDLE, [-1], hz, hz).events.of(EventKind.LANDED).step[0]
    presses = [landed + 1 - round(early * hz) for early in (0.05, 0.1, 0.15, 0.2)]

    walk = _pressed([floor()], settings, start, IDLE, presses, landed + round(0.3 * hz), hz)

    assert _jumps_of(walk).tolist() == [1, 1, 0, 0]


@pytest.mark.parametrize("most", [0, 1, 2, 5])
def test_air_jumps_are_counted_from_the_ground_on(most):
    """Presses every quarter of a second; after the landing the same number again."""
    settings = replace(JUMPER, air_jumps=most)
    taps = [part for _ in range(most + 3) for part in (held(0.05, IDLE, "jump"), held(0.1))]
    once = take([floor()], *taps, held(2.5), settings=settings)
    twice = take([floor()], *taps, held(2.5), *taps, held(2.5), settings=settings)

    assert _jumps(once) == 1 + most
    assert _jumps(twice) == 2 * (1 + most)


def test_an_air_jump_brings_back_the_speed_of_a_jump():
    """Pressed 0.2 s after the first, it rises by the jump height from where it is."""
    settings = replace(JUMPER, air_jumps=1)

    jump = take([floor()], held(0.1, IDLE, "jump"), held(0.1), held(0.1, IDLE, "jump"), held(0.9), settings=settings)

    assert _rise(jump) == pytest.approx(SPEED * 0.2 - GRAVITY * 0.2**2 / 2 + 1.0, rel=0.01)


def test_a_jump_slows_nobody_who_rises_faster():
    settings = replace(JUMPER, air_jumps=1)
    jump = take([floor()], held(0.1, push=(0, 0, 10)), held(0.1, IDLE, "jump"), held(1.5), settings=settings)

    assert _jumps(jump) == 1
    assert _rise(jump) == pytest.approx(10**2 / (2 * GRAVITY), rel=0.01)


@pytest.mark.parametrize("hz", ALL_RATES)
def test_a_wall_jump_leads_up_and_away_from_the_wall(hz):
    """Into the wall in the air, then the button with no wish: up by the jump height, away at the speed set."""
    settings = replace(JUMPER, wall_jump_speed=5.0)
    level = [floor(), wall((2, 4), (2, -4), height=8)]
    jump = take(
        level,
        held(0.5, AHEAD, "jump"),
        held(0.1, AHEAD),
        held(0.05 + 1 / hz, IDLE, "jump"),
        held(0.4),
        settings=settings,
        start=(1, 0, 0.03),
        hz=hz,
    )

    pressed = round(0.6 * hz)
    assert [event.step for event in jump.events(EventKind.JUMPED)] == [0, pressed]
    later = jump.position[pressed:]
    assert later[:, 2].max() - later[0, 2] == pytest.approx(1.0, rel=0.01)
    assert -jump.velocity[pressed + 1, 0] == pytest.approx(5.0, rel=0.2)
    assert later[-1, 0] < later[0, 0] - 0.7
    assert (jump.clearance > 0).all()


def test_a_wall_alone_allows_no_jump():
    level = [floor(), wall((2, 4), (2, -4), height=8)]

    jump = take(
        level, held(0.4, AHEAD, "jump"), held(0.1, AHEAD), held(0.1, AHEAD, "jump"), settings=JUMPER, start=(1, 0, 0.03)
    )

    assert _jumps(jump) == 1


def test_no_wall_is_no_wall_jump():
    settings = replace(JUMPER, wall_jump_speed=5.0)

    assert _jumps(take([floor()], held(0.1, IDLE, "jump"), held(0.2), held(0.1, IDLE, "jump"), settings=settings)) == 1


@pytest.mark.parametrize("air", [0.0, 1.0])
@pytest.mark.parametrize("angle", [10, 30, 44])
def test_a_jump_along_the_normal_leaves_a_slope_at_a_right_angle(angle, air):
    settings = replace(JUMPER, jump_direction=JumpDirection.NORMAL, air_acceleration=air)
    height = 3 * math.tan(math.radians(angle))

    jump = take([floor(), ramp(angle)], held(0.1, IDLE, "jump"), settings=settings, start=(5, 0, height + 0.2))

    first = jump.position[1] - jump.position[0]
    expected = SPEED * np.array([-math.sin(math.radians(angle)), 0, math.cos(math.radians(angle))]) / 60
    expected[2] -= GRAVITY / 60**2 / 2
    np.testing.assert_allclose(first, expected, atol=0.002)


@pytest.mark.parametrize("angle", [10, 30, 44])
def test_a_jump_goes_straight_up_otherwise(angle):
    height = 3 * math.tan(math.radians(angle))

    jump = take([floor(), ramp(angle)], held(1.2, IDLE, "jump"), settings=JUMPER, start=(5, 0, height + 0.2))

    np.testing.assert_allclose(jump.position[:, :2], np.tile(jump.position[0, :2], (73, 1)), atol=1e-9)
    assert _rise(jump) == pytest.approx(1.0, rel=0.01)


def test_out_of_a_hollow_a_jump_along_the_normal_goes_straight_up():
    """A trough of two slopes of 30 degrees: the sum of their normals is up."""
    slope = ramp(30, x=0, length=8)
    settings = replace(JUMPER, jump_direction=JumpDirection.NORMAL, air_acceleration=0.0)

    jump = take(
        [slope, moved(flipped(slope), turn=np.diag([-1, 1, 1]))],
        held(1.2, IDLE, "jump"),
        settings=settings,
        start=(0, 0, 0.5),
    )

    assert _rise(jump) == pytest.approx(1.0, rel=0.01)
    assert np.abs(jump.position[:, :2]).max() < 1e-6


@pytest.mark.parametrize("acceleration", [30.0, math.inf])
@pytest.mark.parametrize("wish", [AHEAD, BACK], ids=["uphill", "downhill"])
def test_a_jump_on_the_way_along_a_slope_is_as_high_over_where_it_began(wish, acceleration):
    settings = replace(JUMPER, acceleration=acceleration, jump_height=1.5)
    start = (7, 0, 5 * math.tan(math.radians(20)) + 0.2)

    jump = take(
        [floor(), ramp(20, length=16)], held(0.4, wish), held(0.6, wish, "jump"), settings=settings, start=start
    )

    jumped = jump.first(EventKind.JUMPED).step
    apex = jump.position[jumped : jumped + 45, 2].max()
    assert apex - jump.position[jumped, 2] == pytest.approx(1.5, rel=0.01)


def test_in_the_air_the_speed_across_is_kept_without_air_acceleration():
    """A jump at full speed, then no wish at all: a throw."""
    settings = replace(JUMPER, air_acceleration=0.0)

    jump = take([floor()], held(0.5, AHEAD), held(0.1, AHEAD, "jump"), held(0.6), settings=settings)

    flying = jump.support[31:70] == Support.AIRBORNE
    assert flying.all()
    np.testing.assert_allclose(np.diff(jump.position[31:70, 0]) * 60, 4.0, atol=1e-6)


@pytest.mark.parametrize("hz", ALL_RATES)
def test_in_the_air_the_speed_grows_by_the_air_acceleration(hz):
    settings = replace(JUMPER, air_acceleration=6.0)

    jump = take([floor()], held(0.1, IDLE, "jump"), held(0.4, AHEAD), settings=settings, hz=hz)

    assert jump.velocity[-1, 0] == pytest.approx(6 * 0.4, rel=0.01)


@pytest.mark.parametrize("hz", ALL_RATES)
def test_falling_ends_at_the_terminal_speed(hz):
    settings = replace(JUMPER, terminal_speed=10.0)

    fall = take([floor()], held(3), settings=settings, start=(0, 0, 100), standing=0, hz=hz)

    reached = 10 / GRAVITY
    expected = 100 - 10 * reached / 2 - 10 * (3 - reached)
    assert fall.velocity[-1, 2] == pytest.approx(-10)
    assert fall.position[-1, 2] == pytest.approx(expected, abs=0.1)


def test_the_base_walker_jumps_at_five_metres_a_second():
    assert take([floor()], held(0.1, IDLE, "jump"), settings=BASE).velocity[1, 2] == pytest.approx(5 - GRAVITY / 60)
