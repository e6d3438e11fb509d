"""The interface: every panel and menu draws, everything in it exists and explains itself."""

import re
from types import SimpleNamespace

import pytest

bpy = pytest.importorskip("bpy")
import blf  # noqa: E402
from blender.scenes import add_cube, straight_take  # noqa: E402

import levelwalk  # noqa: E402
from levelwalk.core import Movement, Settings  # noqa: E402
from levelwalk.core.presets import load_presets  # noqa: E402
from levelwalk.operators.apply_preset import explain  # noqa: E402
from levelwalk.operators.play import draw_status, keys_of, new_session  # noqa: E402
from levelwalk.operators.playing import begin_play, end_play  # noqa: E402
from levelwalk.operators.to_blender import keep_take, write_settings  # noqa: E402
from levelwalk.operators.units import SWITCHED_OFF  # noqa: E402
from levelwalk.ui.tab import wrapped  # noqa: E402


class Layout:
    """A layout that notes what is put into it, and refuses properties, operators and icons that do not exist."""

    enabled = True

    def __init__(self, shown=None, buttons=None, icons=None):
        self.shown = [] if shown is None else shown
        self.buttons = [] if buttons is None else buttons  # those with a text of their own
        self.icons = [] if icons is None else icons  # of all that is shown

    def row(self, **_):
        return Layout(self.shown, self.buttons, self.icons)

    column = grid_flow = row

    def label(self, text="", icon="NONE", icon_value=0):
        self._show(text, icon)

    def prop(self, owner, name, text=None, icon="NONE", **_):
        assert name == "name" or owner.bl_rna.properties[name].description
        self._show(name, icon)

    def operator(self, name, text=None, icon="NONE", translate=True, emboss=True, depress=False):
        module, _, function = name.partition(".")
        assert getattr(getattr(bpy.ops, module), function).get_rna_type().description
        self._show(name, icon)
        button = Layout()
        if text is not None:
            button.text = text
            self.buttons.append(button)
        return button

    def operator_menu_enum(self, name, property_name, icon="NONE"):
        module, _, function = name.partition(".")
        assert getattr(getattr(bpy.ops, module), function).get_rna_type().properties[property_name].enum_items
        self._show(name, icon)

    def popover(self, panel, text="", icon="NONE"):
        assert getattr(bpy.types, panel)
        self._show(panel, icon)

    def menu(self, name, icon="NONE"):
        assert getattr(bpy.types, name)
        self._show(name, icon)

    def template_list(self, list_name, _, owner, items, __, active, rows=5):
        assert getattr(bpy.types, list_name)
        for item in getattr(owner, items):
            bpy.types.LEVELWALK_UL_takes.draw_item(self, bpy.context, self, owner, item, 0, owner, active, 0, 0)

    def _show(self, what, icon):
        assert icon in ICONS
        self.shown.append(what)
        self.icons.append(icon)

    def separator(self, **_):
        pass

    separator_spacer = separator


ICONS = bpy.types.UILayout.bl_rna.functions["label"].parameters["icon"].enum_items.keys()
FOLDED = ["ground", "slopes", "air", "abilities", "facing", "solver"]
PANELS = ["play", "character", *FOLDED, "level", "colliders", "build_report", "takes"]
EVERYTHING_ON = Settings(slide_speed=9.0, dash_speed=12.0, ledge_guard="SLIDE", wall_jump_speed=4.0, mantle_height=1.5)


def drawn(name, method="draw"):
    """Return what a class of the interface shows, in order."""
    return layout_of(name, method).shown


def layout_of(name, method="draw"):
    """Return what a class of the interface draws into."""
    layout = Layout()
    view = next(area for area in bpy.context.screen.areas if area.type == "VIEW_3D")
    drawn_class = getattr(bpy.types, name)
    drawer = type("Drawer", (), {"layout": layout, "groups": getattr(drawn_class, "groups", ())})()
    with bpy.context.temp_override(area=view, region=view.regions[0]):
        getattr(drawn_class, method)(drawer, bpy.context)
    return layout


