"""Redraw: have every 3D View draw itself again, for what Blender does not see change."""

import bpy


def redraw_views(context: bpy.types.Context) -> None:
    """Have every 3D View of every window drawn again."""
    for window in context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                area.tag_redraw()
