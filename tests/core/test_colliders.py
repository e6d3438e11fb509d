"""What level objects become, by mode, layer and shape, and what the report says of them."""

import itertools
import math
from dataclasses import replace

import builders
import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from levelwalk.core import ColliderMode, Layer, TriMesh
from levelwalk.core.colliders.build_report import BuildReport, ObjectReport
from levelwalk.core.colliders.colliders import ColliderKind, build_colliders

HULL, FACES, SOLID = ColliderKind
BOX = builders.box((0, 0, 0), (1, 2, 3), "crate")
# An L from the side, as a fan about its inner corner; 4 m x 1 m and 1 m x 1 m, 2 m wide.
L_SHAPE = builders.extruded([(1, 1), (1, 2), (0, 2), (0, 0), (4, 0), (4, 1)], 1.0, "bench")


@pytest.fixture
def unmerged(monkeypatch):
    """Leave every triangle as it is, so that it can be compared."""
    monkeypatch.setattr("levelwalk.core.colliders.colliders.IS_MERGING", False)


def of_mode(mesh, mode, layer="BOTH"):
    return TriMesh(mesh.vertices, mesh.triangles, mesh.name, mode=mode, layer=layer)


def with_sides(mesh, sides, mode="AUTO"):
    return TriMesh(mesh.vertices, mesh.triangles, mesh.name, mode=mode, sides=sides)


def joined(*meshes, name="joined"):
    begins = np.cumsum([0, *(len(mesh.vertices) for mesh in meshes)])
    triangles = [mesh.triangles + begin for mesh, begin in zip(meshes, begins, strict=False)]
    return TriMesh(np.concatenate([mesh.vertices for mesh in meshes]), np.concatenate(triangles), name)


def mixed(mesh):
    """Return the mesh with every third triangle turned round."""
    triangles = mesh.triangles.copy()
    triangles[::3] = triangles[::3, ::-1]
    return TriMesh(mesh.vertices, triangles, mesh.name)


def split(mesh):
    return TriMesh(mesh.vertices[mesh.triangles].reshape(-1, 3), np.arange(mesh.triangles.size).reshape(-1, 3), "split")


def places(vertices, triangles):
    """Return each triangle as its three places, sorted by place: for comparing without order."""
    return sorted(tuple(sorted(map(tuple, corners))) for corners in np.asarray(vertices)[triangles].tolist())


def volume(colliders, collider):
    """Return the volume that a collider's triangles enclose; positive if they are seen from outside."""
    a, b, c = np.moveaxis(colliders.vertices[colliders.triangles[colliders.collider == collider]], 1, 0)
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


def area_of(colliders):
    """Return the area of each collider."""
    a, b, c = np.moveaxis(colliders.vertices[colliders.triangles], 1, 0)
    return np.bincount(colliders.collider, np.linalg.norm(np.cross(b - a, c - a), axis=1), len(colliders))


def kinds(*meshes):
    return [ColliderKind(kind) for kind in build_colliders(meshes)[0].kind]


def assert_consistent(colliders):
    """Check what every user of colliders relies on."""
    faces = len(colliders.triangles)
    assert colliders.vertices.dtype == np.float64 and colliders.triangles.dtype == np.int64
    assert colliders.is_one_sided.shape == colliders.collider.shape == colliders.carries.shape == (faces,)
    assert colliders.kind.dtype == np.int8 and colliders.kind.shape == colliders.object_index.shape == (len(colliders),)
    np.testing.assert_array_equal(np.unique(colliders.triangles), np.arange(len(colliders.vertices)))
    np.testing.assert_array_equal(np.unique(colliders.collider), np.arange(len(colliders)))
    assert (np.diff(colliders.collider) >= 0).all() and (np.diff(colliders.object_index) >= 0).all()
    assert colliders.is_one_sided[colliders.kind[colliders.collider] != FACES].all()
    owners = np.column_stack([colliders.triangles.ravel(), np.repeat(colliders.collider, 3)])
    assert len(np.unique(owners, axis=0)) == len(colliders.vertices)
    for collider in np.flatnonzero(colliders.kind != FACES):
        triangles = colliders.triangles[colliders.collider == collider]
        solid = trimesh.Trimesh(colliders.vertices, triangles, process=False)
        assert solid.is_watertight and solid.is_winding_consistent and volume(colliders, collider) > 0


