"""What is shown and edited: properties, panels, menus and the overlay. Nothing is computed here."""

import bpy

from . import (
    character_panels,
    collider_overlay,
    collider_panel,
    colour_icons,
    menus,
    object_panel,
    overlay,
    panels,
    preset_menu,
    properties,
    report_panel,
)

classes = (
    *properties.classes,
    *panels.classes,
    *report_panel.classes,
    *collider_panel.classes,
    *preset_menu.classes,
    *character_panels.classes,
    *object_panel.classes,
    *menus.classes,
)
parts = (
    properties,
    colour_icons,
    menus,
    collider_overlay,
    overlay,
)  # what is more than a class, in the order in which it is added
_register_classes, _unregister_classes = bpy.utils.register_classes_factory(classes)


def register() -> None:
    """Add the interface."""
    _register_classes()
    for part in parts:
        part.register()


def unregister() -> None:
    """Remove the interface."""
    for part in reversed(parts):
        part.unregister()
    _unregister_classes()
