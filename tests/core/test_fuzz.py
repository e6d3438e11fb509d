"""Random levels, settings at their extremes and random commands: finite, never inside, never too fast, no error."""

import importlib
import math
import pkgutil

import numpy as np
import oracle
import pytest
from builders import box, corners_of, extruded, hull, moved, sheet
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from levelwalk.core import (
    Action,
    Command,
    Facing,
    JumpDirection,
    LedgeGuard,
    Movement,
    Settings,
    SlopeSpeed,
    World,
    character,
    spawn,
    step,
)
from levelwalk.core.character import blocked
from levelwalk.core.geometry.cast import cast

LANES, STEPS, HALF, ROOF = 3, 40, 4.0, 5.0
INF = math.inf

capsules = st.sampled_from([(0.3, 1.8, 0.02), (0.3, 0.6, 0.001), (0.5, 2.0, 0.08), (0.1, 0.3, 0.05), (0.05, 1.0, 0.01)])
limits = {
    "slope_limit": [0.0, math.radians(45), math.radians(80), math.pi / 2],
    "step_offset": [0.0, 0.3, 1.5],
    "ground_snap": [0.0, 0.3, 1.0],
    "ledge_distance": [0.0, 0.1, INF],
    "ground_memory": [0.0, 0.2],
    "holds_on_slopes": [True, False],
    "launch_speed": [0.0, 2.0, INF],
    "ledge_guard": list(LedgeGuard),
    "movement": list(Movement),
    "speed": [0.0, 4.0, 30.0],
    "run_speed": [0.0, 7.0],
    "acceleration": [0.0, 20.0, INF],
    "deceleration": [0.0, 20.0, INF],
    "slope_speed": list(SlopeSpeed),
    "normal_smoothing": [0.0, 0.1, 10.0],
    "facing": list(Facing),
    "turn_rate": [0.0, 3.0, INF],
    "turn_share": [0.0, 0.5, 1.0],
    "plane_lock": [(0, 0, 0), (0, 1, 0), (0.6, 0.8, 0)],
    "gravity": [0.0, 9.81, 60.0],
    "terminal_speed": [0.0, 10.0, INF],
    "air_acceleration": [0.0, 5.0, INF],
    "jump_height": [0.0, 1.0, 5.0],
    "jump_release": [0.0, 0.5, 1.0],
    "coyote_time": [0.0, 0.2],
    "jump_buffer": [0.0, 0.2],
    "air_jumps": [0, 5],
    "wall_jump_speed": [0.0, 8.0],
    "jump_direction": list(JumpDirection),
    "crouch_height": [0.0, 0.7],
    "crouch_speed": [0.0, 2.0],
    "slide_speed": [0.0, 12.0],
    "slide_deceleration": [0.0, 6.0],
    "dash_speed": [0.0, 25.0],
    "dash_time": [0.0, 0.2],
    "dash_wait": [0.0, 0.5],
    "climb_speed": [0.0, 2.0],
    "mantle_height": [0.0, 1.5],
    "push_fade": [0.0, 0.9, 1.0],
    "max_slides": [1, 5],
}
characters = st.builds(
    lambda capsule, fields: Settings(radius=capsule[0], height=capsule[1], skin_width=capsule[2], **fields),
    capsules,
    st.fixed_dictionaries({name: st.sampled_from(values) for name, values in limits.items()}),
)


def _room(seed):
    """Return a closed room with a ramp, a step, a ladder, hulls and sheets somewhere in it."""
    random = np.random.default_rng(seed)
    w, h = HALF, ROOF
    level = [
        box((-w - 1, -w - 1, -1), (w + 1, w + 1, 0), "floor"),
        box((-w - 1, -w - 1, h), (w + 1, w + 1, h + 1), "roof"),
        box((-w - 1, -w, 0), (-w, w, h), "west"),
        box((w, -w, 0), (w + 1, w, h), "east"),
        box((-w, -w - 1, 0), (w, -w, h), "south"),
        box((-w, w, 0), (w, w + 1, h), "north"),
    ]
    for i in range(3):
        middle = random.uniform((-w, -w, 0), (w, w, 2))
        level.append(hull(middle + random.uniform(-1, 1, (6, 3)), f"hull {i}"))
    angle, low = random.uniform(5, 85), random.uniform(-w, w - 1.5)
    run = random.uniform(0.5, 2)
    slope = extruded([(0, 0), (run, 0), (run, min(run * math.tan(math.radians(angle)), h))], 0.7)
    level.append(moved(slope, by=(low, random.uniform(-w, w), 0)))
    x, y = random.uniform(-w, w - 1, 2)
    crate = box((x, y, 0), (x + 1, y + 1, random.choice([0.2, 0.35, 1.2])), "crate")
    level.append(type(crate)(crate.vertices, crate.triangles, "crate", is_climbable=bool(random.random() < 0.5)))
    level.append(sheet(random.uniform(-3, 3, 3), random.uniform(-2, 2, 3), random.uniform(-2, 2, 3)))
    return level