@pytest.mark.parametrize(
    "mesh",
    [
        pytest.param(BOX, id="a box"),
        pytest.param(builders.flipped(BOX), id="flipped normals"),
        pytest.param(split(BOX), id="split at every edge"),
        pytest.param(TriMesh(BOX.vertices * [-1, 1, 1], BOX.triangles), id="mirrored"),
        pytest.param(joined(BOX, BOX), id="there twice"),
        pytest.param(builders.ramp(20), id="a ramp"),
    ],
)
def test_auto_makes_a_hull_of_a_convex_solid_from_its_own_triangles(mesh):
    colliders, _ = build_colliders([mesh])

    assert_consistent(colliders)
    assert colliders.kind.tolist() == [HULL]
    assert colliders.is_one_sided.all()
    once = len({tuple(sorted(map(tuple, corners))) for corners in mesh.vertices[mesh.triangles].tolist()})
    assert len(colliders.triangles) == once
    assert set(places(colliders.vertices, colliders.triangles)) == set(places(mesh.vertices, mesh.triangles))


@pytest.mark.parametrize(
    "mesh",
    [
        pytest.param(builders.floor(), id="a floor"),
        pytest.param(builders.stairs(), id="stairs"),
        pytest.param(L_SHAPE, id="a solid with a step"),
        pytest.param(TriMesh(BOX.vertices, BOX.triangles[2:]), id="a box without a bottom"),
    ],
)
def test_auto_leaves_everything_else_as_it_is(mesh, unmerged):
    colliders, report = build_colliders([mesh])

    assert_consistent(colliders)
    assert colliders.kind.tolist() == [FACES]
    assert not colliders.is_one_sided.any()
    np.testing.assert_array_equal(colliders.vertices[colliders.triangles], mesh.vertices[mesh.triangles])
    assert report.lines() == []


def test_auto_looks_at_each_loose_part():
    room = joined(builders.floor(), BOX, builders.moved(L_SHAPE, (9, 0, 0)), builders.moved(BOX, (0, 9, 0)))

    colliders, report = build_colliders([room])

    assert_consistent(colliders)
    assert colliders.kind.tolist() == [HULL, HULL, FACES]  # hulls first, then what stays of the object
    assert report.objects[0].hulls == 2
    assert report.objects[0].faces == 1 + 6 + 2 * 2  # the floor, six sides of the L, and its two flanks in halves
    assert [volume(colliders, i) for i in range(2)] == pytest.approx([6, 6])


def test_auto_leaves_a_door_open(unmerged):
    """A wall 4 m long of one piece, with a door 0.9 m x 2.0 m."""
    left, right = [(0, 0), (1.5, 0), (1.5, 2), (0, 2)], [(2.4, 0), (4, 0), (4, 2), (2.4, 2)]
    lintel = [(0, 3), (0, 2), (1.5, 2), (2.4, 2), (4, 2), (4, 3)]
    outline = [(0, 0), (1.5, 0), (1.5, 2), (2.4, 2), (2.4, 0), (4, 0), (4, 2), (4, 3), (0, 3), (0, 2)]
    near = {place: i for i, place in enumerate(outline)}
    fans = [(piece[0], piece[i], piece[i + 1]) for piece in (left, right, lintel) for i in range(1, len(piece) - 1)]
    front = np.array([[near[place] for place in three] for three in fans])
    rim = np.arange(len(outline))
    after = np.roll(rim, -1)
    far = len(outline)
    sides = [np.column_stack([rim, rim + far, after + far]), np.column_stack([rim, after + far, after])]
    vertices = [(x, y, z) for y in (0, 0.2) for x, z in outline]
    wall = TriMesh(vertices, np.concatenate([front, front[:, ::-1] + far, *sides]), "wall")
    assert trimesh.Trimesh(wall.vertices, wall.triangles, process=False).is_watertight

    colliders, _ = build_colliders([wall])

    assert colliders.kind.tolist() == [FACES]
    np.testing.assert_array_equal(colliders.vertices[colliders.triangles], wall.vertices[wall.triangles])


