"""What an object of the level is to the character: its own choice, for each instance of it, and when it counts."""

import pytest

bpy = pytest.importorskip("bpy")
from blender.scenes import add_collection, add_cube, add_mesh, level, meshes_by_name, update  # noqa: E402
from blender.test_interface import Layout  # noqa: E402

from levelwalk.core import ColliderMode, Layer, Sides  # noqa: E402
from levelwalk.operators.built_level import build_level, is_stale  # noqa: E402
from levelwalk.operators.copy_collider_settings import SETTINGS  # noqa: E402
from levelwalk.operators.one_object import instanced_objects  # noqa: E402

# Two cubes that do not touch, in one mesh: two loose parts.
CUBES = [(x + shift, y, z) for shift in (0, 5) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
SIDES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
CUBES_FACES = [*SIDES, *(tuple(corner + 8 for corner in side) for side in SIDES)]


@pytest.fixture
def pair(scene):
    """Return an object of two cubes apart."""
    return add_mesh("Pair", CUBES, CUBES_FACES)


@pytest.mark.parametrize(
    ("collider", "hulls", "faces"),
    [
        pytest.param("AUTO", 2, 0, id="each cube is convex"),
        pytest.param("HULL", 1, 0, id="one around both"),
        pytest.param("PARTS", 2, 0, id="one around each"),
        pytest.param("FACES", 0, 12, id="all sides"),
    ],
)
def test_an_object_becomes_what_was_chosen(scene, pair, collider, hulls, faces):
    pair.levelwalk.collider = collider

    assert meshes_by_name()["Pair"].mode is ColliderMode(collider)
    report = build_level(bpy.context).world.report
    assert (report.hulls, report.faces) == (hulls, faces)


def test_an_object_without_a_collider_is_left_out_by_name(scene, floor, pair):
    pair.levelwalk.collider = "NONE"

    assert set(meshes_by_name()) == {"Floor"}
    assert [(entry.name, entry.reason) for entry in level().left_out] == [("Pair", "its collider is set to “None”")]
    built = build_level(bpy.context)
    assert built.summary.endswith("; 1 left out")
    assert built.lines == ("Pair: left out: its collider is set to “None”",)


def test_layer_and_climbing_reach_the_core(scene, pair):
    cube = add_cube()
    pair.levelwalk.layer = "OBSTACLE"
    pair.levelwalk.is_climbable = True

    meshes = meshes_by_name()

    assert (meshes["Pair"].layer, meshes["Pair"].is_climbable) == (Layer.OBSTACLE, True)
    assert (meshes["Cube"].layer, meshes["Cube"].is_climbable) == (Layer.BOTH, False)
    assert cube.levelwalk.collider == "AUTO"


def test_all_instances_of_an_object_are_as_it_is(scene):
    kit = bpy.data.collections.new("Kit")
    rail = add_cube("Rail", collection=kit)
    rail.levelwalk.layer, rail.levelwalk.collider = "OBSTACLE", "FACES"
    add_cube("Ghost", collection=kit).levelwalk.collider = "NONE"
    for name in ("Left", "Right"):
        instance = bpy.data.objects.new(name, None)
        instance.instance_type, instance.instance_collection = "COLLECTION", kit
        scene.collection.objects.link(instance)

    meshes = meshes_by_name()

    assert set(meshes) == {"Rail in Left", "Rail in Right"}
    assert {(mesh.mode, mesh.layer) for mesh in meshes.values()} == {(ColliderMode.FACES, Layer.OBSTACLE)}


def test_a_modified_object_keeps_its_choice(scene, pair):
    pair.modifiers.new("Array", "ARRAY")
    pair.levelwalk.collider = "PARTS"

    assert meshes_by_name()["Pair"].mode is ColliderMode.PARTS


def test_a_chosen_collection_leaves_out_what_has_no_collider_too(scene):
    chosen = add_collection("Level")
    add_cube("Ghost", collection=chosen).levelwalk.collider = "NONE"
    add_cube("Solid", collection=chosen)
    scene.levelwalk.level = chosen

    assert set(meshes_by_name()) == {"Solid"}
    assert [entry.name for entry in level().left_out] == ["Ghost"]


@pytest.mark.parametrize(
    ("name", "value"), [("collider", "FACES"), ("layer", "OBSTACLE"), ("sides", "FRONT"), ("is_climbable", True)]
)
def test_a_change_makes_the_level_stale_and_builds_it_anew(scene, floor, pair, name, value):
    first = build_level(bpy.context)
    update()
    assert not is_stale()

    setattr(pair.levelwalk, name, value)

    assert is_stale()
    assert build_level(bpy.context) is not first
    assert not is_stale()


def test_a_change_before_anything_was_built_makes_nothing_stale(scene, pair):
    pair.levelwalk.collider = "FACES"

    assert not is_stale()


def test_choices_survive_saving_and_loading(scene, pair, tmp_path):
    pair.levelwalk.collider, pair.levelwalk.is_climbable = "HULL", True
    file = str(tmp_path / "kept.blend")

    bpy.ops.wm.save_as_mainfile(filepath=file)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.wm.open_mainfile(filepath=file)

    group = bpy.data.objects["Pair"].levelwalk
    assert (group.collider, group.layer, group.is_climbable) == ("HULL", "BOTH", True)


def panel():
    """Return what the panel in the object's properties shows; None where there is none."""
    panel_class = bpy.types.LEVELWALK_PT_object
    if not panel_class.poll(bpy.context):
        return None
    drawer = type("Drawer", (), {"layout": Layout()})()
    editor = next(area for area in bpy.context.screen.areas if area.type == "VIEW_3D")
    with bpy.context.temp_override(area=editor, region=next(r for r in editor.regions if r.type == "WINDOW")):
        panel_class.draw(drawer, bpy.context)
    return drawer.layout.shown


def said_of(ob):
    """Return what the panel says of an object that is left out; empty if it says nothing."""
    bpy.context.view_layer.update()
    bpy.context.view_layer.objects.active = ob
    lines = panel()
    start = next((i for i, line in enumerate(lines) if line.startswith("Left out")), None)
    if start is None:
        return ""
    return " ".join(line for line in lines[start:] if line not in {*SETTINGS, "levelwalk.copy_collider_settings"})


def shown_of(ob):
    """Return which settings the panel shows of an object."""
    bpy.context.view_layer.objects.active = ob
    return [name for name in panel() if name in SETTINGS]


@pytest.mark.parametrize(
    ("collider", "layer", "shown"),
    [
        ("AUTO", "BOTH", ["collider", "sides", "layer", "is_climbable"]),
        ("FACES", "OBSTACLE", ["collider", "sides", "layer", "is_climbable"]),
        ("HULL", "GROUND", ["collider", "layer", "is_climbable"]),
        ("PARTS", "BOTH", ["collider", "layer", "is_climbable"]),
        ("PIECES", "BOTH", ["collider", "piece_error", "layer", "is_climbable"]),
        ("PIECES", "IGNORE", ["collider", "Left out: it is set to act as “Ignore”", "layer"]),
        ("NONE", "BOTH", ["collider", "Left out: its collider is set to “None”"]),
    ],
)
def test_the_objects_panel_shows_what_counts(scene, pair, collider, layer, shown):
    bpy.context.view_layer.objects.active = pair
    pair.levelwalk.collider, pair.levelwalk.layer = collider, layer

    assert panel() == [*shown, "levelwalk.copy_collider_settings"]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("UCX_Pair", ["collider", "By its name: Convex Hull", "layer", "is_climbable"]),
        ("Pair-col.001", ["collider", "By its name: Faces", "sides", "layer", "is_climbable"]),
        ("Pair-noimp", ["collider", "Left out: Godot does not import it, by its name"]),
    ],
)
def test_the_objects_panel_says_what_its_name_means(scene, pair, name, shown):
    bpy.context.view_layer.objects.active = pair
    plain = panel()
    pair.name = name
    assert panel() == [*shown, "levelwalk.copy_collider_settings"]

    scene.levelwalk.use_engine_names = False
    assert panel() == plain


