"""Faults that users met with real meshes: seams under wide bodies, closed openings, mirrored, thin and hollow objects.

The numbers C32, C81, ... are those of the collection they were taken from; expected values follow from the geometry.
What one-sided and solid objects do is in test_sides.py and test_solids.py.
"""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from builders import box, extruded, flipped, floor, heading, moved, sheet, walk, wall
from scipy.spatial import ConvexHull
from takes import AHEAD, IDLE, held, take

from levelwalk.core import Command, EventKind, Settings, Support, TriMesh, World, simulate, spawn, step
from levelwalk.core.colliders.hull import convex_hull
from levelwalk.core.wander import wander

SKIN = 0.01
C0 = Settings(skin_width=SKIN, speed=4.0)


def joined(meshes, name="level", **options):
    """Return the meshes as one object."""
    counts = np.cumsum([0] + [len(mesh.vertices) for mesh in meshes[:-1]])
    triangles = [mesh.triangles + count for mesh, count in zip(meshes, counts, strict=True)]
    return TriMesh(np.concatenate([mesh.vertices for mesh in meshes]), np.concatenate(triangles), name, **options)


# Seams, walls and corners


@pytest.mark.parametrize("gravity", [9.81, 30.0])
def test_c32_a_body_over_three_tiles_keeps_its_height(gravity):
    """A radius of 0.6 m over boxes of 0.4 m: no step moves up or down."""
    tiles = [
        box((0.4 * i, 0.4 * j, -1), (0.4 * i + 0.4, 0.4 * j + 0.4, 0))
        for i, j in itertools.product(range(-5, 14), range(-5, 9))
    ]
    settings = replace(C0, radius=0.6, height=1.8, gravity=gravity)

    across = take(tiles, held(0.8, heading(27)), settings=settings)

    assert across.is_grounded.all()
    assert np.ptp(across.position[:, 2]) < 1e-6
    assert np.abs(across.velocity[:, 2]).max() < 1e-9
    np.testing.assert_allclose(across.strides * 60, 4, rtol=1e-6)


@pytest.mark.parametrize("degrees", [10, 45, 80])
def test_c36_along_a_wall_the_way_is_the_same_with_and_without_a_floor(degrees):
    side = wall((-5, 0.35), (20, 0.35))

    grounded = walk([side, floor()], (2, heading(degrees)), settings=C0, start=(0, 0, SKIN))
    floating = walk([side], (2, heading(degrees)), settings=replace(C0, gravity=0.0), start=(0, 0, SKIN))

    np.testing.assert_allclose(grounded.position[:, :2], floating.position[:, :2], atol=1e-5)


@pytest.mark.parametrize(("width", "passes"), [(0.60, False), (0.6199, False), (0.6201, True), (0.64, True)])
def test_c40_a_hall_lets_pass_from_the_width_of_the_body_and_its_skin_on(width, passes):
    """Twice the radius and the skin is 0.62 m; what is narrower is told."""
    half = width / 2
    hall = [box((1, half, 0), (6, 2, 3), "left"), box((1, -2, 0), (6, -half, 3), "right")]

    through = take([floor(), *hall], held(2, AHEAD), settings=C0)

    assert (through.position[-1, 0] > 6.5) == passes
    assert bool(through.events(EventKind.TOO_NARROW)) == (not passes)
    assert through.clearance.min() > 0


@pytest.mark.parametrize("opening", [60, 90])
@pytest.mark.parametrize("degrees", [-20, 0, 20])
def test_c42_held_into_a_corner_the_walker_stands_still(opening, degrees):
    half = math.radians(opening / 2)
    far = 5 * math.cos(half), 5 * math.sin(half)
    walls = [wall((3 - far[0], far[1]), (3, 0)), wall((3, 0), (3 - far[0], -far[1]))]

    rest = walk([floor(), *walls], (3, heading(degrees)), settings=C0)

    assert rest.position[-60:].var(axis=0).max() < 1e-10
    assert rest.position[-1, 0] == pytest.approx(3 - (0.3 + SKIN) / math.sin(half), abs=0.005)


@pytest.mark.slow
@pytest.mark.parametrize("skin", [0.001, 0.05])
def test_c34_c44_a_closed_room_is_never_left_whatever_the_skin(skin):
    """Sixty walkers for ten seconds each: ten minutes."""
    room = _shell(1.5, 0.1, 2.5)
    player = wander(seed=34, lanes=60, dt=1 / 60, turn_every=0.3, jump_every=0.5)

    trace = simulate(World.build(room), replace(C0, skin_width=skin), np.tile([0, 0, 0.06], (60, 1)), player, steps=600)

    assert (np.abs(trace.position[:, :, :2]) < 1.5 - 0.3).all()
    assert trace.position[:, :, 2].min() > 0
    assert trace.position[:, :, 2].max() < 2.5 - 1.8


