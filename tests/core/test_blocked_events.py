"""Why a walker was stopped, and how far it fell and stepped: the numbers of events, from the drawing of the level."""

import math
from dataclasses import replace

import numpy as np
import pytest
from builders import box, floor, heading, ramp, stairs, stairs_down, wall
from takes import AHEAD, IDLE, held, take

from levelwalk.core import EventKind, Settings, TriMesh

pytestmark = pytest.mark.slow
SKIN, GRAVITY = 0.02, 9.81
WALKER = Settings()
RATES = [30, 60, 120]
REASONS = (EventKind.TOO_STEEP, EventKind.TOO_HIGH, EventKind.TOO_LOW, EventKind.TOO_NARROW)


def _reasons(walk):
    """Return the kinds of the explanations, each once, in their order."""
    return list(dict.fromkeys(event.kind for event in walk.events(*REASONS)))


def _stopped(*meshes, wish=AHEAD, seconds=1.2, settings=WALKER, start=(0, 0, 0.03), hz=60):
    return take([floor(), *meshes], held(seconds, wish), settings=settings, start=start, hz=hz)


# Too steep


@pytest.mark.parametrize("hz", RATES)
@pytest.mark.parametrize("angle", [46.0, 52.3, 70.0, 80.0])
def test_ground_over_the_slope_limit_is_told_with_its_angle(angle, hz):
    walk = _stopped(ramp(angle), hz=hz)

    assert _reasons(walk) == [EventKind.TOO_STEEP]
    event = walk.first(EventKind.TOO_STEEP)
    assert math.degrees(event.value) == pytest.approx(angle, abs=0.05)
    assert math.degrees(event.limit) == pytest.approx(45.0, abs=1e-9)
    assert event.object == "ramp"
    np.testing.assert_allclose(
        event.normal, (-math.sin(math.radians(angle)), 0, math.cos(math.radians(angle))), atol=1e-3
    )


def test_the_limit_told_is_the_one_set():
    event = _stopped(ramp(40), settings=replace(WALKER, slope_limit=math.radians(30))).first(EventKind.TOO_STEEP)

    assert math.degrees(event.value) == pytest.approx(40, abs=0.05)
    assert math.degrees(event.limit) == pytest.approx(30, abs=1e-9)


def test_a_steep_face_met_at_an_angle_has_the_same_slope():
    event = _stopped(ramp(60), wish=heading(40)).first(EventKind.TOO_STEEP)

    assert math.degrees(event.value) == pytest.approx(60, abs=0.05)


@pytest.mark.parametrize("angle", [10, 30, 44.9])
def test_a_slope_that_is_climbed_is_not_told(angle):
    assert not _stopped(ramp(angle), seconds=1.5).events(*REASONS, EventKind.HIT_WALL)


# Too high


@pytest.mark.parametrize("hz", RATES)
@pytest.mark.parametrize("height", [0.32, 0.42, 0.6, 1.0, 1.5])
def test_a_step_over_the_offset_is_told_with_its_height(height, hz):
    walk = _stopped(box((2, -4, 0), (9, 4, height), "crate"), hz=hz)

    assert _reasons(walk) == [EventKind.TOO_HIGH]
    event = walk.first(EventKind.TOO_HIGH)
    assert event.value == pytest.approx(height, abs=0.005)
    assert event.limit == pytest.approx(0.3, abs=1e-9)
    assert event.object == "crate"
    assert event.position[0] == pytest.approx(2 - 0.32, abs=0.05)


@pytest.mark.parametrize("degrees", [20, 45, 60])
def test_a_step_met_at_an_angle_is_as_high(degrees):
    event = _stopped(box((2, -20, 0), (9, 20, 0.42)), wish=heading(degrees)).first(EventKind.TOO_HIGH)

    assert event.value == pytest.approx(0.42, abs=0.005)


