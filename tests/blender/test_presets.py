"""Presets in Blender: engines' characters from the menu, and the user's own, in any scene's units."""

import dataclasses
from pathlib import Path

import pytest

bpy = pytest.importorskip("bpy")
from blender.test_interface import Layout  # noqa: E402

from levelwalk.core import LedgeGuard, Settings  # noqa: E402
from levelwalk.core.presets import load_presets  # noqa: E402
from levelwalk.operators.apply_preset import explain, identifier_of  # noqa: E402
from levelwalk.operators.from_blender import read_settings  # noqa: E402
from levelwalk.operators.to_blender import write_settings  # noqa: E402

MINE = Settings(
    radius=0.4, height=1.9, acceleration=30.0, ledge_guard=LedgeGuard.STOP, plane_lock=(0.0, 1.0, 0.0), dash_speed=9.0
)


def values_of(settings):
    """Return the settings as numbers that single precision may have touched."""
    values = dataclasses.asdict(settings).items()
    return {name: pytest.approx(value, rel=1e-5) if isinstance(value, float) else value for name, value in values}


@pytest.mark.parametrize("scale", [1.0, 0.01])
@pytest.mark.parametrize("preset", load_presets(), ids=[preset.name for preset in load_presets()])
def test_an_engines_preset_becomes_the_settings_of_the_scene(scene, preset, scale):
    scene.unit_settings.scale_length = scale
    write_settings(scene, MINE)

    assert bpy.ops.levelwalk.apply_preset(preset=identifier_of(preset)) == {"FINISHED"}

    assert dataclasses.asdict(read_settings(scene)) == values_of(preset.settings())
    assert scene.levelwalk.radius * scale == pytest.approx(preset.settings().radius)


def test_applying_a_preset_is_one_undo_step(scene):
    bpy.ops.ed.undo_push(message="before")

    bpy.ops.levelwalk.apply_preset("EXEC_DEFAULT", True, preset="UNREAL_CHARACTERMOVEMENT")
    assert bpy.context.scene.levelwalk.radius == pytest.approx(0.34)
    bpy.ops.ed.undo()

    assert read_settings(bpy.context.scene) == Settings()


@pytest.mark.parametrize("preset", load_presets(), ids=[preset.name for preset in load_presets()])
def test_a_menu_entry_explains_its_preset(scene, preset):
    properties = type("Properties", (), {"preset": identifier_of(preset), "is_property_set": lambda self, name: True})()

    tooltip = bpy.types.LEVELWALK_OT_apply_preset.description(bpy.context, properties)

    assert tooltip == explain(preset)
    for text in (preset.name, "Not reproduced:", *preset.not_reproduced, *preset.conversions, *preset.source):
        assert text in tooltip


def test_the_operator_by_itself_has_a_tooltip_of_its_own(scene):
    properties = type("Properties", (), {"is_property_set": lambda self, name: False})()

    tooltip = bpy.types.LEVELWALK_OT_apply_preset.description(bpy.context, properties)

    assert tooltip.startswith("Give the character the settings of a game engine")


class MenuLayout(Layout):
    """A layout that lists the texts of buttons."""

    def row(self, **_):
        return MenuLayout(self.shown)

    column = row

    def operator(self, name, text=None, **_):
        self.shown.append(text or name)
        return type("Properties", (), {})()

    def prop(self, *_, **__):
        """Stand for the field with the name of a new preset."""


def menu():
    """Return what the preset menu lists."""
    from bl_ui.utils import PresetPanel

    registered = bpy.types.LEVELWALK_PT_presets
    names = ("preset_subdir", "preset_operator", "preset_add_operator")
    attributes = {name: getattr(registered, name) for name in names}
    panel = type("Panel", (PresetPanel,), {**attributes, "bl_idname": registered.__name__})()  # none of Blender's own
    panel.layout = MenuLayout()
    registered.draw_engines(panel.layout)
    panel.draw(bpy.context)
    return panel.layout.shown


def test_the_menu_lists_the_engines_and_then_ones_own(scene):
    engines = [preset.name for preset in load_presets()]
    assert menu()[: len(engines)] == engines

    bpy.ops.levelwalk.add_preset(name="My Hero")
    assert menu().index("My Hero") >= len(engines)

    bpy.ops.levelwalk.add_preset(name="My_Hero", remove_name=True)
    assert "My Hero" not in menu()


def test_the_menu_of_who_has_no_preset_yet_has_a_field_for_the_first_one(scene):
    layout = MenuLayout()

    bpy.types.LEVELWALK_PT_presets.draw_new(layout, bpy.context)

    assert layout.shown == ["levelwalk.add_preset"]


def test_a_preset_of_ones_own_is_kept_listed_applied_and_removed(scene):
    write_settings(scene, MINE)
    assert bpy.ops.levelwalk.add_preset(name="My Hero") == {"FINISHED"}
    file = next(Path(folder) / "My_Hero.py" for folder in bpy.utils.preset_paths("levelwalk"))
    assert file.exists()

    write_settings(scene, Settings())
    scene.unit_settings.scale_length = 0.01
    bpy.ops.script.execute_preset(filepath=str(file), menu_idname="LEVELWALK_PT_presets")
    assert read_settings(scene) == MINE
    assert scene.levelwalk.radius == pytest.approx(40.0)

    bpy.ops.levelwalk.add_preset(name="My_Hero", remove_name=True)
    assert not file.exists()


def test_a_preset_of_another_version_keeps_what_is_known_and_leaves_the_rest_at_its_default(scene, tmp_path):
    write_settings(scene, MINE)

    scene.levelwalk.settings_text = '{"height": 2.2, "wings": 3}'

    assert read_settings(scene) == Settings(height=2.2)


@pytest.mark.parametrize("text", ["[]", '{"height": "tall"}', '{"height": 0.1}', "no"])
def test_a_damaged_preset_changes_nothing(scene, text):
    write_settings(scene, MINE)

    with pytest.raises(ValueError):
        scene.levelwalk.settings_text = text

    assert read_settings(scene) == MINE
