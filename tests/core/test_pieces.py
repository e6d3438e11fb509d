"""Convex pieces of concave solids: they fill the solid, overlap nowhere, and are few."""

import builders
import numpy as np
import pytest
import shapes
import trimesh
from builders import arch, blocks, extruded, moved, room
from hypothesis import given, settings
from hypothesis import strategies as st

from levelwalk.core import TriMesh
from levelwalk.core.colliders.colliders import ColliderKind, build_colliders
from levelwalk.core.colliders.findings import FindingKind

HULL, FACES, SOLID = ColliderKind
TURN = shapes.turn(np.random.default_rng(3))
L_SHAPE = extruded([(1, 1), (1, 2), (0, 2), (0, 0), (4, 0), (4, 1)], 1.0, "bench")


def stairs(count):
    """Return solid stairs of steps 0.3 m x 0.2 m, 1.5 m wide, as one closed surface."""
    return blocks(
        np.arange(count + 1) * 0.3, [0, 1.5], np.arange(count + 1) * 0.2, lambda x, _, z: z / 0.2 < x // 0.3 + 1
    )


def pillars():
    """Return nine pillars between a floor and a ceiling, all of one surface."""
    line = [0, 0.5, 1.5, 2, 3, 3.5, 4]
    return blocks(line, line, [0, 0.3, 3, 3.4], lambda x, y, z: not 0.3 < z < 3 or (_is_pillar(x) and _is_pillar(y)))


def _is_pillar(along):
    return 0 < along < 0.5 or 1.5 < along < 2 or 3 < along < 3.5


def frame(outer, inner, thickness=0.3):
    """Return a wall of boxes with a hole through it."""
    (x0, z0, x1, z1), (a0, c0, a1, c1) = outer, inner
    return blocks([x0, a0, a1, x1], [0, thickness], [z0, c0, c1, z1], lambda x, _, z: not (a0 < x < a1 and c0 < z < c1))


def pieces_of(mesh, error=0.0, mode="PIECES"):
    """Return the colliders, the report's entry, and each collider's corners (t, 3, 3)."""
    asked = TriMesh(mesh.vertices, mesh.triangles, mesh.name, mode=mode, piece_error=error)
    colliders, report = build_colliders([asked])
    corners = colliders.vertices[colliders.triangles]
    return colliders, report.objects[0], [corners[colliders.collider == i] for i in range(len(colliders))]


def volume(corners):
    middle = corners.mean(axis=(0, 1))
    a, b, c = np.moveaxis(corners - middle, 1, 0)
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


def planes(corners):
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    return normal, (normal * corners[:, 0]).sum(axis=1)


def depth(corners, points):
    """Return how deep points are in a convex piece."""
    normal, offset = planes(corners)
    return (offset - points @ normal.T).min(axis=1)


def assert_fill(mesh, pieces):
    """Check that convex pieces fill a closed surface, and nothing twice."""
    solid = mesh.vertices[mesh.triangles]
    size = np.ptp(mesh.vertices, axis=0).max()
    assert sum(volume(piece) for piece in pieces) == pytest.approx(volume(solid), rel=1e-9)
    normal, offset = planes(solid)
    for piece in pieces:
        closed = trimesh.Trimesh(piece.reshape(-1, 3), np.arange(3 * len(piece)).reshape(-1, 3))
        assert closed.is_watertight and closed.is_winding_consistent
        corners = piece.reshape(-1, 3)
        assert depth(piece, corners).min() >= -1e-9 * size  # convex
        assert np.abs(corners @ normal.T - offset).min(axis=1).max() <= 1e-9 * size  # on a plane of the mesh
    random = np.random.default_rng(1)
    points = random.uniform(mesh.vertices.min(axis=0), mesh.vertices.max(axis=0), (2000, 3))
    inside = oracle_inside(points, solid)
    times = sum((depth(piece, points) > 0).astype(int) for piece in pieces)
    np.testing.assert_array_equal(times, inside)