def replaced(ob):
    add_cube("UCX_Table").hide_set(True)
    ob.name = "Table"


def drawn_as_lines(ob):
    ob.display_type = "WIRE"


def in_an_ignored_collection(ob):
    add_collection("Helpers").objects.link(ob)
    bpy.data.collections["Helpers"].levelwalk.is_ignored = True


def below_what_is_not_imported(ob):
    ob.parent = add_cube("Sketch-noimp")


def without_collider(ob):
    ob.levelwalk.collider = "NONE"


@pytest.mark.parametrize(
    "leave_out",
    [replaced, drawn_as_lines, in_an_ignored_collection, below_what_is_not_imported, without_collider],
)
def test_the_panel_says_why_an_object_is_left_out_as_the_report_does(scene, floor, leave_out):
    crate = add_cube("Crate")
    assert said_of(crate) == ""
    leave_out(crate)
    update()

    (reason,) = {entry.reason for entry in level().left_out if entry.name == crate.name}

    assert said_of(crate) == f"Left out: {reason}"
    assert shown_of(crate) == ["collider"]
    assert said_of(floor) == ""


def test_the_panel_says_why_a_curve_is_left_out(scene, floor):
    curve = bpy.data.curves.new("Handrail", "CURVE")
    rail = bpy.data.objects.new("Handrail", curve)
    scene.collection.objects.link(rail)

    assert said_of(rail).startswith("Left out: it is a curve object: turn on “Curves and Text”")

    scene.levelwalk.include_curves = True
    assert said_of(rail) == ""