def test_hull_closes_what_is_open():
    colliders, report = build_colliders([of_mode(L_SHAPE, "HULL")])

    assert_consistent(colliders)
    assert colliders.kind.tolist() == [HULL]
    # The L without the corner between (1, 2) and (4, 1) has 3 m² + 1 m² + 1.5 m² of triangle; times 2 m.
    assert volume(colliders, 0) == pytest.approx(2 * (4 + 1 + 1.5))
    assert report.objects[0].hulls == 1 and report.objects[0].faces == 0


def test_hull_goes_round_all_parts():
    both = joined(BOX, builders.moved(BOX, (3, 0, 0)))

    colliders, _ = build_colliders([of_mode(both, "HULL")])

    assert_consistent(colliders)
    assert colliders.kind.tolist() == [HULL]
    assert volume(colliders, 0) == pytest.approx(4 * 2 * 3)


def test_parts_makes_a_hull_of_each_part():
    both = joined(L_SHAPE, builders.moved(BOX, (9, 0, 0)))

    colliders, report = build_colliders([of_mode(both, "PARTS")])

    assert_consistent(colliders)
    assert colliders.kind.tolist() == [HULL, HULL]
    assert [volume(colliders, i) for i in range(2)] == pytest.approx([13, 6])
    assert report.summary() == "2 hulls and 0 faces from 1 object"


def test_faces_leaves_a_convex_solid_as_it_is(unmerged):
    colliders, _ = build_colliders([of_mode(BOX, "FACES")])

    assert_consistent(colliders)
    assert colliders.kind.tolist() == [FACES]
    np.testing.assert_array_equal(colliders.vertices[colliders.triangles], BOX.vertices[BOX.triangles])


@pytest.mark.parametrize("mode", ["HULL", "PARTS"])
def test_what_spans_no_volume_stays_faces(mode):
    colliders, report = build_colliders([of_mode(builders.floor(name="mat"), mode)])

    assert_consistent(colliders)
    assert colliders.kind.tolist() == [FACES]
    assert len(colliders.triangles) == 2
    assert report.objects[0].faces == 1
    assert len(report.lines()) == 1
    assert report.lines()[0].startswith("mat: ")
    assert "all points lie in one plane" in report.lines()[0] and "“Faces”" in report.lines()[0]


def test_flat_parts_between_others_stay_faces():
    both = joined(builders.floor(), BOX, builders.floor(5), name="hall")

    colliders, report = build_colliders([of_mode(both, "PARTS")])

    assert_consistent(colliders)
    assert colliders.kind.tolist() == [HULL, FACES]
    assert report.objects[0].hulls == 1 and report.objects[0].faces == 2
    assert report.lines()[0].startswith("hall: 2 parts without a hull, because all points lie in one plane")


def test_none_is_left_out_and_not_looked_at():
    broken = TriMesh([(0, 0, math.nan)], [(0, 1, 2)], "cloud", mode="NONE")

    colliders, report = build_colliders([broken, BOX])

    assert_consistent(colliders)
    assert colliders.names == ("cloud", "crate")
    assert colliders.object_index.tolist() == [1]
    assert report.objects[0].is_left_out and report.objects[0].triangles == 1
    assert report.summary() == "1 hull and 0 faces from 1 object; 1 left out"
    assert report.lines() == ["cloud: left out: its collider is “None”"]


@pytest.mark.parametrize(
    ("mesh", "reason"),
    [
        pytest.param(TriMesh([], [], "empty"), "empty: left out: it has no triangles", id="empty"),
        pytest.param(TriMesh([(0, 0, 0)], [], "empty"), "empty: left out: it has no triangles", id="a loose point"),
        pytest.param(
            TriMesh([(0, 0, 0), (1, 1, 1), (2, 2, 2)], [(0, 1, 2)], "line"),
            "line: left out: none of its triangles has an area",
            id="a line",
        ),
    ],
)
@pytest.mark.parametrize("mode", ["AUTO", "HULL", "PARTS", "FACES"])
def test_what_has_no_surface_is_left_out(mesh, reason, mode):
    colliders, report = build_colliders([of_mode(mesh, mode), BOX])

    assert_consistent(colliders)
    assert colliders.object_index.tolist() == [1]
    assert report.objects[0].is_left_out
    assert report.lines()[0] == reason


