"""Abilities: running, crouching, sliding, dashing, climbing, mantling and being pushed, at any step rate."""

import math
from dataclasses import replace

import numpy as np
import pytest
from builders import box, floor, heading, ramp, wall
from takes import AHEAD, BACK, IDLE, LEFT, RATES, held, take

from levelwalk.core import Action, Command, EventKind, Settings, Support, TriMesh, World, spawn, step

SKIN, GRAVITY = 0.02, 9.81
WALKER = Settings()


def _spans(walk, action):
    """Return how many steps are spent in an action."""
    return int((walk.action == action).sum())


# Run


@pytest.mark.parametrize("hz", RATES)
def test_running_covers_its_own_speed(hz):
    run = take([floor()], held(2, AHEAD, "run"), settings=WALKER, hz=hz)

    assert run.position[-1, 0] == pytest.approx(14.0, abs=0.01)


# Crouch


def _tunnel(height, x=(2.0, 8.0)):
    return [floor(), box((x[0], -4, height), (x[1], 4, height + 1), "slab")]


@pytest.mark.parametrize("hz", RATES)
def test_c79_in_a_low_tunnel_the_speed_is_that_of_crouching(hz):
    """Two metres a second under 1.2 m, the button let go half-way: crouched until there is room to be upright."""
    settings = replace(WALKER, crouch_height=1.0, crouch_speed=2.0)
    walk = take(_tunnel(1.2), held(2, AHEAD, "crouch"), held(3.5, AHEAD), settings=settings, start=(0, 0, 0.03), hz=hz)

    under = (walk.position[:, 0] > 2 - 0.25) & (walk.position[:, 0] < 8 + 0.25)
    assert (walk.action[under] == Action.CROUCH).all()
    inside = under[1:] & under[:-1]
    np.testing.assert_allclose(walk.strides[inside] * hz, 2.0, rtol=1e-3)
    assert (walk.clearance > 0).all()
    assert walk.action[-1] == Action.NONE
    assert walk.velocity[-1, 0] == pytest.approx(4.0, abs=0.01)
    assert walk.is_grounded.all()


def test_c78_nobody_stands_up_into_a_ceiling_while_moving():
    """The button is tapped all the way through the tunnel."""
    settings = replace(WALKER, crouch_height=0.9)
    taps = [part for _ in range(40) for part in (held(0.05, AHEAD), held(0.05, AHEAD, "crouch"))]

    walk = take(
        _tunnel(1.2), held(1.2, AHEAD, "crouch"), *taps, held(2, AHEAD), settings=settings, start=(0.5, 0, 0.03)
    )

    assert (walk.clearance > 0).all()
    assert walk.position[-1, 0] > 9
    assert walk.action[-1] == Action.NONE


@pytest.mark.parametrize(("height", "stands"), [(1.83, False), (1.845, True)])
def test_standing_up_needs_room_for_the_height_and_its_skin(height, stands):
    """Between floor and ceiling fits 1.8 m with 0.02 m on both sides from 1.84 m on."""
    level = [floor(), box((-5, -5, height), (5, 5, 3), "slab")]
    start = (0, 0, 0.02)
    crouched = take(
        level, held(0.2, IDLE, "crouch"), held(0.5), settings=WALKER, start=start, standing=0
    )  # the button is down from the first step on

    assert (crouched.action[-1] == Action.NONE) == stands


def test_crouching_and_standing_up_keep_the_feet_where_they_are():
    walk = take([floor()], held(0.5, IDLE, "crouch"), held(0.5), settings=WALKER)

    assert np.ptp(walk.position, axis=0).max() == 0
    assert walk.is_grounded.all()
    assert [event.value for event in walk.events(EventKind.ACTION)] == [Action.CROUCH, Action.NONE]


def test_without_a_crouch_height_there_is_no_crouching():
    walk = take([floor()], held(0.5, AHEAD, "crouch"), settings=replace(WALKER, crouch_height=0.0))

    assert (walk.action == Action.NONE).all()
    assert walk.position[-1, 0] == pytest.approx(2.0, abs=0.001)


def test_a_crouch_height_over_the_height_is_no_growth():
    level = [floor(), box((-5, -5, 1.85), (5, 5, 3), "slab")]
    walk = take(level, held(1, AHEAD, "crouch"), settings=replace(WALKER, crouch_height=2.5))

    assert (walk.clearance > 0).all()


