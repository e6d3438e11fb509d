"""Settings: the numbers that make a character, and what goes wrong when each is off."""

import math
from dataclasses import dataclass, field, fields
from enum import Enum


class SlopeSpeed(Enum):
    """What `speed` means on a slope."""

    SURFACE = "SURFACE"  # constant along the surface
    HORIZONTAL = "HORIZONTAL"  # constant seen from above: Unity, PhysX
    PROJECTED = "PROJECTED"  # the wish projected on the slope: Jolt, Rapier, Havok, Godot's default


def _setting(default: object, description: str) -> object:
    return field(default=default, metadata={"description": description})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The character and how it moves: metres, seconds, radians.

    Each field's description is in its metadata, under "description"; `describe` reads it, and user interfaces
    show the same words.

    Raises
    ------
    ValueError
        If a value makes no character: the message names the setting, the value and what is possible.
    """

    radius: float = _setting(  # type: ignore[assignment]
        0.3,
        "Radius of the capsule. Too small and the character slips through gaps that the game would close; "
        "too large and it sticks in doors",
    )
    height: float = _setting(  # type: ignore[assignment]
        1.8,
        "Total height of the capsule, from the soles to the top of the head. Too small and low ceilings are "
        "never noticed; too large and doors are blocked",
    )
    skin_width: float = _setting(  # type: ignore[assignment]
        0.02,
        "Gap kept between the capsule and the level. Too small and rounding makes the character catch on "
        "joints; too large and it visibly floats and no longer fits narrow passages",
    )
    slope_limit: float = _setting(  # type: ignore[assignment]
        math.radians(45),
        "Steepest ground that carries the character. Too small and ramps become walls; too large and the "
        "character climbs what the game would make it slide down",
    )
    step_offset: float = _setting(  # type: ignore[assignment]
        0.3,
        "Highest step climbed without jumping; zero turns it off. Too small and stairs block; too large and "
        "the character walks over railings and crates",
    )
    ground_snap: float = _setting(  # type: ignore[assignment]
        0.3,
        "Deepest drop that is followed while walking; zero turns it off. Too small and the character hops down "
        "ramps and stairs; too large and it is pulled down from ledges",
    )
    gravity: float = _setting(  # type: ignore[assignment]
        9.81,
        "Acceleration of falling. Too small and jumps float; too large and they feel heavy and end short",
    )
    speed: float = _setting(  # type: ignore[assignment]
        4.0,
        "Walking speed. Too small and a level feels larger than it is; too large and it feels smaller",
    )
    run_speed: float = _setting(  # type: ignore[assignment]
        7.0,
        "Speed while running. Too small and running changes nothing; too large and long jumps reach places "
        "that the game would not allow",
    )
    acceleration: float = _setting(  # type: ignore[assignment]
        math.inf,
        "Change of speed in a second on the ground; infinite means at once. Too small and the character "
        "slides as on ice; too large and it starts and stops like a machine",
    )
    air_acceleration: float = _setting(  # type: ignore[assignment]
        math.inf,
        "Change of speed in a second in the air; infinite means at once. Too small and a jump cannot be "
        "steered; too large and it can be turned round in mid-air",
    )
    jump_height: float = _setting(  # type: ignore[assignment]
        1.0,
        "Height reached by a jump on flat ground; zero turns jumping off. Too small and ledges stay out of "
        "reach; too large and the character skips parts of the level",
    )
    slope_speed: SlopeSpeed = _setting(  # type: ignore[assignment]
        SlopeSpeed.SURFACE,
        "What speed means on a slope: constant along the surface, constant seen from above, or the wish "
        "projected on the slope, which is slower uphill",
    )
    max_slides: int = _setting(  # type: ignore[assignment]
        5,
        "Surfaces that one step may slide along. Too small and the character sticks where several walls "
        "meet; more than needed costs time only where it is stuck",
    )
    up: tuple[float, float, float] = _setting(  # type: ignore[assignment]
        (0.0, 0.0, 1.0),
        "Direction away from the ground. A wrong one makes floors into walls",
    )

    def __post_init__(self) -> None:
        for name in ("radius", "height", "skin_width", "slope_limit", "step_offset", "ground_snap"):
            if not math.isfinite(getattr(self, name)):
                raise ValueError(f"{name} must be a finite number, got {getattr(self, name)}")
        if self.radius <= 0:
            raise ValueError(f"radius must be above 0 m, got {self.radius}")
        if self.height < 2 * self.radius:
            raise ValueError(f"height must be at least twice the radius, {2 * self.radius} m, got {self.height}")
        if not 0 < self.skin_width <= self.radius:
            raise ValueError(f"skin_width must be above 0 m and at most the radius, got {self.skin_width}")
        if not 0 <= self.slope_limit <= math.pi / 2:
            raise ValueError(f"slope_limit must be 0 to pi/2 rad, got {self.slope_limit}")
        for name in ("step_offset", "ground_snap", "gravity", "speed", "run_speed", "jump_height"):
            if not 0 <= getattr(self, name) < math.inf:
                raise ValueError(f"{name} must be 0 or more, got {getattr(self, name)}")
        for name in ("acceleration", "air_acceleration"):
            if not getattr(self, name) >= 0:
                raise ValueError(f"{name} must be 0 or more, got {getattr(self, name)}")
        if self.max_slides < 1:
            raise ValueError(f"max_slides must be 1 or more, got {self.max_slides}")
        object.__setattr__(self, "slope_speed", SlopeSpeed(self.slope_speed))
        object.__setattr__(self, "up", _unit(self.up))

    @property
    def span(self) -> float:
        """Length of the capsule's axis, m, whose ends are the centres of the two round ends."""
        return max(self.height - 2 * self.radius, 0.0)

    @property
    def jump_speed(self) -> float:
        """Speed at take-off that reaches `jump_height`, m/s: sqrt(2 g h), from the energy of a throw upwards."""
        return math.sqrt(2 * self.gravity * self.jump_height)


def describe(name: str) -> str:
    """Return the description of the setting `name`, for tooltips and manuals."""
    return str(next(f for f in fields(Settings) if f.name == name).metadata["description"])


def _unit(up: tuple[float, float, float]) -> tuple[float, float, float]:
    x, y, z = (float(value) for value in up)
    length = math.sqrt(x * x + y * y + z * z)
    if not (math.isfinite(length) and length > 0):
        raise ValueError(f"up must be a direction, got {up}")
    return (x / length, y / length, z / length)
