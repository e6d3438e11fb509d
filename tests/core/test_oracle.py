"""The oracle itself, against distances drawn by hand and, where it is installed, against the FCL library."""

import builders
import numpy as np
import oracle
import pytest

RADIUS, HEIGHT = 0.3, 1.8
TRIANGLE = np.array([[[0.0, 0, 0], [4, 0, 0], [0, 4, 0]]])


@pytest.mark.parametrize(
    ("feet", "expected"),
    [
        pytest.param((1, 1, 0.5), 0.5, id="over the face"),
        pytest.param((1, 1, 0), 0.0, id="standing on the face"),
        pytest.param((1, 1, -0.1), -0.1, id="lower end in the face"),
        pytest.param((1, 1, -0.9), -0.3, id="axis through the face"),
        pytest.param((1, -1, -0.9), 0.7, id="beside an edge, level with the axis"),
        pytest.param((-3, -4, -0.9), 4.7, id="beside a corner, level with the axis"),
        pytest.param((1, -3, 3.7), 4.7, id="over and beside an edge"),
        pytest.param((3, 3, -0.9), np.sqrt(2) - 0.3, id="beside the slanted edge"),
    ],
)
def test_gap_to_a_triangle_is_the_one_of_the_drawing(feet, expected):
    assert oracle.gaps(np.array([feet], float), RADIUS, HEIGHT, TRIANGLE)[0] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("feet", "expected"),
    [
        pytest.param((0, 0, 1.5), 0.5, id="on top"),
        pytest.param((0, 0, 0.9), -0.1, id="a little deep"),
        pytest.param((0.9, 0, -0.9), -0.4, id="axis inside, out through a side"),
        pytest.param((0, 0, -0.7), -1.3, id="axis through it all, out through a side"),
        pytest.param((0, 0, 0.6), -0.4, id="axis inside, out through the top"),
    ],
)
def test_gap_to_a_solid_box_is_negative_by_the_way_out(feet, expected):
    solid = builders.box((-1, -1, -1), (1, 1, 1))

    gap = oracle.hull_gaps(np.array([feet], float), RADIUS, HEIGHT, solid.vertices, builders.corners_of([solid]))

    assert gap[0] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("feet", "way", "expected"),
    [
        pytest.param((1, 1, 2), (0, 0, -4), 0.5, id="falls on the face"),
        pytest.param((1, 1, -3.8), (0, 0, 4), 0.5, id="rises to the face from below"),
        pytest.param((1, -2.3, -0.9), (0, 4, 0), 0.5, id="walks into an edge"),
        pytest.param((1, -2, 2), (0, 0, -4), 1.0, id="falls past an edge"),
        pytest.param((-0.3 / np.sqrt(2) - 1, -0.3 / np.sqrt(2) - 1, -0.9), (2, 2, 0), 0.5, id="walks into a corner"),
    ],
)
def test_first_touch_is_the_one_of_the_drawing(feet, way, expected):
    touch = oracle.cast(np.array([feet], float), np.array([way], float), RADIUS, HEIGHT, TRIANGLE)

    assert touch.fraction[0] == pytest.approx(expected, abs=1e-10)


def test_first_touch_is_where_fine_sampling_finds_it():
    random = np.random.default_rng(1)
    triangles = random.uniform(-1, 1, (20, 1, 3, 3))
    feet, way = random.uniform(-3, 1, (20, 3)), random.uniform(-4, 4, (20, 3))
    shares = np.linspace(0, 1, 20_001)

    for i in range(20):
        fraction = oracle.cast(feet[i], way[i], RADIUS, HEIGHT, triangles[i]).fraction[0]
        touching = oracle.gaps(feet[i] + shares[:, None] * way[i], RADIUS, HEIGHT, triangles[i]) <= 0
        sampled = shares[np.argmax(touching)] if touching.any() else 1.0
        assert sampled - 1 / 20_000 - 1e-9 <= fraction <= sampled + 1e-9


def test_gaps_nearby_equal_all_gaps_cut_off():
    random = np.random.default_rng(2)
    triangles = random.uniform(-10, 10, (300, 1, 3)) + random.uniform(-2, 2, (300, 3, 3))
    feet = random.uniform(-10, 10, (500, 3))

    nearby = oracle.gaps_nearby(feet, RADIUS, HEIGHT, triangles, within=0.5)

    np.testing.assert_allclose(nearby, np.minimum(oracle.gaps(feet, RADIUS, HEIGHT, triangles), 0.5), atol=1e-12)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param((1, 1, 1), (1, 1, -1), True, id="down through the face"),
        pytest.param((1, 1, -1), (2, 1, 1), True, id="up through the face"),
        pytest.param((1, 1, 1), (1, 1, 0.1), False, id="not so far"),
        pytest.param((-1, 1, 1), (-1, 1, -1), False, id="beside the face"),
    ],
)
def test_points_pass_through_what_they_cross(before, after, expected):
    passes = oracle.passes_through(np.array([before], float), np.array([after], float), TRIANGLE)

    assert passes[0] == expected


def test_gaps_agree_with_fcl():
    fcl = pytest.importorskip("fcl", reason="python-fcl is not installed")
    random = np.random.default_rng(3)
    triangles, feet = random.uniform(-1, 1, (500, 5, 3, 3)), random.uniform(-3, 1, (500, 3))

    for i in range(500):
        gap = oracle.gaps(feet[i], RADIUS, HEIGHT, triangles[i])[0]
        mesh = fcl.BVHModel()
        mesh.beginModel(5, 15)
        mesh.addSubModel(triangles[i].reshape(15, 3), np.arange(15).reshape(5, 3))
        mesh.endModel()
        # The axis alone, as a capsule hardly thicker than nothing: FCL gives no depth once solids overlap.
        rod = fcl.Capsule(1e-6, HEIGHT - 2 * RADIUS)
        request, result = fcl.DistanceRequest(), fcl.DistanceResult()
        centre = fcl.Transform(feet[i] + [0, 0, HEIGHT / 2])
        fcl.distance(fcl.CollisionObject(mesh), fcl.CollisionObject(rod, centre), request, result)
        assert max(result.min_distance, 0) - RADIUS == pytest.approx(gap, abs=1e-4)  # FCL iterates to about 1e-6
