"""Make Collider Objects: colliders as mesh objects, where the level is, named for engines, and no part of the level."""

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")
from blender.scenes import CUBE_FACES, add_collection, add_cube, add_floor, add_mesh, level  # noqa: E402
from mathutils import Euler, Matrix  # noqa: E402

from levelwalk.operators.built_level import build_level, built_level, is_stale  # noqa: E402
from levelwalk.operators.from_blender import metres_per_unit  # noqa: E402

PRECISION = 1e-6  # of the size of what is compared
LONGEST = bpy.types.ID.bl_rna.properties["name"].length_max - 1  # bytes: 63, and from Blender 5 on 255


def make(engine="UNREAL", **options):
    """Run the operator and return the objects by name."""
    assert bpy.ops.levelwalk.make_collider_objects(engine=engine, **options) == {"FINISHED"}
    return {ob.name: ob for ob in bpy.context.scene.levelwalk.collider_objects.objects}


def world_points(ob):
    """Return the vertices of an object in the world (v, 3), in Blender units."""
    bpy.context.view_layer.update()
    points = np.array([vertex.co for vertex in ob.data.vertices], dtype=np.float64)
    matrix = np.array(ob.matrix_world, dtype=np.float64)
    return points @ matrix[:3, :3].T + matrix[:3, 3]


def collider_points(scene, index=0):
    """Return the points (v, 3) of a collider that was built, in Blender units."""
    colliders = built_level(scene).world.colliders
    used = np.unique(colliders.triangles[colliders.collider == index])
    return colliders.vertices[used] / metres_per_unit(scene)


def assert_same_points(found, expected):
    """Each point of one set is a point of the other: they are sorted by the nearest."""
    assert len(found) == len(expected)
    distance = np.linalg.norm(found[:, None] - expected[None], axis=2)
    size = max(np.ptp(expected, axis=0).max(), np.finfo(np.float32).eps * np.abs(expected).max() / PRECISION)
    assert distance.min(axis=0).max() <= PRECISION * size
    assert distance.min(axis=1).max() <= PRECISION * size


def volume(ob):
    """Return the signed volume in the world: positive where the faces look outwards as Blender shows them."""
    points = world_points(ob)
    ob.data.calc_loop_triangles()
    corners = np.array([triangle.vertices for triangle in ob.data.loop_triangles])
    if np.linalg.det(np.array(ob.matrix_world)[:3, :3]) < 0:
        corners = corners[:, ::-1]
    a, b, c = (points[corners[:, i]] for i in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)


def sheared():
    matrix = Matrix.Translation((3, 4, 5)) @ Euler((0.3, 0.5, 0.7)).to_matrix().to_4x4()
    return matrix @ Matrix(((1, 0.5, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)))


PLACES = {
    "turned": Matrix.LocRotScale((3, 4, 5), Euler((0.3, 0.5, 0.7)), (1, 1, 1)),
    "scaled": Matrix.LocRotScale((3, 4, 5), Euler((0.3, 0.5, 0.7)), (2, 3, 0.5)),
    "mirrored": Matrix.LocRotScale((3, 4, 5), Euler((0.3, 0.5, 0.7)), (-2, 3, 0.5)),
    "sheared": sheared(),
    "far away": Matrix.LocRotScale((1e5, -1e5, 100), Euler((0, 0, 0.7)), (1, 1, 1)),
}


@pytest.mark.parametrize("engine", ["UNREAL", "GODOT"])
@pytest.mark.parametrize("scale", [1.0, 0.01])
@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES.keys())
def test_points_are_those_of_the_collider_and_faces_look_outwards(scene, engine, scale, place):
    scene.unit_settings.scale_length = scale
    above = bpy.data.objects.new("Above", None)
    scene.collection.objects.link(above)
    cube = add_cube()
    cube.parent = above  # so that a sheared matrix can be had
    cube.matrix_parent_inverse = place

    (made,) = make(engine).values()

    assert_same_points(world_points(made), collider_points(scene))
    assert volume(made) > 0
    assert len(made.data.polygons) == 6  # one face for each side
    assert made.parent is None


