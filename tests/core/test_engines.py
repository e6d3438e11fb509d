"""P1 to P22: what a user of game engines expects to see. Levels and inputs are in tests/engine_cases.py.

Expected numbers are those of nine engines' own controllers, or of the geometry where that is exact.
"""

import math

import numpy as np
import pytest
from engine_cases import ANGLES, CASES, RATES, STEPS, UPHILL, walked

from levelwalk.core import Support

RADIUS, SKIN, GRAVITY, JUMP_SPEED = 0.3, 0.02, 9.81, 5.0
GAP = RADIUS + SKIN


def _named(start):
    return [name for name in CASES if name.split()[0] == start]


QUICK = ("30", "44", "45", "46", "90")  # degrees of the slopes that are looked at in the quick run too


def _sometimes(case):
    """Return a slope, or a case by name, marked as slow where the quick run can do without it."""
    words = str(case).split()
    is_slope = words[0] in ("P7", "P8") or words == [str(case)]
    can_wait = "120" in words or (is_slope and not set(words) & set(QUICK))
    return pytest.param(case, marks=pytest.mark.slow) if can_wait else case


def _is_grounded(walk):
    return walk.support == Support.GROUNDED


def test_p1_flat_ground_is_covered_at_the_asked_speed():
    walk = walked("P1 flat")

    assert walk.position[-1, 0] == pytest.approx(8.0, abs=0.002)
    assert walk.strides.min() >= 0.5 * 4 / 60
    assert _is_grounded(walk).all()


@pytest.mark.parametrize("name", _named("P2"))
def test_p2_the_squares_of_a_floor_are_not_felt(name):
    walk = walked(name)

    assert np.linalg.norm(walk.position[-1, :2]) == pytest.approx(8.0, abs=0.005)
    assert np.ptp(walk.position[:, 2]) <= 0.0002
    assert _is_grounded(walk).all()


@pytest.mark.parametrize("name", _named("P3"))
def test_p3_a_wall_lets_the_part_along_it_pass(name):
    walk = walked(name)
    degrees = int(name.split()[1])

    last_second = walk.position[-61:]
    speed = last_second[-1, 0] - last_second[0, 0]
    assert speed == pytest.approx(4 * math.cos(math.radians(degrees)), rel=0.005)
    np.testing.assert_allclose(last_second[:, 1], 2 - GAP, atol=0.001)


def test_p4_a_corner_is_rested_in():
    walk = walked("P4 corner")

    np.testing.assert_allclose(walk.position[-1, :2], [3 - GAP, 3 - GAP], atol=0.005)
    assert walk.strides[-30:].max() <= 0.0001


def test_p5_a_wedge_is_rested_in_where_both_walls_touch():
    walk = walked("P5 wedge")

    assert 3.15 <= walk.position[-1, 0] <= 3.19  # by the geometry 4 - GAP / sin 22.5 = 3.164
    assert abs(walk.position[-1, 1]) <= 0.01
    assert walk.strides[-30:].max() <= 0.0005


def test_p6_an_outside_corner_is_gone_round():
    walk = walked("P6 outside corner")

    assert 7.81 <= walk.position[-1, 0] <= 7.87
    assert 0.30 <= walk.position[-1, 1] <= 0.335


@pytest.mark.parametrize("angle", [_sometimes(angle) for angle in ANGLES if angle <= 45])
def test_p7_a_slope_up_to_the_limit_is_climbed_and_stood_on(angle):
    walk = walked(f"P7 {angle}")

    assert walk.position[120, 0] > 4.5
    height = (walk.position[120, 0] - 2) * math.tan(math.radians(angle))
    resting = GAP / math.cos(math.radians(angle)) - RADIUS  # of the feet over the slope right under them
    assert walk.position[120, 2] == pytest.approx(height + resting, abs=0.005)
    assert _is_grounded(walk).all()
    assert np.ptp(walk.position[122:], axis=0).max() <= 1e-6  # two frames to stop, then nothing


@pytest.mark.parametrize("angle", [_sometimes(angle) for angle in ANGLES if angle > 45])
def test_p7_a_slope_over_the_limit_blocks(angle):
    walk = walked(f"P7 {angle}")

    assert walk.position[:, 2].max() <= 0.05
    foot = 2 - GAP * math.tan(math.radians(angle / 2))
    assert walk.position[120, 0] == pytest.approx(foot, abs=0.01)
    assert _is_grounded(walk).all()
    assert np.ptp(walk.position[122:], axis=0).max() <= 1e-6


