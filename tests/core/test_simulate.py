"""simulate: shapes of what goes in and comes out, lanes that do not know of each other, and what is reported."""

import math
from dataclasses import replace

import builders
import numpy as np
import pytest
from builders import BASE, rows, walk

from levelwalk.core import (
    Command,
    Commands,
    EventKind,
    Movement,
    Settings,
    State,
    Support,
    World,
    simulate,
    spawn,
    step,
)

DT = 1 / 60
FLOOR = World.build([builders.floor()])
PLAYGROUND = World.build(builders.playground())


def _inputs(random, steps, lanes):
    """Return wishes that change every half second, of length up to 1, and a jump now and then."""
    changes = -(-steps // 30)
    angle, length = random.uniform(0, 2 * math.pi, (changes, lanes)), random.uniform(0, 1, (changes, lanes))
    move = np.stack([length * np.cos(angle), length * np.sin(angle)], axis=2)
    return Commands(np.repeat(move, 30, axis=0)[:steps], random.random((steps, lanes)) < 0.02)


def _starts(random, lanes):
    """Return feet over the free part of the playground."""
    return np.column_stack(
        [random.uniform(-3, 1.4, lanes), random.uniform(-2.2, 4, lanes), random.uniform(0.03, 1, lanes)]
    )


def test_a_trace_has_a_row_for_the_start_and_one_for_each_step():
    trace = simulate(FLOOR, BASE, (0, 0, 0.03), rows((0.5, (1, 0))), dt=DT)

    assert trace.position.shape == trace.velocity.shape == trace.ground_normal.shape == (31, 1, 3)
    assert trace.support.shape == trace.ground_object.shape == (31, 1)
    assert trace.dt == DT
    np.testing.assert_array_equal(trace.position[0, 0], (0, 0, 0.03))
    np.testing.assert_array_equal(trace.velocity[0, 0], (0, 0, 0))


@pytest.mark.parametrize("lanes", [1, 3])
def test_starts_make_the_lanes(lanes):
    start = np.tile([0.0, 0, 0.03], (lanes, 1)) + np.arange(lanes)[:, None] * [0, 1, 0]

    trace = simulate(FLOOR, BASE, start, rows((0.5, (1, 0))), dt=DT)

    assert trace.position.shape == (31, lanes, 3)
    np.testing.assert_array_equal(trace.position[0], start)
    np.testing.assert_allclose(trace.position[-1, :, 0], 2.0, atol=1e-6)


def test_no_commands_make_no_steps():
    trace = simulate(FLOOR, BASE, (0, 0, 1), Commands(np.zeros((0, 2))), dt=DT)

    assert trace.position.shape == (1, 1, 3)
    assert len(trace.events) == 0


def test_wishes_for_one_lane_are_those_of_all():
    random = np.random.default_rng(30)
    one = _inputs(random, 60, 1)
    each = Commands(np.tile(one.move, (1, 3, 1)), np.tile(one.jump, (1, 3)))
    start = _starts(random, 3)

    shared = simulate(PLAYGROUND, BASE, start, Commands(one.move[:, 0], one.jump[:, 0]), dt=DT)

    np.testing.assert_array_equal(shared.position, simulate(PLAYGROUND, BASE, start, each, dt=DT).position)


def test_wishes_may_be_worked_out_on_the_way():
    def towards_east_until_there(index, state):
        assert state.position.shape == (2, 3)
        is_there = state.position[:, 0] >= 1
        return Command(np.where(is_there[:, None], 0.0, [[1.0, 0.0]]), np.zeros(2, bool), np.zeros(2, bool))

    trace = simulate(FLOOR, BASE, [(0, 0, 0.03), (0.5, 1, 0.03)], towards_east_until_there, steps=60, dt=DT)

    assert trace.position.shape == (61, 2, 3)
    assert (trace.position[-1, :, 0] >= 1).all()
    assert (trace.position[-1, :, 0] <= 1 + 4 * DT).all()


@pytest.mark.parametrize(
    ("wish", "metres"),
    [
        pytest.param((1, 0), 4.0, id="full"),
        pytest.param((0.5, 0), 2.0, id="half"),
        pytest.param((3, 0), 4.0, id="too long is cut"),
        pytest.param((1, 1), 4.0, id="a diagonal is not faster"),
        pytest.param((0, 0), 0.0, id="none"),
    ],
)
def test_the_length_of_a_wish_is_a_share_of_the_speed(wish, metres):
    position = walk([builders.floor()], (1, wish)).position

    assert np.linalg.norm(position[-1, :2] - position[0, :2]) == pytest.approx(metres, abs=0.001)


def test_running_has_its_own_speed():
    commands = Commands(np.tile([1.0, 0], (60, 1)), run=np.ones(60, bool))

    trace = simulate(FLOOR, Settings(run_speed=7), (0, 0, 0.02), commands, dt=DT)

    assert trace.position[-1, 0, 0] == pytest.approx(7.0, abs=0.01)


def test_each_lane_walks_as_if_alone():
    random = np.random.default_rng(31)
    lanes, steps = 6, 200
    start, commands = _starts(random, lanes), _inputs(random, steps, lanes)

    together = simulate(PLAYGROUND, BASE, start, commands, dt=DT)

    for i in range(lanes):
        alone = simulate(PLAYGROUND, BASE, start[i], Commands(commands.move[:, i], commands.jump[:, i]), dt=DT)
        np.testing.assert_allclose(together.position[:, i], alone.position[:, 0], rtol=0, atol=1e-9)
        np.testing.assert_array_equal(together.support[:, i], alone.support[:, 0])
        own = [(event.step, event.kind, event.object) for event in together.events if event.lane == i]
        assert own == [(event.step, event.kind, event.object) for event in alone.events]


def test_a_walk_is_the_same_again_to_the_bit():
    random = np.random.default_rng(32)
    start, commands = _starts(random, 6), _inputs(random, 300, 6)

    first = simulate(PLAYGROUND, BASE, start, commands, dt=DT)
    second = simulate(World.build(builders.playground()), BASE, start, commands, dt=DT)

    for name in ("position", "velocity", "support", "ground_normal", "ground_object"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name))
    assert list(first.events) == list(second.events)


