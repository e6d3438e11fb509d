"""Around: the pieces around each walker for a step, gathered anew only for those that may leave what they have."""

import math
from dataclasses import dataclass

import numpy as np

from ..arrays import Indices, Scalars, Vectors, is_any, nonzero
from ..commands import Command
from ..geometry.axes import turned
from ..geometry.body import Body, turn_upright
from ..geometry.gathered import Gathered
from ..geometry.near import gather
from ..settings import JumpDirection, Movement, Settings
from ..world import World
from .crouch import is_crouched
from .mantle import mantle_reach
from .memory import DASH, SLIDE
from .stairs import highest_step
from .state import State

ROOM_ACROSS = 0.3  # metres gathered around a walker beyond what the step needs, to be kept for further steps
ROOM_ALONG = 0.2  # the same, along up
FEW, MORE_ROOM = 16, 3.0  # for so few walkers a gathering costs the same whatever it finds: more room, fewer of them
FAST_ROOM = 5.0  # steps: the same for those that are fast
LEAST_ROOM = 1.0  # of the radius: the same at the least, so that rooms scale with the characters
AHEAD, SLOWEST = 0.5, 1.0  # share of the room that a gathering is ahead of a walker; m/s below which it is less


def feet_origin(settings: Settings, position: Vectors) -> Vectors:
    """Return the lower ends of the axes (n, 3) of walkers with their feet at `position`."""
    return position + np.asarray(settings.up) * settings.radius


@dataclass(frozen=True, slots=True, eq=False)
class Needed:
    """How far n walkers can get in one step, (n,) m: sideways and along up, where they move and in all that they may
    try on the way: to step up and to pull up. And their `speed` (n,), m/s, when it begins."""

    speed: Scalars
    across: Scalars
    along: Scalars
    tries_across: Scalars
    tries_along: Scalars


def near_enough(
    world: World,
    settings: Settings,
    body: Body,
    span: Scalars,
    state: State,
    needed: Needed,
    dt: float,
    gathered: Gathered | None,
    lanes: Indices,
) -> Gathered:
    """Return what is gathered around the walkers, which is all that `lanes` (k,) need in one step.

    It is what was `gathered` before, with what has to be gathered anew.
    """
    across, along = needed.tries_across, needed.tries_along
    origin = feet_origin(settings, state.position)
    if gathered is not None and gathered.body != body:
        gathered = None
    if gathered is not None:
        offset = turned(origin - gathered.origin, body)
        if gathered.covers(span, offset, across, along)[lanes].all():
            return gathered
    share = MORE_ROOM if len(state) <= FEW else 1.0
    fast = FAST_ROOM * dt * needed.speed
    room_across = np.maximum(share * max(ROOM_ACROSS, LEAST_ROOM * settings.radius), fast)
    room_along = np.maximum(share * max(ROOM_ALONG, LEAST_ROOM * settings.radius), fast)
    middle = origin + _lead(body, state.velocity, needed.speed, room_across, room_along)
    if gathered is None:
        stale = np.arange(len(state))
    else:
        # Those that will need it soon are gathered with those that need it now: walkers then stay in step.
        stale = nonzero(~gathered.covers(span, offset, across + room_across / 3, along + room_along / 3))
    fresh = gather(
        world.features,
        world.grid,
        body,
        span[stale],
        middle[stale],
        (across + room_across)[stale],
        (along + room_along)[stale],
    )
    return Gathered.of(fresh) if gathered is None else gathered.renewed(stale, fresh)


def _lead(body: Body, velocity: Vectors, speed: Scalars, room_across: Scalars, room_along: Scalars) -> Vectors:
    """Return how far ahead of the walkers (n, 3) the middle of what is gathered lies: those that keep on going then
    stay in it for longer."""
    up = turn_upright(body.up)[2]
    rate = velocity @ up
    level = np.sqrt(np.maximum(speed * speed - rate * rate, 0.0))
    far = AHEAD * np.minimum(room_across / np.maximum(level, SLOWEST), room_along / np.maximum(np.abs(rate), SLOWEST))
    lead: Vectors = velocity * far[:, None]
    return lead


def find_needed(settings: Settings, state: State, command: Command, dt: float) -> Needed:
    """Return how far each walker can get from where it is in one step."""
    speed = np.sqrt(np.add.reduce(state.velocity * state.velocity, axis=1))
    pace, memory = _pace(settings, state, command, speed), state.memory
    at_wall = memory.wall_normal.any(axis=1) if is_any(memory.wall_normal) else None
    if at_wall is not None:
        pace += settings.wall_jump_speed * at_wall
    across = pace * dt + (settings.skin_width * 2 + settings.fall_acceleration * dt * dt)
    if is_any(state.is_unsettled):
        across += settings.height * state.is_unsettled
    upwards = max(highest_step(settings) + 0.01 * settings.height, settings.ground_snap)
    if math.isfinite(settings.ledge_distance):
        across += settings.radius
        upwards = max(upwards, settings.step_offset + settings.radius)
    along = across + (upwards + settings.jump_speed * dt)
    tries_across, tries_along = across, along + settings.radius
    if settings.crouch_height and is_any(memory.action):
        tries_along = np.maximum(tries_along, (settings.span - settings.crouch_span) * is_crouched(memory))
    if settings.mantle_height and at_wall is not None:
        further, higher = mantle_reach(settings)
        tries_across, tries_along = across + further * at_wall, np.maximum(tries_along, along + higher * at_wall)
    return Needed(speed, across, along, tries_across, tries_along)


def _pace(settings: Settings, state: State, command: Command, speed: Scalars) -> Scalars:
    """Return how fast (n,), m/s, walkers at `speed` (n,) may get sideways or along up, without a wall to jump off."""
    memory = state.memory
    fastest = max(settings.speed, settings.climb_speed)
    if command.run is not None and is_any(command.run):
        fastest = max(fastest, settings.run_speed)
    pace = np.maximum(speed, fastest)
    is_busy = is_any(memory.action)
    for action, asked, quick in (
        (SLIDE, command.crouch, settings.slide_speed),
        (DASH, command.dash, settings.dash_speed),
    ):
        if quick and (is_busy or (asked is not None and is_any(asked))):
            may = memory.action == action if asked is None else (memory.action == action) | asked
            pace = np.where(may, np.maximum(pace, quick), pace)
    if settings.movement is Movement.MOMENTUM:
        pace += fastest + settings.jump_speed  # any part of it may turn sideways
    elif settings.jump_direction is JumpDirection.NORMAL:
        pace += settings.jump_speed
    pace += np.abs(state.velocity @ turn_upright(settings.up)[2])  # falling turns sideways where it meets a slope
    if is_any(memory.push):
        pace += np.sqrt((memory.push * memory.push).sum(axis=1))
    if command.push is not None:
        pace += np.sqrt((command.push * command.push).sum(axis=1))
    return pace