# Crouch slide

SLIDER = replace(WALKER, slide_speed=9.0, slide_deceleration=6.0, crouch_speed=2.0)


@pytest.mark.parametrize("hz", RATES)
def test_a_crouch_slide_loses_its_speed_evenly(hz):
    """From 9 to 2 m/s at 6 m/s² takes 7/6 s and (81 - 4) / 12 m; then it is a crouch."""
    slide = take([floor()], held(0.5, AHEAD, "run"), held(2, AHEAD, "run", "crouch"), settings=SLIDER, hz=hz)

    began = round(0.5 * hz)
    ended = began + int(np.flatnonzero(slide.action[began + 1 :] != Action.SLIDE)[0])
    assert slide.action[began + 1] == Action.SLIDE
    assert slide.action[-1] == Action.CROUCH
    assert (ended - began) / hz == pytest.approx(7 / 6, abs=1.5 / hz)
    assert slide.position[ended, 0] - slide.position[began, 0] == pytest.approx(77 / 12, rel=0.02)
    assert slide.velocity[-1, 0] == pytest.approx(2.0, abs=0.01)


def test_a_crouch_slide_goes_under_a_slab():
    slide = take(_tunnel(1.2, (4.5, 6)), held(0.5, AHEAD, "run"), held(1, AHEAD, "run", "crouch"), settings=SLIDER)

    assert slide.position[-1, 0] > 6.5
    assert (slide.clearance > 0).all()


def test_out_of_a_walk_there_is_no_crouch_slide():
    walk = take([floor()], held(0.5, AHEAD), held(0.5, AHEAD, "crouch"), settings=SLIDER)

    assert _spans(walk, Action.SLIDE) == 0
    assert walk.action[-1] == Action.CROUCH


def test_downhill_a_crouch_slide_gains_speed():
    """On 30 degrees gravity gives 4.9 m/s² along the slope, more than a deceleration of 2 takes."""
    settings = replace(SLIDER, slide_deceleration=2.0)
    level = [floor(), ramp(30, length=40)]
    start = (30, 0, 28 * math.tan(math.radians(30)) + 0.2)

    slide = take(level, held(0.3, BACK, "run"), held(0.5, BACK, "run", "crouch"), settings=settings, start=start)

    speed = np.linalg.norm(slide.velocity[20:], axis=1)
    assert (np.diff(speed) > 0).all()
    gained = (GRAVITY * math.sin(math.radians(30)) - 2.0) * (len(speed) - 1) / 60
    assert speed[-1] - speed[0] == pytest.approx(gained, rel=0.1)


# Dash

DASHER = replace(WALKER, dash_speed=12.0, dash_time=0.2, dash_wait=0.5)


@pytest.mark.parametrize("hz", RATES)
def test_a_dash_covers_its_speed_times_its_time(hz):
    dash = take([floor()], held(0.1, LEFT, "dash"), held(0.4), settings=DASHER, hz=hz)

    assert dash.position[-1, 1] == pytest.approx(12 * 0.2, abs=0.01)
    assert [event.value for event in dash.events(EventKind.ACTION)] == [Action.DASH, Action.NONE]


@pytest.mark.parametrize("hz", RATES)
def test_a_dash_of_any_time_is_right_to_a_step(hz):
    dash = take([floor()], held(0.4, LEFT, "dash"), held(0.2), settings=replace(DASHER, dash_time=0.13), hz=hz)

    assert dash.position[round(0.4 * hz), 1] - 4 * (0.4 - 0.13) == pytest.approx(12 * 0.13, abs=8.001 / hz)


def test_buttons_in_one_array_that_is_filled_anew_are_pressed_each_time():
    world = World.build([floor()])
    state = spawn(world, DASHER, (0.0, 0, 0))
    dash, jump = np.zeros((2, 1), bool)
    kinds = []
    for index in range(240):
        dash[0], jump[0] = index % 120 == 20, index % 120 == 50
        state = step(world, DASHER, state, Command(np.array([[1.0, 0.0]]), jump=jump, dash=dash), 1 / 60)
        kinds += [event.kind for event in state.events]

    assert kinds.count(EventKind.JUMPED) == 2
    assert kinds.count(EventKind.ACTION) == 4  # a dash begins and ends, twice


