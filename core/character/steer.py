"""Steer: the velocity that a character wants, from the wish, what carries it, and its acceleration."""

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices, Level, Mask, Rows, Scalars, is_any, nonzero
from ..geometry.axes import dot, level_dot, turned
from ..geometry.clip import clip_level
from ..settings import Settings, SlopeSpeed
from .push import without_last_push
from .state import GROUNDED, STEEP
from .stride import Stride


def wished_velocity(move: NDArray[np.float64], run: Mask | None, crouched: Mask, settings: Settings) -> Level:
    """Return the wished level velocity (2, n), m/s, of wishes `move` (n, 2), which are cut to length 1."""
    wish = move.T
    length = np.hypot(wish[0], wish[1])
    is_number = np.isfinite(length)
    if is_any(~is_number):
        wish, length = np.where(is_number, wish, 0.0), np.where(is_number, length, 0.0)  # what is none is no wish
    speed: Scalars | float = settings.speed
    if run is not None and is_any(run):
        speed = np.where(run, settings.run_speed, speed)
    if is_any(crouched):
        speed = np.where(crouched, settings.crouch_speed, speed)
    return wish * (speed / np.maximum(length, 1.0))


def steer(stride: Stride, wish: Level) -> Level:
    """Return the level velocity (2, n) that each lane goes for in this step, without pushes.

    It comes from the present velocity by at most the acceleration times the time; where there is no wish, by the
    deceleration. On steep ground the part down the slope belongs to gravity: the wish only walks across, or away
    from the slope. Wedged between steep surfaces the walker goes along them as on the ground.
    """
    settings, velocity = stride.settings, stride.velocity
    if settings.acceleration == np.inf and settings.air_acceleration == np.inf and settings.deceleration == np.inf:
        control = wish.copy()
    else:
        control = _accelerated(stride, wish)
    steep = nonzero(stride.support == STEEP)
    if len(steep):
        down = _way_down(stride, steep)
        down = down / np.maximum(np.sqrt(down[0] * down[0] + down[1] * down[1]), 1e-9)
        wished = control[0, steep] * down[0] + control[1, steep] * down[1]
        sliding = velocity[0, steep] * down[0] + velocity[1, steep] * down[1]
        control[:, steep] += down * (np.maximum(wished, sliding) - wished)
    return control


def _accelerated(stride: Stride, wish: Level) -> Level:
    """Return the present level velocity (2, n), changed towards the wish as far as the accelerations let it."""
    settings, velocity = stride.settings, stride.velocity
    grounded = stride.support == GROUNDED
    slope = stride.ground_normal if stride.slope_normal is None else stride.slope_normal
    present = np.where(grounded, _control_of(velocity, slope, settings.walk_speed_mode), velocity[:2])
    present = without_last_push(stride, present)
    faster, slower = settings.acceleration * stride.dt, settings.deceleration * stride.dt
    on_ground = np.where(wish.any(axis=0), faster, slower)
    limit = np.where(grounded | stride.memory.is_wedged, on_ground, settings.air_acceleration * stride.dt)
    change = wish - present
    size = np.sqrt(level_dot(change, change))
    accelerated: Level = present + change * (np.minimum(limit, size) / np.maximum(size, 1e-300))
    return accelerated


def _way_down(stride: Stride, steep: Indices) -> Level:
    """Return where gravity leads `steep` lanes, seen from above (2, k): down the face, or the crease of two."""
    down = stride.ground_normal[:2, steep]
    crease = stride.memory.crease[steep]
    if not crease.any():
        return down
    return np.where(crease.any(axis=1), turned(crease, stride.body)[:2], down)


def slide_down(stride: Stride, grounded: Mask, control: Level) -> Level:
    """Return `control` with gravity along the ground for characters that do not hold on slopes.

    Its part along a plane with normal n is g (n_z n - up), seen from above g n_z n_level.
    """
    settings = stride.settings
    if settings.holds_on_slopes:
        return control
    normal = stride.ground_normal
    pull = settings.fall_acceleration * stride.dt * normal[2] * normal[:2]
    idle = grounded & (control[0] == 0) & (control[1] == 0)
    kept = np.where(idle, stride.velocity[:2], control)  # what has been gained is not lost by wishing nothing
    return np.where(grounded, kept + pull, control)


