"""A state that was written away and read again, as a script does that passes walks on to other processes."""

import copy
import pickle

import numpy as np
import pytest
from builders import box, floor, ramp

from levelwalk.core import Command, LedgeGuard, Settings, World, spawn, step

SETTINGS = Settings(ledge_guard=LedgeGuard.SLIDE)
DT = 1 / 60
STARTS = np.array([[0.0, 0, 0.02], [0, 1, 0.02], [0, -1, 0.02]])
COMMAND = Command(np.tile([1.0, 0.2], (3, 1)))
LEVEL = [floor(), box((1, -5, 0), (1.2, 0, 3)), ramp(20)]


@pytest.fixture(scope="module")
def world():
    return World.build(LEVEL)


def _walk(world, state, steps):
    for _ in range(steps):
        state = step(world, SETTINGS, state, COMMAND, DT)
    return state


def test_a_state_is_written_without_the_level(world):
    written = pickle.dumps(_walk(world, spawn(world, SETTINGS, STARTS), 20))

    assert b"Features" not in written
    assert len(written) < 1000 * len(STARTS) + 1000


@pytest.mark.parametrize("passed_on", [lambda state: pickle.loads(pickle.dumps(state)), copy.deepcopy])
def test_the_walk_goes_on_as_it_would_have(world, passed_on):
    state = _walk(world, spawn(world, SETTINGS, STARTS), 20)

    here, there = _walk(world, state, 40), _walk(world, passed_on(state), 40)

    np.testing.assert_allclose(there.position, here.position, atol=1e-9)
    assert there.support.tolist() == here.support.tolist()
    assert there.ground_object.tolist() == here.ground_object.tolist()