def test_without_a_wish_a_dash_goes_where_the_walker_looks():
    dash = take([floor()], held(0.1, IDLE, "dash"), held(0.2), settings=DASHER, heading=math.radians(120))

    np.testing.assert_allclose(dash.position[-1, :2], 2.4 * np.array(heading(120)), atol=0.01)


@pytest.mark.parametrize("hz", RATES)
def test_the_next_dash_waits(hz):
    """Taps every tenth of a second: 0.2 s of dashing and 0.5 s of waiting after each."""
    taps = [part for _ in range(18) for part in (held(1 / hz, AHEAD, "dash"), held(0.1 - 1 / hz, AHEAD))]
    walk = take([floor()], *taps, settings=DASHER, hz=hz)

    begins = [event.step / hz for event in walk.events(EventKind.ACTION) if event.value == Action.DASH]
    np.testing.assert_allclose(begins, [0.0, 0.7, 1.4], atol=1e-6 + 0.5 / hz)


def test_in_the_air_a_dash_keeps_its_height():
    dash = take([floor()], held(0.3, AHEAD, "jump"), held(0.2, AHEAD, "dash"), held(0.2), settings=DASHER)

    during = dash.position[19:31]
    assert np.ptp(during[:, 2]) < 1e-9
    np.testing.assert_allclose(np.diff(during[:, 0]) * 60, 12.0, rtol=1e-6)


@pytest.mark.parametrize("hz", RATES)
def test_a_dash_ends_at_a_wall(hz):
    level = [floor(), wall((2, 4), (2, -4), thickness=0.02)]
    dash = take(level, held(0.3, AHEAD, "dash"), settings=replace(DASHER, dash_speed=100.0), hz=hz)

    assert dash.position[:, 0].max() == pytest.approx(2 - 0.3 - SKIN, abs=0.001)
    assert (dash.clearance > 0).all()


def test_a_dash_climbs_steps_and_slides_along_walls():
    level = [floor(), box((1, -4, 0), (9, 4, 0.25), "kerb"), wall((-3, 1), (9, 1))]
    dash = take(level, held(0.3, heading(30), "dash"), settings=replace(DASHER, dash_time=0.3))

    along = dash.position[-1, 0]
    assert along > 12 * 0.3 * math.cos(math.radians(30)) - 0.1
    assert dash.position[-1, 2] == pytest.approx(0.25 + SKIN, abs=0.005)


# Ladders


def _ladder(height=3.0, climbable=True):
    tower = box((2, -1, 0), (6, 1, height), "tower")
    return [floor(), TriMesh(tower.vertices, tower.triangles, "tower", is_climbable=climbable)]


@pytest.mark.parametrize("hz", RATES)
def test_a_ladder_is_climbed_at_its_speed_and_left_at_the_top(hz):
    settings = replace(WALKER, climb_speed=2.0)
    climb = take(_ladder(), held(2.4, AHEAD), settings=settings, start=(1, 0, 0.03), hz=hz)

    on_it = np.flatnonzero(climb.action == Action.CLIMB)
    assert len(on_it)
    mid = on_it[(climb.position[on_it, 2] > 0.5) & (climb.position[on_it, 2] < 2.5)]
    np.testing.assert_allclose(np.diff(climb.position[mid, 2]) * hz, 2.0, rtol=1e-3)
    assert (climb.clearance > 0).all()
    assert climb.position[-1, 2] == pytest.approx(3 + SKIN, abs=0.005)
    assert climb.position[-1, 0] > 2.5
    assert climb.is_grounded[-1]


def test_on_a_ladder_one_holds_still_without_a_wish():
    hold = take(_ladder(), held(1.2, AHEAD), held(1), settings=WALKER, start=(1, 0, 0.03))

    assert hold.position[73, 2] > 0.5
    assert np.ptp(hold.position[74:], axis=0).max() < 1e-9
    assert (hold.action[74:] == Action.CLIMB).all()


def test_a_ladder_is_climbed_down_and_stepped_off():
    walk = take(_ladder(), held(1, AHEAD), held(2, BACK), settings=WALKER, start=(1, 0, 0.03))

    high = walk.position[60, 2]
    assert high > 0.5
    assert walk.position[75, 2] == pytest.approx(high - 2.0 * 15 / 60, abs=0.04)
    assert walk.is_grounded[-1]
    assert walk.action[-1] == Action.NONE
    assert walk.position[-1, 0] < 1


