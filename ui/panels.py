"""Panels of the sidebar's tab: Play, the level with its build report, and the takes."""

import bpy

from ..operators.bake_keyframes import LEVELWALK_OT_bake_keyframes
from ..operators.build_colliders import LEVELWALK_OT_build_colliders
from ..operators.build_report import ReportEntry
from ..operators.built_level import built_level, is_stale
from ..operators.from_blender import read_settings
from ..operators.play import LEVELWALK_OT_play
from ..operators.playing import current_play
from ..operators.remove_take import LEVELWALK_OT_remove_take
from ..operators.select_reported import LEVELWALK_OT_select_reported
from .tab import Tab, body_of, draw_lines

LISTED = 30  # entries of the build report; the rest is counted


class LEVELWALK_PT_play(Tab, bpy.types.Panel):
    bl_label = "Level Walk"
    bl_order = 0

    def draw(self, context: bpy.types.Context) -> None:
        layout = body_of(self)
        row = layout.row()
        row.scale_y = 1.5
        row.operator(LEVELWALK_OT_play.bl_idname, text="Playing" if current_play() else "Play", icon="PLAY")
        try:
            read_settings(context.scene)
        except ValueError as error:
            draw_lines(layout, context, _sentence(str(error)), icon="ERROR")


class LEVELWALK_PT_level(Tab, bpy.types.Panel):
    bl_label = "Level"
    bl_order = 2

    def draw(self, context: bpy.types.Context) -> None:
        layout = body_of(self)
        layout.use_property_split = True
        layout.use_property_decorate = False
        group = context.scene.levelwalk
        layout.prop(group, "level", text="Collection")
        column = layout.column(heading="Include")
        if group.level is None:  # all of a chosen collection is level
            column.prop(group, "include_curves")
        column.prop(group, "use_engine_names")
        layout.operator(LEVELWALK_OT_build_colliders.bl_idname, icon="FILE_REFRESH" if is_stale() else "NONE")
        built = built_level(context.scene)
        if built is not None:
            column = layout.column(align=True)
            for text in built.summary.split("; "):
                column.label(text=text)
            if is_stale():
                column.label(text="Level changed: rebuilt on Play")


class LEVELWALK_PT_build_report(Tab, bpy.types.Panel):
    bl_label = "Build Report"
    bl_parent_id = "LEVELWALK_PT_level"
    bl_order = 1
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return built_level(context.scene) is not None

    def draw(self, context: bpy.types.Context) -> None:
        built = built_level(context.scene)
        entries = built.entries if built else ()
        column = body_of(self).column(align=True)
        for number, entry in enumerate(entries[:LISTED]):
            last = entries[number - 1] if number else None
            is_next = last is not None and (last.name, last.place) == (entry.name, entry.place)
            _draw_entry(column, context, entry, is_next=is_next)
        if len(entries) > LISTED:
            column.label(text=f"and {len(entries) - LISTED:,} more")
        if not entries:
            column.label(text="Nothing was left out or mended")


def _draw_entry(layout: bpy.types.UILayout, context: bpy.types.Context, entry: ReportEntry, *, is_next: bool) -> None:
    """Draw the object's name as a button that selects it, unless it is there already, and below it what is said."""
    if not is_next:
        row = layout.row()
        row.alignment = "LEFT"
        select = row.operator(
            LEVELWALK_OT_select_reported.bl_idname, text=entry.name, icon="RESTRICT_SELECT_OFF", emboss=False
        )
        select.ob = entry.ob
        if entry.place is not None:
            select.has_place, select.place = True, entry.place
    draw_lines(layout, context, entry.text[:1].upper() + entry.text[1:], icon="BLANK1")


class LEVELWALK_UL_takes(bpy.types.UIList):
    """The kept walks: name, which can be edited by a double click, and length."""

    def draw_item(
        self,
        context: bpy.types.Context,
        layout: bpy.types.UILayout,
        data: object,
        item: bpy.types.PropertyGroup,
        icon: int,
        active_data: object,
        active_property: str,
        index: int = 0,
        flt_flag: int = 0,
    ) -> None:
        row = layout.row()
        row.prop(item, "name", text="", emboss=False, icon="ACTION")
        length = row.row()
        length.alignment = "RIGHT"
        length.label(text=f"{item.duration:.1f} s")


class LEVELWALK_PT_takes(Tab, bpy.types.Panel):
    bl_label = "Takes"
    bl_order = 3

    def draw(self, context: bpy.types.Context) -> None:
        layout = body_of(self)
        group = context.scene.levelwalk
        row = layout.row()
        row.template_list("LEVELWALK_UL_takes", "", group, "takes", group, "active_take", rows=2)
        row.column().operator(LEVELWALK_OT_remove_take.bl_idname, text="", icon="REMOVE")
        column = layout.column()
        column.use_property_split = True
        column.use_property_decorate = False
        column.prop(group, "bake_start")
        column.prop(group, "smooth_steps")
        bake = layout.operator(LEVELWALK_OT_bake_keyframes.bl_idname, icon="KEYFRAME_HLT")
        bake.frame_start = group.bake_start
        bake.smooth_steps = group.smooth_steps


classes = (
    LEVELWALK_UL_takes,
    LEVELWALK_PT_play,
    LEVELWALK_PT_level,
    LEVELWALK_PT_build_report,
    LEVELWALK_PT_takes,
)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