def surface_velocity(control: Level, ground_normal: Rows, mode: SlopeSpeed, pull: float = 0.0) -> Level:
    """Return the velocity seen from above (2, n) of walking along planes as `mode` says.

    With the wish c and the unit normal n, split into level part m and upward part z:

    - HORIZONTAL is c;
    - SURFACE is c / sqrt(1 + s²), with the rise s = -m.c / (z |c|);
    - PROJECTED is the level part of v - (n.v) n where v = c - pull up enters the plane, uphill; where it does not,
      downhill, nothing is projected and the snap to the ground does the rest: c.

    `pull` (m/s) is one step of gravity, which projecting controllers add to every wish.
    """
    if mode is SlopeSpeed.HORIZONTAL:
        return control
    along = level_dot(ground_normal[:2], control)
    if mode is SlopeSpeed.PROJECTED:
        entering = along - pull * ground_normal[2] * control.any(axis=0)
        projected: Level = control - ground_normal[:2] * np.minimum(entering, 0.0)
        return projected
    if not is_any(along):
        return control
    square = level_dot(control, control)
    rise = along / np.maximum(ground_normal[2], 1e-9)
    scaled: Level = control * np.sqrt(square / np.maximum(square + rise * rise, 1e-300))
    return scaled


def _control_of(velocity: Rows, ground_normal: Rows, mode: SlopeSpeed) -> Level:
    """Return the level wish that gives `velocity` on a plane: the inverse of `surface_velocity` without pull."""
    level = velocity[:2]
    if mode is SlopeSpeed.HORIZONTAL:
        return level
    along = level_dot(ground_normal[:2], level)
    if not is_any(along):
        return level
    upward = np.maximum(ground_normal[2], 1e-9)
    if mode is SlopeSpeed.PROJECTED:
        inverse: Level = level + ground_normal[:2] * (np.minimum(along, 0.0) / (upward * upward))
        return inverse
    square = level_dot(level, level)
    rise = along / upward
    longer: Level = level * np.sqrt((square + rise * rise) / np.maximum(square, 1e-300))
    return longer


def along_ground(
    control: Level, plane: Rows, walls: list[Rows], mode: SlopeSpeed, pull: float, slope: Rows | None = None
) -> Rows:
    """Return the velocity (3, n) along `plane` that is nearest to what `control` asks for and enters no wall.

    Parameters
    ----------
    control : (2, n) float, m/s
    plane : (3, n) float
        Normal of the ground, or up in the air.
    walls : list of (3, n) float
        Normals of what has been hit, zeros where a lane has hit nothing.
    mode : SlopeSpeed
    pull : float, m/s
        One step of gravity, which projecting controllers let act along the ground while walking.
    slope : (3, n) float, optional
        Normal that the speed on slopes goes by; left out, `plane`.

    Notes
    -----
    A velocity that stays on the plane has the level part m and rises by -(p.m) / p_z, with p the plane's normal.
    It enters no wall with normal w if (w_level - w_z / p_z p_level) . m >= 0: on the plane, each wall is a line
    seen from above. So a wall that leans, or a low ceiling over a ramp, neither lifts the character nor presses
    it into the ground.
    """
    level = surface_velocity(control, plane if slope is None else slope, mode, pull)
    upward = np.maximum(plane[2], 1e-9)
    if walls:
        level = _clip_at_walls(level, plane, np.array(walls), upward)
    way = np.zeros(plane.shape)
    way[:2] = level
    way[2] = level_dot(plane[:2], level) / -upward
    return way


def _clip_at_walls(level: Level, plane: Rows, walls: NDArray[np.float64], upward: Scalars) -> Level:
    """Return `level` without what goes into `walls` (k, 3, n) along `plane`, which points up by `upward` (n,)."""
    lines = walls[:, :2] - plane[:2] * (walls[:, 2:] / upward)
    squares = lines * lines
    size = np.sqrt(squares[:, 0] + squares[:, 1])
    level = clip_level(level, lines / np.maximum(size, 1e-9)[:, None])
    is_level = size < 1e-6
    if is_any(is_level):
        against = np.array([dot(wall, plane) < 0 for wall in walls])
        closed = (is_level & against).any(axis=0)  # floor and ceiling are parallel and nothing fits between
        level = np.where(closed, 0.0, level)
    return level
