"""The sample level has the measures that its names promise, and its walk reaches the goal."""

import math
from collections import Counter

import numpy as np
import pytest

from levelwalk.core import Commands, EventKind, Settings, Support, World, simulate
from levelwalk.core.samples.sample_level import SAMPLE_GOAL, SAMPLE_START, sample_level, sample_walk

WORLD = World.build(sample_level())
LEVEL = {mesh.name: mesh for mesh in sample_level()}
TRIANGLES = np.concatenate([mesh.vertices[mesh.triangles] for mesh in LEVEL.values()])


def corners(name):
    return LEVEL[name].vertices[LEVEL[name].triangles]


def normals(name):
    a, b, c = np.moveaxis(corners(name), 1, 0)
    cross = np.cross(b - a, c - a)
    return cross / np.linalg.norm(cross, axis=1, keepdims=True)


def crossings(point, direction):
    """Return where a ray crosses the level, as sorted distances: Moeller and Trumbore's test, for every triangle."""
    a, b, c = np.moveaxis(TRIANGLES, 1, 0)
    p = np.cross(direction, c - a)
    determinant = np.einsum("ij,ij->i", b - a, p)
    with np.errstate(divide="ignore", invalid="ignore"):
        u = np.einsum("ij,ij->i", point - a, p) / determinant
        q = np.cross(point - a, b - a)
        v = q @ np.asarray(direction, float) / determinant
        distance = np.einsum("ij,ij->i", c - a, q) / determinant
        inside = (np.abs(determinant) > 1e-12) & (u >= 0) & (v >= 0) & (u + v <= 1) & (distance > 0)
    return np.unique(distance[inside].round(9))


def height_at(x, y):
    return 10 - crossings(np.array([x, y, 10.0]), [0, 0, -1])[0]


def free_span(point, direction):
    """Return how far it is from wall to wall through a point."""
    return sum(crossings(np.array(point), np.multiply(sign, direction))[0] for sign in (1, -1))


@pytest.mark.parametrize("name", LEVEL)
def test_every_object_is_closed_and_faces_outwards(name):
    triangles = LEVEL[name].triangles
    edges = Counter(
        (a, b) for triangle in triangles.tolist() for a, b in zip(triangle, np.roll(triangle, -1), strict=True)
    )
    a, b, c = np.moveaxis(corners(name), 1, 0)

    assert set(edges.values()) == {1}
    assert all((b, a) in edges for a, b in edges)
    assert np.einsum("ij,ij->", a, np.cross(b, c)) / 6 > 0.1  # the volume, m3


def test_the_level_measures_30_by_17_metres():
    points = TRIANGLES.reshape(-1, 3)

    np.testing.assert_allclose(np.ptp(points, axis=0)[:2], [30, 17])


@pytest.mark.parametrize("degrees", [20, 35, 50])
def test_a_ramp_has_the_slope_that_its_name_says(degrees):
    upwards = normals(f"Ramp {degrees}")
    slopes = np.degrees(np.arccos(upwards[:, 2]))

    assert np.isclose(slopes, degrees, atol=1e-9).sum() == 2  # one quad


@pytest.mark.parametrize(("step", "height"), [(0, 0.2), (4, 1.0), (9, 2.0)])
def test_each_stair_rises_20_cm_in_30_cm(step, height):
    first = -1.0  # where the stairs begin, m

    assert height_at(first + 0.3 * step + 0.01, 4) == pytest.approx(height)
    assert height_at(first + 0.3 * step + 0.29, 4) == pytest.approx(height)


def test_the_door_is_90_cm_wide_and_2_m_high():
    assert free_span([-3.0, 4.1, 1.0], [0, 1, 0]) == pytest.approx(0.9)
    assert free_span([-3.0, 4.1, 1.0], [0, 0, 1]) == pytest.approx(2.0)


def test_the_tunnel_is_185_cm_high():
    assert free_span([-11.0, 0.1, 1.0], [0, 0, 1]) == pytest.approx(1.85)


def test_the_corridor_is_120_cm_wide():
    assert free_span([-3.7, 5.5, 1.0], [1, 0, 0]) == pytest.approx(1.2)


def test_the_gap_is_2_m_wide_and_2_m_deep():
    assert free_span([11.0, 4.1, 1.0], [1, 0, 0]) == pytest.approx(2.0)
    assert height_at(11.0, 4.1) == pytest.approx(0)
    assert height_at(9.99, 4.1) == height_at(12.01, 4.1) == pytest.approx(2.0)


