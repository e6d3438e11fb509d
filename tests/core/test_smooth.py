"""Smoothed steps: the path of the feet with less of a jerk on stairs, and the same everywhere else."""

import math

import numpy as np
import pytest
from builders import floor, ramp, ramp_down, rows, stairs, stairs_down

from levelwalk.core import Commands, Settings, Support, World, simulate, smooth_steps

DT, SPEED, SKIN = 1 / 60, 4.0, 0.02
WALKER = Settings()
RISE, RUN = 0.2, 0.3
AHEAD, IDLE = (1.0, 0.0), (0.0, 0.0)


def _walk(level, *parts, start=(0, 0, 0.03), jump_at=None, hz=60):
    return simulate(World.build(level), WALKER, start, rows(*parts, hz=hz, jump_at=jump_at), dt=1 / hz)


def _smoothed(trace, distance, **options):
    return smooth_steps(trace.position, trace.support, distance, **options)


def _jerk(path):
    """Return the greatest change of the upward speed in a second, (n,), m/s², after the landing at the start."""
    return np.abs(np.diff(path[10:, :, 2], n=2, axis=0)).max(axis=0) / DT**2


def _made(height, spacing=0.05):
    """Return a grounded path along +x whose height is a function of x, from -3 to 3 m."""
    x = np.arange(-3, 3 + spacing / 2, spacing)
    path = np.column_stack([x, np.zeros_like(x), height(x)])[:, None]
    return path, np.full(path.shape[:2], Support.GROUNDED)


@pytest.fixture(scope="module")
def up():
    """Return a walk across a floor and up ten steps to a platform."""
    return _walk([floor(), stairs(10, RISE, RUN)], (0.5, IDLE), (2.8, AHEAD), start=(-2, 0, 0.03))


@pytest.fixture(scope="module")
def down():
    return _walk([floor(), stairs_down(10, RISE, RUN)], (0.5, IDLE), (2.8, AHEAD), start=(-2, 0, 10 * RISE + 0.03))


@pytest.mark.parametrize("distance", [0.3, 0.6, 1.0])
@pytest.mark.parametrize("walk", ["up", "down"])
def test_on_stairs_the_jerk_is_smaller_by_the_square_of_the_way(walk, distance, request):
    """Within `distance` lie n = ceil(distance / run) risers: n v² h / distance² against h / dt² of one at once."""
    trace = request.getfixturevalue(walk)

    smooth = _jerk(_smoothed(trace, distance))

    most = math.ceil(distance / RUN) * SPEED**2 * RISE / distance**2
    assert smooth[0] <= 1.1 * most  # a tenth for the way of a step, over which the exact path rises
    factor = (distance / (SPEED * DT)) ** 2 / math.ceil(distance / RUN)
    assert _jerk(trace.position)[0] / smooth[0] >= 0.4 * factor  # over an edge the round end rolls, half as suddenly


@pytest.mark.parametrize("distance", [0.1, 0.3, 1.0])
@pytest.mark.parametrize("walk", ["up", "down"])
def test_the_smoothed_path_is_never_further_from_the_exact_one_than_asked(walk, distance, request):
    trace = request.getfixturevalue(walk)

    for most in (0.02, 0.1, 0.3):
        smooth = _smoothed(trace, distance, most=most)
        assert np.abs(smooth - trace.position).max() <= most + 1e-12
        np.testing.assert_allclose(smooth[:, :, :2], trace.position[:, :, :2], atol=0)


@pytest.mark.parametrize("walk", ["up", "down"])
def test_on_stairs_the_height_of_a_step_is_never_exceeded(walk, request):
    """Two treads of way: half a step and what the slope of the stairs adds to it."""
    trace = request.getfixturevalue(walk)

    assert np.abs(_smoothed(trace, 0.6) - trace.position).max() <= RISE


def test_a_lone_step_becomes_two_parabolas():
    """A step of height h at x = 0: of the weights (1 - |x| / d) / d those beyond it count."""
    path, support = _made(lambda x: 0.3 * (x > 1e-9), spacing=0.005)

    smooth = smooth_steps(path, support, 0.5)[:, 0, 2]

    t = np.clip(path[:, 0, 0] / 0.5, -1, 1)
    expected = 0.3 * np.where(t < 0, (1 + t) ** 2 / 2, 1 - (1 - t) ** 2 / 2)
    np.testing.assert_allclose(smooth, expected, atol=0.3 * 0.005 / 0.5)


@pytest.mark.parametrize("slope", [-1.0, -0.3, 0.0, 0.5])
def test_what_rises_evenly_stays(slope):
    path, support = _made(lambda x: slope * x + 7)

    np.testing.assert_allclose(smooth_steps(path, support, 0.8), path, atol=1e-9)


@pytest.mark.parametrize(
    ("level", "start"),
    [([floor(), ramp(30, x=2, length=9)], (0, 0, 0.03)), (ramp_down(30, length=12), (-2, 0, 6.03))],
    ids=["up", "down"],
)
def test_on_floors_and_ramps_a_walk_stays_to_a_millimetre(level, start):
    """But for the joints, to which the smoothing reaches from both sides."""
    trace = _walk(level, (0.3, IDLE), (2.0, AHEAD), start=start)

    apart = np.abs(_smoothed(trace, 0.6) - trace.position).max(axis=(1, 2))
    bend = np.abs(np.diff(trace.velocity[:, 0, 2])) > 1e-3
    joints = trace.position[1:, 0, 0][bend & (trace.position[1:, 0, 0] > start[0] + 0.1)]
    is_far = np.abs(trace.position[:, 0, :1] - joints).min(axis=1) > 0.6 + SPEED * DT
    assert len(joints) and is_far.sum() > 40
    assert apart[is_far].max() <= 1e-3