def _shell(half, thick, high):
    """Return floor, ceiling and four walls of a closed square room as boxes."""
    out = half + thick
    return [
        box((-out, -out, -thick), (out, out, 0), "floor"),
        box((-out, -out, high), (out, out, high + thick), "ceiling"),
        box((-out, -out, 0), (-half, out, high), "west"),
        box((half, -out, 0), (out, out, high), "east"),
        box((-half, -out, 0), (half, -half, high), "south"),
        box((-half, half, 0), (half, out, high), "north"),
    ]


# What objects are


@pytest.mark.parametrize("mode", ["AUTO", "HULL", "PARTS", "PIECES", "FACES"])
@pytest.mark.parametrize("signs", [(-1, 1, 1), (1, -1, 1), (-1, -1, 1), (-1, -1, -1)], ids=str)
def test_c81_a_mirrored_wedge_is_walked_up_where_it_is(signs, mode):
    """A ramp of 30 degrees up along +x, mirrored with its winding left as it was, as a baked matrix leaves it."""
    ramp = extruded([(2, 0), (6, 0), (6, 4 * math.tan(math.radians(30)))], half_width=2)
    up = 0 if signs[2] > 0 else 4 * math.tan(math.radians(30))
    mirrored = TriMesh(ramp.vertices * signs + [0, 0, up], ramp.triangles, "wedge", mode=mode)
    if signs[2] < 0:  # upside down it leans over its foot
        assert walk([floor(), mirrored], (1, (signs[0], 0)), settings=C0).clearance.min() > 0
        return

    over = walk([floor(), mirrored], (1.2, (signs[0], 0)), settings=C0)

    c, s = math.cos(math.radians(30)), math.sin(math.radians(30))
    expected = (over.position[-1, 0] * signs[0] - 2) * s / c + (0.3 + SKIN) / c - 0.3  # as a ball lies on a slope
    assert over.position[-1, 2] == pytest.approx(expected, abs=1e-3)
    assert over.position[-1, 2] > 1
    assert (over.support == Support.GROUNDED).all()


def test_c83_the_rim_of_a_plane_stops_from_the_side():
    """A level sheet at the height of the waist, without thickness: its edge meets the upright side of the capsule."""
    table = sheet((2, -4, 1.0), (3, 0, 0), (0, 8, 0), "table")

    stopped = take([floor(), table], held(1, AHEAD), settings=C0)

    assert stopped.position[-1, 0] == pytest.approx(2 - 0.3 - SKIN, abs=1e-3)
    assert stopped.position[-1, 2] == pytest.approx(SKIN, abs=1e-4)


def _hollow_cube(mode, sides="BOTH"):
    """Return a cube of 6 m with a room of 5 m in it: an outer surface, and an inner one that faces the room."""
    outer, inner = box((-3, -3, 0), (3, 3, 6)), flipped(box((-2.5, -2.5, 0.5), (2.5, 2.5, 5.5)))
    return joined([outer, inner], "hollow cube", mode=mode, sides=sides)


@pytest.mark.parametrize(
    ("mode", "sides"),
    [
        ("AUTO", "BOTH"),
        ("AUTO", "FRONT"),
        ("AUTO", "SOLID"),
        ("FACES", "BOTH"),
        ("FACES", "FRONT"),
        ("FACES", "SOLID"),
        ("PIECES", "BOTH"),
        ("PIECES", "FRONT"),
        ("PIECES", "SOLID"),
    ],
)
def test_c84_the_room_in_a_hollow_cube_stays_open(mode, sides):
    """Its two surfaces are loose parts, each of them convex: neither may be taken for a block."""
    world = World.build([_hollow_cube(mode, sides)])

    inside = take(world, held(1, AHEAD), settings=C0, start=(0, 0, 0.52))

    assert not inside.events(EventKind.OVERLAP)
    np.testing.assert_allclose(inside.position[-1], (2.5 - 0.3 - SKIN, 0, 0.5 + SKIN), atol=1e-3)