def oracle_inside(points, corners):
    """Return 1 for points inside a closed surface, by the crossings of a ray with every triangle."""
    ray = np.array([0.6317, 0.5281, 0.5673])
    edge, other = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    across = np.cross(ray, other)
    scale = (edge * across).sum(axis=1)
    crossings = np.zeros(len(points), int)
    for i, point in enumerate(points):
        off = point - corners[:, 0]
        u = (off * across).sum(axis=1) / scale
        q = np.cross(off, edge)
        v, t = q @ ray / scale, (q * other).sum(axis=1) / scale
        crossings[i] = ((u >= 0) & (v >= 0) & (u + v <= 1) & (t > 0)).sum()
    return crossings % 2


BLOCK_OUTS = {
    "an L": (L_SHAPE, 2),
    "a room with a door": (room(), 9),  # 5 sides, and a floor, two jambs and a lintel
    "a room with a door and a window": (room(has_window=True), 13),
    "3 stairs": (stairs(3), 3),
    "10 stairs": (stairs(10), 10),
    "30 stairs": (stairs(30), 30),
    "a frame": (frame((0, 0, 4, 3), (1, 1, 2, 2)), 4),
    "pillars between floor and ceiling": (pillars(), 11),
    "an arch of 5 segments": (arch(5), 5),
    "an arch of 16 segments": (arch(16), 16),
}


@pytest.mark.parametrize("turn", [None, TURN], ids=["upright", "turned"])
@pytest.mark.parametrize("name", BLOCK_OUTS)
def test_block_outs_are_cut_exactly_and_into_few(name, turn):
    mesh, most = BLOCK_OUTS[name]
    mesh = moved(mesh, (20, -30, 5), turn)

    colliders, entry, pieces = pieces_of(mesh)

    assert set(colliders.kind) == {HULL}
    assert entry.hulls == len(pieces) <= most
    assert entry.faces == 0 and entry.lines() == []
    assert_fill(mesh, pieces)


@pytest.mark.parametrize("change", ["flipped", "mirrored", "single precision", "tiny", "far"])
def test_pieces_fill_whatever_the_mesh_went_through(change):
    mesh = moved(room(), (0, 0, 0), TURN)
    vertices, triangles = mesh.vertices, mesh.triangles
    if change == "flipped":
        triangles = triangles[:, ::-1]
    if change == "mirrored":
        vertices = vertices * [-1, 1, 1]
    if change == "single precision":
        vertices = vertices.astype(np.float32).astype(float)
    if change == "tiny":
        vertices = vertices * 1e-3
    if change == "far":
        vertices = vertices + 1e5

    _, entry, pieces = pieces_of(TriMesh(vertices, triangles))

    assert entry.hulls == len(pieces) <= 9 and entry.faces == 0
    expected = abs(volume(vertices[triangles]))
    tolerance = {"single precision": 1e-6, "far": 1e-8}.get(change, 1e-9)
    assert sum(volume(piece) for piece in pieces) == pytest.approx(expected, rel=tolerance)


def test_a_convex_part_is_one_hull_and_each_part_is_cut_alone():
    box = builders.box((9, 0, 0), (10, 1, 1))
    begin = len(L_SHAPE.vertices)
    both = TriMesh(
        np.concatenate([L_SHAPE.vertices, box.vertices]), np.concatenate([L_SHAPE.triangles, box.triangles + begin])
    )

    _, entry, pieces = pieces_of(both)

    assert entry.hulls == 3 and entry.faces == 0
    assert sorted(len(piece) for piece in pieces) == [12, 12, 12]
    assert sum(volume(piece) for piece in pieces) == pytest.approx(10 + 1)


def test_pieces_keep_their_places_among_other_objects():
    floor = builders.floor()
    meshes = [floor, TriMesh(L_SHAPE.vertices, L_SHAPE.triangles, "bench", mode="PIECES", layer="GROUND"), floor]

    colliders, report = build_colliders(meshes)

    assert colliders.kind.tolist() == [FACES, HULL, HULL, FACES]
    assert colliders.object_index.tolist() == [0, 1, 1, 2]
    assert not colliders.stops[colliders.object_index[colliders.collider] == 1].any()
    assert (report.hulls, report.faces) == (2, 2)


