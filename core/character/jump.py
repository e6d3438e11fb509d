"""Jump: when a press of the button makes a walker take off, and how fast."""

import numpy as np

from ..arrays import Indices, Mask, Rows, is_any, nonzero
from ..commands import Command
from ..events import EventKind
from ..geometry.axes import dot, turned
from ..settings import JumpDirection
from .memory import CLIMB, NONE, ON_TIME
from .state import GROUNDED
from .stride import Stride


def jump(stride: Stride, command: Command) -> Mask:
    """Answer presses of jump, and return which lanes (n,) take off in this step.

    A press counts when the button goes down, and is kept for the jump buffer. It is answered on the ground, wedged
    between steep surfaces, within the coyote time after walking off the ground, off a wall, or in the air while
    there are air jumps left. Letting go early cuts the rise.
    """
    settings, memory = stride.settings, stride.memory
    n = len(stride.support)
    held = np.zeros(n, bool) if command.jump is None else command.jump
    if not (is_any(held) or is_any(memory.jump_held) or is_any(memory.is_jumping) or is_any(memory.jump_wait < np.inf)):
        return held
    pressed = held & ~memory.jump_held
    wait = np.where(pressed, 0.0, memory.jump_wait + stride.dt)
    asked = (pressed | (wait <= settings.jump_buffer + ON_TIME)) & (settings.jump_height > 0)

    grounded = (stride.support == GROUNDED) | memory.is_remembered | memory.is_wedged | (memory.action == CLIMB)
    late = memory.may_coyote & (memory.air_time <= settings.coyote_time + ON_TIME) & (settings.coyote_time > 0)
    from_ground = asked & (grounded | late)
    at_wall = (memory.wall_normal != 0).any(axis=1)
    from_wall = pressed & asked & ~from_ground & at_wall & (settings.wall_jump_speed > 0)
    in_air = pressed & asked & ~from_ground & ~from_wall & (memory.air_jumps < settings.air_jumps)
    leaps = from_ground | from_wall | in_air

    released = memory.is_jumping & ~held & ~leaps
    rising = released & (stride.velocity[2] > 0)
    stride.velocity[2, rising] *= settings.jump_release
    lanes = nonzero(leaps)
    if len(lanes):
        _take_off(stride, lanes)
    if is_any(from_wall):
        _push_off(stride, nonzero(from_wall))
    memory.jump_wait = np.where(leaps | (wait > settings.jump_buffer), np.inf, wait)
    memory.jump_held = held.copy()  # whoever gave it may fill it anew for the next step
    memory.is_jumping = (memory.is_jumping & ~released) | leaps
    memory.is_remembered = memory.is_remembered & ~leaps
    memory.may_coyote = memory.may_coyote & ~leaps
    memory.air_jumps = memory.air_jumps + in_air
    memory.action = np.where(leaps & (memory.action == CLIMB), NONE, memory.action).astype(np.int8)
    stride.note(EventKind.JUMPED, lanes, stride.ground_normal[:, lanes], stride.ground_object[lanes])
    return leaps


def _take_off(stride: Stride, lanes: Indices) -> None:
    """Give `lanes` the speed of a jump along its direction: a slower one is raised to it, a faster one kept."""
    settings = stride.settings
    towards = np.zeros((3, len(lanes)))
    towards[2] = 1.0
    if settings.jump_direction is JumpDirection.NORMAL:
        carried = dot(stride.ground_sum, stride.ground_sum)[lanes] > 0
        towards = np.where(carried, stride.ground_sum[:, lanes], towards)
    velocity = stride.velocity[:, lanes]
    if settings.acceleration == np.inf:
        velocity[2] = np.where(stride.support[lanes] == GROUNDED, 0.0, velocity[2])  # no body that carries on
    gained = towards * np.maximum(settings.jump_speed - dot(velocity, towards), 0.0)
    stride.velocity[:, lanes] = velocity + gained
    stride.kick[:, lanes] = gained[:2]


def _push_off(stride: Stride, lanes: Indices) -> None:
    """Push `lanes` away from the wall that they touch."""
    away: Rows = turned(stride.memory.wall_normal[lanes], stride.body)
    away[2] = 0.0
    away *= stride.settings.wall_jump_speed / np.maximum(np.sqrt(dot(away, away)), 1e-9)
    push = stride.memory.push.copy()
    push[lanes] += stride.to_world(away)
    stride.memory.push = push
