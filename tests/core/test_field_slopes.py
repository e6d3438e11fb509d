"""Faults that users of character controllers met on slopes, each as the smallest level that shows it.

The numbers C1, C4, ... are those of the collection they were taken from; expected values follow from the geometry.
"""

import math
from dataclasses import replace

import numpy as np
import pytest
from builders import box, floor, heading, moved, ramp, ramp_down, sheet, walk

from levelwalk.core import Commands, Settings, Support, TriMesh, World, simulate

pytestmark = pytest.mark.slow

SKIN = 0.01
C0 = Settings(skin_width=SKIN, speed=4.0)
AHEAD, IDLE = (1.0, 0.0), (0.0, 0.0)
RATES = [30, 60, 120, 240]


def grounded(walk):
    """Return which rows are grounded, (s + 1,)."""
    return walk.support == Support.GROUNDED


@pytest.mark.parametrize("gravity", [9.81, 30.0])
@pytest.mark.parametrize("skin", [0.005, 0.01, 0.05])
@pytest.mark.parametrize("angle", [5, 13, 20, 31, 38, 44])
def test_c1_c9_c97_idle_on_a_walkable_slope_does_not_creep(angle, skin, gravity):
    settings = replace(C0, skin_width=skin, gravity=gravity)
    start = (5, 0, 3 * math.tan(math.radians(angle)) + 0.2)

    still = walk([floor(), ramp(angle)], (2, IDLE), settings=settings, start=start, standing=1)

    assert np.ptp(still.position, axis=0).max() < 1e-6
    assert grounded(still).all()


def test_c1_on_every_slope_up_to_the_limit_one_stands_still_and_walks_up():
    """Ramps of 5, 6, .., 44 degrees side by side, a walker on each: idle it drifts less than 0.1 mm in two seconds."""
    angles = np.arange(5, 45)
    places = 3.0 * (angles - angles[0])
    level = [
        moved(ramp(angle, x=0, length=14, half_width=1), by=(0, y, 0)) for angle, y in zip(angles, places, strict=True)
    ]
    starts = np.column_stack([np.full(len(angles), 2.0), places, 2 * np.tan(np.radians(angles)) + 0.2])
    move = np.zeros((360, len(angles), 2))
    move[240:, :, 0] = 1.0

    trace = simulate(World.build(level), C0, starts, Commands(move))

    still, climbing = trace.position[120:241], trace.position[240:]
    assert np.ptp(still, axis=0).max() < 1e-4
    assert (trace.support[60:] == Support.GROUNDED).all()
    way = np.linalg.norm(climbing[-1] - climbing[0], axis=1)
    np.testing.assert_allclose(way, 2 * 4.0, rtol=1e-3)  # as fast along the surface as on the flat


def test_c4_at_the_slope_limit_the_hand_over_is_clean():
    """Half a metre each of 43, 44, .., 47 degrees: the walker stops for good where 46 begins."""
    angles = np.radians([43, 44, 45, 46, 47])
    ends = np.cumsum(np.column_stack([np.cos(angles), np.sin(angles)]) * 0.5, axis=0) + (2, 0)
    profile = np.concatenate([[(2, 0)], ends])
    right = np.column_stack([profile[:, 0], np.full(6, -4), profile[:, 1]])
    i = np.arange(5)
    faces = np.concatenate([np.column_stack([i, i + 1, i + 7]), np.column_stack([i, i + 7, i + 6])])
    slope = TriMesh(np.concatenate([right, right + np.array([0, 8, 0])]), faces, "slope")

    up = walk([floor(), slope], (3, AHEAD), settings=C0)

    assert grounded(up).all()
    assert up.strides[-60:].max() < 1e-4
    contact = up.position[-1] + (0.31 * math.sin(angles[2]), 0, 0.3 - 0.31 * math.cos(angles[2]))
    assert ends[1, 0] <= contact[0] <= ends[2, 0] + 0.01  # it stands on the 45 degrees, against the 46


@pytest.mark.parametrize("hz", RATES)
@pytest.mark.parametrize("way", [1, -1], ids=["up", "down"])
def test_c6_the_joint_of_floor_and_ramp_is_crossed_evenly(way, hz):
    start = (0, 0, 0.02) if way > 0 else (5, 0, 3 * math.tan(math.radians(30)) + 0.1)

    across = walk([floor(), ramp(30)], (1.2, (way, 0)), settings=C0, start=start, hz=hz)

    assert (way * np.diff(across.position[:, 2]) >= -1e-6).all()
    assert grounded(across).all()


@pytest.mark.parametrize("angle", [50, 60, 75, 85])
def test_c7_along_the_foot_of_a_steep_face_the_feet_stay_on_the_floor(angle):
    along = walk([floor(), ramp(angle, x=1, half_width=25)], (3, heading(60)), settings=C0)

    last = along.position[-91:]
    assert along.position[:, 2].max() <= SKIN + 0.002
    assert last[-1, 1] - last[0, 1] == pytest.approx(1.5 * 4 * math.sin(math.radians(60)), rel=0.005)
    assert grounded(along).all()


