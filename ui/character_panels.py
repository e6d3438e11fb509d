"""The character's panels: what most people need, and folded below it everything else, by group.

What the other settings make meaningless is not shown.
"""

import bpy

from ..operators.add_character import LEVELWALK_OT_add_character
from ..operators.fit_units import LEVELWALK_OT_fit_units
from ..operators.from_blender import metres_per_unit, read_settings
from ..operators.units import SWITCHED_OFF, switch_of
from .preset_menu import LEVELWALK_PT_presets
from .relevance import is_relevant
from .setting_properties import title_of
from .tab import Tab, body_of, draw_lines

SMALLEST, LARGEST = 0.3, 10.0  # m; heights beyond are possible, and seldom meant


class _SettingsPanel(Tab):
    """Draws groups of settings, each as one block."""

    groups: tuple[tuple[str, ...], ...]

    def draw(self: bpy.types.Panel, context: bpy.types.Context) -> None:
        draw_settings(body_of(self), context, self.groups)


class _FoldedPanel(_SettingsPanel):
    bl_parent_id = "LEVELWALK_PT_character"
    bl_options = {"DEFAULT_CLOSED"}


class LEVELWALK_PT_character(_SettingsPanel, bpy.types.Panel):
    bl_label = "Character"
    bl_order = 1
    groups = (("radius", "height"), ("speed", "run_speed", "jump_height"), ("slope_limit", "step_offset"))

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        LEVELWALK_PT_presets.draw_panel_header(body_of(self))

    def draw(self, context: bpy.types.Context) -> None:
        layout = body_of(self)
        layout.use_property_split = True
        layout.use_property_decorate = False
        row = layout.row(align=True)
        row.prop(context.scene.levelwalk, "character", text="Object")
        row.operator(LEVELWALK_OT_add_character.bl_idname, text="", icon="ADD")
        draw_settings(layout, context, self.groups)
        _draw_size(layout, context.scene)
        for warning in _warnings(context.scene):
            draw_lines(layout, context, warning, icon="INFO")


class LEVELWALK_PT_ground(_FoldedPanel, bpy.types.Panel):
    bl_label = "Ground"
    groups = (("movement",), ("acceleration", "deceleration"), ("ground_snap", "ground_memory"))


class LEVELWALK_PT_slopes(_FoldedPanel, bpy.types.Panel):
    bl_label = "Slopes and Ledges"
    groups = (
        ("slope_speed", "holds_on_slopes", "normal_smoothing"),
        ("launch_speed", "ledge_distance"),
        ("ledge_guard", "guard_ahead", "guard_depth"),
    )


class LEVELWALK_PT_air(_FoldedPanel, bpy.types.Panel):
    bl_label = "Air and Jumps"
    groups = (
        ("gravity", "gravity_scale"),
        ("terminal_speed", "air_acceleration"),
        ("jump_direction", "jump_release", "air_jumps"),
        ("coyote_time", "jump_buffer"),
        ("wall_jump_speed", "push_fade"),
    )


class LEVELWALK_PT_abilities(_FoldedPanel, bpy.types.Panel):
    bl_label = "Abilities"
    groups = (
        ("crouch_height", "crouch_speed"),
        ("slide_speed", "slide_deceleration"),
        ("dash_speed", "dash_time", "dash_wait"),
        ("climb_speed", "mantle_height"),
    )


class LEVELWALK_PT_facing(_FoldedPanel, bpy.types.Panel):
    bl_label = "Facing and Plane"
    groups = (("facing", "turn_rate", "turn_share"), ("plane_lock",))


class LEVELWALK_PT_solver(_FoldedPanel, bpy.types.Panel):
    bl_label = "Solver"
    groups = (("skin_width", "max_slides"),)


classes = (
    LEVELWALK_PT_character,
    LEVELWALK_PT_ground,
    LEVELWALK_PT_slopes,
    LEVELWALK_PT_air,
    LEVELWALK_PT_abilities,
    LEVELWALK_PT_facing,
    LEVELWALK_PT_solver,
)


def draw_settings(layout: bpy.types.UILayout, context: bpy.types.Context, groups: tuple[tuple[str, ...], ...]) -> None:
    """Draw groups of settings, without those that mean nothing now."""
    layout.use_property_split = True
    layout.use_property_decorate = False
    group = context.scene.levelwalk
    for names in groups:
        relevant = [name for name in names if is_relevant(group, name)]
        if relevant:
            column = layout.column(align=True)
            for name in relevant:
                _draw_setting(column, group, name)


def _draw_setting(layout: bpy.types.UILayout, group: bpy.types.PropertyGroup, name: str) -> None:
    if name not in SWITCHED_OFF:
        layout.prop(group, name)
        return
    is_on = getattr(group, switch_of(name))
    row = layout.row(align=True, heading=title_of(name))
    row.prop(group, switch_of(name), text="")
    value = row.column(align=True) if name == "plane_lock" else row.row(align=True)
    value.active = is_on
    if is_on or name != "plane_lock":
        value.prop(group, name, text="")


def _draw_size(layout: bpy.types.UILayout, scene: bpy.types.Scene) -> None:
    """Offer to fit a character that is as small or as large as one that was made for another unit of length."""
    height = scene.levelwalk.height
    if not SMALLEST <= height * metres_per_unit(scene) <= LARGEST:
        column = layout.column(align=True)
        column.label(text=f"Height is {_length_text(scene, height)}", icon="INFO")
        column.operator(LEVELWALK_OT_fit_units.bl_idname)


def _length_text(scene: bpy.types.Scene, length: float) -> str:
    """Return a length as Blender's fields show it."""
    units = scene.unit_settings
    if units.system == "NONE":
        return f"{length:.4g}"
    metres = length * metres_per_unit(scene)
    return bpy.utils.units.to_string(units.system, "LENGTH", metres, precision=3)


def _warnings(scene: bpy.types.Scene) -> tuple[str, ...]:
    """Return what is possible but seldom meant; settings that are impossible are told beside Play."""
    try:
        return read_settings(scene).warnings
    except ValueError:
        return ()