@pytest.mark.parametrize(("engine", "scale"), [("UNREAL", (2, 3, 0.5)), ("GODOT", (1, 1, 1)), ("UNITY", (1, 1, 1))])
def test_origin_and_rotation_are_those_of_the_object_and_for_unreal_the_scale(scene, engine, scale):
    add_cube().matrix_world = PLACES["scaled"]

    (made,) = make(engine).values()

    np.testing.assert_allclose(made.location, (3, 4, 5), rtol=1e-6)
    np.testing.assert_allclose(made.rotation_euler, (0.3, 0.5, 0.7), rtol=1e-5)
    np.testing.assert_allclose(made.scale, scale, rtol=1e-5)
    if engine == "UNREAL":
        assert_same_points(np.array([v.co for v in made.data.vertices]), np.array(list(corners_of_a_cube())))


def corners_of_a_cube():
    return np.stack(np.meshgrid([-1.0, 1.0], [-1.0, 1.0], [-1.0, 1.0]), axis=-1).reshape(-1, 3)


def test_a_flattened_object_is_where_it_is(scene):
    cube = add_cube(location=(1, 2, 3))
    cube.scale = (1, 1, 0)

    (made,) = make().values()

    assert_same_points(world_points(made), collider_points(scene))


def test_faces_keep_their_triangles(scene):
    floor = add_floor()
    floor.location.z = 2

    made = make("GODOT")["Floor-colonly"]

    assert_same_points(world_points(made), collider_points(scene))
    assert [len(face.vertices) for face in made.data.polygons] == [3, 3]


def prism(sides):
    """Return the vertices and faces of a prism of height 1 over a regular polygon, facing outwards."""
    angle = 2 * np.pi * np.arange(sides) / sides
    vertices = [(float(np.cos(a)), float(np.sin(a)), z) for z in (0.0, 1.0) for a in angle]
    around = [(i, (i + 1) % sides, sides + (i + 1) % sides, sides + i) for i in range(sides)]
    return vertices, [tuple(range(sides))[::-1], tuple(range(sides, 2 * sides)), *around]


TETRAHEDRON = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]


@pytest.mark.parametrize("place", [PLACES["scaled"], PLACES["mirrored"]], ids=["scaled", "mirrored"])
@pytest.mark.parametrize(
    ("vertices", "faces"),
    [(corners_of_a_cube().tolist(), CUBE_FACES), prism(3), prism(8), TETRAHEDRON],
    ids=["cube", "wedge", "octagonal prism", "tetrahedron"],
)
def test_flat_sides_are_the_faces_of_the_solid(scene, vertices, faces, place):
    add_mesh("Solid", vertices, faces).matrix_world = place
    bpy.context.view_layer.update()

    (made,) = make().values()

    edges = {frozenset(pair) for face in faces for pair in zip(face, (*face[1:], face[0]), strict=True)}
    assert len(made.data.vertices) == len(vertices)
    assert len(made.data.edges) == len(edges)
    assert sorted(len(side.vertices) for side in made.data.polygons) == sorted(map(len, faces))
    middle = np.mean([vertex.co for vertex in made.data.vertices], axis=0)
    # In the mesh's own axes: where a negative scale mirrors them Blender turns the faces round as well.
    for side in made.data.polygons:
        heights = [(vertex.co - side.center).dot(side.normal) for vertex in made.data.vertices]
        assert max(heights) < PRECISION * 10  # all of it is behind each of its sides
        assert sum(height > -PRECISION * 10 for height in heights) == len(side.vertices)
        assert (np.array(side.center) - middle) @ np.array(side.normal) > 0
        assert not side.use_smooth
    assert not made.data.validate()  # there was nothing to mend
    assert made.data.name == made.name


def test_each_of_many_colliders_has_its_own_shape_name_and_place(scene):
    solids = {"b": prism(3), "B2": prism(8), "a": TETRAHEDRON, "Z": prism(5), "c_10": prism(4), "c_9": prism(6)}
    for number, (name, (vertices, faces)) in enumerate(solids.items()):
        add_mesh(name, vertices, faces, location=(5 * number, 0, 0))

    made = make("PLAIN")

    assert list(made) == [f"{name}_Hull_00" for name in solids]  # in the order of the level
    for number, (name, (vertices, faces)) in enumerate(solids.items()):
        ob = made[f"{name}_Hull_00"]
        assert ob.location.x == 5 * number
        assert (len(ob.data.vertices), len(ob.data.polygons)) == (len(vertices), len(faces))


