"""The sample level: a small block-out with one of each thing that a character meets, and a walk through it."""

import math

import numpy as np
from numpy.typing import NDArray

from ..commands import Commands
from ..mesh import TriMesh
from .blocks import Span, box, join, prism

WALL_HEIGHT = 2.4
WALL_THICKNESS = 0.3
DOOR_WIDTH, DOOR_HEIGHT = 0.9, 2.0
TUNNEL_HEIGHT = 1.85  # just above the default height of 1.8 m and twice the skin width
STEP_RISE, STEP_DEPTH, STEPS = 0.2, 0.3, 10
DECK_HEIGHT = STEP_RISE * STEPS
RIM_HEIGHT = 0.8  # too high for a step, low enough for a jump
GAP = 2.0  # too wide to run over, narrow enough for a walking jump
RAMP_DEGREES = (20, 35, 50)
RAMP_WIDTH = 2.0

BORDER_HEIGHT = 0.5  # too high for a step: nobody runs over the edge
BORDER_THICKNESS = 0.2

GROUND_X: Span = (-15.0, 15.0)
GROUND_Y: Span = (-8.0, 9.0)
DOOR_WALL_X: Span = (-3.15, -3.15 + WALL_THICKNESS)
DOOR_Y = 4.0
DECK_X: Span = (2.0, 10.0)
DECK_Y: Span = (2.0, 6.0)
RAMP_X = (2.5, 5.25, 8.0)  # where each ramp begins
GOAL_X: Span = (DECK_X[1] + GAP, DECK_X[1] + GAP + 2.5)
GOAL_Y: Span = (2.75, 5.25)

# Away in Blender's default view is towards -X and +Y: whoever holds W in it sees most of the level's west.
SAMPLE_START = np.array([-5.0, -6.0, 0.02])
SAMPLE_GOAL = np.array([13.25, DOOR_Y, DECK_HEIGHT])

WALK_SECONDS = 20.0
WALK_SPEED = 4.0  # the default speed, m/s


def sample_level() -> list[TriMesh]:
    """Return the level's objects: 30 x 17 m around the origin, ground at height 0, Z up."""
    return [
        box("Ground", GROUND_X, GROUND_Y, (-0.3, 0)),
        _border(),
        _door_wall(),
        box("Corridor", (-4.65, -4.35), (2.0, 6.5), (0, WALL_HEIGHT)),
        _low_tunnel(),
        _rim(),
        _corner(),
        _wedge(),
        box("Deck", DECK_X, DECK_Y, (0, DECK_HEIGHT)),
        _stairs(),
        *(_ramp(degrees, begin) for degrees, begin in zip(RAMP_DEGREES, RAMP_X, strict=True)),
        box("Goal Platform", GOAL_X, GOAL_Y, (0, DECK_HEIGHT)),
    ]


def sample_walk(dt: float = 1 / 60) -> Commands:
    """Return the commands of a walk from SAMPLE_START to SAMPLE_GOAL, for a character with default settings.

    It jumps onto the rim, goes through tunnel, corridor and door, up the stairs, down the 20 degree ramp, up the 35
    degree ramp, and jumps over the gap; then it stands on the goal until 20 s are over.

    Parameters
    ----------
    dt : float, s
        Length of a step.
    """
    slow_20, slow_35 = (math.cos(math.radians(degrees)) for degrees in RAMP_DEGREES[:2])
    down = DECK_HEIGHT / math.tan(math.radians(20))
    up = DECK_HEIGHT / math.tan(math.radians(35))
    legs = [
        # direction, metres to go, metres after which to jump
        ((-1, 0), 6.9, 0.3),  # over the rim, into the corner
        ((0, 1), 13.3, None),  # through the tunnel
        ((1, 0), 8.0, None),  # to the wall beside which the corridor begins
        ((0, -1), 3.3, None),  # down the corridor, to the door
        ((1, 0), 7.2, None),  # through the door and up the stairs
        ((0, -1), 2.0 + down / slow_20 + 0.8, None),  # down the 20 degree ramp
        ((1, 0), 2.75, None),
        ((0, 1), 2.0 + up / slow_35 + 3.4, None),  # up the 35 degree ramp
        ((1, 0), 6.8, 2.9),  # along the deck, and over the gap
    ]
    steps = math.ceil(WALK_SECONDS / dt)
    move = np.zeros((steps, 2))
    jump = np.zeros(steps, dtype=bool)
    first = 0
    for direction, metres, jump_after in legs:
        wishes = _straight(metres / (WALK_SPEED * dt))
        move[first : first + len(wishes)] = np.multiply.outer(wishes, direction)
        if jump_after is not None:
            jump[first + round(jump_after / (WALK_SPEED * dt))] = True
        first += len(wishes)
    return Commands(move, jump)


