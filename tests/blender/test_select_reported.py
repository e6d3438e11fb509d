"""From an entry of the build report to its object."""

import pytest

bpy = pytest.importorskip("bpy")
from blender.scenes import CUBE_FACES, CUBE_VERTICES, add_collection, add_cube, add_mesh  # noqa: E402

from levelwalk.operators.built_level import build_level  # noqa: E402


def view():
    return next(area for area in bpy.context.screen.areas if area.type == "VIEW_3D").spaces.active.region_3d


def selected():
    return {ob.name for ob in bpy.context.selected_objects}


def test_it_selects_the_object_and_looks_at_it(scene):
    add_cube("Other").select_set(True)
    crate = add_cube("Crate", location=(30, 20, 10))
    bpy.context.view_layer.update()

    assert bpy.ops.levelwalk.select_reported(ob="Crate") == {"FINISHED"}

    assert selected() == {"Crate"}
    assert bpy.context.view_layer.objects.active == crate
    assert view().view_location[:] == pytest.approx((30, 20, 10))
    assert 3.4 < view().view_distance < 12  # it is 3.5 m across


def test_it_looks_at_the_place_if_there_is_one(scene):
    add_cube("Terrain").scale = (500, 500, 1)
    bpy.context.view_layer.update()
    view().view_distance = 50

    bpy.ops.levelwalk.select_reported(ob="Terrain", has_place=True, place=(100, 7, 1))

    assert view().view_location[:] == pytest.approx((100, 7, 1))
    assert view().view_distance <= 50


def test_an_entry_names_the_object_that_brings_an_instance(scene, floor):
    kit = bpy.data.collections.new("Kit")
    add_cube("Ghost", collection=kit).levelwalk.collider = "NONE"
    instance = bpy.data.objects.new("Left", None)
    instance.instance_type, instance.instance_collection = "COLLECTION", kit
    scene.collection.objects.link(instance)

    entry = build_level(bpy.context).entries[0]

    assert (entry.name, entry.ob, entry.bringer) == ("Ghost in Left", "Ghost", "Left")
    assert bpy.ops.levelwalk.select_reported(ob=entry.ob, bringer=entry.bringer) == {"FINISHED"}
    assert selected() == {"Left"}


def test_an_entry_knows_the_place_in_the_scenes_units(scene, floor):
    scene.unit_settings.scale_length = 0.01
    bowl = add_mesh("Bowl", CUBE_VERTICES, CUBE_FACES[:-1], location=(500, 0, 0))  # a cube without a lid
    bowl.levelwalk.sides, bowl.levelwalk.collider = "SOLID", "FACES"

    entry = next(entry for entry in build_level(bpy.context).entries if entry.name == "Bowl")

    assert "no inside" in entry.text
    assert all(abs(along - middle) <= 1.001 for along, middle in zip(entry.place, (500, 0, 0), strict=True))


def test_it_says_that_an_object_is_hidden(scene, capfd):
    hidden = add_collection("Hidden")
    add_cube("Crate", collection=hidden)
    hidden.hide_viewport = True
    bpy.context.view_layer.update()

    bpy.ops.levelwalk.select_reported(ob="Crate")

    assert "“Crate” is hidden" in capfd.readouterr().out


def test_it_says_that_an_object_is_excluded_or_gone(scene, capfd):
    hidden = add_collection("Hidden")
    add_cube("Crate", collection=hidden)
    bpy.context.view_layer.layer_collection.children["Hidden"].exclude = True

    assert bpy.ops.levelwalk.select_reported(ob="Crate") == {"CANCELLED"}
    assert bpy.ops.levelwalk.select_reported(ob="Never") == {"CANCELLED"}

    said = capfd.readouterr().out
    assert "“Crate” is not in this view layer" in said
    assert "“Never” is not there any more" in said


def test_not_in_edit_mode(scene):
    bpy.context.view_layer.objects.active = add_cube("Crate")
    bpy.ops.object.mode_set(mode="EDIT")
    try:
        with pytest.raises(RuntimeError, match="Go to Object Mode first"):
            bpy.ops.levelwalk.select_reported(ob="Crate")
    finally:
        bpy.ops.object.mode_set(mode="OBJECT")
