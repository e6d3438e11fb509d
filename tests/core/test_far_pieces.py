"""Convex pieces of meshes that are stored in single precision, far from the origin: coarse, but never endless."""

import tracemalloc

import numpy as np
import pytest
from builders import room

from levelwalk.core import Settings, TriMesh, World
from levelwalk.core.colliders.cells import Cell
from levelwalk.core.colliders.colliders import build_colliders


def far_room(seed, distance):
    """Return a room turned and moved away, as single precision stores it."""
    turn, by = _place(seed, distance)
    given = room()
    return TriMesh((given.vertices @ turn.T + by).astype(np.float32).astype(float), given.triangles, mode="PIECES")


def _place(seed, distance):
    random = np.random.default_rng(seed)
    turn, _ = np.linalg.qr(random.normal(size=(3, 3)))
    by = random.normal(size=3)
    by *= distance / max(np.linalg.norm(by), 1e-300)
    if np.linalg.det(turn) < 0:
        turn[:, 0] *= -1
    return turn, by


def volume(vertices, triangles):
    a, b, c = np.moveaxis((vertices - vertices.mean(axis=0))[triangles], 1, 0)
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


@pytest.mark.parametrize("distance", [1e5, 1e6, 1e8])
@pytest.mark.parametrize("seed", [1, 2])
def test_a_room_without_shape_is_never_filled(seed, distance):
    """Too far away to be cut: what there is of it is no more than its surface and what its rounding may enclose."""
    mesh = far_room(seed, distance)
    low, high = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)

    colliders, report = build_colliders([mesh])

    entry = report.objects[0]
    assert entry.hulls == 0 or volume(colliders.vertices, colliders.triangles) < np.prod(high - low) / 2
    assert entry.hulls or entry.findings


@pytest.mark.parametrize("seed", [1, 2])
def test_a_far_room_takes_little_memory_and_is_not_lost(seed):
    tracemalloc.start()

    colliders, report = build_colliders([far_room(seed, 1000)])

    assert tracemalloc.get_traced_memory()[1] < 100e6
    tracemalloc.stop()
    assert len(colliders) and (report.objects[0].hulls or report.objects[0].findings)


@pytest.mark.parametrize("distance", [10, 100, 1000, 10_000])
@pytest.mark.parametrize("seed", range(1, 9))
def test_a_far_room_is_cut_into_as_few_pieces_as_a_near_one(seed, distance):
    """Sides that are flat but for the rounding of their corners: at most 1 mm of 4 m."""
    mesh = far_room(seed, distance)

    colliders, report = build_colliders([mesh])

    entry = report.objects[0]
    assert 8 <= entry.hulls <= 10 and entry.faces == 0 and not entry.findings
    step = float(np.spacing(np.float32(distance)))
    surface = 80 + 63.4  # m2 outside and inside, the door not taken off
    expected = volume(room().vertices, room().triangles)
    assert abs(volume(colliders.vertices, colliders.triangles) - expected) <= 2 * step * surface


def test_a_cell_of_many_sides_is_fine():
    """A round cell of 400 sides: a prism of f - 2 sides has 2 f - 4 corners."""
    cell = Cell.box(0.6)
    for angle in np.linspace(0, 2 * np.pi, 401)[:-1]:
        _, cell = cell.split(np.array([np.cos(angle), np.sin(angle), 0.0]), 0.5, 1e-6)

    assert len(cell.points) == 800 and cell.is_on.shape[1] == 402


@pytest.mark.parametrize("distance", [0, 10, 100, 1000])
@pytest.mark.parametrize("seed", range(4))
def test_who_is_in_the_wall_of_a_far_room_is_told_so(seed, distance):
    """Hulls of rounded corners have needles, which face anywhere: they must not tell that a point is outside."""
    turn, by = _place(seed, distance)
    world = World.build([far_room(seed, distance)])
    speck = Settings(radius=0.02, height=0.05, skin_width=0.002, up=tuple(turn[:, 2]))
    random = np.random.default_rng(seed)
    middle = random.uniform(0.1, (3.9, 3.9, 2.9), (40, 3))  # in the middle of a wall, of the floor, or of the ceiling
    row, axis = np.arange(40), np.arange(40) % 3
    middle[row, axis] = np.where(row % 2, 0.1, np.array([3.9, 3.9, 2.9])[axis])
    is_wall = ~((middle[:, 0] < 0.2) & (middle[:, 1] > 1.4) & (middle[:, 1] < 2.5) & (middle[:, 2] < 2.3))  # no door

    feet = middle[is_wall] @ turn.T + by - 0.025 * turn[:, 2]
    assert world.overlaps(speck, feet).all()
