"""Ground: what carries the walker, for how long it still counts, where a ledge ends, and when a crest launches."""

import math
from dataclasses import replace

import numpy as np
import pytest
from builders import box, extruded, flipped, floor, hull, moved, ramp, ramp_down, sheet, stairs, tessellated, wall
from takes import AHEAD, BACK, HIGHER, IDLE, RATES, held, take

from levelwalk.core import EventKind, Settings, SlopeSpeed, Support, TriMesh, World

SKIN, GRAVITY = 0.02, 9.81
GAP = 0.3 + SKIN
WALKER = Settings()


def _slope_height(angle, metres):
    return metres * math.tan(math.radians(angle))


# States


def test_on_a_floor_the_walker_is_grounded_and_says_on_what():
    stand = take([floor(name="meadow")], held(0.1)).last

    assert stand.support[0] == Support.GROUNDED
    assert stand.events.names[stand.ground_object[0]] == "meadow"
    np.testing.assert_allclose(stand.ground_normal[0], (0, 0, 1), atol=1e-9)
    np.testing.assert_allclose(stand.ground_sum[0], (0, 0, 1), atol=1e-9)
    np.testing.assert_allclose(stand.ground_point[0], (0, 0, 0), atol=1e-6)
    assert stand.ground_count[0] == 1


def test_on_a_steep_face_the_walker_is_steep_and_in_the_air_airborne():
    face = take([ramp(60)], held(0.2), start=(5, 0, _slope_height(60, 3) + 0.32), standing=0.1).last
    air = take([floor()], held(0.2), start=(0, 0, 50), standing=0).last

    assert face.support[0] == Support.STEEP
    np.testing.assert_allclose(face.ground_normal[0], (-math.sin(math.pi / 3), 0, 0.5), atol=1e-6)
    assert air.support[0] == Support.AIRBORNE
    assert air.ground_object[0] == -1
    assert air.ground_count[0] == 0
    np.testing.assert_array_equal(air.ground_normal[0], (0, 0, 0))


def test_who_has_just_walked_off_an_edge_has_no_ground():
    off = take([floor(), box((-8, -4, 0), (0, 4, 3), "platform")], held(0.5, AHEAD), start=(-1, 0, 3.03))

    for state in off.states:
        assert (state.ground_object[0] >= 0) == (state.support[0] != Support.AIRBORNE)
        assert state.ground_normal[0].any() == (state.support[0] != Support.AIRBORNE)


def test_c68_the_ground_is_named_in_every_step_down_a_ramp():
    start = (0, 0, 20 * math.sin(math.radians(20)) + 0.03)
    down = take(ramp_down(20), held(2, AHEAD), start=start)

    assert down.is_grounded.all()
    names = {state.events.names[state.ground_object[0]] for state in down.states}
    assert names == {"platform", "ramp"}
    on_ramp = [state for state in down.states if state.position[0, 0] > 2.5]
    for state in on_ramp:
        expected = (math.sin(math.radians(20)), 0, math.cos(math.radians(20)))
        np.testing.assert_allclose(state.ground_normal[0], expected, atol=1e-6)


def test_the_foot_point_is_where_the_slope_is_touched():
    """On 30 degrees: beside the lowest point, on the ramp's plane."""
    stand = take([floor(), ramp(30)], held(0.1), start=(5, 0, _slope_height(30, 3) + 0.2)).last

    centre = stand.position[0] + (0, 0, 0.3)
    normal = np.array([-0.5, 0, math.sqrt(0.75)])
    np.testing.assert_allclose(stand.ground_point[0], centre - GAP * normal, atol=1e-4)
    assert stand.ground_point[0, 2] == pytest.approx(_slope_height(30, stand.ground_point[0, 0] - 2), abs=1e-4)


# Count and sum of normals