def random_blocks(seed):
    """Return some boxes of a grid with lines at random, turned half of the time; boxes may touch along edges."""
    random = np.random.default_rng(seed)
    lines = [np.cumsum(random.uniform(0.1, 2, random.integers(3, 6))) for _ in range(3)]
    filled = random.random([len(line) - 1 for line in lines]) < random.uniform(0.3, 0.9)
    filled[0, 0, 0] = True

    def is_filled(*place):
        return filled[tuple(int(np.searchsorted(line, x)) - 1 for line, x in zip(lines, place, strict=True))]

    mesh = blocks(*lines, is_filled)
    return moved(mesh, (5, 5, 5), shapes.turn(random)) if seed % 2 else mesh, int(filled.sum())


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6))
def test_any_block_out_is_cut_exactly(seed):
    mesh, boxes = random_blocks(seed)

    _, entry, pieces = pieces_of(mesh)

    assert entry.faces == 0 and entry.hulls == len(pieces) <= boxes
    assert_fill(mesh, pieces)


def test_boxes_that_touch_along_an_edge_are_one_solid():
    both = blocks([0, 1, 2], [0, 1, 2], [0, 1], lambda x, y, z: (x < 1) == (y < 1), "corner")

    for options, kinds in (({"mode": "PIECES"}, [HULL, HULL]), ({"mode": "FACES", "sides": "SOLID"}, [SOLID])):
        for mesh in (both, builders.flipped(both)):
            colliders, report = build_colliders([TriMesh(mesh.vertices, mesh.triangles, "corner", **options)])
            assert colliders.kind.tolist() == kinds
            assert report.lines() == []
            assert volume(colliders.vertices[colliders.triangles]) == pytest.approx(2)


def together(*meshes):
    begins = np.cumsum([0, *(len(mesh.vertices) for mesh in meshes)])
    triangles = [mesh.triangles + begin for mesh, begin in zip(meshes, begins, strict=False)]
    return TriMesh(np.concatenate([mesh.vertices for mesh in meshes]), np.concatenate(triangles), "nest")


OUTER = builders.box((-3, -3, 0), (3, 3, 6))
ROOM = builders.flipped(builders.box((-2, -2, 1), (2, 2, 5)))
L_LARGE = TriMesh(L_SHAPE.vertices * 4, L_SHAPE.triangles)
L_HOLLOW = builders.flipped(TriMesh(L_SHAPE.vertices * 0.5 + [0, 1, 1], L_SHAPE.triangles))
CRATE = builders.box((-1, -1, 2), (1, 1, 3))


@pytest.mark.parametrize(
    ("mesh", "most"),
    [
        pytest.param(together(OUTER, ROOM), 6, id="a hollow cube"),
        pytest.param(together(ROOM, OUTER, CRATE), 7, id="with a crate in it"),
        pytest.param(builders.flipped(together(OUTER, ROOM)), 6, id="turned inside out"),
        pytest.param(together(OUTER, moved(ROOM, (1, 0, 0))), 6, id="a hollow that touches the wall"),
        pytest.param(moved(together(OUTER, moved(ROOM, (-1, -1, 1))), (3, 4, 5), TURN), 6, id="in a corner, turned"),
        pytest.param(together(L_LARGE, L_HOLLOW), 9, id="a bench that touches the end of a bench"),
        pytest.param(together(room(), moved(CRATE, (2, 2, -1))), 10, id="a room with a door and a crate"),
    ],
)
def test_pieces_leave_hollows_open(mesh, most):
    _, entry, pieces = pieces_of(mesh)

    assert entry.hulls == len(pieces) <= most and entry.faces == 0
    fixed = mesh if volume(mesh.vertices[mesh.triangles]) > 0 else builders.flipped(mesh)
    assert_fill(fixed, pieces)


def test_a_hollow_of_an_object_is_never_a_hull():
    nest = together(OUTER, ROOM, CRATE)

    for sides, kinds in (("BOTH", [HULL, FACES]), ("SOLID", [HULL, SOLID])):
        colliders, _ = build_colliders([TriMesh(nest.vertices, nest.triangles, "nest", sides=sides)])
        assert colliders.kind.tolist() == kinds
        corners = colliders.vertices[colliders.triangles]
        assert volume(corners[colliders.collider == 0]) == pytest.approx(4)
        assert volume(corners[colliders.collider == 1]) == pytest.approx(6**3 - 4**3)


