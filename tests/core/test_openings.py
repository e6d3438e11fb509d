"""Openings: balls that overlap are of one."""

import numpy as np
import pytest

from levelwalk.core.colliders.openings import count_openings


@pytest.mark.parametrize(
    ("along", "radius", "openings"),
    [
        pytest.param([0, 1.9], [1, 1], 1, id="two that overlap"),
        pytest.param([0, 2.1], [1, 1], 2, id="two apart"),
        pytest.param([0, 4, 2], [1, 1, 1.1], 1, id="two that a third joins"),
        pytest.param(np.arange(200) * 1.9, [1] * 200, 1, id="a long row"),
        pytest.param(np.arange(200) * 2.1, [1] * 200, 200, id="many apart"),
        pytest.param([0, 10, 11, 30], [1, 0.6, 0.6, 5], 3, id="of three sizes"),
        pytest.param([], [], 0, id="none"),
    ],
)
def test_counts_groups_of_balls(along, radius, openings):
    points = np.reshape(along, (-1, 1)) * [[0.0, 0.6, 0.8]]

    found = count_openings(points, np.array(radius, float), np.zeros(len(radius), int), 1)

    assert found.tolist() == [openings]


def test_balls_of_two_hulls_are_never_of_one_opening():
    points = np.array([[0.0, 0, 0], [5, 0, 0], [0, 0, 0]])

    found = count_openings(points, np.ones(3), np.array([2, 2, 0]), 4)

    assert found.tolist() == [1, 0, 2, 0]
