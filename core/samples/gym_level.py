"""The gym: rows of one thing in growing sizes, to find out what a character's settings can do.

Each row stands along the y axis and is met by walking towards +X from the start line: slopes, steps, gaps, ceilings,
doors, ledges, and a ladder.
"""

import math

import numpy as np

from ..mesh import TriMesh
from .blocks import Span, box, join, prism

SLOPES = (
    *(0, 5.7, 11.3, 16.7, 21.8, 26.6, 31.0, 35.0, 38.7, 42.0, 45.0),
    *(48.0, 51.3, 55.0, 59.0, 63.4, 68.2, 73.3, 78.7, 84.3, 90),
)
"""Degrees of the lanes on which slope limits and momentum are tried."""
STEP_HEIGHTS = (0.1, 0.2, 0.25, 0.28, 0.3, 0.32, 0.35, 0.4, 0.5, 0.6)
GAPS = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
CEILINGS = (1.0, 1.2, 1.5, 1.75, 1.85, 2.0, 2.2)
DOORS = (0.6, 0.62, 0.64, 0.66, 0.8, 0.9)
LEDGES = (0.8, 1.2, 1.6, 2.0)

LANE = 1.6  # width of a lane, m
APART = 2.4  # from one row to the next, m
SLOPE_LENGTH = 10.0  # along the surface, m
DEPTH = 4.0  # of steps, ceilings and ledges, m
PLATFORM = 1.0  # height of the platforms between which the gaps are, m
THICK = 0.2
LINE = 4.0  # x at which the rows begin
GYM_START = np.array([0.0, LANE / 2, 0.02])


def gym_level() -> list[TriMesh]:
    """Return the gym's objects, on ground at height 0: a row of each kind, one beside the other along y."""
    rows = [
        (SLOPES, _slope),
        (STEP_HEIGHTS, _step),
        (GAPS, _gap),
        (CEILINGS, _ceiling),
        (DOORS, _door),
        (LEDGES, _ledge),
        ((3.0,), _ladder),
    ]
    level, y = [], 0.0
    for sizes, make in rows:
        for size in sizes:
            level.append(make(size, (y, y + LANE)))
            y += LANE
        y += APART
    ground = box("Ground", (-4.0, LINE + 30.0), (-4.0, y + 2.0), (-THICK, 0.0))
    return [ground, *level]


def _slope(degrees: float, y: Span) -> TriMesh:
    name = f"Slope {degrees:g}"
    if degrees == 0:
        return box(name, (LINE, LINE + SLOPE_LENGTH), y, (-THICK / 2, 0.01))
    if degrees == 90:
        return box(name, (LINE, LINE + 1.0), y, (0.0, SLOPE_LENGTH / 2))
    angle = math.radians(degrees)
    end, top = LINE + SLOPE_LENGTH * math.cos(angle), SLOPE_LENGTH * math.sin(angle)
    return prism(name, 1, [(0.0, end), (0.0, LINE), (top, end)], y)


def _step(height: float, y: Span) -> TriMesh:
    return box(f"Step {height:g}", (LINE, LINE + DEPTH), y, (0.0, height))


def _gap(width: float, y: Span) -> TriMesh:
    """A ramp up to a platform, the gap, and another platform."""
    ramp, edge = LINE + 2.0, LINE + 6.0
    return join(
        f"Gap {width:g}",
        prism("near", 1, [(0.0, edge), (0.0, LINE), (PLATFORM, ramp), (PLATFORM, edge)], y),
        box("far", (edge + width, edge + width + 3.0), y, (0.0, PLATFORM)),
    )


def _ceiling(height: float, y: Span) -> TriMesh:
    side = THICK / 2
    return join(
        f"Ceiling {height:g}",
        box("slab", (LINE, LINE + DEPTH), y, (height, height + THICK)),
        box("left", (LINE, LINE + DEPTH), (y[0], y[0] + side), (0.0, height)),
        box("right", (LINE, LINE + DEPTH), (y[1] - side, y[1]), (0.0, height)),
    )


def _door(width: float, y: Span) -> TriMesh:
    middle = (y[0] + y[1]) / 2
    return join(
        f"Door {width:g}",
        box("left", (LINE, LINE + THICK), (y[0], middle - width / 2), (0.0, 2.2)),
        box("right", (LINE, LINE + THICK), (middle + width / 2, y[1]), (0.0, 2.2)),
    )


def _ledge(height: float, y: Span) -> TriMesh:
    return box(f"Ledge {height:g}", (LINE, LINE + DEPTH), y, (0.0, height))


def _ladder(height: float, y: Span) -> TriMesh:
    tower = box("Ladder", (LINE, LINE + DEPTH), y, (0.0, height))
    return TriMesh(tower.vertices, tower.triangles, "Ladder", is_climbable=True)
