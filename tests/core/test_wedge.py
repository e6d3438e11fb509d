"""Wedged: between steep faces that hold it the walker may jump or leave; where a way leads down it slides."""

import math
from dataclasses import replace

import numpy as np
import pytest
from builders import flipped, floor, hull, moved, ramp, wall
from takes import AHEAD, ALL_RATES, BACK, IDLE, LEFT, held, take

from levelwalk.core import Commands, EventKind, Settings, Support, World, simulate

SKIN, GRAVITY = 0.02, 9.81
GAP = 0.3 + SKIN
WALKER = Settings()


def _about_x(degrees):
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.array([[1, 0, 0], [0, c, -s], [0, s, c]])


def _groove(angle, falls=0.0):
    """Return two slopes of an angle that fall towards x = 0 along a crease that falls towards -y."""
    east = ramp(angle, x=0, length=8, half_width=8)
    west = moved(flipped(east), turn=np.diag([-1.0, 1, 1]))
    return [moved(side, turn=_about_x(falls)) for side in (west, east)]


def _resting(angle):
    """Return the feet of a walker that touches both sides of a level groove."""
    return np.array([0, 0, GAP / math.cos(math.radians(angle)) - 0.3])


def _wedged(angle, *parts, settings=WALKER, hz=60, above=0.05):
    return take(_groove(angle), *parts, settings=settings, start=_resting(angle) + (0, 0, above), standing=0.3, hz=hz)


@pytest.mark.parametrize("hz", ALL_RATES)
@pytest.mark.parametrize("angle", [46, 60, 75, 85])
def test_c47_between_two_steep_faces_the_walker_is_held_and_says_so(angle, hz):
    still = _wedged(angle, held(0.3), hz=hz)

    np.testing.assert_allclose(still.position[-1], _resting(angle), atol=1e-4)
    assert np.ptp(still.position, axis=0).max() < 1e-5
    assert (still.support == Support.STEEP).all()
    assert all(state.is_wedged[0] for state in still.states)


@pytest.mark.parametrize("hz", ALL_RATES)
@pytest.mark.parametrize("angle", [60, 75])
def test_c47_out_of_a_wedge_a_jump_is_as_high_as_from_the_ground(angle, hz):
    up = _wedged(angle, held(0.1), held(0.7, IDLE, "jump"), hz=hz)

    assert len(up.events(EventKind.JUMPED)) == 1
    assert up.position[:, 2].max() - up.position[0, 2] == pytest.approx(1.0, rel=0.01)
    assert not up.states[round(0.5 * hz)].is_wedged[0]


@pytest.mark.parametrize("hz", ALL_RATES)
@pytest.mark.parametrize("angle", [60, 75])
@pytest.mark.parametrize("air_acceleration", [math.inf, 0.0])
def test_c47_along_the_groove_the_walker_leaves_at_its_speed(air_acceleration, angle, hz):
    settings = replace(WALKER, acceleration=40.0, air_acceleration=air_acceleration)

    along = _wedged(angle, held(0.4, LEFT), settings=settings, hz=hz)

    way = 4.0 * 0.4 - 4.0**2 / (2 * 40.0)  # less what the start takes
    assert along.position[-1, 1] - along.position[0, 1] == pytest.approx(way, abs=0.5 * 4.0 / hz + 0.01)
    assert np.ptp(along.position[:, [0, 2]], axis=0).max() < 1e-4


@pytest.mark.parametrize("hz", ALL_RATES)
@pytest.mark.parametrize("wish", [LEFT, AHEAD, (0.6, 0.8)], ids=str)
def test_c47_a_wedged_walker_jumps_while_it_walks_or_pushes(wish, hz):
    up = _wedged(60, held(0.2, wish), held(0.6, wish, "jump"), hz=hz)

    assert len(up.events(EventKind.JUMPED)) == 1


@pytest.mark.parametrize("hz", ALL_RATES)
def test_c47_jumping_on_and_on_leads_no_higher_than_one_jump(hz):
    presses = [held(0.1, IDLE, *button) for _ in range(15) for button in (("jump",), ())]

    up = _wedged(60, *presses, hz=hz)

    assert len(up.events(EventKind.JUMPED)) >= 2
    assert up.position[:, 2].max() <= _resting(60)[2] + 1.0 * 1.01


def test_c47_a_press_before_the_wedge_is_kept_for_the_jump_buffer():
    """From 0.3 m above the fall takes 0.25 s; the press comes 0.1 s before its end."""
    settings = replace(WALKER, jump_buffer=0.2)

    for buffered, jumps in ((settings, 1), (WALKER, 0)):
        feet = _resting(60) + (0, 0, 0.3)
        fall = take(_groove(60), held(0.15), held(0.3, IDLE, "jump"), settings=buffered, start=feet, standing=0)
        assert len(fall.events(EventKind.JUMPED)) == jumps


