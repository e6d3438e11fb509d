"""How far a hull stands out from its mesh, and which openings it closes: told, and true."""

import math

import builders
import numpy as np
import pytest
import scipy.spatial
import trimesh
from builders import arch, blocks, box, moved, room

from levelwalk.core import TriMesh
from levelwalk.core.colliders.colliders import build_colliders
from levelwalk.core.colliders.findings import FindingKind
from levelwalk.core.colliders.hull import convex_hull

L_SHAPE = builders.extruded([(1, 1), (1, 2), (0, 2), (0, 0), (4, 0), (4, 1)], 1.0, "bench")


def entry_of(mesh, mode="HULL"):
    return build_colliders([TriMesh(mesh.vertices, mesh.triangles, mesh.name, mode=mode)])[1].objects[0]


def split(mesh):
    return TriMesh(mesh.vertices[mesh.triangles].reshape(-1, 3), np.arange(mesh.triangles.size).reshape(-1, 3))


def of(made, name="thing"):
    return TriMesh(np.asarray(made.vertices), np.asarray(made.faces), name)


def together(*meshes, name="joined"):
    begins = np.cumsum([0, *(len(mesh.vertices) for mesh in meshes)])
    triangles = [mesh.triangles + begin for mesh, begin in zip(meshes, begins, strict=False)]
    return TriMesh(np.concatenate([mesh.vertices for mesh in meshes]), np.concatenate(triangles), name)


def wall(depth):
    """Return a block 4 x 1 x 3 m with a notch 1 m wide and high, `depth` deep, in its front."""
    return blocks(
        [0, 1, 2, 4], [0, depth, 1], [0, 1, 2, 3], lambda x, y, z: not (1 < x < 2 and y < depth and 1 < z < 2)
    )


def room_in_small_triangles():
    """Return a room with a door 0.9 m wide and a window 1 m wide, each of its triangles in 16."""
    mesh = room(has_window=True)
    made = trimesh.Trimesh(mesh.vertices, mesh.triangles, process=False)
    return of(made.subdivide().subdivide(), "room")


@pytest.mark.parametrize(
    ("mesh", "error", "openings"),
    [
        pytest.param(room(), 0.45, 1, id="a door 0.9 m wide"),
        pytest.param(moved(room(), (7, 8, 9), np.linalg.qr(np.random.default_rng(0).normal(size=(3, 3)))[0]), 0.45, 1),
        pytest.param(room(has_window=True), 0.5, 2, id="a door and a window 1 m wide"),
        # The slant from (1, 2) to (4, 1) is furthest from the corner at (1, 1) where it is as far from both sides.
        pytest.param(L_SHAPE, 0.75, 1, id="a step"),
        pytest.param(arch(8), 1.0, 1, id="an arch of radius 1 m"),
        pytest.param(wall(0.3), 0.3, 1, id="a notch 0.3 m deep"),
        pytest.param(together(box((0, 0, 0), (1, 1, 1)), box((3, 0, 0), (4, 1, 1))), 1.0, 1, id="two boxes apart"),
        # The sides of the hull have as much area as all triangles in them, and yet a gap from 3.5 to 5.5 m.
        pytest.param(
            together(*[box((x, 0, 0), (end, 1, 1)) for x, end in ((0, 3), (1, 3.5), (5.5, 6))]),
            1.0,
            1,
            id="boxes overlap",
        ),
        pytest.param(room_in_small_triangles(), 0.5, 2, id="a room in small triangles"),
    ],
)
def test_tells_how_far_a_hull_stands_out_and_what_it_closes(mesh, error, openings):
    size = np.ptp(mesh.vertices, axis=0).max()

    entry = entry_of(mesh)

    assert entry.hulls == 1
    assert 0.9 * error - 0.02 * size <= entry.hull_error <= error + 1e-9
    assert entry.closed_openings == openings
    (finding,) = entry.findings
    assert finding.kind is FindingKind.CLOSED and finding.count == openings
    what = "an opening" if openings == 1 else f"{openings} openings"
    words = (
        f"its hull stands out by up to {entry.hull_error:.2f} m and closes {what}; choose “Convex Pieces” or “Faces”"
    )
    assert entry.lines() == [f"{mesh.name}: {words}"]
    found = trimesh.proximity.closest_point_naive(
        trimesh.Trimesh(mesh.vertices, mesh.triangles, process=False), [finding.place]
    )[1]
    assert found[0] == pytest.approx(entry.hull_error, abs=1e-9)


