"""Convex hulls: checked against SciPy's (Qhull), and against what a hull is."""

import math
import time
from collections import Counter

import numpy as np
import pytest
import shapes
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial import ConvexHull

from levelwalk.core.colliders.hull import convex_hull, convex_hulls

ACCURACY = 1e-6  # of the size: what convex_hull promises
CUBE = np.array([(x, y, z) for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])


def on_sphere(count, seed=0):
    return shapes.directions(np.random.default_rng(seed), count)


def in_ball(count, seed=0):
    return on_sphere(count, seed) * np.cbrt(np.random.default_rng(seed + 1).random((count, 1)))


def cube_of_grids(count=12):
    """Return the cube from -1 to 1 with count x count points on each side."""
    line = np.linspace(-1, 1, count)
    u, v = (part.ravel() for part in np.meshgrid(line, line))
    sides = [np.roll(np.column_stack([np.full(len(u), w), u, v]), axis, axis=1) for axis in range(3) for w in (-1, 1)]
    return np.concatenate(sides)


def cylinder(count=64):
    angle = np.arange(count) / count * 2 * math.pi
    ring = np.column_stack([np.cos(angle), np.sin(angle), np.zeros(count)])
    return np.concatenate([ring, ring + [0, 0, 2]])


def turned(points, seed=0):
    return points @ shapes.turn(np.random.default_rng(seed)).T


def single(points):
    """Return the points as a mesh stores them, in single precision."""
    return points.astype(np.float32).astype(float)


CLOUDS = {
    "a tetrahedron": CUBE[[0, 1, 2, 4]],
    "eight points": in_ball(8),
    "a ball": in_ball(5000),
    "a sphere": on_sphere(2000),
    "a cube, each corner eight times": np.tile(CUBE, (8, 1)),
    "a cube of grids": cube_of_grids(),
    "a turned cube of grids": turned(cube_of_grids()),
    "a turned cube of grids in single precision": single(turned(cube_of_grids())),
    "a cylinder": cylinder(),
    "a turned cylinder in single precision": single(turned(cylinder())),
    "a cylinder of 2,000 sides in single precision": single(turned(cylinder(2000))),
    "a lattice": np.random.default_rng(2).integers(-4, 5, (3000, 3)).astype(float),
    "a lens": in_ball(3000) * [1, 1, 1e-3],
    "a needle": in_ball(3000) * [1, 1e-3, 1e-4],
}


def size_of(points):
    return float(np.ptp(points, axis=0).max())


def volume_of(vertices, triangles):
    a, b, c = np.moveaxis((vertices - vertices.mean(axis=0))[triangles], 1, 0)
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


def highest_in_front(points, vertices, triangles):
    """Return how far any point is in front of any face, as a share of the size."""
    middle = points.mean(axis=0)
    a, b, c = np.moveaxis((vertices - middle)[triangles] / size_of(points), 1, 0)
    normal = np.cross(b - a, c - a)
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    return max((normal @ ((points - middle) / size_of(points)).T).max(axis=1) - np.einsum("ij,ij->i", normal, a))


def assert_is_hull(points, vertices, triangles):
    sides = Counter((int(t[i]), int(t[(i + 1) % 3])) for t in triangles for i in range(3))
    assert set(sides.values()) == {1}
    assert all((end, begin) in sides for begin, end in sides)
    assert volume_of(vertices, triangles) > 0
    assert highest_in_front(points, vertices, triangles) <= ACCURACY
    assert {tuple(vertex) for vertex in vertices} <= {tuple(point) for point in points}
    assert set(triangles.ravel()) == set(range(len(vertices)))


def assert_is_as_scipys(points, vertices, triangles):
    oracle = ConvexHull(points)
    area_times_accuracy = oracle.area * ACCURACY * size_of(points)
    assert volume_of(vertices, triangles) == pytest.approx(oracle.volume, abs=area_times_accuracy)
    ways = on_sphere(500, seed=9)
    middle = points.mean(axis=0)
    reach, expected = ((some - middle) @ ways.T for some in (vertices, points))
    np.testing.assert_allclose(reach.max(axis=0), expected.max(axis=0), rtol=0, atol=ACCURACY * size_of(points))