def test_what_the_user_adds_to_the_collection_is_rendered_as_before(scene):
    add_cube("Crate")
    make()
    for name, is_hidden in (("Seen", False), ("Unseen", True)):
        own = bpy.data.objects.new(name, None)
        own.hide_render = is_hidden
        scene.levelwalk.collider_objects.objects.link(own)

    made = make()

    assert {name: ob.hide_render for name, ob in made.items()} == {"Seen": False, "Unseen": True, "UCX_Crate_00": True}
    evaluated = made["UCX_Crate_00"].evaluated_get(bpy.context.evaluated_depsgraph_get())
    assert evaluated.hide_render


def test_each_loose_part_that_is_convex_is_an_object(scene):
    first, second = add_cube("Crate"), add_cube("Other", location=(5, 0, 0))
    with bpy.context.temp_override(active_object=first, object=first, selected_editable_objects=[first, second]):
        bpy.ops.object.join()

    assert set(make()) == {"UCX_Crate_00", "UCX_Crate_01"}
    assert set(make("GODOT")) == {"Crate_00-convcolonly", "Crate_01-convcolonly"}


def test_a_new_run_replaces_the_last_and_touches_nothing_else(scene):
    add_cube("Crate")
    made = make()["UCX_Crate_00"]
    own = made.copy()
    own.data = made.data.copy()
    own.name = "Mine"
    scene.levelwalk.collider_objects.objects.link(own)
    before = {ob.name for ob in bpy.data.objects}, {mesh.name for mesh in bpy.data.meshes}

    make()
    assert ({ob.name for ob in bpy.data.objects}, {mesh.name for mesh in bpy.data.meshes}) == before

    make("PLAIN")
    assert set(bpy.data.objects.keys()) == before[0] - {"UCX_Crate_00"} | {"Crate_Hull_00"}
    assert [collection.name for collection in bpy.data.collections] == ["Level Colliders"]


def test_names_of_others_are_left_to_them(scene):
    add_cube("Crate").levelwalk.collider = "HULL"
    theirs = add_cube("UCX_Crate_00", location=(9, 0, 0))
    theirs.levelwalk.collider = "NONE"

    made = make()

    assert set(made) == {"UCX_Crate_01"}
    assert theirs.name == "UCX_Crate_00"


def test_a_collection_of_that_name_is_not_taken_for_ours(scene):
    theirs = add_collection("Level Colliders")
    add_cube(collection=theirs)

    make()

    assert scene.levelwalk.collider_objects != theirs
    assert [ob.name for ob in theirs.objects] == ["Cube"]


def test_the_objects_are_no_part_of_the_level_and_do_not_make_it_stale(scene):
    add_cube("Crate")
    add_floor()
    build_level(bpy.context)
    first = built_level(scene)

    made = make(display="SOLID")
    bpy.context.view_layer.update()

    assert not is_stale()
    assert built_level(scene).world is first.world
    assert {mesh.name for mesh in level().meshes} == {"Crate", "Floor"}
    assert level().left_out == ()
    made["UCX_Crate_00"].location.x += 1
    bpy.context.view_layer.update()
    assert not is_stale()
    assert build_level(bpy.context).world is first.world


def test_what_has_changed_since_is_built_anew(scene):
    cube = add_cube("Crate")
    build_level(bpy.context)
    cube.location.x = 7

    (made,) = make().values()

    assert made.location.x == pytest.approx(7)


def test_what_was_made_is_selected_not_rendered_and_drawn_as_asked(scene):
    cube = add_cube()
    cube.select_set(True)
    add_floor()

    made = make(display="WIRE")
    assert set(bpy.context.selected_objects) == set(made.values())
    assert bpy.context.view_layer.objects.active in made.values()
    assert all(ob.hide_render and ob.display_type == "WIRE" and ob.color[3] < 1 for ob in made.values())

    made = make(display="SOLID")
    assert all(ob.display_type == "SOLID" for ob in made.values())


def test_it_works_where_the_collection_is_hidden(scene):
    add_cube()
    make()
    bpy.context.view_layer.layer_collection.children["Level Colliders"].exclude = True

    assert len(make()) == 1
    assert bpy.context.selected_objects == []


def test_a_collection_taken_out_of_the_scene_is_put_back(scene):
    add_cube()
    make()
    scene.collection.children.unlink(scene.levelwalk.collider_objects)

    make()

    assert scene.levelwalk.collider_objects.name in scene.collection.children
    bpy.data.collections.remove(scene.levelwalk.collider_objects)
    assert len(make()) == 1


