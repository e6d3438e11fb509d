"""Settings: the numbers that make a character and its movement."""

import math
from dataclasses import dataclass
from enum import Enum
from numbers import Integral

from .descriptions import DESCRIPTIONS

Direction = tuple[float, float, float]

MOST_SLIDES, MOST_JUMPS = 32, 1_000_000
STEEPEST_STEP = 0.5  # of the height: steps above that make the character walk over what it should jump


class SlopeSpeed(Enum):
    """What `speed` means on a slope."""

    SURFACE = "SURFACE"  # constant along the surface
    HORIZONTAL = "HORIZONTAL"  # constant seen from above: Unity, PhysX
    PROJECTED = "PROJECTED"  # the wish projected on the slope: Jolt, Rapier, Havok, Godot's default


class Movement(Enum):
    """How the character is moved."""

    CHARACTER = "CHARACTER"  # along the ground, with steps, snap and walls
    MOMENTUM = "MOMENTUM"  # a body driven through its velocity and left to gravity and contacts


class LedgeGuard(Enum):
    """What the character does at a drop."""

    WALK_OFF = "WALK_OFF"
    STOP = "STOP"
    SLIDE = "SLIDE"  # along the rim


class JumpDirection(Enum):
    """Where a jump goes."""

    UP = "UP"
    NORMAL = "NORMAL"  # of the ground


