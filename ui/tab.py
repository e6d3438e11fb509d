"""The tab in the 3D View's sidebar that the panels are in, and text that fits into it."""

import textwrap

import blf
import bpy

from ..operators.playing import current_play
from ..operators.viewport import TAB

FEWEST_CHARACTERS = 20
# Pixels beside a line of text, at a resolution scale of 1: the tabs' strip, and margins of panel and label.
BESIDE = 20 + 2 * 8 + 2 * 8
ICON = 26  # pixels, with the gap after it


class Tab:
    """Where a panel is; to be inherited from."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = TAB


def body_of(panel: bpy.types.Panel) -> bpy.types.UILayout:
    """Return the panel's layout, greyed out during a walk: what it shows has no effect before the next one."""
    panel.layout.enabled = current_play() is None
    return panel.layout


def draw_lines(
    layout: bpy.types.UILayout, context: bpy.types.Context, text: str, icon: str = "NONE", beside: float = 0
) -> None:
    """Draw a text over as many lines as it needs, with the icon before the first.

    `beside` is the room that something else needs in the line, in pixels at a resolution scale of 1.
    """
    column = layout.column(align=True)
    for number, line in enumerate(wrapped(context, text, "", beside + (0 if icon == "NONE" else ICON))):
        column.label(text=line, icon="BLANK1" if number and icon != "NONE" else icon)


def wrapped(context: bpy.types.Context, line: str, indent: str = "    ", beside: float = 0) -> list[str]:
    """Return a line in pieces that fit into the panel; all but the first begin with `indent`.

    `beside` is the room that something else needs in the line, in pixels at a resolution scale of 1.
    """
    scale = context.preferences.system.ui_scale or 1.0  # 0 where there is no window
    room = context.region.width - (BESIDE + beside) * scale
    blf.size(0, context.preferences.ui_styles[0].widget.points * scale)
    characters = len(line)
    while True:
        pieces = textwrap.wrap(line, max(characters, FEWEST_CHARACTERS), subsequent_indent=indent)
        widest = max((blf.dimensions(0, piece)[0] for piece in pieces), default=0.0)
        if widest <= room or characters <= FEWEST_CHARACTERS:
            return pieces
        # By proportion at first, and never past the longest piece that could still fit.
        characters = min(characters - 1, int(max(map(len, pieces)) * (room / widest) ** 0.5))