def settings_shown():
    """Return the names of all that is shown in the character's panels."""
    return {name for panel in ("character", *FOLDED) for name in drawn(f"LEVELWALK_PT_{panel}")}


@pytest.mark.parametrize("panel", [name for name in PANELS if name != "build_report"])
def test_panels_draw_in_an_empty_scene(scene, panel):
    assert drawn(f"LEVELWALK_PT_{panel}")


def test_every_setting_of_the_scene_is_in_a_panel(scene):
    write_settings(scene, EVERYTHING_ON)
    scene.levelwalk.use_plane_lock = True
    shown = settings_shown() | set(drawn("LEVELWALK_PT_level")) | set(drawn("LEVELWALK_PT_takes"))
    shown |= {"show_colliders", "colour_by"}  # in test_collider_overlay
    not_edited = {"rna_type", "name", "takes", "active_take", "fitted_scale", "collider_objects"}

    assert set(scene.levelwalk.bl_rna.properties.keys()) - not_edited <= shown


def test_what_most_people_need_is_in_the_open_panel_and_the_rest_is_folded(scene):
    shown = drawn("LEVELWALK_PT_character")

    assert {"radius", "height", "speed", "run_speed", "jump_height", "slope_limit", "step_offset"} <= set(shown)
    assert len(shown) < 12
    for panel in FOLDED:
        panel_class = getattr(bpy.types, f"LEVELWALK_PT_{panel}")
        assert panel_class.bl_parent_id == "LEVELWALK_PT_character"
        assert "DEFAULT_CLOSED" in panel_class.bl_options


def test_no_setting_is_shown_twice(scene):
    write_settings(scene, EVERYTHING_ON)
    shown = [name for panel in ("character", *FOLDED) for name in drawn(f"LEVELWALK_PT_{panel}")]

    assert len(shown) == len(set(shown))


def test_a_limit_is_shown_after_its_check_box(scene):
    shown = drawn("LEVELWALK_PT_ground")

    for name in SWITCHED_OFF:
        if name in shown:
            assert shown[shown.index(name) - 1] == f"use_{name}"
    assert "acceleration" in shown


def test_the_header_of_the_character_has_the_preset_menu(scene):
    assert drawn("LEVELWALK_PT_character", "draw_header_preset") == ["LEVELWALK_PT_presets"]


def test_what_is_seldom_meant_is_told(scene):
    assert not any("more than half" in text for text in drawn("LEVELWALK_PT_character"))
    scene.levelwalk.step_offset = 1.0

    assert any(text.startswith("Step offset 1 m is more than") for text in drawn("LEVELWALK_PT_character"))


def test_settings_that_make_no_character_are_told(scene):
    scene.levelwalk.height = 0.1

    assert any(text.startswith("Height must be") for text in drawn("LEVELWALK_PT_play"))


def test_the_build_is_summed_up_and_its_report_is_there(scene, floor):
    assert not bpy.types.LEVELWALK_PT_build_report.poll(bpy.context)
    for i in range(40):
        add_cube(f"Cutter {i}").display_type = "WIRE"
    bpy.ops.levelwalk.build_colliders()

    assert {"0 hulls and 1 face from 1 object", "40 left out"} <= set(drawn("LEVELWALK_PT_level"))
    assert bpy.types.LEVELWALK_PT_build_report.poll(bpy.context)

    floor.location.z = 1
    bpy.context.view_layer.update()
    shown = drawn("LEVELWALK_PT_level")
    assert {"0 hulls and 1 face from 1 object", "40 left out", "Level changed: rebuilt on Play"} <= set(shown)


