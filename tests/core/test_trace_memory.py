"""What a walk of many walkers keeps: their states, and not all that was around them in each step."""

import tracemalloc

import numpy as np
import pytest
from builders import tessellated

from levelwalk.core import Settings, TriMesh, World, simulate
from levelwalk.core.wander import wander

LANES, FIRST, LAST = 200, 50, 100
KEPT = 1500  # bytes a walker and step: a state has less than two hundred numbers of 8 bytes


@pytest.mark.slow
def test_a_longer_walk_takes_little_more_memory():
    ground = tessellated((-20, -20, 0), (40, 0, 0), (0, 40, 0), size=0.25)
    hills = 0.3 * np.sin(ground.vertices[:, :1]) * np.sin(ground.vertices[:, 1:2]) * [0, 0, 1]
    world = World.build([TriMesh(ground.vertices + hills, ground.triangles, "hills", mode="FACES")])
    start = np.column_stack([np.random.default_rng(1).uniform(-12, 12, (LANES, 2)), np.full(LANES, 0.5)])
    wish, held = wander(1, LANES), {}

    def measure(index, state):
        held[index] = tracemalloc.get_traced_memory()[0]
        return wish(index, state)

    tracemalloc.start()
    try:
        simulate(world, Settings(), start, measure, steps=LAST + 1)
    finally:
        tracemalloc.stop()
    assert (held[LAST] - held[FIRST]) / (LAST - FIRST) / LANES < KEPT
