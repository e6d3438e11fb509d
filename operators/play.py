"""Play: walk the character through the level in the 3D View, by keyboard."""

import traceback

import bpy

from ..core.settings import Movement, Settings
from .building import Building, Cancelled, begin_building, current_building, end_building, go_on_building
from .built_level import BuiltLevel, build_level
from .from_blender import metres_per_unit, read_place, read_settings
from .playing import begin_play, current_play, end_play
from .readiness import is_ready, missing_character, missing_freedom, missing_level, missing_object_mode
from .session import PlaySession
from .show_colliders import toggle_colliders
from .to_blender import fit_settings, keep_take
from .walk_keys import CTRL, SHIFT

COLLIDERS_KEY = "O"
KEEP_KEYS = {"RET", "NUMPAD_ENTER", "LEFTMOUSE"}
CANCEL_KEYS = {"ESC", "RIGHTMOUSE"}
CLICKS = {"LEFTMOUSE", "RIGHTMOUSE"}
WHEEL = {"WHEELUPMOUSE": 1, "WHEELDOWNMOUSE": -1}
# What Blender may go on with: timers of others, hovering, and turning the view with a trackpad or a 3D mouse.
PASSED_ON = ("TIMER", "MOUSEMOVE", "INBETWEEN_MOUSEMOVE", "TRACKPAD", "MOUSEROTATE", "NDOF_MOTION")  # beginnings


Keys = tuple[tuple[str, ...], str]  # their icons, and what they do

MOVE: Keys = (("EVENT_W", "EVENT_A", "EVENT_S", "EVENT_D"), "Walk")
RUN: Keys = (("EVENT_SHIFT",), "Run")
JUMP: Keys = (("EVENT_SPACEKEY",), "Jump")
CROUCH: Keys = (("EVENT_C",), "Crouch")
DASH: Keys = (("EVENT_E",), "Dash")
OTHERS: tuple[Keys, ...] = (
    (("EVENT_O",), "Colliders"),
    (("MOUSE_MMB",), "Turn View"),
    (("EVENT_RETURN", "MOUSE_LMB"), "Keep Walk"),
    (("EVENT_ESC", "MOUSE_RMB"), "Cancel"),
)
WIDE_ICONS = {"EVENT_SPACEKEY": 3.0, "EVENT_ESC": 1.5}  # drawn over what follows, from Blender 4.3 on