def test_a_jump_lets_go_of_a_ladder():
    walk = take(
        _ladder(), held(1.2, AHEAD), held(0.05, BACK, "jump"), held(0.9, BACK), settings=WALKER, start=(1, 0, 0.03)
    )

    assert walk.action[73] == Action.NONE
    assert walk.events(EventKind.JUMPED)
    assert walk.position[-1, 0] < 1


def test_along_a_ladder_one_climbs_sideways():
    walk = take(_ladder(), held(1, AHEAD), held(0.25, LEFT), settings=WALKER, start=(1, 0, 0.03))

    before, after = walk.position[60], walk.position[-1]
    assert after[1] - before[1] == pytest.approx(2.0 * 0.25, abs=0.04)
    assert after[2] == pytest.approx(before[2], abs=0.01)


@pytest.mark.parametrize(("climbable", "speed"), [(False, 2.0), (True, 0.0)])
def test_what_is_no_ladder_is_not_climbed(climbable, speed):
    settings = replace(WALKER, climb_speed=speed)
    walk = take(_ladder(climbable=climbable), held(2, AHEAD), settings=settings, start=(1, 0, 0.03))

    assert walk.position[:, 2].max() < 0.05
    assert (walk.action == Action.NONE).all()


# Mantle

MANTLER = replace(WALKER, mantle_height=1.5)


def _ledge(height):
    return [floor(), box((2, -4, 0), (14, 4, height), "ledge")]


@pytest.mark.parametrize("hz", RATES)
@pytest.mark.parametrize(("height", "gets_up"), [(0.5, True), (1.2, True), (1.49, True), (1.55, False)])
def test_a_ledge_within_reach_is_pulled_up_on(height, gets_up, hz):
    up = take(_ledge(height), held(2.5, AHEAD), settings=MANTLER, start=(1, 0, 0.03), hz=hz)

    assert (up.position[-1, 2] == pytest.approx(height + SKIN, abs=0.005)) == gets_up
    assert (up.position[-1, 0] > 3) == gets_up
    assert up.is_grounded[-1]
    assert (_spans(up, Action.MANTLE) > 0) == gets_up
    assert (up.clearance > 0).all()


def test_a_mantle_takes_the_time_of_its_way():
    """1.2 m up and 0.34 m forward at the climbing speed."""
    settings = replace(MANTLER, climb_speed=2.0, speed=4.0)

    up = take(_ledge(1.2), held(2.5, AHEAD), settings=settings, start=(1, 0, 0.03))

    seconds = _spans(up, Action.MANTLE) / 60
    assert seconds == pytest.approx((1.2 + 0.34) / 2, abs=0.06)


def test_a_step_is_stepped_on_and_not_pulled_up_on():
    up = take(_ledge(0.25), held(1, AHEAD), settings=MANTLER, start=(1, 0, 0.03))

    assert _spans(up, Action.MANTLE) == 0
    assert up.position[-1, 2] == pytest.approx(0.25 + SKIN, abs=0.005)


@pytest.mark.parametrize(("room", "gets_up"), [(1.75, False), (1.9, True)])
def test_a_ledge_without_room_to_stand_is_not_pulled_up_on(room, gets_up):
    level = [*_ledge(1.2), box((2, -4, 1.2 + room), (14, 4, 5), "slab")]

    up = take(level, held(2.5, AHEAD), settings=MANTLER, start=(1, 0, 0.03))

    assert (up.position[-1, 0] > 3) == gets_up
    assert (up.clearance > 0).all()


def test_a_ledge_in_the_air_is_caught():
    """1.9 m is beyond the mantle from the floor, and within it from a jump."""
    from_floor = take(_ledge(1.9), held(2.5, AHEAD), settings=MANTLER, start=(1, 0, 0.03))
    jumped = take(_ledge(1.9), held(0.3, AHEAD), held(2.5, AHEAD, "jump"), settings=MANTLER, start=(1, 0, 0.03))

    assert from_floor.position[-1, 2] < 0.1
    assert jumped.position[-1, 2] == pytest.approx(1.9 + SKIN, abs=0.005)


def test_nobody_pulls_up_without_a_wish():
    stays = take(_ledge(1.2), held(1, push=(15, 0, 0)), settings=MANTLER, start=(1, 0, 0.03))

    assert stays.position[-1, 0] == pytest.approx(1.68, abs=0.005)
    assert _spans(stays, Action.MANTLE) == 0


# Pushes


