"""The play session: fixed steps behind an uneven display, a jump that is never lost, and the walk it records."""

import math

import numpy as np
import pytest

pytest.importorskip("bpy")
from builders import box, floor

from levelwalk.core import Action, EventKind, Facing, Settings, Support, World, simulate, spawn
from levelwalk.operators.session import FRONT, LONGEST_FRAME, STEP, Held, PlaySession, turned_on

WORLD = World.build([floor()])
SETTINGS = Settings()
FEET = (1.0, 0.0, SETTINGS.skin_width)  # beside the floor's diagonal, where both of its triangles are touched
EAST = (1.0, 0.0)


@pytest.fixture
def session():
    return PlaySession(WORLD, SETTINGS, FEET, heading=0.0)


@pytest.mark.parametrize(
    ("frames", "steps"),
    [
        pytest.param([STEP], 1, id="one frame, one step"),
        pytest.param([STEP * 0.9], 0, id="too short for a step"),
        pytest.param([STEP * 0.9, STEP * 0.2], 1, id="the rest is kept"),
        pytest.param([STEP / 3] * 3, 1, id="three thirds"),
        pytest.param([STEP * 2.5, STEP * 0.5], 3, id="two, and the third with the next"),
        pytest.param([10.0], round(LONGEST_FRAME / STEP), id="a long frame is cut"),
        pytest.param([-1.0], 0, id="a clock set back"),
    ],
)
def test_time_passes_in_whole_steps(session, frames, steps):
    for seconds in frames:
        session.advance(seconds)

    assert session.steps == steps


def test_the_buttons_are_asked_for_once_a_step(session):
    asked = iter([Held(jump=True), Held(run=True), Held(crouch=True), Held(dash=True)])

    session.advance(STEP * 2.5, EAST, lambda: next(asked))
    session.advance(STEP * 0.25, EAST, lambda: next(asked))  # no step
    session.advance(STEP * 1.25, EAST, lambda: next(asked))

    commands = session.take().commands
    for step, name in enumerate(("jump", "run", "crouch", "dash")):
        assert getattr(commands, name)[:, 0].tolist() == [step == index for index in range(4)]


def test_a_held_jump_button_is_one_jump_and_letting_go_cuts_it_short():
    settings = Settings(jump_release=0.25)
    heights = []
    for held_for in (1, 60):
        session = PlaySession(WORLD, settings, FEET, heading=0.0)
        events = [event for step in range(120) for event in session.step(held=Held(jump=0 < step <= held_for))]
        assert [event.kind for event in events].count(EventKind.JUMPED) == 1
        heights.append(session.take().position[:, 2].max() - FEET[2])

    # Let go after one step, a quarter of the rising speed is left: v = (v0 - g t) / 4 from the height of that step.
    rise = (settings.jump_speed - settings.gravity * STEP) / 4
    first = settings.jump_speed * STEP - settings.gravity * STEP**2 / 2
    assert heights[0] == pytest.approx(first + rise**2 / (2 * settings.gravity), rel=0.02)
    assert heights[1] == pytest.approx(settings.jump_height, rel=0.01)


def test_crouching_lowers_the_body_that_is_drawn(session):
    for _ in range(5):
        session.step(held=Held(crouch=True))

    assert session.action is Action.CROUCH
    assert session.body.height == pytest.approx(SETTINGS.crouch_height)
    session.step()
    assert session.body == SETTINGS


def test_a_dash_is_recorded_and_told():
    settings = Settings(dash_speed=12.0, dash_time=0.1)
    session = PlaySession(WORLD, settings, FEET, heading=math.pi / 2)  # faces +X
    for step in range(4):  # of the dash's six
        session.step(held=Held(dash=step == 1))

    assert session.action is Action.DASH
    assert session.speed == pytest.approx(12.0, rel=1e-3)
    assert session.position[0] > FEET[0]


def test_what_is_drawn_lies_between_the_last_two_steps(session):
    session.advance(STEP * 2, EAST)
    session.advance(STEP * 0.25, EAST)

    # Accelerating at once, each step goes speed x step. The picture is a step behind, and a quarter of one further.
    np.testing.assert_allclose(session.position[0] - FEET[0], 1.25 * SETTINGS.speed * STEP, rtol=1e-6)


