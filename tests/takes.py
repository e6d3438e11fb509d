"""Takes: walks of one walker with all buttons, kept state by state, for what a trace does not tell."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import oracle
import pytest
from builders import BASE, Array, Point, corners_of
from numpy.typing import NDArray

from levelwalk.core import Action, Command, Event, EventKind, Settings, State, Support, TriMesh, World, spawn, step

IDLE, AHEAD, BACK, LEFT, RIGHT = (0.0, 0.0), (1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)
HIGHER = [pytest.param(120, marks=pytest.mark.slow), pytest.param(240, marks=pytest.mark.slow)]  # cost most
RATES = [30, 60, HIGHER[0]]
ALL_RATES = [30, 60, *HIGHER]
BUTTONS = ("jump", "run", "crouch", "dash")


@dataclass(frozen=True)
class Part:
    """What is held for a while: a wish, buttons, and a push in the first step."""

    seconds: float
    wish: Point
    buttons: tuple[str, ...]
    push: Point | None


def held(seconds: float, wish: Point = IDLE, *buttons: str, push: Point | None = None) -> Part:
    """Return a part of a take: a wish and buttons ("jump", "run", "crouch", "dash") held for some seconds."""
    return Part(seconds, wish, buttons, push)


@dataclass(frozen=True, eq=False)
class Take:
    """The states of one walker from the end of its standing on: s steps, s + 1 rows; event steps count from there."""

    settings: Settings
    states: list[State]
    hz: int
    triangles: Array

    def _rows(self, name: str) -> Array:
        return np.array([getattr(state, name)[0] for state in self.states])

    @cached_property
    def position(self) -> Array:
        return self._rows("position")

    @cached_property
    def velocity(self) -> Array:
        return self._rows("velocity")

    @cached_property
    def support(self) -> NDArray[np.int8]:
        return self._rows("support")

    @cached_property
    def heading(self) -> Array:
        return self._rows("heading")

    @cached_property
    def action(self) -> NDArray[np.int8]:
        return np.array([state.memory.action[0] for state in self.states])

    @property
    def is_grounded(self) -> NDArray[np.bool_]:
        return self.support == Support.GROUNDED

    @property
    def strides(self) -> Array:
        """Length of each step, (s,) m."""
        return np.asarray(np.linalg.norm(np.diff(self.position, axis=0), axis=1))

    @property
    def last(self) -> State:
        return self.states[-1]

    def events(self, *kinds: EventKind) -> list[Event]:
        """Return the events of some kinds, or all."""
        found = []
        for index, state in enumerate(self.states[1:]):
            found += [event for event in state.events.at_step(index) if not kinds or event.kind in kinds]
        return found

    def first(self, kind: EventKind) -> Event:
        """Return the first event of a kind."""
        return self.events(kind)[0]

    @cached_property
    def clearance(self) -> Array:
        """Gap between capsule and level in every row by the oracle, with the height that it has there."""
        low = np.isin(self.action, (Action.CROUCH, Action.SLIDE))
        heights = np.where(low, 2 * self.settings.radius + self.settings.crouch_span, self.settings.height)
        gaps = np.zeros(len(heights))
        for height in np.unique(heights):
            rows = heights == height
            gaps[rows] = oracle.gaps_nearby(
                self.position[rows], self.settings.radius, height, self.triangles, within=0.5
            )
        return gaps


def take(
    level: Sequence[TriMesh] | World,
    *parts: Part,
    settings: Settings = BASE,
    start: Point = (0.0, 0.0, 0.03),
    standing: float = 0.5,
    hz: int = 60,
    heading: float = 0.0,
) -> Take:
    """Stand, then do the parts one after the other."""
    world = level if isinstance(level, World) else World.build(level)
    state = spawn(world, settings, start, heading)
    for _ in range(round(standing * hz)):
        state = step(world, settings, state, Command(np.zeros((1, 2))), 1 / hz)
    states = [state]
    for part in parts:
        down = {name: np.array([name in part.buttons]) for name in BUTTONS}
        for index in range(round(part.seconds * hz)):
            push = None if part.push is None or index else np.array([part.push], float)
            state = step(world, settings, state, Command(np.array([part.wish], float), push=push, **down), 1 / hz)
            states.append(state)
    triangles = np.zeros((0, 3, 3)) if isinstance(level, World) else corners_of(level)
    return Take(settings, states, hz, triangles)
