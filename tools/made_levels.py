"""Levels made by a formula, for measurements: hills of any fineness, a plain floor, and crumbs on huge slabs."""

import math

import numpy as np
from numpy.typing import NDArray

from levelwalk.core import TriMesh

QUADS, QUAD = 512, 0.5  # of the terrain, along each side; m
SEED = 5
WAVES = 6
LENGTHS = (8.0, 60.0)  # m, of the shortest and the longest wave
RISE = 0.012  # height of a wave by its length: with six of them the steepest ground has less than 25 degrees
CRUMB, CRUMBS_WIDE = 0.02, 10.0  # m: size of a tiny triangle, and of the place where they lie


def terrain(quads: int = QUADS, size: float = QUAD, name: str = "terrain") -> TriMesh:
    """Return gentle hills about the origin: `quads` squares of `size` (m) along each side, of two triangles each."""
    places = (np.arange(quads + 1) - quads / 2) * size
    x, y = np.meshgrid(places, places, indexing="ij")
    vertices = np.stack([x, y, height_at(x, y)], axis=-1).reshape(-1, 3)
    return TriMesh(vertices, _squares(quads), name)


def plain(half: float = QUADS * QUAD / 2) -> TriMesh:
    """Return a level square of two triangles about the origin, as wide as the terrain."""
    return TriMesh([(-half, -half, 0), (half, -half, 0), (half, half, 0), (-half, half, 0)], [(0, 1, 2), (0, 2, 3)])


def crumbs(count: int, huge: int = 10) -> TriMesh:
    """Return few huge and many tiny triangles: `huge` of a kilometre over each other, `count` of two centimetres."""
    random = np.random.default_rng(SEED)
    slabs = np.array([(-500.0, -500, 0), (500, -500, 0), (0, 500, 0)]) - np.arange(huge)[:, None, None] * [0, 0, 5.0]
    tiny = random.uniform(-CRUMBS_WIDE, CRUMBS_WIDE, (count, 1, 3)) * [1, 1, 0.1] + [0, 0, CRUMBS_WIDE / 10]
    corners = np.concatenate([slabs, tiny + CRUMB * random.uniform(-1, 1, (count, 3, 3))]).reshape(-1, 3)
    return TriMesh(corners, np.arange(len(corners)).reshape(-1, 3), "crumbs", mode="FACES")


def height_at(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the height of the terrain, m: the sum of waves in directions drawn by chance, the long ones higher."""
    random = np.random.default_rng(SEED)
    height = np.zeros_like(x)
    for length in np.geomspace(*LENGTHS, WAVES):
        way, phase = random.uniform(0, 2 * math.pi, 2)
        height += RISE * length * np.sin(2 * math.pi * (x * math.cos(way) + y * math.sin(way)) / length + phase)
    return height


def _squares(quads: int) -> NDArray[np.int64]:
    a = (np.arange(quads)[:, None] * (quads + 1) + np.arange(quads)).ravel()
    b = a + quads + 1
    return np.concatenate([np.column_stack([a, b, b + 1]), np.column_stack([a, b + 1, a + 1])])