def _trough(*angles):
    """Return two slopes that fall towards x = 0, from -x and from +x."""
    left, right = angles
    west = moved(flipped(ramp(left, x=0, length=6)), turn=np.diag([-1.0, 1, 1]))
    return [west, ramp(right, x=0, length=6)]


def _resting_in(left, right):
    """Return the feet of a walker that touches both slopes of a trough, its lower end at (x, z) from both planes."""
    a, b = math.radians(left), math.radians(right)
    x, z = np.linalg.solve([[math.sin(a), math.cos(a)], [-math.sin(b), math.cos(b)]], [GAP, GAP])
    return np.array([x, 0, z - 0.3])


@pytest.mark.parametrize(("left", "right"), [(30, 30), (10, 10), (44, 44), (20, 40), (0, 30)])
def test_in_a_hollow_all_slopes_are_counted_and_their_normals_summed(left, right):
    feet = _resting_in(left, right)
    stand = take(_trough(left, right), held(0.3), start=feet + (0, 0, 1e-4)).last

    a, b = math.radians(left), math.radians(right)
    total = np.array([math.sin(a) - math.sin(b), 0, math.cos(a) + math.cos(b)])
    np.testing.assert_allclose(stand.position[0], feet, atol=1e-3)
    assert stand.ground_count[0] == 2
    np.testing.assert_allclose(stand.ground_sum[0], total / np.linalg.norm(total), atol=1e-3)


def test_in_a_hollow_of_one_mesh_the_same_is_found():
    sides = np.array([[-5, -5, 3], [0, -5, 0], [5, -5, 3], [-5, 5, 3], [0, 5, 0], [5, 5, 3]], float)
    valley = TriMesh(sides, [(0, 1, 4), (0, 4, 3), (1, 2, 5), (1, 5, 4)], "valley", mode="FACES")
    angle = math.degrees(math.atan2(3, 5))
    stand = take([valley], held(0.3), start=_resting_in(angle, angle) + (0, 0, 1e-4)).last

    assert stand.ground_count[0] == 2
    np.testing.assert_allclose(stand.ground_sum[0], (0, 0, 1), atol=1e-3)


def test_a_pit_of_three_slopes_has_three_contacts():
    angle = math.radians(30)
    thirds = [math.radians(turn) for turn in (90, 210, 330)]
    rim = np.array([[4 * math.cos(t), 4 * math.sin(t), 4 * math.tan(angle) / 2] for t in thirds])
    # A side of the triangle is half as far from the middle as a corner: the faces rise by tan / 2 of the corners.
    pit = TriMesh(np.concatenate([[[0, 0, 0]], rim]), [(0, 1, 2), (0, 2, 3), (0, 3, 1)], "pit", mode="FACES")
    feet = (0, 0, GAP / math.cos(angle) - 0.3)

    stand = take([pit], held(0.3), start=(0, 0, feet[2] + 1e-4)).last

    assert stand.ground_count[0] == 3
    np.testing.assert_allclose(stand.ground_sum[0], (0, 0, 1), atol=1e-3)


def test_a_wall_beside_the_floor_is_no_ground():
    level = [floor(), wall((0.33, 4), (0.33, -4))]
    stand = take(level, held(0.3, AHEAD)).last

    assert stand.ground_count[0] == 1
    np.testing.assert_allclose(stand.ground_sum[0], (0, 0, 1), atol=1e-6)


def test_the_triangles_of_one_plane_are_one_contact():
    stand = take([tessellated((-2, -2, 0), (4, 0, 0), (0, 4, 0), size=0.1, mode="FACES")], held(0.3)).last

    assert stand.ground_count[0] == 1


# Memory

GROOVES = [box((0.5 * i, -4, -1), (0.5 * i + 0.5, 4, -0.01 * (i % 2)), f"plank {i}") for i in range(-4, 20)]


