"""`python3 dev.py bench`: what a step costs, beside Bullet's kinematic character controller on the same machine.

Both walk the same levels from the same starts on the same recorded wishes, in turns of a few steps, so that a machine
that is slow for a while slows both. Medians of the turns are compared.
"""

import statistics
import sys
import time

import numpy as np
from numpy.typing import NDArray

from levelwalk.core import Commands, Settings, Support, TriMesh, World, spawn, step

from .bullet import BulletWalk
from .levels import LEVEL_SCALES, read_level
from .route import find_steady_walks, find_walk

DT = 1 / 60  # s
TURNS = 9
STEPS_OF_TURN = {1: 100, 1000: 20}  # by the number of lanes
BUILDS = 3


class OurWalk:
    """The same as `BulletWalk`, with our own step."""

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


def main() -> int:
    """Print the table; return 2, with one line, where the levels are not there."""
    try:
        levels = {name: read_level(name) for name in LEVEL_SCALES}
    except FileNotFoundError as error:
        print(error, file=sys.stderr)
        return 2
    print("Time for a step of one walker, ours beside Bullet's (medians); ratio = ours / Bullet's", flush=True)
    print(f"{'level':10} {'triangles':>9}  {'':14} {'ours':>12} {'Bullet':>12} {'ratio':>8}   on the ground at the end")
    for name, mesh in levels.items():
        compare(name, mesh)
    return 0


def compare(name: str, mesh: TriMesh) -> None:
    """Measure one level and print its lines."""
    settings = Settings()
    world, ours, theirs = compare_builds(mesh, settings)
    print_line(f"{name:10} {len(mesh.triangles):9}", "build", ours, theirs, "s ", 3)
    for lanes, steps in STEPS_OF_TURN.items():
        starts, commands = find_walks(world, settings, (TURNS + 1) * steps, lanes)
        ours, theirs, grounded = compare_steps(world, mesh, settings, starts, commands)
        print_line("", f"{lanes:,} lane{'s' if lanes > 1 else ''}", ours, theirs, "us", 1, grounded)


def find_walks(world: World, settings: Settings, steps: int, lanes: int) -> tuple[NDArray[np.float64], Commands]:
    """Return starts (lanes, 3) and recorded commands of walkers that get about."""
    if lanes > 1:
        return find_steady_walks(world, settings, steps, DT, lanes)
    found = find_walk(world, settings, steps, DT)
    if found is None:
        raise ValueError("there is no ground in this level")
    return found[0][None], found[1]


def print_line(level: str, what: str, ours: float, theirs: float, unit: str, digits: int, note: str = "") -> None:
    """Print one line of the table."""
    numbers = f"{ours:9.{digits}f} {unit} {theirs:9.{digits}f} {unit} {ours / theirs:8.2f}"
    print(f"{level:20}  {what:14} {numbers}   {note}", flush=True)


def compare_builds(mesh: TriMesh, settings: Settings) -> tuple[World, float, float]:
    """Return our world, and the median seconds that building the level took us and Bullet."""
    ours, theirs = [], []
    for _ in range(BUILDS):
        began = time.perf_counter()
        world = World.build([mesh])
        ours.append(time.perf_counter() - began)
        theirs.append(BulletWalk([mesh], settings, np.zeros((0, 3))).build_seconds)
    return world, statistics.median(ours), statistics.median(theirs)


def compare_steps(
    world: World, mesh: TriMesh, settings: Settings, starts: NDArray[np.float64], commands: Commands
) -> tuple[float, float, str]:
    """Return the median microseconds of a walker's step, ours and Bullet's, and who stands on the ground at the end."""
    steps = len(commands) // (TURNS + 1)
    walks: list[OurWalk | BulletWalk] = [OurWalk(world, settings, starts), BulletWalk([mesh], settings, starts)]
    for walk in walks:
        walk.steps(commands, 0, steps, DT)  # the first steps, from a start at rest, are not counted
    taken: list[list[float]] = [[], []]
    for turn in range(1, TURNS + 1):
        for walk, seconds in zip(walks, taken, strict=True):
            seconds.append(walk.steps(commands, turn * steps, steps, DT))
    ours, theirs = (statistics.median(seconds) / steps / len(starts) * 1e6 for seconds in taken)
    grounded = " and ".join(f"{walk.grounded_share():.0%}" for walk in walks)
    return ours, theirs, grounded


if __name__ == "__main__":
    sys.exit(main())