def test_a_step_is_measured_from_what_the_walker_stands_on():
    """A platform of 0.25 m and on it a step of 0.42 m."""
    steps = [box((1, -4, 0), (9, 4, 0.25), "platform"), box((3, -4, 0), (9, 4, 0.67), "crate")]

    event = _stopped(*steps).first(EventKind.TOO_HIGH)

    assert event.value == pytest.approx(0.42, abs=0.005)


def test_a_step_on_a_ramp_is_measured_from_the_ramp():
    """On 20 degrees the crate's top is 0.5 m over the ramp at its front; from where the walker stands, higher still."""
    slope = math.tan(math.radians(20))
    crate = box((5, -4, 0), (8, 4, 3 * slope + 0.5), "crate")

    event = _stopped(ramp(20), crate, seconds=2).first(EventKind.TOO_HIGH)

    carried = 5 - 0.32 + 0.32 * math.sin(math.radians(20))  # where the ramp is touched, ahead of the axis
    lowest = 5 - 0.32  # and where it would be straight under the axis
    top = 3 * slope + 0.5
    assert top - (carried - 2) * slope - 0.005 <= event.value <= top - (lowest - 2) * slope + 0.005


@pytest.mark.parametrize("height", [0.1, 0.3])
def test_a_step_that_is_climbed_is_not_told(height):
    assert not _stopped(box((2, -4, 0), (9, 4, height)), seconds=1.5).events(*REASONS, EventKind.HIT_WALL)


def test_a_plain_wall_is_only_hit():
    walk = _stopped(wall((2, 4), (2, -4), height=6))

    assert _reasons(walk) == []
    assert len(walk.events(EventKind.HIT_WALL)) == 1


# Too low


def _slab(height):
    return box((2, -4, height), (8, 4, height + 3), "slab")


@pytest.mark.parametrize("hz", RATES)
@pytest.mark.parametrize("height", [0.9, 1.2, 1.75, 1.83])
def test_too_little_head_room_is_told_with_its_height(height, hz):
    walk = _stopped(_slab(height), hz=hz)

    assert _reasons(walk) == [EventKind.TOO_LOW]
    event = walk.first(EventKind.TOO_LOW)
    assert event.value == pytest.approx(height, abs=0.005)
    assert event.limit == pytest.approx(1.8 + 2 * SKIN, abs=1e-4)
    assert event.object == "slab"


def test_enough_head_room_is_not_told():
    walk = _stopped(_slab(1.845), seconds=1.5)

    assert not walk.events(*REASONS, EventKind.HIT_WALL)
    assert walk.position[-1, 0] == pytest.approx(6, abs=0.01)


def test_a_door_too_low_is_told():
    """A wall with a lintel at 1.7 m: from under it the walls beside are not what stops."""
    parts = [box((2, 0.5, 0), (2.2, 4, 3), "left"), box((2, -4, 0), (2.2, -0.5, 3), "right")]
    lintel = box((2, -0.5, 1.7), (2.2, 0.5, 3), "lintel")

    event = _stopped(*parts, lintel).first(EventKind.TOO_LOW)

    assert event.value == pytest.approx(1.7, abs=0.005)
    assert event.object == "lintel"


# Too narrow


def _gap(width, y=0.0):
    half = width / 2
    return [box((2, y + half, 0), (8, 4, 3), "left"), box((2, -4, 0), (8, y - half, 3), "right")]


@pytest.mark.parametrize("hz", RATES)
@pytest.mark.parametrize("width", [0.45, 0.55, 0.6, 0.63])
def test_a_gap_too_narrow_is_told_with_its_width(width, hz):
    walk = _stopped(*_gap(width), hz=hz)

    assert _reasons(walk) == [EventKind.TOO_NARROW]
    event = walk.first(EventKind.TOO_NARROW)
    assert event.value == pytest.approx(width, abs=0.005)
    assert event.limit == pytest.approx(2 * (0.3 + SKIN), abs=1e-4)
    assert event.object in ("left", "right")