@pytest.mark.parametrize(
    ("start", "end"),
    [((2.7, 0.4), (2.5 - 0.3 - SKIN, 0.4)), ((-0.3, -2.8), (-0.3, -3 - 0.3 - SKIN))],
    ids=["nearer to the room", "nearer to the outside"],
)
def test_c84_who_starts_in_the_wall_of_a_hollow_cube_is_pushed_out(start, end):
    """SOLID: the inner surface belongs to the outer one, and there is something only between them."""
    level = [floor(0.4), _hollow_cube("FACES", "SOLID")]

    out = take(level, held(0.5, IDLE), settings=C0, start=(*start, 0.52), standing=0)

    np.testing.assert_allclose(out.position[-1, :2], end, atol=2e-3)


@pytest.mark.parametrize("turns", [0.0, 0.3])
def test_c86_the_hull_of_a_cylinder_grown_by_a_ball_is_convex_and_outward(turns):
    """A cloud of 24 x 266 sums, most of them in common planes with many others."""
    angle = np.arange(12) * math.pi / 6
    ring = np.column_stack([np.cos(angle), np.sin(angle)])
    cylinder = np.concatenate([np.column_stack([ring, np.full(12, z)]) for z in (-1.0, 1.0)])
    polar, around = np.meshgrid(np.linspace(0, math.pi, 13), np.arange(24) * math.pi / 12, indexing="ij")
    ball = 0.4 * np.stack([np.sin(polar) * np.cos(around), np.sin(polar) * np.sin(around), np.cos(polar)], -1).reshape(
        -1, 3
    )
    c, s = math.cos(turns), math.sin(turns)
    cloud = (cylinder[:, None] + ball).reshape(-1, 3) @ np.array([[1, 0, 0], [0, c, -s], [0, s, c]])

    vertices, triangles = convex_hull(cloud)

    a, b, c = np.moveaxis(vertices[triangles], 1, 0)
    normal = np.cross(b - a, c - a)
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    assert (np.einsum("ij,ij->i", normal, a) > 0).all()  # the middle is behind every face
    assert (cloud @ normal.T - np.einsum("ij,ij->i", normal, a)).max() < 1e-6
    edges = np.sort(np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]), axis=1)
    assert len(vertices) - len(np.unique(edges, axis=0)) + len(triangles) == 2  # Euler's formula
    volume = np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6
    assert volume == pytest.approx(ConvexHull(cloud).volume, rel=1e-6)


def _house(**options):
    """Return a room of 4 x 4 m with walls of 0.2 m, a roof, and a door of 0.9 x 2.0 m in its west wall."""
    walls = [
        box((2, -2.2, 0), (2.2, -0.45, 2.5)),
        box((2, 0.45, 0), (2.2, 2.2, 2.5)),
        box((2, -0.45, 2.0), (2.2, 0.45, 2.5)),
        box((6.2, -2.2, 0), (6.4, 2.2, 2.5)),
        box((2.2, -2.2, 0), (6.2, -2.0, 2.5)),
        box((2.2, 2.0, 0), (6.2, 2.2, 2.5)),
        box((2, -2.2, 2.5), (6.4, 2.2, 2.7)),
    ]
    return joined(walls, "house", **options)


@pytest.mark.parametrize("options", [{}, {"mode": "FACES"}, {"mode": "FACES", "sides": "SOLID"}, {"mode": "PIECES"}])
def test_c87_a_house_is_entered_by_its_door(options):
    """Two metres through the door, and up to the far wall."""
    inside = take([floor(), _house(**options)], held(2, AHEAD), settings=C0)

    assert inside.position[-1, 0] == pytest.approx(6.2 - 0.3 - SKIN, abs=1e-3)
    assert inside.position[-1, 2] == pytest.approx(SKIN, abs=1e-4)


def test_c87_a_hull_over_a_house_closes_the_door():
    """That is what HULL is for; the report is to warn of it."""
    outside = take([floor(), _house(mode="HULL")], held(1, AHEAD), settings=C0)

    assert outside.position[-1, 0] == pytest.approx(2 - 0.3 - SKIN, abs=1e-3)


def test_c87_the_report_warns_of_a_hull_over_a_house():
    """The hull fills a room of 4 x 4 x 2.5 m and a door."""
    assert any(line.startswith("house: ") for line in World.build([_house(mode="HULL")]).report.lines())


@pytest.mark.parametrize("height", [0.1, 0.9, 1.2, 1.6, 1.79])
def test_c90_a_bar_stops_a_cast_at_any_height_of_the_capsule(height):
    """A thin bar across the way: the upright side meets it at the radius, the round ends nearer to the axis."""
    bar = box((2, -4, height - 1e-4), (2.1, 4, height + 1e-4))
    hit = World.build([bar]).cast(C0, (0, 0, 0), (4, 0, 0))

    off = max(0.3 - height, height - 1.5, 0)  # from the straight part of the axis
    assert hit.is_hit[0]
    assert hit.fraction[0] * 4 == pytest.approx(2 - math.sqrt(0.3**2 - off**2), abs=1e-3)