@pytest.mark.parametrize("hz", RATES)
def test_a_push_fades_by_time_and_not_by_steps(hz):
    """0.9 of it is left after each sixtieth of a second."""
    pushed = take([floor()], held(0.5, push=(6, 0, 0)), settings=WALKER, hz=hz)

    for seconds in (0.1, 0.2, 0.5):
        left = 6 * 0.9 ** (60 * seconds)
        speed = pushed.last.memory.push[0, 0] if seconds == 0.5 else pushed.velocity[round(seconds * hz), 0]
        # The push of a step is that at its beginning or its end; in shorter steps one sixtieth's way is a longer sum
        # of smaller parts, by -ln 0.9 / (1 - 0.9) at the most.
        assert left * (1 - 1e-6) <= speed <= left * 0.9 ** (-60 / hz) * 1.0537


def test_a_push_carries_as_far_at_any_rate():
    """About v / (60 ln(1 / 0.9)), the integral of what fades."""
    ways = [take([floor()], held(1.5, push=(6, 0, 0)), settings=WALKER, hz=hz).position[-1, 0] for hz in (30, 60, 120)]

    assert np.ptp(ways) <= 0.01 * np.mean(ways)
    assert np.mean(ways) == pytest.approx(6 / (60 * math.log(1 / 0.9)), rel=0.06)


@pytest.mark.parametrize("hz", RATES)
def test_a_push_slides_along_a_wall(hz):
    """At 45 degrees into the wall: the part along it goes on as it would have without the wall."""
    level = [floor(), wall((-9, 0.33), (20, 0.33))]
    pushed = take(level, held(1.5, push=(6, 6, 0)), settings=WALKER, hz=hz)
    free = take([floor()], held(1.5, push=(6, 0, 0)), settings=WALKER, hz=hz)

    assert pushed.position[-1, 0] == pytest.approx(free.position[-1, 0], rel=0.005)
    assert (pushed.clearance > 0).all()


def test_a_push_into_a_wall_is_over():
    level = [floor(), wall((1, 4), (1, -4))]
    pushed = take(level, held(0.5, push=(20, 0, 0)), held(0.3, BACK), settings=WALKER)

    assert pushed.position[30, 0] == pytest.approx(1 - 0.32, abs=0.001)
    assert pushed.position[-1, 0] - pushed.position[30, 0] == pytest.approx(-4 * 0.3, abs=0.01)


@pytest.mark.parametrize("hz", RATES)
def test_a_push_up_is_a_throw(hz):
    thrown = take([floor()], held(1.5, push=(0, 0, 5)), settings=WALKER, hz=hz)

    assert thrown.position[:, 2].max() - SKIN == pytest.approx(25 / (2 * GRAVITY), rel=0.01)
    assert thrown.is_grounded[-1]


def test_a_push_adds_to_a_walk():
    pushed = take([floor()], held(0.5, AHEAD, push=(0, 6, 0)), settings=WALKER)

    assert pushed.position[-1, 0] == pytest.approx(2.0, abs=0.001)
    assert pushed.position[-1, 1] > 0.8


def test_a_push_of_one_speed_in_every_step_is_wind():
    """Steady at v / (1 - 0.9) after a while: what comes in is what fades."""
    gusts = [held(1 / 60, push=(0.5, 0, 0)) for _ in range(120)]
    blown = take([floor()], *gusts, settings=WALKER)

    assert blown.velocity[-1, 0] == pytest.approx(0.5 / (1 - 0.9), rel=0.01)


def test_without_fading_a_push_goes_on_and_with_full_fading_it_is_a_shove():
    forever = take([floor()], held(1, push=(2, 0, 0)), settings=replace(WALKER, push_fade=1.0))
    once = take([floor()], held(1, push=(2, 0, 0)), settings=replace(WALKER, push_fade=0.0))

    assert forever.position[-1, 0] == pytest.approx(2.0, abs=0.01)
    assert once.position[-1, 0] == pytest.approx(2 / 60, abs=1e-6)


def test_a_push_over_an_edge_is_a_fall():
    level = [floor(), box((-4, -4, 0), (1, 4, 2), "platform")]
    pushed = take(level, held(1.5, push=(20, 0, 0)), settings=WALKER, start=(0, 0, 2.03))

    assert pushed.position[-1, 2] == pytest.approx(SKIN, abs=0.005)
    assert (pushed.support == Support.AIRBORNE).any()
