"""Trace: the states of a walk, and simulate, which makes one."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .character.state import State
from .character.step import spawn, step
from .commands import Command, Commands
from .events import Events
from .settings import Settings
from .world import World

Player = Callable[[int, State], Command]
"""Decides what to wish in a step from what the walkers see: its index and the state before it."""


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """The states of n walkers over s steps of `dt` seconds; the first one is the start.

    Attributes
    ----------
    position, velocity : (s + 1, n, 3) float
        Feet, m, and m/s, in world space.
    support : (s + 1, n) int8 of Support
    ground_normal : (s + 1, n, 3) float
        As in State; zeros in the air.
    ground_object : (s + 1, n) int
        Into the world's names; -1 in the air.
    events : Events
        Event `step` i happened on the way from state i to state i + 1.
    final : State
        What to go on from.
    dt : float, s
    """

    position: NDArray[np.float64]
    velocity: NDArray[np.float64]
    support: NDArray[np.int8]
    ground_normal: NDArray[np.float64]
    ground_object: NDArray[np.intp]
    events: Events
    final: State
    dt: float

    @classmethod
    def of(cls, states: list[State], dt: float) -> "Trace":
        """Put `states` together, from the start to the end of a walk."""
        names = states[0].events.names
        events = [state.events.at_step(index) for index, state in enumerate(states[1:])]
        return cls(
            position=np.stack([state.position for state in states]),
            velocity=np.stack([state.velocity for state in states]),
            support=np.stack([state.support for state in states]),
            ground_normal=np.stack([state.ground_normal for state in states]),
            ground_object=np.stack([state.ground_object for state in states]),
            events=Events.join(events, names),
            final=states[-1],
            dt=dt,
        )


def simulate(
    world: World,
    settings: Settings,
    start: ArrayLike | State,
    commands: Commands | Player,
    dt: float = 1 / 60,
    steps: int | None = None,
) -> Trace:
    """Walk from `start` as `commands` wish, and return the trace.

    Parameters
    ----------
    world : World
    settings : Settings
    start : (3,) or (n, 3) float, m, or State
        Feet of the walkers, or the state to go on from. With (3,) there are as many walkers as `commands` has lanes.
    commands : Commands or function
        The wishes of s steps; or a function of the step's index and the state, asked before each step.
    dt : float, s
        Length of a step.
    steps : int, optional
        How many steps; needed with a function, else all of `commands`.

    Raises
    ------
    ValueError
        If `dt` is not above 0, lanes do not fit together, or the number of steps is not known.
    """
    if not 0 < dt < np.inf:
        raise ValueError(f"dt must be above 0 s, got {dt}")
    if steps is None:
        if not isinstance(commands, Commands):
            raise ValueError("steps must be given with commands that are a function")
        steps = len(commands)
    state = start if isinstance(start, State) else _spawn_lanes(world, settings, start, commands)
    states = [state]
    for index in range(steps):
        command = commands.at(index, len(state)) if isinstance(commands, Commands) else commands(index, state)
        states[-1] = replace(state, near=None, below=None)  # is only wanted for the next step, and is much
        state = step(world, settings, state, command, dt)
        states.append(state)
    return Trace.of(states, dt)


def _spawn_lanes(world: World, settings: Settings, start: ArrayLike, commands: Commands | Player) -> State:
    """Spawn at `start`, once for each lane of the commands if it is one place."""
    feet = np.asarray(start, dtype=np.float64)
    if isinstance(commands, Commands):
        lanes = commands.lanes
        if feet.ndim == 1 and lanes > 1:
            feet = np.tile(feet, (lanes, 1))
        if feet.ndim == 2 and lanes not in (1, len(feet)):
            raise ValueError(f"start has {len(feet)} walkers, commands have {lanes} lanes")
    return spawn(world, settings, feet)