@pytest.mark.parametrize("lanes", [1, 3])
def test_a_step_leaves_the_state_before_it_alone(lanes):
    random = np.random.default_rng(34)
    state, commands = spawn(PLAYGROUND, BASE, _starts(random, lanes)), _inputs(random, 90, lanes)
    names = [name for name in State.__slots__ if isinstance(getattr(state, name), np.ndarray)]
    for index in range(90):
        before = {name: getattr(state, name).copy() for name in names}
        after = step(PLAYGROUND, BASE, state, commands.at(index, lanes), DT)
        for name in names:
            np.testing.assert_array_equal(getattr(state, name), before[name], err_msg=name)
        state = after


def test_a_walk_may_be_cut_in_two():
    random = np.random.default_rng(35)
    start, commands = _starts(random, 4), _inputs(random, 120, 4)
    first = simulate(PLAYGROUND, BASE, start, Commands(commands.move[:50], commands.jump[:50]), dt=DT)

    second = simulate(PLAYGROUND, BASE, first.final, Commands(commands.move[50:], commands.jump[50:]), dt=DT)

    whole = simulate(PLAYGROUND, BASE, start, commands, dt=DT)
    np.testing.assert_array_equal(np.concatenate([first.position, second.position[1:]]), whole.position)


def test_what_is_kept_around_the_walkers_only_saves_time():
    random = np.random.default_rng(36)
    start, commands = _starts(random, 4), _inputs(random, 120, 4)
    state = spawn(PLAYGROUND, BASE, start)
    for index in range(120):
        state = step(PLAYGROUND, BASE, replace(state, near=None), commands.at(index, 4), DT)

    whole = simulate(PLAYGROUND, BASE, start, commands, dt=DT)
    np.testing.assert_allclose(state.position, whole.position[-1], rtol=0, atol=1e-6)


def test_a_player_sees_what_the_trace_tells():
    random = np.random.default_rng(33)
    start, commands = _starts(random, 4), _inputs(random, 120, 4)
    seen = []

    def watch(index, state):
        seen.append(state.position.copy())
        return commands.at(index, 4)

    trace = simulate(PLAYGROUND, BASE, start, watch, steps=120, dt=DT)

    np.testing.assert_array_equal(trace.position[:-1], seen)
    np.testing.assert_array_equal(trace.position, simulate(PLAYGROUND, BASE, start, commands, dt=DT).position)


def test_nothing_below_is_fallen_into_freely():
    trace = simulate(World.build([]), BASE, (1, 2, 3), rows((2, (0, 0))), dt=DT)

    seconds = np.arange(121) * DT
    np.testing.assert_allclose(trace.position[:, 0, 2], 3 - 9.81 * seconds**2 / 2, atol=1e-9)
    np.testing.assert_allclose(trace.velocity[:, 0, 2], -9.81 * seconds, atol=1e-9)
    np.testing.assert_allclose(trace.position[:, 0, :2], np.tile([1.0, 2.0], (121, 1)), atol=1e-12)
    assert (trace.support == Support.AIRBORNE).all()
    assert (trace.ground_object == -1).all()