@pytest.mark.parametrize("name", CLOUDS)
def test_encloses_all_points_and_no_more(name):
    points = CLOUDS[name]

    vertices, triangles = convex_hull(points)

    assert_is_hull(points, vertices, triangles)
    assert_is_as_scipys(points, vertices, triangles)


@pytest.mark.parametrize("scale", [1e-6, 1e-3, 1e3, 1e6])
@pytest.mark.parametrize("name", ["a ball", "a turned cube of grids", "a cylinder", "a lens"])
def test_works_at_any_scale(name, scale):
    points = CLOUDS[name] * scale

    vertices, triangles = convex_hull(points)

    assert_is_hull(points, vertices, triangles)
    assert_is_as_scipys(points, vertices, triangles)


@pytest.mark.parametrize("name", ["a ball", "a sphere", "a turned cube of grids", "a cylinder"])
def test_works_100_km_from_the_origin(name):
    points = CLOUDS[name] + [1e5, -1e5, 3e4]

    vertices, triangles = convex_hull(points)

    assert_is_hull(points, vertices, triangles)
    # Coordinates of 1e5 m are rounded to 1.5e-11 m, so that the volume, 8 m³ at most, is off by 1e-9 m³ at most.
    assert volume_of(vertices, triangles) == pytest.approx(volume_of(*convex_hull(CLOUDS[name])), abs=1e-6)


@pytest.mark.parametrize("points", [np.tile(CUBE, (20, 1)), cube_of_grids(30) / 2 + 0.5], ids=["repeated", "grids"])
def test_a_cube_has_8_corners_and_12_triangles(points):
    vertices, triangles = convex_hull(points)

    assert sorted(map(tuple, vertices)) == sorted(map(tuple, CUBE))
    assert len(triangles) == 12
    assert volume_of(vertices, triangles) == pytest.approx(1, abs=1e-12)


def test_points_within_single_precision_of_a_plane_are_one_side():
    vertices, _ = convex_hull(single(turned(cube_of_grids())))

    assert len(vertices) < 16  # Qhull, which takes every rounding for a corner, finds over 50


@pytest.mark.parametrize(
    "count", [5_000, pytest.param(20_000, marks=pytest.mark.slow), pytest.param(50_000, marks=pytest.mark.slow)]
)
def test_takes_many_points_of_which_all_are_corners(count):
    points = on_sphere(count)

    vertices, triangles = convex_hull(points)

    assert len(vertices) == count
    assert len(triangles) == 2 * count - 4  # Euler: v - e + t = 2 with 2 e = 3 t
    assert volume_of(vertices, triangles) == pytest.approx(ConvexHull(points).volume, rel=1e-9)


@pytest.mark.parametrize("is_single", [False, True])
def test_takes_many_points_that_lie_in_six_planes(is_single):
    points = turned(cube_of_grids(92))
    points = single(points) if is_single else points
    assert len(points) >= 50_000

    begin = time.perf_counter()
    vertices, triangles = convex_hull(points)
    seconds = time.perf_counter() - begin

    assert highest_in_front(points, vertices, triangles) <= ACCURACY
    side = 2 * np.linalg.norm(points - points.mean(axis=0), axis=1).max() / math.sqrt(3)
    assert volume_of(vertices, triangles) == pytest.approx(side**3, rel=1e-5)
    assert len(vertices) < 16
    assert seconds < 5  # 0.1 s on an idle machine


@pytest.mark.parametrize("count", [4, 5, 6, 7, 9])
def test_takes_few_points(count):
    points = on_sphere(count, seed=count)

    vertices, triangles = convex_hull(points)

    assert_is_hull(points, vertices, triangles)
    assert len(vertices) == count and len(triangles) == 2 * count - 4


def test_twice_the_same_is_equal_to_the_bit():
    points = in_ball(2000)

    for first, second in zip(convex_hull(points), convex_hull(points), strict=True):
        np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize(
    ("points", "reason"),
    [
        pytest.param(np.zeros((0, 3)), "fewer than four points", id="nothing"),
        pytest.param(CUBE[:3], "fewer than four points", id="three points"),
        pytest.param(np.tile(CUBE[5], (9, 1)), "at one place", id="one place"),
        pytest.param(np.outer(np.arange(9.0), [1, 2, 3]), "in one line", id="a line"),
        pytest.param(single(turned(np.outer(np.arange(9.0), [1, 0, 0]))), "in one line", id="a rounded line"),
        pytest.param(cube_of_grids()[:, :2] @ [[1, 0, 1], [0, 1, 2]], "in one plane", id="a plane"),
        pytest.param(single(turned(cube_of_grids() * [1, 1, 0])), "in one plane", id="a rounded plane"),
        pytest.param(CUBE * [1, 1, 0.9e-6], "in one plane", id="just too thin"),
    ],
)
def test_refuses_what_spans_no_volume(points, reason):
    with pytest.raises(ValueError, match=reason):
        convex_hull(points)