def test_instances_are_where_they_are_seen(scene):
    kit = bpy.data.collections.new("Kit")
    add_cube("Crate", location=(1, 0, 0), collection=kit)
    for x in (10, 20):
        instancer = bpy.data.objects.new("Shelf", None)
        instancer.instance_type, instancer.instance_collection = "COLLECTION", kit
        instancer.location.x = x
        scene.collection.objects.link(instancer)

    made = make()

    assert sorted(ob.location.x for ob in made.values()) == [11, 21]
    for index in range(2):
        assert_same_points(world_points(list(made.values())[index]), collider_points(scene, index))


def test_linked_objects_are_read_and_left_as_they_are(scene, tmp_path):
    add_cube("Crate", location=(1, 2, 3))
    library = tmp_path / "library.blend"
    bpy.data.libraries.write(str(library), {bpy.data.objects["Crate"]})
    bpy.data.objects.remove(bpy.data.objects["Crate"])
    with bpy.data.libraries.load(str(library), link=True) as (_, to):
        to.objects = ["Crate"]
    scene.collection.objects.link(to.objects[0])

    made = make()

    assert set(made) == {"UCX_Crate_00"}
    assert made["UCX_Crate_00"].library is None
    assert_same_points(world_points(made["UCX_Crate_00"]), collider_points(scene))


