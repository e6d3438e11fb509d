"""Loose parts: compared with SciPy's graph search; closed, oriented and convex ones drawn by hand."""

import math

import builders
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from levelwalk.core import TriMesh
from levelwalk.core.colliders.convex_parts import find_convex_parts
from levelwalk.core.colliders.convexity import match_sides
from levelwalk.core.colliders.parts import connect, find_parts, is_closed, orient

BOX = builders.box((0, 0, 0), (1, 2, 3))
# The projective plane of six vertices: closed, but it has no outside.
PROJECTIVE_PLANE = np.array(
    [(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5), (0, 5, 1), (1, 2, 4), (2, 3, 5), (3, 4, 1), (4, 5, 2), (5, 1, 3)]
)


def joined(*meshes):
    begins = np.cumsum([0, *(len(mesh.vertices) for mesh in meshes)])
    triangles = [mesh.triangles + begin for mesh, begin in zip(meshes, begins, strict=False)]
    return TriMesh(np.concatenate([mesh.vertices for mesh in meshes]), np.concatenate(triangles))


def mixed(mesh, seed=0):
    """Return the mesh with some of its triangles turned round."""
    triangles = mesh.triangles.copy()
    chosen = np.random.default_rng(seed).random(len(triangles)) < 0.5
    triangles[chosen] = triangles[chosen][:, ::-1]
    return TriMesh(mesh.vertices, triangles, mesh.name)


def slab(height, count=8, size=100.0, depth=5.0):
    """Return a closed block whose top is a grid of `height(x, y)`."""
    line = np.linspace(0, size, count + 1)
    x, y = (part.ravel() for part in np.meshgrid(line, line, indexing="ij"))
    top = np.column_stack([x, y, height(x, y)])
    row = np.arange((count + 1) ** 2).reshape(count + 1, count + 1)
    a, b, c, d = (part.ravel() for part in (row[:-1, :-1], row[1:, :-1], row[1:, 1:], row[:-1, 1:]))
    upper = np.concatenate([np.column_stack([a, b, c]), np.column_stack([a, c, d])])
    rim = np.concatenate([row[:-1, 0], row[-1, :-1], row[:0:-1, -1], row[0, :0:-1]])
    after = np.roll(rim, -1)
    lower = len(top)
    sides = [np.column_stack([rim, rim + lower, after + lower]), np.column_stack([rim, after + lower, after])]
    bottom = np.column_stack([x, y, np.full(len(x), -depth)])
    return TriMesh(np.concatenate([top, bottom]), np.concatenate([upper, upper[:, ::-1] + lower, *sides]))


def bowl(depth, count=8):
    return slab(lambda x, y: depth * (((x - 50) ** 2 + (y - 50) ** 2) / 5000 - 1), count)


def convex(mesh):
    """Return which parts of the mesh are convex, and its triangles turned outwards."""
    part, count = find_parts(mesh.triangles, len(mesh.vertices))
    return find_convex_parts(mesh.vertices, mesh.triangles, part, count)


def volume(mesh, triangles):
    a, b, c = np.moveaxis((mesh.vertices - mesh.vertices.mean(axis=0))[triangles], 1, 0)
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


@settings(max_examples=100, deadline=None)
@given(
    count=st.integers(1, 200),
    links=arrays(np.int64, st.tuples(st.integers(0, 150), st.just(2)), elements=st.integers(0, 10_000)),
)
def test_connects_as_a_graph_search_does(count, links):
    one, other = links.T % count
    graph = coo_matrix((np.ones(len(links)), (one, other)), (count, count))
    parts, label = connected_components(graph, directed=False)

    first = connect(one, other, count)

    smallest = np.full(parts, count)
    np.minimum.at(smallest, label, np.arange(count))
    np.testing.assert_array_equal(first, smallest[label])


@pytest.mark.parametrize("hub", [0, 50_000])
def test_connects_a_hub_with_everything(hub):
    others = np.setdiff1d(np.arange(50_001), hub)

    assert not connect(np.full(len(others), hub), others, 50_001).any()


def test_numbers_parts_by_their_first_vertices():
    mesh = joined(BOX, builders.moved(BOX, (5, 0, 0)), builders.floor())

    part, count = find_parts(mesh.triangles, len(mesh.vertices))

    assert count == 3
    assert part.tolist() == [0] * 8 + [1] * 8 + [2] * 4


@pytest.mark.parametrize(
    ("triangles", "expected"),
    [
        pytest.param(BOX.triangles, True, id="a box"),
        pytest.param(mixed(BOX).triangles, True, id="a box of mixed normals"),
        pytest.param(BOX.triangles[1:], False, id="a box with a hole"),
        pytest.param([*BOX.triangles, (0, 1, 6)], False, id="a box with a fin"),
        pytest.param(PROJECTIVE_PLANE, True, id="a projective plane"),
    ],
)
def test_a_part_is_closed_where_every_edge_has_two_triangles(triangles, expected):
    triangles = np.asarray(triangles)

    closed = is_closed(match_sides(triangles, 8), np.zeros(len(triangles), int), 1)

    assert closed.tolist() == [expected]


