"""Momentum body: driven through its velocity and left to gravity and contacts, without friction or bounce."""

import math
from dataclasses import replace

import numpy as np
import pytest
from builders import box, extruded, flipped, floor, heading, moved, ramp, sheet, wall
from takes import AHEAD, BACK, IDLE, LEFT, held, take

from levelwalk.core import Commands, EventKind, JumpDirection, Movement, Settings, Support, TriMesh, World, simulate

pytestmark = pytest.mark.slow

RADIUS, SKIN, GRAVITY, HZ = 0.5, 0.01, 9.81, 50
GAP = RADIUS + SKIN
BODY = Settings(
    movement=Movement.MOMENTUM,
    radius=RADIUS,
    height=2 * RADIUS,
    skin_width=SKIN,
    speed=10.0,
    acceleration=10.0,
    deceleration=10.0,
    air_acceleration=1.0,
    jump_height=2.0,
    slope_limit=math.radians(25),
    step_offset=0.0,
    ground_snap=0.0,
)
START = (0, 0, SKIN)
JUMP_SPEED = math.sqrt(2 * GRAVITY * 2)
FIELD = floor(half=200)


def body(level, *parts, settings=BODY, start=START, standing=0.2, hz=HZ):
    return take(level, *parts, settings=settings, start=start, standing=standing, hz=hz)


def _height(angle, metres):
    return metres * math.tan(math.radians(angle))


# Speed