@pytest.mark.parametrize("hz", [30, 60])
@pytest.mark.parametrize(
    "level", [builders.floor(), builders.box((-5, -5, -0.01), (5, 5, 0))], ids=["sheet", "1 cm box"]
)
def test_a_fall_of_500_metres_ends_on_thin_ground(level, hz):
    """At 99 m/s a frame is up to 3.3 m long."""
    trace = simulate(World.build([level]), BASE, (0, 0, 500), rows((12, (0, 0)), hz=hz), dt=1 / hz)

    assert trace.position[-1, 0, 2] == pytest.approx(0.02, abs=0.005)
    assert trace.position[:, 0, 2].min() > 0
    landed = np.flatnonzero(trace.support[:, 0] == Support.GROUNDED)[0]
    assert landed / hz == pytest.approx(math.sqrt(2 * 500 / 9.81), abs=1.5 / hz)


def test_the_ground_is_told_while_it_carries():
    level = [builders.floor(name="meadow"), builders.ramp(30)]
    world = World.build(level)

    trace = simulate(world, BASE, (0, 0, 0.03), rows((0.5, (0, 0)), (1.2, (1, 0))), dt=DT)

    assert world.names[trace.ground_object[30, 0]] == "meadow"
    np.testing.assert_allclose(trace.ground_normal[30, 0], (0, 0, 1), atol=1e-9)
    assert world.names[trace.ground_object[-1, 0]] == "ramp"
    np.testing.assert_allclose(trace.ground_normal[-1, 0], (-0.5, 0, math.sqrt(0.75)), atol=1e-9)


def _kinds(walk, kind):
    return list(walk.trace.events.of(kind))


def test_a_jump_and_its_landing_are_events():
    jump = walk([builders.floor(name="meadow")], (1.5, (0, 0)), jump_at=0.1)

    jumped, landed = _kinds(jump, EventKind.JUMPED), _kinds(jump, EventKind.LANDED)
    assert [event.step - 30 for event in jumped] == [6]  # 0.1 s after half a second of standing
    assert landed[-1].object == "meadow"
    assert landed[-1].step - 36 == pytest.approx(2 * 5 / 9.81 * 60, abs=1.5)
    np.testing.assert_allclose(landed[-1].normal, (0, 0, 1), atol=1e-9)
    np.testing.assert_allclose(landed[-1].position, (0, 0, 0.02), atol=0.005)


def test_a_wall_that_is_hit_is_an_event():
    level = [builders.floor(), builders.wall((2, 4), (2, -4), name="gate")]

    hits = _kinds(walk(level, (1, (1, 0))), EventKind.HIT_WALL)

    assert hits
    assert {event.object for event in hits} == {"gate"}
    assert hits[0].step == pytest.approx(30 + 1.68 / 4 * 60, abs=1.5)
    np.testing.assert_allclose(hits[0].normal, (-1, 0, 0), atol=1e-6)


def test_a_ceiling_that_is_hit_is_an_event():
    level = [builders.floor(), builders.box((-5, -5, 2.2), (5, 5, 2.5), "roof")]

    hits = _kinds(walk(level, (1, (0, 0)), jump_at=0), EventKind.HIT_CEILING)

    assert [event.object for event in hits] == ["roof"]
    np.testing.assert_allclose(hits[0].normal, (0, 0, -1), atol=1e-6)


def test_walking_off_an_edge_leaves_the_ground_and_then_the_level():
    level = [builders.floor(half=2.0)]

    left = walk(level, (3, (1, 0)))

    assert len(_kinds(left, EventKind.LEFT_GROUND)) == 1
    assert len(_kinds(left, EventKind.LEFT_LEVEL)) == 1
    assert _kinds(left, EventKind.LEFT_LEVEL)[0].position[2] < 0
    assert left.support[-1] == Support.AIRBORNE


def test_a_step_up_is_an_event():
    level = [builders.floor(), builders.box((2, -4, 0), (12, 4, 0.2), "kerb")]

    steps = _kinds(walk(level, (1.5, (1, 0))), EventKind.STEPPED_UP)

    assert [event.object for event in steps] == ["kerb"]


def test_plain_walking_has_no_events():
    flat = walk([builders.floor()], (2, (1, 0)))

    assert [event.kind for event in flat.trace.events if event.step > 30] == []


