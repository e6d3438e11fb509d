"""Flat neighbours become few convex faces, and nothing that a capsule could tell changes."""

import builders
import numpy as np
import pytest
from builders import blocks, room, tessellated
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from levelwalk.core import Settings, TriMesh, World
from levelwalk.core.colliders.colliders import build_colliders
from levelwalk.core.colliders.fans import triangulate
from levelwalk.core.colliders.merge_flat import merge_flat


def merged(mesh):
    """Return the triangles of a mesh after merging, and how many convex faces they are."""
    size = np.full(len(mesh.triangles), np.ptp(mesh.vertices, axis=0).max())
    triangles, source, face = merge_flat(mesh.vertices, mesh.triangles, size)
    return triangles, source, len(np.unique(face))


def cross(vertices, triangles):
    a, b, c = np.moveaxis(vertices[triangles], 1, 0)
    return np.cross(b - a, c - a)


def edges_beside(vertices, triangles):
    """Return for the straight borders between planes their places, cut into unit steps, with the planes beside them."""
    normal = cross(vertices, triangles)
    normal = np.round(normal / np.linalg.norm(normal, axis=1)[:, None], 6) + 0.0
    found = {}
    for three, facing in zip(vertices[triangles].tolist(), normal.tolist(), strict=True):
        for i in range(3):
            a, b = np.array(three[i]), np.array(three[(i + 1) % 3])
            steps = max(round(float(np.linalg.norm(b - a)) / 0.1), 1)
            for k in range(steps):
                middle = tuple(np.round(a + (b - a) * (k + 0.5) / steps, 6) + 0.0)
                found.setdefault(middle, []).append(tuple(facing))
    return {place: sorted(beside) for place, beside in found.items() if len(set(beside)) > 1 or len(beside) != 2}


def grid_floor(side, pillar=None):
    """Return a block floor of 1 m squares, with or without square pillars on some of them."""
    lines = np.arange(side + 1.0)
    return blocks(lines, lines, [0, 1, 2], lambda x, y, z: z < 1 or (pillar is not None and pillar(int(x), int(y))))


@pytest.mark.parametrize(
    ("mesh", "faces"),
    [
        pytest.param(tessellated((0, 0, 0), (20, 0, 0), (0, 20, 0), 0.5), 1, id="a plane of squares"),
        pytest.param(tessellated((0, 0, 0), (3, 0, 4), (-4, 6, 3), 0.25), 1, id="a tilted one"),
        pytest.param(builders.stairs(5), 10, id="stairs of quads"),
        pytest.param(grid_floor(8), 6, id="a block"),
        # Four rectangles around the pillar on top, five faces of it, the four sides and the bottom of the block.
        pytest.param(grid_floor(8, lambda x, y: (x, y) == (3, 4)), 4 + 5 + 5, id="a block with a pillar"),
        pytest.param(builders.box((0, 0, 0), (1, 2, 3)), 6, id="a box"),
        pytest.param(TriMesh([(0, 0, 0), (1, 0, 0), (0, 1, 0.5), (1, 1, 0)], [(0, 1, 2), (2, 1, 3)]), 2, id="a fold"),
    ],
)
def test_makes_as_few_convex_faces_as_can_be(mesh, faces):
    triangles, source, count = merged(mesh)

    assert count == faces
    before, after = cross(mesh.vertices, mesh.triangles), cross(mesh.vertices, triangles)
    assert np.linalg.norm(after, axis=1).sum() == pytest.approx(np.linalg.norm(before, axis=1).sum(), rel=1e-12)
    assert (np.einsum("ij,ij->i", after, before[source]) > 0).all()  # each looks where its source looked


@pytest.mark.parametrize(
    "mesh",
    [
        pytest.param(room(has_window=True), id="a room"),
        pytest.param(grid_floor(6, lambda x, y: (x + 2 * y) % 5 == 0), id="pillars"),
        pytest.param(tessellated((0, 0, 0), (3, 0, 0), (0, 3, 0), 0.5), id="a plane"),
        pytest.param(builders.stairs(4), id="stairs"),
    ],
)
def test_every_edge_keeps_the_planes_beside_it(mesh):
    triangles, _, _ = merged(mesh)

    assert len(triangles) < len(mesh.triangles) or len(mesh.triangles) == 16
    expected = edges_beside(mesh.vertices, mesh.triangles)
    assert edges_beside(mesh.vertices, triangles) == expected


def test_leaves_no_t_junctions():
    """A strip whose middle vertex on one side is the corner of a fin keeps it."""
    vertices = [(0, 0, 0), (1, 0, 0), (2, 0, 0), (2, 1, 0), (1, 1, 0), (0, 1, 0), (1, 0, 1), (2, 0, 1)]
    strip = [(0, 1, 4), (0, 4, 5), (1, 2, 3), (1, 3, 4)]
    fin = [(1, 7, 6), (1, 2, 7)]

    triangles, _, count = merged(TriMesh(vertices, strip + fin))

    assert count == 2  # the strip and the fin
    assert 1 in triangles and 4 not in triangles  # the other side's middle is nobody's corner
    ends = {frozenset((int(t[i]), int(t[(i + 1) % 3]))) for t in triangles for i in range(3)}
    assert {0, 1} in ends and {1, 2} in ends and {0, 2} not in ends


def test_a_large_plane_of_squares_becomes_two_triangles():
    plane = tessellated((0, 0, 0), (20, 0, 0), (0, 20, 0), 0.1)

    colliders, report = build_colliders([plane])

    assert len(plane.triangles) == 80_000
    assert len(colliders.triangles) == 2 and report.faces == 1
    assert report.objects[0].triangles == 80_000