# Numbers


@pytest.mark.slow
@pytest.mark.parametrize("half", [1e3, 1e5, 1e6])
@pytest.mark.parametrize("is_tilted", [False, True])
def test_c91_on_a_huge_triangle_the_way_is_that_on_a_small_one(half, is_tilted):
    """A floor of two triangles, up to 2,000 km wide, under a wall of the usual size."""
    c, s = (math.cos(0.3), math.sin(0.3)) if is_tilted else (1.0, 0.0)
    turn = np.array([[c, 0, -s], [0, 1, 0], [s, 0, c]])
    side = moved(wall((-5, 1), (20, 1), height=9), (0, 0, -3))
    small, huge = (
        walk([moved(floor(half=size), turn=turn), side], (1.5, heading(30)), settings=C0, start=(0, 0, 0.1))
        for size in (30, half)
    )

    np.testing.assert_allclose(huge.position, small.position, atol=1e-6)


@pytest.mark.parametrize("far", [1e3, 1e5, 1e6])
def test_c91_far_from_the_origin_idle_stays_idle(far):
    """At rest on 30 degrees, the place does not move by a bit in five seconds."""
    by = np.array([far, -far, far])
    ramp = moved(extruded([(-8, 0), (8, 0), (8, 16 * math.tan(math.radians(30)))], 5), by)
    start = by + [0, 0, 8 * math.tan(math.radians(30)) + 0.1]

    rest = take([ramp], held(5, IDLE), settings=C0, start=start)

    assert rest.is_grounded.all()
    assert np.ptp(rest.position, axis=0).max() == 0


def _ball(radius, rings=64, sectors=128):
    t, p = np.meshgrid(np.linspace(0, math.pi, rings + 1), np.linspace(0, 2 * math.pi, sectors + 1)[:-1], indexing="ij")
    points = radius * np.stack([np.sin(t) * np.cos(p), np.sin(t) * np.sin(p), np.cos(t)], axis=-1).reshape(-1, 3)
    i, j = np.meshgrid(np.arange(rings), np.arange(sectors), indexing="ij")
    a, b = i * sectors + j, i * sectors + (j + 1) % sectors
    quads = np.stack([a, b, b + sectors, a + sectors], axis=-1).reshape(-1, 4)
    return TriMesh(points, np.concatenate([quads[:, :3], quads[:, [0, 2, 3]]]), "ball", mode="FACES")


def _frame(up):
    """Return the walker's level directions for `up` as world.step has them: the wish's x and y, (2, 3)."""
    x, y, z = up
    axis = np.array([-y, x, 0.0])  # z is turned about it to up, by the shortest way
    if z < -1 + 1e-9:
        turn = np.diag([1.0, -1, -1])
    else:
        cross = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
        turn = np.eye(3) + cross + cross @ cross / (1 + z)
    return turn[:, :2].T


@pytest.mark.slow
def test_c99_one_walks_all_round_the_inside_of_a_ball():
    """Up is to the middle of the ball, anew in each step: a full circle through both sides and the top."""
    radius, settings = 8.0, C0
    world = World.build([_ball(radius)])
    state = spawn(world, settings, (0, 0, -radius + 0.1))
    plane, turned, last = np.array([0.0, 1, 0]), 0.0, math.atan2(-1, 0)
    reach = []
    for _ in range(round(1.2 * 2 * math.pi * radius / 4 * 60)):
        up = -state.position[0] / np.linalg.norm(state.position[0])
        along = np.cross(up, plane)
        wish = _frame(up) @ along
        state = replace(state, near=None)  # what was gathered was for another up
        state = step(world, replace(settings, up=tuple(up)), state, Command(wish[None]), 1 / 60)
        angle = math.atan2(state.position[0, 2], state.position[0, 0])
        turned += (angle - last + math.pi) % (2 * math.pi) - math.pi
        last = angle
        reach.append((np.linalg.norm(state.position[0]), state.support[0]))
    distance, support = np.array(reach[30:]).T

    assert (support == Support.GROUNDED).all()
    assert abs(turned) > 2 * math.pi
    inside = radius * math.cos(math.pi / 64) ** 2  # of the flat faces' middles
    assert distance.min() > inside - SKIN - 0.06
    assert distance.max() < radius - SKIN + 1e-3