@pytest.mark.parametrize("meshes", [[], [TriMesh([], [])]])
def test_an_empty_level_has_no_colliders(meshes):
    colliders, report = build_colliders(meshes)

    assert_consistent(colliders)
    assert len(colliders) == 0
    assert report.summary().startswith("0 hulls and 0 faces from 0 objects")


@pytest.mark.parametrize("mode", ["AUTO", "HULL", "FACES"])
def test_only_obstacles_do_not_carry(mode):
    layers = list(Layer)

    colliders, _ = build_colliders([of_mode(BOX, mode, layer) for layer in layers])

    carries = {layers[i]: set(colliders.carries[colliders.object_index[colliders.collider] == i]) for i in range(3)}
    assert carries == {Layer.BOTH: {True}, Layer.GROUND: {True}, Layer.OBSTACLE: {False}}


@pytest.mark.parametrize("mode", ["AUTO", "FACES"])
@pytest.mark.parametrize("mesh", [L_SHAPE, builders.flipped(L_SHAPE), mixed(L_SHAPE)])
def test_a_closed_surface_is_a_solid_if_asked(mesh, mode):
    colliders, report = build_colliders([with_sides(mesh, "SOLID", mode)])

    assert_consistent(colliders)
    assert colliders.kind.tolist() == [SOLID]
    assert volume(colliders, 0) == pytest.approx(2 * (4 + 1))
    assert report.objects[0].faces == 6 + 2 * 2 and report.lines() == []


def test_each_closed_part_is_a_solid():
    yard = joined(
        builders.floor(), L_SHAPE, builders.moved(L_SHAPE, (9, 0, 0)), builders.moved(BOX, (0, 9, 0)), name="yard"
    )

    colliders, report = build_colliders([with_sides(yard, "SOLID")])

    assert_consistent(colliders)
    assert colliders.kind.tolist() == [HULL, FACES, SOLID, SOLID]
    assert colliders.is_one_sided.all()
    assert [volume(colliders, i) for i in (0, 2, 3)] == pytest.approx([6, 10, 10])
    assert report.objects[0].hulls == 1 and report.objects[0].faces == 1 + 2 * 10
    assert report.lines() == [
        "yard: 1 part has no inside, because the surface is not closed, so the faces count from the front; "
        "fill the holes, or set “Sides” to “Both”"
    ]


@pytest.mark.parametrize("sides", ["BOTH", "FRONT", "SOLID"])
def test_faces_count_from_the_sides_that_are_asked(sides):
    colliders, _ = build_colliders([with_sides(builders.floor(), sides), builders.floor(3)])

    assert_consistent(colliders)
    assert colliders.kind.tolist() == [FACES, FACES]
    assert colliders.is_one_sided.tolist() == [sides != "BOTH"] * 2 + [False] * 2
    a, b, c = np.moveaxis(colliders.vertices[colliders.triangles], 1, 0)
    assert (np.cross(b - a, c - a)[:, 2] > 0).all()  # as they were given: upwards


def test_a_sheet_folded_flat_has_no_inside():
    corners = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
    folded = TriMesh(corners, [(0, 1, 2), (0, 2, 3), (0, 3, 1), (1, 3, 2)], "leaf", sides="SOLID")

    colliders, report = build_colliders([folded])

    assert colliders.kind.tolist() == [FACES]
    assert len(report.lines()) == 1


def test_objects_keep_their_order_and_names():
    meshes = [of_mode(BOX, mode) for mode in ("FACES", "NONE", "HULL", "PARTS", "AUTO")]
    meshes.insert(3, TriMesh([], [], "nothing"))

    colliders, report = build_colliders(meshes)

    assert_consistent(colliders)
    assert colliders.names == ("crate", "crate", "crate", "nothing", "crate", "crate")
    assert colliders.object_index.tolist() == [0, 2, 4, 5]
    assert colliders.kind.tolist() == [FACES, HULL, HULL, HULL]
    assert [entry.name for entry in report] == list(colliders.names)
    assert [entry.is_left_out for entry in report] == [False, True, False, True, False, False]


