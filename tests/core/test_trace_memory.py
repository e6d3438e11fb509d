"""What a walk of many walkers keeps: their states, and not all that was around them in each step."""

import tracemalloc

import numpy as np
import pytest
from builders import tessellated

from levelwalk.core import Commands, Settings, TriMesh, World, simulate

LANES = 200
KEPT = 2000  # bytes a walker and step: about 80 numbers of 8 bytes in a state, twice while they are stacked


def _peak(world, steps):
    random = np.random.default_rng(1)
    start = np.column_stack([random.uniform(-6, 6, (LANES, 2)), np.full(LANES, 0.5)])
    angle = random.uniform(0, 6.28, LANES)
    moves = np.tile(np.column_stack([np.cos(angle), np.sin(angle)]), (steps, 1, 1))
    tracemalloc.start()
    simulate(world, Settings(), start, Commands(moves))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


@pytest.mark.xfail(strict=True, reason="each state that simulate keeps holds what was gathered around its walkers")
def test_a_longer_walk_takes_little_more_memory():
    ground = tessellated((-20, -20, 0), (40, 0, 0), (0, 40, 0), size=0.5)
    hills = 0.3 * np.sin(ground.vertices[:, :1]) * np.sin(ground.vertices[:, 1:2]) * [0, 0, 1]
    world = World.build([TriMesh(ground.vertices + hills, ground.triangles, "hills", mode="FACES")])

    assert (_peak(world, 100) - _peak(world, 50)) / 50 / LANES < KEPT
