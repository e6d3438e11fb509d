"""Walks through any level: where a character can start, and the seeded walk that sees the most of it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from levelwalk.core import Command, Commands, EventKind, Settings, State, Support, World, simulate
from levelwalk.core.wander import wander

SEED = 7
TRIES = 4096  # places at which to look for ground
STEADY = 0.8  # share of steps on the ground
CELL = 1.0  # m; a walk is as good as the number of cells of this size that it comes through


def find_starts(world: World, settings: Settings, count: int, seed: int = SEED) -> NDArray[np.float64]:
    """Return feet (k, 3) of up to `count` free standing places, found by casting down; half from above the level.

    The other half is cast from within its bounds: that finds the rooms of a level with a roof.
    """
    lowest, highest = world.bounds
    if not (highest > lowest).any():
        return np.zeros((0, 3))
    random = np.random.default_rng(seed)
    places = random.uniform(lowest, highest, (TRIES, 3))
    places[::2, 2] = highest[2] + settings.height
    places = places[~world.overlaps(settings, places)]
    down = np.array([0.0, 0.0, lowest[2] - highest[2] - 2 * settings.height])
    hits = world.cast(settings, places, np.broadcast_to(down, places.shape))
    is_ground = hits.is_hit & (hits.normal[:, 2] > np.cos(settings.slope_limit))
    feet = places[is_ground] + hits.fraction[is_ground, None] * down
    feet[:, 2] += settings.skin_width
    return feet[~world.overlaps(settings, feet)][:count]


def wander_from(world: World, settings: Settings, starts: NDArray[np.float64], steps: int, dt: float) -> Commands:
    """Return the recorded wishes of seeded wanderers, one lane for each of `starts` (n, 3)."""
    recorded = []
    wish = wander(SEED, len(starts), dt)

    def record(index: int, state: State) -> Command:
        command = wish(index, state)
        recorded.append(command)
        return command

    simulate(world, settings, starts, record, dt=dt, steps=steps)
    return Commands(*(np.array([getattr(command, name) for command in recorded]) for name in ("move", "jump", "run")))


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """How seeded wanderers fare from n starts.

    Attributes
    ----------
    commands : Commands
        What they wished.
    cells : (n,) int
        How many cells of the level's ground each came through.
    grounded : (n,) float
        Share of its steps in which each stood on the ground.
    is_lost : (n,) bool
        Who fell off the level.
    """

    commands: Commands
    cells: NDArray[np.int64]
    grounded: NDArray[np.float64]
    is_lost: NDArray[np.bool_]

    def commands_of(self, lanes: NDArray[np.intp]) -> Commands:
        """Return the commands of some of the lanes."""
        return self.commands.of_lanes(lanes)


def survey(world: World, settings: Settings, starts: NDArray[np.float64], steps: int, dt: float) -> Survey:
    """Send a wanderer off from each of `starts` (n, 3), for so many steps."""
    commands = wander_from(world, settings, starts, steps, dt)
    trace = simulate(world, settings, starts, commands, dt=dt)
    grounded = trace.support == Support.GROUNDED
    on_ground = [trace.position[grounded[:, lane], lane] for lane in range(len(starts))]  # falling far is no merit
    return Survey(
        commands,
        np.array([len(np.unique(np.floor(path / CELL), axis=0)) for path in on_ground]),
        grounded.mean(axis=0),
        np.isin(np.arange(len(starts)), trace.events.of(EventKind.LEFT_LEVEL).lane),
    )


def find_walk(
    world: World, settings: Settings, steps: int, dt: float, lanes: int = 48
) -> tuple[NDArray[np.float64], Commands] | None:
    """Return start (3,) and commands of the wanderer that comes through the most cells; None without any ground."""
    starts = find_starts(world, settings, lanes)
    if not len(starts):
        return None
    found = survey(world, settings, starts, steps, dt)
    best = int(np.lexsort((found.cells, ~found.is_lost))[-1])
    if not found.cells[best]:
        return None
    return starts[best], found.commands_of(np.array([best]))


def find_steady_walks(
    world: World, settings: Settings, steps: int, dt: float, lanes: int
) -> tuple[NDArray[np.float64], Commands]:
    """Return starts (lanes, 3) and commands of wanderers that stay on the ground; some are there several times.

    A measurement of steps wants walkers that walk: those who fall cost little.
    """
    starts = find_starts(world, settings, lanes)
    found = survey(world, settings, starts, steps, dt)
    chosen = np.resize(np.flatnonzero(found.grounded > STEADY), lanes)
    return starts[chosen], found.commands_of(chosen)
