"""What is dropped and welded before colliders are made, and what is refused."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from levelwalk.core import TriMesh
from levelwalk.core.colliders.clean import clean_meshes

SQUARE = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
HALVES = [(0, 1, 2), (0, 2, 3)]


def split(mesh):
    """Return the mesh as exporters write flat shading: every triangle with its own three vertices."""
    corners = mesh.vertices[mesh.triangles].reshape(-1, 3)
    return TriMesh(corners, np.arange(len(corners)).reshape(-1, 3), mesh.name)


def places(clean):
    """Return each triangle as its three places, sorted by place."""
    return sorted(tuple(sorted(map(tuple, corners))) for corners in clean.vertices[clean.triangles].tolist())


def test_leaves_a_clean_mesh_as_it_is():
    clean = clean_meshes([TriMesh(SQUARE, HALVES)])

    np.testing.assert_array_equal(clean.vertices, SQUARE)
    np.testing.assert_array_equal(clean.triangles, HALVES)
    counts = [clean.welded_vertices, clean.unused_vertices, clean.zero_area, clean.mended, clean.duplicates]
    np.testing.assert_array_equal(counts, 0)


def test_welds_split_vertices():
    clean = clean_meshes([split(TriMesh(SQUARE, HALVES))])

    assert sorted(map(tuple, clean.vertices)) == sorted(SQUARE)
    assert clean.welded_vertices.tolist() == [2]
    assert len(clean.triangles) == 2


@pytest.mark.parametrize(
    ("size", "gap", "is_welded"),
    [
        pytest.param(1, 0.9e-9, True, id="just within a billionth of the size"),
        pytest.param(1, 1.2e-9, False, id="just beyond"),
        pytest.param(1e-3, 0.9e-12, True, id="a small mesh, just within"),
        pytest.param(1e-3, 1.2e-12, False, id="a small mesh, just beyond"),
        pytest.param(1e5, 0.9e-6, True, id="a huge mesh, just within a micrometre"),
        pytest.param(1e5, 1.2e-6, False, id="a huge mesh, just beyond"),
    ],
)
def test_welds_up_to_a_distance(size, gap, is_welded):
    """Two triangles over the sides of a square; the second one's vertices on the diagonal are off by `gap`."""
    corners = size * np.array(SQUARE, float)
    others = corners[[0, 2]] + [0, 0, gap]

    clean = clean_meshes([TriMesh(np.concatenate([corners, others]), [(0, 1, 2), (4, 5, 3)])])

    assert clean.welded_vertices.tolist() == [2 if is_welded else 0]


def test_welds_each_mesh_alone():
    clean = clean_meshes([TriMesh(SQUARE, HALVES), TriMesh(SQUARE, HALVES)])

    assert clean.welded_vertices.tolist() == [0, 0]
    assert clean.vertex_mesh.tolist() == [0] * 4 + [1] * 4
    assert clean.triangle_mesh.tolist() == [0, 0, 1, 1]
    np.testing.assert_array_equal(clean.triangles, HALVES + [(4, 5, 6), (4, 6, 7)])


@pytest.mark.parametrize("move", [0, 1e5])
@pytest.mark.parametrize(
    ("apex", "is_dropped"),
    [
        pytest.param((0.5, 0, 0), True, id="in one line"),
        pytest.param((2, 0, 0), True, id="in one line, beyond the end"),
        pytest.param((1, 0, 0), True, id="two corners at one place"),
        pytest.param((0.5, 0.9e-6, 0), True, id="a needle"),
        pytest.param((0.5, 1.1e-6, 0), False, id="just high enough"),
        pytest.param((0.5, 0.3, 0), False, id="with an area"),
    ],
)
def test_drops_triangles_without_area(apex, is_dropped, move):
    vertices = np.array([(0, 0, 0), (1, 0, 0), apex]) + [0, 0, move]

    clean = clean_meshes([TriMesh(vertices, [(0, 1, 2)])])

    assert clean.zero_area.tolist() == [int(is_dropped)]
    assert len(clean.triangles) == (not is_dropped)
    assert len(clean.vertices) == 3 * (not is_dropped)


def test_keeps_small_triangles_of_a_large_mesh():
    vertices = np.array([(0, 0, 0), (1e4, 0, 0), (0, 1e4, 0), (5, 5, 1), (5.001, 5, 1), (5, 5.001, 1)])

    clean = clean_meshes([TriMesh(vertices, [(0, 1, 2), (3, 4, 5)])])

    assert len(clean.triangles) == 2


