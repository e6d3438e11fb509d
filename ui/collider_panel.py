"""The panel of the built colliders: shown or not, what their colours mean, and made into objects."""

import bpy

from ..operators.build_colliders import LEVELWALK_OT_build_colliders
from ..operators.built_level import built_level, is_stale
from ..operators.collider_colours import ROLES, SURFACES
from ..operators.make_collider_objects import LEVELWALK_OT_make_collider_objects
from ..operators.playing import current_play
from ..operators.show_colliders import LEVELWALK_OT_show_colliders
from .colour_icons import icon_of
from .tab import Tab


class LEVELWALK_PT_colliders(Tab, bpy.types.Panel):
    bl_label = "Colliders"
    bl_parent_id = "LEVELWALK_PT_level"

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        group = context.scene.levelwalk
        if current_play() is None:
            layout.prop(group, "show_colliders")
        else:
            row = layout.row()
            row.alignment = "LEFT"
            icon = "CHECKBOX_HLT" if group.show_colliders else "CHECKBOX_DEHLT"
            row.operator(LEVELWALK_OT_show_colliders.bl_idname, icon=icon, emboss=False).look = "TOGGLE"
        if group.show_colliders:
            _draw_legend(layout.column(), context)
        column = layout.column()
        column.enabled = current_play() is None
        column.operator_menu_enum(LEVELWALK_OT_make_collider_objects.bl_idname, "engine", icon="MOD_SOLIDIFY")


classes = (LEVELWALK_PT_colliders,)


def _draw_legend(column: bpy.types.UILayout, context: bpy.types.Context) -> None:
    if built_level(context.scene) is None:
        row = column.row(align=True)
        row.label(text="Build colliders first", icon="INFO")
        row.operator(LEVELWALK_OT_build_colliders.bl_idname, text="Build")
        return
    group = context.scene.levelwalk
    if current_play() is None:
        column.row().prop(group, "colour_by", expand=True)
    else:
        row = column.row(align=True)
        for item in group.bl_rna.properties["colour_by"].enum_items:
            is_on = item.identifier == group.colour_by
            name = LEVELWALK_OT_show_colliders.bl_idname
            row.operator(name, text=item.name, depress=is_on).look = item.identifier
    legend = column.grid_flow(columns=2, row_major=True, even_columns=True, align=True)
    for name, colour in (SURFACES if group.colour_by == "SURFACE" else ROLES).values():
        legend.label(text=name, icon_value=icon_of(colour))
    if is_stale():
        column.label(text="Faint: the level has changed", icon="INFO")
