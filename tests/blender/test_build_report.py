"""The build report: problems first, one entry for all instances, one heading an object, and warnings that are seen."""

import pytest

bpy = pytest.importorskip("bpy")
from blender.scenes import CUBE_FACES, CUBE_VERTICES, add_collection, add_cube, add_mesh, update  # noqa: E402
from blender.test_interface import drawn, layout_of  # noqa: E402

from levelwalk.operators.build_report import Weight  # noqa: E402
from levelwalk.operators.built_level import build_level, is_stale  # noqa: E402

# A wall 4 m wide and 3 m high, 0.2 m thick, with a door of 1 x 2 m: an outline that is drawn up by 0.2 m.
OUTLINE = [(0, 0), (1.5, 0), (1.5, 2), (2.5, 2), (2.5, 0), (4, 0), (4, 3), (0, 3)]


def add_wall(name="Wall", collection=None):
    """Add a wall with a door that is to become one convex hull."""
    n = len(OUTLINE)
    vertices = [(x, y, z) for y in (0, 0.2) for x, z in OUTLINE]
    faces = [tuple(range(n)), tuple(range(2 * n - 1, n - 1, -1))]
    faces += [(i, (i + 1) % n + 0, (i + 1) % n + n, i + n)[::-1] for i in range(n)]
    wall = add_mesh(name, vertices, faces, collection=collection)
    wall.levelwalk.collider = "HULL"
    return wall


NEEDLE = [(-1, -1, -1), (-1, -1, 1), (-1, -1, 0)]  # along an edge of the cube: without area


def add_with_needle(name, collection=None):
    """Add a cube with a triangle too many, which is dropped."""
    return add_mesh(name, [*CUBE_VERTICES, *NEEDLE], [*CUBE_FACES, (8, 9, 10)], collection=collection)


def add_instances(kit, count):
    """Add empties that show a collection, 10 m apart."""
    for i in range(count):
        empty = bpy.data.objects.new(f"Place {i}", None)
        empty.instance_type, empty.instance_collection = "COLLECTION", kit
        empty.location = (10 * i, 0, 0)
        bpy.context.scene.collection.objects.link(empty)
    update()


@pytest.fixture
def mixed(scene, floor):
    """Return a level with one of each: left out, mended, and a wall whose door is closed; built."""
    add_cube("Cutter", location=(9, 0, 0)).display_type = "WIRE"
    add_with_needle("Needled").location = (-9, 0, 0)
    add_wall()
    update()
    return build_level(bpy.context)


def test_problems_come_first_and_what_is_meant_to_be_left_out_last(mixed):
    told = [(entry.name, entry.weight) for entry in mixed.entries]

    assert told == [("Wall", Weight.WARNING), ("Needled", Weight.MENDED), ("Cutter", Weight.LEFT_OUT)]


def test_the_summary_counts_objects_by_what_is_said_of_them(mixed):
    assert mixed.summary.endswith("; 1 left out, 1 mended, 1 warning")


def test_what_is_broken_is_a_problem_though_it_is_left_out(scene, floor):
    add_mesh("Needle", [(0, 0, 0), (1, 0, 0), (2, 0, 0)], [(0, 1, 2)])
    nan = float("nan")
    add_mesh("Broken", [(nan, 0, 0), (1, 0, 0), (2, 0, 0)], [(0, 1, 2)])

    built = build_level(bpy.context)

    assert built.summary.endswith("; 2 left out, 2 warnings")
    assert {entry.weight for entry in built.entries} == {Weight.WARNING}


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ([], ""),
        (["Wall"], "the collider of “Wall” closes an opening"),
        (["Wall", "Front", "Back"], "the colliders of “Wall” and 2 more objects close openings"),
    ],
)
def test_closed_openings_are_a_warning_of_the_operator(scene, floor, capfd, names, said):
    for name in names:
        add_wall(name)

    bpy.ops.levelwalk.build_colliders()

    heard = capfd.readouterr().out
    assert ("Warning" in heard) == bool(said)
    assert said[1:] in heard
    assert build_level(bpy.context).warning.startswith(said)


def test_the_panel_of_the_level_shows_that_there_are_warnings(mixed):
    layout = layout_of("LEVELWALK_PT_level")

    assert dict(zip(layout.shown, layout.icons, strict=True))["1 left out, 1 mended, 1 warning"] == "ERROR"