@pytest.mark.parametrize("seed", range(5))
def test_turns_mixed_triangles_outwards(seed):
    """A concave solid, where the side of the middle does not tell outside: a block with a deep bowl."""
    mesh = bowl(4)
    messy = mixed(mesh, seed)
    part = np.zeros(len(mesh.triangles), int)

    turned, is_orientable = orient(messy.vertices, messy.triangles, match_sides(messy.triangles, 999), part, 1)

    assert is_orientable.tolist() == [True]
    for was, now in zip(mesh.triangles.tolist(), turned.tolist(), strict=True):
        assert now in (was, was[1:] + was[:1], was[2:] + was[:2])


def test_a_projective_plane_has_no_outside():
    points = np.random.default_rng(0).normal(size=(6, 3))
    part = np.zeros(10, int)

    _, is_orientable = orient(points, PROJECTIVE_PLANE, match_sides(PROJECTIVE_PLANE, 6), part, 1)

    assert is_orientable.tolist() == [False]


@pytest.mark.parametrize(
    "mesh",
    [
        pytest.param(BOX, id="a box"),
        pytest.param(builders.flipped(BOX), id="flipped"),
        pytest.param(mixed(BOX), id="mixed"),
        pytest.param(builders.moved(BOX, (1e5, -1e5, 1e4)), id="100 km away"),
        pytest.param(mixed(slab(lambda x, y: 0 * x), 3), id="flat sides of many triangles"),
        pytest.param(slab(lambda x, y: -((x - 50) ** 2 + (y - 50) ** 2) / 5000, 64), id="a dome of many triangles"),
    ],
)
def test_finds_convex_solids_and_turns_them_outwards(mesh):
    is_convex, turned = convex(mesh)

    assert is_convex.tolist() == [True]
    np.testing.assert_array_equal(np.sort(turned, axis=1), np.sort(mesh.triangles, axis=1))
    assert len({(t[i], t[(i + 1) % 3]) for t in turned.tolist() for i in range(3)}) == 3 * len(turned)
    assert volume(mesh, turned) > 0


@pytest.mark.parametrize(
    "mesh",
    [
        pytest.param(TriMesh(BOX.vertices, BOX.triangles[1:]), id="open"),
        pytest.param(builders.floor(), id="flat"),
        pytest.param(builders.stairs(), id="stairs"),
        pytest.param(TriMesh(np.random.default_rng(0).normal(size=(6, 3)), PROJECTIVE_PLANE), id="no outside"),
        pytest.param(bowl(1), id="a bowl"),
        pytest.param(bowl(0.1, 64), id="a flat bowl of many triangles"),
        pytest.param(bowl(0.01, 200), id="a very flat bowl of very many triangles"),
    ],
)
def test_finds_what_is_no_convex_solid(mesh):
    is_convex, turned = convex(mesh)

    assert is_convex.tolist() == [False]
    np.testing.assert_array_equal(turned, mesh.triangles)


@pytest.mark.parametrize(
    ("dent", "expected"),
    [(-0.1, True), (0.0, True), (0.49e-5, True), (0.6e-5, False), (0.1, False)],
    ids=["a tip", "flat", "just shallow enough", "just too deep", "deep"],
)
def test_a_vertex_may_be_a_hundred_thousandth_of_the_size_in_front_of_a_plane(dent, expected):
    """A cube whose top is four triangles about a middle that is pushed in: each one's plane passes the far edge of
    the top twice as far below as the middle is pushed in."""
    cube = builders.box((0, 0, 0), (1, 1, 1))
    rim = [4, 5, 6, 7]
    fan = [(rim[i], rim[(i + 1) % 4], 8) for i in range(4)]
    others = cube.triangles[(cube.triangles < 4).any(axis=1)]
    mesh = TriMesh([*cube.vertices, (0.5, 0.5, 1 - dent)], [*others, *fan])

    assert convex(mesh)[0].tolist() == [expected]


def test_looks_at_each_part_alone():
    """Convex parts between others: the triangles of each stay its own."""
    tip = builders.hull([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
    mesh = joined(builders.floor(), builders.flipped(BOX), bowl(1), builders.moved(tip, (9, 9, 9)), builders.stairs())

    is_convex, turned = convex(mesh)

    assert is_convex.tolist() == [False, True, False, True, False]
    np.testing.assert_array_equal(np.sort(turned, axis=1), np.sort(mesh.triangles, axis=1))
    assert volume(mesh, turned[2:14]) == pytest.approx(6)


@settings(max_examples=100, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    sides=st.integers(3, 40),
    is_single=st.booleans(),
    distance=st.sampled_from([0.0, 10.0, 1e5]),
)
def test_turned_prisms_are_convex_in_single_precision_too(seed, sides, is_single, distance):
    random = np.random.default_rng(seed)
    angle = (np.arange(sides) + random.uniform(0, 0.5)) * 2 * math.pi / sides
    prism = builders.prism(np.column_stack([np.cos(angle), np.sin(angle)]), 0, random.uniform(0.2, 3))
    turn = np.linalg.qr(random.normal(size=(3, 3)))[0]
    mesh = mixed(builders.moved(prism, random.normal(size=3) * distance, turn), seed)
    if is_single and distance <= 10:
        mesh = TriMesh(mesh.vertices.astype(np.float32), mesh.triangles)

    is_convex, turned = convex(mesh)

    assert is_convex.tolist() == [True]
    assert volume(mesh, turned) > 0
