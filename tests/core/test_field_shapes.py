"""Faults that users of character controllers met at seams, corners, steps and ledges, each as the smallest level.

The numbers C1, C4, ... are those of the collection they were taken from; expected values follow from the geometry.
"""

import math
from dataclasses import replace

import numpy as np
import pytest
from builders import box, floor, heading, ramp, stairs, tessellated, walk, wall

from levelwalk.core import Settings, Support, TriMesh, World, simulate
from levelwalk.core.wander import wander

pytestmark = pytest.mark.slow
SKIN = 0.01
C0 = Settings(skin_width=SKIN, speed=4.0)
AHEAD, IDLE = (1.0, 0.0), (0.0, 0.0)
RATES = [30, 60, 120, 240]


def grounded(walk):
    """Return which rows are grounded, (s + 1,)."""
    return walk.support == Support.GROUNDED


@pytest.mark.parametrize("skin", [0.001, 0.01, 0.05])
def test_c27_c34_flush_boxes_have_no_seams(skin):
    boxes = [box((x, 1, 0), (x + 1, 2, 2), f"box {x}") for x in range(-1, 12)]

    along = walk([floor(), *boxes], (3, heading(45)), settings=replace(C0, skin_width=skin))

    np.testing.assert_allclose(along.strides[60:] * 60, 4 * math.cos(math.radians(45)), rtol=0.01)


@pytest.mark.parametrize("skin", [0.001, 0.01, 0.05])
def test_c32_flush_floor_boxes_have_no_seams(skin):
    tiles = [
        box((0.4 * i, 0.4 * j, -1), (0.4 * i + 0.4, 0.4 * j + 0.4, 0)) for i in range(-3, 18) for j in range(-3, 12)
    ]

    across = walk(tiles, (1.5, heading(27)), settings=replace(C0, skin_width=skin))

    assert grounded(across).all()
    assert np.ptp(across.position[:, 2]) < 1e-4
    np.testing.assert_allclose(across.strides * 60, 4, rtol=0.01)


def test_c31_nearly_flat_ground_does_not_hold_back():
    ground = tessellated((-2, -2, 0), (14, 0, 0), (0, 4, 0), size=0.5)
    bumps = np.random.default_rng(31).uniform(-0.005, 0.005, (len(ground.vertices), 1)) * [0, 0, 1]

    across = walk([TriMesh(ground.vertices + bumps, ground.triangles, mode="FACES")], (2.5, AHEAD), settings=C0)

    assert across.position[-1, 0] >= 0.98 * 10
    assert grounded(across).all()


@pytest.mark.parametrize("has_floor", [True, False], ids=["on a floor", "floating"])
@pytest.mark.parametrize("degrees", [1, 5, 10, 24, 45, 60, 80])
def test_c36_c37_a_wall_is_slid_along_at_any_heading(degrees, has_floor):
    settings = C0 if has_floor else replace(C0, gravity=0.0)
    level = [wall((-5, 0.35), (20, 0.35))] + [floor()] * has_floor
    start = (0, 0, 0.02 if has_floor else 1.0)

    along = walk(level, (3, heading(degrees)), settings=settings, start=start)

    last = along.position[-61:]
    assert last[-1, 0] - last[0, 0] == pytest.approx(4 * math.cos(math.radians(degrees)), rel=0.005)
    assert np.ptp(last[:, 2]) < 1e-5


@pytest.mark.parametrize("opening", [45, 60, 91, 120, 150, 179])
def test_c40_c42_a_corner_is_rested_in(opening):
    """Two walls that meet at (3, 0) with this angle between them, walked into along the middle."""
    half = math.radians(opening / 2)
    far = 5 * math.cos(half), 5 * math.sin(half)
    walls = [wall((3 - far[0], far[1]), (3, 0)), wall((3, 0), (3 - far[0], -far[1]))]

    rest = walk([floor(), *walls], (2, AHEAD), settings=C0)

    assert rest.position[-1, 0] == pytest.approx(3 - (0.3 + SKIN) / math.sin(half), abs=0.005)
    assert np.ptp(rest.position[-60:], axis=0).max() < 1e-5


@pytest.mark.parametrize(("width", "passes"), [(0.59, False), (0.63, True), (0.70, True)])
def test_c40_a_hall_as_wide_as_the_walker_and_its_skin_lets_pass(width, passes):
    half = width / 2
    hall = [box((1, half, 0), (6, 2, 3)), box((1, -2, 0), (6, -half, 3))]

    through = walk([floor(), *hall], (2.5, AHEAD), settings=C0)

    assert (through.position[-1, 0] > 6.5) == passes
    assert through.clearance.min() > 0


def test_c44_a_closed_room_is_never_left():
    room = [
        box((-1.5, -1.5, -0.1), (1.5, 1.5, 0)),
        box((-1.5, -1.5, 2.5), (1.5, 1.5, 2.6)),
        box((-1.6, -1.5, 0), (-1.5, 1.5, 2.5)),
        box((1.5, -1.5, 0), (1.6, 1.5, 2.5)),
        box((-1.5, -1.6, 0), (1.5, -1.5, 2.5)),
        box((-1.5, 1.5, 0), (1.5, 1.6, 2.5)),
    ]
    player = wander(seed=44, lanes=30, dt=1 / 60, turn_every=0.3, jump_every=0.5)

    trace = simulate(World.build(room), C0, np.tile([0, 0, 0.02], (30, 1)), player, steps=1200)

    inside = 1.5 - 0.3
    assert (np.abs(trace.position[:, :, :2]) < inside).all()
    assert trace.position[:, :, 2].min() > 0
    assert trace.position[:, :, 2].max() < 2.5 - 1.8


