"""Reading a level: what counts, where it is in the world, and what is said of the rest."""

import math

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")
from blender.scenes import (  # noqa: E402
    CUBE_VERTICES,
    add_collection,
    add_cube,
    add_floor,
    add_mesh,
    level,
    meshes_by_name,
    update,
    volume_of,
)
from mathutils import Matrix  # noqa: E402

from levelwalk.operators.from_blender import read_place  # noqa: E402
from levelwalk.operators.level_members import LevelMembers  # noqa: E402
from levelwalk.operators.mesh_from_blender import MeshReader  # noqa: E402


def left_out():
    return {entry.name: entry.reason for entry in level().left_out}


def test_a_mesh_is_read_where_it_is_in_the_world(scene):
    cube = add_cube(location=(1, 2, 3))
    cube.rotation_euler.z = math.radians(90)
    cube.scale = (1, 1, 2)

    mesh = meshes_by_name()["Cube"]

    # Turned by 90 degrees, (x, y, z) is at (-y, x, 2 z) about the place.
    expected = [(1 - y, 2 + x, 3 + 2 * z) for x, y, z in CUBE_VERTICES]
    np.testing.assert_allclose(mesh.vertices, expected, atol=1e-6)
    assert mesh.triangles.shape == (12, 3)
    assert volume_of(mesh) == pytest.approx(16, rel=1e-6)


def test_modifiers_count(scene):
    cube = add_cube()
    array = cube.modifiers.new("Array", "ARRAY")
    array.count = 3
    array.relative_offset_displace = (2, 0, 0)

    mesh = meshes_by_name()["Cube"]

    assert len(mesh.triangles) == 36
    np.testing.assert_allclose(mesh.vertices[:, 0].max(), 1 + 2 * 4, atol=1e-6)


@pytest.mark.parametrize("scale", [(-1, 1, 1), (-1, -1, 1), (-2, -1, -1), (1, 1, 1)])
def test_mirrored_objects_keep_their_outside_out(scene, scale):
    add_cube().scale = scale

    assert volume_of(meshes_by_name()["Cube"]) == pytest.approx(8 * abs(np.prod(scale)), rel=1e-6)


def test_a_sheared_object_is_read_as_it_is_seen(scene):
    parent = add_cube("Parent")
    parent.scale = (3, 1, 1)
    child = add_cube("Child")
    child.parent = parent
    child.rotation_euler.z = math.radians(45)

    # Turned by 45 degrees and then three times as wide: a box no longer.
    half = math.sqrt(0.5)
    shear = np.array([[3 * half, -3 * half, 0], [half, half, 0], [0, 0, 1]])
    np.testing.assert_allclose(meshes_by_name()["Child"].vertices, CUBE_VERTICES @ shear.T, atol=1e-6)


def test_a_scale_of_zero_is_named_and_the_rest_is_kept(scene):
    add_cube().scale = (1, 1, 0)

    read = level()

    assert [(note.name, note.text) for note in read.notes] == [("Cube", "an axis has scale 0, so it is flat")]
    np.testing.assert_array_equal(read.meshes[0].vertices[:, 2], 0)


def test_instances_of_a_collection_are_read_at_each_place(scene):
    kit = bpy.data.collections.new("Kit")
    add_cube("Crate", location=(0, 0, 1), collection=kit)
    for name, x in (("Left", -5), ("Right", 5)):
        instance = bpy.data.objects.new(name, None)
        instance.instance_type, instance.instance_collection = "COLLECTION", kit
        instance.location.x = x
        scene.collection.objects.link(instance)

    meshes = meshes_by_name()

    assert set(meshes) == {"Crate in Left", "Crate in Right"}
    np.testing.assert_allclose(meshes["Crate in Left"].vertices.mean(axis=0), (-5, 0, 1), atol=1e-6)
    np.testing.assert_allclose(meshes["Crate in Right"].vertices.mean(axis=0), (5, 0, 1), atol=1e-6)


def test_instances_made_by_geometry_nodes_are_read(scene):
    nodes = bpy.data.node_groups.new("Scatter", "GeometryNodeTree")
    for kind in ("INPUT", "OUTPUT"):
        nodes.interface.new_socket("Geometry", in_out=kind, socket_type="NodeSocketGeometry")
    enter, leave = nodes.nodes.new("NodeGroupInput"), nodes.nodes.new("NodeGroupOutput")
    scatter, cube = nodes.nodes.new("GeometryNodeInstanceOnPoints"), nodes.nodes.new("GeometryNodeMeshCube")
    nodes.links.new(enter.outputs[0], scatter.inputs["Points"])
    nodes.links.new(cube.outputs["Mesh"], scatter.inputs["Instance"])
    nodes.links.new(scatter.outputs[0], leave.inputs[0])
    points = add_mesh("Points", [(0, 0, 0), (3, 0, 0), (6, 0, 0)], [(0, 1, 2)])
    points.modifiers.new("Scatter", "NODES").node_group = nodes

    read = level()

    centres = sorted(tuple(mesh.vertices.mean(axis=0).round(6)) for mesh in read.meshes)
    assert centres == [(0, 0, 0), (3, 0, 0), (6, 0, 0)]
    assert {len(mesh.triangles) for mesh in read.meshes} == {12}
    assert not read.left_out


