"""Triangle boxes: the nearest of many triangles is that of looking at all."""

import numpy as np
import pytest
import trimesh

from levelwalk.core.colliders.triangle_boxes import TriangleBoxes


def soup(random, count, size):
    """Return triangles (count, 3, 3) within 10 m, `size` m large."""
    return random.uniform(-10, 10, (count, 1, 3)) + random.uniform(-size, size, (count, 3, 3))


@pytest.mark.parametrize("counts", [(1,), (1, 7, 1), (16, 17, 129), (3, 1500, 1, 40), (9000, 5)])
@pytest.mark.parametrize("size", [0.1, 5.0])
@pytest.mark.parametrize("away", [0.0, 1e5])
def test_finds_what_is_nearest_of_all(counts, size, away):
    random = np.random.default_rng(len(counts))
    meshes = [soup(random, count, size) + away for count in counts]
    points = random.uniform(-15, 15, (60, 3)) + away
    mesh = random.integers(0, len(counts), len(points))
    starts = np.cumsum([0, *counts])
    boxes = TriangleBoxes.around(np.concatenate(meshes), starts)

    distance, row = boxes.nearest(points, mesh, starts[mesh][:, None])

    for i, some in enumerate(meshes):
        of_mesh = mesh == i
        surface = trimesh.Trimesh(some.reshape(-1, 3), np.arange(3 * len(some)).reshape(-1, 3), process=False)
        expected = trimesh.proximity.closest_point_naive(surface, points[of_mesh])[1]
        np.testing.assert_allclose(distance[of_mesh], expected, atol=1e-14 * max(away, 100))
        assert (starts[i] <= boxes.order[row[of_mesh]]).all() and (boxes.order[row[of_mesh]] < starts[i + 1]).all()
    for point, apart, given in zip(points, distance, boxes.order[row], strict=True):
        one = trimesh.Trimesh(np.concatenate(meshes)[given], [(0, 1, 2)], process=False)
        at = trimesh.proximity.closest_point_naive(one, [point])[1][0]
        assert at == pytest.approx(apart, abs=1e-14 * max(away, 100))


def test_a_guess_that_is_the_nearest_is_kept():
    corners = soup(np.random.default_rng(0), 200, 1.0)
    boxes = TriangleBoxes.around(corners, np.array([0, 200]))
    middles = boxes.corners.mean(axis=1)

    distance, _ = boxes.nearest(middles, np.zeros(200, int), np.arange(200)[:, None])

    np.testing.assert_allclose(distance, 0, atol=1e-12)