@pytest.mark.parametrize("mode", ["AUTO", "HULL", "PARTS", "FACES"])
def test_refuses_bad_meshes_by_name(mode):
    with pytest.raises(ValueError, match=r"^torn: vertex 2 "):
        build_colliders([BOX, TriMesh([(0, 0, 0), (1, 0, 0), (0, math.nan, 0)], [(0, 1, 2)], "torn", mode=mode)])
    with pytest.raises(ValueError, match=r"^short: triangle 0 uses vertex 3"):
        build_colliders([BOX, TriMesh(np.eye(3), [(0, 1, 3)], "short", mode=mode)])


def test_counts_what_was_dropped():
    crate = split(BOX)
    needle = [(5, 5, 5), (6, 5, 5), (7, 5, 5), (8, 8, 8)]
    vertices = np.concatenate([crate.vertices, needle])
    mesh = TriMesh(vertices, [*crate.triangles, (36, 37, 38), (5, 4, 3)], "crate")

    _, report = build_colliders([mesh])

    expected = ObjectReport(
        "crate",
        hulls=1,
        triangles=14,
        dropped_zero_area=1,
        dropped_duplicates=1,
        welded_vertices=36 - 8,
        unused_vertices=1,
    )
    assert [replace(entry, findings=()) for entry in report] == [expected]
    needle_place, double_place = (finding.place for finding in report.objects[0].findings)
    assert needle_place == (6, 5, 5)
    np.testing.assert_allclose(double_place, crate.vertices[crate.triangles[1]].mean(axis=0))
    lines = report.lines()
    assert len(lines) == 2
    assert lines[0].startswith("crate: dropped 1 triangle without area; ")
    assert lines[1].startswith("crate: dropped 1 duplicate triangle; ")


FIN = TriMesh(np.concatenate([L_SHAPE.vertices, [(2.0, 0.0, 3.0)]]), [*L_SHAPE.triangles, (0, 6, 12)], "fin")


def edge_middles(mesh, wanted):
    """Return the middles of the edges that `wanted(count)` triangles have."""
    sides = np.sort(np.concatenate([mesh.triangles[:, [0, 1]], mesh.triangles[:, [1, 2]], mesh.triangles[:, [2, 0]]]))
    edges, count = np.unique(sides, axis=0, return_counts=True)
    return mesh.vertices[edges[[wanted(n) for n in count]]].mean(axis=1)


@pytest.mark.parametrize("options", [{"sides": "SOLID"}, {"mode": "PIECES"}])
def test_shows_where_a_surface_is_open_or_crowded(options):
    _, report = build_colliders([TriMesh(FIN.vertices, FIN.triangles, "fin", **options)])

    kinds = {finding.kind.value: finding for finding in report.objects[0].findings}
    first = "NO_INSIDE" if "sides" in options else "NO_PIECES"
    assert set(kinds) == {first, "CROWDED"}
    assert kinds[first].place in set(map(tuple, edge_middles(FIN, lambda n: n == 1).tolist()))
    assert kinds["CROWDED"].count == 1
    assert [kinds["CROWDED"].place] == list(map(tuple, edge_middles(FIN, lambda n: n == 3).tolist()))
    assert kinds["CROWDED"].words == "1 edge has three faces or more, so that no side is the outside"


def test_shows_where_one_sided_faces_look_to_different_sides():
    corners = [(0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 0), (4, 0, 0), (4, 2, 0)]
    strip = TriMesh(corners, [(0, 1, 2), (0, 3, 2), (1, 4, 5), (1, 5, 2)], "strip", sides="FRONT")

    (finding,) = build_colliders([strip])[1].objects[0].findings

    assert (finding.kind.value, finding.count, finding.place) == ("MIXED", 1, (1, 1, 0))
    assert finding.line().startswith("at 1 edge the faces look to different sides")


@pytest.mark.parametrize(
    ("mesh", "sides"),
    [
        pytest.param(FIN, "BOTH", id="from both sides"),
        pytest.param(FIN, "FRONT", id="from the front"),
        pytest.param(mixed(L_SHAPE), "BOTH", id="mixed, from both sides"),
        pytest.param(mixed(L_SHAPE), "SOLID", id="mixed and closed: it is turned"),
        pytest.param(builders.floor(), "FRONT", id="open, from the front"),
    ],
)
def test_says_nothing_of_what_does_not_matter(mesh, sides):
    assert build_colliders([with_sides(mesh, sides)])[1].lines() == []


