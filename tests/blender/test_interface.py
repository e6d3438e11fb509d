"""The interface: every panel and menu draws, everything in it exists and explains itself."""

import pytest

bpy = pytest.importorskip("bpy")
from blender.scenes import add_cube, straight_take  # noqa: E402

import levelwalk  # noqa: E402
from levelwalk.operators.play import draw_status  # noqa: E402
from levelwalk.operators.to_blender import keep_take  # noqa: E402


class Layout:
    """A layout that notes what is put into it, and refuses properties, operators and icons that do not exist."""

    def __init__(self, shown=None):
        self.shown = [] if shown is None else shown

    def row(self, **_):
        return Layout(self.shown)

    column = row

    def label(self, text="", icon="NONE"):
        assert icon in ICONS
        self.shown.append(text)

    def prop(self, owner, name, text=None, icon="NONE", **_):
        assert icon in ICONS
        assert name == "name" or owner.bl_rna.properties[name].description
        self.shown.append(name)

    def operator(self, name, text=None, icon="NONE"):
        assert icon in ICONS
        module, _, function = name.partition(".")
        assert getattr(getattr(bpy.ops, module), function).get_rna_type().description
        self.shown.append(name)
        return Layout()

    def menu(self, name, icon="NONE"):
        assert icon in ICONS
        assert getattr(bpy.types, name)
        self.shown.append(name)

    def template_list(self, list_name, _, owner, items, __, active, rows=5):
        assert getattr(bpy.types, list_name)
        for item in getattr(owner, items):
            bpy.types.LEVELWALK_UL_takes.draw_item(self, bpy.context, self, owner, item, 0, owner, active, 0, 0)

    def separator(self, **_):
        pass

    separator_spacer = separator


ICONS = bpy.types.UILayout.bl_rna.functions["label"].parameters["icon"].enum_items.keys()
PANELS = ["play", "character", "movement", "level", "build_report", "takes"]


def drawn(name):
    """Return what a class of the interface shows, in order."""
    layout = Layout()
    view = next(area for area in bpy.context.screen.areas if area.type == "VIEW_3D")
    drawer = type("Drawer", (), {"layout": layout})()
    with bpy.context.temp_override(area=view, region=view.regions[0]):
        getattr(bpy.types, name).draw(drawer, bpy.context)
    return layout.shown


@pytest.mark.parametrize("panel", [name for name in PANELS if name != "build_report"])
def test_panels_draw_in_an_empty_scene(scene, panel):
    assert drawn(f"LEVELWALK_PT_{panel}")


def test_every_setting_of_the_scene_is_in_a_panel(scene):
    shown = {name for panel in PANELS if panel != "build_report" for name in drawn(f"LEVELWALK_PT_{panel}")}
    not_edited = {"rna_type", "name", "takes", "active_take"}

    assert set(scene.levelwalk.bl_rna.properties.keys()) - not_edited <= shown


def test_settings_that_make_no_character_are_told(scene):
    scene.levelwalk.height = 0.1

    assert any(text.startswith("Height must be") for text in drawn("LEVELWALK_PT_play"))


def test_the_build_is_summed_up_and_its_report_is_there(scene, floor):
    assert not bpy.types.LEVELWALK_PT_build_report.poll(bpy.context)
    for i in range(40):
        add_cube(f"Cutter {i}").display_type = "WIRE"
    bpy.ops.levelwalk.build_colliders()

    assert {"0 hulls and 2 faces from 1 object", "40 left out"} <= set(drawn("LEVELWALK_PT_level"))
    assert bpy.types.LEVELWALK_PT_build_report.poll(bpy.context)
    report = drawn("LEVELWALK_PT_build_report")
    assert report[0].startswith("Cutter 0: left out: it is")
    assert sum("left out" in line for line in report) == 30
    assert report[-1] == "and 10 lines more"

    floor.location.z = 1
    bpy.context.view_layer.update()
    assert "The level has changed since" in drawn("LEVELWALK_PT_level")


def test_takes_are_listed_with_their_length(scene):
    keep_take(scene, straight_take(seconds=2.0))

    assert "2.0 s" in drawn("LEVELWALK_PT_takes")


@pytest.mark.parametrize(
    ("menu", "operators"),
    [
        ("LEVELWALK_MT_add", {"levelwalk.add_character", "levelwalk.add_sample_level"}),
        ("LEVELWALK_MT_object", {"levelwalk.play", "levelwalk.build_colliders", "levelwalk.bake_keyframes"}),
    ],
)
def test_menus_offer_the_operators(scene, menu, operators):
    assert set(drawn(menu)) == operators


def test_the_status_bar_names_the_keys():
    header = type("Header", (), {"layout": Layout()})()

    draw_status(header, bpy.context)

    assert {"Walk", "Jump", "Run", "Turn View", "Keep Walk", "Cancel"} <= set(header.layout.shown)


def test_it_registers_and_goes_twice():
    for _ in range(2):
        levelwalk.register()
        assert hasattr(bpy.types.Scene, "levelwalk")
        levelwalk.unregister()
        assert not hasattr(bpy.types.Scene, "levelwalk")
        assert not [name for name in dir(bpy.types) if "levelwalk" in name.lower()]
