"""Building: a build of the level in progress, what it borrows of Blender meanwhile, and the one way out.

There is at most one, and it is kept here and not in the operator: file loads and the disabling of the extension end
it too. What takes no longer than a moment is done at once, and nothing of this is seen.
"""

import time
from collections.abc import Generator
from contextlib import ExitStack

import bpy

from .built_level import BuiltLevel, build_level_stages

MOMENT = 0.3  # s; a build that is done by then shows no progress
SLICE = 0.1  # s of building between two looks at the keyboard
TICK = 0.01  # s between the timer's events: the rest of the time Blender draws

BAR_WIDTH = 12.0  # of the status bar's height
CANCEL_KEY = "ESC"


class Building:
    """One build in progress."""

    def __init__(self, context: bpy.types.Context, *, is_forced: bool = False) -> None:
        self.share = 0.0
        self._stages: Generator[float, None, BuiltLevel] = build_level_stages(context, is_forced=is_forced)
        self._borrowed = ExitStack()

    def run(self, seconds: float) -> BuiltLevel | None:
        """Go on for so long at least, to the end of a stage; return the level when it is built.

        Raises
        ------
        ValueError
            If there is nothing to walk on.
        """
        end = time.perf_counter() + seconds
        while True:
            try:
                self.share = next(self._stages)
            except StopIteration as stop:
                built: BuiltLevel = stop.value
                return built
            if time.perf_counter() > end:
                return None

    def show(self, context: bpy.types.Context) -> None:
        """Take a timer and the status bar."""
        self._workspace, window = context.workspace, context.window
        timer = context.window_manager.event_timer_add(TICK, window=window)
        self._borrowed.callback(context.window_manager.event_timer_remove, timer)
        self._borrowed.callback(context.workspace.status_text_set, None)
        window.cursor_modal_set("WAIT")
        self._borrowed.callback(window.cursor_modal_restore)
        context.workspace.status_text_set(draw_progress)

    def give_back(self) -> None:
        """Return everything borrowed, and drop what is not finished."""
        with self._borrowed:
            self._stages.close()


_building: Building | None = None


def current_building() -> Building | None:
    """Return the build in progress, or None."""
    return _building


def begin_building(context: bpy.types.Context, *, is_forced: bool = False) -> BuiltLevel | None:
    """Build the level; return it if that took no longer than a moment, and else show the progress of what goes on.

    Raises
    ------
    ValueError
        If there is nothing to walk on.
    """
    global _building
    end_building()
    building = Building(context, is_forced=is_forced)
    built = building.run(MOMENT)
    if built is None:
        _building = building
        building.show(context)
    return built


def go_on_building(context: bpy.types.Context, event: bpy.types.Event) -> BuiltLevel | None:
    """Answer an event while a build is in progress: go on for a slice, or end it; return the level when it is built.

    Raises
    ------
    ValueError
        If there is nothing to walk on.
    Cancelled
        If the user ended it.
    """
    building = _building
    if building is None or (event.type == CANCEL_KEY and event.value == "PRESS"):
        end_building()
        raise Cancelled("cancelled: what was built before is kept")
    if event.type != "TIMER":
        return None
    try:
        built = building.run(SLICE)
    except BaseException:
        end_building()
        raise
    if built is None:
        context.workspace.status_text_set(draw_progress)  # has it drawn again
    else:
        end_building()
    return built


def end_building() -> None:
    """End the build in progress, if there is one."""
    global _building
    building, _building = _building, None
    if building is not None:
        building.give_back()


class Cancelled(Exception):  # noqa: N818  a wish, and no error
    """The user ended the build."""


def draw_progress(header: bpy.types.Header, context: bpy.types.Context) -> None:
    """Draw how far the build is into the status bar, and how to end it."""
    building = current_building()
    if building is None:
        return
    row = header.layout.row()
    bar = row.row()
    bar.ui_units_x = BAR_WIDTH
    bar.progress(text=f"Building colliders {building.share:.0%}", factor=building.share, type="BAR")
    row.label(text="", icon="EVENT_ESC")
    row.separator(factor=1.5)
    row.label(text="Cancel")