def test_sums_up_in_one_line():
    objects = [ObjectReport(f"rock {i}", hulls=2, triangles=24) for i in range(7)]
    objects += [ObjectReport(f"cave {i}", faces=624, triangles=624) for i in range(5)]
    objects += [ObjectReport("cloud", is_left_out=True, reason="its collider is “None”")]

    report = BuildReport(tuple(objects))

    assert report.summary() == "14 hulls and 3,120 faces from 12 objects; 1 left out"
    assert (report.hulls, report.faces, report.triangles, report.left_out) == (14, 3120, 7 * 24 + 3120, 1)


def test_many_turned_boxes_in_one_mesh_are_hulls():
    random = np.random.default_rng(5)
    boxes = []
    for _ in range(300):
        turn = np.linalg.qr(random.normal(size=(3, 3)))[0]  # a rotation, every other one with a mirror
        boxes.append(
            builders.moved(builders.box((0, 0, 0), random.uniform(0.1, 2, 3)), random.normal(size=3) * 50, turn)
        )
    crates = joined(*boxes)
    stored = TriMesh(crates.vertices.astype(np.float32), crates.triangles)

    for mesh, mode in itertools.product([crates, stored], ["AUTO", "PARTS"]):
        colliders, report = build_colliders([of_mode(mesh, mode)])
        assert_consistent(colliders)
        assert report.summary() == "300 hulls and 0 faces from 1 object"


@pytest.mark.parametrize("name", ["nav_test", "dungeon", pytest.param("pandora", marks=pytest.mark.slow)])
def test_real_levels_keep_every_triangle_with_an_area(name, read_real_level, unmerged):
    mesh = read_real_level(name)

    colliders, report = build_colliders([mesh])

    assert_consistent(colliders)
    dropped = report.objects[0].dropped_zero_area + report.objects[0].dropped_duplicates
    assert dropped < 0.01 * len(mesh.triangles)
    assert len(colliders.triangles) == len(mesh.triangles) - dropped
    made = set(places(colliders.vertices, colliders.triangles)) - set(places(mesh.vertices, mesh.triangles))
    assert len(made) <= 2 * report.objects[0].mended_zero_area


@settings(max_examples=200, deadline=None)
@given(
    corners=arrays(np.int64, st.tuples(st.integers(0, 40), st.just(3), st.just(3)), elements=st.integers(-2, 2)),
    modes=st.lists(st.sampled_from(list(ColliderMode)), min_size=3, max_size=3),
    spoil=st.sampled_from([None, "mirror", "squash", "far"]),
)
def test_any_soup_of_triangles_builds(corners, modes, spoil):
    vertices = corners.reshape(-1, 3).astype(float)
    if spoil == "mirror":
        vertices *= [-1, 1, 1]
    if spoil == "squash":
        vertices *= [1, 1, 0]
    if spoil == "far":
        vertices += 1e5
    soup = TriMesh(vertices, np.arange(len(vertices)).reshape(-1, 3), "soup")
    meshes = [of_mode(soup, modes[0]), of_mode(BOX, modes[1]), of_mode(soup, modes[2])]

    merged, told = build_colliders(meshes)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("levelwalk.core.colliders.colliders.IS_MERGING", False)
        colliders, report = build_colliders(meshes)

    assert_consistent(merged)
    np.testing.assert_allclose(area_of(merged), area_of(colliders), rtol=1e-9)
    assert told.hulls == report.hulls and told.faces <= report.faces
    assert_consistent(colliders)
    for i, entry in enumerate(report):
        is_own = colliders.object_index[colliders.collider] == i
        assert entry.faces == np.count_nonzero(is_own & ~colliders.is_one_sided)
        assert entry.hulls == np.count_nonzero((colliders.object_index == i) & (colliders.kind == HULL))
        assert entry.is_left_out == (not is_own.any())
        if meshes[i].mode in (ColliderMode.AUTO, ColliderMode.FACES):
            assert is_own.sum() == entry.triangles - entry.dropped_zero_area - entry.dropped_duplicates
            made = set(places(colliders.vertices, colliders.triangles[is_own]))
            assert len(made - set(places(meshes[i].vertices, meshes[i].triangles))) <= 2 * entry.mended_zero_area
