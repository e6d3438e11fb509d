"""The play session: fixed steps behind an uneven display, a jump that is never lost, and the walk it records."""

import math

import numpy as np
import pytest

pytest.importorskip("bpy")
from builders import box, floor

from levelwalk.core import EventKind, Settings, Support, World, simulate
from levelwalk.operators.session import LONGEST_FRAME, STEP, TURN_RATE, PlaySession, turn, turn_along

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


def test_a_jump_pressed_between_steps_comes_with_the_next_one(session):
    session.advance(STEP * 1.5)
    session.press_jump()
    assert not session.advance(STEP * 0.25)
    kinds = [event.kind for event in session.advance(STEP * 0.5)]

    assert EventKind.JUMPED in kinds
    assert session.take().commands.jump[:, 0].tolist() == [False, True]


def test_a_jump_pressed_once_is_one_jump(session):
    session.press_jump()
    session.press_jump()
    session.advance(STEP * 3)

    assert session.take().commands.jump[:, 0].tolist() == [True, False, False]


def test_what_is_drawn_lies_between_the_last_two_steps(session):
    session.advance(STEP * 2, EAST)
    session.advance(STEP * 0.25, EAST)

    # Accelerating at once, each step goes speed x step. The picture is a step behind, and a quarter of one further.
    np.testing.assert_allclose(session.position[0] - FEET[0], 1.25 * SETTINGS.speed * STEP, rtol=1e-6)
    assert session.heading == pytest.approx(1.25 * TURN_RATE * STEP)


def test_before_the_first_step_the_start_is_drawn(session):
    session.advance(STEP / 2)

    np.testing.assert_array_equal(session.position, FEET)


def test_running_is_faster(session):
    session.advance(STEP, EAST, is_running=True)

    assert session.speed == pytest.approx(SETTINGS.run_speed, rel=1e-6)
    assert session.support is Support.GROUNDED


def test_the_recorded_walk_is_what_the_core_simulates_from_its_commands(session):
    for index in range(60):
        if index == 20:
            session.press_jump()
        angle = index / 10
        session.step((math.cos(angle), math.sin(angle)), is_running=index > 40)
    take = session.take()

    trace = simulate(WORLD, SETTINGS, FEET, take.commands, dt=take.dt)
    np.testing.assert_array_equal(take.position, trace.position[:, 0])
    np.testing.assert_array_equal(take.support, trace.support[:, 0])
    np.testing.assert_array_equal(take.heading, turn_along(0.0, take.commands.move[:, 0], STEP))


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

    assert EventKind.OVERLAP in [event.kind for event in events]
    assert session.left_object == "Block"
    assert session.last_move > 0.2
    assert not world.overlaps(SETTINGS, session.state.position)[0]


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
def test_the_heading_turns_to_the_wish(heading, move, expected):
    assert turn(heading, np.array(move, float), 1.0) == pytest.approx(expected)


def test_the_heading_turns_no_faster_than_the_turn_rate():
    assert turn(0.0, np.array([1.0, 0.0]), 0.01) == pytest.approx(0.01 * TURN_RATE)
    assert turn(0.0, np.array([-1.0, 0.0]), 0.01) == pytest.approx(-0.01 * TURN_RATE)
