"""What is gathered around walkers and kept: nothing that a walker may touch is missed, whatever is gathered anew."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from builders import box, floor, ramp, sheet

from levelwalk.core import Command, Settings, World, spawn, step
from levelwalk.core.geometry.body import Body
from levelwalk.core.geometry.cast import cast
from levelwalk.core.geometry.gathered import Gathered
from levelwalk.core.geometry.near import gather

SETTINGS = Settings()
BODY = Body.with_skin(SETTINGS)
LANES, ROOM = 12, 0.6  # m


def _level(random):
    crates = [box(low, low + random.uniform(0.1, 1, 3)) for low in random.uniform((-3, -3, 0), (3, 3, 1), (40, 3))]
    return World.build([floor(5), ramp(20, 2, 1), *crates])


def _gather(world, origin, across=ROOM, along=ROOM):
    n = len(origin)
    spans = np.full(n, SETTINGS.span)
    return gather(world.features, world.grid, BODY, spans, origin, np.full(n, across), np.full(n, along))


def _hits(near, offset, way):
    hits = cast(near, offset, way, np.arange(offset.shape[1]))
    features = np.full(len(hits.row), -1)
    features[hits.row >= 0] = near.feature(hits.row[hits.row >= 0])
    return hits.fraction, features


def _starts(random, n):
    return random.uniform((-3, -3, 0.4), (3, 3, 1.5), (n, 3))


@pytest.mark.parametrize("seed", range(4))
def test_what_was_gathered_bit_by_bit_is_hit_as_what_is_gathered_at_once(seed):
    random = np.random.default_rng(seed)
    world, origin = _level(random), _starts(random, LANES)
    gathered = Gathered.of(_gather(world, origin))
    for _ in range(24):
        lanes = random.choice(LANES, random.integers(1, LANES), replace=False)
        origin[lanes] = _starts(random, len(lanes))
        gathered = gathered.renewed(lanes, _gather(world, origin[lanes]))
        offset, way = random.uniform(-0.2, 0.2, (2, 3, LANES))
        near = gathered.close(offset, np.hypot(way[0], way[1]), np.abs(way[2]))

        for found, expected in zip(_hits(near, offset, way), _hits(_gather(world, origin), offset, way), strict=True):
            np.testing.assert_array_equal(found, expected)


def test_some_walkers_have_what_they_have_among_all():
    random = np.random.default_rng(5)
    world, origin = _level(random), _starts(random, LANES)
    gathered = Gathered.of(_gather(world, origin)).renewed(np.array([3, 7]), _gather(world, origin[[3, 7]]))
    lanes = np.array([7, 2, 11])
    way = random.uniform(-0.4, 0.4, (3, 3))

    near = gathered.around(lanes, np.full(3, ROOM), np.full(3, ROOM))

    np.testing.assert_array_equal(near.origin, origin[lanes])
    at = np.zeros((3, 3))
    for found, expected in zip(_hits(near, at, way), _hits(_gather(world, origin[lanes]), at, way), strict=True):
        np.testing.assert_array_equal(found, expected)


def test_what_was_overwritten_or_is_in_use_is_gathered_once_more():
    random = np.random.default_rng(6)
    world, origin = _level(random), _starts(random, LANES)
    before = Gathered.of(_gather(world, origin))

    assert before.taken(world.grid) is not before  # whoever gathers uses it first
    before.give_back()
    assert before.taken(world.grid) is before
    assert before.taken(world.grid) is not before
    after = before.renewed(np.array([4]), _gather(world, _starts(random, 1)))
    after.give_back()
    again = before.taken(world.grid)
    assert after.taken(world.grid) is after

    way = random.uniform(-0.2, 0.2, (3, LANES))
    near = again.close(np.zeros((3, LANES)), np.hypot(way[0], way[1]), np.abs(way[2]))
    for found, expected in zip(_hits(near, 0 * way, way), _hits(_gather(world, origin), 0 * way, way), strict=True):
        np.testing.assert_array_equal(found, expected)


def test_what_many_walkers_leave_behind_does_not_pile_up():
    random = np.random.default_rng(7)
    world, origin = _level(random), _starts(random, LANES)
    gathered = Gathered.of(_gather(world, origin))
    most = 0
    for _ in range(200):
        lanes = random.choice(LANES, 4, replace=False)
        gathered = gathered.renewed(lanes, _gather(world, _starts(random, 4)))
        most = max(most, int(gathered.places.count.sum()))

    assert len(gathered.store.pieces.lane) <= 3 * most


def test_a_place_of_many_pieces_is_given_back_when_walkers_leave_it():
    random = np.random.default_rng(11)
    crates = [box(low, low + 0.02) for low in random.uniform((-0.5, -0.5, 0), (0.5, 0.5, 1), (2000, 3))]
    world, lanes = World.build([floor(half=60.0), *crates]), np.arange(LANES)
    gathered = Gathered.of(_gather(world, np.zeros((LANES, 3))))
    many = gathered.store.used

    for _ in range(2):  # one after the other, and then once more
        for lane in lanes:
            gathered = gathered.renewed(lanes[lane : lane + 1], _gather(world, np.array([[40.0, lane, 0.3]])))

    assert many > 10_000
    assert gathered.store.used < 2000


def _walk_on(world, state, command, steps):
    for _ in range(steps):
        state = step(world, SETTINGS, state, command, 1 / 60)
    return state.position


def test_an_earlier_state_goes_on_as_it_did_before():
    """Also from several threads at once: what one step keeps, no other overwrites while it is used."""
    world = _level(np.random.default_rng(8))
    state = spawn(world, SETTINGS, _starts(np.random.default_rng(9), LANES))
    command = Command(move=np.random.default_rng(10).uniform(-1, 1, (LANES, 2)))
    state = step(world, SETTINGS, state, command, 1 / 60)  # has gathered what all go on from
    ends = [_walk_on(world, state, command, 40) for _ in range(2)]
    with ThreadPoolExecutor(4) as pool:
        ends += pool.map(lambda _: _walk_on(world, state, command, 40), range(8))

    for end in ends[1:]:
        np.testing.assert_array_equal(end, ends[0])


@pytest.mark.parametrize("beyond, is_met", [(-1e-6, True), (0.01, False)])
@pytest.mark.parametrize("turn", [0.0, 0.3, 1.0])
def test_a_wall_is_gathered_where_the_way_reaches_it_and_not_beyond(beyond, is_met, turn):
    ahead, aside = (np.cos(turn), np.sin(turn)), np.array([-np.sin(turn), np.cos(turn), 0.0])
    middle = np.array([*ahead, 0.0]) * (BODY.radius + ROOM + beyond)
    world = World.build([sheet(middle - 4 * aside - (0, 0, 5), 8 * aside, (0, 0, 10))])

    near = _gather(world, np.zeros((1, 3)))

    assert bool(len(near.lane)) == is_met
    if is_met:
        hits = cast(near, np.zeros((3, 1)), ROOM * np.array([[*ahead, 0.0]]).T, np.array([0]))
        assert hits.fraction[0] == pytest.approx(1 + beyond / ROOM, abs=1e-9)
