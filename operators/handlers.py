"""Blender's handlers: what other events in Blender mean for a walk in progress and for the level that was built."""

import bpy
from bpy.app.handlers import persistent

from .building import end_building
from .built_level import forget_level, note_changes
from .playing import current_play, end_play


@persistent
def _before_load(*_: object) -> None:
    """Another file is about to replace everything that a walk or a build holds on to."""
    end_building()
    end_play()


@persistent
def _after_load(*_: object) -> None:
    forget_level()


@persistent
def _before_undo(*_: object) -> None:
    """Undo is about to replace the character."""
    end_play()


@persistent
def _after_update(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    if current_play() is None:
        note_changes(scene, depsgraph)


def _pairs() -> list[tuple[list, object]]:
    handlers = bpy.app.handlers
    return [
        (handlers.load_pre, _before_load),
        (handlers.load_post, _after_load),
        (handlers.undo_pre, _before_undo),
        (handlers.redo_pre, _before_undo),
        (handlers.depsgraph_update_post, _after_update),
    ]


def register() -> None:
    """Add the handlers."""
    for handlers, handler in _pairs():
        handlers.append(handler)


def unregister() -> None:
    """Remove the handlers."""
    for handlers, handler in reversed(_pairs()):
        handlers.remove(handler)
