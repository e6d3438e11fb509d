"""clip_velocity: the velocity nearest to the wish that enters none of the touched surfaces."""

import math

import numpy as np
import pytest
from scipy.optimize import nnls

from levelwalk.core.geometry.clip import clip_velocity

UP, WEST, SOUTH, DOWN = (0.0, 0, 1), (-1.0, 0, 0), (0.0, -1, 0), (0.0, 0, -1)
EAST = (1.0, 0, 0)
COS_30 = math.sqrt(3) / 2
RISE = 3 * 0.5 - 1 * COS_30  # the part of (3, 2, -1) along (cos 60, 0, sin 60)


def clip(velocity, normals):
    """Clip one velocity."""
    padded = np.reshape(normals, (1, -1, 3)).astype(float)
    return clip_velocity(np.array([velocity], float), padded, np.array([padded.shape[1]]))[0]


def slope(degrees):
    """Return the normal of a slope that rises along +x."""
    return -math.sin(math.radians(degrees)), 0.0, math.cos(math.radians(degrees))


@pytest.mark.parametrize(
    ("normals", "expected"),
    [
        pytest.param([], [3, 2, -1], id="nothing touched"),
        pytest.param([DOWN], [3, 2, -1], id="leaves a ceiling"),
        pytest.param([UP], [3, 2, 0], id="slides on a floor"),
        pytest.param([UP, UP], [3, 2, 0], id="the same floor twice"),
        pytest.param([UP, WEST], [0, 2, 0], id="slides along a crease"),
        pytest.param([UP, WEST, SOUTH], [0, 0, 0], id="stops in a corner"),
        pytest.param([UP, EAST, SOUTH], [3, 0, 0], id="leaves one wall along another"),
        pytest.param([WEST, EAST], [0, 2, -1], id="falls between two walls"),
        pytest.param([WEST, EAST, UP, DOWN], [0, 2, 0], id="moves along a tunnel"),
        pytest.param([UP, slope(60)], [RISE * 0.5, 2, RISE * COS_30], id="climbs a slope beside a floor"),
    ],
)
def test_keeps_all_of_the_motion_that_enters_no_surface(normals, expected):
    np.testing.assert_allclose(clip((3, 2, -1), normals), expected, atol=1e-12)


@pytest.mark.parametrize("degrees", [5, 30, 44, 60, 85])
def test_up_a_slope_the_part_along_it_remains(degrees):
    clipped = clip((4, 0, 0), [slope(degrees)])

    along = math.cos(math.radians(degrees))
    np.testing.assert_allclose(clipped, [4 * along**2, 0, 4 * along * math.sin(math.radians(degrees))], atol=1e-12)


def _lanes(random, count, most, spread):
    """Return velocities, normals that lean within `spread` of a common direction, and how many count."""
    velocity = random.normal(size=(count, 3)) * 10 ** random.uniform(-3, 2, (count, 1))
    normals = random.normal(size=(count, 1, 3)) + spread * random.normal(size=(count, most, 3))
    normals /= np.linalg.norm(normals, axis=2)[:, :, None]
    return velocity, normals, random.integers(0, most + 1, count)


@pytest.mark.parametrize("spread", [0.01, 0.3, 1.0, 10.0], ids=lambda spread: f"spread {spread}")
@pytest.mark.parametrize("most", [1, 2, 3, 4, 6])
def test_the_result_is_the_projection_on_what_is_allowed(most, spread):
    """By Moreau's theorem v is the projection of w on the cone {v : n v >= 0} if v is in the cone, v - w is a
    combination of the normals with no negative factor, and v is perpendicular to v - w."""
    velocity, normals, count = _lanes(np.random.default_rng(most), 300, most, spread)

    clipped = clip_velocity(velocity, normals, count)

    for w, touched, n, v in zip(velocity, normals, count, clipped, strict=True):
        speed = np.linalg.norm(w)
        surfaces = touched[:n]
        assert (surfaces @ v >= -1e-8 * speed).all()
        assert abs(v @ (v - w)) <= 1e-8 * speed**2
        left = nnls(surfaces.T, v - w)[1] if n else np.linalg.norm(v - w)
        assert left <= 1e-7 * speed


def test_normals_beyond_the_count_do_not_matter():
    velocity, normals, count = _lanes(np.random.default_rng(20), 200, 5, 1.0)
    changed = normals.copy()
    changed[np.arange(5) >= count[:, None]] = np.nan

    np.testing.assert_array_equal(clip_velocity(velocity, changed, count), clip_velocity(velocity, normals, count))


def test_the_order_of_the_normals_does_not_matter():
    velocity, normals, _ = _lanes(np.random.default_rng(21), 200, 4, 1.0)
    count = np.full(200, 4)

    clipped = clip_velocity(velocity, normals, count)
    turned_round = clip_velocity(velocity, np.ascontiguousarray(normals[:, ::-1]), count)

    np.testing.assert_allclose(turned_round, clipped, atol=1e-9 * np.abs(velocity).max())


def test_each_lane_is_clipped_as_if_alone():
    velocity, normals, count = _lanes(np.random.default_rng(22), 100, 4, 1.0)

    clipped = clip_velocity(velocity, normals, count)

    for i in range(100):
        alone = clip_velocity(velocity[i : i + 1], normals[i : i + 1, : count[i]], count[i : i + 1])
        np.testing.assert_array_equal(alone[0], clipped[i])


@pytest.mark.parametrize("apart", [1e-3, 1e-5, 1e-7, 1e-9, 1e-12])
def test_nearly_equal_walls_are_one_wall(apart):
    clipped = clip((3, 2, 0), [(-math.cos(apart), math.sin(apart), 0), (-math.cos(apart), -math.sin(apart), 0)])

    np.testing.assert_allclose(clipped, [0, 2, 0], atol=4 * apart + 1e-8)


@pytest.mark.parametrize("apart", [1e-3, 1e-5, 1e-7, 1e-9, 1e-12])
def test_nearly_opposite_walls_let_through_what_goes_along_both(apart):
    walls = [(0.0, 1.0, 0.0), (-math.sin(apart), -math.cos(apart), 0.0)]  # they close along +x

    np.testing.assert_allclose(clip((-3, 0, -1), walls), [-3, 0, -1], atol=1e-8)
    assert np.linalg.norm(clip((3, 1, -1), walls)) <= math.sqrt(11)


def test_rest_stays_rest():
    np.testing.assert_array_equal(clip((0, 0, 0), [UP, WEST]), [0, 0, 0])


def test_no_lanes_give_no_lanes():
    assert clip_velocity(np.zeros((0, 3)), np.zeros((0, 2, 3)), np.zeros(0, int)).shape == (0, 3)


def test_wrong_shapes_are_refused():
    with pytest.raises(ValueError, match=r"normals must be \(1, k, 3\), got \(1, 3\)"):
        clip_velocity(np.zeros((1, 3)), np.zeros((1, 3)), np.array([1]))