def _metres_past_the_foot(angle, horizontal_speed):
    """Return x - 2 after 2 s of walking: level at 4 m/s until the slope is touched, then at the given speed."""
    touched = 2 - GAP * math.tan(math.radians(angle / 2))
    return touched - 2 + horizontal_speed * (2 - touched / 4)


ENGINES_PROJECTED = {10: 5.78, 20: 5.21, 30: 4.37, 40: 3.35, 44: 2.92}


@pytest.mark.parametrize("angle", [_sometimes(angle) for angle in UPHILL])
def test_p8_projected_is_slower_uphill_by_the_square_of_the_cosine(angle):
    walk = walked(f"P7 {angle}")

    # The part of the wish and of one step of gravity along the slope, seen from above.
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    by_formula = _metres_past_the_foot(angle, 4 * c * c - GRAVITY / 60 * s * c)
    assert walk.position[120, 0] - 2 == pytest.approx(ENGINES_PROJECTED[angle], abs=0.06)
    assert walk.position[120, 0] - 2 == pytest.approx(by_formula, abs=0.03)


@pytest.mark.parametrize("angle", [_sometimes(angle) for angle in UPHILL])
def test_p8_horizontal_is_as_fast_uphill_seen_from_above(angle):
    assert walked(f"P8 {angle} HORIZONTAL").position[-1, 0] - 2 == pytest.approx(6.0, abs=0.02)


@pytest.mark.parametrize("angle", [_sometimes(angle) for angle in UPHILL])
def test_p8_surface_is_as_fast_along_the_slope(angle):
    by_formula = _metres_past_the_foot(angle, 4 * math.cos(math.radians(angle)))

    assert walked(f"P8 {angle} SURFACE").position[-1, 0] - 2 == pytest.approx(by_formula, abs=0.03)


def test_p9_a_steep_face_is_slid_down():
    walk = walked("P9 drop")

    on_the_way = walk.position[:, 2] > 0.1
    assert not _is_grounded(walk)[on_the_way].any()
    assert (np.diff(walk.position[on_the_way, 2]) < 0).all()
    assert walk.position[-1, 2] == pytest.approx(SKIN, abs=0.005)
    assert walk.position[-1, 0] <= 2 - GAP * math.tan(math.radians(30)) + 0.005
    assert _is_grounded(walk)[-1]


@pytest.mark.parametrize("name", _named("P10"))
def test_p10_stairs_are_climbed_at_walking_speed(name):
    walk = walked(name)

    assert walk.position[-1, 0] >= 8.7
    assert walk.position[-1, 2] == pytest.approx(2 + SKIN, abs=0.005)
    assert _is_grounded(walk).mean() >= 0.99


@pytest.mark.parametrize("name", _named("P11"))
def test_p11_stairs_are_walked_down_without_leaving_them(name):
    walk = walked(name)

    assert walk.position[-1, 0] == pytest.approx(9.0, abs=0.05)
    assert walk.position[-1, 2] == pytest.approx(SKIN, abs=0.005)
    assert _is_grounded(walk).all()


@pytest.mark.parametrize("height", [height for height in STEPS if height <= 0.3])
def test_p12_a_step_up_to_the_offset_is_climbed(height):
    walk = walked(f"P12 {height}")

    assert walk.position[-1, 2] == pytest.approx(height + SKIN, abs=0.005)
    assert 0.95 * 6 <= walk.position[-1, 0] <= 6.002


@pytest.mark.parametrize("height", [height for height in STEPS if height > 0.3])
def test_p12_a_higher_step_blocks(height):
    walk = walked(f"P12 {height}")

    assert walk.position[:, 0].max() <= 2
    assert walk.position[-1, 2] <= 0.1


def test_p13_a_slab_too_low_blocks():
    walk = walked("P13 1.75")

    # The rounded head, its centre 0.25 m under the slab's edge, comes this near to it.
    expected = 2 - math.sqrt(GAP**2 - (1.75 - (1.8 - RADIUS + SKIN)) ** 2)
    assert walk.position[-1, 0] == pytest.approx(expected, abs=0.01)
    assert walk.strides[-30:].max() <= 0.0001
    assert _is_grounded(walk).all()