def _straight(steps: float) -> NDArray[np.float64]:
    """Return a wish of full length for each step, and of the rest for the last: the distance is kept at any dt."""
    wishes = np.ones(math.ceil(steps - 1e-9))
    wishes[-1] = steps - len(wishes) + 1
    return wishes


def _border() -> TriMesh:
    """A low wall all round the ground, along its edges."""
    (west, east), (south, north), thickness = GROUND_X, GROUND_Y, BORDER_THICKNESS
    between = (south + thickness, north - thickness)
    return join(
        "Border",
        box("south", GROUND_X, (south, between[0]), (0, BORDER_HEIGHT)),
        box("north", GROUND_X, (between[1], north), (0, BORDER_HEIGHT)),
        box("west", (west, west + thickness), between, (0, BORDER_HEIGHT)),
        box("east", (east - thickness, east), between, (0, BORDER_HEIGHT)),
    )


def _door_wall() -> TriMesh:
    low, high = DOOR_Y - DOOR_WIDTH / 2, DOOR_Y + DOOR_WIDTH / 2
    return join(
        "Door Wall",
        box("south", DOOR_WALL_X, (GROUND_Y[0], low), (0, WALL_HEIGHT)),
        box("north", DOOR_WALL_X, (high, GROUND_Y[1]), (0, WALL_HEIGHT)),
        box("lintel", DOOR_WALL_X, (low, high), (DOOR_HEIGHT, WALL_HEIGHT)),
    )


def _low_tunnel() -> TriMesh:
    along = (-2.5, 2.5)
    return join(
        "Low Tunnel",
        box("west", (-11.9, -11.6), along, (0, TUNNEL_HEIGHT)),
        box("east", (-10.4, -10.1), along, (0, TUNNEL_HEIGHT)),
        box("roof", (-11.9, -10.1), along, (TUNNEL_HEIGHT, TUNNEL_HEIGHT + 0.2)),
    )


def _rim() -> TriMesh:
    """A plate that stands out over its foot."""
    return join(
        "Rim",
        box("foot", (-8.4, -7.0), (-7.0, -5.0), (0, RIM_HEIGHT - 0.2)),
        box("plate", (-8.8, -6.6), (-7.4, -4.6), (RIM_HEIGHT - 0.2, RIM_HEIGHT)),
    )


def _corner() -> TriMesh:
    """Two walls at a right angle, as one mesh that is not convex."""
    (x, y), length = (-11.32, -7.2), 1.9
    profile = [
        (x, y),
        (x, y + length),
        (x - WALL_THICKNESS, y + length),
        (x - WALL_THICKNESS, y - WALL_THICKNESS),
        (x + length, y - WALL_THICKNESS),
        (x + length, y),
    ]
    return prism("Corner", 2, profile, (0, WALL_HEIGHT))


def _wedge() -> TriMesh:
    """Two walls that close in on each other at 30 degrees."""
    tip, length = np.array([-9.3, 4.0]), 3.6
    walls = []
    for name, side in (("north", 1), ("south", -1)):
        angle = math.radians(side * 15)
        along = np.array([math.cos(angle), math.sin(angle)])
        outward = side * WALL_THICKNESS * np.array([-along[1], along[0]])
        profile = [tip, tip + length * along, tip + length * along + outward, tip + outward]
        walls.append(prism(name, 2, profile[::side], (0, WALL_HEIGHT)))
    return join("Wedge", *walls)


def _stairs() -> TriMesh:
    end, begin = DECK_X[0], DECK_X[0] - STEPS * STEP_DEPTH
    profile = [(0.0, end), (0.0, begin)]
    for step in range(STEPS):
        x, z = begin + step * STEP_DEPTH, (step + 1) * STEP_RISE
        profile += [(z, x), (z, x + STEP_DEPTH)]
    return prism("Stairs", 1, profile, (DOOR_Y - 1, DOOR_Y + 1))


def _ramp(degrees: int, begin: float) -> TriMesh:
    """A wedge from the ground up to the deck's southern edge."""
    edge = DECK_Y[0]
    foot = edge - DECK_HEIGHT / math.tan(math.radians(degrees))
    return prism(f"Ramp {degrees}", 0, [(edge, 0), (edge, DECK_HEIGHT), (foot, 0)], (begin, begin + RAMP_WIDTH))
