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

    assert read.notes == ("Cube: an axis has scale 0, so it is flat",)
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
    assert read.notes == (f"Cube: {dropped} triangles with corners that are no numbers dropped",)


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


def test_curves_count_only_where_they_were_chosen(scene):
    chosen = add_collection("Level")
    curve = bpy.data.curves.new("Pipe", "CURVE")
    curve.dimensions, curve.bevel_depth = "3D", 0.1
    curve.splines.new("POLY").points.add(1)
    curve.splines[0].points[1].co = (1, 0, 0, 1)
    chosen.objects.link(bpy.data.objects.new("Pipe", curve))
    assert left_out() == {"Pipe": "it is a curve object: choose a level collection that holds it to use it"}

    scene.levelwalk.level = chosen
    assert len(meshes_by_name()["Pipe"].triangles) > 0


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
