"""The gym shows what settings can do: its rows are passed and not passed where the numbers say."""

import math

import numpy as np
import pytest

from levelwalk.core import Commands, Settings, World, simulate
from levelwalk.core.samples import gym_level as gym

WORLD = World.build(gym.gym_level())
SETTINGS = Settings(jump_height=1.0)


def _walk(names: list[str], settings: Settings, seconds: float = 2.0) -> np.ndarray:
    """Walk towards +X in the middle of each named object's lane; return how far and how high each came, (n, 2)."""
    meshes = {mesh.name: mesh for mesh in gym.gym_level()}
    middles = [(meshes[name].vertices[:, 1].min() + meshes[name].vertices[:, 1].max()) / 2 for name in names]
    start = np.column_stack([np.full(len(names), 2.5), middles, np.full(len(names), 0.02)])
    trace = simulate(WORLD, settings, start, Commands(np.tile([1.0, 0.0], (round(seconds * 60), 1))))
    return trace.position.max(axis=0)[:, [0, 2]]


def test_the_report_of_the_gym_is_clean():
    assert WORLD.report.lines() == []
    assert len(WORLD.names) == len(set(WORLD.names)) == 1 + 21 + 10 + 6 + 7 + 6 + 4 + 1


@pytest.mark.parametrize("limit", [30, 45, 60])
def test_the_lanes_up_to_the_slope_limit_are_climbed(limit):
    ends = _walk([f"Slope {degrees:g}" for degrees in gym.SLOPES], Settings(slope_limit=math.radians(limit)))

    climbed = ends[:, 1] > 0.5
    expected = [0 < degrees <= limit for degrees in gym.SLOPES]
    assert climbed.tolist() == expected


def test_the_steps_up_to_the_step_offset_are_climbed():
    ends = _walk([f"Step {height:g}" for height in gym.STEP_HEIGHTS], SETTINGS)

    expected = [height + 0.02 if height <= 0.3 else 0.02 for height in gym.STEP_HEIGHTS]
    np.testing.assert_allclose(ends[:, 1], expected, atol=1e-3)


def test_the_ceilings_let_through_who_is_low_enough():
    """A height of 1.8 m needs 1.84 m with its skin on both sides."""
    ends = _walk([f"Ceiling {height:g}" for height in gym.CEILINGS], SETTINGS)

    assert (ends[:, 0] > gym.LINE + 1).tolist() == [height >= 1.84 for height in gym.CEILINGS]


def test_the_doors_let_through_who_is_narrow_enough():
    """A radius of 0.3 m needs 0.64 m with its skin on both sides, and a hair more for going in straight."""
    ends = _walk([f"Door {width:g}" for width in gym.DOORS], SETTINGS)

    passed = (ends[:, 0] > gym.LINE + 1).tolist()
    assert passed == [False, False, passed[2], True, True, True]


def test_the_ladder_and_the_ledges_are_climbed_by_who_can():
    names = ["Ladder", *(f"Ledge {height:g}" for height in gym.LEDGES)]
    able = _walk(names, Settings(mantle_height=1.6), seconds=2.2)
    unable = _walk(names, Settings(climb_speed=0.0), seconds=2.2)

    np.testing.assert_allclose(able[1:, 1], [0.82, 1.22, 1.62, 0.02], atol=0.02)
    assert able[0, 1] == pytest.approx(3.02, abs=0.15)  # it comes over the top with a little hop
    np.testing.assert_allclose(unable[:, 1], 0.02, atol=1e-3)
