"""Convex pieces of meshes that are stored in single precision, far from the origin: coarse, but never endless."""

import tracemalloc

import numpy as np
import pytest
from builders import room

from levelwalk.core import TriMesh
from levelwalk.core.colliders.cells import Cell
from levelwalk.core.colliders.colliders import build_colliders


def far_room(seed, distance):
    """Return a room turned and moved away, as single precision stores it."""
    random = np.random.default_rng(seed)
    turn, _ = np.linalg.qr(random.normal(size=(3, 3)))
    by = random.normal(size=3)
    by *= distance / max(np.linalg.norm(by), 1e-300)
    if np.linalg.det(turn) < 0:
        turn[:, 0] *= -1
    given = room()
    return TriMesh((given.vertices @ turn.T + by).astype(np.float32).astype(float), given.triangles, mode="PIECES")


@pytest.mark.parametrize("seed", [1, 2])
def test_a_far_room_takes_little_memory_and_is_not_lost(seed):
    tracemalloc.start()

    colliders, report = build_colliders([far_room(seed, 1000)])

    assert tracemalloc.get_traced_memory()[1] < 100e6
    tracemalloc.stop()
    assert len(colliders) and (report.objects[0].hulls or report.objects[0].findings)


def test_a_cell_of_many_sides_is_fine():
    """A round cell of 400 sides: a prism of f - 2 sides has 2 f - 4 corners."""
    cell = Cell.box(0.6)
    for angle in np.linspace(0, 2 * np.pi, 401)[:-1]:
        _, cell = cell.split(np.array([np.cos(angle), np.sin(angle), 0.0]), 0.5, 1e-6)

    assert len(cell.points) == 800 and cell.is_on.shape[1] == 402