@pytest.mark.parametrize(
    "mesh",
    [
        pytest.param(box((0, 0, 0), (1, 2, 3)), id="a box"),
        pytest.param(split(box((0, 0, 0), (1, 2, 3))), id="a box with split normals"),
        pytest.param(split(of(trimesh.creation.cylinder(1, 2, sections=64))), id="a cylinder"),
        pytest.param(of(trimesh.creation.icosphere(subdivisions=4)), id="a ball"),
        pytest.param(TriMesh(box((0, 0, 0), (1, 2, 3)).vertices, box((0, 0, 0), (1, 2, 3)).triangles[::-1])),
        pytest.param(together(box((0, 0, 0), (1, 1, 1)), box((1, 0, 0), (2, 1, 1))), id="two boxes side by side"),
        pytest.param(wall(0.19), id="a notch of less than 5 % of the size"),
    ],
)
@pytest.mark.parametrize("mode", ["HULL", "PARTS"])
def test_tells_nothing_of_what_is_as_good_as_convex(mesh, mode):
    entry = entry_of(mesh, mode)

    assert entry.closed_openings == 0 and entry.lines() == []
    assert entry.hull_error < 0.2


def test_a_shell_without_a_side_is_open():
    """A box 2 m wide without its top: the middle of the top is 1 m from the walls."""
    cup = box((0, 0, 0), (2, 2, 2))
    top = (cup.vertices[cup.triangles][:, :, 2] == 2).all(axis=1)

    entry = entry_of(TriMesh(cup.vertices, cup.triangles[~top], "cup"))

    assert entry.closed_openings == 1
    assert 0.86 <= entry.hull_error <= 1.0 + 1e-9


def test_parts_are_measured_each_alone():
    both = together(L_SHAPE, moved(L_SHAPE, (0, 9, 0)), box((9, 0, 0), (10, 1, 1)), name="yard")

    entry = entry_of(both, "PARTS")

    assert entry.hulls == 3 and entry.closed_openings == 2
    assert 0.6 <= entry.hull_error <= 0.75 + 1e-9
    assert entry.lines()[0].startswith("yard: its hulls stand out by up to 0.7")
    assert "and close 2 openings" in entry.lines()[0]


def test_what_is_told_of_a_mesh_does_not_depend_on_its_neighbours():
    """A mesh of some hundred triangles beside many others, as after a build of all, and alone, as after an edit."""
    windows = room(has_window=True)
    alone = entry_of(windows)
    asked = [TriMesh(mesh.vertices, mesh.triangles, mesh.name, mode="HULL") for mesh in (windows, *[arch(8)] * 20)]

    among = build_colliders(asked)[1].objects[0]

    assert among == alone
    assert among.closed_openings == 2


@pytest.mark.parametrize("mode", ["AUTO", "PIECES", "FACES"])
def test_what_is_exact_has_no_error(mode):
    entry = entry_of(room(), mode)

    assert entry.hull_error == 0 and entry.closed_openings == 0


def test_the_error_is_that_of_brute_force():
    """Rough balls with craters, against points all over the hull and every triangle."""
    for seed in range(3):
        random = np.random.default_rng(seed)
        ball = trimesh.creation.icosphere(subdivisions=2)
        points = np.asarray(ball.vertices) * (1 - 0.5 * (random.random(len(ball.vertices)) < 0.1))[:, None]
        mesh = TriMesh(points, np.asarray(ball.faces), "moon")
        hull = trimesh.Trimesh(*convex_hull(points), process=False)
        places, _ = trimesh.sample.sample_surface_even(hull, 800, seed=seed)
        surface = trimesh.Trimesh(points, ball.faces, process=False)
        expected = trimesh.proximity.closest_point_naive(surface, places)[1].max()

        entry = entry_of(mesh)

        assert entry.hull_error >= 0.9 * expected - 0.02 * 2
        assert entry.hull_error <= 1.1 * expected + 0.05  # the places are 0.1 m apart
    assert math.isfinite(expected)


def bowl(sections):
    """Return half a hollow ball, open above, of radius 1 m and with a wall of 0.1 m."""
    angle = np.linspace(-np.pi / 2, 0, 7)
    ring = np.column_stack([np.cos(angle), np.sin(angle)])
    return of(trimesh.creation.revolve(np.concatenate([ring, 0.9 * ring[::-1]]).round(12), sections=sections), "bowl")


