"""Panels of the sidebar's tab: Play, the level, and the takes."""

import bpy

from ..operators.bake_keyframes import LEVELWALK_OT_bake_keyframes
from ..operators.build_colliders import LEVELWALK_OT_build_colliders
from ..operators.built_level import built_level, is_stale
from ..operators.from_blender import read_settings
from ..operators.play import LEVELWALK_OT_play
from ..operators.playing import current_play
from ..operators.remove_take import LEVELWALK_OT_remove_take
from .tab import Tab, body_of, draw_lines


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
        if group.level is None:  # all of a chosen collection is level
            layout.column(heading="Include").prop(group, "include_curves")
        layout.column(heading="Use").prop(group, "use_engine_names")
        layout.operator(LEVELWALK_OT_build_colliders.bl_idname, icon="FILE_REFRESH" if is_stale() else "NONE")
        built = built_level(context.scene)
        if built is not None:
            column = layout.column(align=True)
            made, _, said = built.summary.partition("; ")
            column.label(text=made)
            if said:
                draw_lines(column, context, said, icon="ERROR" if built.has_warnings else "NONE")
            if is_stale():
                column.label(text="Level changed: rebuilt on Play")


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
    LEVELWALK_PT_takes,
)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
