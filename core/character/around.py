"""Around: the pieces around each walker for a step, gathered anew only for those that may leave what they have."""

import math

import numpy as np

from ..arrays import Scalars, Vectors, is_any, nonzero
from ..commands import Command
from ..geometry.axes import turned
from ..geometry.body import Body, turn_upright
from ..geometry.near import Near, gather, replace_lanes
from ..settings import Settings
from ..world import World
from .crouch import is_crouched
from .memory import DASH, MANTLE, SLIDE
from .stairs import most_lift
from .state import State

ROOM_ACROSS = 0.5  # metres gathered around a walker beyond what the step needs, to be kept for further steps
ROOM_ALONG = 0.3  # the same, along up
FEW, MORE_ROOM = 16, 4.0  # for so few walkers a gathering costs the same whatever it finds: more room, fewer of them
FAST_ROOM = 5.0  # steps: the same for those that are fast
LEAST_ROOM = 1.0  # of the radius: the same for characters that are small, so that rooms scale with them


def feet_origin(settings: Settings, position: Vectors) -> Vectors:
    """Return the lower ends of the axes (n, 3) of walkers with their feet at `position`."""
    return position + np.asarray(settings.up) * settings.radius


def near_enough(
    world: World, settings: Settings, body: Body, span: Scalars, state: State, command: Command, dt: float
) -> Near:
    """Return pieces that cover all that the walkers can reach in one step."""
    speed = np.sqrt(np.add.reduce(state.velocity * state.velocity, axis=1))
    across, along = _needed(settings, state, command, dt, speed)
    origin = feet_origin(settings, state.position)
    near = state.near if state.near is not None and state.near.body == body else None
    if near is not None:
        offset = turned(origin - near.origin, body)
        if near.covers(body, span, offset, across, along).all():
            return near
    share = MORE_ROOM if len(state) <= FEW else 1.0
    fast = FAST_ROOM * dt * speed
    room_across = np.maximum(share * max(ROOM_ACROSS, LEAST_ROOM * settings.radius), fast)
    room_along = np.maximum(share * max(ROOM_ALONG, LEAST_ROOM * settings.radius), fast)
    if near is None:
        return gather(world.features, world.grid, body, span, origin, across + room_across, along + room_along)
    # Those that will need it soon are gathered with those that need it now: walkers then stay in step.
    soon = near.covers(body, span, offset, across + room_across / 3, along + room_along / 3)
    stale = nonzero(~soon)
    fresh = gather(
        world.features,
        world.grid,
        body,
        span[stale],
        origin[stale],
        (across + room_across)[stale],
        (along + room_along)[stale],
    )
    return replace_lanes(near, stale, fresh)


def _needed(settings: Settings, state: State, command: Command, dt: float, speed: Scalars) -> tuple[Scalars, Scalars]:
    """Return how far each walker can get from where it is in one step, sideways and along up, in all that it may
    try on the way."""
    memory = state.memory
    fastest = settings.run_speed if command.run is not None and is_any(command.run) else settings.speed
    pace = np.maximum(speed, max(fastest, settings.climb_speed))
    for action, asked, quick in (
        (SLIDE, command.crouch, settings.slide_speed),
        (DASH, command.dash, settings.dash_speed),
    ):
        if quick:
            may = memory.action == action if asked is None else (memory.action == action) | asked
            pace = np.where(may, np.maximum(pace, quick), pace)
    at_wall = (memory.wall_normal != 0).any(axis=1) if settings.wall_jump_speed or settings.mantle_height else False
    pace += settings.wall_jump_speed * at_wall
    pace += np.abs(state.velocity @ turn_upright(settings.up)[2])  # falling turns sideways where it meets a slope
    if is_any(memory.push):
        pace += np.sqrt((memory.push * memory.push).sum(axis=1))
    if command.push is not None:
        pace += np.sqrt((command.push * command.push).sum(axis=1))
    pace *= dt
    more = settings.height * state.is_unsettled + settings.skin_width * 2
    if settings.mantle_height:
        more += (settings.mantle_height + 2 * settings.radius) * (at_wall | (memory.action == MANTLE))
    if math.isfinite(settings.ledge_distance):
        more += settings.radius
    steps = max(most_lift(settings) + 0.01 * settings.height, settings.ground_snap)
    rises = settings.jump_speed * dt + settings.fall_acceleration * dt * dt
    if settings.crouch_height and (command.crouch is not None or is_any(is_crouched(memory))):
        rises += settings.span - settings.crouch_span
    fall = settings.fall_acceleration * dt * dt
    return pace + more + fall, pace + more + steps + rises
