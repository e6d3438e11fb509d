"""What faces are to the character, and which edges show the shape of a level."""

import math

import numpy as np
import pytest

from levelwalk.core import TriMesh, World
from levelwalk.core.samples.blocks import box
from levelwalk.core.surfaces import Role, Surface, find_outlines, find_roles, find_surfaces

LIMIT = math.radians(45)
MARGIN = math.radians(0.1)  # body.LIMIT_MARGIN
SLIGHTLY = math.radians(0.001)
MANY = 1000


def slab(degrees, **options):
    """Return a square sheet that rises along x by `degrees`."""
    angle = math.radians(degrees)
    x, z = math.cos(angle), math.sin(angle)
    vertices = [[0, 0, 0], [x, 0, z], [x, 1, z], [0, 1, 0]]
    return TriMesh(vertices, [[0, 1, 2], [0, 2, 3]], "slab", **options)


def surfaces_of(*meshes, limit=LIMIT, up=(0, 0, 1)):
    return find_surfaces(World.build(meshes).features, limit, up)


@pytest.mark.parametrize(
    ("degrees", "expected"),
    [
        pytest.param(0, Surface.WALKABLE, id="level"),
        pytest.param(math.degrees(LIMIT), Surface.WALKABLE, id="at the limit"),
        pytest.param(math.degrees(LIMIT + MARGIN - SLIGHTLY), Surface.WALKABLE, id="just within the margin"),
        pytest.param(math.degrees(LIMIT + MARGIN + SLIGHTLY), Surface.STEEP, id="just beyond the margin"),
        pytest.param(84.99, Surface.STEEP, id="just not a wall"),
        pytest.param(85.01, Surface.WALL, id="just a wall"),
        pytest.param(90, Surface.WALL, id="upright"),
        pytest.param(100, Surface.STEEP, id="a sheet that leans over, by its upper side"),
        pytest.param(180, Surface.WALKABLE, id="a sheet upside down, by its upper side"),
    ],
)
def test_a_sheet_is_judged_by_its_slope(degrees, expected):
    assert surfaces_of(slab(degrees)).tolist() == [expected] * 2


def test_a_hull_is_judged_by_its_outside():
    world = World.build([box("block", (0, 1), (0, 1), (0, 1))])
    surfaces = find_surfaces(world.features, LIMIT)

    for surface, rise in ((Surface.WALKABLE, 1), (Surface.WALL, 0), (Surface.CEILING, -1)):
        np.testing.assert_array_equal(surfaces == surface, np.isclose(world.features.normal[:, 2], rise))
    assert np.bincount(surfaces, minlength=6).tolist() == [2, 0, 8, 2, 0, 0]


@pytest.mark.parametrize(
    ("lean", "expected"),
    [(4.99, Surface.WALL), (5.01, Surface.CEILING)],
    ids=["just a wall", "just a ceiling"],
)
def test_the_underside_of_a_leaning_side_is_a_ceiling_from_five_degrees_on(lean, expected):
    out = math.tan(math.radians(lean))
    low, high = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[-out, 0, 1], [1, 0, 1], [1, 1, 1], [-out, 1, 1]]
    sides = [[0, 2, 1], [0, 3, 2], [4, 5, 6], [4, 6, 7]]
    sides += [t for i in range(4) for t in ([i, (i + 1) % 4, 4 + (i + 1) % 4], [i, 4 + (i + 1) % 4, 4 + i])]
    world = World.build([TriMesh(low + high, sides, "leaning")])
    leans = world.features.normal[:, 0] < -0.5

    assert np.count_nonzero(leans) == 2
    assert set(find_surfaces(world.features, LIMIT)[leans]) == {expected}


def test_another_up_makes_another_side_walkable():
    world = World.build([box("block", (0, 1), (0, 1), (0, 1))])
    walkable = find_surfaces(world.features, LIMIT, up=(1, 0, 0)) == Surface.WALKABLE

    np.testing.assert_allclose(world.features.normal[walkable], [[1, 0, 0]] * 2, atol=1e-12)


def test_an_obstacle_is_never_walkable():
    assert surfaces_of(slab(10, layer="OBSTACLE")).tolist() == [Surface.OBSTACLE] * 2
    assert surfaces_of(slab(60, layer="OBSTACLE")).tolist() == [Surface.STEEP] * 2