def test_backwards_the_path_is_the_same(up):
    forwards = _smoothed(up, 0.5)
    backwards = smooth_steps(up.position[::-1], up.support[::-1], 0.5)

    np.testing.assert_allclose(backwards[::-1], forwards, atol=1e-12)


def test_it_does_not_lag(up):
    """On the stairs the mean over whole steps lies on the middle line through the treads, up as well as down."""
    smooth = _smoothed(up, 0.6)[:, 0]
    inside = (smooth[:, 0] > 3) & (smooth[:, 0] < 4)
    exact = up.position[inside, 0, 2].mean()

    assert smooth[inside, 2].mean() == pytest.approx(exact, abs=0.02)


def test_the_same_walk_is_smoothed_the_same_to_the_bit(up):
    np.testing.assert_array_equal(_smoothed(up, 0.5), _smoothed(up, 0.5))


def test_no_distance_changes_nothing(up):
    np.testing.assert_array_equal(_smoothed(up, 0.0), up.position)


def test_where_the_walker_stands_or_flies_the_path_is_the_exact_one():
    """It stops on the stairs, jumps on the platform, and walks on."""
    level = [floor(), stairs(10, RISE, RUN)]
    trace = _walk(level, (0.5, IDLE), (0.8, AHEAD), (0.5, IDLE), (2.0, AHEAD), jump_at=3.0)
    smooth = _smoothed(trace, 0.6)

    still = np.abs(np.diff(trace.position[:, 0], axis=0)).max(axis=1) < 1e-9
    flies = trace.support[:, 0] != Support.GROUNDED
    assert still[70:90].any() and 1 < trace.position[85, 0, 2] < 2
    assert flies[150:].any()
    np.testing.assert_array_equal(smooth[1:][still], trace.position[1:][still])
    np.testing.assert_array_equal(smooth[flies], trace.position[flies])
    np.testing.assert_array_equal(smooth[[0, -1]], trace.position[[0, -1]])
    assert np.abs(smooth - trace.position).max() > 0.05


@pytest.mark.parametrize("hz", [30, 60, pytest.param(240, marks=pytest.mark.slow)])
def test_it_is_the_same_at_any_rate(hz):
    """Between places the path is straight: of a riser that lies within one step the place is known to that step."""
    level = [floor(), stairs(10, RISE, RUN)]
    trace, fine = (_walk(level, (0.1, IDLE), (1.8, AHEAD), hz=rate) for rate in (hz, 240))

    smooth, finest = (_smoothed(walk, 0.6)[:, 0] for walk in (trace, fine))
    inside = (smooth[:, 0] > 1) & (smooth[:, 0] < 6)
    expected = np.interp(smooth[inside, 0], finest[:, 0], finest[:, 2])
    np.testing.assert_allclose(smooth[inside, 2], expected, atol=RISE / RUN * SPEED / hz + 0.005)


def test_each_of_many_walkers_is_smoothed_alone():
    level = World.build([floor(), stairs(10, RISE, RUN)])
    starts = np.array([(0, 0, 0.03), (-1, 1, 0.03), (1, -2, 0.5), (50, 0, 9.0)])
    trace = simulate(level, WALKER, starts, rows((0.2, IDLE), (1.5, AHEAD)))

    together = _smoothed(trace, 0.5)

    for lane in range(4):
        alone = smooth_steps(trace.position[:, [lane]], trace.support[:, [lane]], 0.5)
        np.testing.assert_allclose(together[:, [lane]], alone, atol=1e-12)


def test_up_may_be_any_direction(up):
    turn = np.array([[0, 0, 1.0], [1, 0, 0], [0, 1, 0]])  # z to x

    turned = smooth_steps(up.position @ turn.T, up.support, 0.5, up=(1, 0, 0))

    np.testing.assert_allclose(turned, _smoothed(up, 0.5) @ turn.T, atol=1e-12)


@pytest.mark.parametrize("steps", [0, 1, 2])
def test_the_shortest_walks_stay(steps):
    trace = simulate(World.build([floor()]), WALKER, (0, 0, 0.03), Commands(np.tile(AHEAD, (steps, 1))))

    np.testing.assert_allclose(_smoothed(trace, 0.5), trace.position, atol=1e-9)


@pytest.mark.parametrize(
    ("shape", "distance", "most", "message"),
    [
        ((5, 1, 3), -0.1, 1.0, "distance"),
        ((5, 1, 3), math.nan, 1.0, "distance"),
        ((5, 1, 3), math.inf, 1.0, "distance"),
        ((5, 1, 3), 0.5, -1.0, "most"),
        ((5, 3), 0.5, 1.0, "position"),
        ((5, 2, 3), 0.5, 1.0, "support"),
    ],
)
def test_what_makes_no_path_is_refused(shape, distance, most, message):
    with pytest.raises(ValueError, match=message):
        smooth_steps(np.zeros(shape), np.zeros((5, 1)), distance, most=most)