def test_the_report_shows_problems_with_a_warning_icon_and_folds_what_is_left_out(mixed):
    layout = layout_of("LEVELWALK_PT_build_report")

    assert [(button.text, button.ob) for button in layout.buttons if button.text] == [
        ("Wall", "Wall"),
        ("Needled", "Needled"),
    ]
    icons = dict(zip(layout.shown, layout.icons, strict=True))
    assert next(icon for text, icon in icons.items() if text.startswith("Its hull stands out")) == "ERROR"
    assert next(icon for text, icon in icons.items() if text.startswith("Dropped")) == "CHECKMARK"
    assert layout.shown[-1] == "show_left_out"

    bpy.context.window_manager.levelwalk.show_left_out = True
    unfolded = layout_of("LEVELWALK_PT_build_report")
    assert [button.text for button in unfolded.buttons if button.text][-1] == "Cutter"


def test_what_is_left_out_for_one_reason_has_the_reason_once(scene, floor):
    for i in range(3):
        add_cube(f"Cutter {i}").display_type = "WIRE"
        add_cube(f"Ghost {i}").levelwalk.collider = "NONE"
    build_level(bpy.context)
    bpy.context.window_manager.levelwalk.show_left_out = True

    shown = drawn("LEVELWALK_PT_build_report")

    assert sum(text.startswith("It is drawn as lines") for text in shown) == 1
    assert shown.count("Its collider is set to “None”") == 1
    assert shown.count("levelwalk.select_reported") == 6


@pytest.mark.parametrize(("count", "pages"), [(30, 1), (31, 2), (70, 3)])
def test_all_entries_can_be_reached_page_by_page(scene, floor, count, pages):
    for i in range(count):
        add_cube(f"Cutter {i}").display_type = "WIRE"
    build_level(bpy.context)
    window = bpy.context.window_manager.levelwalk
    window.show_left_out = True

    named = []
    for page in range(1, pages + 1):
        window.report_page = page
        layout = layout_of("LEVELWALK_PT_build_report")
        named += [button.ob for button in layout.buttons]
        assert ("report_page" in layout.shown) == (pages > 1)
    assert named == [f"Cutter {i}" for i in range(count)]

    window.report_page = pages + 1
    assert window.report_page == pages


def test_one_defect_of_an_instanced_mesh_is_told_once(scene, floor):
    kit = bpy.data.collections.new("Kit")
    add_with_needle("Rock", collection=kit)
    add_instances(kit, 6)

    (entry,) = build_level(bpy.context).entries

    assert (entry.name, entry.ob, entry.bringer) == ("Rock (6 instances)", "Rock", "Place 0")


def test_two_instances_that_are_left_out_are_told_once_and_counted(scene, floor):
    kit = bpy.data.collections.new("Kit")
    add_cube("Ghost", collection=kit).levelwalk.collider = "NONE"
    add_instances(kit, 2)

    built = build_level(bpy.context)

    assert built.summary.endswith("; 2 left out")
    assert [entry.name for entry in built.entries] == ["Ghost (2 instances)"]


def test_a_click_selects_the_source_where_it_can_be_and_else_what_brings_it(scene, floor):
    kit = add_collection("Kit")
    add_with_needle("Rock", collection=kit)
    add_instances(kit, 1)

    bpy.ops.levelwalk.select_reported(ob="Rock", bringer="Place 0")
    assert [ob.name for ob in bpy.context.selected_objects] == ["Rock"]

    bpy.context.view_layer.layer_collection.children["Kit"].exclude = True
    bpy.ops.levelwalk.select_reported(ob="Rock", bringer="Place 0")
    assert [ob.name for ob in bpy.context.selected_objects] == ["Place 0"]


def test_an_object_has_one_heading_and_a_line_for_each_finding(scene, floor):
    """A cube with a needle and without its lid that is to be solid: a triangle dropped, and no inside."""
    add_mesh("Bowl", [*CUBE_VERTICES, *NEEDLE], [*CUBE_FACES[:-1], (8, 9, 10)]).levelwalk.sides = "SOLID"
    add_with_needle("Needled")

    entries = build_level(bpy.context).entries

    assert [entry.name for entry in entries] == ["Bowl", "Bowl", "Needled"]
    layout = layout_of("LEVELWALK_PT_build_report")
    assert [button.text for button in layout.buttons if button.text] == ["Bowl", "Needled"]
    assert layout.shown.count("levelwalk.select_reported") == 2 + 3  # each finding leads to its own place


def test_another_unit_scale_makes_the_level_stale(scene, floor):
    build_level(bpy.context)
    assert not is_stale()

    scene.unit_settings.scale_length = 0.5
    assert is_stale()

    scene.unit_settings.scale_length = 1.0
    assert not is_stale()
