"""Ledge slide: next to a drop the walker slides along the rim, stops at it, or walks off, as it is told."""

import math
from dataclasses import replace

import numpy as np
import pytest
from builders import box, floor, heading, prism, ramp, stairs
from takes import AHEAD, BACK, IDLE, LEFT, RATES, RIGHT, held, take

from levelwalk.core import EventKind, Facing, LedgeGuard, Settings, Support

pytestmark = pytest.mark.slow
SKIN, HIGH = 0.02, 6.0
SPEED = 4.0
SLIDER = Settings(ledge_guard=LedgeGuard.SLIDE, speed=SPEED, guard_ahead=1.0, guard_depth=3.0, facing=Facing.WISH)
SLOWER = 0.75 * SPEED  # along a rim


def _platform(half_x=5.0, half_y=40.0):
    return [floor(half=60), box((-half_x, -half_y, 0), (half_x, half_y, HIGH), "platform")]


ON_TOP = (0, 0, HIGH + 0.03)


@pytest.mark.parametrize("hz", [30, 60])
@pytest.mark.parametrize("degrees", [20, 45, 70, -45])
def test_at_an_angle_the_walker_goes_on_along_the_rim(degrees, hz):
    """At three quarters of its speed, along the rim to 10 degrees, and never past it."""
    start = (3, 0, HIGH + 0.03)
    walk = take(_platform(), held(3, heading(degrees)), settings=SLIDER, start=start, standing=0.1, hz=hz)

    last = walk.position[-hz - 1 :]
    assert walk.is_grounded.all()
    assert walk.position[:, 0].max() < 5
    along = (last[-1, 1] - last[0, 1]) / ((len(last) - 1) / hz)
    fastest = max(SLOWER, SPEED * math.sin(math.radians(abs(degrees))))  # where the way is free it is not slower
    assert SLOWER * math.cos(math.radians(10)) <= abs(along) <= fastest + 1e-9
    assert np.sign(along) == np.sign(degrees)


@pytest.mark.parametrize("degrees", [20, 45, 70])
def test_before_the_rim_the_way_is_straight_and_at_full_speed(degrees):
    """The drop is seen from a metre away along the wish."""
    walk = take(_platform(), held(1.5, heading(degrees)), settings=SLIDER, start=ON_TOP)

    free = walk.position[:, 0] < 5 - math.cos(math.radians(degrees)) - 2 * SPEED / 60
    steps = walk.strides[free[:-1] & free[1:]]
    np.testing.assert_allclose(steps * 60, SPEED, rtol=1e-6)


@pytest.mark.parametrize("hz", RATES)
def test_head_on_the_walker_turns_aside(hz):
    """Turned by 80 degrees the way ahead is free, to the left first; until even there the drop is too near."""
    walk = take(_platform(), held(2.5, AHEAD), settings=SLIDER, start=(3, 0, HIGH + 0.03), hz=hz)

    assert walk.is_grounded.all()
    assert walk.position[:, 0].max() < 5
    assert walk.position[-1, 1] > 1.5


def test_where_the_left_is_closed_it_goes_to_the_right():
    """The platform ends to the left as well: the side once chosen is kept, and not changed from step to step."""
    level = [floor(half=60), box((-9, -40, 0), (5, 0.6, HIGH), "platform")]

    walk = take(level, held(3, AHEAD), settings=SLIDER, start=ON_TOP)

    assert walk.is_grounded.all()
    assert walk.position[-1, 1] < -1.2


def test_in_a_corner_of_the_platform_the_walker_stops():
    """Between two rims neither side is free."""
    level = [floor(half=60), box((-9, -9, 0), (5, 5, HIGH), "platform")]

    walk = take(level, held(6, heading(45)), settings=SLIDER, start=ON_TOP)

    assert walk.is_grounded.all()
    assert walk.position[:, :2].max() < 5


def test_on_a_tongue_of_rock_the_walker_stops_at_the_end():
    """30 cm wide: turned by 80 degrees there is a drop on both sides."""
    level = [floor(half=60), box((-9, -0.15, 0), (5, 0.15, HIGH), "tongue")]

    walk = take(level, held(4, AHEAD), settings=SLIDER, start=ON_TOP)

    assert walk.is_grounded.all()
    assert 5 - 1.0 - SPEED / 60 <= walk.position[-1, 0] <= 5
    assert walk.strides[-60:].max() < 1e-6


@pytest.mark.parametrize("facing", list(Facing))
def test_along_the_rim_the_body_faces_its_wish(facing):
    walk = take(_platform(), held(4, heading(45)), settings=replace(SLIDER, facing=facing), start=ON_TOP)

    assert walk.position[-1, 1] - walk.position[-61, 1] == pytest.approx(SLOWER, rel=0.03)
    np.testing.assert_allclose(walk.heading[-60:], math.radians(45), atol=1e-6)


@pytest.mark.parametrize("hz", RATES)
def test_turning_takes_its_time_at_any_rate(hz):
    """90 degrees at 3 rad/s."""
    turn = take([floor()], held(0.3, LEFT), settings=replace(SLIDER, turn_rate=3.0), hz=hz)

    assert turn.heading[-1] == pytest.approx(0.3 * 3.0, rel=0.01)


