"""Capsule controller: the complete character with its own defaults, and all of its parts at once."""

import math
from dataclasses import replace

import numpy as np
import pytest
from builders import box, extruded, floor, heading, ramp, stairs, wall
from takes import AHEAD, BACK, IDLE, LEFT, RATES, held, take

from levelwalk.core import Action, EventKind, Settings, Support, TriMesh, World

RADIUS, SKIN = 0.5, 0.08
GAP = RADIUS + SKIN
CHARACTER = Settings(
    height=2.0,
    radius=RADIUS,
    skin_width=SKIN,
    speed=10.0,
    acceleration=50.0,
    deceleration=40.0,
    air_acceleration=50.0,
    jump_height=2.0,
    gravity_scale=2.0,
    slope_limit=math.radians(45),
    step_offset=0.3,
    max_slides=5,
)
GRAVITY = 2 * 9.81
START = (0, 0, SKIN)


# Speed


@pytest.mark.parametrize("hz", RATES)
def test_it_gets_up_to_speed_and_stops_by_its_accelerations(hz):
    """10 m/s after 0.2 s, and at rest 0.25 s after letting go."""
    walk = take([floor()], held(0.5, AHEAD), held(0.5), settings=CHARACTER, start=START, hz=hz)

    speed = walk.velocity[:, 0]
    assert speed[round(0.1 * hz)] == pytest.approx(5.0, abs=1e-6)
    np.testing.assert_allclose(speed[round(0.2 * hz) + 1 : round(0.5 * hz) + 1], 10.0, atol=1e-6)
    assert speed[round(0.6 * hz)] == pytest.approx(6.0, abs=1e-6)
    assert speed[round(0.75 * hz) + 1] == pytest.approx(0.0, abs=1e-6)
    way = 10 * 0.5 - 10**2 / (2 * 50) + 10**2 / (2 * 40)
    assert walk.position[-1, 0] == pytest.approx(way, abs=10 * 0.5 / hz)


def test_the_wish_is_turned_by_the_acceleration():
    """From east to north: the change of 14.1 m/s takes 0.28 s."""
    walk = take([floor()], held(0.5, AHEAD), held(0.5, LEFT), settings=CHARACTER, start=START)

    turned = walk.velocity[31:] - (0, 10, 0)
    done = int(np.flatnonzero(np.linalg.norm(turned, axis=1) < 1e-6)[0]) + 1
    assert done / 60 == pytest.approx(10 * math.sqrt(2) / 50, abs=1.5 / 60)


@pytest.mark.parametrize("angle", [15, 30, 44])
@pytest.mark.parametrize("way", [1, -1], ids=["up", "down"])
def test_on_a_slope_the_wish_keeps_its_length(angle, way):
    start = (10, 0, 8 * math.tan(math.radians(angle)) + 0.3)

    walk = take([floor(), ramp(angle, length=24)], held(0.5, (way, 0)), settings=CHARACTER, start=start)

    np.testing.assert_allclose(walk.strides[20:25] * 60, 10.0, rtol=1e-3)
    assert walk.is_grounded.all()


# Up and down


@pytest.mark.parametrize("hz", RATES)
def test_a_jump_is_two_metres_high(hz):
    jump = take([floor()], held(1.2, IDLE, "jump"), settings=CHARACTER, start=START, hz=hz)

    assert jump.position[:, 2].max() - SKIN == pytest.approx(2.0, rel=0.01)
    assert jump.first(EventKind.LANDED).step / hz == pytest.approx(2 * math.sqrt(2 * 2 / GRAVITY), abs=1.5 / hz)


@pytest.mark.parametrize("hz", RATES)
def test_a_ceiling_ends_the_rise_and_is_told(hz):
    level = [floor(), box((-9, -9, 2.5), (9, 9, 3), "roof")]
    jump = take(level, held(1, IDLE, "jump"), settings=CHARACTER, start=START, hz=hz)

    hit = jump.first(EventKind.HIT_CEILING)
    assert hit.object == "roof"
    np.testing.assert_allclose(hit.normal, (0, 0, -1), atol=1e-9)
    assert jump.position[:, 2].max() == pytest.approx(2.5 - 2.0 - SKIN, abs=0.001)
    assert jump.velocity[hit.step + 1, 2] <= 0
    assert jump.is_grounded[-1]


def test_a_landing_ends_the_fall():
    fall = take([floor()], held(1.5), settings=CHARACTER, start=(0, 0, 5), standing=0)

    landed = fall.first(EventKind.LANDED).step
    np.testing.assert_array_equal(fall.velocity[landed + 1 :], 0.0)
    np.testing.assert_allclose(fall.position[landed + 1 :, 2], SKIN, atol=1e-3)