def test_triangles_with_broken_corners_are_dropped_and_counted(scene):
    cube = add_cube()
    cube.data.vertices[0].co.x = math.nan  # three of the six faces meet there

    read = level()

    assert len(read.meshes[0].triangles) in {12 - 4, 12 - 5, 12 - 6}  # by how those faces are cut
    assert np.isfinite(read.meshes[0].vertices).all()
    dropped = 12 - len(read.meshes[0].triangles)
    assert [note.text for note in read.notes] == [f"dropped {dropped} triangles with corners that are no numbers"]


def test_a_mesh_without_a_sound_face_is_left_out(scene):
    add_mesh("Broken", [(math.inf, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])
    add_mesh("Points", [(0, 0, 0)], [])

    assert left_out() == {"Broken": "every face has a corner that is no number", "Points": "it has no faces"}
    assert not level().meshes


def test_the_character_and_what_hangs_on_it_are_no_level(scene):
    add_floor()
    body = add_cube("Body")
    hat = add_cube("Hat")
    feather = add_cube("Feather")
    hat.parent, feather.parent = body, hat
    scene.levelwalk.character = body

    assert set(meshes_by_name()) == {"Floor"}


def test_a_level_collection_holds_all_of_the_level(scene):
    add_cube("Elsewhere")
    chosen = add_collection("Level")
    add_cube("Inside", collection=chosen)
    below = bpy.data.collections.new("Below")
    chosen.children.link(below)
    add_cube("Further Inside", collection=below)
    scene.levelwalk.level = chosen

    assert set(meshes_by_name()) == {"Inside", "Further Inside"}


def test_hidden_objects_are_no_level_and_named_where_they_were_chosen(scene):
    chosen = add_collection("Level")
    add_cube("Shown", collection=chosen)
    add_cube("Hidden", collection=chosen).hide_set(True)
    assert set(meshes_by_name()) == {"Shown"}
    assert not left_out()

    scene.levelwalk.level = chosen
    assert set(meshes_by_name()) == {"Shown"}
    assert left_out() == {"Hidden": "it is hidden"}


def test_objects_drawn_as_lines_count_only_where_they_were_chosen(scene):
    chosen = add_collection("Level")
    add_cube("Cutter", collection=chosen).display_type = "WIRE"
    assert "it is drawn as lines" in left_out()["Cutter"]

    scene.levelwalk.level = chosen
    assert set(meshes_by_name()) == {"Cutter"}


def add_pipe(collection=None):
    """Add a straight pipe, a curve with a bevel: one metre long, 0.2 m thick."""
    curve = bpy.data.curves.new("Pipe", "CURVE")
    curve.dimensions, curve.bevel_depth = "3D", 0.1
    curve.splines.new("POLY").points.add(1)
    curve.splines[0].points[1].co = (1, 0, 0, 1)
    return add_object("Pipe", curve, collection)


def add_text():
    text = bpy.data.curves.new("Sign", "FONT")
    text.body, text.extrude = "HI", 0.1
    return add_object("Sign", text)


def add_balls():
    """Add two metaballs that flow into each other: Blender makes one mesh of both, and shows it at the first."""
    for name, x in (("Ball", 0), ("Ball.001", 1)):
        ball = bpy.data.metaballs.new(name)
        ball.elements.new()
        add_object(name, ball).location.x = x
    return bpy.data.objects["Ball"]


def add_surface():
    bpy.ops.surface.primitive_nurbs_surface_sphere_add()
    return bpy.context.object


def add_object(name, data, collection=None):
    ob = bpy.data.objects.new(name, data)
    (collection or bpy.context.scene.collection).objects.link(ob)
    return ob


def test_all_of_a_chosen_collection_counts_with_its_curves(scene):
    chosen = add_collection("Level")
    add_pipe(chosen)
    scene.levelwalk.level = chosen

    assert len(meshes_by_name()["Pipe"].triangles) > 0


@pytest.mark.parametrize(
    ("add", "kind"),
    [(add_pipe, "curve"), (add_text, "text"), (add_balls, "metaball"), (add_surface, "surface")],
)
def test_curves_text_metaballs_and_surfaces_count_where_the_user_includes_them(scene, add, kind):
    ob = add()
    assert f"it is a {kind} object: turn on “Curves and Text”" in left_out()[ob.name]
    assert not meshes_by_name()

    scene.levelwalk.include_curves = True
    assert set(meshes_by_name()) == {ob.name}
    assert not left_out()

    scene.levelwalk.include_curves = False
    ob.levelwalk.collider = "FACES"  # the user said of this one what it is
    assert set(meshes_by_name()) == {ob.name}


def test_an_object_drawn_as_lines_counts_where_its_collider_was_chosen(scene):
    wall = add_cube("Invisible Wall")
    wall.display_type = "WIRE"
    assert not meshes_by_name()

    wall.levelwalk.collider = "HULL"
    assert set(meshes_by_name()) == {"Invisible Wall"}


def test_shape_keys_count_as_they_are_set(scene):
    cube = add_cube()
    cube.shape_key_add(name="Basis")
    high = cube.shape_key_add(name="High")
    for point in high.data:
        point.co.z += 2
    high.value = 0.5

    np.testing.assert_allclose(meshes_by_name()["Cube"].vertices[:, 2], [0, 2] * 4, atol=1e-6)


def test_a_thousand_instances_of_a_mesh_are_read_once(scene):
    kit = bpy.data.collections.new("Kit")
    add_cube("Crate", collection=kit)
    for i in range(500):
        instance = add_object(f"Place {i}", None)
        instance.instance_type, instance.instance_collection, instance.location.x = "COLLECTION", kit, 3 * i
        twin = add_object(f"Twin {i}", kit.objects[0].data)
        twin.location, twin.scale.x = (3 * i, 5, 0), -1 if i % 2 else 1
    members, reader = LevelMembers(scene), MeshReader()
    depsgraph = bpy.context.evaluated_depsgraph_get()

    places = [
        reader.read(row.object, np.array(row.matrix_world), 1.0, pytest.fail)
        for row in depsgraph.object_instances
        if row.object.type == "MESH" and members.may_be(row.object.original, row.object.original)
    ]

    assert len(places) == 1000
    assert reader.count == 1
    assert len({id(triangles) for _, triangles in places}) == 2  # shared in memory: as it is, and mirrored
    assert len(meshes_by_name()) == 1000


def test_instances_in_instances_are_where_they_are_shown(scene):
    room, hall = bpy.data.collections.new("Room"), bpy.data.collections.new("Hall")
    room.instance_offset = (0, 0, 1)
    add_cube("Crate", location=(1, 0, 1), collection=room)
    inner = add_object("Inner", None, hall)
    inner.instance_type, inner.instance_collection, inner.location = "COLLECTION", room, (0, 5, 0)
    outer = add_object("Outer", None)
    outer.instance_type, outer.instance_collection = "COLLECTION", hall
    outer.rotation_euler.z, outer.scale = math.radians(90), (1, 1, -1)

    mesh = meshes_by_name()["Crate in Outer"]

    # In the room at (1, 0, 0), in the hall at (1, 5, 0), turned by 90 degrees about Z at (-5, 1, 0).
    np.testing.assert_allclose(mesh.vertices.mean(axis=0), (-5, 1, 0), atol=1e-5)
    assert volume_of(mesh) == pytest.approx(8, rel=1e-5)


def test_a_child_of_mirrored_and_stretched_parents_keeps_its_outside_out(scene):
    grandparent, parent, child = add_cube("A"), add_cube("B"), add_cube("C")
    parent.parent, child.parent = grandparent, parent
    grandparent.scale, parent.scale, child.scale = (-2, 1, 1), (1, 3, 1), (1, 1, -1)
    parent.rotation_euler, child.rotation_euler = (0.3, 0.4, 0.5), (0.2, -0.6, 0.1)

    # Rotations keep the volume: 8 times all scales.
    assert volume_of(meshes_by_name()["C"]) == pytest.approx(8 * 2 * 3, rel=1e-5)
    assert volume_of(meshes_by_name()["B"]) == pytest.approx(8 * 2 * 3, rel=1e-5)


def test_a_level_100_km_away_keeps_its_shape(scene):
    add_cube(location=(100_000, 0, 0))

    # The place itself is in single precision, of which a step is 8 mm here; the shape about it is exact.
    vertices = meshes_by_name()["Cube"].vertices
    assert volume_of(meshes_by_name()["Cube"]) == pytest.approx(8, rel=1e-6)
    np.testing.assert_allclose(np.ptp(vertices, axis=0), 2, atol=1e-9)


def test_the_level_is_in_metres(scene):
    scene.unit_settings.scale_length = 0.01
    add_cube(location=(100, 0, 0))

    np.testing.assert_allclose(meshes_by_name()["Cube"].vertices[:, 0], [0.99] * 4 + [1.01] * 4, rtol=1e-6)


def test_a_mesh_in_edit_mode_is_read_as_it_is_shown(scene):
    bpy.context.view_layer.objects.active = add_cube()
    bpy.ops.object.mode_set(mode="EDIT")
    try:
        assert len(meshes_by_name()["Cube"].triangles) == 12
    finally:
        bpy.ops.object.mode_set(mode="OBJECT")


def test_a_linked_level_is_read(scene, tmp_path):
    kit = add_collection("Kit")
    add_cube("Crate", collection=kit)
    file = str(tmp_path / "kit.blend")
    bpy.data.libraries.write(file, {kit})
    bpy.ops.wm.read_factory_settings(use_empty=True)
    with bpy.data.libraries.load(file, link=True) as (_, linked):
        linked.collections = ["Kit"]
    bpy.context.scene.collection.children.link(linked.collections[0])

    assert len(meshes_by_name()["Crate"].triangles) == 12


def test_an_override_is_read_where_it_was_moved_to(scene, tmp_path):
    kit = add_collection("Kit")
    add_cube("Crate", collection=kit)
    file = str(tmp_path / "kit.blend")
    bpy.data.libraries.write(file, {kit})
    bpy.ops.wm.read_factory_settings(use_empty=True)
    with bpy.data.libraries.load(file, link=True) as (_, linked):
        linked.collections = ["Kit"]
    bpy.context.scene.collection.children.link(linked.collections[0])
    linked.collections[0].override_hierarchy_create(bpy.context.scene, bpy.context.view_layer, do_fully_editable=True)
    own = next(ob for ob in bpy.context.scene.objects if ob.override_library)

    own.location.x = 7
    own.levelwalk.collider = "FACES"

    moved = [mesh for mesh in level().meshes if abs(mesh.vertices[:, 0].mean() - 7) < 1e-6]
    assert [mesh.mode.value for mesh in moved] == ["FACES"]


@pytest.mark.parametrize("degrees", [0, 30, 120, -100])
def test_the_heading_is_the_rotation_about_up(scene, degrees):
    ob = add_cube(location=(1, 2, 3))
    ob.rotation_euler.z = math.radians(degrees)
    ob.scale = (2, 1, 3)
    update()

    place, heading = read_place(ob)

    np.testing.assert_allclose(place, (1, 2, 3))
    assert heading == pytest.approx(math.radians(degrees), abs=1e-6)


def test_an_object_that_looks_straight_up_has_a_heading_too(scene):
    ob = add_cube()
    ob.matrix_world = Matrix(((1, 0, 0, 0), (0, 0, 1, 0), (0, -1, 0, 0), (0, 0, 0, 1)))
    update()

    assert math.isfinite(read_place(ob)[1])


@pytest.mark.parametrize("lean", [90, -90, 89.5, 90.5])
@pytest.mark.parametrize("degrees", [0, 30, 120, -100])
def test_the_heading_of_a_model_made_with_y_up_is_its_rotation_about_up(scene, degrees, lean):
    ob = add_cube()
    ob.rotation_euler = (math.radians(lean), 0, math.radians(degrees))
    update()

    assert read_place(ob)[1] == pytest.approx(math.radians(degrees), abs=1e-6)


def add_armature(name):
    armature = bpy.data.objects.new(name, bpy.data.armatures.new(name))
    bpy.context.scene.collection.objects.link(armature)
    return armature


@pytest.mark.parametrize("chosen", ["Rig", "Body", "Coat"])
def test_what_shares_the_armature_of_the_character_is_no_level(scene, chosen):
    add_floor()
    rig, body, coat, sword = add_armature("Rig"), add_cube("Body"), add_cube("Coat"), add_cube("Sword")
    body.parent = sword.parent = rig
    for bent in (body, coat):  # the coat is bent by the armature and has no parent
        bent.modifiers.new("Armature", "ARMATURE").object = rig
    scene.levelwalk.character = bpy.data.objects[chosen]

    assert set(meshes_by_name()) == {"Floor"}


def test_an_armature_that_the_character_rides_on_by_a_bone_is_level(scene):
    crane, deck, rider = add_armature("Crane"), add_cube("Deck"), add_cube("Rider")
    bpy.context.view_layer.objects.active = crane
    bpy.ops.object.mode_set(mode="EDIT")
    crane.data.edit_bones.new("Arm").tail = (0, 0, 1)
    bpy.ops.object.mode_set(mode="OBJECT")
    for ob in (deck, rider):
        ob.parent, ob.parent_type, ob.parent_bone = crane, "BONE", "Arm"
    scene.levelwalk.character = rider

    assert set(meshes_by_name()) == {"Deck"}
