"""Colours of colliders: by what they are, and by what their surfaces are to the character; with their names."""

from enum import IntEnum

from ..core.surfaces import Role, Surface

Colour = tuple[float, float, float]  # as on the screen: not linear

ROLES: dict[IntEnum, tuple[str, Colour]] = {
    Role.HULL: ("Hull", (0.25, 0.60, 1.0)),
    Role.FACES: ("Faces", (0.20, 0.85, 0.70)),
    Role.SOLID: ("Solid", (0.62, 0.50, 1.0)),
    Role.GROUND: ("Ground Only", (0.55, 0.85, 0.25)),
    Role.OBSTACLE: ("Obstacle", (1.0, 0.32, 0.30)),
    Role.CLIMBABLE: ("Climbable", (1.0, 0.78, 0.15)),
}
SURFACES: dict[IntEnum, tuple[str, Colour]] = {
    Surface.WALKABLE: ("Walkable", (0.35, 0.85, 0.35)),
    Surface.STEEP: ("Steep", (1.0, 0.68, 0.10)),
    Surface.WALL: ("Wall", (0.45, 0.62, 0.90)),
    Surface.CEILING: ("Ceiling", (0.72, 0.45, 0.95)),
    Surface.OBSTACLE: ("Never Carries", (1.0, 0.32, 0.30)),
    Surface.PASSED: ("Passed Through", (0.60, 0.60, 0.60)),
}