@pytest.mark.parametrize(
    "inner",
    [
        pytest.param(builders.box((-2, -2, 1), (2, 2, 5)), id="wound the same way"),
        pytest.param(moved(ROOM, (4, 0, 0)), id="not inside"),
        pytest.param(moved(ROOM, (5, 0, 0)), id="beside it"),
    ],
)
def test_what_is_no_hollow_is_a_solid_of_its_own(inner):
    both = together(OUTER, inner)

    colliders, _ = build_colliders([both])

    assert colliders.kind.tolist() == [HULL, HULL]


def test_hollows_are_those_of_the_same_object():
    colliders, _ = build_colliders([OUTER, ROOM])

    assert colliders.kind.tolist() == [HULL, HULL]


def _open():
    return TriMesh(L_SHAPE.vertices, L_SHAPE.triangles[1:], "bench")


def _crossing():
    """Return a bent tube whose end goes through its start: closed, but some space is enclosed twice."""
    path = np.array([(0, 0, 0), (4, 0, 0), (4, 4, 0), (2, 4, 0), (2, -2, 0.0)])
    side = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
    across = np.array([(0, 1, 0), (-1, 1, 0), (-1, -1, 0), (1, -1, 0), (1, 0, 0.0)])
    rings = [point + u * out + np.array([0, 0, w]) for point, out in zip(path, across, strict=True) for u, w in side]
    faces = [(0, 3, 2), (0, 2, 1), (16, 17, 18), (16, 18, 19)]
    for ring in range(0, 16, 4):
        for i in range(4):
            a, b = ring + i, ring + (i + 1) % 4
            faces += [(a, b, b + 4), (a, b + 4, a + 4)]
    return TriMesh(rings, faces, "tube")


def _rough():
    """Return a ball whose surface turns inward at some twenty thousand edges."""
    ball = trimesh.creation.icosphere(subdivisions=5)
    way = 1 + 0.05 * np.random.default_rng(2).random(len(ball.vertices))
    return TriMesh(np.asarray(ball.vertices) * way[:, None], np.asarray(ball.faces), "boulder")


@pytest.mark.parametrize(
    ("mesh", "words", "remedy"),
    [
        pytest.param(_open(), "its surface is not closed", "fill the holes", id="open"),
        pytest.param(_crossing(), "its surface crosses itself", "Boolean modifier", id="crossing"),
        pytest.param(_rough(), "more than 4,096 pieces", "a larger “Error”", id="too detailed", marks=pytest.mark.slow),
    ],
)
def test_what_has_no_pieces_stays_faces_and_says_why(mesh, words, remedy):
    colliders, entry, _ = pieces_of(mesh)

    assert colliders.kind.tolist() == [FACES]
    assert not colliders.is_one_sided.any()
    assert entry.hulls == 0
    (finding,) = entry.findings
    assert finding.kind is FindingKind.NO_PIECES and finding.name == mesh.name and finding.count == 1
    assert words in finding.words and remedy in finding.remedy
    three = mesh.vertices[mesh.triangles]
    shown = np.concatenate([mesh.vertices, ((three + np.roll(three, -1, axis=1)) / 2).reshape(-1, 3)])
    assert (np.abs(shown - finding.place).max(axis=1) < 1e-9).any()  # a vertex, or the middle of an open edge
    assert entry.lines() == [f"{mesh.name}: {finding.words}; {finding.remedy}"]


def ring():
    """Return a ring of radius 1 m, 0.6 m thick."""
    made = trimesh.creation.torus(1.0, 0.3, major_sections=20, minor_sections=8)
    return TriMesh(np.asarray(made.vertices), np.asarray(made.faces), "ring")


def boulder():
    """Return a ball of radius 1 m with dents of up to 0.05 m."""
    ball = trimesh.creation.icosphere(subdivisions=2)
    points = np.asarray(ball.vertices)
    way = 1 + 0.05 * np.sin(9 * points[:, [0]]) * np.sin(7 * points[:, [1]])
    return TriMesh(points * way, np.asarray(ball.faces), "boulder")


def bowl():
    """Return a round bowl 0.1 m thick and 1 m wide, as one surface: its inside is to stay open."""
    outline = [(0, 0), (0.3, 0), (0.5, 0.2), (0.5, 0.6), (0.4, 0.6), (0.4, 0.25), (0.25, 0.1), (0, 0.1)]
    made = trimesh.creation.revolve(np.array(outline), sections=16)
    return TriMesh(np.asarray(made.vertices), np.asarray(made.faces), "bowl")