@pytest.mark.parametrize("hz", RATES)
def test_with_a_ground_memory_small_hops_do_not_count(hz):
    """Planks that differ by 1 cm, no snap: each centimetre down is a fall of 0.045 s."""
    settings = replace(WALKER, ground_snap=0.0)
    without = take(GROOVES, held(1, AHEAD), settings=settings, hz=hz)
    with_it = take(GROOVES, held(1, AHEAD), settings=replace(settings, ground_memory=0.1), hz=hz)

    assert not without.is_grounded.all()
    assert with_it.is_grounded.all()


@pytest.mark.parametrize("hz", RATES)
def test_the_ground_memory_ends(hz):
    """Off a platform 3 m high: a tenth of a second is not exceeded by more than a step."""
    level = [floor(), box((-8, -4, 0), (0, 4, 3), "platform")]
    start = (-1, 0, 3.03)
    without = take(level, held(0.9, AHEAD), settings=WALKER, start=start, hz=hz)
    with_it = take(level, held(0.9, AHEAD), settings=replace(WALKER, ground_memory=0.1), start=start, hz=hz)

    left, forgot = (int(np.flatnonzero(~walk.is_grounded)[0]) for walk in (without, with_it))
    assert left <= forgot <= left + round(0.1 * hz) + 1
    np.testing.assert_allclose(with_it.position[: left + 1], without.position[: left + 1], atol=1e-9)


def test_a_jump_is_no_memory_of_the_ground():
    jump = take([floor()], held(0.5, IDLE, "jump"), settings=replace(WALKER, ground_memory=0.2))

    assert not jump.is_grounded[1:].any()


# Ledges


@pytest.mark.parametrize("past", [0.05, 0.1, 0.15, 0.2, 0.25, 0.3])
@pytest.mark.parametrize("most", [0.0, 0.12, 0.22])
def test_c60_up_to_the_ledge_distance_the_walker_stands_and_beyond_it_falls(past, most):
    settings = replace(WALKER, ledge_distance=most)
    level = [floor(), box((-4, -4, 0), (0, 4, 2), "ledge")]
    end = take(level, held(2.5), settings=settings, start=(past, 0, 2.05), standing=0)

    resting = 2 + math.sqrt(GAP**2 - past**2) - 0.3
    assert end.position[-1, 2] == pytest.approx(resting if past <= most else SKIN, abs=0.005)
    assert end.is_grounded[-1]
    assert np.ptp(end.position[-30:], axis=0).max() < 1e-6


@pytest.mark.parametrize("most", [0.0, 0.1, 0.2])
def test_stairs_are_no_ledges(most):
    settings = replace(WALKER, ledge_distance=most)
    up = take([floor(), stairs()], held(1.5, AHEAD), settings=settings)

    assert up.is_grounded.all()
    assert up.position[-1, 2] == pytest.approx(2 + SKIN, abs=0.005)


def test_a_beam_is_walked_along_its_middle():
    """A quarter of a metre wide, with a ledge distance of 5 cm."""
    level = [floor(), box((-2, -0.125, 1.5), (10, 0.125, 2), "beam")]
    walk = take(level, held(1.5, AHEAD), settings=replace(WALKER, ledge_distance=0.05), start=(0, 0, 2.03))

    assert walk.is_grounded.all()
    assert walk.position[-1, 0] == pytest.approx(6.0, abs=0.01)


def test_support_comes_only_from_below():
    """Between two walls a hand's breadth apart from the skin there is nothing to stand on."""
    level = [wall((0.33, 9), (0.33, -9), height=40), wall((-0.33, -9), (-0.33, 9), height=40)]
    fall = take(level, held(1, AHEAD), start=(0, 0, 30), standing=0)

    assert not fall.is_grounded.any()
    assert fall.position[-1, 2] == pytest.approx(30 - GRAVITY / 2, abs=0.01)


# Crests


