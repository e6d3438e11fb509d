"""Which objects are the level: ignored collections, and the names that engines understand."""

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")
from blender.scenes import add_collection, add_cube, add_instance, level, meshes_by_name  # noqa: E402
from blender.test_interface import Layout  # noqa: E402

from levelwalk.core import ColliderMode  # noqa: E402
from levelwalk.operators.built_level import build_level, is_stale  # noqa: E402


def left_out():
    return {entry.name: entry.reason for entry in level().left_out}


def modes():
    return {name: mesh.mode.value for name, mesh in meshes_by_name().items()}


def test_what_is_in_an_ignored_collection_is_left_out_with_all_below_it(scene, floor):
    helpers = add_collection("Helpers")
    below = bpy.data.collections.new("Below")
    helpers.children.link(below)
    add_cube("Cutter", collection=helpers)
    add_cube("Guide", collection=below)
    assert set(meshes_by_name()) == {"Floor", "Cutter", "Guide"}

    helpers.levelwalk.is_ignored = True

    assert set(meshes_by_name()) == {"Floor"}
    assert left_out() == dict.fromkeys(["Cutter", "Guide"], "its collection “Helpers” is ignored")
    assert build_level(bpy.context).summary.endswith("; 2 left out")


def test_an_ignored_collection_is_ignored_in_a_chosen_one_and_in_instances(scene):
    kit = bpy.data.collections.new("Kit")
    add_cube("Crate", collection=kit)
    chosen = add_collection("Level")
    add_cube("Wall", collection=chosen)
    chosen.objects.link(add_instance("Left", kit))
    scene.levelwalk.level = chosen
    kit.levelwalk.is_ignored = True

    assert set(meshes_by_name()) == {"Wall"}
    assert left_out() == {"Crate in Left": "its collection “Kit” is ignored"}


def test_ignoring_a_collection_counts_more_than_what_an_object_says(scene, floor):
    helpers = add_collection("Helpers")
    add_cube("UCX_Floor", collection=helpers).levelwalk.collider = "HULL"
    helpers.levelwalk.is_ignored = True

    assert modes() == {"Floor": "AUTO"}  # and what is ignored stands for nothing


def test_a_level_of_ignored_collections_alone_is_no_level(scene):
    helpers = add_collection("Helpers")
    add_cube(collection=helpers)
    helpers.levelwalk.is_ignored = True

    with pytest.raises(RuntimeError, match="All visible meshes are in ignored collections"):
        bpy.ops.levelwalk.build_colliders()


def test_a_collections_properties_say_whether_it_is_ignored(scene):
    panel = bpy.types.LEVELWALK_PT_collection
    helpers = add_collection("Helpers")
    for collection, shown in ((helpers, ["is_ignored"]), (scene.collection, None)):
        with bpy.context.temp_override(collection=collection):
            assert panel.poll(bpy.context) == (shown is not None)
            if shown:
                drawer = type("Drawer", (), {"layout": Layout()})()
                panel.draw(drawer, bpy.context)
                assert drawer.layout.shown == shown


@pytest.mark.parametrize("change", ["is_ignored", "use_engine_names", "include_curves", "level"])
def test_a_change_of_what_is_level_makes_it_stale(scene, floor, change):
    helpers = add_collection("Helpers")
    build_level(bpy.context)
    assert not is_stale()

    if change == "is_ignored":
        helpers.levelwalk.is_ignored = True
    elif change == "level":
        scene.levelwalk.level = helpers
    else:
        setattr(scene.levelwalk, change, not getattr(scene.levelwalk, change))

    assert is_stale()


def test_unreal_shapes_replace_their_mesh(scene, floor):
    add_cube("Arch")
    add_cube("UCX_Arch_01", location=(3, 0, 0))
    add_cube("UBX_Arch_02", location=(-3, 0, 0))

    assert modes() == {"Floor": "AUTO", "UCX_Arch_01": "HULL", "UBX_Arch_02": "HULL"}
    assert left_out() == {"Arch": "its 2 collision shapes “UCX_Arch_01” … stand for it"}


def test_names_can_be_switched_off(scene):
    add_cube("Crate")
    add_cube("UCX_Crate")
    add_cube("Wall-noimp")
    scene.levelwalk.use_engine_names = False

    assert modes() == {"Crate": "AUTO", "UCX_Crate": "AUTO", "Wall-noimp": "AUTO"}


def by_eye(ob):
    ob.hide_set(True)


def in_viewports(ob):
    ob.hide_viewport = True


def by_collection(ob):
    hidden = add_collection("Collision")
    hidden.objects.link(ob)
    bpy.context.scene.collection.objects.unlink(ob)
    hidden.hide_viewport = True


def by_exclusion(ob):
    by_collection(ob)
    bpy.context.view_layer.layer_collection.children["Collision"].exclude = True


def as_wire(ob):
    ob.display_type = "WIRE"