@pytest.mark.parametrize("hz", RATES)
def test_c67_stopped_at_the_rim_the_walker_stays_grounded(hz):
    """Guarded, pushing on for five seconds: a metre before the drop, a step more or less."""
    settings = replace(SLIDER, ledge_guard=LedgeGuard.STOP)

    walk = take(_platform(), held(5, AHEAD), settings=settings, start=(3, 0, HIGH + 0.03), hz=hz)

    assert walk.is_grounded.all()
    assert 5 - 1.0 - SPEED / hz <= walk.position[-1, 0] <= 5 - 1.0 + SPEED / hz
    assert walk.strides[-2 * hz :].max() < 1e-9
    assert not walk.events(EventKind.LEFT_GROUND)


def test_stopped_at_the_rim_the_walker_may_turn_back():
    settings = replace(SLIDER, ledge_guard=LedgeGuard.STOP)

    walk = take(_platform(), held(2, AHEAD), held(1, BACK), settings=settings, start=ON_TOP)

    assert walk.position[-1, 0] == pytest.approx(walk.position[120, 0] - SPEED, abs=0.01)


def test_told_to_walk_off_it_falls():
    walk = take(_platform(), held(3, AHEAD), settings=replace(SLIDER, ledge_guard=LedgeGuard.WALK_OFF), start=ON_TOP)

    assert walk.position[-1, 2] < 1
    assert (walk.support == Support.AIRBORNE).any()


@pytest.mark.parametrize(("drop", "guarded"), [(0.3, False), (2.9, False), (3.1, True), (6.0, True)])
@pytest.mark.parametrize("mode", [LedgeGuard.STOP, LedgeGuard.SLIDE])
def test_a_drop_counts_from_the_guards_depth(mode, drop, guarded):
    level = [floor(half=60), box((-9, -40, 0), (5, 40, drop), "platform")]

    walk = take(level, held(3, AHEAD), settings=replace(SLIDER, ledge_guard=mode), start=(0, 0, drop + 0.03))

    assert (walk.position[-1, 0] < 5) == guarded


@pytest.mark.parametrize("speed", [12.0, 60.0])
def test_a_fast_walker_looks_further(speed):
    """At 30 Hz one step is 0.4 or 2 m long: 1.2 times as far is looked ahead."""
    level = [floor(half=200), box((-150, -150, 0), (150, 150, HIGH), "platform")]
    settings = replace(SLIDER, speed=speed)

    walk = take(level, held(4, AHEAD), settings=settings, start=(140, 0, HIGH + 0.03), hz=30)

    assert walk.is_grounded.all()


@pytest.mark.parametrize("wish", [AHEAD, LEFT, BACK, RIGHT, *(heading(a) for a in (45, 135, 225, 315))], ids=str)
def test_eight_ways_lead_to_the_rim_and_never_over_it(wish):
    """A round platform: the guard leads along a rim that turns."""
    rim = [(4 * math.cos(a), 4 * math.sin(a)) for a in np.linspace(0, 2 * math.pi, 32, endpoint=False)]
    level = [floor(half=60), prism(rim, 0, HIGH, "platform")]

    walk = take(level, held(4, wish), settings=SLIDER, start=ON_TOP)

    assert walk.is_grounded.all()
    assert np.hypot(walk.position[:, 0], walk.position[:, 1]).max() < 4
    assert walk.strides.max() * 60 <= SPEED + 1e-6


@pytest.mark.parametrize("wish", [(1, 1), (-1, 1), (1, -1)], ids=str)
def test_diagonals_are_not_faster(wish):
    walk = take([floor()], held(1, wish), settings=SLIDER)

    assert np.linalg.norm(walk.position[-1] - walk.position[0]) == pytest.approx(SPEED, rel=1e-3)


@pytest.mark.parametrize("mode", [LedgeGuard.STOP, LedgeGuard.SLIDE])
def test_stairs_ramps_and_kerbs_are_no_drops(mode):
    settings = replace(SLIDER, ledge_guard=mode)
    up = take([floor(), stairs()], held(1.5, AHEAD), settings=settings)
    down = take([floor(), ramp(40, length=8)], held(2.5, BACK), settings=settings, start=(7, 0, 5))

    assert up.position[-1, 0] == pytest.approx(6.0, abs=0.1)
    assert down.position[-1, 2] == pytest.approx(SKIN, abs=0.01)


def test_a_guarded_walker_may_jump_off():
    settings = replace(SLIDER, ledge_guard=LedgeGuard.STOP)
    start = (3.5, 0, HIGH + 0.03)

    walk = take(_platform(), held(0.5, AHEAD), held(1.5, AHEAD, "jump"), settings=settings, start=start)

    assert walk.position[-1, 0] > 5


def test_standing_at_the_rim_is_no_fall():
    walk = take(_platform(), held(1, IDLE), settings=SLIDER, start=(4.9, 0, HIGH + 0.03))

    assert walk.is_grounded.all()
    assert np.ptp(walk.position, axis=0).max() == 0


@pytest.mark.parametrize("hz", [30, 120])
def test_acceleration_does_not_carry_over_the_rim(hz):
    settings = replace(SLIDER, acceleration=20.0, deceleration=20.0)

    walk = take(_platform(), held(4, heading(30)), settings=settings, start=ON_TOP, hz=hz)

    assert walk.is_grounded.all()
    assert walk.position[:, 0].max() < 5
