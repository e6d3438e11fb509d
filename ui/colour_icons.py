"""Colour icons: a small square in each colour that the collider overlay draws in, for its legend."""

import bpy.utils.previews

from ..operators.collider_colours import ROLES, SURFACES, Colour

SIZE = 16  # pixels
MARGIN = 2  # transparent, on each side

_icons: bpy.utils.previews.ImagePreviewCollection = None  # while registered


def register() -> None:
    """Make the icons."""
    global _icons
    _icons = bpy.utils.previews.new()
    for colour in {colour for _, colour in (*ROLES.values(), *SURFACES.values())}:
        icon = _icons.new(str(colour))
        icon.icon_size = (SIZE, SIZE)
        icon.icon_pixels_float = _square(colour)


def unregister() -> None:
    """Take them away again."""
    global _icons
    bpy.utils.previews.remove(_icons)
    _icons = None


def icon_of(colour: Colour) -> int:
    """Return the number of a colour's icon."""
    return _icons[str(colour)].icon_id


def _square(colour: Colour) -> list[float]:
    inside = range(MARGIN, SIZE - MARGIN)
    pixels = []
    for y in range(SIZE):
        for x in range(SIZE):
            pixels += [*colour, 1.0] if x in inside and y in inside else [0.0] * 4
    return pixels
