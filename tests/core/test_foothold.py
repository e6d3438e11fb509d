"""Where it is said that nothing near carries, casts from everywhere about find nothing that does."""

import numpy as np
import pytest
from builders import box, floor, ramp
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from levelwalk.core import Command, Settings, TriMesh, World, spawn
from levelwalk.core.character.around import find_needed, near_enough
from levelwalk.core.character.crouch import spans_of
from levelwalk.core.character.foothold import has_foothold, has_ground_above
from levelwalk.core.character.step import _begin
from levelwalk.core.geometry.body import Body
from levelwalk.core.geometry.cast import cast

SETTINGS = Settings(mantle_height=1.2)
LANE = np.array([0])


def _stride(*meshes, feet=(0.0, 0.0, 0.02)):
    """Return the world and the stride of a walker with its feet there, with as much around it as at a wall."""
    world = World.build(list(meshes))
    state = spawn(world, SETTINGS, feet)
    body, spans = Body.with_skin(SETTINGS), spans_of(SETTINGS, state.memory)
    needed = find_needed(SETTINGS, state, Command(np.zeros((1, 2))), 1 / 60)
    gathered = near_enough(world, SETTINGS, body, spans, state, needed, 1 / 60, None, LANE)
    return world, _begin(world, SETTINGS, body, gathered, needed, state, state.memory, 1 / 60)


def _has(stride, reach=0.05, low=0.004, high=0.6, aside=0.0):
    at = stride.offset + np.array([[aside], [0.0], [0.0]])
    z = stride.offset[2]
    return bool(has_foothold(stride.near, SETTINGS.slope_limit, at, np.array([reach]), z + low, z + high)[0])


def _is_found(stride, reach, low, high):
    """Lower the capsule all about its place, and return whether something walkable stops it above `low`."""
    start = stride.offset.copy()
    for radius in np.linspace(0, reach, 4):
        for turn in np.linspace(0, 2 * np.pi, 12, endpoint=False):
            at = start + np.array([[radius * np.cos(turn)], [radius * np.sin(turn)], [high]])
            down = np.array([[0.0], [0.0], [low - high]])
            hits = cast(stride.near, at, down, LANE)
            met = np.flatnonzero((hits.found_normal[2] > 1e-3) & (hits.found_fraction < 1))
            rows, normal = hits.found_rows[met], hits.found_normal[:, met]
            first = hits.found_fraction[met] <= hits.fraction[0] + 1e-9
            if stride.judge(rows, normal).is_walkable[first].any():
                return True
    return False


def _tall_wall():
    """A wall of many triangles with none of its edges upright or level."""
    x, y, z = 0.32, np.linspace(-3, 3, 7), np.linspace(-1, 4, 6)
    points = np.array([(x, a + 0.1 * c, c + 0.05 * a) for a in y for c in z])
    quads = [(i * 6 + k, (i + 1) * 6 + k, (i + 1) * 6 + k + 1, i * 6 + k + 1) for i in range(6) for k in range(5)]
    return TriMesh(points, np.array([t for a, b, c, d in quads for t in ((a, c, b), (a, d, c))]), "wall")


def test_a_tall_wall_of_many_triangles_on_a_floor_has_nothing_to_stand_on():
    _, stride = _stride(floor(), _tall_wall())

    assert not _has(stride)
    assert not _has(stride, reach=0.0, low=0.35, high=1.2, aside=0.33)


@pytest.mark.parametrize(("height", "found"), [(0.01, True), (0.3, True), (0.59, True), (0.95, False)])
def test_a_block_is_found_up_to_where_the_walker_may_get(height, found):
    _, stride = _stride(floor(), box((0.35, -1, 0), (2, 1, height)))

    assert _has(stride) == found


def test_level_ground_is_not_found_and_a_slope_is():
    assert not _has(_stride(floor())[1])
    assert _has(_stride(ramp(20), feet=(3.0, 0.0, 0.37))[1], low=-0.1)


def test_a_wall_as_high_as_the_walker_has_ground_above_and_a_higher_one_has_not():
    way = np.array([[0.4], [0.0], [0.0]])
    for height, found in ((0.36, True), (1.7, True), (3.0, False)):
        world, stride = _stride(floor(), box((0.35, -1, 0), (2, 1, height)))
        assert bool(has_ground_above(world, stride, LANE, way, SETTINGS.step_offset, SETTINGS.height)[0]) == found


place = st.floats(-0.6, 0.6)
blocks = st.lists(st.tuples(place, place, st.floats(-0.3, 0.7), st.floats(0.02, 0.5), st.floats(-60, 60)), max_size=4)


@given(blocks, st.floats(0.0, 0.2), st.floats(0.002, 0.3), st.floats(0.31, 0.8))
@hypothesis_settings(max_examples=150, deadline=None)
def test_what_is_not_found_is_not_there(parts, reach, low, high):
    meshes = [floor()]
    for x, y, z, size, lean in parts:
        mesh = box((-size, -size, -0.1), (size, size, 0.1))
        turn, cos, sin = mesh.vertices.copy(), np.cos(np.radians(lean)), np.sin(np.radians(lean))
        turn[:, 0], turn[:, 2] = (
            mesh.vertices[:, 0] * cos - mesh.vertices[:, 2] * sin,
            mesh.vertices[:, 0] * sin + mesh.vertices[:, 2] * cos,
        )
        meshes.append(TriMesh(turn + (x, y, z), mesh.triangles, "part"))
    _, stride = _stride(*meshes)

    if not _has(stride, reach, low, high):
        assert not _is_found(stride, reach, low, high)