def test_c8_a_steep_face_is_slid_down_and_said_to_be_steep():
    slide = walk([ramp(60)], (1, IDLE), settings=C0, start=(5, 0, 3 * math.tan(math.radians(60)) + 0.32), standing=0)

    assert slide.position[0, 2] - slide.position[-1, 2] > 1
    assert (slide.support[5:] == Support.STEEP).all()
    speed = np.linalg.norm(slide.velocity[20:], axis=1)
    np.testing.assert_allclose(np.diff(speed) * 60, 9.81 * math.sin(math.radians(60)), rtol=0.02)


@pytest.mark.parametrize("speed", [2, 4, 6, 8, 12])
@pytest.mark.parametrize("skin", [0.005, 0.01, 0.1])
def test_c10_c11_downhill_is_grounded_at_any_speed_and_skin(skin, speed):
    settings = replace(C0, skin_width=skin, speed=speed)

    down = walk(ramp_down(24), (1.2, AHEAD), settings=settings, start=(0, 0, 20 * math.sin(math.radians(24)) + 0.1))

    assert grounded(down).all()
    on_ramp = (down.position[:-1, 0] > 2.5) & (down.position[1:, 0] < 20)
    assert on_ramp.any() or speed == 2
    np.testing.assert_allclose(down.strides[on_ramp] * 60, speed, rtol=0.01)


@pytest.mark.parametrize("degrees", [60, 75, 85])
def test_c19_a_steep_face_is_no_catapult(degrees):
    settings = replace(C0, speed=6.0)
    peak = 1.0 + SKIN  # of the jump on flat ground

    jump = walk([floor(), ramp(degrees)], (2, AHEAD), settings=settings, jump_at=0.25)

    assert jump.position[:, 2].max() <= peak + SKIN


def test_c20_a_steep_face_is_not_climbed_by_jumping():
    """Jumping goes on from the floor at the foot; between two landings there it is one flat jump high at most."""
    pressed = np.ones(600, bool)
    commands = Commands(np.tile([1.0, 0.0], (600, 1)), pressed)
    trace = simulate(World.build([floor(), ramp(60)]), C0, (1, 0, 0.02), commands)

    assert trace.position[:, 0, 2].max() <= 1.0 + 2 * SKIN


@pytest.mark.parametrize(("height", "passes"), [(0.05, True), (0.08, True), (0.10, False), (0.29, False)])
def test_c21_without_a_step_offset_the_round_end_rolls_over_no_more_than_the_slope_limit(height, passes):
    """The contact on the kerb's edge is no steeper than the limit up to r (1 - cos 45) = 0.088 m."""
    settings = replace(C0, step_offset=0.0)

    kerb = walk([floor(), box((2, -4, 0), (9, 4, height))], (1.5, AHEAD), settings=settings)

    assert (kerb.position[-1, 0] > 5) == passes
    assert (kerb.position[-1, 2] > height) == passes


@pytest.mark.parametrize("limit", [0, 10, 20, 30, 40, 50, 60, 70, 80])
def test_c22_c24_a_ramp_is_walkable_exactly_up_to_the_limit(limit):
    for angle in (limit - 5, limit, limit + 5):
        if not 0 < angle < 90:
            continue
        settings = replace(C0, slope_limit=math.radians(limit))
        start = (4, 0, 2 * math.tan(math.radians(angle)) + 0.3 / math.cos(math.radians(angle)))
        on_ramp = walk([ramp(angle, length=40)], (0.5, IDLE), settings=settings, start=start, standing=0.5)
        assert grounded(on_ramp).all() == (angle <= limit), (angle, limit)


def test_c24_a_box_turned_to_45_degrees_is_walkable_at_45():
    c = math.sqrt(0.5)
    turned = moved(box((-5, -5, -1), (5, 5, 0)), turn=[[c, 0, -c], [0, 1, 0], [c, 0, c]])

    up = walk([turned], (1, AHEAD), settings=C0, start=(0, 0, 0.14))

    assert grounded(up).all()
    assert up.position[-1, 2] > 1.5


@pytest.mark.parametrize("lean", [-0.05, 0.0, 0.05])
def test_c25_a_wall_that_leans_a_hair_is_a_wall(lean):
    offset = 4 * math.tan(math.radians(lean))
    leaning = sheet((-15, 1, 0), (30, 0, 0), (0, offset, 4))

    along = walk([floor(), leaning], (2, heading(45)), settings=C0)

    last = along.position[-61:]
    assert last[-1, 0] - last[0, 0] == pytest.approx(4 * math.cos(math.radians(45)), rel=0.005)
    assert along.position[:, 2].max() <= SKIN + 0.001
