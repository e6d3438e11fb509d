"""Recall: what a walker keeps in mind of a step, and the events that compare it with the step before."""

import numpy as np

from ..arrays import Indices, Level, Scalars, Vectors, is_any, nonzero
from ..events import EventKind
from ..world import World
from .ease import share_in, turned_towards
from .face import faced
from .memory import CLIMB, DASH, NONE, ON_TIME
from .state import GROUNDED, State
from .stride import Stride

SLOW = 2.0  # m/s up or down above which the ground is not remembered


def remember(world: World, stride: Stride, state: State, wish: Level) -> None:
    """Count times, end dashes, turn the heading, and note landings, actions, and who fell below the level."""
    memory, height = stride.memory, stride.heights()
    memory.heading = faced(stride, wish)
    memory.face_normal = stride.to_world(stride.ground_normal)
    memory.wall_normal = stride.to_world(stride.wall_normal)
    memory.action_time = memory.action_time + stride.dt
    if _stay_grounded(stride, state):
        memory.air_time = np.zeros(len(height))
        memory.is_jumping = np.zeros(len(height), bool)
        memory.may_coyote = np.ones(len(height), bool)
        memory.air_jumps = np.zeros(len(height), np.int64)
        memory.peak = height
    else:
        _remember_air(world, stride, state, height)
    _end_actions(stride, state)


def _remember_air(world: World, stride: Stride, state: State, height: Scalars) -> None:
    """Count times in the air, and note who landed, left the ground, or fell below the level; feet are at `height`."""
    memory = stride.memory
    carried = stride.support == GROUNDED
    was_carried = (state.support == GROUNDED) & ~state.memory.is_remembered
    rests = carried | (memory.action == CLIMB) | stride.is_wedged
    air_time = np.where(rests, 0.0, np.where(was_carried, 0.0, memory.air_time) + stride.dt)
    is_jumping = memory.is_jumping & ~rests & (stride.velocity[2] > 0)
    is_recent = air_time <= stride.settings.ground_memory + ON_TIME
    is_slow = np.abs(stride.velocity[2]) < SLOW
    is_remembered = ~rests & is_recent & is_slow & memory.may_coyote & ~memory.is_jumping
    grounded, was_grounded = carried | is_remembered, state.support == GROUNDED
    left = was_grounded & ~grounded
    _note_landings(stride, state, height, nonzero(grounded & ~was_grounded))
    stride.note(EventKind.LEFT_GROUND, nonzero(left & ~memory.is_jumping))
    lowest = world.lowest(stride.body.up) - stride.settings.height
    fell = (height < lowest) & (state.position @ stride.body.turn[2] >= lowest)
    stride.note(EventKind.LEFT_LEVEL, nonzero(fell))
    memory.air_time = air_time
    memory.is_jumping = is_jumping
    memory.is_remembered = is_remembered
    memory.may_coyote = memory.may_coyote | carried
    memory.air_jumps = np.where(rests, 0, memory.air_jumps)
    memory.peak = np.where(rests, height, np.maximum(memory.peak, height))
    memory.is_wedged = np.zeros(len(rests), bool) | stride.is_wedged
    memory.crease = np.zeros((len(rests), 3)) if stride.crease is None else stride.crease


def _end_actions(stride: Stride, state: State) -> None:
    """End dashes that have lasted for their time, and note whose action is another than in the last step."""
    memory, before = stride.memory, state.memory.action
    if not is_any(memory.action) and not is_any(before):
        return
    ends = (memory.action == DASH) & (memory.action_time >= stride.settings.dash_time - ON_TIME)
    memory.action = np.where(ends, NONE, memory.action).astype(np.int8)
    changed = nonzero(memory.action != before)
    stride.note(EventKind.ACTION, changed, value=memory.action[changed].astype(np.float64))


def smoothed_normal(stride: Stride, state: State) -> Vectors:
    """Return the ground normals (n, 3) to be told of: those of the faces, or what is on the way to them over time.

    Only ground that follows on ground is smoothed, so that what is told of it is never steeper than both.
    """
    face, time = stride.memory.face_normal, stride.settings.normal_smoothing
    if not time:
        return face
    goes_on = (stride.support == GROUNDED) & (state.support == GROUNDED) & state.ground_normal.any(axis=1)
    smoothed = turned_towards(state.ground_normal, face, share_in(time, stride.dt))
    return np.where(goes_on[:, None], smoothed, face)


def _stay_grounded(stride: Stride, state: State) -> bool:
    """Return whether the ground carries all lanes, in this step as in the last."""
    return not (
        is_any(stride.support != GROUNDED) or is_any(state.support != GROUNDED) or is_any(state.memory.is_remembered)
    )


def _note_landings(stride: Stride, state: State, height: Scalars, lanes: Indices) -> None:
    """Note that `lanes` (k,) landed at `height` (n,), from how high, and how fast."""
    if not len(lanes):
        return
    peak = np.maximum(state.memory.peak, height)[lanes]
    # The speed of the impact follows from the height fallen within the step: v² = v0² + 2 g h.
    before = -(state.velocity @ stride.body.turn[2])[lanes]
    fallen = np.maximum(stride.start[2] - stride.offset[2], 0.0)[lanes]
    impact = np.sqrt(np.maximum(before, 0.0) ** 2 + 2 * stride.settings.fall_acceleration * fallen)
    impact = np.minimum(impact, stride.settings.terminal_speed)
    normal, objects = stride.ground_normal[:, lanes], stride.ground_object[lanes]
    stride.note(EventKind.LANDED, lanes, normal, objects, peak - height[lanes], impact)