def _crest(up, down, length=6.0):
    """Return a ridge: up along +x from x = 2, then on at another angle, negative for down."""
    a, b = math.radians(up), math.radians(down)
    top = (2 + length * math.cos(a), length * math.sin(a))
    end = (top[0] + 12 * math.cos(b), top[1] + 12 * math.sin(b))
    low = min(0.0, end[1]) - 1
    return [floor(), extruded([(2, low), (end[0], low), end, top, (2, 0)], name="crest")], top


@pytest.mark.parametrize(("speed", "launches"), [(3.5, False), (10.0, True)])
@pytest.mark.parametrize("sticks", [True, False])
@pytest.mark.parametrize("angle", [0, -20])
def test_c18_a_crest_launches_above_the_launch_speed(angle, sticks, speed, launches):
    """30 degrees up and then flat or down: at 3.5 m/s the ground falls away at 1.75 to 2.7, at 10 from 5 m/s on."""
    settings = replace(WALKER, speed=speed, launch_speed=math.inf if sticks else 3.0)
    level, top = _crest(30, angle)
    seconds = (top[0] - GAP * math.tan(math.radians(15))) / speed + 0.5 + 3 / speed

    over = take(level, held(seconds, AHEAD), settings=settings)

    assert over.is_grounded.all() == (sticks or not launches)
    if not sticks and launches:
        apex = top[1] + (speed * math.sin(math.radians(30))) ** 2 / (2 * GRAVITY)
        assert over.position[:, 2].max() == pytest.approx(apex, abs=0.1)


def test_c18_a_foot_of_a_slope_launches_nobody():
    settings = replace(WALKER, speed=10.0, launch_speed=1.0)

    up = take([floor(), ramp(30, length=20)], held(1, AHEAD), settings=settings)

    assert up.is_grounded.all()


@pytest.mark.parametrize("hz", [30, 60, HIGHER[1]])
@pytest.mark.parametrize("speed", [10.0, 40.0, 100.0])
@pytest.mark.parametrize("angle", [10, 30])
def test_past_a_crest_the_snap_reaches_down_from_where_the_velocity_leads(angle, speed, hz):
    """The step over the crest leads straight on. With more than the snap to the plateau below, the walker is thrown."""
    level, top = _crest(angle, 0)
    over = take(level, held(0.1 + 9 / speed, AHEAD), settings=replace(WALKER, speed=speed), hz=hz)

    told = np.array([state.ground_normal[0] for state in over.states])
    on_ramp = np.abs(told - (-math.sin(math.radians(angle)), 0, math.cos(math.radians(angle)))).max(axis=1) < 1e-6
    crossing = int(np.flatnonzero(on_ramp)[-1]) + 1
    before = over.position[crossing - 1]
    led = before[2] + speed * math.sin(math.radians(angle)) / hz
    drop = led - (top[1] + SKIN)
    assert over.is_grounded[:crossing].all()
    assert over.is_grounded[crossing] == (drop <= WALKER.ground_snap)
    if drop > WALKER.ground_snap:
        assert over.position[crossing, 2] == pytest.approx(led, abs=1e-6)


@pytest.mark.parametrize("hz", [30, 60, HIGHER[1]])
@pytest.mark.parametrize("speed", [4.0, 100.0])
@pytest.mark.parametrize("drop", [0.2, 0.6, 1.5])
def test_past_the_foot_of_a_ramp_no_step_sinks_deeper_than_its_velocity_and_the_snap(drop, speed, hz):
    """The ramp of 30 degrees ends above the floor. One step goes on along it by v dt sin 30, then down by the snap."""
    tangent = math.tan(math.radians(30))
    slope = extruded([(-60, drop), (0, drop), (-60, drop + 60 * tangent)], name="slope")
    level = [floor(half=200), slope]
    start = (-4 - speed / 5, 0, drop + (4 + speed / 5) * tangent + 0.1)

    down = take(level, held(0.5 + 5 / speed, AHEAD), settings=replace(WALKER, speed=speed), start=start, hz=hz)

    sunk = -np.diff(down.position[:, 2])[down.is_grounded[1:] & down.is_grounded[:-1]]
    assert sunk.max() <= speed / hz * math.sin(math.radians(30)) + WALKER.ground_snap + 1e-6