def table():
    """Return a board 2 x 1 m on four legs 0.7 m long."""
    legs = [box((x, y, 0), (x + 0.1, y + 0.1, 0.7)) for x in (0, 1.9) for y in (0, 0.9)]
    return together(*legs, box((0, 0, 0.7), (2, 1, 0.8)), name="table")


def fence():
    """Return seven posts 0.1 m wide and 0.35 m apart, on two rails."""
    posts = [box((0.45 * i, 0, 0), (0.45 * i + 0.1, 0.1, 1.2)) for i in range(7)]
    return together(*posts, *[box((0, 0.1, z), (2.8, 0.15, z + 0.1)) for z in (0.3, 0.9)], name="fence")


def stairs():
    return blocks(np.arange(9) * 0.3, [0, 1.2], np.arange(9) * 0.2, lambda x, y, z: z / 0.2 < x / 0.3)


def dented(subdivisions):
    """Return a box 1 x 1.5 x 2 m in small triangles, with a dent 0.3 m deep in a corner and on a side."""
    made = trimesh.creation.box((1, 1.5, 2))
    for _ in range(subdivisions):
        made = made.subdivide()
    points = np.asarray(made.vertices)
    for middle in (np.array([0.5, 0.75, 1]), np.array([0, 0.75, 0])):
        apart = np.linalg.norm(points - middle, axis=1)[:, None]
        points = points - np.maximum(0.5 - apart, 0) * 0.6 * middle / np.linalg.norm(middle)
    return TriMesh(points, np.asarray(made.faces), "crate")


def rock(subdivisions):
    ball = trimesh.creation.icosphere(subdivisions=subdivisions)
    points = np.asarray(ball.vertices)
    waves = np.sin(points @ np.random.default_rng(2).normal(size=(3, 6)) * 2).sum(axis=1)[:, None]
    return TriMesh(points * (1 + 0.1 * waves), np.asarray(ball.faces), "rock")


def dense_points(corners, spacing):
    """Return points all over triangles (f, 3, 3): each place of these is within `spacing` of one of the points."""
    longest = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max(axis=1)
    counts = np.ceil(longest / spacing).astype(int)
    found = []
    for count in np.unique(counts):
        share = np.array([(i, j, count - i - j) for i in range(count + 1) for j in range(count + 1 - i)]) / count
        found.append(np.einsum("sc,fcx->fsx", share, corners[counts == count]).reshape(-1, 3))
    return np.concatenate(found)


def furthest_of(points, corners, spacing):
    """Return how far the furthest of some points is from triangles: a tree finds which these may be."""
    apart, _ = scipy.spatial.cKDTree(dense_points(corners, spacing)).query(points)
    surface = trimesh.Trimesh(corners.reshape(-1, 3), np.arange(3 * len(corners)).reshape(-1, 3), process=False)
    return trimesh.proximity.closest_point_naive(surface, points[apart >= apart.max() - spacing])[1].max()


@pytest.mark.parametrize(
    "mesh",
    [
        pytest.param(table(), id="a table"),
        pytest.param(moved(table(), (5000, 2, 0), np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))[0])),
        pytest.param(fence(), id="a fence"),
        pytest.param(stairs(), id="stairs"),
        pytest.param(arch(12), id="an arch"),
        pytest.param(split(arch(5)), id="an arch with split normals"),
        pytest.param(bowl(16), id="a bowl"),
        pytest.param(dented(3), id="a dented crate"),
        pytest.param(rock(2), id="a rock"),
        pytest.param(rock(3), id="a rock in small triangles"),
        pytest.param(of(trimesh.creation.torus(1, 0.2, 24, 12)), id="a ring"),
        pytest.param(builders.flipped(room(has_window=True)), id="a room inside out"),
    ],
)
def test_no_point_of_the_hull_is_further_than_told(mesh):
    size = np.ptp(mesh.vertices, axis=0).max()
    spacing = size / 60
    hull = mesh.vertices[scipy.spatial.ConvexHull(mesh.vertices).simplices]
    furthest = furthest_of(dense_points(hull, spacing), mesh.vertices[mesh.triangles], spacing / 2)

    entry = entry_of(mesh)

    assert 0.9 * furthest - 0.02 * size <= entry.hull_error <= furthest + spacing
    limit = max(0.1, 0.05 * size)
    assert entry.closed_openings >= (furthest > 2 * limit)
    assert (entry.closed_openings > 0) <= (furthest + spacing > limit)
