"""Real levels by other people: 20 seeded wanderers, a minute each; nobody is ever inside, and nobody falls through."""

from dataclasses import dataclass
from functools import cached_property

import builders
import numpy as np
import oracle
import pytest

from levelwalk.core import EventKind, Settings, Support, Trace, TriMesh, World, simulate
from levelwalk.core.wander import wander

pytestmark = pytest.mark.slow
LANES, SECONDS, DT = 20, 60, 1 / 60
LEG = 5  # seconds after which those who have left the level over an edge are put back
SETTINGS = Settings()
TOUCHES = 1e-9  # m: rounding of a distance measured some 100 m from the origin


@dataclass(frozen=True, eq=False)
class Wandering:
    """The walk of all wanderers through one level, in legs, with the places where they were put."""

    mesh: TriMesh
    world: World
    starts: np.ndarray
    legs: list[Trace]

    @cached_property
    def triangles(self):
        """Corners of all triangles, (t, 3, 3)."""
        return builders.corners_of([self.mesh])

    def joined(self, name):
        """Return a field of all legs, one after the other."""
        return np.concatenate([getattr(leg, name) for leg in self.legs])


def _starts(mesh, world, random):
    """Return feet (k, 3) a hand's breadth over ground drawn by its area, where a walker fits."""
    triangles = builders.corners_of([mesh])
    normal = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    area = np.linalg.norm(normal, axis=1)
    is_level = normal[:, 2] > 0.9 * area
    drawn = random.choice(len(area), 800, p=np.where(is_level, area, 0) / area[is_level].sum())
    ground = np.einsum("nk,nkx->nx", random.dirichlet((1, 1, 1), 800), triangles[drawn])
    feet = ground + np.array([0, 0, 0.1])
    gaps = oracle.gaps_nearby(feet, SETTINGS.radius, SETTINGS.height, triangles, within=0.1)
    return feet[(gaps > SETTINGS.skin_width) & ~world.overlaps(SETTINGS, feet)]


def _walk(world, starts):
    """Walk in legs; a lane that has left the level starts its next leg at the next of `starts`."""
    waiting = iter(starts[LANES:])
    feet, legs = starts[:LANES].copy(), []
    for leg in range(SECONDS // LEG):
        player = wander(seed=leg, lanes=LANES, dt=DT)
        legs.append(simulate(world, SETTINGS, feet, player, steps=round(LEG / DT), dt=DT))
        feet = legs[-1].position[-1].copy()
        for lane in np.flatnonzero(feet[:, 2] < world.bounds[0, 2]):
            feet[lane] = next(waiting)
    return legs


@pytest.fixture(scope="module", params=["nav_test", "dungeon", "pandora"])
def wandering(request, read_real_level):
    mesh = read_real_level(request.param)
    world = World.build([mesh])
    starts = _starts(mesh, world, np.random.default_rng(4))
    return Wandering(mesh, world, starts, _walk(world, starts))


def test_every_number_is_finite(wandering):
    for name in ("position", "velocity", "ground_normal"):
        assert np.isfinite(wandering.joined(name)).all()


def test_no_step_leaves_the_capsule_inside_the_level(wandering):
    feet = wandering.joined("position").reshape(-1, 3)

    gaps = oracle.gaps_nearby(feet, SETTINGS.radius, SETTINGS.height, wandering.triangles, within=0.03)

    row, lane = np.divmod(int(gaps.argmin()), LANES)
    assert gaps.min() >= -TOUCHES, f"lane {lane} in row {row}, at {feet[gaps.argmin()].tolist()}"


def test_nobody_goes_through_a_surface(wandering):
    """Neither end nor the middle of the axis passes through a triangle: no floor is fallen through, no wall passed."""
    heights = [SETTINGS.radius, SETTINGS.height / 2, SETTINGS.height - SETTINGS.radius]
    points = [leg.position[:, :, None] + [[0, 0, height] for height in heights] for leg in wandering.legs]
    before = np.concatenate([point[:-1] for point in points])
    after = np.concatenate([point[1:] for point in points])

    passes = oracle.passes_through(before.reshape(-1, 3), after.reshape(-1, 3), wandering.triangles)

    row, lane, _ = np.nonzero(passes.reshape(before.shape[:3]))
    assert not len(row), f"lane {lane[0]} in row {row[0]}, at {before[row[0], lane[0]].tolist()}"


def test_who_is_below_the_level_has_left_it_over_an_edge(wandering):
    lowest = wandering.triangles[:, :, 2].min()
    for leg in wandering.legs:
        deepest = leg.position[:, :, 2].min(axis=0)
        left = leg.events.of(EventKind.LEFT_LEVEL).lane
        assert len(np.unique(left)) == len(left)
        assert set(np.flatnonzero(deepest < lowest - 2 * SETTINGS.height)) <= set(left.tolist())
        assert (deepest[left] < lowest).all()


def test_the_wanderers_get_about_and_mostly_stand_on_ground(wandering):
    strides = [np.linalg.norm(np.diff(leg.position[:, :, :2], axis=0), axis=2) for leg in wandering.legs]

    assert np.median(sum(stride.sum(axis=0) for stride in strides)) > 60  # of 240 m at full speed
    assert (wandering.joined("support") == Support.GROUNDED).mean() > 0.3


def test_nobody_on_the_ground_is_faster_than_asked(wandering):
    for leg in wandering.legs:
        strides = np.linalg.norm(np.diff(leg.position[:, :, :2], axis=0), axis=2)
        is_grounded = leg.support == Support.GROUNDED
        on_ground = is_grounded[1:] & is_grounded[:-1]
        assert strides[on_ground].max(initial=0) <= SETTINGS.speed * DT * (1 + 1e-6)


def test_the_same_walk_again_is_equal_to_the_bit(wandering):
    again = _walk(World.build([wandering.mesh]), wandering.starts)

    for name in ("position", "velocity", "support", "ground_normal", "ground_object"):
        for leg, same in zip(wandering.legs, again, strict=True):
            np.testing.assert_array_equal(getattr(same, name), getattr(leg, name))
            assert list(same.events) == list(leg.events)