@pytest.mark.parametrize(("dent", "count"), [(0.5e-9, 1), (4e-9, 2)])
def test_what_is_flat_within_a_billionth_of_the_size_is_one_face(dent, count):
    corners = [(0, 0, 0), (1, 0, 0), (1, 1, dent), (0, 1, 0)]

    assert merged(TriMesh(corners, [(0, 1, 2), (0, 2, 3)]))[2] == count


def test_faces_folded_onto_each_other_or_turned_stay():
    folded = TriMesh([(0, 0, 0), (1, 0, 0), (0.4, 1, 0), (0.6, 0.9, 0)], [(0, 1, 2), (1, 0, 3)])
    turned = TriMesh([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], [(0, 1, 2), (0, 3, 2)])

    assert merged(folded)[2] == merged(turned)[2] == 2


def test_rough_ground_stays_as_it_is():
    ground = tessellated((0, 0, 0), (19, 0, 0), (0, 19, 0), 1.0)
    rough = TriMesh(ground.vertices + np.random.default_rng(0).normal(size=(400, 1)) * [0, 0, 1], ground.triangles)

    triangles, source, _ = merged(rough)

    np.testing.assert_array_equal(triangles, rough.triangles)
    np.testing.assert_array_equal(source, np.arange(len(rough.triangles)))


@pytest.mark.parametrize(("rough", "is_merged"), [(1.0, False), (0.99, False), (0.5, True)])
def test_of_large_meshes_only_those_are_merged_that_have_enough_flat_ground(rough, is_merged):
    """A ground of 80,000 triangles, of which a share is rough: a sample tells."""
    ground = tessellated((0, 0, 0), (200, 0, 0), (0, 200, 0), 1.0)
    height = np.random.default_rng(0).normal(size=len(ground.vertices)) * (ground.vertices[:, 0] < 200 * rough)
    mesh = TriMesh(ground.vertices + height[:, None] * [0, 0, 1], ground.triangles)

    triangles, _, _ = merged(mesh)

    assert len(triangles) == 80_000 if not is_merged else len(triangles) < 41_000


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10**6))
def test_any_block_out_keeps_its_surface(seed):
    random = np.random.default_rng(seed)
    lines = [np.cumsum(random.integers(1, 4, random.integers(2, 6))) * 1.0 for _ in range(3)]
    filled = random.random([len(line) for line in lines]) < 0.6

    def is_filled(*place):
        return filled[tuple(int(np.searchsorted(line, along)) for line, along in zip(lines, place, strict=True))]

    middle = tuple(line[0] for line in lines)
    mesh = blocks(*lines, lambda x, y, z: is_filled(x, y, z) or (x < middle[0] and y < middle[1]))
    assume(len(mesh.triangles))
    triangles, source, _ = merged(mesh)

    before, after = cross(mesh.vertices, mesh.triangles), cross(mesh.vertices, triangles)
    assert np.linalg.norm(after, axis=1).sum() == pytest.approx(np.linalg.norm(before, axis=1).sum(), rel=1e-12)
    assert np.linalg.norm(after, axis=1).min() > 0.5  # no needle: all lines are whole metres apart
    assert (np.einsum("ij,ij->i", after, before[source]) > 0).all()
    np.testing.assert_allclose(after.sum(axis=0), before.sum(axis=0), atol=1e-9)


@pytest.mark.parametrize("sides", ["BOTH", "FRONT", "SOLID"])
@pytest.mark.parametrize("make", [lambda: room(True), lambda: grid_floor(6, lambda x, y: (x + 2 * y) % 5 == 0)])
def test_casts_do_not_change(make, sides):
    shape = make()
    mesh = TriMesh(shape.vertices, shape.triangles, mode="FACES", sides=sides)
    capsule = Settings(radius=0.15, height=0.7)
    random = np.random.default_rng(6)
    low, high = mesh.vertices.min(axis=0) - 1, mesh.vertices.max(axis=0) + 1
    feet, way = random.uniform(low, high, (2000, 3)), random.normal(size=(2000, 3)) * 2

    fewer = World.build([mesh])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("levelwalk.core.colliders.colliders.IS_MERGING", False)
        all_of_them = World.build([mesh])

    assert len(fewer.colliders.triangles) < 2 / 3 * len(all_of_them.colliders.triangles)
    expected, hits = all_of_them.cast(capsule, feet, way), fewer.cast(capsule, feet, way)
    assert expected.is_hit.mean() > 0.2
    np.testing.assert_array_equal(hits.is_hit, expected.is_hit)
    np.testing.assert_allclose(hits.fraction, expected.fraction, atol=1e-9)


@pytest.mark.parametrize("count", [3, 4, 5, 12, 200])
def test_a_polygon_with_points_on_its_sides_has_no_triangle_without_area(count):
    """A square with `count` points on its lower side, and a triangle with them."""
    along = np.linspace(0, 1, count + 2)
    low = np.column_stack([along, np.zeros(count + 2), np.zeros(count + 2)])
    points = np.concatenate([low, [(1, 1, 0), (0, 1, 0)], low, [(0.3, 1, 0)]])
    corners = np.arange(len(points))
    starts = np.array([0, count + 4, len(points)])

    triangles, polygon = triangulate(points, corners, starts, np.array([[0, 0, 1.0], [0, 0, 1.0]]))

    assert np.bincount(polygon).tolist() == [count + 2, count + 1]
    twice_area = cross(points, triangles)[:, 2]
    np.testing.assert_allclose(np.bincount(polygon, twice_area), [2, 1])
    assert twice_area.min() > 0.4 / (count + 1)
