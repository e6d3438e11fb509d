"""The tab in the 3D View's sidebar that the panels are in, and text that fits into it."""

import textwrap

import bpy

FEWEST_CHARACTERS = 20
CHARACTER_WIDTH = 8.5  # pixels, on average, with the margins of a panel spread over a line


class Tab:
    """Where a panel is; to be inherited from."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Level Walk"


def draw_lines(layout: bpy.types.UILayout, context: bpy.types.Context, text: str, icon: str = "NONE") -> None:
    """Draw a text over as many lines as it needs, with the icon before the first."""
    column = layout.column(align=True)
    for number, line in enumerate(wrapped(context, text, indent="")):
        column.label(text=line, icon="BLANK1" if number and icon != "NONE" else icon)


def wrapped(context: bpy.types.Context, line: str, indent: str = "    ") -> list[str]:
    """Return a line in pieces that fit into the panel, about; all but the first begin with `indent`."""
    scale = context.preferences.system.ui_scale or 1.0  # 0 where there is no window
    characters = max(int(context.region.width / (CHARACTER_WIDTH * scale)), FEWEST_CHARACTERS)
    return textwrap.wrap(line, characters, subsequent_indent=indent)
