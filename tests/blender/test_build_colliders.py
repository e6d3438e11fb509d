"""Building the level: what is said about it, when it is built anew, and when it cannot be."""

import math

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")
from blender.scenes import add_collection, add_cube, add_mesh, level, update  # noqa: E402

from levelwalk.core import World  # noqa: E402
from levelwalk.operators.building import Building  # noqa: E402
from levelwalk.operators.built_level import build_level, build_level_stages, built_level, is_stale  # noqa: E402


def test_it_says_how_many_colliders_came_from_how_many_objects(scene, floor):
    add_cube("Crate", location=(0, 0, 1))
    add_cube("Other Crate", location=(4, 0, 1))

    assert bpy.ops.levelwalk.build_colliders() == {"FINISHED"}

    built = built_level(scene)
    assert built.summary == "2 hulls and 1 face from 3 objects"
    assert built.lines == ()
    assert built.world.names == ("Floor", "Crate", "Other Crate")


def test_it_says_what_was_left_out_and_why(scene, floor):
    add_cube("Cutter").display_type = "BOUNDS"
    add_mesh("Wire", [(0, 0, 0), (1, 0, 0)], [])
    add_mesh("Needle", [(0, 0, 0), (1, 0, 0), (2, 0, 0)], [(0, 1, 2)])
    broken = add_mesh("Broken", [(0, 0, 0), (1, 0, 0), (0, 1, 0), (math.nan, 1, 0)], [(0, 1, 2), (1, 3, 2)])
    assert broken

    bpy.ops.levelwalk.build_colliders()

    built = built_level(scene)
    assert built.summary == "0 hulls and 2 faces from 2 objects; 3 left out, 1 mended, 1 warning"
    report = "\n".join(built.lines)
    assert "Cutter: left out: it is drawn as lines" in report
    assert "Wire: left out: it has no faces" in report
    assert "Broken: dropped 1 triangle" in report
    assert "Needle: " in report


def test_a_level_of_which_nothing_is_left_is_refused(scene):
    add_mesh("Wire", [(0, 0, 0), (1, 0, 0)], [])

    with pytest.raises(RuntimeError, match=r"nothing is left of the level\. Wire: left out: it has no faces"):
        bpy.ops.levelwalk.build_colliders()


def no_mesh(scene):
    return "There is no visible mesh to walk on"


def only_the_character(scene):
    scene.levelwalk.character = add_cube()
    return "There is no visible mesh to walk on"


def hidden_mesh(scene):
    add_cube().hide_set(True)
    return "There is no visible mesh to walk on"


def empty_collection(scene):
    add_cube()
    scene.levelwalk.level = add_collection("Blockout")
    return "The level collection “Blockout” has no visible mesh"


def ignored_level(scene):
    scene.levelwalk.level = add_collection("Blockout")
    add_cube(collection=scene.levelwalk.level)
    scene.levelwalk.level.levelwalk.is_ignored = True
    return "The level collection “Blockout” is ignored: turn off Ignore in its properties"


def level_below_an_ignored_collection(scene):
    scene.levelwalk.level = bpy.data.collections.new("Blockout")
    above = add_collection("Above")
    above.children.link(scene.levelwalk.level)
    add_cube(collection=scene.levelwalk.level)
    above.levelwalk.is_ignored = True
    return "The level collection “Blockout” is in “Above”, which is ignored: turn off Ignore in its properties"


def ignored_below_the_level(scene):
    scene.levelwalk.level = add_collection("Blockout")
    helpers = bpy.data.collections.new("Helpers")
    scene.levelwalk.level.children.link(helpers)
    add_cube(collection=helpers)
    helpers.levelwalk.is_ignored = True
    return "All visible meshes of the level collection “Blockout” are in ignored collections"


def all_ignored(scene):
    helpers = add_collection("Helpers")
    add_cube(collection=helpers)
    helpers.levelwalk.is_ignored = True
    return "All visible meshes are in ignored collections"


@pytest.mark.parametrize(
    "prepare",
    [
        no_mesh,
        only_the_character,
        hidden_mesh,
        empty_collection,
        ignored_level,
        level_below_an_ignored_collection,
        ignored_below_the_level,
        all_ignored,
    ],
)
def test_the_button_says_why_there_is_no_level(scene, prepare):
    message = prepare(scene)

    with pytest.raises(RuntimeError, match=message):
        bpy.ops.levelwalk.build_colliders()