def test_c47_air_jumps_and_the_height_of_a_fall_are_counted_from_the_wedge():
    settings = replace(WALKER, air_jumps=1)
    twice = [held(0.2, IDLE, "jump"), held(0.05), held(0.2, IDLE, "jump"), held(1.3)]

    up = _wedged(60, *twice, *twice, settings=settings)

    assert len(up.events(EventKind.JUMPED)) == 4


@pytest.mark.parametrize("hz", ALL_RATES)
@pytest.mark.parametrize("falls", [2, 10, 40])
def test_c47_where_the_crease_leads_down_the_walker_slides_and_may_not_jump(falls, hz):
    """Along the crease with g sin of its angle, without friction."""
    feet = _about_x(falls) @ (_resting(60) + (0, 4, 0.3)) - (0, 0, 0.3) + (0, 0, 0.02)

    slide = take(_groove(60, falls), held(0.4), held(0.2, IDLE, "jump"), start=feet, standing=0.3, hz=hz)

    assert not slide.events(EventKind.JUMPED)
    assert not any(state.is_wedged[0] for state in slide.states)
    gained = np.diff(np.linalg.norm(slide.velocity, axis=1)) * hz
    np.testing.assert_allclose(gained[2:], GRAVITY * math.sin(math.radians(falls)), rtol=0.02)


@pytest.mark.parametrize("hz", ALL_RATES)
def test_c47_in_a_corner_of_two_steep_faces_that_leads_down_there_is_no_jump(hz):
    """A pyramid's inside corner: faces of 60 degrees towards +x and +y, whose crease falls by 51 degrees."""
    east = flipped(ramp(60, x=0, length=8, half_width=8))
    faces = [moved(east, turn=np.diag([-1.0, 1, 1])), moved(east, turn=[[0, 1, 0], [-1, 0, 0], [0, 0, 1]])]
    level = [floor(z=-8), *faces]
    presses = [held(0.05, (-0.7, 0.7), *button) for _ in range(10) for button in (("jump",), ())]

    slide = take(level, *presses, start=(-1.5, 1.5, 3.2), standing=0.1, hz=hz)

    in_corner = slide.position[:, 2] > 0.5
    jumps = [event for event in slide.events(EventKind.JUMPED) if event.position[2] > 0.5]
    assert in_corner.sum() > 2
    assert not jumps
    assert not any(state.is_wedged[0] for state, here in zip(slide.states, in_corner, strict=True) if here)


@pytest.mark.parametrize("wish", [IDLE, AHEAD, BACK], ids=str)
def test_c20_on_one_steep_face_nothing_is_a_wedge(wish):
    start = (5, 0, 3 * math.tan(math.radians(60)) + 0.4)

    slide = take([ramp(60)], held(0.3, wish, "jump"), start=start, standing=0.1)

    assert not any(state.is_wedged[0] for state in slide.states)
    assert not slide.events(EventKind.JUMPED)


def test_between_a_wall_and_a_steep_face_the_walker_is_held():
    """Nothing leads down there either."""
    level = [ramp(60, x=0, length=8), wall((0, -9), (0, 9), height=9)]
    feet = (GAP, 0, GAP * math.tan(math.radians(60)) + GAP / math.cos(math.radians(60)) - 0.3 + 0.05)

    up = take(level, held(0.2), held(0.5, IDLE, "jump"), settings=WALKER, start=feet, standing=0.3)

    assert len(up.events(EventKind.JUMPED)) == 1
    assert up.position[:, 2].max() - up.position[0, 2] == pytest.approx(1.0, rel=0.01)


def test_in_a_pit_of_three_steep_faces_the_walker_may_jump():
    thirds = [math.radians(turn) for turn in (90, 210, 330)]
    rim = np.array([[4 * math.cos(t), 4 * math.sin(t), 2 * math.tan(math.radians(60))] for t in thirds])
    sides = [hull([(0, 0, 0), rim[i], rim[i - 1], 1.5 * (rim[i] + rim[i - 1]) / 2 - (0, 0, 4)]) for i in range(3)]
    feet = (0, 0, GAP / math.cos(math.radians(60)) - 0.3 + 0.05)

    up = take(sides, held(0.2), held(0.5, IDLE, "jump"), start=feet, standing=0.4)

    assert len(up.events(EventKind.JUMPED)) == 1


def test_each_of_many_walkers_is_judged_alone():
    """In the groove, on one of its sides above, on a floor beside it, and in the air."""
    level = [*_groove(60), floor(z=-9)]
    starts = [_resting(60), (1.5, 0, 1.5 * math.tan(math.radians(60)) + 0.4), (20, 0, -8.98), (20, 5, 5)]
    trace = simulate(World.build(level), WALKER, np.array(starts), Commands(np.zeros((6, 4, 2))))

    assert trace.final.is_wedged.tolist() == [True, False, False, False]