# Holding on slopes


@pytest.mark.parametrize("hz", RATES)
@pytest.mark.parametrize("angle", [15, 30, 44])
def test_c2_without_hold_an_idle_walker_slides_down_faster_and_faster(angle, hz):
    settings = replace(WALKER, holds_on_slopes=False)
    length, t = 30.0, 1.5
    start = (2 + 25 * math.cos(math.radians(angle)), 0, 25 * math.sin(math.radians(angle)) + 0.15)

    slide = take([floor(), ramp(angle, length=length)], held(t), settings=settings, start=start, standing=0.5, hz=hz)

    speed = np.linalg.norm(slide.velocity, axis=1)
    assert (np.diff(speed) > 0).all()
    assert slide.is_grounded.all()
    assert (speed[-1] - speed[0]) / t == pytest.approx(GRAVITY * math.sin(math.radians(angle)), rel=0.05)


def test_c2_on_flat_ground_there_is_nothing_to_slide_down():
    stand = take([floor()], held(1), settings=replace(WALKER, holds_on_slopes=False))

    assert np.ptp(stand.position, axis=0).max() == 0


def test_c13_on_a_flat_cube_the_walker_is_always_grounded():
    cube = [box((-5, -5, -10), (5, 5, 0), "cube")]
    round_trip = [held(2.5, wish) for wish in ((0.4, 0), (0, 0.4), (-0.4, 0), (0, -0.4))]

    walk = take(cube, held(10), *round_trip)

    assert walk.is_grounded.all()
    assert np.ptp(walk.position[:, 2]) < 1e-6
    np.testing.assert_allclose(walk.position[-1], walk.position[0], atol=1e-4)


@pytest.mark.parametrize("mode", list(SlopeSpeed))
@pytest.mark.parametrize("angle", [-20, 20])
def test_c15_speed_on_a_slope_is_what_was_chosen(angle, mode):
    """Seen from above: v, v cos, or up v cos² less a step of gravity along the slope, and down v."""
    settings = replace(WALKER, slope_speed=mode)
    level, start = [floor(), ramp(20, length=20)], (10, 0, _slope_height(20, 8) + 0.1)

    walk = take(level, held(1, AHEAD if angle > 0 else BACK), settings=settings, start=start)

    c, s = math.cos(math.radians(20)), math.sin(math.radians(20))
    projected = 4 * c * c - GRAVITY / 60 * s * c if angle > 0 else 4.0
    expected = {SlopeSpeed.HORIZONTAL: 4.0, SlopeSpeed.SURFACE: 4 * c, SlopeSpeed.PROJECTED: projected}[mode]
    assert abs(walk.position[-1, 0] - walk.position[0, 0]) == pytest.approx(expected, rel=0.005)


@pytest.mark.parametrize("wish", [AHEAD, BACK], ids=["up", "down"])
def test_c16_a_tap_on_a_slope_ends_within_the_way_of_the_deceleration(wish):
    """A tenth of a second at 20 m/s²: 2 m/s at most, and v² / 2a to stop."""
    settings = replace(WALKER, acceleration=20.0, deceleration=10.0)
    start = (6, 0, _slope_height(20, 4) + 0.1)

    tap = take([floor(), ramp(20)], held(0.1, wish), held(2), settings=settings, start=start)

    way = np.linalg.norm(tap.position[-1] - tap.position[0])
    assert way <= 20 * 0.1**2 / 2 + 2.0**2 / (2 * 10) + 2 / 60
    assert tap.is_grounded.all()
    assert np.ptp(tap.position[-60:], axis=0).max() < 1e-9
    assert np.linalg.norm(tap.velocity, axis=1).max() <= 2.0 + 1e-6


