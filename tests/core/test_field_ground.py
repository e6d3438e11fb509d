"""Faults that users of character controllers met on tessellated ground, on stairs from rest, and far from the origin.

The numbers C28, C49, ... are those of the collection they were taken from; expected values follow from the geometry.
"""

import math
from dataclasses import replace

import numpy as np
import pytest
from builders import (
    box,
    extruded,
    flipped,
    floor,
    heading,
    moved,
    ramp,
    stair_boxes,
    stairs,
    tessellated,
    walk,
    wall,
)
from takes import AHEAD, IDLE, held, take

from levelwalk.core import Commands, Settings, Support, TriMesh, World, simulate

pytestmark = pytest.mark.slow
SKIN = 0.01
C0 = Settings(skin_width=SKIN, speed=4.0)
RATES = [30, 60, 120, 240]


def grounded(walk):
    """Return which rows are grounded, (s + 1,)."""
    return walk.support == Support.GROUNDED


def _about_y(degrees):
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.array([[c, 0, -s], [0, 1, 0], [s, 0, c]])


# Flat faces in pieces


@pytest.mark.parametrize("other", [False, True], ids=["one diagonal", "the other"])
def test_c28_the_diagonals_of_a_ramp_are_not_followed(other):
    """Three lengths of 20 degrees in squares: straight up, to a millimetre."""
    slope = tessellated((2, -4, 0), (9, 0, 9 * math.tan(math.radians(20))), (0, 8, 0), size=0.958, mode="FACES")
    if other:
        flip = [1.0, -1, 1]
        slope = flipped(TriMesh(slope.vertices * flip, slope.triangles, "ramp", mode="FACES"))

    up = walk([floor(), slope], (2, AHEAD), settings=C0)

    assert np.abs(up.position[:, 1]).max() < 0.001
    assert grounded(up).all()


def test_c29_a_dense_floor_has_no_edges():
    """40,000 squares of 5 cm: no normal but up, and no wall."""
    dense = tessellated((-1, -1, 0), (10, 0, 0), (0, 10, 0), size=0.05, mode="FACES")

    across = walk([dense], (1.6, heading(37)), settings=replace(C0, speed=5.0))

    np.testing.assert_allclose(across.trace.ground_normal[30:, 0], np.tile([0.0, 0, 1], (97, 1)), atol=1e-9)
    assert len(across.trace.events) == 1  # the landing at the start
    np.testing.assert_allclose(across.strides * 60, 5.0, rtol=1e-6)


@pytest.mark.parametrize("degrees", [0, 15, 45, 90, 160, 270])
def test_c30_corridors_meeting_in_a_t_are_one_floor(degrees):
    """Three rectangles of one mesh, whose corners do not meet in the middle."""
    vertices = [
        *[(-9, -1, 0), (9, -1, 0), (9, 1, 0), (-9, 1, 0)],
        *[(-1, -9, 0), (1, -9, 0), (1, -1, 0), (-1, -1, 0)],
        *[(-3, 1, 0), (3, 1, 0), (3, 9, 0), (-3, 9, 0)],
    ]
    quads = [i for k in (0, 4, 8) for i in ((k, k + 1, k + 2), (k, k + 2, k + 3))]
    tee = TriMesh(vertices, quads, "corridors", mode="FACES")

    across = walk([tee], (0.5, heading(degrees)), settings=C0)

    assert np.ptp(across.position[:, 2]) < 1e-6
    np.testing.assert_allclose(across.strides * 60, 4.0, rtol=1e-6)


def test_c35_a_capsule_does_not_sink_at_the_seam_of_tiles():
    """Two sheets of 16 m side by side, crossed at twenty angles, then five seconds at rest on the seam."""
    tiles = [
        tessellated((-16, -8, 0), (16, 0, 0), (0, 16, 0), size=8, name="west", mode="FACES"),
        tessellated((0, -8, 0), (16, 0, 0), (0, 16, 0), size=8, name="east", mode="FACES"),
    ]
    settings, world = replace(C0, radius=0.5), World.build(tiles)
    angles = np.radians(np.linspace(0, 171, 20))
    way = np.column_stack([np.cos(angles), np.sin(angles)])
    start = np.column_stack([-way * 2, np.full(20, SKIN)])
    moves = np.concatenate([np.tile(way, (60, 1, 1)), np.tile(-way, (30, 1, 1)), np.zeros((300, 20, 2))])

    trace = simulate(world, settings, start, Commands(moves), dt=1 / 60)

    assert np.abs(trace.position[1:, :, 2] - SKIN).max() < 1e-4
    assert (trace.support[1:] == Support.GROUNDED).all()
    np.testing.assert_allclose(trace.position[-1, :, :2], 0, atol=1e-6)
    assert np.ptp(trace.position[-290:], axis=0).max() == 0


