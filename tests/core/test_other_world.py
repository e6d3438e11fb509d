"""A walk goes on in another world: a level that was built anew in the middle of it."""

import numpy as np
import pytest
from builders import box, floor

from levelwalk.core import Command, EventKind, Settings, World, spawn, step

SETTINGS = Settings()
DT = 1 / 60
AHEAD = Command(np.array([[1.0, 0.0]]))
WALL_X = 1.0  # m


def _walk(world, state, steps, command=AHEAD):
    for _ in range(steps):
        state = step(world, SETTINGS, state, command, DT)
    return state


def _wall(name="wall"):
    return box((WALL_X, -5, 0), (WALL_X + 0.2, 5, 3), name)


def test_a_wall_of_the_new_level_stops_the_walker():
    open_, closed = World.build([floor()]), World.build([floor(), _wall()])
    state = _walk(open_, spawn(open_, SETTINGS, (0.0, 0, 0)), 5)

    for _ in range(2):  # the second time the state has been stepped before
        end = _walk(closed, state, 60)

        assert end.position[0, 0] == pytest.approx(WALL_X - SETTINGS.radius - SETTINGS.skin_width, abs=1e-4)


def test_a_wall_that_is_gone_stops_nobody_and_its_number_means_nothing():
    crates = [box((-3, y, 0), (-2, y + 0.5, 1), f"crate{y}") for y in range(4)]
    closed, open_ = World.build([floor(), *crates, _wall()]), World.build([floor()])
    state = _walk(closed, spawn(closed, SETTINGS, (0.0, 0, 0)), 60)
    assert state.walls[0, 0] == 5

    end = _walk(open_, state, 60)

    assert end.position[0, 0] > WALL_X + 1
    assert end.ground_object[0] == 0


def test_who_is_inside_a_wall_of_the_new_level_is_moved_out_and_told():
    open_, closed = World.build([floor()]), World.build([floor(), _wall()])
    state = _walk(open_, spawn(open_, SETTINGS, (WALL_X + 0.1, 0, 0)), 5, Command(np.zeros((1, 2))))

    after = step(closed, SETTINGS, state, Command(np.zeros((1, 2))), DT)

    assert EventKind.OVERLAP in after.events.kind
    assert not closed.overlaps(SETTINGS, after.position)[0]
