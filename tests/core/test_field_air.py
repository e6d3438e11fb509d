"""Faults that users of character controllers met at edges, in the air and under ceilings.

The numbers C62, C71, ... are those of the collection they were taken from; expected values follow from the geometry.
Jumps late and early are in test_jumps.py, guards in test_ledge_slide.py, tunnels in test_abilities.py.
"""

import math
from dataclasses import replace

import numpy as np
import pytest
from builders import box, floor, ramp_down, stairs_down
from takes import AHEAD, BACK, IDLE, RATES, held, take

from levelwalk.core import EventKind, Settings, Support

SKIN = 0.01
C0 = Settings(skin_width=SKIN, speed=4.0)
LEDGE = [floor(), box((-8, -4, 0), (0, 4, 2), "ledge")]


@pytest.mark.parametrize("past", [0.1, 0.2, 0.29])
def test_c62_a_landing_beside_an_edge_is_walked_in_from(past):
    """Put down past the edge with the wish to go back: it slips off nowhere."""
    walk = take(LEDGE, held(1, BACK), settings=C0, start=(past, 0, 2.02), standing=0.5)

    assert walk.is_grounded.all()
    assert walk.position[-1, 0] == pytest.approx(past - 4.0, abs=0.05)
    assert walk.position[-1, 2] == pytest.approx(2 + SKIN, abs=0.001)


@pytest.mark.parametrize("hz", RATES)
def test_c62_coyote_time_begins_where_the_walker_slips_off(hz):
    """Past the ledge distance, with the wish the other way: the jump counts for the coyote time from the slip on."""
    settings = replace(C0, ledge_distance=0.1, coyote_time=0.1, air_acceleration=0.0)
    slip = take(LEDGE, held(0.5, AHEAD), settings=settings, start=(-0.5, 0, 2.02), standing=0.1, hz=hz)
    left = slip.first(EventKind.LEFT_GROUND).step
    late = take(
        LEDGE,
        held((left + 1) / hz + 0.06, AHEAD),
        held(0.1, BACK, "jump"),
        settings=settings,
        start=(-0.5, 0, 2.02),
        standing=0.1,
        hz=hz,
    )

    assert len(late.events(EventKind.JUMPED)) == 1


def test_c63_snap_reaches_only_what_can_be_walked():
    """Off a ledge beside a face of 70 degrees within the snap's reach: it falls, and is not put on the face."""
    settings = replace(C0, speed=8.0, ground_snap=0.5)
    level = ramp_down(70, length=20)
    top = 20 * math.sin(math.radians(70))

    walk = take(level, held(0.5, AHEAD), settings=settings, start=(0, 0, top + 0.02))

    assert not walk.is_grounded[-5:].any()


def test_c71_a_jump_suspends_the_snap():
    """Up stairs' height in one step at 240 Hz is less than the snap: it must leave the floor all the same."""
    jump = take([floor()], held(0.3, IDLE, "jump"), settings=replace(C0, ground_snap=1.0, jump_height=0.3), hz=240)

    assert (jump.support[1:] == Support.AIRBORNE).all()


def test_c54_a_snap_smaller_than_the_steps_falls_and_is_warned_of():
    """0.2 m steps with a snap of 0.04: off each step it is in the air for a moment; with 0.4 never."""
    stairs = [floor(), stairs_down(8, 0.2, 0.6)]
    small, large = replace(C0, ground_snap=0.04), replace(C0, ground_snap=0.4)
    falls = take(stairs, held(1.8, AHEAD), settings=small, start=(0, 0, 1.63))
    stays = take(stairs, held(1.8, AHEAD), settings=large, start=(0, 0, 1.63))

    assert not falls.is_grounded.all()
    assert stays.is_grounded.all()
    assert any("snap" in warning for warning in small.warnings)
    assert not large.warnings


@pytest.mark.parametrize(("step", "height", "warns"), [(0.9, 1.8, False), (0.91, 1.8, True), (5.0, 1.8, True)])
def test_c54_a_step_over_half_the_height_is_warned_of(step, height, warns):
    settings = Settings(step_offset=step, height=height, ground_snap=step)

    assert any("half the height" in warning for warning in settings.warnings) == warns


@pytest.mark.parametrize("hz", RATES)
def test_c76_a_jump_into_a_ceiling_falls_at_once(hz):
    """20 cm of room over the head: up at the speed of the jump, and down again from there without hanging."""
    level = [floor(), box((-9, -9, 2.0 + 2 * SKIN), (9, 9, 3), "ceiling")]
    jump = take(level, held(1, AHEAD, "jump"), settings=C0, hz=hz)

    speed, room = math.sqrt(2 * 9.81), 0.2
    up = (speed - math.sqrt(speed**2 - 2 * 9.81 * room)) / 9.81
    down = math.sqrt(2 * room / 9.81)
    landed = jump.first(EventKind.LANDED).step
    assert landed / hz == pytest.approx(up + down, abs=2.5 / hz)
    assert jump.position[:, 2].max() == pytest.approx(room + SKIN, abs=0.002)
    np.testing.assert_allclose(np.diff(jump.position[:, 0]) * hz, 4.0, rtol=1e-3)