def test_the_panel_says_what_the_report_has_no_need_to_say(scene, floor):
    body, outside, hidden = add_cube("Body"), add_cube("Outside"), add_cube("Hidden")
    scene.levelwalk.character = body
    assert said_of(body) == "Left out: it is the character, or hangs on it"

    hidden.hide_set(True)
    assert said_of(hidden) == "Left out: it is hidden"
    assert "layer" in shown_of(hidden)  # it counts again as soon as it is shown

    scene.levelwalk.level = add_collection("Level")
    assert said_of(outside) == "Left out: it is not in the level collection “Level”"


def test_a_hidden_shape_is_not_left_out(scene, floor):
    shape = add_cube("UCX_Floor")
    shape.hide_set(True)

    assert said_of(shape) == ""


@pytest.mark.parametrize("is_hidden", [False, True])
def test_a_shape_belongs_to_the_mesh_that_is_likeliest(scene, is_hidden):
    """UCX_Crate_01 is the shape of Crate_01, and where that is hidden of Crate."""
    likeliest, other = add_cube("Crate_01"), add_cube("Crate")
    add_cube("UCX_Crate_01")
    likeliest.hide_set(is_hidden)

    assert said_of(other if is_hidden else likeliest) == "Left out: its collision shape “UCX_Crate_01” stands for it"
    if not is_hidden:
        assert said_of(other) == ""


def test_the_panel_of_an_instancer_has_the_settings_of_what_it_shows(scene, floor):
    inner, outer = bpy.data.collections.new("Inner"), bpy.data.collections.new("Outer")
    pebble, rock = add_cube("Pebble", collection=inner), add_cube("Rock", collection=outer)
    rock.levelwalk.collider = "PIECES"
    nested = bpy.data.objects.new("Nested", None)
    outer.objects.link(nested)
    place = bpy.data.objects.new("Place", None)
    scene.collection.objects.link(place)
    for empty, kit in ((nested, inner), (place, outer)):
        empty.instance_type, empty.instance_collection = "COLLECTION", kit
    bpy.context.view_layer.update()
    bpy.context.view_layer.objects.active = place

    plain, pieces = ["collider", "sides", "layer", "is_climbable"], ["collider", "piece_error", "layer", "is_climbable"]
    assert set(instanced_objects(place)) == {pebble, rock}
    assert panel() == ["Rock", *pieces, "Pebble", *plain]

    outer.levelwalk.is_ignored = True
    assert "Left out: its collection “Outer” is ignored" in panel()


def test_an_instancer_of_nothing_that_can_be_level_has_no_panel(scene):
    kit = bpy.data.collections.new("Kit")
    place = bpy.data.objects.new("Place", None)
    scene.collection.objects.link(place)
    place.instance_type, place.instance_collection = "COLLECTION", kit
    bpy.context.view_layer.objects.active = place

    assert panel() is None


def test_sides_and_the_error_of_pieces_reach_the_core_in_metres(scene, pair):
    scene.unit_settings.scale_length = 0.01
    pair.levelwalk.sides, pair.levelwalk.collider, pair.levelwalk.piece_error = "FRONT", "PIECES", 5.0

    mesh = meshes_by_name()["Pair"]

    assert (mesh.sides, mesh.mode) == (Sides.FRONT, ColliderMode.PIECES)
    assert mesh.piece_error == pytest.approx(0.05)


def test_an_ignored_object_is_left_out_by_name(scene, floor, pair):
    pair.levelwalk.layer = "IGNORE"

    assert set(meshes_by_name()) == {"Floor"}
    assert [(entry.name, entry.reason) for entry in level().left_out] == [("Pair", "it is set to act as “Ignore”")]


def test_objects_that_bring_no_faces_have_no_panel(scene, character):
    bpy.context.view_layer.objects.active = character
    assert panel() is None

    bpy.context.view_layer.objects.active = None
    assert panel() is None


@pytest.mark.parametrize("name", ["collider", "layer", "sides"])
def test_each_choice_is_one_of_the_core_and_explained(scene, pair, name):
    enum = {"collider": ColliderMode, "layer": Layer, "sides": Sides}[name]

    for item in pair.levelwalk.bl_rna.properties[name].enum_items:
        assert enum(item.identifier)
        assert item.description and item.name != item.identifier
    assert len(pair.levelwalk.bl_rna.properties[name].enum_items) == len(enum)