# Steps


@pytest.mark.parametrize("tilt", [-30, -20, -10, 10, 20, 30])
@pytest.mark.parametrize("degrees", [0, 180, 50], ids=["up", "down", "askew"])
def test_c49_a_kerb_on_a_tilted_floor_is_climbed(degrees, tilt):
    """0.25 m along the floor's normal, less than the step offset."""
    turn = _about_y(tilt)
    level = [box((-30, -30, -1), (30, 30, 0), "floor"), box((2, -30, 0), (5, 30, 0.25), "kerb")]
    level += [box((-5, -30, 0), (-2, 30, 0.25), "kerb behind")]
    tilted = [moved(mesh, turn=turn) for mesh in level]

    over = walk(tilted, (1.2, heading(degrees)), settings=C0, start=(0, 0, 0.1))

    along = over.position[-1] @ turn[:, 0]
    assert abs(along) > 2.3
    assert grounded(over).all()


@pytest.mark.parametrize("hz", [30, 60])
@pytest.mark.parametrize("settings", [C0, Settings(), replace(Settings(), radius=0.5, height=2.0, skin_width=0.08)])
@pytest.mark.parametrize(("rise", "run"), [(0.3, 0.3), (0.2, 0.3), (0.3, 0.5)])
def test_from_rest_anywhere_on_stairs_the_top_is_reached(rise, run, settings, hz):
    """Put down at forty places on the way up, stand, and walk: no place is a trap."""
    places = np.linspace(1.5, 2 + 7.5 * run, 40)
    heights = np.clip(np.ceil((places + settings.radius - 2) / run), 0, 8) * rise
    start = np.column_stack([places, np.zeros(40), heights + 0.1])
    seconds = 1.3
    moves = np.concatenate([np.zeros((hz // 2, 2)), np.tile([1.0, 0], (round(seconds * hz), 1))])

    trace = simulate(World.build([floor(), stairs(8, rise, run)]), settings, start, Commands(moves), dt=1 / hz)

    stuck = places[trace.position[-1, :, 2] < 8 * rise]
    assert len(stuck) == 0, stuck


def test_c52_a_large_step_offset_takes_small_stairs():
    up = walk([floor(), stairs(10, 0.2, 0.3)], (2, AHEAD), settings=replace(C0, step_offset=1.5))

    assert up.position[-1, 2] == pytest.approx(2 + SKIN, abs=0.005)
    assert up.position[-1, 0] == pytest.approx(8, abs=0.3)


@pytest.mark.parametrize(("room", "reached"), [(0.02, 5), (0.1, 5), (-0.05, 4), (-0.25, 3)])
@pytest.mark.parametrize("step", [0.3, 1.5])
def test_c52_stairs_are_climbed_under_a_ceiling_as_far_as_there_is_room(step, room, reached):
    """Stairs of 0.2 m under a flat ceiling, which leaves so much more than the height and its skin over the top."""
    ceiling = box((0, -4, 1 + 1.8 + 2 * SKIN + room), (20, 4, 6), "ceiling")

    up = walk([floor(), stairs(5, 0.2, 0.5), ceiling], (1.6, AHEAD), settings=replace(C0, step_offset=step))

    free = 1 + SKIN + room  # of the feet, under the ceiling
    assert 0.2 * reached + SKIN - 0.001 <= up.position[:, 2].max() <= max(free, 1 + SKIN) + 0.001
    assert (up.position[-1, 0] > 5) == (reached == 5)
    assert up.strides[-10:].max() * 60 == pytest.approx(4.0 if reached == 5 else 0.0, abs=0.01)
    assert up.clearance.min() > 0


def test_c57_stairs_in_one_mesh_keep_their_steps():
    """Five boxes of one object, not one hull over them all."""
    boxes = stair_boxes(5)
    counts = np.cumsum([0] + [len(part.vertices) for part in boxes[:-1]])
    one = TriMesh(
        np.concatenate([part.vertices for part in boxes]),
        np.concatenate([part.triangles + count for part, count in zip(boxes, counts, strict=True)]),
        "stairs",
    )
    together, apart = (walk([floor(), *level], (1.5, AHEAD), settings=C0) for level in ([one], boxes))

    np.testing.assert_allclose(together.position, apart.position, atol=1e-6)


# Numbers


def _scenes():
    """Return levels and wishes that between them touch ground, slopes, walls, corners, stairs and ceilings."""
    yield [floor(), ramp(20), wall((-9, 1), (15, 1))], heading(20)
    yield [floor(), stairs(6, 0.25, 0.3), wall((-9, 1), (12, 1), height=8)], heading(30)
    yield [floor(), extruded([(2, 0), (5, 0), (5, 0.3)], 4), box((4, -4, 2.0), (9, 4, 3))], (1, 0.2)


@pytest.mark.parametrize(("by", "within"), [(1e3, 1e-6), (1e5, 1e-6), (1e6, 1e-5)])
@pytest.mark.parametrize("scene", range(3))
def test_c91_far_from_the_origin_the_way_is_the_same(scene, by, within):
    level, wish = list(_scenes())[scene]
    offset = np.array([by, -by, by / 10])
    near = walk(level, (1.2, wish), settings=C0)
    far = walk([moved(mesh, by=offset) for mesh in level], (1.2, wish), settings=C0, start=offset + (0, 0, 0.03))

    np.testing.assert_allclose(far.position - offset, near.position, atol=within)


def test_c99_a_wall_is_a_floor_for_one_whose_up_it_is():
    """Up along +x, the wall x = 0: it lands, walks, and rests at the skin."""
    settings = replace(C0, up=(1, 0, 0))
    face = box((-1, -20, -20), (0, 20, 20), "wall")
    across = take([face], held(1), held(1, AHEAD), settings=settings, start=(1, 0, 0))

    assert across.is_grounded[30:].all()
    np.testing.assert_allclose(across.position[60:, 0], SKIN, atol=1e-4)
    assert np.linalg.norm(across.position[-1] - across.position[60]) == pytest.approx(4.0, abs=0.01)


def test_c99_inside_a_ball_one_can_walk_on_any_side():
    """A hollow ball of 6 m; feet out along six directions: each lands and stands."""
    rings, sectors = 24, 48
    t, p = np.meshgrid(
        np.linspace(0, math.pi, rings + 1), np.linspace(0, 2 * math.pi, sectors, endpoint=False), indexing="ij"
    )
    points = 6 * np.stack([np.sin(t) * np.cos(p), np.sin(t) * np.sin(p), np.cos(t)], axis=-1).reshape(-1, 3)
    i, j = np.meshgrid(np.arange(rings), np.arange(sectors), indexing="ij")
    a, b = i * sectors + j, i * sectors + (j + 1) % sectors
    quads = np.stack([a, b, b + sectors, a + sectors], axis=-1).reshape(-1, 4)
    ball = TriMesh(points, np.concatenate([quads[:, :3], quads[:, [0, 2, 3]]]), "ball", mode="FACES")
    world = World.build([ball])
    for up in np.concatenate([np.eye(3), -np.eye(3)]):
        settings = replace(C0, up=tuple(up))
        rest = take(world, held(0.3), settings=settings, start=-3 * up, standing=1.5).last
        assert rest.support[0] == Support.GROUNDED, up
        assert -(rest.position[0] @ up) == pytest.approx(6 - SKIN, abs=0.06)


@pytest.mark.parametrize("factor", [0.01, 0.1, 10.0, 100.0])
def test_scaled_with_its_settings_the_walk_is_the_same(factor):
    """Lengths, speeds and gravity times the factor, time as it is."""
    lengths = ("radius", "height", "skin_width", "step_offset", "ground_snap", "speed", "gravity", "jump_height")
    small = replace(C0, **{name: getattr(C0, name) * factor for name in lengths})
    for level, wish in _scenes():
        plain = walk(level, (1.2, wish), settings=C0)
        scaled = [TriMesh(mesh.vertices * factor, mesh.triangles, mesh.name, mode=mesh.mode) for mesh in level]
        other = walk(scaled, (1.2, wish), settings=small, start=(0, 0, 0.03 * factor))
        np.testing.assert_allclose(other.position / factor, plain.position, atol=1e-5)


def test_c92_idle_and_walking_the_drawn_contact_is_the_floor():
    for state in take([floor()], held(0.2), held(0.5, AHEAD), held(0.2, IDLE), settings=C0).states:
        assert state.ground_point[0, 2] == pytest.approx(0, abs=1e-6)
        assert state.position[0, 2] <= SKIN + 1e-4