class Facing(Enum):
    """What the character turns to."""

    MOTION = "MOTION"
    WISH = "WISH"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The character and how it moves: metres, seconds, radians.

    `describe` tells what each field is, and what goes wrong when it is too small and too large. Zero turns a
    feature off.

    Raises
    ------
    ValueError
        If a value makes no character: the message names the setting, the value and what is possible.
    """

    # The capsule
    radius: float = 0.3
    height: float = 1.8
    skin_width: float = 0.02
    up: Direction = (0.0, 0.0, 1.0)
    # Ground
    slope_limit: float = math.radians(45)
    step_offset: float = 0.3
    ground_snap: float = 0.3
    ledge_distance: float = math.inf
    ground_memory: float = 0.0
    holds_on_slopes: bool = True
    launch_speed: float = math.inf
    ledge_guard: LedgeGuard = LedgeGuard.WALK_OFF
    guard_ahead: float = 1.0
    guard_depth: float = 3.0
    # Speed
    movement: Movement = Movement.CHARACTER
    speed: float = 4.0
    run_speed: float = 7.0
    acceleration: float = math.inf
    deceleration: float = math.inf
    slope_speed: SlopeSpeed = SlopeSpeed.SURFACE
    normal_smoothing: float = 0.0
    facing: Facing = Facing.MOTION
    turn_rate: float = math.inf
    turn_share: float = 0.0
    plane_lock: Direction = (0.0, 0.0, 0.0)
    # Air
    gravity: float = 9.81
    gravity_scale: float = 1.0
    terminal_speed: float = math.inf
    air_acceleration: float = math.inf
    jump_height: float = 1.0
    jump_release: float = 1.0
    coyote_time: float = 0.0
    jump_buffer: float = 0.0
    air_jumps: int = 0
    wall_jump_speed: float = 0.0
    jump_direction: JumpDirection = JumpDirection.UP
    # Abilities
    crouch_height: float = 1.0
    crouch_speed: float = 2.0
    slide_speed: float = 0.0
    slide_deceleration: float = 6.0
    dash_speed: float = 0.0
    dash_time: float = 0.2
    dash_wait: float = 0.5
    climb_speed: float = 2.0
    mantle_height: float = 0.0
    push_fade: float = 0.9
    # The solver
    max_slides: int = 5

    def __post_init__(self) -> None:
        _check_capsule(self)
        if not 0 <= self.slope_limit <= math.pi / 2:
            raise ValueError(f"slope_limit must be 0 to pi/2 rad, got {self.slope_limit}")
        for name in _FINITE:
            if not 0 <= getattr(self, name) < math.inf:
                raise ValueError(f"{name} must be 0 or more, got {getattr(self, name)}")
        for name in _POSSIBLY_INFINITE:
            if not getattr(self, name) >= 0:
                raise ValueError(f"{name} must be 0 or more, got {getattr(self, name)}")
        for name in ("jump_release", "push_fade", "turn_share"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} must be 0 to 1, got {getattr(self, name)}")
        for name, least, most in (("max_slides", 1, MOST_SLIDES), ("air_jumps", 0, MOST_JUMPS)):
            if not (isinstance(getattr(self, name), Integral) and least <= getattr(self, name) <= most):
                raise ValueError(f"{name} must be a whole number from {least} to {most}, got {getattr(self, name)}")
        for name, kind in _CHOICES.items():
            object.__setattr__(self, name, kind(getattr(self, name)))
        object.__setattr__(self, "up", _unit("up", self.up))
        if any(self.plane_lock):
            object.__setattr__(self, "plane_lock", _unit("plane_lock", self.plane_lock))

    @property
    def span(self) -> float:
        """Length of the capsule's axis, m, whose ends are the centres of the two round ends."""
        return max(self.height - 2 * self.radius, 0.0)

    @property
    def crouch_span(self) -> float:
        """Length of the capsule's axis while crouching, m: at most as standing, at least a sphere's."""
        return min(max(self.crouch_height - 2 * self.radius, 0.0), self.span) if self.crouch_height else self.span

    @property
    def fall_acceleration(self) -> float:
        """Gravity with its scale, m/s²."""
        return self.gravity * self.gravity_scale

    @property
    def walk_speed_mode(self) -> SlopeSpeed:
        """What speed means on a slope: seen from above for characters that gravity moves along it."""
        return self.slope_speed if self.holds_on_slopes else SlopeSpeed.HORIZONTAL

    @property
    def jump_speed(self) -> float:
        """Speed at take-off that reaches `jump_height`, m/s: sqrt(2 g h), from the energy of a throw upwards."""
        return math.sqrt(2 * self.fall_acceleration * self.jump_height)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is possible but seldom meant, as sentences for the user."""
        found: list[str] = []
        if self.movement is Movement.MOMENTUM:
            return ()
        if self.step_offset > STEEPEST_STEP * self.height:
            found.append(f"Step offset {self.step_offset:g} m is more than half the height {self.height:g} m")
        if 0 < self.ground_snap < self.step_offset:
            found.append(
                f"Ground snap {self.ground_snap:g} m is less than the step offset {self.step_offset:g} m: "
                "the character falls down stairs that it climbs"
            )
        return tuple(found)


_FINITE = (
    "step_offset ground_snap ground_memory guard_ahead guard_depth speed run_speed gravity gravity_scale jump_height "
    "coyote_time jump_buffer air_jumps wall_jump_speed crouch_height crouch_speed slide_speed slide_deceleration "
    "dash_speed dash_time dash_wait climb_speed mantle_height normal_smoothing"
).split()
_POSSIBLY_INFINITE = (
    "ledge_distance launch_speed acceleration deceleration turn_rate terminal_speed air_acceleration"
).split()
_CHOICES: dict[str, type[Enum]] = {
    "movement": Movement,
    "slope_speed": SlopeSpeed,
    "ledge_guard": LedgeGuard,
    "jump_direction": JumpDirection,
    "facing": Facing,
}


def describe(name: str) -> str:
    """Return the description of the setting `name`, for tooltips and manuals."""
    return DESCRIPTIONS[name]


def _check_capsule(settings: Settings) -> None:
    for name in ("radius", "height", "skin_width", "slope_limit"):
        if not math.isfinite(getattr(settings, name)):
            raise ValueError(f"{name} must be a finite number, got {getattr(settings, name)}")
    if settings.radius <= 0:
        raise ValueError(f"radius must be above 0 m, got {settings.radius}")
    if settings.height < 2 * settings.radius:
        raise ValueError(f"height must be at least twice the radius, {2 * settings.radius} m, got {settings.height}")
    if not 0 < settings.skin_width <= settings.radius:
        raise ValueError(f"skin_width must be above 0 m and at most the radius, got {settings.skin_width}")


def _unit(name: str, direction: Direction) -> Direction:
    x, y, z = (float(value) for value in direction)
    length = math.sqrt(x * x + y * y + z * z)
    if not (math.isfinite(length) and length > 0):
        raise ValueError(f"{name} must be a direction, got {direction}")
    return (x / length, y / length, z / length)
