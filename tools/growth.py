"""Growth: how the time of a step grows with the level's triangles, the walkers, and the triangles near a walker.

All on the same gentle hills, so that only one number changes at a time. `python3 dev.py bench --growth` prints the
table and draws docs/images/growth.png.
"""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from levelwalk.core import Commands, Settings, World

from .bench_walks import DT, PLAIN, OurWalk
from .made_levels import height_at, terrain
from .route import survey

PICTURE = Path(__file__).resolve().parents[1] / "docs" / "images" / "growth.png"
STEPS = 40  # measured, after as many that are not
WARM_UP = 20
NEAR = 2.0  # m, half the side of the square in which the walkers start
DROP = 0.1  # m over the ground, so that no start is inside it
LANES = 100  # where their number is not what changes
FEW = 20  # where each of them has thousands of triangles around it
ROOM = 12.0  # m: half the side of a level with fine triangles
SIDES = (32, 71, 224, 707)  # squares along a side: 2,048 to 999,698 triangles
CROWDS = (1, 10, 100, 1_000, 10_000)
FINENESS = (2.0, 1.0, 0.5, 0.25, 0.1, 0.05)  # m, sides of squares


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """One row of measurements.

    Attributes
    ----------
    name, unit : str
        What changes, and its unit for the axis.
    values : tuple of float
    alone, crowd : list of float, us
        Time of a step, of one walker alone, and of each of many; nan where not measured.
    """

    name: str
    unit: str
    values: tuple[float, ...]
    alone: list[float]
    crowd: list[float]


def main(is_small: bool = False) -> int:
    """Measure, print and draw; a small run leaves out the largest sizes, and the picture."""
    sizes = 2 if is_small else None
    curves = []
    for grow, values in ((grow_level, SIDES), (grow_crowd, CROWDS), (grow_fineness, FINENESS)):
        curve = grow(values[:sizes])
        print(f"\n{curve.name} ({curve.unit})  one walker   many, each")
        for value, alone, crowd in zip(curve.values, curve.alone, curve.crowd, strict=True):
            print(f"{value:20,.2f} {alone:9.0f} us {crowd:9.1f} us", flush=True)
        curves.append(curve)
    if not is_small:
        draw(curves, PICTURE)
        print(f"\nwrote {PICTURE}")
    return 0


def grow_level(sides: Sequence[float]) -> Curve:
    """Measure levels of equal squares, of which there are more and more."""
    worlds = [World.build([terrain(int(side))]) for side in sides]
    times = [[time_steps(world, lanes) for world in worlds] for lanes in (1, LANES)]
    return Curve("Triangles of the level", "triangles", tuple(2.0 * side**2 for side in sides), *times)


def grow_crowd(crowds: Sequence[float]) -> Curve:
    """Measure more and more walkers in one level."""
    world = World.build([terrain(128)])
    times = [time_steps(world, int(lanes)) for lanes in crowds]
    return Curve("Walkers", "lanes", tuple(map(float, crowds)), [times[0], *[float("nan")] * (len(times) - 1)], times)


def grow_fineness(fineness: Sequence[float]) -> Curve:
    """Measure the same hills in finer and finer squares."""
    worlds = [World.build([terrain(round(2 * ROOM / size), size)]) for size in fineness]
    times = [[time_steps(world, lanes) for world in worlds] for lanes in (1, FEW)]
    return Curve("Triangles a square metre", "1/m²", tuple(2 / size**2 for size in fineness), *times)


def time_steps(world: World, lanes: int, settings: Settings = PLAIN) -> float:
    """Return the median microseconds of a walker's step near the middle of the hills."""
    starts, commands = _walks(lanes, settings)
    walk = OurWalk(world, settings, starts)
    walk.steps(commands, 0, WARM_UP, DT)
    return statistics.median(walk.steps(commands, WARM_UP + i, 1, DT) for i in range(STEPS)) / lanes * 1e6


def _walks(lanes: int, settings: Settings) -> tuple[NDArray[np.float64], Commands]:
    """Return starts near the middle, and wishes of wanderers who start there; the same for all levels."""
    random = np.random.default_rng(lanes)
    x, y = random.uniform(-NEAR, NEAR, (2, lanes))
    starts = np.column_stack([x, y, height_at(x, y) + DROP])
    first = min(lanes, LANES)  # the others do as these do: what is measured is the step, and not the wanderers
    world = World.build([terrain(64)])
    commands = survey(world, settings, starts[:first], WARM_UP + STEPS, DT).commands
    return starts, commands.of_lanes(np.arange(lanes) % first)


def draw(curves: list[Curve], file: Path) -> None:
    """Draw the curves beside each other, both axes logarithmic."""
    from matplotlib.figure import Figure  # of the bench alone

    figure = Figure(figsize=(12, 3.8), layout="constrained")
    for axes, curve in zip(figure.subplots(1, len(curves), sharey=True), curves, strict=True):
        axes.loglog(curve.values, curve.alone, "o-", color="#d81b4a", label="one walker")
        axes.loglog(curve.values, curve.crowd, "s-", color="#0b3d91", label="many walkers, each")
        axes.set_xlabel(f"{curve.name.lower()} ({curve.unit})")
        axes.grid(visible=True, which="major", alpha=0.3)
    figure.axes[0].set_ylabel("time of a step (us)")
    figure.axes[0].legend()
    file.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(file, dpi=110)