def stand_out(pieces, solid):
    """Return how far the pieces' surfaces stand out from a solid, by points spread over them and every triangle."""
    surface = np.concatenate(pieces)
    shares = np.array([(i, j, 5 - i - j) for i in range(6) for j in range(6 - i)]) / 5
    points = np.einsum("si,tij->tsj", shares, surface).reshape(-1, 3)
    outside = points[oracle_inside(points, solid) == 0]
    return float(distance_to_surface(outside, solid).max(initial=0.0))


def distance_to_surface(points, corners):
    made = trimesh.Trimesh(corners.reshape(-1, 3), np.arange(3 * len(corners)).reshape(-1, 3), process=False)
    found = np.full(len(points), np.inf)
    for corner in made.triangles:  # every triangle: the oracle
        near = trimesh.triangles.closest_point(np.tile(corner, (len(points), 1, 1)), points)
        found = np.minimum(found, np.linalg.norm(near - points, axis=1))
    return found


@pytest.mark.parametrize(
    ("make", "error", "most"),
    [
        pytest.param(ring, 0.2, 10, id="a rough ring"),
        pytest.param(ring, 0.05, 30, id="a ring", marks=pytest.mark.slow),
        pytest.param(boulder, 0.1, 4, id="a boulder", marks=pytest.mark.slow),
        pytest.param(bowl, 0.06, 33, id="a bowl", marks=pytest.mark.slow),  # exactly: a bottom and two rings of 16
        pytest.param(lambda: stairs(6), 0.21, 3, id="stairs as a ramp"),
        pytest.param(room, 0.3, 9, id="a room, whose walls are thinner than the error"),
    ],
)
def test_rough_pieces_stand_out_by_no_more_than_the_error(make, error, most):
    mesh = make()
    solid = mesh.vertices[mesh.triangles]

    _, entry, pieces = pieces_of(mesh, error)

    assert 1 <= entry.hulls == len(pieces) <= most and entry.faces == 0
    assert stand_out(pieces, solid) <= error
    random = np.random.default_rng(4)  # all of the solid is in a piece, and what is far from it in none
    points = random.uniform(mesh.vertices.min(axis=0), mesh.vertices.max(axis=0), (1000, 3))
    times = sum((depth(piece, points) > -1e-9).astype(int) for piece in pieces)
    inside = oracle_inside(points, solid) == 1
    assert (times[inside] >= 1).all()
    filled = points[~inside & (sum(depth(piece, points) > 0 for piece in pieces) > 0)]
    assert distance_to_surface(filled, solid).max(initial=0.0) <= error


@pytest.mark.parametrize(("error", "is_one"), [(0.09, False), (0.16, True)])
def test_a_dent_is_filled_only_within_the_error(error, is_one):
    """A box 2 m wide with a round dent: a sphere of radius 1.5 m dips 0.15 m into it, so no air is further out."""
    line = np.linspace(-1, 1, 13)
    x, y = (part.ravel() for part in np.meshgrid(line, line, indexing="ij"))
    top = np.minimum(0, 1.35 - np.sqrt(np.maximum(2.25 - x**2 - y**2, 0)))
    row = np.arange(169).reshape(13, 13)
    a, b, c, d = (part.ravel() for part in (row[:-1, :-1], row[1:, :-1], row[1:, 1:], row[:-1, 1:]))
    upper = np.concatenate([np.column_stack([a, b, c]), np.column_stack([a, c, d])])
    rim = np.concatenate([row[:-1, 0], row[-1, :-1], row[:0:-1, -1], row[0, :0:-1]])
    after = np.roll(rim, -1)
    sides = [np.column_stack([rim, rim + 169, after + 169]), np.column_stack([rim, after + 169, after])]
    places = np.concatenate([np.column_stack([x, y, top]), np.column_stack([x, y, np.full(169, -1.0)])])
    dish = TriMesh(places, np.concatenate([upper, upper[:, ::-1] + 169, *sides]), "dish")

    _, entry, _ = pieces_of(dish, error)

    assert (entry.hulls == 1) == is_one
