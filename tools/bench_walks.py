"""Walks to measure: our walkers, what leads them, and the time that kinds of walker take in turns on one input."""

import statistics
import time
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from levelwalk.core import Command, Commands, LedgeGuard, Settings, State, Support, World, spawn, step
from levelwalk.core.trace import Player
from levelwalk.core.wander import wander

from .route import find_steady_walks, find_walk

DT = 1 / 60  # s
TURNS = 9
STEPS_OF_TURN = {1: 100, 1000: 10}  # by the number of lanes
PLAIN = Settings()
ALL_ON = Settings(
    acceleration=40.0,
    deceleration=60.0,
    air_acceleration=20.0,
    turn_rate=10.0,
    coyote_time=0.1,
    jump_buffer=0.1,
    jump_release=0.5,
    air_jumps=1,
    wall_jump_speed=3.0,
    ledge_guard=LedgeGuard.SLIDE,
    ground_memory=0.1,
    slide_speed=6.0,
    dash_speed=10.0,
    mantle_height=1.2,
)
HELD = {"run": (2.0, 0.5), "crouch": (4.0, 0.15), "dash": (2.0, 0.1)}  # mean s of a hold and a pause; share held


class Walk(Protocol):
    """Walkers that can be timed."""

    def steps(self, commands: Commands, first: int, count: int, dt: float) -> float:
        """Take `count` steps from command `first` on; return the seconds they took, without the input's."""

    def grounded_share(self) -> float:
        """Return which share of the walkers stands on the ground."""


class OurWalk:
    """Walkers of our own step: n of them, from `starts` (n, 3)."""

    def __init__(self, world: World, settings: Settings, starts: NDArray[np.float64]) -> None:
        self.world = world
        self.settings = settings
        self.state = spawn(world, settings, starts)

    def steps(self, commands: Commands, first: int, count: int, dt: float) -> float:
        """Take `count` steps from command `first` on; return the seconds they took, without the input's."""
        seconds = 0.0
        for index in range(first, first + count):
            command = commands.at(index, len(self.state))
            began = time.perf_counter()
            self.state = step(self.world, self.settings, self.state, command, dt)
            seconds += time.perf_counter() - began
        return seconds

    def grounded_share(self) -> float:
        """Return which share of the walkers stands on the ground."""
        return float(np.mean(self.state.support == Support.GROUNDED))


def lead_busily(seed: int, lanes: int, dt: float) -> Player:
    """Return a wanderer that also runs, crouches and dashes, each held for some time and then not."""
    random = np.random.default_rng([seed, 1])
    walks = wander(seed, lanes, dt)
    held = {name: np.zeros(lanes, bool) for name in HELD}

    def decide(index: int, state: State) -> Command:
        command = walks(index, state)
        for name, (mean, share) in HELD.items():
            again = random.random(lanes) < dt / mean
            held[name] = np.where(again, random.random(lanes) < share, held[name])
        return Command(command.move, command.jump, held["run"], held["crouch"], held["dash"])

    return decide


def find_walks(world: World, settings: Settings, steps: int, lanes: int) -> tuple[NDArray[np.float64], Commands]:
    """Return starts (lanes, 3) and recorded commands of walkers that get about, with all buttons if all is on.

    Raises
    ------
    ValueError
        If there is no ground in the level.
    """
    leads = lead_busily if settings is ALL_ON else wander
    if lanes > 1:
        return find_steady_walks(world, settings, steps, DT, lanes, leads)
    found = find_walk(world, settings, steps, DT, leads)
    if found is None:
        raise ValueError("there is no ground in this level")
    return found[0][None], found[1]


def time_walks(walks: list[Walk], commands: Commands, lanes: int) -> list[float]:
    """Return the median microseconds of a walker's step for each of `walks`, taken in turns on the same commands.

    There are `TURNS` turns and one before them, from a start at rest, that is not counted.
    """
    steps = len(commands) // (TURNS + 1)
    taken: list[list[float]] = [[] for _ in walks]
    for turn in range(TURNS + 1):
        for walk, seconds in zip(walks, taken, strict=True):
            seconds.append(walk.steps(commands, turn * steps, steps, DT))
    return [statistics.median(seconds[1:]) / steps / lanes * 1e6 for seconds in taken]
