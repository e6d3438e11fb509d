"""Playing: a walk in progress in Blender, everything that it borrows, and the one way out that gives it all back.

There is at most one, and it is kept here and not in the operator: file loads, undo and the disabling of the
extension end it too, and the overlay and the panel show it.
"""

import time
from collections.abc import Callable
from contextlib import ExitStack

import bpy
import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.arrays import Mask
from ..core.character.memory import Action
from ..core.events import Event, EventKind
from .from_blender import metres_per_unit
from .session import PlaySession
from .stance import Stance
from .take import Take
from .viewport import Viewport
from .walk_keys import WalkKeys

TICK = 1 / 60  # s between the timer's events; late ones are merged, so time is measured and ticks are not counted
TELLING = 0.005  # m; who is put on the floor by hand is inside of it by less, and need not be told
FARTHEST = 6.0  # of the height: from farther away a walk starts by coming nearer
SUPPORT_WORDS = ("In the air", "On steep ground", "On the ground")
ACTION_WORDS = {
    Action.CROUCH: "Crouched",
    Action.SLIDE: "Sliding",
    Action.DASH: "Dashing",
    Action.CLIMB: "Climbing",
    Action.MANTLE: "Pulling up",
}


class Playing:
    """One walk in progress.

    It holds names and copies, and no object of Blender but the timer.
    """

    def __init__(self, context: bpy.types.Context, session: PlaySession) -> None:
        scene = context.scene
        character = scene.levelwalk.character
        self.session = session
        self.keys = WalkKeys()
        self.message = ""
        self.scene_name = scene.name
        self._viewport = Viewport(context.window, context.area)
        self._scale = metres_per_unit(scene)
        self._units = scene.unit_settings.system
        self._character = character.name
        self._stance = Stance.of(character)
        self._location = tuple(character.location)
        self._rotation = tuple(getattr(character, self._stance.rotation_path))
        self._then = time.perf_counter()
        self._shown = ""
        self._overlap: Event | None = None  # the deepest of those on end
        self._overlap_step = 0  # of the last
        self._drag_from: tuple[int, int] | None = None
        self._borrowed = ExitStack()  # gives everything back, even if giving back one thing fails

    @property
    def viewport(self) -> Viewport:
        """The 3D View it runs in."""
        return self._viewport

    @property
    def is_dragging(self) -> bool:
        """Whether the mouse turns the view."""
        return self._drag_from is not None

    @property
    def place(self) -> NDArray[np.float64]:
        """Feet to draw (3,), in Blender units."""
        return self.session.position / self._scale

    @property
    def body_size(self) -> tuple[float, float]:
        """Radius and height to draw, in Blender units: less high while it is crouched."""
        body = self.session.body
        return body.radius / self._scale, body.height / self._scale

    @property
    def state_text(self) -> str:
        """What the character does or what carries it, and how fast it is, in words."""
        session = self.session
        speed = session.speed
        if self._units == "NONE":
            speed_text = f"{speed:.1f}/s"
        else:
            speed_text = bpy.utils.units.to_string(self._units, "VELOCITY", round(speed, 1), precision=3)
        doing = ACTION_WORDS.get(session.action, SUPPORT_WORDS[session.support])
        return f"{doing}, {speed_text}"

    def start(self, context: bpy.types.Context, draw_status: Callable[[object, bpy.types.Context], None]) -> None:
        """Take a timer and the status bar, and turn the view to the character."""
        manager, workspace = context.window_manager, context.workspace
        self._draw_status = draw_status
        timer = manager.event_timer_add(TICK, window=context.window)
        self._borrowed.callback(manager.event_timer_remove, timer)
        workspace.status_text_set(draw_status)
        self._borrowed.callback(workspace.status_text_set, None)
        self._borrowed.callback(self._viewport.redraw)
        self._viewport.approach(self._middle, FARTHEST * self.body_size[1])
        self._then = time.perf_counter()

    def tick(self, context: bpy.types.Context) -> str:
        """Let the time since the last tick pass and show where that leads; return a message if there is a new one.

        Raises
        ------
        LookupError
            If the character was deleted or renamed meanwhile.
        """
        now = time.perf_counter()
        wish = self.keys.wish(self._viewport.axes())
        before = self.message
        for event in self.session.advance(now - self._then, wish, self.keys.next_step):
            self.message = self._words(event) or self.message
        self._then = now
        self._show()
        self._viewport.follow(self._middle)
        self._viewport.redraw()
        if self.state_text != self._shown:
            self._shown = self.state_text
            context.workspace.status_text_set(self._draw_status)  # has the status bar drawn again
        return self.message if self.message != before else ""

    def contacts(self) -> tuple[NDArray[np.float64], NDArray[np.float64], Mask]:
        """Return what the character touches: points (k, 3) in Blender units, normals (k, 3), and which are walkable."""
        contacts = self.session.contacts()
        return contacts.point / self._scale, contacts.normal, contacts.is_walkable

    def drag(self, mouse: tuple[int, int] | None) -> None:
        """Turn the view by the way of the mouse since the last call; None ends the turning."""
        if mouse is not None and self._drag_from is not None:
            self._viewport.orbit(mouse[0] - self._drag_from[0], mouse[1] - self._drag_from[1])
        self._drag_from = mouse

    def give_back(self, *, is_kept: bool) -> Take | None:
        """Return everything borrowed; keep where the walk led, or put object and view back to where they were."""
        with self._borrowed:
            if is_kept and self.session.steps:
                place, heading = self.session.end
                self._stance.place(self._find(), place / self._scale, heading)
                return self.session.take()
            self._borrowed.callback(self._viewport.restore)
            character = bpy.data.objects.get((self._character, None))
            if character is not None:
                character.location = self._location
                setattr(character, self._stance.rotation_path, self._rotation)
        return None

    def _find(self) -> bpy.types.Object:
        character = bpy.data.objects.get((self._character, None))
        if character is None:
            raise LookupError(f"the character “{self._character}” is gone")
        return character

    def _show(self) -> None:
        self._stance.place(self._find(), self.place, self.session.heading)

    @property
    def _middle(self) -> NDArray[np.float64]:
        """What the view follows: the middle of the upright body, so that crouching does not move the view."""
        return self.place + np.array([0.0, 0.0, self.session.settings.height / self._scale / 2])

    def _words(self, event: Event) -> str:
        """Say what the player should know of an event; empty for the many that can be seen."""
        if event.kind == EventKind.LEFT_LEVEL:
            return "Below the level: there is nothing left to land on"
        if event.kind == EventKind.OVERLAP:
            return self._overlap_words(event)
        return ""

    def _overlap_words(self, event: Event) -> str:
        """Say what the character was inside of. Of steps on end that move it out the deepest is told."""
        session, told = self.session, self._overlap
        is_next = told is not None and event.step - self._overlap_step <= 1
        self._overlap_step = event.step
        if told is None or not is_next or (event.value or 0) > (told.value or 0):
            self._overlap = told = event
        name = told.object or self._nearest_object(told.position)
        where = f"inside “{name}”" if name else "inside the level"
        if session.world.overlaps(session.body, session.feet_after(event.step))[0]:
            return f"The character is {where} and cannot be moved out: move it to a free place"
        depth = told.value or 0
        return f"The character was {where} and was moved out of a depth of {depth:.2f} m" if depth >= TELLING else ""

    def _nearest_object(self, feet: ArrayLike) -> str:
        """Return the name of the object that a capsule at `feet` (3,), m, is in deepest; empty if it touches none."""
        world = self.session.world
        contacts = world.contacts(self.session.body, feet, within=0.0)
        deepest = np.argsort(contacts.distance)[:1]
        return "".join(world.names[contacts.object_index[row]] for row in deepest)


_playing: Playing | None = None


def current_play() -> Playing | None:
    """Return the walk in progress, or None."""
    return _playing


def begin_play(
    context: bpy.types.Context, session: PlaySession, draw_status: Callable[[object, bpy.types.Context], None]
) -> Playing:
    """Begin a walk in the context's 3D View."""
    global _playing
    end_play()
    _playing = Playing(context, session)
    _playing.start(context, draw_status)
    return _playing


def end_play(*, is_kept: bool = False) -> Take | None:
    """End the walk in progress, if there is one, and return it if it is to be kept and any step was taken."""
    global _playing
    play, _playing = _playing, None
    return None if play is None else play.give_back(is_kept=is_kept)