@pytest.mark.parametrize(
    ("scale", "height", "text"),
    [(0.01, 1.8, "Height is 1.8 cm"), (1.0, 12.0, "Height is 12 m"), (1.0, 1.8, ""), (0.01, 180.0, "")],
)
def test_a_height_of_another_unit_is_told_and_can_be_fitted(scene, scale, height, text):
    scene.unit_settings.scale_length = scale
    scene.levelwalk.height = height

    shown = drawn("LEVELWALK_PT_character")

    assert ("levelwalk.fit_units" in shown) == bool(text)
    assert [line for line in shown if line.startswith("Height is")] == [text] * bool(text)
    bpy.ops.levelwalk.fit_units()
    assert scene.levelwalk.height * scale == pytest.approx(1.8)
    assert "levelwalk.fit_units" not in drawn("LEVELWALK_PT_character")


@pytest.mark.parametrize("width", [180, 280, 600])
def test_lines_use_the_width_of_the_panel(scene, width):
    context = SimpleNamespace(preferences=bpy.context.preferences, region=SimpleNamespace(width=width))
    scale = bpy.context.preferences.system.ui_scale or 1.0
    room = width - 52 * scale  # without the tabs' strip and the margins
    text = "Illumination: left out: it is drawn as lines, as cutters are: choose a level collection that holds it"

    pieces = wrapped(context, text)

    blf.size(0, bpy.context.preferences.ui_styles[0].widget.points * scale)
    widths = [blf.dimensions(0, piece)[0] for piece in pieces]
    assert max(widths) <= room
    assert max(widths) > 0.75 * room
    assert " ".join(piece.strip() for piece in pieces) == text


@pytest.mark.parametrize("panel", [name for name in PANELS if name not in {"build_report", "colliders"}])
def test_panels_are_greyed_out_during_a_walk(scene, floor, character, panel):
    view = next(area for area in bpy.context.screen.areas if area.type == "VIEW_3D")
    with bpy.context.temp_override(window=bpy.context.window, area=view):
        begin_play(bpy.context, new_session(bpy.context), draw_status)
        assert not layout_of(f"LEVELWALK_PT_{panel}").enabled
        end_play()

    assert layout_of(f"LEVELWALK_PT_{panel}").enabled


def test_colliders_can_be_shown_during_a_walk_without_an_undo_step(scene, floor, character):
    view = next(area for area in bpy.context.screen.areas if area.type == "VIEW_3D")
    with bpy.context.temp_override(window=bpy.context.window, area=view):
        begin_play(bpy.context, new_session(bpy.context), draw_status)
        try:
            hidden = layout_of("LEVELWALK_PT_colliders")
            bpy.ops.levelwalk.show_colliders(look="TOGGLE")
            bpy.ops.levelwalk.show_colliders(look="SURFACE")
            shown = layout_of("LEVELWALK_PT_colliders")
        finally:
            end_play()

    assert hidden.enabled and shown.enabled
    assert "levelwalk.show_colliders" in hidden.shown and "Walkable" not in hidden.shown
    assert [button.text for button in shown.buttons] == ["Kind", "Surface"]
    assert "Walkable" in shown.shown
    assert scene.levelwalk.colour_by == "SURFACE"
    assert "UNDO" not in bpy.types.LEVELWALK_OT_show_colliders.bl_options
    assert "show_colliders" in drawn("LEVELWALK_PT_colliders")


def test_takes_are_listed_with_their_length(scene):
    keep_take(scene, straight_take(seconds=2.0))

    assert "2.0 s" in drawn("LEVELWALK_PT_takes")


@pytest.mark.parametrize(
    ("menu", "operators"),
    [
        (
            "LEVELWALK_MT_add",
            {"levelwalk.add_character", "levelwalk.add_sample_level", "levelwalk.add_gym_level"},
        ),
        (
            "LEVELWALK_MT_object",
            {
                "levelwalk.play",
                "levelwalk.build_colliders",
                "levelwalk.bake_keyframes",
                "levelwalk.make_collider_objects",
                "levelwalk.apply_preset",
            },
        ),
    ],
)
def test_menus_offer_the_operators(scene, menu, operators):
    assert set(drawn(menu)) == operators


