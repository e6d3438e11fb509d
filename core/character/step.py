"""Step: one step of the character, a function of the world, the settings, the state, the command and the time.

The order: crouch or stand up; out of an overlap; the wish, and what leads instead of it; jump; then along the ground
and down onto it, through the air, up a ladder, or up on a ledge; at last what is remembered of it.
"""

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import Level, Mask, is_any, nonzero
from ..commands import Command
from ..events import Events
from ..geometry.axes import turned
from ..geometry.body import Body, turn_upright
from ..geometry.gathered import Gathered
from ..settings import Movement, Settings
from ..vectors import as_vectors
from ..world import World
from .around import Needed, feet_origin, find_needed, near_enough
from .blocked import explain
from .caught import hold_caught
from .crouch import crouch, find_rising, is_crouched, spans_of
from .dash import begin_dash, lead
from .fall import rise_or_fall, rises
from .guard import guard
from .jump import jump
from .ladder import climb_ladders, hold_ladders
from .mantle import begin_mantles, mantle
from .memory import MANTLE, Memory
from .momentum import drive
from .push import fade_push, take_push, with_push
from .recall import remember, smoothed_normal
from .settle import settle
from .stand import count_contacts, follow_ground, rolls_on
from .state import AIRBORNE, GROUNDED, State
from .steer import slide_down, steer, wished_velocity
from .stride import Stride
from .walk import drift, walk


def spawn(world: World, settings: Settings, start: ArrayLike, heading: float = 0.0) -> State:
    """Return walkers at rest with their feet at `start`, (3,) or (n, 3) in metres, facing `heading` (rad).

    Raises
    ------
    ValueError
        If `start` is not of that shape, or not finite.
    """
    position = as_vectors("start", start)
    n = len(position)
    return State(
        position=position,
        velocity=np.zeros((n, 3)),
        support=np.full(n, AIRBORNE, np.int8),
        ground_normal=np.zeros((n, 3)),
        ground_sum=np.zeros((n, 3)),
        ground_count=np.zeros(n, np.intp),
        ground_point=position.copy(),
        ground_object=np.full(n, -1, np.intp),
        ground_face=np.full(n, -1, np.intp),
        walls=np.full((2, n), -1, np.intp),
        is_unsettled=np.ones(n, bool),
        memory=Memory.fresh(position @ turn_upright(settings.up)[2], heading),
        events=Events.none(world.names),
    )


def step(world: World, settings: Settings, state: State, command: Command, dt: float) -> State:
    """Return the state of all walkers after `dt` seconds. Never raises for what the level or the walkers do."""
    if not state.is_of(world.features):
        state = state.without_level()
    body = Body.with_skin(settings)
    needed = find_needed(settings, state, command, dt)
    rising = find_rising(settings, state, command)
    gathered = None if state.near is None else state.near.taken(world.grid)
    if len(rising):
        spans = spans_of(settings, state.memory)
        gathered = near_enough(world, settings, body, spans, state, needed, dt, gathered, rising)
    memory = crouch(settings, state, command, rising, gathered if len(rising) else None)
    every = np.arange(len(state))
    gathered = near_enough(world, settings, body, spans_of(settings, memory), state, needed, dt, gathered, every)
    stride = _begin(world, settings, body, gathered, needed, state, memory, dt)
    is_new_body = state.near is not None and state.near.body != body
    is_unsettled = settle(world.solids, stride, every if is_new_body else nonzero(state.is_unsettled))

    is_caught = is_any(stride.memory.is_caught)
    settled = (stride.offset.copy(), stride.memory.copy(), len(stride.events)) if is_caught else None
    wish = _wish(stride, command)
    if settings.movement is Movement.MOMENTUM:
        take_push(stride, command.push)
        jump(stride, command)
        drive(stride, wish)
    else:
        begin_dash(stride, command, wish)
        begin_mantles(stride, wish)
        holds = hold_ladders(stride, wish)
        control = lead(stride, steer(stride, wish))
        take_push(stride, command.push)
        leaps = jump(stride, command)
        _move(world, stride, wish, control, leaps, holds & ~leaps)
    if settled is not None:
        hold_caught(stride, *settled)
    after = _end(world, stride, state, wish, is_unsettled)
    gathered.give_back()
    return after


def _wish(stride: Stride, command: Command) -> Level:
    """Return the wished level velocity (2, n), slower while crouched, and none in a locked direction."""
    wish = wished_velocity(command.move, command.run, is_crouched(stride.memory), stride.settings)
    if any(stride.settings.plane_lock):
        lock = turned(np.array([stride.settings.plane_lock]), stride.body)
        wish = wish - lock[:2] * (wish[0] * lock[0] + wish[1] * lock[1])
    return wish