def test_the_same_meshes_are_not_built_twice(scene, floor, character):
    first = build_level(bpy.context)
    character.location.x = 5
    scene.levelwalk.radius = 0.5

    assert build_level(bpy.context) is first


def move(ob):
    ob.location.z = 1


def edit(ob):
    ob.data.vertices[0].co.z = 1
    ob.data.update()


def hide(ob):
    ob.hide_set(True)


def scale(ob):
    ob.scale.x = 2


def modify(ob):
    ob.modifiers.new("Array", "ARRAY")


def hide_in_viewports(ob):
    ob.hide_viewport = True


def rename(ob):
    ob.name = "Crate-noimp"


def remove(ob):
    bpy.data.objects.remove(ob)


def ignore(ob):
    collection = add_collection("Ignored")
    collection.objects.link(ob)
    collection.levelwalk.is_ignored = True


def exclude(ob):
    collection = add_collection("Excluded")
    collection.objects.link(ob)
    bpy.context.scene.collection.objects.unlink(ob)
    bpy.context.view_layer.layer_collection.children["Excluded"].exclude = True


CHANGES = [move, edit, hide, scale, modify, hide_in_viewports, rename, remove, ignore, exclude]


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_level_is_built_anew(scene, floor, change):
    crate = add_cube("Crate")
    first = build_level(bpy.context)

    change(crate)

    assert build_level(bpy.context) is not first


@pytest.mark.parametrize("change", CHANGES)
def test_an_edit_makes_what_was_built_stale_until_it_is_built_again(scene, floor, change):
    crate = add_cube("Crate")
    build_level(bpy.context)
    update()
    assert not is_stale()

    change(crate)
    update()
    assert is_stale()

    build_level(bpy.context)
    assert not is_stale()


def test_what_changes_in_an_instanced_collection_makes_it_stale(scene, floor):
    kit = bpy.data.collections.new("Kit")
    add_cube("Crate", collection=kit)
    instance = bpy.data.objects.new("Left", None)
    instance.instance_type, instance.instance_collection = "COLLECTION", kit
    scene.collection.objects.link(instance)
    build_level(bpy.context)
    update()

    bpy.data.objects["Crate"].hide_viewport = True
    update()

    assert is_stale()


def test_moving_the_character_or_selecting_does_not_make_it_stale(scene, floor, character):
    build_level(bpy.context)
    update()

    character.location.x = 3
    character.hide_set(True)
    floor.select_set(True)
    update()

    assert not is_stale()


def test_nothing_of_one_file_shows_in_another(scene, floor):
    build_level(bpy.context)

    bpy.ops.wm.read_factory_settings(use_empty=True)

    assert built_level(bpy.context.scene) is None


def test_undo_does_not_leave_a_level_that_is_no_more(scene, floor):
    bpy.ops.ed.undo_push(message="floor alone")
    add_cube("Crate", location=(0, 0, 1))
    bpy.ops.ed.undo_push(message="with a crate")
    with_crate = build_level(bpy.context).world.names

    bpy.ops.ed.undo()

    assert with_crate == ("Floor", "Crate")
    assert build_level(bpy.context).world.names == ("Floor",)


def test_a_build_in_stages_tells_its_share_and_makes_the_same(scene, floor):
    stages, shares = build_level_stages(bpy.context), []
    while True:
        try:
            shares.append(next(stages))
        except StopIteration as end:
            staged = end.value
            break

    assert shares and shares == sorted(shares)
    assert 0 <= shares[0] and shares[-1] <= 1
    assert built_level(scene) is staged
    assert build_level(bpy.context) is staged


def test_a_build_that_is_cancelled_keeps_what_was_built_before(scene, floor):
    before = build_level(bpy.context)
    floor.location.z = 1
    update()

    stages = build_level_stages(bpy.context)
    next(stages)
    stages.close()

    assert built_level(scene) is before
    assert is_stale()


def test_a_change_during_a_build_is_noticed(scene, floor):
    build_level(bpy.context)
    floor.location.z = 1
    stages = build_level_stages(bpy.context)
    next(stages)

    floor.location.z = 2
    update()
    for _ in stages:
        pass

    assert is_stale()
    assert build_level(bpy.context).world.bounds[0, 2] == 2


