"""A walk is the same alone and beside others, and however much of the level is looked at around it."""

import math
from dataclasses import replace

import builders
import numpy as np
import pytest
from builders import BASE, box, floor, ramp, sheet

from levelwalk.core import Commands, LedgeGuard, Settings, SlopeSpeed, World, simulate
from levelwalk.core.character import around

SAME = 1e-9  # m


def _walk_about(settings, lanes, steps, dt=1 / 60):
    """Walk seeded walkers over ramps, stairs and walls, with jumps; return where they were, (steps + 1, lanes, 3)."""
    random = np.random.default_rng(40)
    start = np.column_stack([random.uniform(-3, 1.4, 8), random.uniform(-2.2, 4, 8), np.full(8, 0.03)])
    angle = np.repeat(random.uniform(0, 2 * math.pi, (steps // 30, 8)), 30, axis=0)
    jump = random.random((steps, 8)) < 0.02
    commands = Commands(np.stack([np.cos(angle), np.sin(angle)], axis=2)[:, lanes], jump[:, lanes])
    return simulate(World.build(builders.playground()), settings, start[lanes], commands, dt=dt).position


@pytest.mark.parametrize("speed", list(SlopeSpeed))
def test_walkers_do_not_know_of_each_other(speed):
    settings = replace(BASE, slope_speed=speed, ledge_guard=LedgeGuard.SLIDE)
    together = _walk_about(settings, np.arange(8), 120)

    for lane in range(8):
        np.testing.assert_allclose(_walk_about(settings, [lane], 120)[:, 0], together[:, lane], atol=SAME)


@pytest.mark.parametrize("speed", list(SlopeSpeed))
@pytest.mark.parametrize("hz", [15, 60])
def test_no_more_is_gathered_than_a_step_needs(monkeypatch, speed, hz):
    """With nothing to spare around a walker, what it can reach in a step must still all be there."""
    settings = replace(BASE, slope_speed=speed, slope_limit=math.radians(70))
    usual = _walk_about(settings, np.arange(8), 90, 1 / hz)
    for name in ("ROOM_ACROSS", "ROOM_ALONG", "FAST_ROOM", "LEAST_ROOM"):
        monkeypatch.setattr(around, name, 0.0)

    np.testing.assert_allclose(_walk_about(settings, np.arange(8), 90, 1 / hz), usual, atol=1e-6)


@pytest.mark.parametrize(("lanes", "ceiling"), [(1, 4.6), (20, 3.6), (20, 2.0)])
def test_a_steep_slope_leads_through_no_ceiling(lanes, ceiling):
    """Seen from above at one speed, a metre up 84 degrees is ten metres of height: more than is gathered around."""
    settings = Settings(
        radius=0.3,
        height=0.6,
        skin_width=0.001,
        slope_limit=math.radians(85),
        slope_speed=SlopeSpeed.HORIZONTAL,
        speed=15,
        ground_snap=0,
    )
    level = [floor(), ramp(84, x=1.0, length=60, half_width=5), sheet((-8, -5, ceiling), (16, 0, 0), (0, 10, 0))]

    walk = simulate(
        World.build(level), settings, np.tile([0.4, 0, 0.001], (lanes, 1)), Commands([[1, 0]] * 8), dt=1 / 15
    )

    assert walk.position[..., 2].max() <= ceiling - 0.6


def test_a_walker_at_a_rim_does_not_know_that_another_walks():
    """It slides along a rim, rests for one step, and goes on: to the same side, whoever else is there."""
    platform = World.build([box((-9, -9, -1), (9, 9, 0))])
    wish = np.zeros((90, 2, 2))
    wish[:30, 0], wish[31:, 0], wish[:, 1] = builders.heading(-30), (1, 0), (0.1, 0)
    start = np.array([[7.5, 0, 0.02], [0, 0, 0.02]])
    settings = Settings(ledge_guard=LedgeGuard.SLIDE)

    alone = simulate(platform, settings, start[0], Commands(wish[:, 0])).position[:, 0]
    beside = simulate(platform, settings, start, Commands(wish)).position[:, 0]

    np.testing.assert_allclose(beside, alone, atol=SAME)


@pytest.mark.parametrize("far", [1e2, 1e5])
def test_a_cast_from_far_away_hits_where_one_from_near_does(far):
    world = World.build(builders.playground())
    near = world.cast(BASE, (-1, 0.5, 9), (0, 0, -12))
    hit = world.cast(BASE, (-1, 0.5, far), (0, 0, -2 * far))

    assert hit.is_hit[0]
    assert far * (1 - 2 * hit.fraction[0]) == pytest.approx(9 - 12 * near.fraction[0], abs=1e-9 * far)
    np.testing.assert_allclose(hit.point, near.point, atol=1e-9 * far)


@pytest.mark.parametrize("way", [(1e6, 0, 0), (0, 0, 1e6), (-1e6, 1e6, 1e5)])
def test_a_cast_away_from_the_level_hits_nothing(way):
    hit = World.build([floor(half=10)]).cast(BASE, (0, 0, 1), way)

    assert (hit.is_hit[0], hit.fraction[0]) == (False, 1.0)