def test_a_start_inside_is_an_event_and_is_left():
    level = [builders.floor(), builders.box((2, -4, 0), (2.5, 4, 4), "wall")]

    inside = walk(level, (0.5, (0, 0)), start=(1.8, 0, 0.03), standing=0)

    overlaps = _kinds(inside, EventKind.OVERLAP)
    assert overlaps[0].step == 0
    assert overlaps[0].object == "wall"


@pytest.mark.parametrize("depth", [0.001, 0.019, 0.05, 0.25])
def test_a_start_in_the_floor_is_left_upwards(depth):
    up = walk([builders.floor()], (0.5, (0, 0)), start=(0, 0, -depth), standing=0)

    assert up.position[5:, 2].min() >= 0.015
    assert up.position[-1, 2] == pytest.approx(0.02, abs=0.002)
    np.testing.assert_allclose(up.position[:, :2], 0, atol=1e-9)


TOO_CLOSE = {
    "slabs": [builders.floor(), builders.box((-9, -9, 1), (9, 9, 3), "slab")],
    "sheets": [builders.floor(), builders.floor(1.0, name="upper floor")],
    "hall": [builders.floor(), builders.box((-9, 0.25, 0), (9, 2, 3)), builders.box((-9, -2, 0), (9, -0.25, 3))],
}


@pytest.mark.parametrize("aside", [0.0, 0.06, 0.13])
@pytest.mark.parametrize("settings", [BASE, replace(BASE, movement=Movement.MOMENTUM)], ids=["character", "momentum"])
@pytest.mark.parametrize("level", TOO_CLOSE.values(), ids=TOO_CLOSE)
def test_a_start_that_cannot_be_left_is_told_once_and_held_still(level, settings, aside):
    """No room for the height of 1.8 m, or for the width of 0.6 m."""
    start = (0, aside, 0.03)
    stuck = walk(level, (0.1, (1, 0)), (0.1, (0, 1)), settings=settings, start=start, standing=0, jump_at=0.05)

    np.testing.assert_allclose(stuck.position[1:], np.tile(start, (len(stuck.position) - 1, 1)), atol=0.1)
    assert not np.ptp(stuck.position[5:], axis=0).any()  # the first pushes may make it a little less deep
    assert not stuck.velocity.any()
    assert [(event.step, event.kind) for event in stuck.trace.events] == [(0, EventKind.OVERLAP)]


def test_a_start_that_cannot_be_left_does_not_hold_the_other_walkers():
    level = TOO_CLOSE["slabs"]
    starts = np.array([(0, 0, 0.03), (12, 0, 0.03)])
    commands = builders.rows((1, (1.0, 0.0)), jump_at=0.5)
    both = simulate(World.build(level), BASE, starts, commands)
    alone = simulate(World.build(level), BASE, starts[1], commands)

    np.testing.assert_array_equal(both.position[:, 1], alone.position[:, 0])
    assert not np.ptp(both.position[5:, 0], axis=0).any()
    assert both.final.is_caught.tolist() == [True, False]


def test_a_walker_that_grows_in_a_place_too_low_is_told_and_freed_by_being_small_again():
    level = World.build([builders.floor(), builders.box((-9, -9, 1.5), (9, 9, 3), "slab")])
    low, tall = replace(BASE, height=1.2), BASE
    commands = builders.rows((0.2, (1.0, 0.0)))
    small = simulate(level, low, (0, 0, 0.03), commands)
    grown = simulate(level, tall, small.final, commands)
    again = simulate(level, low, grown.final, commands)

    assert not np.ptp(grown.position[1:, 0], axis=0).any()
    assert [event.kind for event in grown.events].count(EventKind.OVERLAP) == 1
    assert again.position[-1, 0, 0] - again.position[0, 0, 0] == pytest.approx(0.8, abs=0.07)


@pytest.mark.parametrize("start", [(0, 0), (0, 0, 0, 0), np.zeros((2, 2)), (0, 0, math.nan)])
def test_a_start_that_is_no_place_is_refused(start):
    with pytest.raises(ValueError, match="start"):
        simulate(FLOOR, BASE, start, rows((0.1, (0, 0))), dt=DT)


@pytest.mark.parametrize("dt", [0, -1 / 60, math.nan, math.inf])
def test_a_step_must_take_time(dt):
    with pytest.raises(ValueError, match="dt"):
        simulate(FLOOR, BASE, (0, 0, 1), rows((0.1, (0, 0))), dt=dt)


def test_commands_for_other_lanes_are_refused():
    with pytest.raises(ValueError, match="lanes"):
        simulate(FLOOR, BASE, np.zeros((3, 3)), Commands(np.zeros((5, 2, 2))), dt=DT)
