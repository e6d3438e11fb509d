"""Step: one step of the character, a function of the world, the settings, the state, the command and the time.

The order: out of an overlap; steer; jump; along the ground and down onto it, or through the air and down.
"""

import numpy as np
from numpy.typing import ArrayLike

from .arrays import Indices, Mask, Rows
from .body import Body
from .commands import Command
from .contacts import Touches, depenetrate, find_touches
from .events import EventKind, Events
from .fall import rise_or_fall
from .ground import judge
from .near import Near, gather, replace_lanes
from .pieces import dot, turned
from .settings import Settings
from .stand import follow_ground
from .state import State, Support
from .steer import steer, wished_velocity
from .stride import Stride
from .walk import drift, walk
from .world import World

ROOM_ACROSS = 0.5  # metres gathered around a walker beyond what the step needs, to be kept for further steps
ROOM_ALONG = 0.3  # the same, along up
LEAST_ROOM = 1.0  # of the radius: the same for characters that are small, so that rooms scale with them


def spawn(world: World, settings: Settings, start: ArrayLike) -> State:
    """Return walkers at rest with their feet at `start`, (3,) or (n, 3) in metres.

    Raises
    ------
    ValueError
        If `start` is not of that shape, or not finite.
    """
    position = np.array(start, dtype=np.float64)
    if position.ndim == 1:
        position = position[None]
    if position.ndim != 2 or position.shape[1] != 3:
        raise ValueError(f"start must be (3,) or (n, 3), got {np.shape(start)}")
    if not np.isfinite(position).all():
        raise ValueError(f"start must be finite, got {position[~np.isfinite(position).all(axis=1)][0]}")
    n = len(position)
    return State(
        position=position,
        velocity=np.zeros((n, 3)),
        support=np.full(n, Support.AIRBORNE, np.int8),
        ground_normal=np.zeros((n, 3)),
        ground_point=position.copy(),
        ground_object=np.full(n, -1, np.intp),
        wall_object=np.full(n, -1, np.intp),
        is_unsettled=np.ones(n, bool),
        events=Events.none(world.names),
    )


def step(world: World, settings: Settings, state: State, command: Command, dt: float) -> State:
    """Return the state of all walkers after `dt` seconds. Never raises for what the level or the walkers do."""
    body = Body.with_skin(settings)
    wish = wished_velocity(command.move, command.run, settings)
    near, is_new_body = _near_enough(world, settings, body, state, wish, dt)
    stride = _begin(world, settings, body, near, state, dt)
    unsettled = np.flatnonzero(state.is_unsettled | is_new_body)
    is_free = _settle(world, stride, unsettled)

    control = steer(wish, stride.velocity, stride.support, stride.ground_normal, settings, dt)
    grounded = stride.support == Support.GROUNDED
    jumps = command.jump & grounded & (settings.jump_height > 0)
    walking = np.flatnonzero(grounded & ~jumps & ((control[0] != 0) | (control[1] != 0)))
    resting = np.flatnonzero(grounded & ~jumps & (control[0] == 0) & (control[1] == 0))
    flying = np.flatnonzero(~grounded | jumps)
    stride.velocity[:, resting] = 0.0
    if len(walking):
        walk(stride, walking, control)
        follow_ground(stride, walking)
    if len(flying):
        leaping = np.flatnonzero(jumps)
        stride.velocity[2, leaping] = settings.jump_speed
        stride.note(EventKind.JUMPED, leaping, stride.ground_normal[:, leaping], stride.ground_object[leaping])
        drift(stride, flying, control)
        rise_or_fall(stride, flying)
    return _end(world, stride, state, is_free)


def _near_enough(
    world: World, settings: Settings, body: Body, state: State, wish: Rows, dt: float
) -> tuple[Near, bool]:
    """Return the pieces around each walker, gathering those anew that may leave what was gathered, and whether the
    body is another than before."""
    speed = np.sqrt(wish[0] ** 2 + wish[1] ** 2)
    moving = np.sqrt((state.velocity * state.velocity).sum(axis=1))
    pace = np.maximum(speed, moving) * dt
    fall = settings.gravity * dt * (dt + 1.0 / 60)
    climbs = settings.step_offset + settings.ground_snap + 0.01 * settings.height
    overlap = np.where(state.is_unsettled, settings.height, 0.0)
    across, along = 2 * pace + fall + overlap, 2 * pace + fall + climbs + settings.jump_speed * dt + overlap
    origin = state.position + np.asarray(settings.up) * settings.radius
    span = np.full(len(state), settings.span)
    room_across = max(ROOM_ACROSS, LEAST_ROOM * settings.radius)
    room_along = max(ROOM_ALONG, LEAST_ROOM * settings.radius)
    near = state.near
    if near is None or near.body != body:
        fresh = gather(world.features, world.grid, body, span, origin, across + room_across, along + room_along)
        return fresh, near is not None
    offset = turned(origin - near.origin, body)
    is_covered = near.covers(body, span, offset, across, along)
    if is_covered.all():
        return near, False
    # Those that will need it soon are gathered with those that need it now: walkers then stay in step.
    stale = np.flatnonzero(~near.covers(body, span, offset, across + room_across / 3, along + room_along / 3))
    fresh = gather(
        world.features,
        world.grid,
        body,
        span[stale],
        origin[stale],
        across[stale] + room_across,
        along[stale] + room_along,
    )
    return replace_lanes(near, stale, fresh), False


