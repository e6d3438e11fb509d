"""Walks over a rim that must not depend on rounding, in a real level."""

import numpy as np
import pytest

from levelwalk.core import Settings, TriMesh, World, simulate
from levelwalk.tools.route import find_starts, survey

pytestmark = pytest.mark.slow
SETTINGS = Settings()


def test_a_level_moved_by_a_hair_is_walked_in_the_same_way(read_real_level):
    """A walker crosses a roof's rim from stairs; in places a hundredth of a millimetre apart it must not be stopped."""
    mesh = read_real_level("pandora")
    world = World.build([mesh])
    starts = find_starts(world, SETTINGS, 40)
    commands = survey(world, SETTINGS, starts, 60, 1 / 60).commands
    lane = np.array([3])

    ends = []
    for hair in [np.zeros(3), *np.random.default_rng(5).uniform(-1e-5, 1e-5, (6, 3))]:
        moved = World.build([TriMesh(mesh.vertices + hair, mesh.triangles, "pandora")])
        trace = simulate(moved, SETTINGS, starts[lane], commands.of_lanes(lane), 1 / 60)
        ends.append(trace.position[-1, 0])
    assert np.ptp(ends, axis=0).max() < 1e-3