def test_what_never_stops_is_walkable_or_not_there():
    assert surfaces_of(slab(10, layer="GROUND")).tolist() == [Surface.WALKABLE] * 2
    assert surfaces_of(slab(60, layer="GROUND")).tolist() == [Surface.PASSED] * 2
    assert surfaces_of(slab(90, layer="GROUND")).tolist() == [Surface.PASSED] * 2


def test_roles_follow_kind_layer_and_ladders():
    block = box("block", (0, 1), (0, 1), (0, 1))
    ladder = TriMesh(block.vertices, block.triangles, "ladder", layer="OBSTACLE", is_climbable=True)
    meshes = [block, slab(10), slab(10, layer="GROUND"), slab(10, layer="OBSTACLE"), ladder]
    world = World.build(meshes)

    roles = find_roles(world.colliders, world.climbable)

    expected = [Role.HULL, Role.FACES, Role.GROUND, Role.OBSTACLE, Role.CLIMBABLE]
    for index, role in enumerate(expected):
        assert set(roles[world.features.object_index == index]) == {role}


def outlines_of(*meshes, most=MANY):
    features = World.build(meshes).features
    return find_outlines(features, find_surfaces(features, LIMIT), most)


def test_the_outline_of_a_box_is_its_twelve_edges():
    lines, classes = outlines_of(box("block", (0, 2), (0, 3), (0, 4)))

    lengths = np.linalg.norm(lines[:, 1] - lines[:, 0], axis=1)
    assert sorted(lengths.round(9)) == [2] * 4 + [3] * 4 + [4] * 4
    # The four about the top are walkable, the four upright ones and the four below are of walls.
    is_top = (lines[..., 2] == 4).all(axis=1)
    assert set(classes[is_top]) == {Surface.WALKABLE}
    assert set(classes[~is_top]) == {Surface.WALL}


def test_a_flat_floor_of_many_squares_shows_only_its_rim():
    side = 5
    x, y = np.meshgrid(np.arange(side + 1.0), np.arange(side + 1.0))
    vertices = np.stack([x.ravel(), y.ravel(), 0 * x.ravel()], axis=1)
    corner = (np.arange(side)[:, None] * (side + 1) + np.arange(side)).ravel()
    quads = np.stack([corner, corner + 1, corner + side + 2, corner + side + 1], axis=1)
    floor = TriMesh(vertices, np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]]), "floor")

    lines, _ = outlines_of(floor)

    assert (np.abs(lines[..., :2] - side / 2).max(axis=-1) == side / 2).all()  # both ends of each on the rim
    assert np.linalg.norm(lines[:, 1] - lines[:, 0], axis=1).sum() == 4 * side


def bent(degrees):
    """Return two unit squares that share an edge along y and bend by an angle there."""
    angle = math.radians(degrees)
    vertices = [[-1, 0, 0], [0, 0, 0], [0, 1, 0], [-1, 1, 0], [math.cos(angle), 0, math.sin(angle)]]
    vertices.append([math.cos(angle), 1, math.sin(angle)])
    return TriMesh(vertices, [[0, 1, 2], [0, 2, 3], [1, 4, 5], [1, 5, 2]], "bent")


@pytest.mark.parametrize(("degrees", "edges"), [(9.99, 6), (10.01, 7), (-10.01, 7)])
def test_a_crease_shows_from_ten_degrees_on(degrees, edges):
    assert len(outlines_of(bent(degrees))[0]) == edges


def test_the_border_between_surfaces_shows_however_little_it_bends():
    features = World.build([bent(1)]).features
    limit = math.radians(0.5) - MARGIN  # between the two

    assert len(find_outlines(features, find_surfaces(features, limit), MANY)[0]) == 7


def test_of_too_many_edges_the_sharpest_are_kept():
    features = World.build([bent(30)]).features
    classes = np.zeros(4, np.int8)

    assert len(find_outlines(features, classes, 7)[0]) == 7
    lines, _ = find_outlines(features, classes, 6)
    is_crease = (lines[..., 0] == 0).all(axis=1)
    assert len(lines) == 6
    assert not is_crease.any()  # rims come first


def test_an_empty_level_has_no_outline():
    lines, classes = outlines_of()

    assert lines.shape == (0, 2, 3)
    assert classes.shape == (0,)
