"""What an object of the level is to the character: its own choice, for each instance of it, and when it counts."""

import pytest

bpy = pytest.importorskip("bpy")
from blender.scenes import add_collection, add_cube, add_mesh, level, meshes_by_name, update  # noqa: E402
from blender.test_interface import Layout  # noqa: E402

from levelwalk.core import ColliderMode, Layer, Sides  # noqa: E402
from levelwalk.operators.built_level import build_level, is_stale  # noqa: E402

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
    assert [(entry.name, entry.reason) for entry in level().left_out] == [("Pair", "its collider is set to none")]
    built = build_level(bpy.context)
    assert built.summary.endswith("; 1 left out")
    assert built.lines == ("Pair: left out: its collider is set to none",)


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
    panel_class.draw(drawer, bpy.context)
    return drawer.layout.shown


@pytest.mark.parametrize(
    ("collider", "layer", "shown"),
    [
        ("AUTO", "BOTH", ["collider", "sides", "layer", "is_climbable"]),
        ("FACES", "OBSTACLE", ["collider", "sides", "layer", "is_climbable"]),
        ("HULL", "GROUND", ["collider", "layer", "is_climbable"]),
        ("PARTS", "BOTH", ["collider", "layer", "is_climbable"]),
        ("PIECES", "BOTH", ["collider", "piece_error", "layer", "is_climbable"]),
        ("PIECES", "IGNORE", ["collider", "layer"]),
        ("NONE", "BOTH", ["collider"]),
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
        ("Pair-noimp", ["collider", "By its name: left out"]),
    ],
)
def test_the_objects_panel_says_what_its_name_means(scene, pair, name, shown):
    bpy.context.view_layer.objects.active = pair
    plain = panel()
    pair.name = name
    assert panel() == [*shown, "levelwalk.copy_collider_settings"]

    scene.levelwalk.use_engine_names = False
    assert panel() == plain


def test_sides_and_the_error_of_pieces_reach_the_core_in_metres(scene, pair):
    scene.unit_settings.scale_length = 0.01
    pair.levelwalk.sides, pair.levelwalk.collider, pair.levelwalk.piece_error = "FRONT", "PIECES", 5.0

    mesh = meshes_by_name()["Pair"]

    assert (mesh.sides, mesh.mode) == (Sides.FRONT, ColliderMode.PIECES)
    assert mesh.piece_error == pytest.approx(0.05)


def test_an_ignored_object_is_left_out_by_name(scene, floor, pair):
    pair.levelwalk.layer = "IGNORE"

    assert set(meshes_by_name()) == {"Floor"}
    assert [(entry.name, entry.reason) for entry in level().left_out] == [("Pair", "it is set to be ignored")]


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
