"""Ground-hugging side-scroller: motion in one upright plane, along the ground up and down slopes without hopping."""

import math
from dataclasses import replace

import numpy as np
import pytest
from builders import box, extruded, floor, heading, moved, ramp, ramp_down, stairs, tessellated, wall
from takes import AHEAD, BACK, IDLE, LEFT, RATES, held, take

from levelwalk.core import EventKind, Settings, SlopeSpeed, Support, TriMesh

pytestmark = pytest.mark.slow

RADIUS, SKIN, GRAVITY = 0.3, 0.02, 9.81
GAP = RADIUS + SKIN
SCROLLER = Settings(plane_lock=(0.0, 1.0, 0.0), air_acceleration=0.0)
STILL = 1e-9  # m across the plane


def _hills():
    """Return waves of 0.6 m in 6 m along x, and a slope of 11 degrees across."""
    ground = tessellated((-6, -4, 0), (36, 0, 0), (0, 8, 0), size=0.25, mode="FACES")
    x, y = ground.vertices[:, 0], ground.vertices[:, 1]
    heights = 0.3 * np.sin(x * 2 * math.pi / 6) + 0.2 * y
    return [TriMesh(np.column_stack([x, y, heights]), ground.triangles, "hills", mode="FACES")]


@pytest.mark.parametrize("hz", RATES)
@pytest.mark.parametrize("speed", [1.0, 4.0, 12.0])
def test_on_flat_ground_the_way_is_speed_times_time(speed, hz):
    walk = take([floor()], held(2, AHEAD), settings=replace(SCROLLER, speed=speed), hz=hz)

    assert walk.position[-1, 0] == pytest.approx(2 * speed, abs=1e-6)
    assert np.ptp(walk.position[:, 2]) < 1e-9


@pytest.mark.parametrize("hz", RATES)
def test_hills_are_followed_without_a_hop(hz):
    walk = take(_hills(), held(3, AHEAD), settings=SCROLLER, start=(0, 0, 0.4), hz=hz)

    assert walk.is_grounded.all()
    assert np.abs(walk.position[:, 1]).max() < STILL
    assert (walk.clearance > 0).all()
    assert walk.clearance.max() < 2 * SKIN


@pytest.mark.parametrize("lock", [(0, 1, 0), (0, 5, 0), (-1, 1, 0), (0.6, 0.8, 0)], ids=str)
def test_nothing_leads_out_of_the_plane(lock):
    """Wishes, pushes, leaning walls and slopes across: the place along the locked direction stays."""
    settings = replace(SCROLLER, plane_lock=lock, air_acceleration=20.0, dash_speed=12.0)
    level = [*_hills(), wall((4, -9), (9, 9), height=9), box((-4, -1, 0), (-3, 0.1, 3), "post")]
    walk = take(
        level,
        held(1, heading(60)),
        held(0.5, heading(200), "jump", push=(3, 9, 2)),
        held(0.3, LEFT, "dash"),
        held(1, BACK),
        settings=settings,
        start=(0, 0, 0.4),
    )

    along = walk.position @ np.array(settings.plane_lock)
    assert np.ptp(along) < 1e-6
    assert (walk.clearance > 0).all()


def test_a_wall_across_the_way_at_an_angle_stops_head_on():
    """At 45 degrees to the plane: free it would be slid along, in the plane there is no way on."""
    level = [floor(), wall((-4, -7), (11, 8))]
    level[1] = wall((11, 8), (-4, -7))
    walk = take(level, held(2, AHEAD), settings=SCROLLER)

    assert walk.position[-1, 0] == pytest.approx(3 - GAP * math.sqrt(2), abs=0.001)
    assert np.abs(walk.position[:, 1]).max() < STILL
    assert walk.strides[-30:].max() < 1e-6