def test_p13_a_slab_just_high_enough_lets_pass():
    walk = walked("P13 1.85")

    assert walk.position[-1, 0] == pytest.approx(8.0, abs=0.002)
    assert np.ptp(walk.position[:, 2]) <= 0.001
    assert _is_grounded(walk).all()


@pytest.mark.parametrize("hz", RATES)
def test_p14_a_jump_reaches_the_height_of_the_exact_integral(hz):
    """The apex is v²/2g = 1.274 m at any rate, less what the frames miss of it: they are at most half a step off."""
    walk = walked(f"P14 {hz} Hz")

    rise = walk.position[:, 2].max() - walk.position[0, 2]
    assert JUMP_SPEED**2 / (2 * GRAVITY) - GRAVITY * (0.5 / hz) ** 2 / 2 - 1e-4 <= rise
    assert rise <= JUMP_SPEED**2 / (2 * GRAVITY) + 1e-6


@pytest.mark.parametrize("hz", RATES)
def test_p14_a_jump_ends_after_the_time_of_flight(hz):
    walk = walked(f"P14 {hz} Hz")

    landed = 1 + np.flatnonzero(_is_grounded(walk)[1:])[0]
    assert landed == pytest.approx(2 * JUMP_SPEED / GRAVITY * hz, abs=1)
    assert not _is_grounded(walk)[1:landed].any()
    assert walk.position[-1, 2] == pytest.approx(SKIN, abs=0.002)


def test_p15_a_ceiling_ends_the_rise_at_once():
    walk = walked("P15 ceiling")

    assert 0.34 <= walk.position[:, 2].max() <= 0.40
    top = int(walk.position[:, 2].argmax())
    assert walk.position[top + 1, 2] < walk.position[top, 2] - 1e-4
    fall = math.sqrt(2 * walk.position[top, 2] / GRAVITY) * 60
    assert _is_grounded(walk)[top + math.ceil(fall) + 2]


def test_p16_a_ledge_is_jumped_on():
    walk = walked("P16 ledge")

    assert walk.position[-1, 0] == pytest.approx(8.0, abs=0.01)
    assert walk.position[-1, 2] == pytest.approx(1 + SKIN, abs=0.002)
    assert _is_grounded(walk)[-1]


@pytest.mark.parametrize("name", _named("P17"))
def test_p17_the_way_down_a_ramp_is_followed(name):
    walk = walked(name)

    assert _is_grounded(walk).all()
    assert walk.position[-1, 0] == pytest.approx(15.0, abs=0.05)
    on_ramp = walk.position[:, 0] > 2.5
    assert walk.clearance[walk.skipped :][on_ramp].max() <= 0.03


@pytest.mark.parametrize("name", _named("P18"))
def test_p18_no_speed_goes_through_a_wall(name):
    walk = walked(name)

    assert walk.position[:, 0].max() <= 2 - RADIUS
    assert walk.position[-1, 0] == pytest.approx(2 - GAP, abs=0.005)


@pytest.mark.parametrize("name", _named("P19"))
def test_p19_a_gap_is_found_from_beside_its_middle(name):
    assert walked(name).position[-1, 0] > 2.3 + RADIUS


def test_p20_a_ramp_is_climbed_along_a_wall():
    walk = walked("P20 ramp and wall")

    assert 5.565 <= walk.position[-1, 0] <= 5.675
    assert walk.position[-1, 1] == pytest.approx(1 - GAP, abs=0.002)


@pytest.mark.parametrize("name", _named("P21"))
def test_p21_a_start_inside_is_left_without_a_throw(name):
    walk = walked(name)

    assert walk.clearance[0] == pytest.approx(-0.1, abs=1e-9)
    assert (walk.clearance[5:] > 0).all()
    moved = np.linalg.norm(walk.position - walk.position[0], axis=1)
    assert moved.max() <= 0.1 + 2 * SKIN
    assert walk.strides[5:].max() <= 0.02
    assert np.linalg.norm(walk.velocity, axis=1).max() <= 1.0
    assert _is_grounded(walk)[-1]


@pytest.mark.parametrize("name", [_sometimes(name) for name in CASES])
def test_p22_the_level_is_never_touched(name):
    """Independent of the core: the oracle measures every frame of every case, the standing included."""
    case = CASES[name]
    clearance = walked(name).clearance[case.settled :]

    assert clearance.min() > 0
    assert clearance.min() >= case.least_clearance