def test_the_rim_stands_out_over_its_foot_too_high_to_step_on():
    assert height_at(-6.7, -6.1) == pytest.approx(0.8)
    assert free_span([-6.7, -6.1, 0.3], [0, 0, 1]) == pytest.approx(0.6)


def test_the_walls_of_the_wedge_meet_at_30_degrees():
    upright = normals("Wedge")[np.abs(normals("Wedge")[:, 2]) < 0.5]
    angles = np.degrees(np.arccos(np.clip(upright @ upright.T, -1, 1)))

    assert np.isclose(angles, 180 - 30).any()


def test_the_walls_of_the_corner_meet_at_90_degrees():
    inside = np.array([-10.9, -6.7, 1.0])

    assert crossings(inside, [-1, 0, 0])[0] == pytest.approx(0.42)
    assert crossings(inside, [0, -1, 0])[0] == pytest.approx(0.5)
    assert crossings(inside, [1, 0.1, 0])[0] > 7  # open to the east, where the character comes from


@pytest.mark.parametrize(
    "steps_a_second", [60, *(pytest.param(rate, marks=pytest.mark.slow) for rate in (30, 120, 240))]
)
def test_the_walk_reaches_the_goal_through_everything(steps_a_second):
    dt = 1 / steps_a_second
    trace = simulate(WORLD, Settings(), SAMPLE_START, sample_walk(dt), dt=dt)
    path = trace.position[:, 0]

    assert np.linalg.norm(path[-1] - SAMPLE_GOAL) < 1.0
    assert path[-1, 2] == pytest.approx(SAMPLE_GOAL[2], abs=0.03)
    assert trace.support[-1, 0] == Support.GROUNDED
    assert len(trace.events.of(EventKind.JUMPED)) == 2
    for place in (
        [-7.7, -6.0, 0.8],
        [-11.0, 0.0, 0.0],
        [-3.75, 5.5, 0.0],
        [-3.0, 4.0, 0.0],
        [0.5, 4.0, 1.0],
        [3.5, -0.7, 1.0],
        [6.25, 0.5, 1.0],
    ):
        assert np.linalg.norm(path - place, axis=1).min() < 0.5, f"the walk misses {place}"


def test_away_in_the_default_view_leads_into_the_level():
    """Blender's default view looks from a place at +X and -Y, turned by 46.7 degrees about the upright axis."""
    yaw = math.radians(46.7)
    trace = simulate(WORLD, Settings(), SAMPLE_START, Commands([[-math.sin(yaw), math.cos(yaw)]] * 600))
    path = trace.position[:, 0]

    assert np.linalg.norm(np.diff(path, axis=0), axis=1).sum() > 12
    assert np.ptp(path[:, 0]) > 8
    assert np.ptp(path[:, 1]) > 8
    assert np.abs(path[:, 2]).max() < 0.05


def test_nobody_runs_over_the_edge():
    angles = np.radians(np.arange(0, 360, 10))
    starts = np.repeat([SAMPLE_START, [13.0, -6.0, 0.02], [13.0, 7.5, 0.02]], len(angles), axis=0)
    away = np.tile(np.stack([np.cos(angles), np.sin(angles)], axis=1), (3, 1))
    trace = simulate(WORLD, Settings(), starts, Commands(np.broadcast_to(away, (240, *away.shape))))
    path = trace.position.reshape(-1, 3)

    assert (np.abs(path[:, :2] - [0.0, 0.5]) < [15, 8.5]).all()  # half of 30 and 17 m
    assert path[:, 2].min() > -0.001


def test_nothing_is_wrong_with_it():
    assert WORLD.report.lines() == []


def test_the_border_is_50_cm_high():
    for x, y in ((-14.9, 0.3), (14.9, 0.3), (1.3, -7.9), (1.3, 8.9)):
        assert height_at(x, y) == pytest.approx(0.5)


def test_the_walk_lasts_20_seconds_at_any_step():
    assert [len(sample_walk(1 / rate)) for rate in (30, 60, 240)] == [600, 1200, 4800]


def test_the_distance_asked_for_is_the_same_at_any_step():
    asked = [np.linalg.norm(sample_walk(1 / rate).move, axis=2).sum() * 4.0 / rate for rate in (30, 60, 144)]

    np.testing.assert_allclose(asked, asked[0])