def test_the_report_follows_what_is_left_out_though_the_meshes_stay(scene, floor):
    cutter = add_cube("Cutter")
    cutter.display_type = "WIRE"
    world = build_level(bpy.context).world

    cutter.levelwalk.collider = "NONE"

    built = build_level(bpy.context)
    assert built.lines == ("Cutter: left out: its collider is set to “None”",)
    assert built.world is world


def test_one_bad_object_does_not_stop_the_rest(scene, floor):
    add_mesh("Broken", [(math.inf, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])
    add_cube("Giant").scale = (1e38, 1e38, 1e38)
    add_mesh("Line", [(0, 0, 0), (1, 0, 0)], [])

    built = build_level(bpy.context)

    assert built.world.report.faces >= 1
    assert {"Broken", "Line"} <= {entry.ob for entry in built.entries}
    assert bpy.ops.levelwalk.build_colliders() == {"FINISHED"}


def test_a_build_goes_on_in_slices_and_ends_when_it_is_asked_to(scene, floor):
    for i in range(3):
        add_cube(f"Crate {i}")
    first = Building(bpy.context)
    built = None
    while built is None:
        assert 0 <= first.share <= 1
        built = first.run(0.0)
    assert built is built_level(scene)

    add_cube("Another")
    second = Building(bpy.context)
    second.run(0.0)
    second.give_back()
    assert built is built_level(scene)


def test_a_rebuild_takes_over_what_is_the_same(scene, floor):
    rock = add_cube("Rock")
    rock.levelwalk.collider = "FACES"
    build_level(bpy.context)
    add_cube("Crate", location=(0, 0, 5))

    again = build_level(bpy.context).world

    from_scratch = World.build(level().meshes)
    assert again.names == from_scratch.names == ("Floor", "Rock", "Crate")
    np.testing.assert_array_equal(again.colliders.vertices, from_scratch.colliders.vertices)
    np.testing.assert_array_equal(again.colliders.triangles, from_scratch.colliders.triangles)
    np.testing.assert_array_equal(again.colliders.kind, from_scratch.colliders.kind)


def _add_stairs(count, run, rise, width=1.2):
    """Add stairs as one outline extruded: Blender cuts their sides into triangles, one of them without area."""
    outline = [(i * run, (i + up) * rise) for i in range(count) for up in (0, 1)]
    outline += [(count * run, count * rise), (count * run, 0)]
    corners = len(outline)
    sides = [tuple(range(corners)), tuple(range(2 * corners - 1, corners - 1, -1))]
    rim = [(i, corners + i, corners + (i + 1) % corners, (i + 1) % corners) for i in range(corners)]
    vertices = [(x, y, z) for y in (0, width) for x, z in outline]
    return add_mesh("Stairs", vertices, [*sides, *rim])


@pytest.mark.parametrize(("run", "rise"), [(0.30, 0.18), (0.30, 0.20), (0.28, 0.17)])
@pytest.mark.parametrize(("collider", "sides"), [("PIECES", "BOTH"), ("AUTO", "SOLID")])
def test_extruded_stairs_are_closed(scene, run, rise, collider, sides):
    stairs = _add_stairs(8, run, rise).levelwalk
    stairs.collider, stairs.sides, stairs.piece_error = collider, sides, 0.0

    built = build_level(bpy.context)

    assert built.lines == ()
    (told,) = built.world.report
    assert told.mended_zero_area > 0
    assert told.hulls == (8 if collider == "PIECES" else 0)
    assert bool(told.faces) == (collider == "AUTO")


def test_a_cube_as_far_as_the_stars_is_said_to_be_too_far(scene, floor):
    add_cube("Star", location=(1e20, 0, 0))

    assert "Star: left out: it is 1e+20 m from the origin, too far" in "\n".join(build_level(bpy.context).lines)


def test_a_cube_without_height_is_said_to_be_flat(scene):
    add_cube("Mat").scale.z = 0
    update()

    lines = [line for line in build_level(bpy.context).lines if "dropped" in line]

    assert len(lines) == 2
    assert all("the object is flat: give it a thickness" in line for line in lines)
