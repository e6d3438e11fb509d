"""Boxes that touch are found, each pair once, however large and small boxes are mixed: beside comparing all of them."""

import numpy as np
import pytest

from levelwalk.core.geometry.grid import SPREAD, Grid


def _boxes(random, count, size, extent=20.0, flat=None):
    low = random.uniform(-extent, extent, (count, 3))
    spans = size * random.uniform(0.2, 1.0, (count, 3))
    if flat is not None:
        spans[:, flat] = 0.0
    return low, low + spans


def _touching(low, high, boxes):
    is_touching = (low[None] <= boxes[1][:, None]).all(axis=2) & (high[None] >= boxes[0][:, None]).all(axis=2)
    return sorted(zip(*(part.tolist() for part in np.nonzero(is_touching)), strict=True))


def _found(grid, boxes):
    return [part.tolist() for part in grid.find(*boxes)]


def _mixed(random):
    kinds = [(300, 0.5, None), (60, 5.0, 0), (60, 5.0, 2), (20, 30.0, None), (3, 200.0, 2)]
    parts = [_boxes(random, count, size, flat=flat) for count, size, flat in kinds]
    return tuple(np.concatenate([part[i] for part in parts]) for i in range(2))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("size", [0.0, 0.4, 3.0, 25.0, 500.0])
def test_the_boxes_that_touch_are_found_each_once(seed, size):
    random = np.random.default_rng(seed)
    low, high = _mixed(random)
    boxes = _boxes(random, 40, size, extent=30.0)

    of, face = _found(Grid.build(low, high), boxes)

    assert sorted(zip(of, face, strict=True)) == _touching(low, high, boxes)
    assert of == sorted(of)


def test_boxes_that_only_share_a_side_touch():
    grid = Grid.build(np.array([[0.0, 0, 0], [1, 0, 0], [5, 0, 0]]), np.array([[1.0, 1, 1], [2, 1, 1], [6, 1, 1]]))

    assert _found(grid, (np.array([[2.0, 0, 0]]), np.array([[5.0, 1, 1]]))) == [[0, 0], [1, 2]]
    assert _found(grid, (np.array([[2.001, 0, 0]]), np.array([[4.999, 1, 1]]))) == [[], []]


def test_no_face_is_entered_in_more_than_a_few_cells():
    random = np.random.default_rng(4)
    low, high = _mixed(random)

    grid = Grid.build(low, high)

    entries = np.bincount(grid.faces, minlength=len(low))
    assert entries.min() >= 1
    assert entries.max() <= (SPREAD + 1) ** 3


def test_a_level_of_nothing_has_nothing_in_it():
    grid = Grid.build(np.zeros((0, 3)), np.zeros((0, 3)))

    assert _found(grid, (np.zeros((2, 3)), np.ones((2, 3)))) == [[], []]


def test_a_level_in_one_point_is_found():
    grid = Grid.build(np.full((3, 3), 7.0), np.full((3, 3), 7.0))

    assert _found(grid, (np.array([[6.0, 6, 6]]), np.array([[7.0, 7, 7]]))) == [[0, 0, 0], [0, 1, 2]]