def _move(world: World, stride: Stride, wish: Level, control: Level, leaps: Mask, holds: Mask) -> None:
    """Move each lane in the way of what it does: climb, pull up, walk, rest, or fly."""
    mantles = stride.memory.action == MANTLE
    climbs = holds | mantles
    grounded = (stride.support == GROUNDED) & ~(climbs | leaps)
    on_ground, flying = nonzero(grounded), nonzero(~(climbs | grounded))
    control = guard(stride, world.grid, on_ground, control)
    control = slide_down(stride, grounded, with_push(stride, control + stride.kick))
    is_moving = control.any(axis=0)
    walking = nonzero(grounded & is_moving)
    if len(walking) < len(on_ground):
        stride.velocity[:, nonzero(grounded & ~is_moving)] = 0.0
    if len(walking):
        elsewhere = walk(stride, walking, control)
        leaving = walking[~rolls_on(stride, walking, elsewhere)]
        if len(leaving):
            follow_ground(stride, leaving)
    if is_any(holds):
        climb_ladders(stride, nonzero(holds), wish)
    if is_any(mantles):
        mantle(stride, nonzero(mantles))
    if len(flying):
        rising = rises(stride, flying)
        rise_or_fall(stride, flying[rising])  # up first, so that jumping on a slope is not lifted by the slope
        drift(stride, flying, control)
        rise_or_fall(stride, flying[~rising])
        landed = flying[stride.support[flying] == GROUNDED]
        if len(landed):
            count_contacts(stride, landed)


def _begin(
    world: World,
    settings: Settings,
    body: Body,
    gathered: Gathered,
    needed: Needed,
    state: State,
    memory: Memory,
    dt: float,
) -> Stride:
    n = len(state)
    offset = turned(feet_origin(settings, state.position) - gathered.origin, body)
    return Stride(
        settings=settings,
        body=body,
        near=gathered.close(offset, needed.across, needed.along),
        gathered=gathered,
        dt=dt,
        start=offset,
        offset=offset.copy(),
        velocity=turned(state.velocity, body),
        support=state.support * ~memory.is_remembered,  # AIRBORNE is 0
        ground_normal=turned(memory.face_normal, body),
        ground_sum=turned(state.ground_sum, body),
        ground_count=state.ground_count.copy(),
        ground_point=turned(state.ground_point - gathered.origin, body),
        ground_object=state.ground_object.copy(),
        ground_face=state.ground_face.copy(),
        walls_before=state.walls,
        walls=np.full((2, n), -1, np.intp),
        wall_normal=np.zeros((3, n)),
        wall_face=np.zeros((3, n)),
        climbable=world.climbable,
        memory=memory,
        slope_normal=turned(state.ground_normal, body) if settings.normal_smoothing else None,
        below=state.below,
    )


def _end(world: World, stride: Stride, state: State, wish: Level, is_unsettled: Mask) -> State:
    explain(world, stride, wish)
    fade_push(stride)
    aloft = nonzero(stride.support != GROUNDED)
    if len(aloft):
        stride.ground_count[aloft] = 0
        stride.ground_sum[:, aloft] = 0.0
        in_air = aloft[stride.support[aloft] == AIRBORNE]
        stride.ground_normal[:, in_air] = 0.0  # of who has just walked off an edge
        stride.ground_object[in_air] = -1
    remember(world, stride, state, wish)
    position = stride.positions()
    stayed = nonzero((stride.offset == stride.start).all(axis=0))
    if len(stayed):
        position[stayed] = state.position[stayed]  # at rest not even rounding moves it
    support = stride.support
    if is_any(stride.memory.is_remembered):
        support = np.where(stride.memory.is_remembered, np.int8(GROUNDED), support)
    return State(
        position=position,
        velocity=stride.to_world(stride.velocity),
        support=support,
        ground_normal=smoothed_normal(stride, state),
        ground_sum=stride.to_world(stride.ground_sum),
        ground_count=stride.ground_count,
        ground_point=stride.near.origin + stride.to_world(stride.ground_point),
        ground_object=stride.ground_object,
        ground_face=stride.ground_face,
        walls=stride.walls,
        is_unsettled=is_unsettled,
        memory=stride.memory,
        events=Events.join(stride.events, world.names),
        near=stride.gathered,
        below=stride.below,
    )