@pytest.mark.parametrize("hz", [30, 60, 120, 240, 360])
@pytest.mark.parametrize("degrees", [0, 30, 60])
def test_c48_stairs_beside_a_wall_are_climbed_at_any_rate_and_heading(degrees, hz):
    level = [floor(), stairs(10, rise=0.3, run=0.3), wall((-5, 1), (12, 1), height=8)]

    seconds = 9 / (4 * math.cos(math.radians(degrees)))  # on the platform, which ends at x = 12.7
    up = walk(level, (seconds, heading(degrees)), settings=C0, hz=hz)

    assert up.position[-1, 0] > 7
    assert up.position[-1, 2] == pytest.approx(3 + SKIN, abs=0.01)
    assert grounded(up).mean() >= 0.99
    assert up.position[:, 2].max() <= 3 + SKIN + 0.01


@pytest.mark.parametrize("hz", [30, 60, 120, 240])
def test_c55_a_wall_a_little_too_high_to_step_on_is_slid_along_no_faster_than_asked(hz):
    along = walk([floor(), box((-9, 1, 0), (30, 3, 0.35))], (2, heading(30)), settings=C0, hz=hz)

    assert along.strides.max() * hz <= 4 * (1 + 1e-6)
    last = along.position[-hz - 1 :]
    assert last[-1, 0] - last[0, 0] == pytest.approx(4 * math.cos(math.radians(30)), rel=0.01)
    assert along.position[-1, 2] < 0.1


@pytest.mark.parametrize("past", [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35])
def test_c60_at_the_edge_of_a_ledge_there_is_one_state(past):
    """Put down with the axis past the edge, the walker ends up standing still on the ledge, or on the floor below."""
    end = walk([floor(), box((-4, -4, 0), (0, 4, 2))], (3, IDLE), settings=C0, start=(past, 0, 2.05), standing=0)

    assert np.ptp(end.position[-30:], axis=0).max() < 1e-6
    assert len(set(end.support[-30:].tolist())) == 1
    assert grounded(end)[-1]
    assert end.position[-1, 2] == pytest.approx(SKIN, abs=0.005) or end.position[-1, 2] > 1.7


def test_c63_snap_pulls_nobody_round_an_edge_on_to_a_wall():
    settings = replace(C0, speed=8.0, ground_snap=0.5)

    off = walk([floor(), box((-8, -4, 0), (2, 4, 3))], (0.6, AHEAD), settings=settings, start=(0, 0, 3.02))

    assert off.position[-1, 0] == pytest.approx(0.6 * 8, abs=0.01)
    assert (np.diff(off.position[:, 2]) > -0.2).all()


def test_c76_a_tiled_ceiling_does_not_hold():
    tiles = [box((x, y, 2.0), (x + 1, y + 1, 2.1)) for x in range(-2, 12) for y in range(-2, 2)]

    under = walk([floor(), *tiles], (2, AHEAD), settings=C0, jump_at=0.2)

    assert under.position[-1, 0] == pytest.approx(8, abs=0.02)
    airborne = int((~grounded(under)).sum())
    assert airborne <= math.ceil(2 * math.sqrt(2 * 0.2 / 9.81) * 60) + 1


@pytest.mark.parametrize("start", [(0, 0, 1.5), (0, 0, -3.0)], ids=["from above", "from below"])
def test_c83_a_single_plane_counts_from_both_sides(start):
    settings = replace(C0, gravity=9.81 if start[2] > 0 else 0.0, jump_height=1.0)

    end = walk([floor()], (2, IDLE), settings=settings, start=start, standing=0)

    assert (end.position[:, 2] > 0).all() if start[2] > 0 else (end.position[:, 2] + 1.8 < 0).all()


@pytest.mark.parametrize("wide", [0.9, 0.66])
def test_c87_a_room_with_a_door_is_entered(wide):
    """The wall with its door is one mesh with a lintel: no hull may close the opening."""
    half = wide / 2
    parts = [
        box((2, -2, 0), (2.2, -half, 2.5)),
        box((2, half, 0), (2.2, 2, 2.5)),
        box((2, -half, 2.0), (2.2, half, 2.5)),
    ]
    counts = np.cumsum([0] + [len(part.vertices) for part in parts[:-1]])
    vertices = np.concatenate([part.vertices for part in parts])
    triangles = np.concatenate([part.triangles + count for part, count in zip(parts, counts, strict=True)])

    through = walk([floor(), TriMesh(vertices, triangles, "wall with a door")], (1.5, AHEAD), settings=C0)

    assert through.position[-1, 0] == pytest.approx(6, abs=0.01)


def test_c90_a_bar_at_head_height_stops():
    bar = box((2, -4, 1.55), (2.1, 4, 1.65))

    stopped = walk([floor(), bar], (1.5, AHEAD), settings=C0)

    assert stopped.position[-1, 0] < 2 - 0.25
    assert stopped.strides[-30:].max() < 1e-6


@pytest.mark.parametrize("hz", RATES)
def test_c95_a_jump_is_as_high_at_any_rate(hz):
    jump = walk([floor()], (1.2, IDLE), settings=C0, jump_at=0, hz=hz)

    assert jump.position[:, 2].max() - SKIN == pytest.approx(1.0, rel=0.01)


def test_c95_a_walk_is_the_same_at_any_rate():
    """Turns, a ramp and a wall; frames cut corners by at most a frame's way."""
    level = [floor(), ramp(20, x=2, length=4), wall((-3, 3), (9, 3))]
    ends = [
        walk(level, (0.9, AHEAD), (0.6, (0, 1)), (0.5, (-0.6, 0.8)), settings=C0, hz=hz).position[-1] for hz in RATES
    ]

    assert np.ptp(ends, axis=0).max() <= 0.05