@pytest.mark.parametrize("limit", [55, 60, 70, 85, 90])
def test_c23_a_high_slope_limit_changes_nothing_on_flat_ground(limit):
    walk = take([floor()], held(0.5), held(0.5, AHEAD), settings=replace(WALKER, slope_limit=math.radians(limit)))

    assert walk.is_grounded.all()
    assert walk.position[-1, 0] == pytest.approx(2.0, abs=1e-6)


@pytest.mark.parametrize("angle", [50, 60, 75])
def test_c47_between_two_steep_planes_the_walker_can_leave_along_them(angle):
    """Wedged: nothing carries it, and along the crease it walks as on a floor."""
    feet = (0, 0, GAP / math.cos(math.radians(angle)) - 0.3)
    wedged = take(_trough(angle, angle), held(1), held(1, (0, 1)), start=(0, 0, feet[2] + 0.3), standing=1)

    rest, end = wedged.position[60], wedged.position[-1]
    np.testing.assert_allclose(rest, feet, atol=0.01)
    assert np.ptp(wedged.position[30:61], axis=0).max() < 1e-4
    assert end[1] - rest[1] > 3.5
    assert abs(end[0]) < 0.01


def test_c92_the_gap_under_the_feet_is_the_skin():
    for skin in (0.01, 0.05):
        stand = take([floor()], held(0.2), settings=replace(WALKER, skin_width=skin))
        assert stand.position[-1, 2] == pytest.approx(skin, abs=0.001)
        assert stand.last.ground_point[0, 2] == pytest.approx(0.0, abs=1e-6)


def test_a_thin_plank_and_a_spike_carry():
    plank = [box((-0.01, -4, 0), (0.01, 4, 1), "plank")]
    spike = [hull([(-1, -1, 0), (1, -1, 0), (0, 1.5, 0), (0, 0.1, 1)], "spike")]

    on_plank = take(plank, held(1), start=(0, 0, 1.1)).last
    on_spike = take(spike, held(1), start=(0, 0.1, 1.1)).last

    assert on_plank.position[0, 2] == pytest.approx(1 + SKIN, abs=0.001)
    assert on_plank.support[0] == Support.GROUNDED
    assert np.isfinite(on_spike.position).all()


def test_only_ground_layers_carry():
    """An obstacle stops the walker and is never stood on."""
    crate = box((-5, -5, 0), (5, 5, 1), "crate")
    obstacle = TriMesh(crate.vertices, crate.triangles, "crate", layer="OBSTACLE")
    stand = take([obstacle], held(0.5), start=(0, 0, 1.5))

    assert not stand.is_grounded.any()
    assert stand.position[-1, 2] == pytest.approx(1 + SKIN, abs=0.01)


def test_a_sheet_carries_from_both_sides():
    for facing in (1, -1):
        plate = sheet((-3, -3 * facing, 0), (6, 0, 0), (0, 6 * facing, 0))
        assert take([plate], held(0.3)).is_grounded.all()


def test_resting_is_the_same_to_the_bit():
    stand = take(World.build([floor(), ramp(30)]), held(1), start=(5, 0, _slope_height(30, 3) + 0.2))

    for state in stand.states:
        np.testing.assert_array_equal(state.position, stand.states[0].position)


def test_leaving_the_ground_and_landing_are_events_with_a_place():
    level = [floor(name="floor"), box((-8, -4, 0), (0, 4, 2), "platform")]
    off = take(level, held(1.2, AHEAD), start=(-1, 0, 2.03))

    left, landed = off.first(EventKind.LEFT_GROUND), off.first(EventKind.LANDED)
    assert 0 <= left.position[0] <= GAP + 4 / 60
    assert landed.object == "floor"
    np.testing.assert_allclose(landed.normal, (0, 0, 1), atol=1e-9)
    assert landed.position[2] == pytest.approx(SKIN, abs=0.001)
