"""Colliders of every shape, and capsules beside them, drawn by chance from a seed."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import builders
import numpy as np
import oracle
from numpy.typing import NDArray

from levelwalk.core import ColliderMode, Settings, TriMesh

Array = NDArray[np.float64]
Random = np.random.Generator


def turn(random: Random) -> Array:
    """Return a rotation (3, 3) drawn evenly from all."""
    square, upper = np.linalg.qr(random.normal(size=(3, 3)))
    square *= np.sign(np.diag(upper))
    if np.linalg.det(square) < 0:
        square[:, 0] *= -1
    return np.asarray(square)


def directions(random: Random, count: int) -> Array:
    """Return unit vectors (count, 3) drawn evenly from all."""
    ways = random.normal(size=(count, 3))
    return np.asarray(ways / np.linalg.norm(ways, axis=1)[:, None])


def _hull(random: Random) -> TriMesh:
    return builders.hull(directions(random, 12) * random.uniform(0.3, 1.5, (12, 1)), "random hull")


def _upright_box(random: Random) -> TriMesh:
    half = random.uniform(0.2, 1.5, 3)
    return builders.box(-half, half, "upright box")


def _turned_box(random: Random) -> TriMesh:
    return builders.moved(_upright_box(random), turn=turn(random))


def _prism(random: Random) -> TriMesh:
    count = int(random.integers(3, 9))
    angles = np.sort((np.arange(count) + random.uniform(0, 0.8, count)) * 2 * math.pi / count)
    size = random.uniform(0.4, 1.5)
    outline = np.column_stack([size * np.cos(angles), size * np.sin(angles)])
    upright = builders.prism(outline, -random.uniform(0.1, 1), random.uniform(0.1, 1))
    return builders.moved(upright, turn=turn(random)) if random.random() < 0.5 else upright


def _slab(random: Random) -> TriMesh:
    half = np.array([random.uniform(1, 2), random.uniform(1, 2), random.uniform(0.001, 0.02)])
    slab = builders.box(-half, half, "flat slab")
    return builders.moved(slab, turn=turn(random)) if random.random() < 0.7 else slab


def _triangle(random: Random) -> TriMesh:
    return TriMesh(random.uniform(-1.2, 1.2, (3, 3)), [(0, 1, 2)], "triangle", mode="FACES")


def _needle(random: Random) -> TriMesh:
    points = np.array([[-1.0, 0, 0], [1, 0, 0], [random.uniform(-1, 1), random.uniform(0.005, 0.05), 0]])
    return TriMesh(points @ turn(random).T, [(0, 1, 2)], "needle", mode="FACES")


def _upright_triangle(random: Random) -> TriMesh:
    outline = random.uniform(-1.2, 1.2, (3, 2))
    along = builders.heading(random.uniform(0, 360))
    points = outline[:, :1] * [*along, 0] + outline[:, 1:] * [0, 0, 1]
    return TriMesh(points, [(0, 1, 2)], "upright triangle", mode="FACES")


def _hills(random: Random) -> TriMesh:
    flat = builders.tessellated((-1.2, -1.2, 0), (2.4, 0, 0), (0, 2.4, 0), size=0.8, name="hills")
    heights = random.uniform(-0.4, 0.4, (len(flat.vertices), 1)) * [0, 0, 1]
    return builders.moved(TriMesh(flat.vertices + heights, flat.triangles, "hills", mode="FACES"), turn=turn(random))


def _tiles(random: Random) -> TriMesh:
    tiles = builders.tessellated((-1.2, -1.2, 0), (2.4, 0, 0), (0, 2.4, 0), size=0.8, name="tiles")
    return builders.moved(tiles, turn=turn(random)) if random.random() < 0.7 else tiles


def _steps(random: Random) -> TriMesh:
    stairs = builders.stairs(3, rise=random.uniform(0.1, 0.5), run=random.uniform(0.2, 0.6), x=-1, platform=1)
    return builders.moved(stairs, turn=turn(random)) if random.random() < 0.5 else stairs


def _open_hull(random: Random) -> TriMesh:
    closed = _hull(random)
    return TriMesh(closed.vertices, closed.triangles[::2], "loose faces", mode="FACES")


HULLS: dict[str, Callable[[Random], TriMesh]] = {
    "random hull": _hull,
    "upright box": _upright_box,
    "turned box": _turned_box,
    "prism": _prism,
    "flat slab": _slab,
}
FACES: dict[str, Callable[[Random], TriMesh]] = {
    "triangle": _triangle,
    "upright triangle": _upright_triangle,
    "needle": _needle,
    "hills": _hills,
    "tiles": _tiles,
    "stairs": _steps,
    "loose faces": _open_hull,
}
SHAPES = HULLS | FACES


def capsule(random: Random, is_tilted: bool = False) -> Settings:
    """Return a character of random size; one in four is a ball. Tilted, its up direction is random too."""
    radius = random.uniform(0.1, 0.6)
    height = 2 * radius * (1 if random.random() < 0.25 else random.uniform(1, 4))
    up = tuple(directions(random, 1)[0]) if is_tilted else (0.0, 0.0, 1.0)
    return Settings(radius=radius, height=height, skin_width=0.01, up=up)


@dataclass(frozen=True, eq=False)
class Scene:
    """One collider and a capsule, with what the oracle needs to measure between them."""

    mesh: TriMesh
    settings: Settings

    @property
    def triangles(self) -> Array:
        return builders.corners_of([self.mesh])

    def gaps(self, feet: Array) -> Array:
        """Return the gap between capsules and the collider, (n,) m; a hull counts as solid."""
        size = self.settings.radius, self.settings.height
        if self.mesh.mode is ColliderMode.FACES:
            return oracle.gaps(feet, *size, self.triangles, self.settings.up)
        return oracle.hull_gaps(feet, *size, self.mesh.vertices, self.triangles, self.settings.up)

    def cast(self, feet: Array, way: Array) -> oracle.Touch:
        size = self.settings.radius, self.settings.height
        return oracle.cast(feet, way, *size, self.triangles, self.settings.up)

    def away(self, feet: Array) -> Array:
        """Return the unit directions (n, 3) from the collider's nearest points to the capsules' axes."""
        low, high = oracle.axis(feet, self.settings.radius, self.settings.height, self.settings.up)
        lanes = np.repeat(np.arange(len(feet)), len(self.triangles))
        triangles = np.tile(self.triangles, (len(feet), 1, 1))
        apart = oracle.separation(low[lanes], high[lanes], triangles).reshape(len(feet), -1, 3)
        length = np.linalg.norm(apart, axis=2)
        nearest = np.argmin(length, axis=1)
        rows = np.arange(len(feet))
        return np.asarray(apart[rows, nearest] / length[rows, nearest, None])

    def around(self, random: Random, count: int, reach: float = 3.0) -> Array:
        """Return feet (count, 3) of capsules whose centres lie about the collider."""
        centres = directions(random, count) * random.uniform(0, reach, (count, 1))
        return np.asarray(centres - self.settings.height / 2 * np.asarray(self.settings.up))

    def touching(self, random: Random, count: int) -> Array:
        """Return feet (at most count, 3) of capsules that touch the collider and come from all sides."""
        feet = self.around(random, 2 * count, 6.0)
        feet = feet[self.gaps(feet) > 0.01]
        target = self.mesh.vertices[random.integers(0, len(self.mesh.vertices), len(feet))] * 0.9
        way = target - (feet + self.settings.height / 2 * np.asarray(self.settings.up))
        touch = self.cast(feet, way)
        touches = touch.fraction < 1
        return np.asarray((feet + touch.fraction[:, None] * way)[touches][:count])


def scene(kind: str, random: Random) -> Scene:
    """Return a random collider of one kind with a random capsule; one capsule in three has another up direction."""
    return Scene(SHAPES[kind](random), capsule(random, is_tilted=random.random() < 1 / 3))
