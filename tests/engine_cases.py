"""The levels and inputs of the cases that nine game engines' controllers were measured with, P1 to P21.

Unless a case says otherwise the walker is `builders.BASE`, starts 0.03 m above a floor at z 0, stands for half a
second, and ramps, stairs and walls begin at x = 2. Measured are the seconds after the standing.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache

from builders import (
    BASE,
    Point,
    Walk,
    box,
    flipped,
    floor,
    heading,
    ramp,
    ramp_down,
    sheet,
    stair_boxes,
    stairs,
    stairs_down,
    tessellated,
    walk,
    wall,
)

from levelwalk.core import Settings, SlopeSpeed, TriMesh

AHEAD, IDLE = (1.0, 0.0), (0.0, 0.0)
ANGLES = [*range(0, 45, 5), 44, 45, 46, *range(50, 95, 5)]
UPHILL = [10, 20, 30, 40, 44]
STEPS = [0.1, 0.2, 0.25, 0.28, 0.3, 0.32, 0.35, 0.4, 0.5, 0.6]
RATES = [30, 60, 120]


@dataclass(frozen=True, kw_only=True)
class Case:
    """A level, and what the walker does in it."""

    level: Callable[[], Sequence[TriMesh]]
    parts: Sequence[tuple[float, Point]]  # (seconds, wish)
    settings: Settings = BASE
    start: Point = (0.0, 0.0, 0.03)
    standing: float = 0.5
    hz: int = 60
    jump_at: float | None = None
    least_clearance: float = 0.015  # m, in every frame; in wedges and on step edges only not to touch
    settled: int = 0  # rows at the start that do not count, where the walker starts inside the level


def at_speed(speed: float, slope_speed: SlopeSpeed = SlopeSpeed.PROJECTED) -> Settings:
    """Return the base walker with another speed."""
    return replace(BASE, speed=speed, slope_speed=slope_speed)


def _tiles(mode: str) -> TriMesh:
    return tessellated((-10, -10, 0), (20, 0, 0), (0, 20, 0), name="floor", mode=mode)


def _box_wall() -> TriMesh:
    return wall((-15, 2), (15, 2))


def _tiled_wall() -> TriMesh:
    return tessellated((-15, 2, 0), (30, 0, 0), (0, 0, 4), name="wall")


def _corner() -> list[TriMesh]:
    return [floor(), box((3, -10, 0), (3.5, 3, 4), "east"), box((-10, 3, 0), (3.5, 3.5, 4), "north")]


def _wedge() -> list[TriMesh]:
    x, y = 4 - 6 * math.cos(math.radians(22.5)), 6 * math.sin(math.radians(22.5))
    return [floor(), wall((x, y), (4, 0), name="left"), wall((4, 0), (x, -y), name="right")]


def _gap(width: float) -> list[TriMesh]:
    half = width / 2
    return [floor(), box((2, -4, 0), (2.3, -half, 3), "right"), box((2, half, 0), (2.3, 4, 3), "left")]


def _under(z: float, low: Point = (2, -4), high: Point = (8, 4)) -> list[TriMesh]:
    return [floor(), box((*low, z), (*high, z + 0.3), "slab")]


def _sheet_wall() -> TriMesh:
    return sheet((2, -4, 0), (0, 8, 0), (0, 0, 4), "wall")


CASES: dict[str, Case] = {"P1 flat": Case(level=lambda: [floor()], parts=[(2, AHEAD)])}
for mode in ("AUTO", "FACES"):
    CASES[f"P2 {mode}"] = Case(level=lambda mode=mode: [_tiles(mode)], parts=[(2, heading(35))])
for degrees in (30, 60):
    for kind, make in (("box", _box_wall), ("tiles", _tiled_wall)):
        CASES[f"P3 {degrees} {kind}"] = Case(level=lambda make=make: [floor(), make()], parts=[(2.5, heading(degrees))])
CASES["P4 corner"] = Case(level=_corner, parts=[(3, heading(math.degrees(0.9)))])
CASES["P5 wedge"] = Case(level=_wedge, parts=[(3, heading(10))], least_clearance=0)
CASES["P6 outside corner"] = Case(
    level=lambda: [floor(), box((2, -4, 0), (6, 0, 3))], parts=[(2, AHEAD)], start=(0, 0.15, 0.03)
)
for angle in ANGLES:
    CASES[f"P7 {angle}"] = Case(level=lambda a=angle: [floor(), ramp(a)], parts=[(2, AHEAD), (1, IDLE)])
for angle in UPHILL:
    for along in (SlopeSpeed.HORIZONTAL, SlopeSpeed.SURFACE):
        CASES[f"P8 {angle} {along.value}"] = Case(
            level=lambda a=angle: [floor(), ramp(a)], parts=[(2, AHEAD)], settings=at_speed(4.0, along)
        )
CASES["P9 drop"] = Case(
    level=lambda: [floor(), ramp(60)],
    parts=[(2.5, IDLE)],
    start=(3, 0, math.tan(math.radians(60)) + 0.6),
    standing=0,
)
for hz in RATES:
    CASES[f"P10 {hz} Hz"] = Case(
        level=lambda: [floor(), stairs()], parts=[(3, AHEAD)], settings=at_speed(3), hz=hz, least_clearance=0
    )
    CASES[f"P11 {hz} Hz"] = Case(
        level=lambda: [floor(), stairs_down()],
        parts=[(3, AHEAD)],
        settings=at_speed(3),
        start=(0, 0, 2.03),
        hz=hz,
        least_clearance=0,
    )
CASES["P10 boxes"] = Case(
    level=lambda: [floor(), *stair_boxes()], parts=[(3, AHEAD)], settings=at_speed(3), least_clearance=0
)
for height in STEPS:
    CASES[f"P12 {height}"] = Case(
        level=lambda h=height: [floor(), box((2, -4, 0), (12, 4, h), "step")],
        parts=[(2, AHEAD)],
        settings=at_speed(3),
        least_clearance=0,
    )
for height in (1.75, 1.85):
    CASES[f"P13 {height}"] = Case(level=lambda h=height: _under(h), parts=[(2, AHEAD)])
for hz in RATES:
    CASES[f"P14 {hz} Hz"] = Case(level=lambda: [floor()], parts=[(1.5, IDLE)], jump_at=0, hz=hz)
CASES["P15 ceiling"] = Case(level=lambda: _under(2.2, (-5, -5), (5, 5)), parts=[(1.5, IDLE)], jump_at=0)
CASES["P16 ledge"] = Case(
    level=lambda: [floor(), box((3, -4, 0), (12, 4, 1), "ledge")], parts=[(2, AHEAD)], jump_at=15 / 60
)
for hz in RATES:
    CASES[f"P17 {hz} Hz"] = Case(
        level=lambda: ramp_down(30), parts=[(3, AHEAD)], settings=at_speed(5), start=(0, 0, 10.03), hz=hz
    )
for speed in (4, 50):
    for kind, make in (
        ("thin box", lambda: box((2, -4, 0), (2.05, 4, 4), "wall")),
        ("sheet", _sheet_wall),
        ("sheet from behind", lambda: flipped(_sheet_wall())),
    ):
        CASES[f"P18 {speed} m/s {kind}"] = Case(
            level=lambda make=make: [floor(), make()], parts=[(1, AHEAD)], settings=at_speed(speed)
        )
for width in (0.66, 0.80):
    CASES[f"P19 {width:.2f}"] = Case(level=lambda w=width: _gap(w), parts=[(2, AHEAD)], start=(0, 0.1, 0.03))
CASES["P20 ramp and wall"] = Case(
    level=lambda: [floor(), ramp(30), wall((-10, 1), (12, 1), height=8)], parts=[(2, heading(30))]
)
CASES["P21 floor"] = Case(
    level=lambda: [_tiles("FACES")], parts=[(0.5, IDLE)], start=(0.1, 0.1, -0.1), standing=0, settled=5
)
CASES["P21 wall"] = Case(
    level=lambda: [floor(), box((2, -4, 0), (2.5, 4, 4), "wall")],
    parts=[(0.5, IDLE)],
    start=(1.8, 0, 0.03),
    standing=0,
    settled=5,
)


@cache
def walked(name: str) -> Walk:
    """Return the walk of one case; it is walked once, however many tests look at it."""
    case = CASES[name]
    return walk(
        case.level(),
        *case.parts,
        settings=case.settings,
        start=case.start,
        standing=case.standing,
        hz=case.hz,
        jump_at=case.jump_at,
    )
