"""PlaySession: a walk in the making. It turns the uneven time of a display into fixed steps and records them.

It knows neither Blender nor keys, so that all of a play but its window can be tested without one.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.character.memory import Action
from ..core.character.state import State, Support
from ..core.character.step import spawn, step
from ..core.commands import Command, Commands
from ..core.events import Event
from ..core.settings import Settings
from ..core.world import Contacts, World
from .take import Take

STEP = 1 / 60  # s
LONGEST_FRAME = 0.25  # s; of a longer frame the rest is forgotten, or else a slow frame makes the next one slower
ROUNDING = 1e-9  # steps; three times a third of a step is a step
FRONT = -math.pi / 2  # rad; the core counts headings from +X, and Blender's models look along -Y


@dataclass(frozen=True, slots=True)
class Held:
    """Which buttons are down in one step."""

    jump: bool = False
    run: bool = False
    crouch: bool = False
    dash: bool = False


BUTTONS = tuple(field.name for field in fields(Held))
NOTHING = Held()


class PlaySession:
    """One character walking in one world.

    Parameters
    ----------
    world : World
    settings : Settings
    feet : (3,) float, m
        Where it starts; inside the level, the first step moves it out.
    heading : float, rad
        Rotation about up; 0 faces -Y.
    """

    def __init__(self, world: World, settings: Settings, feet: ArrayLike, heading: float) -> None:
        self.world = world
        self.settings = settings
        self.state: State = spawn(world, settings, np.asarray(feet, dtype=np.float64), heading + FRONT)
        self._owed = 0.0  # s of display time that no step has used yet
        self._move: list[NDArray[np.float64]] = []
        self._held: list[Held] = []
        self._position = [self.state.position[0]]
        self._heading = [float(heading)]
        self._support = [int(self.state.support[0])]

    def advance(
        self, seconds: float, move: ArrayLike = (0.0, 0.0), next_buttons: Callable[[], Held] = Held
    ) -> list[Event]:
        """Let `seconds` of display time pass, as whole steps, and return what happened in them.

        Parameters
        ----------
        seconds : float
            Since the last call; what does not fill a step is kept for the next call.
        move : (2,) float
            Wished horizontal direction in world axes, length 0 to 1.
        next_buttons : function
            Asked before each step for the buttons that are down in it; none is, if left out.
        """
        owed = self._owed + min(max(seconds, 0.0), LONGEST_FRAME)
        steps = int(owed / STEP + ROUNDING)
        self._owed = max(owed - steps * STEP, 0.0)
        return [event for _ in range(steps) for event in self.step(move, next_buttons())]

    def step(self, move: ArrayLike = (0.0, 0.0), held: Held = NOTHING) -> list[Event]:
        """Take one step of `STEP` seconds, record it, and return what happened in it."""
        wish = np.array(move, dtype=np.float64)
        buttons = {name: np.array([getattr(held, name)]) for name in BUTTONS}
        self.state = step(self.world, self.settings, self.state, Command(wish[None], **buttons), STEP)
        self._move.append(wish)
        self._held.append(held)
        self._position.append(self.state.position[0])
        self._heading.append(turned_on(self._heading[-1], float(self.state.heading[0])))
        self._support.append(int(self.state.support[0]))
        return list(self.state.events.at_step(self.steps - 1))

    @property
    def steps(self) -> int:
        """Steps taken so far."""
        return len(self._move)

    def feet_after(self, step: int) -> NDArray[np.float64]:
        """Return the feet (3,), m, after a step, counted from 0 as in its events."""
        return self._position[step + 1]

    @property
    def position(self) -> NDArray[np.float64]:
        """Feet to draw, (3,) m: between the last two steps, as far as time has gone into the next one."""
        share = self._owed / STEP
        last = self._position[-2:]
        return np.asarray(last[0] + share * (last[-1] - last[0]))

    @property
    def heading(self) -> float:
        """Heading to draw, rad: between the last two steps, as `position` is."""
        last = self._heading[-2:]
        return last[0] + self._owed / STEP * (last[-1] - last[0])

    @property
    def end(self) -> tuple[NDArray[np.float64], float]:
        """Feet (3,) m and heading after the last step."""
        return self._position[-1], self._heading[-1]

    @property
    def support(self) -> Support:
        """What carries the character."""
        return Support(self._support[-1])

    @property
    def action(self) -> Action:
        """What the character does besides walking and falling."""
        return Action(int(self.state.memory.action[0]))

    @property
    def body(self) -> Settings:
        """The settings, with the height that the character has now."""
        if self.action not in (Action.CROUCH, Action.SLIDE):
            return self.settings
        return replace(self.settings, height=self.settings.crouch_span + 2 * self.settings.radius)

    @property
    def speed(self) -> float:
        """Speed after the last step, m/s."""
        return float(np.linalg.norm(self.state.velocity[0]))

    def contacts(self) -> Contacts:
        """Return what the character touches where it is drawn: all within twice the skin."""
        return self.world.contacts(self.body, self.position, within=2 * self.settings.skin_width)

    def take(self) -> Take:
        """Return the walk so far.

        Raises
        ------
        ValueError
            If no step has been taken yet.
        """
        if not self._move:
            raise ValueError("no step has been taken yet, so there is no walk to keep")
        return Take(
            dt=STEP,
            settings=self.settings,
            commands=Commands(self._move, **{name: [getattr(held, name) for held in self._held] for name in BUTTONS}),
            position=np.array(self._position),
            heading=np.array(self._heading),
            support=np.array(self._support, dtype=np.int8),
        )


def turned_on(heading: float, core_heading: float) -> float:
    """Return a heading of the core as Blender counts it, the shorter way on from `heading`: whole turns are kept."""
    return heading + math.remainder(core_heading - FRONT - heading, 2 * math.pi)