@pytest.mark.parametrize("hz", [25, 50, 100, 200])
def test_the_velocity_moves_towards_the_wish_by_the_acceleration(hz):
    """10 m/s after a second; the way is v² / 2a and then v t."""
    drive = body([FIELD], held(3, AHEAD), hz=hz)

    assert drive.velocity[hz // 5, 0] == pytest.approx(2.0, abs=1e-6)
    np.testing.assert_allclose(drive.velocity[hz + 1 :, 0], 10.0, atol=1e-6)
    assert drive.position[-1, 0] == pytest.approx(5 + 20, abs=10 / hz)


def test_reversing_takes_twice_as_long():
    drive = body([FIELD], held(2, AHEAD), held(2.5, BACK))

    np.testing.assert_allclose(drive.velocity[200, 0], -10.0, atol=1e-6)
    assert drive.velocity[150, 0] == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize(("wish", "speed"), [((3, 0), 10.0), ((1, 1), 10.0), ((0.5, 0), 5.0)])
def test_the_wish_is_cut_to_length_1(wish, speed):
    drive = body([FIELD], held(3, wish))

    assert np.linalg.norm(drive.velocity[-1]) == pytest.approx(speed, abs=1e-6)


def test_in_the_air_the_acceleration_is_that_of_the_air():
    drive = body([FIELD], held(1, AHEAD), start=(0, 0, 20), standing=0)

    np.testing.assert_allclose(drive.velocity[-1], (1.0, 0, -GRAVITY), atol=1e-6)


def test_without_air_acceleration_a_throw_is_a_parabola():
    settings = replace(BODY, air_acceleration=0.0)
    drive = body([FIELD], held(1, AHEAD), held(0.1, AHEAD, "jump"), held(0.8), settings=settings)

    t = np.arange(45) / HZ
    flight = drive.position[50:95] - drive.position[50]
    np.testing.assert_allclose(flight[:, 0], 10 * t, atol=0.01)
    np.testing.assert_allclose(flight[:, 2], JUMP_SPEED * t - GRAVITY * t**2 / 2, atol=0.01)


@pytest.mark.parametrize("deceleration", [0.0, 10.0])
def test_there_is_no_friction_but_the_deceleration(deceleration):
    settings = replace(BODY, deceleration=deceleration)
    drive = body([FIELD], held(1, AHEAD), held(1), settings=settings)

    assert drive.velocity[-1, 0] == pytest.approx(10 - deceleration, abs=1e-6)


# Jumps


@pytest.mark.parametrize("hz", [30, 50, 60, 120, 240])
@pytest.mark.parametrize("height", [0.5, 2.0])
def test_a_jump_is_as_high_as_set(height, hz):
    jump = body([FIELD], held(0.1, IDLE, "jump"), held(1.4), settings=replace(BODY, jump_height=height), hz=hz)

    assert jump.position[:, 2].max() - SKIN == pytest.approx(height, rel=0.01)


def test_a_jump_that_rises_already_gets_only_what_is_missing():
    settings = replace(BODY, air_jumps=1)
    jump = body([FIELD], held(0.1, IDLE, "jump"), held(0.1), held(0.1, IDLE, "jump"), held(1.2), settings=settings)

    first = JUMP_SPEED * 0.2 - GRAVITY * 0.2**2 / 2
    assert jump.position[:, 2].max() - SKIN == pytest.approx(first + 2.0, rel=0.01)


def test_a_jump_slows_nobody_who_rises_faster():
    settings = replace(BODY, air_jumps=1)
    jump = body([FIELD], held(0.1, push=(0, 0, 15)), held(0.1, IDLE, "jump"), held(2), settings=settings)

    assert jump.position[:, 2].max() - SKIN == pytest.approx(15**2 / (2 * GRAVITY), rel=0.01)


@pytest.mark.parametrize("most", [0, 1, 5])
def test_air_jumps_are_counted_and_begin_anew_on_the_ground(most):
    taps = [part for _ in range(most + 3) for part in (held(0.06, IDLE, "jump"), held(0.1))]
    jumps = body([FIELD], *taps, held(4), *taps, held(1), settings=replace(BODY, air_jumps=most))

    assert len(jumps.events(EventKind.JUMPED)) == 2 * (1 + most)


def test_a_wall_beside_the_ground_does_not_prevent_the_jump_and_alone_does_not_allow_it():
    level = [FIELD, wall((2, 9), (2, -9), height=20)]
    beside = body(level, held(1.5, AHEAD), held(0.1, AHEAD, "jump"), held(0.3, AHEAD), held(0.1, AHEAD, "jump"))

    assert len(beside.events(EventKind.JUMPED)) == 1
    assert beside.position[75, 0] == pytest.approx(2 - GAP, abs=0.001)


@pytest.mark.parametrize("angle", [10, 20, 24])
@pytest.mark.parametrize("along", list(JumpDirection))
def test_a_jump_goes_up_or_along_the_normal(along, angle):
    settings = replace(BODY, jump_direction=along, deceleration=0.0)
    start = (8, 0, _height(angle, 6) + GAP / math.cos(math.radians(angle)) - RADIUS)

    jump = body(
        [FIELD, ramp(angle, length=20)], held(0.02, IDLE, "jump"), settings=settings, start=start, standing=0.02
    )

    a = math.radians(angle)
    normal = np.array([-math.sin(a), 0, math.cos(a)])
    towards = normal if along is JumpDirection.NORMAL else np.array([0, 0, 1.0])
    gained = jump.velocity[1] - jump.velocity[0] + (0, 0, GRAVITY / HZ)
    missing = JUMP_SPEED - jump.velocity[0] @ towards
    np.testing.assert_allclose(gained, towards * missing, atol=0.15)


def _trough(left, right):
    west = moved(flipped(ramp(left, x=0, length=8)), turn=np.diag([-1.0, 1, 1]))
    return [west, ramp(right, x=0, length=8)]


@pytest.mark.parametrize("angle", [10, 20])
def test_out_of_a_hollow_the_jump_goes_straight_up_every_time(angle):
    settings = replace(BODY, jump_direction=JumpDirection.NORMAL)
    start = (0, 0, GAP / math.cos(math.radians(angle)) - RADIUS + 0.001)
    hops = [part for _ in range(3) for part in (held(0.1, IDLE, "jump"), held(1.6))]

    jump = body(_trough(angle, angle), *hops, settings=settings, start=start, standing=0.5)

    assert len(jump.events(EventKind.JUMPED)) == 3
    assert jump.states[0].ground_count[0] == 2
    np.testing.assert_allclose(jump.states[0].ground_sum[0], (0, 0, 1), atol=1e-6)
    assert np.abs(jump.position[:, :2]).max() < 0.01
    assert jump.position[:, 2].max() - jump.position[0, 2] == pytest.approx(2.0, rel=0.02)


# Slopes


@pytest.mark.parametrize("angle", [10, 24.9, 25.2, 40, 60])
def test_ground_is_what_is_no_steeper_than_the_limit(angle):
    start = (8, 0, _height(angle, 6) + GAP / math.cos(math.radians(angle)) - RADIUS)
    rest = body([ramp(angle, length=40)], held(0.3), start=start, standing=0.1)

    assert (rest.support[5:] == (Support.GROUNDED if angle < 25 else Support.STEEP)).all()


@pytest.mark.parametrize("angle", [26, 45, 60])
def test_on_steep_ground_it_slides_as_without_friction(angle):
    start = (20, 0, _height(angle, 18) + GAP / math.cos(math.radians(angle)) - RADIUS)
    settings = replace(BODY, air_acceleration=0.0)
    slide = body([ramp(angle, length=80)], held(1), start=start, standing=0.1, settings=settings)

    speed = np.linalg.norm(slide.velocity, axis=1)
    np.testing.assert_allclose(np.diff(speed) * HZ, GRAVITY * math.sin(math.radians(angle)), rtol=0.01)


@pytest.mark.parametrize("angle", [5, 15, 24])
def test_downhill_and_on_turning_round_contact_is_kept(angle):
    """Down at full speed, then back up: the wish is compared along axes on the ground plane."""
    start = (120, 0, _height(angle, 118) + GAP / math.cos(math.radians(angle)) - RADIUS)
    level = [ramp(angle, length=140, half_width=20)]
    drive = body(level, held(2, BACK), held(2, AHEAD), held(1, LEFT), start=start, standing=0.1)

    assert drive.is_grounded[2:].all()
    gap = (drive.position[:, 2] + RADIUS) * math.cos(math.radians(angle)) - (drive.position[:, 0] - 2) * math.sin(
        math.radians(angle)
    )
    np.testing.assert_allclose(gap[2:], GAP, atol=1e-3)


def test_it_does_not_bounce():
    drop = body([FIELD], held(2), start=(0, 0, 5), standing=0)

    landed = drop.first(EventKind.LANDED).step
    np.testing.assert_allclose(drop.velocity[landed + 1 :, 2], 0, atol=1e-6)
    np.testing.assert_allclose(drop.position[landed + 1 :, 2], SKIN, atol=1e-3)


def test_rolling_into_a_wall_keeps_what_goes_along_it():
    level = [FIELD, wall((-20, 3), (90, 3))]
    settings = replace(BODY, deceleration=0.0)
    roll = body(level, held(1.0, heading(30)), held(1.0), settings=settings)

    assert roll.velocity[-1, 0] == pytest.approx(10 * math.cos(math.radians(30)), rel=0.02)
    np.testing.assert_allclose(roll.velocity[-1, 1:], 0, atol=1e-6)


def test_a_crest_taken_fast_is_left():
    """Off a ramp of 20 degrees at 10 m/s: a throw, as nothing holds it down."""
    hump = extruded([(10, 0), (10 + 20, 0), (10 + 20, _height(20, 20))], 5, "hump")
    drive = body([FIELD, hump], held(6, AHEAD))

    lip = _height(20, 20)
    assert drive.position[:, 2].max() > lip + 0.3
    assert drive.events(EventKind.LEFT_GROUND)


@pytest.mark.parametrize("speed", [10.0, 100.0])
def test_no_speed_goes_through_a_sheet(speed):
    settings = replace(BODY, speed=speed, acceleration=1e4)
    stop = body([FIELD, sheet((5, -9, 0), (0, 18, 0), (0, 0, 9))], held(1, AHEAD), settings=settings)

    assert stop.position[:, 0].max() == pytest.approx(5 - GAP, abs=0.001)
    assert (stop.clearance > 0).all()


def test_a_press_between_two_steps_is_not_lost():
    """The button is down for a single step."""
    assert len(body([FIELD], held(1 / HZ, IDLE, "jump"), held(1)).events(EventKind.JUMPED)) == 1


# The test gym

LANES = [0, 5.7, 11.3, 16.7, 21.8, 26.6, 31.0, 35.0, 38.7, 42.0, 45.0, 48.0]
LANES += [51.3, 55.0, 59.0, 63.4, 68.2, 73.3, 78.7, 84.3, 90]


def _gym():
    """Return 21 lanes 4 m wide side by side, each a slope from x = 20 on that is as high as it is long, or 12 m."""
    level = [box((-20, -4, -1), (20, 4 * len(LANES), 0), "apron")]
    for i, angle in enumerate(LANES):
        y = 4.0 * i
        if angle == 0:
            level.append(box((20, y - 2, -1), (60, y + 2, 0), "lane 0"))
        elif angle == 90:
            level.append(box((20, y - 2, -1), (30, y + 2, 12), "lane 90"))
        else:
            run = min(40.0, 12.0 / math.tan(math.radians(angle)))
            slope = extruded([(20, -1), (20 + run, -1), (20 + run, _height(angle, run)), (20, 0)], 2, f"lane {angle}")
            level.append(moved(slope, by=(0, y, 0)))
    return level


def test_the_gym_sorts_its_lanes():
    """Without air acceleration: the gentle lanes are climbed at nearly one speed, then one after the other is lost."""
    settings = replace(BODY, air_acceleration=0.0)
    starts = np.array([(0, 4.0 * i, SKIN) for i in range(len(LANES))])
    commands = Commands(np.tile([1.0, 0.0], (5 * HZ, 1)))
    trace = simulate(World.build(_gym()), settings, starts, commands, dt=1 / HZ)

    # A body that is not grounded on its lane is thrown up it: it loses the part of its 10 m/s that goes into the
    # slope, and rises by no more than v² / 2g of the rest.
    reached = trace.position[:, :, 2].max(axis=0)
    angles = np.radians(LANES)
    gentle = angles <= math.radians(25)
    speeds = (trace.position[-50] - trace.position[-100])[:, 0]
    assert (trace.position[-1, gentle, 0] > 35).all()
    np.testing.assert_allclose(speeds[gentle], 10.0, rtol=0.1)
    steep = ~gentle & (angles < math.pi / 2)
    bound = (10 * np.cos(angles)) ** 2 / (2 * GRAVITY)
    assert (reached[steep] <= bound[steep] + 0.2).all()
    assert (np.diff(reached[steep]) <= 0.05).all()  # the steeper, the lower
    assert reached[-1] < 0.05
    assert trace.position[:, -1, 0].max() == pytest.approx(20 - GAP, abs=0.002)


def test_turned_and_mirrored_it_rolls_the_same():
    level = [FIELD, *_trough(20, 15), wall((3, 9), (3, -9))]
    mirrored = [TriMesh(mesh.vertices * [-1, 1, 1], mesh.triangles[:, ::-1], mesh.name) for mesh in level]
    roll = body(level, held(1, heading(20)), held(1, heading(200), "jump"), start=(0, 0, 1))
    other = body(mirrored, held(1, heading(160)), held(1, heading(-20), "jump"), start=(0, 0, 1))

    np.testing.assert_allclose(other.position * [-1, 1, 1], roll.position, atol=1e-6)
