"""Facing: which way the walker looks, and how fast it turns there at any step rate."""

import math
from dataclasses import replace

import numpy as np
import pytest
from builders import box, floor, heading, wall
from takes import AHEAD, ALL_RATES, BACK, IDLE, LEFT, held, take

from levelwalk.core import Command, Facing, LedgeGuard, Settings, World, spawn, step

HIGH = 6.0
WALKER = Settings(facing=Facing.WISH)
FLOOR = World.build([floor()])
GUARDED = replace(WALKER, ledge_guard=LedgeGuard.SLIDE)
PILLAR = [floor(half=20), box((-0.2, -0.2, 0), (0.2, 0.2, HIGH), "pillar")]  # a drop on every side
ON_TOP = (0, 0, HIGH + 0.03)


def _left_after(share, hz, steps):
    """Return what is left of an angle after each step if a share of it goes in a sixtieth of a second."""
    return (1 - share) ** (60 * np.arange(steps + 1) / hz)


@pytest.mark.parametrize("hz", ALL_RATES)
def test_where_the_guard_finds_no_way_the_walker_stands_and_turns_slowly(hz):
    """A twentieth of the angle left in each sixtieth of a second."""
    turn = take(PILLAR, held(1, LEFT), settings=GUARDED, start=ON_TOP, hz=hz)

    assert np.ptp(turn.position, axis=0).max() < 1e-9
    assert turn.is_grounded.all()
    np.testing.assert_allclose(turn.heading, math.pi / 2 * (1 - _left_after(0.05, hz, hz)), atol=1e-9)


@pytest.mark.parametrize("settings", [{"turn_share": 0.5}, {"turn_rate": 100.0}, {"facing": Facing.MOTION}], ids=str)
def test_there_it_turns_as_slowly_however_fast_it_turns_elsewhere(settings):
    turn = take(PILLAR, held(0.5, LEFT), settings=replace(GUARDED, **settings), start=ON_TOP)

    np.testing.assert_allclose(turn.heading, math.pi / 2 * (1 - _left_after(0.05, 60, 30)), atol=1e-9)


@pytest.mark.parametrize("settings", [{"turn_share": 0.02}, {"turn_rate": 0.5}], ids=str)
def test_there_it_turns_no_faster_than_elsewhere(settings):
    settings = replace(GUARDED, **settings)
    cornered = take(PILLAR, held(0.5, LEFT), settings=settings, start=ON_TOP)
    free = take([floor()], held(0.5, LEFT), settings=settings)

    np.testing.assert_allclose(cornered.heading, free.heading, atol=1e-9)


def test_stopped_by_a_guard_that_looks_for_no_side_it_turns_as_elsewhere():
    stop = replace(GUARDED, ledge_guard=LedgeGuard.STOP)

    assert take(PILLAR, held(0.1, LEFT), settings=stop, start=ON_TOP).heading[1] == pytest.approx(math.pi / 2)


@pytest.mark.parametrize("hz", ALL_RATES)
@pytest.mark.parametrize("share", [0.05, 0.5, 0.9])
def test_by_a_share_the_angle_left_is_multiplied_in_equal_times(share, hz):
    """Three walkers turn by different angles."""
    angles = np.array([30, -90, 170])
    move = np.tile([heading(angle) for angle in angles], (hz // 3, 1, 1))
    state, told = spawn(FLOOR, WALKER, np.tile([0, 0, 0.02], (3, 1))), []
    settings = replace(WALKER, turn_share=share)
    for wish in move:
        state = step(FLOOR, settings, state, Command(wish), 1 / hz)
        told.append(state.heading)

    gone = 1 - _left_after(share, hz, hz // 3)[1:]
    np.testing.assert_allclose(told, np.radians(angles) * gone[:, None], atol=1e-9)


@pytest.mark.parametrize("settings", [{}, {"turn_share": 1.0}, {"turn_share": 0.0}], ids=str)
def test_without_a_share_or_with_the_whole_of_it_the_walker_turns_at_once(settings):
    turn = take([floor()], held(0.1, LEFT), settings=replace(WALKER, **settings))

    np.testing.assert_allclose(turn.heading[1:], math.pi / 2, atol=1e-12)


@pytest.mark.parametrize("hz", ALL_RATES)
def test_a_share_turns_no_faster_than_the_turning_rate(hz):
    """90 degrees: at 3 rad/s while half of what is left is more than that in a sixtieth, at last by the share."""
    settings = replace(WALKER, turn_share=0.5, turn_rate=3.0)

    turn = take([floor()], held(1, LEFT), settings=settings, hz=hz)

    steps = np.diff(turn.heading)
    assert steps.max() <= 3.0 / hz + 1e-12
    np.testing.assert_allclose(turn.heading[: hz // 3], 3.0 * np.arange(hz // 3) / hz, atol=1e-9)
    assert turn.heading[-1] == pytest.approx(math.pi / 2, abs=1e-4)


def test_the_shorter_way_round_is_taken():
    turn = take(
        [floor()], held(0.5, heading(-170)), settings=replace(WALKER, turn_share=0.2), heading=math.radians(170)
    )

    left = (math.radians(20)) * _left_after(0.2, 60, 30)
    expected = np.radians(190) - left
    np.testing.assert_allclose(np.cos(turn.heading - expected), 1, atol=1e-12)


@pytest.mark.parametrize(("facing", "expected"), [(Facing.MOTION, 0.0), (Facing.WISH, math.radians(40))])
def test_along_a_wall_it_faces_its_motion_or_its_wish(facing, expected):
    level = [floor(), wall((-9, 1), (30, 1))]

    along = take(level, held(2, heading(40)), settings=replace(WALKER, facing=facing, turn_share=0.5))

    assert along.heading[-1] == pytest.approx(expected, abs=1e-6)


def test_without_a_wish_the_heading_stays():
    turn = take([floor()], held(0.1, BACK), held(0.5, IDLE), held(0.1, AHEAD), settings=replace(WALKER, turn_share=0.5))

    assert np.ptp(turn.heading[6:37]) == 0
