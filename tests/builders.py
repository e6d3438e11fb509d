"""Levels and walks for the tests, each drawn by its numbers: metres, degrees, Z up."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import oracle
from numpy.typing import ArrayLike, NDArray

from levelwalk.core import Commands, Settings, SlopeSpeed, Trace, TriMesh, World, simulate

Array = NDArray[np.float64]
Point = Sequence[float]

# The character that the engines were measured with; its jump leaves the ground at 5 m/s.
BASE = Settings(
    radius=0.3,
    height=1.8,
    skin_width=0.02,
    slope_limit=math.radians(45),
    step_offset=0.3,
    ground_snap=0.3,
    gravity=9.81,
    speed=4.0,
    jump_height=25 / (2 * 9.81),
    slope_speed=SlopeSpeed.PROJECTED,
)
HALF_FLOOR = 30.0


def floor(z: float = 0.0, half: float = HALF_FLOOR, name: str = "floor") -> TriMesh:
    """Return a square floor of two triangles about the z axis, facing up."""
    corners = [(-half, -half, z), (half, -half, z), (half, half, z), (-half, half, z)]
    return TriMesh(corners, [(0, 1, 2), (0, 2, 3)], name)


def prism(outline: Sequence[Point], low: float, high: float, name: str = "prism") -> TriMesh:
    """Return an upright solid over a convex outline [(x, y), ..], counter-clockwise seen from above."""
    flat = np.asarray(outline, float)
    count = len(flat)
    bottom = np.column_stack([flat, np.full(count, low)])
    top = np.column_stack([flat, np.full(count, high)])
    faces = [(0, i + 1, i) for i in range(1, count - 1)]
    faces += [(count, count + i, count + i + 1) for i in range(1, count - 1)]
    for i in range(count):
        j = (i + 1) % count
        faces += [(i, j, count + j), (i, count + j, count + i)]
    return TriMesh(np.concatenate([bottom, top]), faces, name)


def box(low: Point, high: Point, name: str = "box") -> TriMesh:
    """Return an upright box between two opposite corners."""
    (x0, y0, z0), (x1, y1, z1) = low, high
    return prism([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], z0, z1, name)


def wall(start: Point, end: Point, thickness: float = 0.3, height: float = 4.0, name: str = "wall") -> TriMesh:
    """Return a wall on the ground, whose front runs from `start` to `end`, (x, y); its body is on the left."""
    a, b = np.asarray(start, float), np.asarray(end, float)
    along = (b - a) / np.linalg.norm(b - a)
    left = thickness * np.array([-along[1], along[0]])
    return prism([a, b, b + left, a + left], 0.0, height, name)


def sheet(origin: Point, along: Point, across: Point, name: str = "sheet", mode: str = "FACES") -> TriMesh:
    """Return a parallelogram without thickness; it faces `along` x `across`."""
    o, u, v = (np.asarray(part, float) for part in (origin, along, across))
    return TriMesh([o, o + u, o + u + v, o + v], [(0, 1, 2), (0, 2, 3)], name, mode=mode)


def tessellated(
    origin: Point, along: Point, across: Point, size: float = 0.25, name: str = "sheet", mode: str = "FACES"
) -> TriMesh:
    """Return `sheet` in squares of `size`, each of two triangles."""
    o, u, v = (np.asarray(part, float) for part in (origin, along, across))
    columns, rows = round(float(np.linalg.norm(u)) / size), round(float(np.linalg.norm(v)) / size)
    i, j = np.meshgrid(np.arange(columns + 1), np.arange(rows + 1), indexing="ij")
    points = o + i.reshape(-1, 1) / columns * u + j.reshape(-1, 1) / rows * v
    a = (i * (rows + 1) + j)[:-1, :-1].ravel()
    b = a + rows + 1
    triangles = np.concatenate([np.column_stack([a, b, b + 1]), np.column_stack([a, b + 1, a + 1])])
    return TriMesh(points, triangles, name, mode=mode)


def extruded(profile: Sequence[Point], half_width: float = 5.0, name: str = "ramp") -> TriMesh:
    """Return a solid along y over a convex profile [(x, z), ..], counter-clockwise seen from -y."""
    flat = np.asarray(profile, float)
    count = len(flat)
    near = np.column_stack([flat[:, 0], np.full(count, -half_width), flat[:, 1]])
    far = near + np.array([0, 2 * half_width, 0])
    faces = [(0, i, i + 1) for i in range(1, count - 1)]
    faces += [(count, count + i + 1, count + i) for i in range(1, count - 1)]
    for i in range(count):
        j = (i + 1) % count
        faces += [(i, count + j, j), (i, count + i, count + j)]
    return TriMesh(np.concatenate([near, far]), faces, name)


def blocks(
    xs: Point, ys: Point, zs: Point, is_filled: Callable[[float, float, float], bool], name: str = "blocks"
) -> TriMesh:
    """Return the closed surface of those boxes between the lines of a grid whose middles `is_filled`."""
    lines = [np.asarray(line, float) for line in (xs, ys, zs)]
    middles = np.stack(np.meshgrid(*[(line[1:] + line[:-1]) / 2 for line in lines], indexing="ij"), axis=-1)
    filled = np.pad(np.apply_along_axis(lambda place: is_filled(*place), 3, middles), 1)
    number = np.arange(math.prod(len(line) for line in lines)).reshape([len(line) for line in lines])
    triangles = []
    for axis in range(3):
        right, ahead = np.eye(3, dtype=int)[[(axis + 1) % 3, (axis + 2) % 3]]
        for step in (-1, 1):
            is_open = filled & ~np.roll(filled, -step, axis=axis)
            corner = np.argwhere(is_open) - 1 + (step > 0) * np.eye(3, dtype=int)[axis]
            a, b, c, d = (number[tuple((corner + by).T)] for by in (0 * right, right, right + ahead, ahead))
            quads = np.stack([a, b, c, d] if step > 0 else [d, c, b, a], axis=1)
            triangles += [quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]]
    rows = np.concatenate(triangles)
    used = np.unique(rows)
    points = np.stack(np.meshgrid(*lines, indexing="ij"), axis=-1).reshape(-1, 3)
    return TriMesh(points[used], np.searchsorted(used, rows), name)


def room(has_window: bool = False) -> TriMesh:
    """Return a room 4 x 4 x 3 m with walls of 0.2 m and a door 0.9 x 2.0 m in the wall at x 0, as one surface."""

    def is_filled(x: float, y: float, z: float) -> bool:
        is_room = 0.2 < x < 3.8 and 0.2 < y < 3.8 and 0.2 < z < 2.8
        is_door = x < 0.2 and 1.5 < y < 2.4 and 0.2 < z < 2.2
        is_window = has_window and y < 0.2 and 1 < x < 2 and 1 < z < 2
        return not (is_room or is_door or is_window)

    return blocks([0, 0.2, 1, 2, 3.8, 4], [0, 0.2, 1.5, 2.4, 3.8, 4], [0, 0.2, 1, 2, 2.2, 2.8, 3], is_filled, "room")


def arch(segments: int, radius: float = 1.0, thickness: float = 0.5, width: float = 0.4) -> TriMesh:
    """Return half a ring over the x axis, in straight segments."""
    angle = np.pi * np.arange(segments + 1) / segments
    ring = np.column_stack([np.cos(angle), np.sin(angle)])
    flat = np.concatenate([ring * radius, ring * (radius + thickness)])
    rim = len(flat)
    points = [np.column_stack([flat[:, 0], np.full(rim, y), flat[:, 1]]) for y in (0.0, width)]
    quads = [(0, rim, rim + segments + 1, segments + 1)]
    quads += [(segments, 2 * segments + 1, 2 * segments + 1 + rim, segments + rim)]
    for i in range(segments):
        j = i + segments + 1
        quads += [(i, j, j + 1, i + 1), (i + rim, i + 1 + rim, j + 1 + rim, j + rim)]
        quads += [(i, i + 1, i + 1 + rim, i + rim), (j, j + rim, j + 1 + rim, j + 1)]
    triangles = [three for a, b, c, d in quads for three in ((a, b, c), (a, c, d))]
    return TriMesh(np.concatenate(points), triangles, "arch")


def ramp(angle: float, x: float = 2.0, length: float = 10.0, half_width: float = 5.0) -> TriMesh:
    """Return a solid ramp that rises along +x from `x`; `length` is measured along the slope, `angle` in degrees."""
    run, rise = length * math.cos(math.radians(angle)), length * math.sin(math.radians(angle))
    if run < 1e-9 * length:
        return box((x, -half_width, 0), (x + 1, half_width, rise), "ramp")
    return extruded([(x, 0), (x + run, 0), (x + run, rise)], half_width)


def ramp_down(angle: float, x: float = 2.0, length: float = 20.0, half_width: float = 5.0) -> list[TriMesh]:
    """Return a platform that ends at `x` and a ramp down from there to z 0, and the floor under both."""
    run, rise = length * math.cos(math.radians(angle)), length * math.sin(math.radians(angle))
    slope = extruded([(x, 0), (x + run, 0), (x, rise)], half_width)
    return [floor(), box((-8, -half_width, 0), (x, half_width, rise), "platform"), slope]


def stairs(count: int = 10, rise: float = 0.2, run: float = 0.3, x: float = 2.0, platform: float = 8.0) -> TriMesh:
    """Return stairs up along +x from `x` as one sheet of risers and treads; the last tread is the platform."""
    profile = [(x, 0.0)]
    for i in range(count):
        profile += [(x + i * run, (i + 1) * rise), (x + (i + 1) * run, (i + 1) * rise)]
    profile[-1] = (profile[-1][0] - run + platform, profile[-1][1])
    return _strip(profile)


def stairs_down(count: int = 10, rise: float = 0.2, run: float = 0.3, x: float = 2.0) -> TriMesh:
    """Return a platform from x -8 that ends at `x`, and stairs down from there to z 0, as one sheet."""
    profile = [(-8.0, count * rise), (x, count * rise)]
    for i in reversed(range(count)):
        profile += [(profile[-1][0], i * rise)]
        profile += [(profile[-1][0] + run, i * rise)] if i else []
    return _strip(profile)


def stair_boxes(count: int = 10, rise: float = 0.2, run: float = 0.3, x: float = 2.0) -> list[TriMesh]:
    """Return `stairs` as one box a step, each from the floor up, with the platform 8 m long behind."""
    ends = [x + (i + 1) * run for i in range(count - 1)] + [x + (count - 1) * run + 8]
    return [box((x + i * run, -4, 0), (ends[i], 4, (i + 1) * rise), f"step {i + 1}") for i in range(count)]


def _strip(profile: Sequence[Point], half_width: float = 4.0) -> TriMesh:
    flat = np.asarray(profile, float)
    right = np.column_stack([flat[:, 0], np.full(len(flat), -half_width), flat[:, 1]])
    a = np.arange(len(flat) - 1)
    b = a + len(flat)
    triangles = np.concatenate([np.column_stack([a, a + 1, b + 1]), np.column_stack([a, b + 1, b])])
    left = right + np.array([0, 2 * half_width, 0])
    return TriMesh(np.concatenate([right, left]), triangles, "stairs", mode="FACES")


def flipped(mesh: TriMesh) -> TriMesh:
    """Return the mesh with its faces turned round."""
    return TriMesh(mesh.vertices, mesh.triangles[:, ::-1], mesh.name, mode=mesh.mode, layer=mesh.layer)


def moved(mesh: TriMesh, by: Point = (0, 0, 0), turn: ArrayLike | None = None) -> TriMesh:
    """Return the mesh turned by the matrix `turn` (3, 3) about the origin, then moved."""
    vertices = mesh.vertices if turn is None else mesh.vertices @ np.asarray(turn, float).T
    return TriMesh(vertices + np.asarray(by, float), mesh.triangles, mesh.name, mode=mesh.mode, layer=mesh.layer)


def hull(points: ArrayLike, name: str = "hull") -> TriMesh:
    """Return the convex hull of a few points of which no four lie in a plane: every plane with all others behind it."""
    cloud = np.asarray(points, float)
    corners = np.array([(i, j, k) for i in range(len(cloud)) for j in range(i) for k in range(j)])
    a, b, c = (cloud[corners[:, i]] for i in range(3))
    normal = np.cross(b - a, c - a)
    ahead = np.einsum("tk,tvk->tv", normal, cloud[None] - a[:, None])
    np.put_along_axis(ahead, corners, 0.0, axis=1)
    is_outer, is_inner = (ahead <= 0).all(axis=1), (ahead >= 0).all(axis=1)
    triangles = np.concatenate([corners[is_outer], corners[is_inner][:, ::-1]])
    used = np.unique(triangles)
    return TriMesh(cloud[used], np.searchsorted(used, triangles), name)


def corners_of(meshes: Sequence[TriMesh]) -> Array:
    """Return the corners of all triangles, (t, 3, 3) m, for the oracle."""
    return np.concatenate([mesh.vertices[mesh.triangles] for mesh in meshes])


def rows(*parts: tuple[float, Point], hz: int = 60, jump_at: float | None = None) -> Commands:
    """Return commands from (seconds, wish) parts one after the other, with a jump pressed at a time, s."""
    move = np.concatenate([np.tile(np.asarray(wish, float), (round(seconds * hz), 1)) for seconds, wish in parts])
    jump = np.zeros(len(move), bool)
    if jump_at is not None:
        jump[round(jump_at * hz)] = True
    return Commands(move, jump)


def heading(degrees: float) -> tuple[float, float]:
    """Return the unit wish in a direction, counter-clockwise from +x."""
    return math.cos(math.radians(degrees)), math.sin(math.radians(degrees))


@dataclass(frozen=True, eq=False)
class Walk:
    """One walker's walk, from the end of its standing on: s steps, s + 1 rows."""

    settings: Settings
    trace: Trace
    skipped: int  # rows of the standing, left out below
    triangles: Array

    @property
    def position(self) -> Array:
        return np.asarray(self.trace.position[self.skipped :, 0])

    @property
    def velocity(self) -> Array:
        return np.asarray(self.trace.velocity[self.skipped :, 0])

    @property
    def support(self) -> NDArray[np.int8]:
        return np.asarray(self.trace.support[self.skipped :, 0])

    @property
    def strides(self) -> Array:
        """Length of each step, (s,) m."""
        return np.asarray(np.linalg.norm(np.diff(self.position, axis=0), axis=1))

    @cached_property
    def clearance(self) -> Array:
        """Gap between capsule and level in every row, standing included, by the oracle; cut at half a metre."""
        position = self.trace.position[:, 0]
        return oracle.gaps_nearby(position, self.settings.radius, self.settings.height, self.triangles, within=0.5)


def walk(
    level: Sequence[TriMesh],
    *parts: tuple[float, Point],
    settings: Settings = BASE,
    start: Point = (0.0, 0.0, 0.03),
    standing: float = 0.5,
    hz: int = 60,
    jump_at: float | None = None,
) -> Walk:
    """Stand, then walk (seconds, wish) parts through the level; `jump_at` counts from the end of the standing."""
    pressed = None if jump_at is None else standing + jump_at
    commands = rows((standing, (0.0, 0.0)), *parts, hz=hz, jump_at=pressed)
    trace = simulate(World.build(level), settings, start, commands, dt=1 / hz)
    return Walk(settings, trace, round(standing * hz), corners_of(level))


def playground() -> list[TriMesh]:
    """Return a floor with a ramp of 30 degrees, stairs, two walls that meet, and a low ceiling, all near the origin."""
    return [
        floor(),
        ramp(30, x=2, length=4, half_width=1),
        moved(stairs(5, x=2), by=(0, 5.5, 0)),
        box((-4, -6, 0), (-3.6, 6, 3), "west wall"),
        box((-4, -3, 0), (4, -2.6, 3), "south wall"),
        box((-3, 2, 2), (0, 5, 2.2), "ceiling"),
    ]
