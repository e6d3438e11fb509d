"""`python3 dev.py bench [LEVEL ...]`: what building a level and taking a step cost, beside Bullet on the same machine.

Both walk the same levels from the same starts on the same recorded wishes, in turns of a few steps, so that a machine
that is slow for a while slows both. Medians of the turns are compared.
"""

import argparse
import statistics
import sys
import time

import numpy as np

from levelwalk.core import Settings, TriMesh, World

from . import growth
from .bench_walks import ALL_ON, PLAIN, STEPS_OF_TURN, TURNS, OurWalk, Walk, find_walks, time_walks
from .build_cost import make, measure
from .bullet import BulletWalk
from .levels import LEVEL_SCALES

LEVELS = (*LEVEL_SCALES, "terrain", "plain")
BUILDS = 3
MILLION = 708  # squares along each side of a terrain of a million triangles
TINY = 200_000  # triangles


def main() -> int:
    """Print the tables; return 2, with one line, where the levels are not there."""
    options = _parse()
    if options.parts == "growth":
        return growth.main(options.is_small)
    try:
        levels = {name: make(name) for name in options.levels}
    except FileNotFoundError as error:
        print(error, file=sys.stderr)
        return 2
    if options.parts in ("all", "build"):
        report_builds(list(levels))
    if options.parts in ("all", "steps"):
        print("\nTime for a step of one walker, ours beside Bullet's (medians); ratio = ours / Bullet's")
        print(f"{'level':10} {'triangles':>9}  {'':20} {'ours':>12} {'Bullet':>12} {'ratio':>8}   grounded at the end")
        worlds = {name: compare(name, mesh) for name, mesh in levels.items()}
        if {"terrain", "plain"} <= set(worlds):
            compare_grounds(worlds["terrain"], worlds["plain"])
    return 0


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="dev.py bench", description=__doc__.partition("\n\n")[0].partition(": ")[2])
    parser.add_argument("levels", metavar="LEVEL", nargs="*", default=LEVELS, help=f"of {', '.join(LEVELS)}")
    parser.add_argument("--parts", choices=("all", "build", "steps"), default="all", help="what to measure")
    parser.add_argument(
        "--growth", dest="parts", action="store_const", const="growth", help="how steps grow, and the plot"
    )
    parser.add_argument("--small", dest="is_small", action="store_true", help="growth of small levels only, no plot")
    options = parser.parse_args()
    unknown = set(options.levels) - set(LEVELS)
    if unknown:
        parser.error(f"there is no level {', '.join(sorted(unknown))}; there are {', '.join(LEVELS)}")
    return options


def report_builds(names: list[str]) -> None:
    """Print the cost of building each level, and of what shows how the cost grows."""
    print(f"{'building':10} {'triangles':>9} {'seconds':>9} {'a million':>10} {'peak':>8}", flush=True)
    kinds = [(name, name, 0) for name in names]
    if "terrain" in names:
        kinds += [("a million", "terrain", MILLION), ("few tiny", "crumbs", TINY // 2), ("many tiny", "crumbs", TINY)]
    for label, kind, size in kinds:
        cost = measure(kind, size)
        million = cost.seconds / cost.triangles * 1e6
        print(f"{label:10} {cost.triangles:9} {cost.seconds:7.3f} s {million:8.2f} s {cost.peak:5.0f} MB", flush=True)


def compare(name: str, mesh: TriMesh) -> World:
    """Measure one level and print its lines; return its world."""
    world, ours, theirs = compare_builds(mesh, PLAIN)
    print_line(f"{name:10} {len(mesh.triangles):9}", "build", ours, theirs, "s ", 3)
    for lanes in STEPS_OF_TURN:
        for label, settings in (("", PLAIN), (", all on", ALL_ON)):
            ours, theirs, grounded = compare_steps(world, mesh, settings, lanes)
            print_line("", f"{lanes:,} lane{'s' if lanes > 1 else ''}{label}", ours, theirs, "us", 1, grounded)
    return world


def print_line(level: str, what: str, ours: float, theirs: float, unit: str, digits: int, note: str = "") -> None:
    """Print one line of the table."""
    numbers = f"{ours:9.{digits}f} {unit} {theirs:9.{digits}f} {unit} {ours / theirs:8.2f}"
    print(f"{level:20}  {what:20} {numbers}   {note}", flush=True)


def compare_builds(mesh: TriMesh, settings: Settings) -> tuple[World, float, float]:
    """Return our world, and the median seconds that building the level took us and Bullet."""
    ours, theirs = [], []
    for _ in range(BUILDS):
        began = time.perf_counter()
        world = World.build([mesh])
        ours.append(time.perf_counter() - began)
        theirs.append(BulletWalk([mesh], settings, np.zeros((0, 3))).build_seconds)
    return world, statistics.median(ours), statistics.median(theirs)


def compare_steps(world: World, mesh: TriMesh, settings: Settings, lanes: int) -> tuple[float, float, str]:
    """Return the median microseconds of a walker's step, ours and Bullet's, and who stands on the ground at the end."""
    starts, commands = find_walks(world, settings, (TURNS + 1) * STEPS_OF_TURN[lanes], lanes)
    walks: list[Walk] = [OurWalk(world, settings, starts), BulletWalk([mesh], settings, starts)]
    ours, theirs = time_walks(walks, commands, lanes)
    return ours, theirs, " and ".join(f"{walk.grounded_share():.0%}" for walk in walks)


def compare_grounds(hills: World, plain: World) -> None:
    """Print what a step of one walker costs on the terrain beside one on a plain floor, in turns on the same wishes."""
    for label, settings in (("", PLAIN), (", all on", ALL_ON)):
        starts, commands = find_walks(hills, settings, (TURNS + 1) * STEPS_OF_TURN[1], 1)
        walks: list[Walk] = [
            OurWalk(hills, settings, starts),
            OurWalk(plain, settings, starts * [1, 1, 0] + [0, 0, 0.02]),
        ]
        ours, theirs = time_walks(walks, commands, 1)
        print(f"1 lane{label}, terrain beside plain floor: {ours:.0f} us, {theirs:.0f} us, ratio {ours / theirs:.2f}")


if __name__ == "__main__":
    sys.exit(main())