class LEVELWALK_OT_play(bpy.types.Operator):
    bl_idname = "levelwalk.play"
    bl_label = "Play"
    bl_description = (
        "Walk the character through the level: W A S D or arrow keys walk, Space jumps, Shift runs, C or Ctrl "
        "crouches, E dashes if Dash Speed is above zero, O shows the colliders, and the middle mouse button turns the "
        "view. Enter or a click keeps the walk as a take; Esc puts everything back"
    )
    bl_options = {"UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        area = context.area
        return is_ready(
            cls,
            "Play needs a window" if bpy.app.background else "",
            "Play runs in a 3D View" if area is None or area.type != "VIEW_3D" else "",
            "Already playing: Enter keeps the walk, Esc puts everything back" if current_play() else "",
            missing_object_mode(context),
            missing_character(context),
            missing_freedom(context),
            missing_level(context),
        )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        if context.screen.is_animation_playing:  # keyframes would fight for the character
            bpy.ops.screen.animation_cancel(restore_frame=False)
        self._building: Building | None = None
        fit_settings(context.scene)
        try:
            read_settings(context.scene)  # what is wrong with them is told before a long build
            built = begin_building(context)
            if built is None:
                self._building = current_building()
            else:
                self._begin(context, built)
        except ValueError as error:
            return self._refuse(error)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        if self._building is not None:
            return self._build(context, event)
        if self._play is not current_play():  # ended by a file load, by undo or by disabling the extension
            return {"CANCELLED"}
        try:
            return self._answer(context, event)
        except Exception as error:  # whatever it is, it must not leave timer and status bar behind
            traceback.print_exc()
            end_play()
            self.report({"ERROR"}, f"Play was ended: {error}")
            return {"CANCELLED"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Blender itself ends the operator: its window was closed."""
        if self._building is not None:
            if self._building is current_building():
                end_building()
        elif self._play is current_play():
            end_play()

    def _begin(self, context: bpy.types.Context, built: BuiltLevel) -> None:
        self._building = None
        if context.area is None or context.area.type != "VIEW_3D":
            raise ValueError("the 3D View that it was to run in is gone")
        self._play = begin_play(context, session_in(built, context), draw_status)
        if built.warning:
            self._play.message = "Openings are closed: see Build Report"  # the status bar has no room for more
            self.report({"WARNING"}, built.warning[:1].upper() + built.warning[1:])

    def _build(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Go on with the build that the walk waits for, and begin to walk when it is done."""
        if self._building is not current_building():  # ended by a file load or by disabling the extension
            return {"CANCELLED"}
        try:
            built = go_on_building(context, event)
            if built is not None:
                self._begin(context, built)
        except Cancelled as end:
            self.report({"INFO"}, f"Building was {end}")
            return {"CANCELLED"}
        except Exception as error:
            if not isinstance(error, ValueError):
                traceback.print_exc()
            return self._refuse(error)
        return {"RUNNING_MODAL"}

    def _refuse(self, error: Exception) -> set[str]:
        self.report({"ERROR"}, f"Cannot play: {error}")
        return {"CANCELLED"}

    def _answer(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        play = self._play
        is_press = event.value == "PRESS"
        mouse = event.mouse_x, event.mouse_y
        play.keys.hold(SHIFT, event.shift)
        play.keys.hold(CTRL, event.ctrl)
        if play.viewport.area() is None:  # the workspace was changed, or the editor closed
            end_play()
            return {"CANCELLED"}
        if event.type == "TIMER":
            message = play.tick(context)
            if message:
                self.report({"WARNING"}, message)
        elif event.type == "MOUSEMOVE" and play.is_dragging:
            play.drag(mouse)
            return {"RUNNING_MODAL"}
        elif event.type == "LEFTMOUSE" and not play.is_dragging and play.viewport.is_over_tab(mouse):
            return {"PASS_THROUGH"}  # what is of use during a walk is not greyed out there
        elif event.type == "MIDDLEMOUSE" or (
            event.type == "LEFTMOUSE" and (play.is_dragging or (event.alt and is_press))
        ):
            # Alt and the left button stand for the middle one. Blender's own turning would take all events for
            # itself while the button is down: the walk would stop, and keys that go up would be missed.
            play.drag(mouse if is_press else None)
        elif event.type in WHEEL:
            play.viewport.zoom(WHEEL[event.type])
        elif event.type == "WINDOW_DEACTIVATE":
            play.keys.release_all()
        elif is_press and event.type in CLICKS and not play.viewport.is_under(mouse):
            pass  # a click beside the picture, on a panel or in another editor, says nothing of the walk
        elif is_press and event.type in KEEP_KEYS:
            return self._keep(context)
        elif is_press and event.type in CANCEL_KEYS:
            end_play()
            return {"CANCELLED"}
        elif is_press and event.type == COLLIDERS_KEY:
            if not event.is_repeat:
                toggle_colliders(context)
        elif is_press:
            play.keys.press(event.type)
        elif event.value == "RELEASE":
            play.keys.release(event.type)
        # All other keys are swallowed: Blender's own shortcuts would open menus over the walk.
        return {"PASS_THROUGH"} if event.type.startswith(PASSED_ON) else {"RUNNING_MODAL"}

    def _keep(self, context: bpy.types.Context) -> set[str]:
        scene = context.scene
        take = end_play(is_kept=True)
        if take is None:
            return {"CANCELLED"}
        item = keep_take(scene, take)
        self.report({"INFO"}, f"Kept “{item.name}”: {take.distance:.1f} m in {take.duration:.1f} s")
        return {"FINISHED"}


def new_session(context: bpy.types.Context) -> PlaySession:
    """Return a walk that begins where the character stands, in the level as it is now.

    Raises
    ------
    ValueError
        If the settings make no character or the level cannot be built.
    """
    fit_settings(context.scene)
    return session_in(build_level(context), context)


def session_in(built: BuiltLevel, context: bpy.types.Context) -> PlaySession:
    """Return a walk that begins where the character stands, in a level that is built.

    Raises
    ------
    ValueError
        If the settings make no character.
    """
    settings = read_settings(context.scene)
    place, heading = read_place(context.scene.levelwalk.character)
    return PlaySession(built.world, settings, place * metres_per_unit(context.scene), heading)


def keys_of(settings: Settings) -> list[Keys]:
    """Return the keys of a walk, without those of abilities that its settings turn off."""
    can_dash = settings.dash_speed and settings.movement is Movement.CHARACTER
    abilities = ((settings.jump_height, JUMP), (settings.crouch_height, CROUCH), (can_dash, DASH))
    return [MOVE, RUN, *(keys for is_on, keys in abilities if is_on), *OTHERS]


def draw_status(header: bpy.types.Header, context: bpy.types.Context) -> None:
    """Draw the keys, how it goes, and the newest message into the status bar."""
    layout = header.layout
    play = current_play()
    if play is None:
        return
    row = layout.row(align=True)
    for icons, label in keys_of(play.session.settings):
        for icon in icons:
            row.label(text="", icon=icon)
            row.separator(factor=WIDE_ICONS.get(icon, 0.0))
        row.label(text=label)
        row.separator(factor=1.5)
    layout.separator_spacer()
    if play.message:
        layout.label(text=play.message, icon="INFO")
    layout.label(text=play.state_text)