def test_the_status_bar_names_the_keys_and_the_state(scene, floor, character):
    view = next(area for area in bpy.context.screen.areas if area.type == "VIEW_3D")
    header = type("Header", (), {"layout": Layout()})()
    with bpy.context.temp_override(window=bpy.context.window, area=view):
        begin_play(bpy.context, new_session(bpy.context), draw_status)
        draw_status(header, bpy.context)
        end_play()

    shown = set(header.layout.shown)
    assert {"Walk", "Jump", "Run", "Crouch", "Colliders", "Turn View", "Keep Walk", "Cancel"} <= shown
    assert any(text.startswith("In the air") for text in shown)


@pytest.mark.parametrize(
    ("changes", "key", "is_shown"),
    [
        ({}, "Dash", False),
        ({"dash_speed": 9.0}, "Dash", True),
        ({"dash_speed": 9.0, "movement": Movement.MOMENTUM}, "Dash", False),
        ({}, "Crouch", True),
        ({"crouch_height": 0.0}, "Crouch", False),
        ({"jump_height": 0.0}, "Jump", False),
    ],
)
def test_only_the_keys_of_abilities_that_are_on_are_named(changes, key, is_shown):
    keys = {label: icons for icons, label in keys_of(Settings(**changes))}

    assert (key in keys) == is_shown
    assert all(icon in ICONS for icons in keys.values() for icon in icons)


BRITISH = re.compile(r"\w*(olour|entre\b|entred|grey|eighbour|kerb|ehaviour|metres?\b|rmour|avour)\w*", re.IGNORECASE)


def texts_of(struct):
    """Yield all that a class of the interface says of itself and of its properties."""
    yield from (struct.name, struct.description)
    for prop in struct.properties:
        yield from (prop.name, prop.description)
        for item in getattr(prop, "enum_items", ()):
            yield from (item.name, item.description)


def test_the_interface_is_in_american_english_as_blenders_is(scene):
    ours = [getattr(bpy.types, name).bl_rna for name in dir(bpy.types) if name.startswith("LEVELWALK_")]
    ours += [getattr(bpy.ops.levelwalk, name).get_rna_type() for name in dir(bpy.ops.levelwalk)]
    ours += [owner.levelwalk.bl_rna for owner in (scene, add_cube(), bpy.context.window_manager)]
    ours += [scene.levelwalk.takes.add().bl_rna, bpy.data.collections.new("Kit").levelwalk.bl_rna]
    told = [text for struct in ours for text in texts_of(struct)]
    told += [line for preset in load_presets() for line in explain(preset).splitlines()]

    assert len(told) > 300
    assert [text for text in told if BRITISH.search(text)] == []


def test_the_choices_fit_into_a_narrow_properties_editor(scene):
    group = add_cube().levelwalk.bl_rna

    for name in ("collider", "sides", "layer"):
        assert max(len(item.name) for item in group.properties[name].enum_items) <= len("Convex Pieces")


def test_it_registers_and_goes_twice():
    for _ in range(2):
        levelwalk.register()
        assert hasattr(bpy.types.Scene, "levelwalk")
        levelwalk.unregister()
        assert not hasattr(bpy.types.Scene, "levelwalk")
        assert not [name for name in dir(bpy.types) if "levelwalk" in name.lower()]


def test_the_menu_asks_for_the_engine_as_the_sidebar_does(scene, monkeypatch):
    asked = []
    monkeypatch.setattr(Layout, "operator_menu_enum", lambda _, *names, **__: asked.append(names))

    for place in ("LEVELWALK_MT_object", "LEVELWALK_PT_colliders"):
        drawn(place)

        assert ("levelwalk.make_collider_objects", "engine") in asked
        asked.clear()