@pytest.mark.parametrize("angle", [50, 60, 75])
def test_a_landing_on_a_steep_slope_becomes_sliding(angle):
    start = (4, 0, 2 * math.tan(math.radians(angle)) + 2)
    fall = take([floor(), ramp(angle)], held(2.5), settings=CHARACTER, start=start, standing=0)

    touched = int(np.flatnonzero(fall.support == Support.STEEP)[0])
    off = int(np.flatnonzero(fall.is_grounded)[0])
    assert (fall.support[touched:off] != Support.GROUNDED).all()
    assert (np.diff(fall.position[touched:off, 2]) < 0).all()
    assert (np.diff(fall.position[touched:off, 0]) <= 1e-9).all()
    rate = np.diff(np.linalg.norm(fall.velocity[touched + 3 : off - 3], axis=1)) * 60
    np.testing.assert_allclose(rate, GRAVITY * math.sin(math.radians(angle)), rtol=0.02)
    assert fall.position[-1, 2] == pytest.approx(SKIN, abs=0.002)


# Ground


@pytest.mark.parametrize("angle", [0, 10, 30, 45])
def test_tiny_motions_are_dropped(angle):
    start = (5, 0, 3 * math.tan(math.radians(angle)) + 0.4)
    stand = take(
        [floor(), ramp(max(angle, 1))], held(2), settings=CHARACTER, start=start if angle else START, standing=1
    )

    assert np.ptp(stand.position, axis=0).max() == 0
    np.testing.assert_array_equal(stand.velocity, 0.0)
    assert stand.is_grounded.all()


def test_nothing_is_found_anew_when_nothing_moves():
    stand = take([floor(), ramp(30)], held(0.5), settings=CHARACTER, start=START)

    assert all(state.near is stand.states[0].near for state in stand.states)


@pytest.mark.parametrize("hz", RATES)
def test_rough_ground_and_rims_do_not_drop_it(hz):
    """Slabs with joints 5 cm wide, each 2 cm higher or lower: a ray falls into the joints, a capsule does not."""
    slabs = [box((0.5 * i, -4, -1), (0.5 * i + 0.45, 4, 0.02 * (i % 2)), f"slab {i}") for i in range(-4, 24)]

    walk = take(slabs, held(1, AHEAD), settings=CHARACTER, start=(0.2, 0, 0.1), hz=hz)

    assert walk.is_grounded.all()
    assert np.ptp(walk.position[:, 2]) < 0.025


@pytest.mark.parametrize(("height", "climbs"), [(0.1, True), (0.3, True), (0.35, False)])
def test_a_step_up_to_the_offset_is_taken(height, climbs):
    level = [floor(), box((2, -4, 0), (20, 4, height), "step")]
    walk = take(level, held(0.8, AHEAD), settings=CHARACTER, start=START)

    assert (walk.position[-1, 0] > 4) == climbs
    assert (len(walk.events(EventKind.STEPPED_UP)) == 1) == climbs
    if climbs:
        assert walk.position[-1, 2] == pytest.approx(height + SKIN, abs=0.005)


def test_stairs_are_taken_at_a_run():
    walk = take([floor(), stairs(8, 0.25, 0.4)], held(1, AHEAD), settings=CHARACTER, start=START)

    assert walk.position[-1, 2] == pytest.approx(2 + SKIN, abs=0.005)
    assert walk.is_grounded.all()


# Walls


@pytest.mark.parametrize("degrees", [10, 45, 80])
def test_a_wall_is_slid_along(degrees):
    """Measured after the acceleration, whose part into the wall is lost in every step."""
    level = [floor(), wall((-20, GAP), (29, GAP))]
    walk = take(level, held(2, heading(degrees)), settings=CHARACTER, start=START)

    last = walk.position[-31:]
    assert (last[-1, 0] - last[0, 0]) * 2 == pytest.approx(10 * math.cos(math.radians(degrees)), rel=0.005)
    assert np.ptp(walk.position[:, 2]) < 1e-6


def test_floor_wall_and_ceiling_at_once_are_solved_together():
    """Into an inside corner under a ceiling a centimetre over the skin, jumping all the time."""
    room = [
        floor(),
        wall((2, 9), (2, -9)),
        wall((-9, 2), (9, 2)),
        box((-9, -9, 2 + 2 * SKIN + 0.01), (9, 9, 3), "roof"),
    ]
    walk = take(room, held(3, heading(40), "jump"), settings=CHARACTER, start=START)

    np.testing.assert_allclose(walk.position[-1, :2], 2 - GAP, atol=0.001)
    assert walk.strides[-60:].max() < 1e-6
    assert (walk.clearance > 0).all()


def test_a_wedge_of_floor_and_leaning_wall_is_rested_in():
    """A wall that leans over the walker by 30 degrees: it stops where head and wall meet, and stays."""
    lean = math.tan(math.radians(30))
    over = extruded([(3, 0), (6, 0), (6, 4), (3 - 4 * lean, 4)], 5, "overhang")
    walk = take([floor(), over], held(1.5, AHEAD), settings=CHARACTER, start=(-2, 0, SKIN))

    # The upper centre is at 1.58 m over the floor; the face is (x - 3) cos 30 + z sin 30 = 0 from it by the gap.
    centre = (-GAP - (2.0 - RADIUS + SKIN) * math.sin(math.radians(30))) / math.cos(math.radians(30))
    assert walk.position[-1, 0] == pytest.approx(3 + centre, abs=0.005)
    assert walk.strides[-30:].max() < 1e-6
    assert walk.is_grounded[30:].all()


