"""Flat sides: what convex solids and faces look like as polygons, beside the polygons that they were drawn with."""

import math

import numpy as np
import pytest
from builders import box, room, sheet

from levelwalk.core import TriMesh, World
from levelwalk.core.collider_shapes import ColliderShapes
from levelwalk.core.geometry.features import FLAT
from levelwalk.core.geometry.flat_sides import join_flat_sides

SHARE = 0.01  # of FLAT, to be just on one side of it


def cycle(corners):
    """Return a polygon from its lowest corner on, which way round stays."""
    corners = [int(corner) for corner in corners]
    first = corners.index(min(corners))
    return tuple(corners[first:] + corners[:first])


def fans(polygons, start=0):
    """Return polygons as triangles (t, 3): fans about the corner `start` of each."""
    return np.array(
        [
            (polygon[start % len(polygon)], *(polygon[(start + i + j) % len(polygon)] for j in (1, 2)))
            for polygon in polygons
            for i in range(len(polygon) - 2)
        ]
    )


def normals(points, triangles):
    a, b, c = (points[triangles[:, i]] for i in range(3))
    cross = np.cross(b - a, c - a)
    return cross / np.linalg.norm(cross, axis=1)[:, None]


def prism(sides, top=1.0):
    """Return the points and polygons of a prism, or of a pyramid's frustum if `top` is not 1."""
    angle = 2 * math.pi * np.arange(sides) / sides
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    points = np.concatenate([np.c_[ring, np.zeros(sides)], np.c_[top * ring, np.ones(sides)]])
    around = [(i, (i + 1) % sides, sides + (i + 1) % sides, sides + i) for i in range(sides)]
    return points, [tuple(range(sides))[::-1], tuple(range(sides, 2 * sides)), *around]


CUBE = prism(4)
WEDGE = prism(3)
OCTAGON = prism(8)
FRUSTUM = prism(6, top=0.5)
TETRAHEDRON = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1.0)]), [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]
SOLIDS = {"cube": CUBE, "wedge": WEDGE, "octagon": OCTAGON, "frustum": FRUSTUM, "tetrahedron": TETRAHEDRON}


def joined(points, triangles, may_join=None):
    """Return the polygons, each from its lowest corner on, and a triangle of each."""
    may_join = np.ones(len(triangles), bool) if may_join is None else may_join
    corners, starts, source = join_flat_sides(triangles, normals(points, triangles), may_join, len(points))
    assert starts[0] == 0
    assert starts[-1] == len(corners)
    return [cycle(part) for part in np.split(corners, starts[1:-1])], source


@pytest.mark.parametrize("start", range(4))
@pytest.mark.parametrize(("points", "polygons"), SOLIDS.values(), ids=SOLIDS.keys())
def test_triangles_become_the_polygons_that_they_were_cut_from(points, polygons, start):
    found, source = joined(points, fans(polygons, start))

    assert found == [cycle(polygon) for polygon in polygons]  # in the order of their first triangles, to the left
    counts = [len(polygon) - 2 for polygon in polygons]
    np.testing.assert_array_equal(source, np.cumsum([0, *counts[:-1]]))


def test_what_may_not_join_stays_as_it_is():
    points, polygons = OCTAGON
    triangles = fans(polygons)

    found, source = joined(points, triangles, np.zeros(len(triangles), bool))

    assert found == [cycle(triangle) for triangle in triangles]
    np.testing.assert_array_equal(source, np.arange(len(triangles)))


def test_only_what_may_join_joins():
    points, polygons = CUBE
    triangles = fans(polygons)
    may_join = np.arange(len(triangles)) >= 2  # all but the first side

    found, _ = joined(points, triangles, may_join)

    assert found == [cycle(polygon) for polygon in (*triangles[:2], *polygons[1:])]


@pytest.mark.parametrize(("bend", "count"), [(FLAT * (1 - SHARE), 1), (FLAT * (1 + SHARE), 2)])
def test_a_bend_as_small_as_features_leave_out_is_flat(bend, count):
    points = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (-1, 0, math.tan(bend))])

    found, _ = joined(points, np.array([(0, 1, 2), (0, 2, 3)]))

    assert len(found) == count


GRID = np.array([(x, y, 0.0) for y in range(4) for x in range(4)])
SQUARES = {(x, y): (4 * y + x, 4 * y + x + 1, 4 * y + x + 5, 4 * y + x + 4) for y in range(3) for x in range(3)}


def test_points_inside_a_flat_side_are_no_corners_and_those_on_its_rim_are():
    found, _ = joined(GRID, fans(SQUARES.values()))

    assert found == [(0, 1, 2, 3, 7, 11, 15, 14, 13, 12, 8, 4)]


@pytest.mark.parametrize(
    "missing",
    [
        pytest.param([(1, 1)], id="a hole"),
        pytest.param([(1, 1), (2, 2)], id="a hole that touches the rim in a corner"),
    ],
)
def test_a_side_whose_rim_is_no_single_ring_stays_as_it_is(missing):
    triangles = fans([square for place, square in SQUARES.items() if place not in missing])

    found, _ = joined(GRID, triangles)

    assert found == [cycle(triangle) for triangle in triangles]


def shape(world, collider=0):
    """Return a collider's points, and its polygons with their places in the world."""
    points, corners, starts = ColliderShapes.of(world).of_collider(collider)
    return points, [points[part] for part in np.split(corners, starts[1:])]


@pytest.mark.parametrize(("points", "polygons"), SOLIDS.values(), ids=SOLIDS.keys())
def test_a_hull_has_the_sides_of_its_solid_and_looks_outwards(points, polygons):
    found, sides = shape(World.build([TriMesh(points, fans(polygons), "solid")]))

    assert sorted(map(tuple, found)) == sorted(map(tuple, points))
    assert sorted(map(len, sides)) == sorted(map(len, polygons))
    for side in sides:
        normal = np.cross(side[1] - side[0], side[2] - side[0])
        heights = (found - side[0]) @ normal
        assert heights.max() < 1e-12  # all of a convex solid is behind its sides
        assert np.count_nonzero(heights > -1e-12) == len(side)  # the side has all points in its plane


def test_faces_keep_their_triangles_and_hulls_beside_them_have_sides():
    world = World.build([sheet((0, 0, 0), (9, 0, 0), (0, 9, 0)), box((0, 0, 1), (1, 1, 2)), room()])
    colliders = world.colliders

    for collider in range(len(colliders)):
        triangles = colliders.triangles[colliders.collider == collider]
        _, sides = shape(world, collider)
        if colliders.names[colliders.object_index[collider]] == "box":
            assert [len(side) for side in sides] == [4] * 6
        else:
            np.testing.assert_array_equal(np.stack(sides), colliders.vertices[triangles])


def test_points_that_no_polygon_has_are_left_out():
    points = [(x, y, z) for x in range(4) for y in range(4) for z in range(4)]
    rim = {p for p in points if sum(value in (0, 3) for value in p) >= 2}
    squares = [
        [tuple(np.roll((level, u + du, v + dv), axis).tolist()) for du, dv in around]
        for axis in range(3)
        for level, around in ((3, ((0, 0), (1, 0), (1, 1), (0, 1))), (0, ((0, 0), (0, 1), (1, 1), (1, 0))))
        for u in range(3)
        for v in range(3)
    ]
    number = {p: i for i, p in enumerate(points)}
    triangles = fans([[number[p] for p in square] for square in squares])

    found, sides = shape(World.build([TriMesh(points, triangles, "grid")]))

    assert {tuple(p) for p in found} <= rim
    assert len(sides) == 6
    assert len(found) == len({tuple(p) for side in sides for p in side})