@pytest.mark.parametrize("engine", ["UNREAL", "GODOT", "UNITY", "PLAIN"])
def test_names_as_long_as_blender_allows_keep_their_suffix(scene, engine):
    one, other = "é" * (LONGEST // 2), "é" * (LONGEST // 2 - 1)
    add_cube(one)
    add_cube(other, location=(5, 0, 0))
    ending = {"UNREAL": "_00", "GODOT": "-convcolonly", "UNITY": "00", "PLAIN": "00"}[engine]

    made = make(engine)

    assert len(made) == 2
    assert sum(name.endswith(ending) for name in made) >= 1
    assert all(len(name.encode()) <= LONGEST and ob.levelwalk.made_as == name for name, ob in made.items())


def test_without_a_level_the_button_is_grey_and_says_why(scene):
    with pytest.raises(RuntimeError, match="There is no visible mesh"):
        bpy.ops.levelwalk.make_collider_objects()


def test_in_edit_mode_the_button_is_grey(scene):
    bpy.context.view_layer.objects.active = add_cube()
    bpy.ops.object.mode_set(mode="EDIT")
    with pytest.raises(RuntimeError, match="Object Mode"):
        bpy.ops.levelwalk.make_collider_objects()
    bpy.ops.object.mode_set(mode="OBJECT")


def test_it_is_one_undo_step(scene):
    add_cube()
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.levelwalk.make_collider_objects("EXEC_DEFAULT", True)
    assert len(bpy.data.objects) == 2

    bpy.ops.ed.undo()

    assert [ob.name for ob in bpy.data.objects] == ["Cube"]
    assert "Level Colliders" not in bpy.data.collections
    assert len(make()) == 1


def said(capfd, engine="UNREAL"):
    """Run the operator, and return what it reported, which Blender prints, and the names of the objects."""
    capfd.readouterr()
    names = set(make(engine))
    return capfd.readouterr().out, names


@pytest.mark.parametrize(
    ("engine", "expected", "skipped"),
    [
        (
            "UNREAL",
            {"UCX_Rail_01", "Hut_Collision"},
            "skipped 1 object that is a shape for Unreal already: “UCX_Table_01”",
        ),
        (
            "GODOT",
            {"Table_01-convcolonly"},
            "skipped 2 objects that are shapes for Godot already: “Hut-col”, “Rail-convcolonly”",
        ),
        ("UNITY", {"Table_Collider_00", "Hut_Collider_00", "Rail_Collider_00"}, ""),
        ("PLAIN", {"Table_Hull_00", "Hut_Faces", "Rail_Hull_00"}, ""),
    ],
)
def test_hand_made_shapes_are_skipped_or_named_after_their_meshes(scene, capfd, engine, expected, skipped):
    for number, name in enumerate(("Table", "UCX_Table_01", "Hut-col", "Rail-convcolonly")):
        add_cube(name, location=(3 * number, 0, 0))
    for number, name in enumerate(("UCX_Rail_00", "Table_00-convcolonly")):  # that others have, and are no level
        add_cube(name, location=(3 * number, 9, 0)).levelwalk.collider = "NONE"

    text, names = said(capfd, engine)

    assert names == expected
    assert ("skipped" in text) == bool(skipped)
    assert skipped in text


def test_a_level_of_hand_made_shapes_alone_is_skipped_aloud(scene, capfd):
    add_cube("UCX_Gone")

    text, names = said(capfd)

    assert not names
    assert "Made 0 hulls and 0 objects of faces; skipped 1 object" in text


def add_rocks(count):
    """Add empties that instance one collection with the cube Rock at (1, 0, 0), 10 m apart along X."""
    kit = bpy.data.collections.new("Rocks")
    add_cube("Rock", location=(1, 0, 0), collection=kit)
    for number in range(count):
        empty = bpy.data.objects.new(f"RockInst{number}", None)
        empty.instance_type, empty.instance_collection = "COLLECTION", kit
        empty.location.x = 10 * number
        bpy.context.scene.collection.objects.link(empty)


@pytest.mark.parametrize(
    ("engine", "form"),
    [
        ("UNREAL", "UCX_Rock_{:02d}"),
        ("GODOT", "Rock_{:02d}-convcolonly"),
        ("UNITY", "Rock_Collider_{:02d}"),
        ("PLAIN", "Rock_Hull_{:02d}"),
    ],
)
def test_colliders_of_instances_are_numbered_on_under_the_name_of_their_mesh(scene, capfd, engine, form):
    add_rocks(6)

    text, names = said(capfd, engine)

    assert names == {form.format(number) for number in range(6)}
    for number in range(6):
        centre = world_points(bpy.data.objects[form.format(number)]).mean(axis=0)
        np.testing.assert_allclose(centre, (10 * number + 1, 0, 0), atol=1e-5)
    assert text.count("make instances real first") == (engine == "UNREAL")


def test_faces_of_instances_are_numbered_on_too(scene):
    add_rocks(3)
    bpy.data.objects["Rock"].levelwalk.collider = "FACES"

    assert set(make("GODOT")) == {"Rock-colonly", "Rock_01-colonly", "Rock_02-colonly"}


def test_objects_that_are_real_need_no_such_advice(scene, capfd):
    add_cube("Rock")

    assert "instances" not in said(capfd)[0]


def test_the_advice_for_faces_is_pieces_unless_that_was_tried(scene, capfd):
    add_cube("Closed").levelwalk.collider = "FACES"

    text, _ = said(capfd)
    assert "“Closed”" in text
    assert "choose Convex Pieces" in text

    bpy.data.objects.remove(bpy.data.objects["Closed"])
    add_floor(name="Open").levelwalk.collider = "PIECES"
    text, _ = said(capfd)
    assert "“Open”" in text
    assert "choose Convex Pieces" not in text
    (told,) = build_level(bpy.context).world.report
    (finding,) = told.findings
    assert finding.words in text


def test_both_kinds_of_faces_are_told_apart(scene, capfd):
    add_cube("Closed").levelwalk.collider = "FACES"
    for number in range(5):
        floor = add_mesh(f"Open{number}", [(0, 0, 9), (1, 0, 9), (0, 1, 9)], [(0, 1, 2)])
        floor.levelwalk.collider = "PIECES"

    text, _ = said(capfd)

    advice = next(line for line in text.splitlines() if "choose Convex Pieces" in line)
    assert "“Closed”" in advice
    assert "Open" not in advice
    reason = next(line for line in text.splitlines() if "Open0" in line)
    assert "and 2 more" in reason


@pytest.mark.parametrize("collider", ["AUTO", "NONE"])
@pytest.mark.parametrize("is_hidden", [False, True])
def test_a_hull_of_a_shape_for_another_engine_is_in_the_space_of_its_mesh(scene, collider, is_hidden):
    rail = add_cube("Rail")
    rail.matrix_world = PLACES["scaled"]
    rail.levelwalk.collider = collider
    rail.hide_viewport = is_hidden
    add_cube("Rail-convcolonly", location=(9, 0, 0))

    made = make()

    by_centre = {round(float(world_points(ob).mean(axis=0)[0])): ob for ob in made.values()}
    assert set(by_centre) == ({9} if is_hidden or collider == "NONE" else {3, 9})
    np.testing.assert_allclose(by_centre[9].location, (3, 4, 5), rtol=1e-6)
    np.testing.assert_allclose(by_centre[9].scale, (2, 3, 0.5), rtol=1e-5)
    points = world_points(by_centre[9])
    np.testing.assert_allclose(np.stack([points.min(axis=0), points.max(axis=0)]), [(8, -1, -1), (10, 1, 1)], atol=1e-5)
