"""Triangles without area go, and a closed surface stays closed: the triangle beside them takes in their corner."""

import math

import builders
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from levelwalk.core import Settings, TriMesh, World
from levelwalk.core.colliders.clean import clean_meshes
from levelwalk.core.colliders.needles import ROUNDS

WIDTH = 1.2
SQUARE = [(0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 0)]


def stepped(count, run, rise):
    """Return the outline of stairs [(x, z), ..], clockwise: their inner corners are on one line."""
    corners = [(i * run, (i + up) * rise) for i in range(count) for up in (0, 1)]
    return [*corners, (count * run, count * rise), (count * run, 0.0)]


def stairs(count, run, rise, side):
    """Return stairs as one outline extruded, both of its sides cut into the triangles `side` of the outline."""
    outline = np.array(stepped(count, run, rise))
    corners = len(outline)
    near = np.column_stack([outline[:, 0], np.zeros(corners), outline[:, 1]])
    side = np.array(side)
    i = np.arange(corners)
    j = (i + 1) % corners
    quads = [np.column_stack([i, j, corners + j]), np.column_stack([i, corners + j, corners + i])]
    triangles = np.concatenate([side[:, ::-1], side + corners, *quads])
    return TriMesh(np.concatenate([near, near + [0, WIDTH, 0]]), triangles, "stairs")


def ears(count):
    """Return the outer triangles of each step, and their inner corners with the foot, in a row."""
    inner = [*range(0, 2 * count + 1, 2), 2 * count + 1]
    return [(2 * i, 2 * i + 1, 2 * i + 2) for i in range(count)], inner


def fan(count):
    """Cut a side into the steps, and a fan from the first inner corner: all but one of it are needles."""
    outer, inner = ears(count)
    return outer + [(inner[0], inner[i], inner[i + 1]) for i in range(1, len(inner) - 1)]


def at_random(count, seed):
    """Cut a side into the steps, then one corner after the other by chance, also those on a straight line."""
    outer, inner = ears(count)
    random = np.random.default_rng(seed)
    while len(inner) > 3:
        k = int(random.integers(0, len(inner) - 1))  # never the foot, which would leave the line alone
        outer.append((inner[k - 1], inner[k], inner[k + 1]))
        del inner[k]
    return [*outer, tuple(inner)]


def sound(count):
    """Cut a side into the steps, and a fan from the foot: every triangle has an area."""
    outer, inner = ears(count)
    return outer + [(inner[-1], inner[i], inner[i + 1]) for i in range(len(inner) - 2)]


def in_single(mesh):
    return TriMesh(mesh.vertices.astype(np.float32).astype(float), mesh.triangles, mesh.name)


def of(mesh, **options):
    return TriMesh(mesh.vertices, mesh.triangles, mesh.name, **options)


def split(mesh):
    return TriMesh(mesh.vertices[mesh.triangles].reshape(-1, 3), np.arange(mesh.triangles.size).reshape(-1, 3), "split")


def volume(count, run, rise):
    return WIDTH * run * rise * count * (count + 1) / 2


def assert_closed(clean, expected_volume):
    """Each side runs against exactly one other, every triangle has an area, and the volume is that of the drawing."""
    begin, end = clean.triangles.ravel(), np.roll(clean.triangles, -1, axis=1).ravel()
    sides = list(zip(begin.tolist(), end.tolist(), strict=True))
    assert len(set(sides)) == len(sides) and {(b, a) for a, b in sides} == set(sides)
    a, b, c = np.moveaxis(clean.vertices[clean.triangles], 1, 0)
    cross = np.cross(b - a, c - a)
    assert (np.linalg.norm(cross, axis=1) > 0).all()
    assert np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6 == pytest.approx(expected_volume, rel=1e-5)


SIZES = [
    pytest.param(8, 0.30, 0.18, id="8 of 0.30 x 0.18"),
    pytest.param(8, 0.30, 0.20, id="8 of 0.30 x 0.20"),
    pytest.param(8, 0.28, 0.17, id="8 of 0.28 x 0.17"),
    pytest.param(40, 0.28, 0.17, id="40 of 0.28 x 0.17"),
]


@pytest.mark.parametrize("move", [0, 3.7, 100])
@pytest.mark.parametrize(("count", "run", "rise"), SIZES)
def test_a_chain_of_needles_leaves_stairs_closed(count, run, rise, move):
    mesh = in_single(builders.moved(stairs(count, run, rise, fan(count)), (move, 0, 0)))

    clean = clean_meshes([mesh])

    assert_closed(clean, volume(count, run, rise))
    assert len(clean.triangles) == len(mesh.triangles)
    assert clean.zero_area.tolist() == [0]
    assert clean.mended[0] > 0 or move


def test_counts_the_needles_of_a_chain():
    """With whole numbers each inner corner but the first and the last is the middle of one needle on each side."""
    clean = clean_meshes([stairs(8, 2, 1, fan(8))])

    assert_closed(clean, volume(8, 2, 1))
    assert clean.mended.tolist() == [2 * 7]


@pytest.mark.parametrize(("count", "is_mended"), [(ROUNDS, True), (3 * ROUNDS, False)])
def test_a_fan_is_mended_up_to_so_many_needles(count, is_mended):
    clean = clean_meshes([stairs(count, 2, 1, fan(count))])

    assert (clean.zero_area[0] == 0) == is_mended
    assert clean.mended[0] + clean.zero_area[0] == 2 * (count - 1)