# Overlap


@pytest.mark.parametrize(
    ("feet", "is_inside"),
    [((0, 0, SKIN), False), ((1.45, 0, SKIN), False), ((1.55, 0, SKIN), True), ((0, 0, -0.1), True), ((3, 0, 1), True)],
)
def test_a_pose_is_free_or_not(feet, is_inside):
    world = World.build([floor(), box((2, -4, 0), (4, 4, 4), "wall")])

    assert world.overlaps(CHARACTER, feet)[0] == is_inside


@pytest.mark.parametrize("feet", [(1.7, 0, SKIN), (0, 0, -0.3), (1.8, 0, -0.2)], ids=str)
def test_a_start_inside_is_told_and_left(feet):
    level = [floor(), box((2, -4, 0), (4, 4, 4), "wall")]
    out = take(level, held(0.5), settings=CHARACTER, start=feet, standing=0)

    assert out.events(EventKind.OVERLAP)
    assert (out.clearance[5:] > 0).all()
    assert out.is_grounded[-1]


def test_standing_up_asks_for_room():
    level = [floor(), box((2, -4, 1.5), (9, 4, 4), "slab")]
    crouched = take(level, held(2, AHEAD, "crouch"), held(1), settings=CHARACTER, start=(1, 0, SKIN))

    assert crouched.action[-1] == Action.CROUCH
    assert World.build(level).overlaps(CHARACTER, crouched.position[-1])[0]
    assert (crouched.clearance > 0).all()


# Pushes


@pytest.mark.parametrize("hz", RATES)
def test_an_explosion_throws_it_along_a_wall(hz):
    level = [floor(), wall((-20, GAP), (29, GAP))]
    thrown = take(level, held(1.5, push=(8, 8, 4)), settings=CHARACTER, start=START, hz=hz)

    assert thrown.position[:, 2].max() - SKIN == pytest.approx(4**2 / (2 * GRAVITY), rel=0.02)
    assert thrown.position[-1, 0] > 1
    np.testing.assert_allclose(thrown.position[:, 1], 0, atol=0.001)
    assert (thrown.clearance > 0).all()


def test_a_push_does_not_speed_up_the_walk_for_good():
    pushed = take([floor()], held(2, AHEAD, push=(15, 0, 0)), settings=CHARACTER, start=START)

    assert pushed.velocity[-1, 0] == pytest.approx(10.0, abs=0.01)


# States


def test_what_it_does_is_told_step_by_step():
    """Walk, jump, fall, land; crouch and stand up: with the time, the place and the object of each change."""
    settings = replace(CHARACTER, dash_speed=20.0)
    walk = take(
        [floor(name="meadow")],
        held(0.5, AHEAD),
        held(1.2, AHEAD, "jump"),
        held(0.3, IDLE),
        held(0.3, IDLE, "crouch"),
        held(0.3, IDLE),
        held(0.1, LEFT, "dash"),
        held(0.5),
        settings=settings,
        start=START,
    )

    told = [(event.kind, event.value) for event in walk.events()]
    kinds = [kind for kind, _ in told]
    assert kinds == [EventKind.JUMPED, EventKind.LANDED] + 4 * [EventKind.ACTION]
    assert [value for kind, value in told if kind == EventKind.ACTION] == [
        Action.CROUCH,
        Action.NONE,
        Action.DASH,
        Action.NONE,
    ]
    jumped, landed = walk.events()[:2]
    assert jumped.step == 30
    assert jumped.object == landed.object == "meadow"
    np.testing.assert_allclose(jumped.normal, (0, 0, 1), atol=1e-9)
    np.testing.assert_allclose(landed.position, walk.position[landed.step + 1], atol=1e-9)


def test_a_concave_object_is_walked_as_it_is():
    """An L of two boxes in one mesh: its inside corner is reached, no hull closes it."""
    parts = [box((2, -4, 0), (3, 4, 4)), box((-4, 3, 0), (3, 4, 4))]
    vertices = np.concatenate([part.vertices for part in parts])
    corner = TriMesh(vertices, np.concatenate([parts[0].triangles, parts[1].triangles + 8]), "corner")
    walk = take([floor(), corner], held(2, heading(50)), settings=CHARACTER, start=START)

    np.testing.assert_allclose(walk.position[-1, :2], (2 - GAP, 3 - GAP), atol=0.001)


def test_back_and_forth_between_walls_ends_where_it_began():
    level = [floor(), wall((3, 9), (3, -9)), wall((-3, -9), (-3, 9))]
    walk = take(level, held(1, AHEAD), held(1, BACK), held(1, AHEAD), settings=CHARACTER, start=START)

    assert walk.position[60, 0] == pytest.approx(3 - GAP, abs=1e-4)
    assert walk.position[120, 0] == pytest.approx(-3 + GAP, abs=1e-4)
    assert walk.position[180, 0] == pytest.approx(3 - GAP, abs=1e-4)