def _fastest(character):
    """Return the highest level speed that the wishes, actions and wall jumps of a character give."""
    mantle = max(character.climb_speed, character.speed / 2) if character.mantle_height else 0.0
    return max(
        character.speed,
        character.run_speed,
        character.crouch_speed,
        character.slide_speed,
        character.dash_speed,
        character.climb_speed,
        mantle,
    )


def _free_starts(random, character, triangles):
    feet = random.uniform((-HALF, -HALF, 0.05), (HALF, HALF, 2.5), (200, 3))
    feet = feet[np.abs(feet[:, :2]).max(axis=1) < HALF - character.radius - character.skin_width]
    return feet[oracle.gaps(feet, character.radius, character.height, triangles) > character.skin_width][:LANES]


def _is_low(state):
    return np.isin(state.memory.action, (Action.CROUCH, Action.SLIDE))


walks = given(
    level=st.integers(0, 11), seed=st.integers(0, 10**6), hz=st.sampled_from([15, 60, 240]), character=characters
)


def _drawn(examples):
    return settings(max_examples=examples, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


@walks
@_drawn(8)
def test_whatever_is_set_and_pressed_the_walk_is_sound(level, seed, hz, character):
    _assert_sound(level, seed, hz, character)


@pytest.mark.slow
@walks
@_drawn(60)
def test_whatever_else_is_set_and_pressed_the_walk_is_sound(level, seed, hz, character):
    _assert_sound(level, seed, hz, character)


@pytest.fixture
def casts_beyond(monkeypatch):
    """Let each cast of a character tell how far its way leaves what its pieces cover, m; negative within."""
    beyond = []

    def told(near, offset, way, lanes):
        for place in (offset[:, lanes], (offset + way)[:, lanes]):
            beyond.append(np.hypot(place[0], place[1]) - near.across[lanes])
            beyond.append(np.abs(place[2]) - near.along[lanes])
        return cast(near, offset, way, lanes)

    for found in pkgutil.iter_modules(character.__path__):
        module = importlib.import_module(f"{character.__name__}.{found.name}")
        if getattr(module, "cast", None) is cast:
            monkeypatch.setattr(module, "cast", told)
    # This one looks further, and takes what it does not find to be unknown.
    monkeypatch.setattr(blocked, "_bars_ball", lambda stride, lanes: np.zeros(len(lanes), bool))
    return beyond


@walks
@_drawn(20)
def test_no_cast_leaves_what_was_gathered(casts_beyond, level, seed, hz, character):
    casts_beyond.clear()

    _assert_sound(level, seed, hz, character)

    assert max((over.max(initial=-1) for over in casts_beyond), default=-1) < 1e-9


def _assert_sound(level, seed, hz, character):
    room, random = _room(level), np.random.default_rng(seed)
    triangles, world, dt = corners_of(room), World.build(room), 1 / hz
    feet = _free_starts(random, character, triangles)
    if not len(feet):
        return
    state, lanes = spawn(world, character, feet), len(feet)
    heights = {False: character.height, True: 2 * character.radius + character.crouch_span}
    gained = 0.0  # m/s that gravity, jumps and pushes may have added by now
    for index in range(STEPS):
        push = random.normal(0, 8, (lanes, 3)) * (random.random((lanes, 1)) < 0.04)
        held = [random.random(lanes) < share for share in (0.3, 0.3, 0.3, 0.1)]
        if index % 8 == 0:
            angle, kept = random.uniform(0, 2 * math.pi, lanes), held
        move = np.column_stack([np.cos(angle), np.sin(angle)]) * random.choice([0, 1, 1, 3])
        before = state
        state = step(world, character, state, Command(move, held[0], kept[1], kept[2], held[3], push), dt)
        gained += np.linalg.norm(push, axis=1).max() + character.fall_acceleration * dt

        for name in ("position", "velocity", "ground_normal", "ground_point", "ground_sum"):
            assert np.isfinite(getattr(state, name)).all(), name
        assert (np.abs(state.position[:, :2]).max(axis=1) <= HALF - character.radius).all()
        assert (state.position[:, 2] >= 0).all()
        assert (state.position[:, 2] <= ROOF - 2 * character.radius).all()
        low = _is_low(state)
        for is_low, height in heights.items():
            there = state.position[low == is_low]
            if len(there):
                assert oracle.gaps(there, character.radius, height, triangles).min() > 0

        jumps = len([event for event in state.events if event.kind.name == "JUMPED"])
        gained += jumps * (character.jump_speed + character.wall_jump_speed)
        across = np.linalg.norm((state.position - before.position)[:, :2], axis=1)
        assert (across <= (_fastest(character) + gained) * dt * (1 + 1e-6) + 2 * character.skin_width).all()
