"""The panel of the built colliders: shown or not, what their colours mean, and made into objects."""

import bpy

from ..operators.build_colliders import LEVELWALK_OT_build_colliders
from ..operators.built_level import built_level, is_stale
from ..operators.collider_colours import ROLES, SURFACES
from ..operators.make_collider_objects import LEVELWALK_OT_make_collider_objects
from .colour_icons import icon_of
from .tab import Tab, body_of


class LEVELWALK_PT_colliders(Tab, bpy.types.Panel):
    bl_label = "Colliders"
    bl_parent_id = "LEVELWALK_PT_level"

    def draw(self, context: bpy.types.Context) -> None:
        layout = body_of(self)
        group = context.scene.levelwalk
        layout.prop(group, "show_colliders")
        if group.show_colliders:
            _draw_legend(layout.column(), context)
        layout.operator_menu_enum(LEVELWALK_OT_make_collider_objects.bl_idname, "engine", icon="MOD_SOLIDIFY")


classes = (LEVELWALK_PT_colliders,)


def _draw_legend(column: bpy.types.UILayout, context: bpy.types.Context) -> None:
    if built_level(context.scene) is None:
        row = column.row(align=True)
        row.label(text="Build colliders first", icon="INFO")
        row.operator(LEVELWALK_OT_build_colliders.bl_idname, text="Build")
        return
    group = context.scene.levelwalk
    column.row().prop(group, "colour_by", expand=True)
    legend = column.grid_flow(columns=2, row_major=True, even_columns=True, align=True)
    for name, colour in (SURFACES if group.colour_by == "SURFACE" else ROLES).values():
        legend.label(text=name, icon_value=icon_of(colour))
    if is_stale():
        column.label(text="Faint: the level has changed", icon="INFO")