@pytest.mark.parametrize("pairs", [1, 3])
def test_a_gap_is_as_wide_however_few_contacts_are_compared_at_once(monkeypatch, pairs):
    monkeypatch.setattr("levelwalk.core.character.blocked.PAIRS_AT_ONCE", pairs)

    assert _stopped(*_gap(0.55)).first(EventKind.TOO_NARROW).value == pytest.approx(0.55, abs=0.005)


@pytest.mark.parametrize("y", [-0.1, 0.05])
def test_a_gap_that_is_found_from_beside_is_as_narrow(y):
    """The walker comes 5 or 10 cm off the middle, and slides in between the two corners."""
    events = _stopped(*_gap(0.6, y)).events(EventKind.TOO_NARROW)

    assert events
    assert events[-1].value == pytest.approx(0.6, abs=0.005)


def test_two_posts_too_close_are_a_gap():
    posts = [box((2, 0.27, 0), (2.3, 0.6, 3), "left"), box((2, -0.6, 0), (2.3, -0.27, 3), "right")]

    event = _stopped(*posts).first(EventKind.TOO_NARROW)

    assert event.value == pytest.approx(0.54, abs=0.005)


def test_a_gap_wide_enough_is_not_told():
    walk = _stopped(*_gap(0.65), seconds=1.5)

    assert not walk.events(*REASONS, EventKind.HIT_WALL)
    assert walk.position[-1, 0] == pytest.approx(6, abs=0.01)


# When


def test_each_reason_comes_once_while_the_walker_goes_on_pushing():
    walk = _stopped(box((2, -4, 0), (9, 4, 0.42)), seconds=4)

    assert 1 <= len(walk.events(EventKind.TOO_HIGH)) <= 2  # at the first contact, and at rest if that is another step
    assert len(walk.events(EventKind.HIT_WALL)) == 1