def test_the_heading_that_is_drawn_lies_between_the_last_two_steps():
    settings = Settings(turn_rate=math.radians(90))
    session = PlaySession(WORLD, settings, FEET, heading=0.0)
    session.advance(STEP * 2, EAST)
    session.advance(STEP * 0.25, EAST)

    assert session.heading == pytest.approx(1.25 * math.radians(90) * STEP)


def test_before_the_first_step_the_start_is_drawn(session):
    session.advance(STEP / 2)

    np.testing.assert_array_equal(session.position, FEET)


def test_running_is_faster(session):
    session.advance(STEP, EAST, lambda: Held(run=True))

    assert session.speed == pytest.approx(SETTINGS.run_speed, rel=1e-6)
    assert session.support is Support.GROUNDED


def test_the_recorded_walk_is_what_the_core_simulates_from_its_commands(session):
    for index in range(60):
        angle = index / 10
        session.step((math.cos(angle), math.sin(angle)), Held(jump=20 <= index < 25, run=index > 40, crouch=index > 50))
    take = session.take()

    headings = []

    def play(index, state):
        headings.append(float(state.heading[0]) - FRONT)
        return take.commands.at(index, 1)

    trace = simulate(WORLD, SETTINGS, spawn(WORLD, SETTINGS, FEET, FRONT), play, dt=take.dt, steps=60)
    np.testing.assert_array_equal(take.position, trace.position[:, 0])
    np.testing.assert_array_equal(take.support, trace.support[:, 0])
    np.testing.assert_allclose(np.cos(take.heading[:-1] - headings), 1, atol=1e-12)
    assert np.abs(np.diff(take.heading)).max() < math.pi


def test_no_step_is_no_walk(session):
    with pytest.raises(ValueError, match="no step"):
        session.take()


def test_what_is_touched_can_be_asked_for(session):
    contacts = session.contacts()

    np.testing.assert_allclose(contacts.point, [[1, 0, 0]], atol=1e-9)
    np.testing.assert_allclose(contacts.normal, [[0, 0, 1]], atol=1e-9)
    assert contacts.is_walkable.all()


def test_a_start_inside_the_level_is_moved_out_and_told():
    world = World.build([floor(), box((-5, -5, 0), (0.9, 5, 3), "Block")])  # its face is 0.2 m inside the capsule
    session = PlaySession(world, SETTINGS, FEET, heading=0.0)

    events = session.step()

    overlap = next(event for event in events if event.kind == EventKind.OVERLAP)
    assert overlap.object == "Block"
    assert overlap.value == pytest.approx(0.2, abs=1e-6)
    assert not world.overlaps(SETTINGS, session.state.position)[0]


@pytest.mark.parametrize("facing", Facing)
@pytest.mark.parametrize(
    ("heading", "move", "expected"),
    [
        pytest.param(0.0, (0, -1), 0.0, id="faces -Y at 0"),
        pytest.param(0.0, (1, 0), math.pi / 2, id="+X is a quarter to the left"),
        pytest.param(0.0, (-1, 0), -math.pi / 2, id="-X is a quarter to the right"),
        pytest.param(3.0, (-0.1, 1), math.pi + math.atan(0.1), id="the shorter way over half a turn"),
        pytest.param(10.0, (0, 0), 10.0, id="no wish, no turn"),
        pytest.param(4 * math.pi, (0, -1), 4 * math.pi, id="whole turns are kept"),
    ],
)
def test_the_heading_is_the_cores_counted_from_the_front_of_blenders_models(heading, move, expected, facing):
    session = PlaySession(WORLD, Settings(facing=facing), FEET, heading)

    session.step(move)
    session.step(move)

    assert session.end[1] == pytest.approx(expected)


@pytest.mark.parametrize("whole_turns", [-2, 0, 3])
def test_a_heading_goes_on_over_half_a_turn(whole_turns):
    before = 2 * math.pi * whole_turns + math.pi - 0.1  # faces +Y, nearly

    after = turned_on(before, FRONT + math.pi + 0.1 - 2 * math.pi)  # the core's own lies in -pi..pi

    assert after == pytest.approx(before + 0.2)