@pytest.mark.parametrize("hide", [by_eye, in_viewports, by_collection, by_exclusion, as_wire])
@pytest.mark.parametrize("name", ["UCX_Crate", "Crate-colonly", "Crate-convcolonly"])
def test_collision_shapes_count_where_they_are_though_they_are_hidden(scene, hide, name):
    crate = add_cube("Crate", location=(5, 0, 0))
    shape = add_cube(name, location=(0, 0, 3))
    shape.parent = crate
    hide(shape)

    read = meshes_by_name()

    assert ("Crate" in read) == (name != "UCX_Crate")
    np.testing.assert_allclose(read[name].vertices.mean(axis=0), (5, 0, 3), atol=1e-6)
    assert not [note for note in level().notes if note.name == name]


def test_a_hidden_mesh_that_is_no_shape_stays_hidden(scene, floor):
    add_cube("Wall-col").hide_set(True)

    assert set(meshes_by_name()) == {"Floor"}


def test_modifiers_of_a_shape_that_blender_does_not_evaluate_are_missed_aloud(scene):
    shape = add_cube("Crate-colonly")
    shape.modifiers.new("Array", "ARRAY")
    in_viewports(shape)

    read = level()

    assert len(read.meshes[0].triangles) == 12
    assert "its modifiers do not count" in read.notes[0].text


def test_a_shape_without_its_mesh_is_noted_and_counts(scene):
    add_cube("UCX_Gone")

    assert modes() == {"UCX_Gone": "HULL"}
    assert build_level(bpy.context).lines == ("UCX_Gone: there is no “Gone” that it is the shape of",)


def test_names_are_read_in_each_instance(scene):
    kit = bpy.data.collections.new("Kit")
    kit.instance_offset = (0, 0, 1)
    add_cube("Crate", location=(1, 0, 0), collection=kit)
    add_cube("UCX_Crate", location=(2, 0, 1), collection=kit).hide_viewport = True
    add_cube("Crate Top-convcol", collection=kit)
    for name, x in (("Left", -5), ("Right", 5)):
        add_instance(name, kit).location.x = x
    add_cube("Crate.001")  # of the scene itself: no shape stands for it

    read = meshes_by_name()

    assert {name: mesh.mode.value for name, mesh in read.items()} == {
        "Crate.001": "AUTO",
        **{f"UCX_Crate in {side}": "HULL" for side in ("Left", "Right")},
        **{f"Crate Top-convcol in {side}": "HULL" for side in ("Left", "Right")},
    }
    np.testing.assert_allclose(read["UCX_Crate in Left"].vertices.mean(axis=0), (-3, 0, 0), atol=1e-6)
    assert set(left_out()) == {"Crate in Left", "Crate in Right"}


@pytest.mark.parametrize("collider", ["FACES", "PARTS", "HULL"])
def test_what_was_chosen_for_an_object_counts_before_its_name(scene, collider):
    for name in ("Crate", "UCX_Crate", "Wall-noimp", "Door-col"):
        add_cube(name).levelwalk.collider = collider

    assert modes() == dict.fromkeys(["Crate", "UCX_Crate", "Wall-noimp", "Door-col"], collider)


@pytest.mark.parametrize(("name", "value"), [("collider", "NONE"), ("layer", "IGNORE")])
def test_a_shape_that_is_no_level_stands_for_nothing(scene, name, value):
    add_cube("Crate")
    setattr(add_cube("UCX_Crate").levelwalk, name, value)

    assert modes() == {"Crate": "AUTO"}


def test_what_hangs_on_an_object_that_is_not_imported_is_left_out_too(scene, floor):
    blueprint = add_cube("Blueprint-noimp")
    child, grandchild = add_cube("Child"), add_cube("Grandchild")
    child.parent, grandchild.parent = blueprint, child
    kit = bpy.data.collections.new("Kit")
    add_cube("Crate", collection=kit)
    add_instance("Kit-noimp", kit)

    assert set(meshes_by_name()) == {"Floor"}
    assert "it hangs on “Blueprint-noimp”" in left_out()["Grandchild"]
    assert "it hangs on “Kit-noimp”" in left_out()["Crate in Kit-noimp"]

    child.levelwalk.collider = "FACES"
    assert meshes_by_name()["Child"].mode is ColliderMode.FACES


def test_a_shape_that_counts_also_while_hidden_may_be_shown_and_hidden(scene, floor):
    shape = add_cube("UCX_Floor")
    shape.hide_set(True)
    build_level(bpy.context)

    for is_hidden in (False, True):
        shape.hide_set(is_hidden)
        bpy.context.view_layer.update()
        assert not is_stale()

    add_cube("Crate").hide_set(True)
    bpy.context.view_layer.update()
    build_level(bpy.context)
    bpy.data.objects["Crate"].hide_set(False)
    bpy.context.view_layer.update()
    assert is_stale()