def test_a_steep_face_across_is_not_slid_out_of_the_plane():
    """60 degrees that fall to the side: gravity's way down lies outside, so it rests in the plane."""
    side = moved(
        extruded([(-6, -10), (6, -10), (6, 6 * math.tan(math.radians(60)))], 9), turn=[[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    )
    walk = take([side], held(1), settings=SCROLLER, start=(0, 0, 1), standing=0.5)

    assert np.abs(walk.position[:, 1]).max() < 1e-6


SLOPES = [(mode, angle) for mode in SlopeSpeed for angle in (10, 30, 44)]


@pytest.mark.parametrize(("mode", "angle"), SLOPES)
def test_speed_on_slopes_is_a_choice(mode, angle):
    """Along the surface, or seen from above; projected is slower up."""
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    settings = replace(SCROLLER, slope_speed=mode)
    start = (8, 0, 6 * math.tan(math.radians(angle)) + 0.15)
    up = take([floor(), ramp(angle, length=24)], held(0.5, AHEAD), settings=settings, start=start)
    down = take([floor(), ramp(angle, length=24)], held(0.5, BACK), settings=settings, start=start)

    by_mode = {
        SlopeSpeed.SURFACE: (4 * c, 4 * c),
        SlopeSpeed.HORIZONTAL: (4, 4),
        SlopeSpeed.PROJECTED: (4 * c * c - GRAVITY / 60 * s * c, 4),
    }
    for walk, expected in zip((up, down), by_mode[mode], strict=True):
        assert abs(walk.position[-1, 0] - walk.position[0, 0]) * 2 == pytest.approx(expected, rel=0.01)
        assert walk.is_grounded.all()
    rise = np.diff(up.position[:, [0, 2]], axis=0)
    np.testing.assert_allclose(rise[:, 1] / rise[:, 0], math.tan(math.radians(angle)), rtol=1e-6)


@pytest.mark.parametrize("angle", [-30, -10, 10, 30, 44])
def test_the_foot_point_is_where_the_slope_is_touched(angle):
    """Not the lowest point: beside it by the radius and skin times the sine."""
    way = 1 if angle > 0 else -1
    start = (8, 0, 6 * math.tan(math.radians(abs(angle))) + 0.15)
    walk = take([floor(), ramp(abs(angle), length=24)], held(0.3, (way, 0)), settings=SCROLLER, start=start)

    for state in walk.states:
        foot, feet = state.ground_point[0], state.position[0]
        assert foot[0] - feet[0] == pytest.approx(GAP * math.sin(math.radians(abs(angle))), abs=1e-4)
        assert foot[2] == pytest.approx((foot[0] - 2) * math.tan(math.radians(abs(angle))), abs=1e-4)


@pytest.mark.parametrize("hz", RATES)
def test_over_a_cliff_it_falls_and_keeps_its_speed(hz):
    level = [floor(), box((-8, -4, 0), (2, 4, 30), "cliff")]
    walk = take(level, held(2.2, AHEAD), settings=SCROLLER, start=(0, 0, 30.03), hz=hz)

    in_air = walk.support == Support.AIRBORNE
    assert in_air.any()
    np.testing.assert_allclose(walk.velocity[in_air, 0], 4.0, atol=0.05)
    assert walk.position[-1, 0] == pytest.approx(8.8, abs=0.05)
    assert len(walk.events(EventKind.LEFT_GROUND)) == 1


@pytest.mark.parametrize("wish", [IDLE, BACK, LEFT], ids=["nothing", "back", "aside"])
def test_in_the_air_the_speed_is_kept_whatever_is_wished(wish):
    level = [floor(), box((-8, -4, 0), (2, 4, 30), "cliff")]
    walk = take(level, held(0.8, AHEAD), held(1, wish), settings=SCROLLER, start=(0, 0, 30.03))

    in_air = walk.support[:-1] == Support.AIRBORNE
    steps = np.diff(walk.position, axis=0)[in_air]
    np.testing.assert_allclose(steps[:, 0] * 60, 4.0, atol=0.05)
    assert np.abs(walk.position[:, 1]).max() < STILL


@pytest.mark.parametrize("height", [0.5, 10.0, 200.0])
def test_on_a_high_platform_there_is_no_false_fall(height):
    level = [floor(), box((-8, -4, height - 0.2), (20, 4, height), "platform")]
    walk = take(level, held(2, AHEAD), held(1, BACK), settings=SCROLLER, start=(0, 0, height + 0.03))

    assert walk.is_grounded.all()
    assert np.ptp(walk.position[:, 2]) < 1e-6


@pytest.mark.parametrize("hz", RATES)
def test_down_a_ramp_it_stays_on_the_ground(hz):
    start = (0, 0, 20 * math.sin(math.radians(40)) + 0.03)
    walk = take(ramp_down(40), held(2, AHEAD), settings=replace(SCROLLER, speed=6.0), start=start, hz=hz)

    assert walk.is_grounded.all()


def test_stairs_are_climbed_in_the_plane():
    walk = take([floor(), stairs()], held(2, AHEAD), settings=SCROLLER)

    assert walk.position[-1, 2] == pytest.approx(2 + SKIN, abs=0.005)
    assert np.abs(walk.position[:, 1]).max() < STILL


def test_a_jump_keeps_its_speed_across():
    walk = take([floor()], held(0.5, AHEAD), held(0.1, AHEAD, "jump"), held(1.0), settings=SCROLLER)

    landed = walk.first(EventKind.LANDED).step
    np.testing.assert_allclose(np.diff(walk.position[30:landed, 0]) * 60, 4.0, atol=1e-6)
    np.testing.assert_allclose(walk.position[landed + 2 :, 0], walk.position[-1, 0], atol=1e-6)