@pytest.mark.parametrize("again", [(0, 1, 2), (2, 0, 1), (2, 1, 0), (1, 0, 2)])
def test_drops_duplicate_triangles_in_whatever_order(again):
    clean = clean_meshes([TriMesh(SQUARE, [*HALVES, again, (0, 1, 3)])])

    assert clean.duplicates.tolist() == [1]
    np.testing.assert_array_equal(clean.triangles, [*HALVES, (0, 1, 3)])


def test_drops_duplicates_with_vertices_of_their_own():
    mesh = TriMesh(SQUARE + SQUARE, [*HALVES, (4, 5, 6), (6, 7, 4)])

    clean = clean_meshes([mesh])

    assert clean.welded_vertices.tolist() == [4]
    assert clean.duplicates.tolist() == [2]
    np.testing.assert_array_equal(clean.triangles, HALVES)


def test_drops_vertices_that_no_triangle_uses():
    clean = clean_meshes([TriMesh([(9, 9, 9), *SQUARE, (math.nan, 0, 0)], np.array(HALVES) + 1)])

    assert clean.unused_vertices.tolist() == [2]
    np.testing.assert_array_equal(clean.vertices, SQUARE)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_refuses_a_vertex_without_a_place(bad):
    fine = TriMesh(SQUARE, HALVES, "fine")
    torn = TriMesh([*SQUARE[:3], (0, 1, bad)], HALVES, "torn floor")

    with pytest.raises(ValueError, match=r"^torn floor: vertex 3 is at .*(nan|inf)"):
        clean_meshes([fine, torn])


@pytest.mark.parametrize("index", [4, -1, 1_000_000])
def test_refuses_an_index_out_of_range(index):
    with pytest.raises(ValueError, match=rf"^door: triangle 1 uses vertex {index}, .* 4 vertices"):
        clean_meshes([TriMesh(SQUARE, [(0, 1, 2), (0, 2, index)], "door")])


@pytest.mark.parametrize("meshes", [[], [TriMesh([], [])], [TriMesh([(0, 0, 0)], [])]])
def test_nothing_stays_nothing(meshes):
    clean = clean_meshes(meshes)

    assert clean.vertices.shape == (0, 3)
    assert clean.triangles.shape == (0, 3)
    assert len(clean.zero_area) == len(meshes)


def distinct_triangles(corners):
    """Return places of the triangles with an area, each once: exact, for whole numbers."""
    a, b, c = np.moveaxis(corners, 1, 0)
    has_area = (np.cross(b - a, c - a) != 0).any(axis=1)
    return sorted({tuple(sorted(map(tuple, three))) for three in corners[has_area].tolist()}), int((~has_area).sum())


def area_of(corners):
    """Return the area of each triangle (t, 3, 3)."""
    a, b, c = np.moveaxis(corners, 1, 0)
    return np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2


@settings(max_examples=200, deadline=None)
@given(
    corners=arrays(np.int64, st.tuples(st.integers(1, 60), st.just(3), st.just(3)), elements=st.integers(-2, 2)),
    scale=st.sampled_from([1.0, 0.125, 1024.0]),
    move=st.sampled_from([0.0, 65536.0]),
)
def test_every_triangle_with_an_area_stays_once(corners, scale, move):
    mesh = split(TriMesh(corners.reshape(-1, 3) * scale + move, np.arange(3 * len(corners)).reshape(-1, 3)))
    expected, without_area = distinct_triangles(corners)

    clean = clean_meshes([mesh])

    found = places(clean)
    if not clean.mended.any():  # else some were cut in two, where a needle's corner is on their edge
        assert found == [tuple(tuple(x * scale + move for x in place) for place in three) for three in expected]
    assert len(found) == len(expected) + clean.mended.sum() == len(set(found))
    wanted = area_of(np.array(expected, float).reshape(-1, 3, 3)) * scale**2
    np.testing.assert_allclose(area_of(clean.vertices[clean.triangles]).sum(), wanted.sum(), rtol=1e-9)
    assert (area_of(clean.vertices[clean.triangles]) > 0).all()
    assert clean.zero_area.tolist() == [without_area - clean.mended[0]]
    assert clean.duplicates.tolist() == [len(corners) - without_area - len(expected)]
    assert len({tuple(vertex) for vertex in clean.vertices}) == len(clean.vertices)