def _begin(world: World, settings: Settings, body: Body, near: Near, state: State, dt: float) -> Stride:
    origin = state.position + np.asarray(settings.up) * settings.radius
    offset = turned(origin - near.origin, body)
    return Stride(
        features=world.features,
        settings=settings,
        body=body,
        near=near,
        dt=dt,
        start=offset,
        offset=offset.copy(),
        velocity=turned(state.velocity, body),
        support=state.support.copy(),
        ground_normal=turned(state.ground_normal, body),
        ground_point=turned(state.ground_point - near.origin, body),
        ground_object=state.ground_object.copy(),
        wall_before=state.wall_object,
        wall_object=np.full(len(state), -1, np.intp),
    )


def _settle(world: World, stride: Stride, lanes: Indices) -> Mask:
    """Move `lanes` out of what they overlap, and return which lanes (n,) are free."""
    n = stride.offset.shape[1]
    is_free = np.ones(n, bool)
    if not len(lanes):
        return is_free
    skin = stride.settings.skin_width - stride.body.stop_short
    within = np.full(n, -np.inf)
    within[lanes] = -skin  # of the true capsule: a start within the skin is pushed out without a word
    touches = find_touches(stride.near, stride.offset, within)
    ways = world.solids.ways_out(stride.near, stride.offset, lanes)
    _note_overlaps(stride, touches, np.flatnonzero(dot(ways, ways) > 0), ways)
    offset, is_free = depenetrate(stride.near, stride.offset + ways, lanes, stride.body.stop_short)
    stride.offset[:, lanes] = offset[:, lanes]
    is_free &= dot(ways, ways) == 0  # out of a hull may be into what was not gathered: the next step looks again
    return is_free


def _note_overlaps(stride: Stride, touches: Touches, deep: Indices, ways: Rows) -> None:
    """Record for each lane its deepest overlap, or the way out of the hull that holds it."""
    order = np.argsort(-touches.gap, kind="stable")
    deepest = np.full(stride.offset.shape[1], -1, np.intp)
    deepest[touches.lane[order]] = order
    lanes = np.flatnonzero(deepest >= 0)
    rows, normal = touches.row[deepest[lanes]], touches.normal[:, deepest[lanes]]
    judged = judge(stride.features, stride.near, rows, normal, stride.settings.slope_limit)
    stride.note(EventKind.OVERLAP, lanes, normal, judged.object_index)
    alone = np.setdiff1d(deep, lanes)
    stride.note(EventKind.OVERLAP, alone, ways[:, alone] / np.sqrt(dot(ways, ways)[alone]))


def _end(world: World, stride: Stride, state: State, is_free: Mask) -> State:
    stayed = (stride.offset == stride.start).all(axis=0)
    position = np.where(stayed[:, None], state.position, stride.positions())  # at rest not even rounding moves it
    upright = stride.body.turn[2]
    lowest = world.lowest(stride.body.up) - stride.settings.height
    fell_out = (position @ upright < lowest) & (state.position @ upright >= lowest)
    stride.note(EventKind.LEFT_LEVEL, np.flatnonzero(fell_out))
    back = stride.body.turn.T
    return State(
        position=position,
        velocity=np.ascontiguousarray((back @ stride.velocity).T),
        support=stride.support,
        ground_normal=np.ascontiguousarray((back @ stride.ground_normal).T),
        ground_point=stride.near.origin + np.ascontiguousarray((back @ stride.ground_point).T),
        ground_object=stride.ground_object,
        wall_object=stride.wall_object,
        is_unsettled=~is_free,
        events=Events.join(stride.events, world.names),
        near=stride.near,
    )