def test_takes_what_is_just_thick_enough():
    vertices, triangles = convex_hull(CUBE * [1, 1, 1.1e-6])

    assert volume_of(vertices, triangles) == pytest.approx(1.1e-6, rel=1e-9)


@pytest.mark.parametrize(
    ("points", "words"),
    [
        pytest.param([[0, 0, 0], [1, 0, math.nan], [0, 1, 0], [0, 0, 1]], "nan.* at 1", id="not a number"),
        pytest.param([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, math.inf]], "inf.* at 3", id="infinite"),
        pytest.param([[0, 0], [1, 0], [0, 1], [1, 1]], r"\(n, 3\)", id="in two dimensions"),
    ],
)
def test_refuses_what_are_no_points(points, words):
    with pytest.raises(ValueError, match=words):
        convex_hull(points)


def test_makes_many_hulls_at_once():
    groups = [in_ball(30, seed) * (1 + seed) + 100 * seed for seed in range(40)]
    groups[7], groups[21] = CUBE[:2], CUBE * [1, 0, 1]

    hulls = convex_hulls(np.concatenate(groups), np.array([len(group) for group in groups]))

    assert hulls.refusals == {7: "fewer than four points", 21: "all points lie in one plane"}
    begin = np.cumsum([0, *(len(group) for group in groups)])
    for i in set(range(40)) - {7, 21}:
        triangles = hulls.triangles[hulls.group == i] - begin[i]
        used = np.unique(triangles)
        assert_is_hull(groups[i], groups[i][used], np.searchsorted(used, triangles))
        assert_is_as_scipys(groups[i], groups[i][used], np.searchsorted(used, triangles))


@settings(max_examples=200, deadline=None)
@given(
    lattice=arrays(np.int8, st.tuples(st.integers(4, 40), st.just(3)), elements=st.integers(-3, 3)),
    seed=st.integers(0, 1000),
    kind=st.sampled_from(["exact", "turned", "single", "noisy", "far"]),
    noise=st.floats(-13, -3),
)
def test_points_in_rows_and_planes_have_a_hull_whatever_their_rounding(lattice, seed, kind, noise):
    points = lattice.astype(float)
    assume(np.linalg.matrix_rank(points - points[0]) == 3)
    if kind != "exact":
        points = turned(points, seed)
    if kind == "single":
        points = single(points)
    if kind == "noisy":
        points = points + np.random.default_rng(seed).normal(size=points.shape) * 10**noise
    if kind == "far":
        points = points + np.random.default_rng(seed).normal(size=3) * 1e5

    vertices, triangles = convex_hull(points)

    assert highest_in_front(points, vertices, triangles) <= 4e-5
    assert volume_of(vertices, triangles) == pytest.approx(ConvexHull(points).volume, abs=1e-4 * size_of(points) ** 3)


def test_a_hull_is_the_same_whichever_points_are_beside():
    """Upright blocks, where many points are equally far from a face: the choice among them is that of the points."""
    for count in range(2, 5):
        steps = np.arange(count + 1) / count
        grid = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1).reshape(-1, 3)
        outside = grid[((grid == 0) | (grid == 1)).any(axis=1) & ~(grid[:, :2] > 0.51).all(axis=1)] * [3, 3, 1]
        for angle in np.linspace(0, 4, 120):
            turn = np.array([[math.cos(angle), math.sin(angle), 0], [-math.sin(angle), math.cos(angle), 0], [0, 0, 1]])
            points = single(outside @ turn + 20)
            alone = convex_hulls(points, np.array([len(points)]))

            both = convex_hulls(np.concatenate([in_ball(30), points]), np.array([30, len(points)]))

            np.testing.assert_array_equal(both.triangles[both.group == 1] - 30, alone.triangles)
