"""Walks through any level: where a character can start, and the seeded walk that sees the most of it."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from levelwalk.core import Commands, EventKind, Settings, Support, World, spawn, step
from levelwalk.core.trace import Player
from levelwalk.core.wander import wander

SEED = 7
TRIES = 4096  # places at which to look for ground
TRIAL_STARTS, TRIAL_SECONDS = 32, 1.5  # of the search for one walk: many short ways first,
WHOLE_WALKS = 16  # then the best of them at full length
CEILING = 10.0  # m over the feet at most
ROOMS = 0.25  # share of the floors under a ceiling from which on a walk begins under one
STEADY = 0.8  # share of steps on the ground
BUTTONS = ("jump", "run", "crouch", "dash")
CELL = 1.0  # m; a walk is as good as the number of cells of this size that it comes through


def find_starts(world: World, settings: Settings, count: int) -> NDArray[np.float64]:
    """Return feet (k, 3) of up to `count` free standing places, found by casting down; half from above the level.

    The other half is cast from within its bounds: that finds the rooms of a level with a roof.
    """
    lowest, highest = world.bounds
    if not (highest > lowest).any():
        return np.zeros((0, 3))
    random = np.random.default_rng(SEED)
    places = random.uniform(lowest, highest, (TRIES, 3))
    places[::2, 2] = highest[2] + settings.height
    places = places[~world.overlaps(settings, places)]
    down = np.array([0.0, 0.0, lowest[2] - highest[2] - 2 * settings.height])
    hits = world.cast(settings, places, np.broadcast_to(down, places.shape))
    is_ground = hits.is_hit & (hits.normal[:, 2] > np.cos(settings.slope_limit))
    feet = places[is_ground] + hits.fraction[is_ground, None] * down
    feet[:, 2] += settings.skin_width
    return feet[~world.overlaps(settings, feet)][:count]


def find_floors(world: World, settings: Settings, count: int) -> NDArray[np.float64]:
    """Return feet (k, 3) of up to `count` free standing places all over the level's floors, by their area.

    Where a good part of the floors has a ceiling, all the places have one: a dungeon is walked inside, not on top.
    """
    a, b, c = np.moveaxis(world.features.corners, 1, 0)
    normal = np.cross(b - a, c - a)
    area = np.linalg.norm(normal, axis=1)
    upright = np.abs(normal[:, 2]) / np.maximum(area, np.finfo(float).tiny)
    weight = np.where(upright > np.cos(settings.slope_limit), area, 0.0)
    if not weight.any():
        return np.zeros((0, 3))
    random = np.random.default_rng(SEED)
    chosen = random.choice(len(weight), 8 * count, p=weight / weight.sum())
    shares = random.dirichlet((1, 1, 1), len(chosen))
    feet = (shares[:, :, None] * world.features.corners[chosen]).sum(axis=1)
    feet[:, 2] += settings.radius * (1 / upright[chosen] - 1) + settings.skin_width  # as a ball lies on a slope
    feet = feet[~world.overlaps(settings, feet)]
    is_roofed = world.cast(settings, feet, np.broadcast_to([0.0, 0.0, CEILING], feet.shape)).is_hit
    return (feet[is_roofed] if is_roofed.sum() > ROOMS * len(feet) else feet)[:count]


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

    def best_first(self) -> NDArray[np.intp]:
        """Return the lanes in order: those who fell off last, and the others by how much they saw."""
        return np.lexsort((self.cells, ~self.is_lost))[::-1]


def survey(
    world: World,
    settings: Settings,
    starts: NDArray[np.float64],
    steps: int,
    dt: float,
    leads: Callable[[int, int, float], Player] = wander,
) -> Survey:
    """Send a seeded wanderer off from each of `starts` (n, 3), for so many steps; `leads` makes what leads them."""
    wish = leads(SEED, len(starts), dt)
    state = spawn(world, settings, starts)
    recorded, positions, supports = [], [state.position], [state.support]
    is_lost = np.zeros(len(starts), bool)
    for index in range(steps):  # and not by `simulate`, which keeps what each step has gathered around the walkers
        recorded.append(wish(index, state))
        state = step(world, settings, state, recorded[-1], dt)
        positions.append(state.position)
        supports.append(state.support)
        is_lost[state.events.of(EventKind.LEFT_LEVEL).lane] = True
    position, grounded = np.stack(positions), np.stack(supports) == Support.GROUNDED
    on_ground = [position[grounded[:, lane], lane] for lane in range(len(starts))]  # falling far is no merit
    return Survey(
        Commands(
            np.array([command.move for command in recorded]),
            *(_together([getattr(command, name) for command in recorded]) for name in BUTTONS),
        ),
        np.array([len(np.unique(np.floor(path / CELL), axis=0)) for path in on_ground]),
        grounded.mean(axis=0),
        is_lost,
    )


def _together(held: list[NDArray[np.bool_] | None]) -> NDArray[np.bool_] | None:
    """Return a button's state in all steps as one array; None where it has none."""
    return None if any(part is None for part in held) else np.array(held)


def find_walk(
    world: World,
    settings: Settings,
    steps: int,
    dt: float,
    leads: Callable[[int, int, float], Player] = wander,
) -> tuple[NDArray[np.float64], Commands] | None:
    """Return start (3,) and commands of the wanderer that comes through the most cells; None without any ground.

    Whole walks are only tried from the starts whose first seconds lead through the most cells.
    """
    starts = find_floors(world, settings, TRIAL_STARTS)
    if not len(starts):
        return None
    trial = survey(world, settings, starts, min(steps, round(TRIAL_SECONDS / dt)), dt, leads)
    starts = starts[trial.best_first()[:WHOLE_WALKS]]
    found = survey(world, settings, starts, steps, dt, leads)
    best = found.best_first()[0]
    if not found.cells[best]:
        return None
    return starts[best], found.commands_of(np.array([best]))


def find_steady_walks(
    world: World,
    settings: Settings,
    steps: int,
    dt: float,
    lanes: int,
    leads: Callable[[int, int, float], Player] = wander,
) -> tuple[NDArray[np.float64], Commands]:
    """Return starts (lanes, 3) and commands of wanderers that stay on the ground; some are there several times.

    A measurement of steps wants walkers that walk: those who fall cost little. Where fewer than half are steady, it is
    the steadier half.
    """
    starts = find_starts(world, settings, lanes)
    found = survey(world, settings, starts, steps, dt, leads)
    enough = min(STEADY, float(np.median(found.grounded)))
    chosen = np.resize(np.flatnonzero(found.grounded >= enough), lanes)
    return starts[chosen], found.commands_of(chosen)
