"""Levels and input that have broken the walk once: valleys, starts in blocks, rims in the air, odd numbers."""

import math
from dataclasses import replace

import numpy as np
import pytest
from builders import box, floor, sheet
from engine_cases import BASE

from levelwalk.core import Command, Commands, Settings, SlopeSpeed, Support, TriMesh, World, simulate, spawn, step

AHEAD = np.tile([1.0, 0.0], (90, 1))
SKIN = BASE.skin_width


def valley(slope: float) -> TriMesh:
    """Return two planes that meet along the x axis and rise to both sides."""
    high = 5 * slope
    corners = [(-5, -5, high), (-5, 0, 0), (-5, 5, high), (15, -5, high), (15, 0, 0), (15, 5, high)]
    return TriMesh(corners, [(0, 3, 4), (0, 4, 1), (1, 4, 5), (1, 5, 2)], "valley", mode="FACES")


@pytest.mark.parametrize("slope", [0.01, 0.1, 0.5])
@pytest.mark.parametrize("mode", SlopeSpeed)
def test_along_the_bottom_of_a_valley_one_walks_at_full_speed(slope, mode):
    trace = simulate(World.build([valley(slope)]), replace(BASE, slope_speed=mode), (0, 0, 0.3), Commands(AHEAD))

    assert trace.position[-1, 0, 0] == pytest.approx(6.0, abs=0.01)  # 1.5 s at 4 m/s
    assert trace.position[-1, 0, 1] == pytest.approx(0.0, abs=1e-3)


def test_a_start_low_in_a_block_is_not_pushed_through_the_floor():
    level = [box((-5, -5, -0.5), (5, 5, 0), "ground"), box((-3, -3, 0), (3, 3, 4), "block")]
    trace = simulate(World.build(level), BASE, (0, 0, 0), Commands(np.zeros((30, 2))))

    end = trace.position[-1, 0]
    assert end[2] == pytest.approx(SKIN, abs=1e-4)
    assert max(abs(end[0]), abs(end[1])) == pytest.approx(3 + 0.3 + SKIN, abs=1e-4)
    assert {event.object for event in trace.events if event.kind.name == "OVERLAP"} == {"block"}


@pytest.mark.parametrize(("height", "reached"), [(1.25, 1.25), (1.59, 0.0)])
def test_a_jump_does_not_end_at_an_edge_beside_the_capsule(height, reached):
    """The jump is 1.27 m high: an edge 0.3 m above the feet is passed by the side, not stood on."""
    level = World.build([floor(), box((3.5, -5, 0), (10, 5, height), "box")])
    commands = Commands(np.tile([1.0, 0.0], (150, 1)), jump=np.arange(150) == 40)
    end = simulate(level, BASE, (0, 0, 0.03), commands).position[-1, 0]

    assert end[2] == pytest.approx(reached + SKIN, abs=1e-3)


def test_a_body_with_momentum_does_the_same_in_every_direction():
    slope = math.radians(30)
    plane = [(-30, -30, -30 * math.tan(slope)), (30, -30, 30 * math.tan(slope))]
    corners = np.array([*plane, (30, 30, plane[1][2]), (-30, 30, plane[0][2])])
    settings = Settings(
        radius=0.5, height=1.0, movement="MOMENTUM", speed=5, acceleration=20, deceleration=20, slope_limit=slope + 0.1
    )
    ends = []
    for degrees in (0, 20, 45, 100):
        c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        level = World.build([TriMesh(corners @ turn.T, [(0, 1, 2), (0, 2, 3)], "plane")])
        wish = turn[:2, :2] @ [0.8, 0.5]
        trace = simulate(level, settings, (0, 0, 0.2), Commands(np.tile(wish, (60, 1))))
        ends.append(trace.position[-1, 0] @ turn)

    np.testing.assert_allclose(ends, np.tile(ends[0], (4, 1)), atol=1e-6)


@pytest.mark.parametrize("wish", [(math.nan, 1.0), (math.inf, 0.0), (1e300, 0.0)])
def test_a_wish_that_is_no_number_is_no_wish_and_a_huge_one_is_full_speed(wish):
    world = World.build([floor()])
    state = spawn(world, BASE, (0, 0, SKIN))
    for _ in range(60):
        state = step(world, BASE, state, Command(np.array([wish])), 1 / 60)

    assert np.isfinite(state.position).all()
    assert state.position[0, 0] == pytest.approx(4.0 if math.isfinite(sum(wish)) else 0.0, abs=0.1)
    assert state.support[0] == Support.GROUNDED


@pytest.mark.parametrize(("name", "value"), [("max_slides", 2.5), ("max_slides", 2**31), ("air_jumps", math.inf)])
def test_counts_are_whole_and_not_beyond_reason(name, value):
    with pytest.raises(ValueError, match=name):
        Settings(**{name: value})


@pytest.mark.parametrize("few", [1, 40])
def test_who_drifts_onto_nearly_upright_ground_goes_no_further_up_it_than_it_wished(few):
    """Nothing pulls the walker down, and all is walkable: all that it rises it drifts."""
    lean, steps = 1 / 20, 30  # 87 degrees
    slope = sheet((1, -3, -3), (6 * lean, 0, 6), (0, 6, 0))
    settings = Settings(slope_limit=math.pi / 2, gravity_scale=0.0, speed=15.0)
    world = World.build([slope])
    state = spawn(world, settings, np.zeros((few, 3)))
    ends = [state.position]
    for _ in range(steps):
        state = step(world, settings, state, Command(np.tile([[1.0, 0.0]], (few, 1))), 1 / 60)
        ends.append(state.position)

    gone = np.linalg.norm(np.diff(ends, axis=0), axis=2)
    assert gone.max() <= 15 / 60 * (1 + 1e-6)
    np.testing.assert_allclose(ends[-1], ends[-1][:1].repeat(few, axis=0), atol=1e-9)