def test_a_wall_that_is_let_go_and_hit_again_is_told_again():
    level = [floor(), box((2, -4, 0), (9, 4, 0.42))]
    again = [part for _ in range(3) for part in (held(1, AHEAD), held(0.3, (-1, 0)))]

    walk = take(level, *again)

    assert len(walk.events(EventKind.HIT_WALL)) == 3
    assert len({event.step // 78 for event in walk.events(EventKind.TOO_HIGH)}) == 3


def test_at_rest_the_reason_is_told_of_what_holds_the_walker():
    """Along a plain wall into a step: the wall at first, and then the step, when the walker comes to a stop."""
    level = [wall((-5, 1), (9, 1), height=5), box((4, -4, 0), (9, 1, 0.42), "crate")]

    walk = _stopped(*level, wish=heading(45), seconds=2)

    assert _reasons(walk) == [EventKind.TOO_HIGH]
    event = walk.events(EventKind.TOO_HIGH)[-1]
    assert event.object == "crate"
    assert event.value == pytest.approx(0.42, abs=0.005)
    stopped = int(np.flatnonzero(walk.strides > 1e-4)[-1])
    assert event.step == pytest.approx(stopped, abs=2)


def test_one_mesh_tells_each_reason_where_it_is():
    """Crate and slab in one object: the reason is that of the place, not of the object."""
    crate, slab = box((2, -4, 0), (9, -1, 0.42)), box((2, 1, 1.7), (9, 4, 5))
    both = TriMesh(
        np.concatenate([crate.vertices, slab.vertices]),
        np.concatenate([crate.triangles, slab.triangles + len(crate.vertices)]),
        "both",
    )

    for y, kind, value in ((-2.5, EventKind.TOO_HIGH, 0.42), (2.5, EventKind.TOO_LOW, 1.7)):
        walk = _stopped(both, start=(0, y, 0.03))
        assert _reasons(walk) == [kind]
        assert walk.first(kind).value == pytest.approx(value, abs=0.005)


# Landing


@pytest.mark.parametrize("hz", RATES)
@pytest.mark.parametrize("height", [0.5, 2.0, 8.0])
def test_a_landing_tells_the_height_of_the_fall_and_the_speed(height, hz):
    fall = take([floor()], held(2), start=(0, 0, height + SKIN), standing=0, hz=hz)

    event = fall.first(EventKind.LANDED)
    assert event.value == pytest.approx(height, rel=0.01)
    assert event.limit == pytest.approx(math.sqrt(2 * GRAVITY * height), rel=0.01)


@pytest.mark.parametrize("hz", RATES)
def test_a_jump_falls_from_its_apex(hz):
    jump = take([floor()], held(1.5, IDLE, "jump"), settings=replace(WALKER, jump_height=1.5), hz=hz)

    event = jump.first(EventKind.LANDED)
    assert event.value == pytest.approx(1.5, rel=0.01)
    assert event.limit == pytest.approx(math.sqrt(2 * GRAVITY * 1.5), rel=0.01)


def test_a_jump_on_to_a_ledge_falls_only_from_the_apex_to_the_ledge():
    level = [floor(), box((1, -4, 0), (9, 4, 0.8), "ledge")]
    jump = take(level, held(1, AHEAD, "jump"), settings=replace(WALKER, jump_height=1.2))

    event = jump.first(EventKind.LANDED)
    assert event.object == "ledge"
    assert event.value == pytest.approx(0.4, abs=0.01)
    assert event.limit == pytest.approx(math.sqrt(2 * GRAVITY * 0.4), abs=0.05)


@pytest.mark.parametrize("hz", RATES)
def test_at_the_terminal_speed_the_impact_has_that_speed(hz):
    fall = take(
        [floor()], held(3), settings=replace(WALKER, terminal_speed=6.0), start=(0, 0, 10.02), standing=0, hz=hz
    )

    event = fall.first(EventKind.LANDED)
    assert event.value == pytest.approx(10.0, rel=0.01)
    assert event.limit == pytest.approx(6.0, rel=0.01)


def test_a_fall_counts_from_where_the_edge_carried_last():
    """The round end rolls over the edge; it cannot hang on it further down than to its middle."""
    level = [floor(), box((-8, -4, 0), (0, 4, 3), "platform")]
    off = take(level, held(1.5, AHEAD), start=(-1, 0, 3.03))

    left = off.first(EventKind.LEFT_GROUND)
    last = off.position[left.step, 2]
    assert 3 - 0.3 <= last <= 3 + SKIN
    assert off.first(EventKind.LANDED).value == pytest.approx(last - SKIN, abs=0.005)


# Steps


@pytest.mark.parametrize("hz", RATES)
@pytest.mark.parametrize(("rise", "run"), [(0.1, 0.3), (0.2, 0.3), (0.3, 0.35)])
def test_each_step_up_and_down_tells_its_height(rise, run, hz):
    up = take([floor(), stairs(6, rise, run)], held(1.5, AHEAD), hz=hz)
    down = take([floor(), stairs_down(6, rise, run)], held(1.5, AHEAD), start=(0, 0, 6 * rise + 0.03), hz=hz)

    rises = [event.value for event in up.events(EventKind.STEPPED_UP)]
    drops = [event.value for event in down.events(EventKind.STEPPED_DOWN)]
    assert sum(rises) == pytest.approx(6 * rise, abs=0.01)
    assert sum(drops) == pytest.approx(6 * rise, abs=0.01)
    np.testing.assert_allclose(rises, rise, atol=0.01)
    np.testing.assert_allclose(drops, rise, atol=0.01)


def test_on_flat_ground_and_on_ramps_there_are_no_steps():
    walk = take([floor(), ramp(30, length=4)], held(2, AHEAD), held(1.5, (-1, 0)))

    assert not walk.events(EventKind.STEPPED_UP, EventKind.STEPPED_DOWN)