@settings(max_examples=60, deadline=None)
@given(
    count=st.integers(2, 30),
    seeds=st.integers(0, 10_000),
    run=st.floats(0.2, 0.4),
    rise=st.floats(0.1, 0.3),
    place=st.sampled_from([(0.0, in_single), (3.7, in_single), (3.7, of), (33.0, of)]),
    is_split=st.booleans(),
)
def test_needles_in_any_order_leave_stairs_closed(count, seeds, run, rise, place, is_split):
    """Also as rounded by single precision; that, 33 m from the origin, leaves 3 of 1,000 such cuts open."""
    move, rounded = place
    mesh = builders.moved(stairs(count, run, rise, at_random(count, seeds)), (move, 0, 0))
    mesh = rounded(split(mesh) if is_split else mesh)

    assert_closed(clean_meshes([mesh]), volume(count, run, rise))


@pytest.mark.parametrize(("count", "run", "rise"), SIZES)
def test_pieces_and_solids_are_made_of_them(count, run, rise):
    mesh = in_single(stairs(count, run, rise, fan(count)))

    pieces, solid = (World.build([of(mesh, **kind)]).report for kind in ({"mode": "PIECES"}, {"sides": "SOLID"}))

    assert pieces.lines() == solid.lines() == []
    assert pieces.hulls == count and pieces.faces == 0


def test_flat_faces_are_merged_as_if_there_had_been_none():
    needles, clean = (stairs(8, 2, 1, side(8)) for side in (fan, sound))

    assert World.build([needles]).report.faces == World.build([clean]).report.faces


def test_casts_are_those_of_a_mesh_without_them():
    needles, clean = (World.build([of(stairs(8, 0.3, 0.18, side(8)), mode="FACES")]) for side in (fan, sound))
    random = np.random.default_rng(3)
    start = random.uniform((-2, -2, -2), (4, 3, 3), (2000, 3))
    way = random.uniform((0, 0, -1), (2.4, WIDTH, 1.5), (2000, 3)) - start

    found, expected = (world.cast(Settings(radius=0.1, height=0.4), start, way) for world in (needles, clean))

    np.testing.assert_allclose(found.fraction, expected.fraction, atol=1e-9)
    assert (expected.fraction < 1).mean() > 0.2


def test_two_needles_back_to_back():
    """Between two triangles with the same long edge, each corner beside it is a needle's middle."""
    # Above the line 0 to 6 it is cut at 2, below it at 4; a roof and a keel close it to a solid.
    corners = [(0, 0, 0), (6, 0, 0), (2, 0, 0), (4, 0, 0), (3, 3, 0), (3, -3, 0), (3, 0, 3)]
    top = [(0, 2, 4), (2, 1, 4), (0, 5, 3), (3, 5, 1), (0, 1, 2), (1, 0, 3)]
    roof = [(1, 6, 4), (4, 6, 0), (0, 6, 5), (5, 6, 1)]
    mesh = TriMesh(corners, [three[::-1] for three in [*top, *roof]], "tent")

    clean = clean_meshes([mesh])

    assert_closed(clean, abs(18 * 3 / 3))
    assert clean.mended.tolist() == [2]


@pytest.mark.parametrize("height", [0.9e-6, 1.1e-6])
def test_a_needle_is_mended_up_to_the_height_of_a_triangle_with_an_area(height):
    """A square of which a needle's corner lies on the diagonal."""
    corners = [*SQUARE, (1 - height * 2, 1 + height * 2, 0)]
    mesh = TriMesh(corners, [(0, 1, 2), (0, 2, 4), (0, 4, 3), (4, 2, 3)])

    clean = clean_meshes([mesh])

    assert clean.mended.tolist() == [int(height < 1e-6)]
    assert clean.zero_area.tolist() == [0]
    assert len(clean.triangles) == 4


def test_a_needle_at_a_border_is_dropped_and_nothing_cut():
    corners = [*SQUARE, (1, 0, 0)]
    mesh = TriMesh(corners, [(0, 4, 2), (4, 1, 2), (0, 2, 3), (0, 1, 4)])

    clean = clean_meshes([mesh])

    assert clean.zero_area.tolist() == [1] and clean.mended.tolist() == [0]
    np.testing.assert_array_equal(clean.triangles, mesh.triangles[:3])


def test_doubles_do_not_hinder():
    once = stairs(8, 2, 1, fan(8))
    twice = TriMesh(once.vertices, np.concatenate([once.triangles, once.triangles]), "twice")

    clean = clean_meshes([twice])

    assert_closed(clean, volume(8, 2, 1))
    assert clean.mended.tolist() == clean.zero_area.tolist() == [2 * 7]
    assert clean.duplicates.tolist() == [len(once.triangles) - 2 * 7]


def test_one_mesh_is_mended_as_if_it_were_alone():
    meshes = [in_single(stairs(n, 0.28, 0.17, at_random(n, n))) for n in (3, 30, 12)]

    together = clean_meshes(meshes)

    for row, mesh in enumerate(meshes):
        alone = clean_meshes([mesh])
        found = together.triangles[together.triangle_mesh == row]
        np.testing.assert_array_equal(together.vertices[found], alone.vertices[alone.triangles])


def test_a_turned_arch_cut_at_random_stays_closed():
    """What booleans leave: needles in planes that lie along no axis."""
    random = np.random.default_rng(0)
    turn = np.linalg.qr(random.normal(size=(3, 3)))[0]
    turn *= math.copysign(1, np.linalg.det(turn))
    flat = stairs(12, 0.28, 0.17, at_random(12, 5))
    turned = in_single(TriMesh(flat.vertices @ turn.T + 2, flat.triangles))

    assert_closed(clean_meshes([turned]), volume(12, 0.28, 0.17))
