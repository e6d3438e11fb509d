"""Solids: closed objects that count from outside alone, and push out who starts inside."""

import numpy as np
import pytest
from builders import BASE, box, floor
from concave import block, is_in
from takes import AHEAD, held, take

from levelwalk.core import EventKind, Settings, TriMesh, World

RADIUS, SKIN = BASE.radius, BASE.skin_width
REST = RADIUS + SKIN


# A room of 6 m with walls a metre thick, and a door 2 m wide in its east wall; an L; a block with a slot.
ROOM = [(-4, -4), (4, -4), (4, -1), (3, -1), (3, -3), (-3, -3), (-3, 3), (3, 3), (3, 1), (4, 1), (4, 4), (-4, 4)]
ELL = [(0, 0), (6, 0), (6, 3), (3, 3), (3, 6), (0, 6)]
SLOTTED = [(-4, -4), (4, -4), (4, 4), (0.1, 4), (0.1, -1), (-0.1, -1), (-0.1, 4), (-4, 4)]


def put(mesh, start, seconds=0.5):
    return take([floor(), mesh], held(seconds), start=start, standing=0)


@pytest.mark.parametrize(
    ("start", "end"),
    [
        pytest.param((-3.3, 0.4), (-3 + REST, 0.4), id="wall, nearer to the inside"),
        pytest.param((-3.7, 0.4), (-4 - REST, 0.4), id="wall, nearer to the outside"),
        pytest.param((0.5, 3.2), (0.5, 3 - REST), id="another wall"),
        pytest.param((0, 0), (0, 0), id="in the room"),
        pytest.param((3.5, 0), (3.5, 0), id="in the door"),
    ],
)
def test_who_starts_in_the_wall_of_a_room_is_pushed_out_of_the_wall(start, end):
    out = put(block(ROOM, 0, 3), (*start, 0.03))

    np.testing.assert_allclose(out.position[-1], (*end, SKIN), atol=2e-3)
    overlaps = out.events(EventKind.OVERLAP)
    assert [event.object for event in overlaps] == (["block"] if start != end else [])
    if start != end:
        assert overlaps[0].value == pytest.approx(np.hypot(*np.subtract(end, start)) - SKIN, abs=1e-3)


@pytest.mark.parametrize(
    ("start", "end"),
    [
        pytest.param((1.2, 4.5), (-REST, 4.5), id="in one arm"),
        pytest.param((4.5, 1.8), (4.5, 3 + REST), id="in the other, nearer to the notch"),
        pytest.param((1.4, 1.6), (-REST, 1.6), id="in the elbow"),
    ],
)
def test_who_starts_in_the_middle_of_a_concave_block_is_pushed_out(start, end):
    out = put(block(ELL, 0, 9), (*start, 0.03))

    np.testing.assert_allclose(out.position[-1], (*end, SKIN), atol=2e-3)


def test_the_way_out_ends_where_there_is_room():
    """The slot of 0.2 m is nearest, and too narrow: out goes the way to the side of the block."""
    out = put(block(SLOTTED, 0, 9), (1.5, 1.2, 0.03))

    np.testing.assert_allclose(out.position[-1], (4 + REST, 1.2, SKIN), atol=2e-3)


@pytest.mark.parametrize(("top", "end"), [(1.0, (1.5, 1.4, 1 + SKIN)), (9, (1.5, -REST, -0.4))])
def test_the_underside_is_no_way_out(top, end):
    """It is nearest, and there may be no ground below: out goes the way over the top, or to a side."""
    out = take([block(ELL, -0.5, top)], held(1 / 60), start=(1.5, 1.4, -0.4), standing=0)

    np.testing.assert_allclose(out.position[-1], end, atol=5e-3)


def test_solids_stop_from_outside():
    walk = take([floor(), block(ELL, 0, 3)], held(1.5, AHEAD), start=(-2, 1, 0.03))
    fall = take([block(ELL, 0, 3)], held(0.6), start=(1, 5, 3.5))

    assert walk.position[-1, 0] == pytest.approx(-REST, abs=1e-3)
    assert fall.position[-1, 2] == pytest.approx(3 + SKIN, abs=1e-3)


@pytest.mark.parametrize("turn", [0.0, 0.3], ids=["axis-parallel", "turned"])
def test_inside_is_told_by_the_outline(turn):
    """Also straight under corners, edges and diagonals of the top, where a ray meets several faces at once."""
    c, s = np.cos(turn), np.sin(turn)
    spin = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    room = block(ROOM, 0, 3)
    world = World.build([TriMesh(room.vertices @ spin.T, room.triangles, mode="FACES", sides="SOLID")])
    x, y = (part.ravel() for part in np.meshgrid(np.linspace(-4.75, 4.75, 39), np.linspace(-4.75, 4.75, 39)))
    margin = 0.2
    corners = [(x + dx, y + dy) for dx in (-margin, margin) for dy in (-margin, margin)]
    hits = np.array([[is_in(px, py, ROOM) for px, py in zip(*corner, strict=True)] for corner in corners])
    clear = hits.all(axis=0) | ~hits.any(axis=0)  # nearer to a wall the surface itself is touched
    small = Settings(radius=0.1, height=0.2)
    feet = np.column_stack([x, y, np.full(len(x), 1.2)])[clear] @ spin.T

    np.testing.assert_array_equal(world.overlaps(small, feet), hits.all(axis=0)[clear])
    assert hits.all(axis=0)[clear].sum() > 100


def test_depth_in_a_solid_is_the_way_out():
    world = World.build([block(ELL, 0, 9)])

    clearance = world.clearance(Settings(radius=0.3, height=1.8), [(1.2, 4.5, 4), (1.2, 4.5, 9.5)], 1.0)

    np.testing.assert_allclose(clearance, (-1.5, 0.5), atol=1e-6)


def test_without_an_inside_the_faces_count_from_the_front():
    """A room without a roof is no solid: in its wall nothing holds, as behind any one-sided sheet."""
    room = block(ROOM, 0, 3)
    top = np.flatnonzero((room.vertices[room.triangles][:, :, 2] == 3).all(axis=1))
    open_room = TriMesh(room.vertices, np.delete(room.triangles, top, 0), "room", mode="FACES", sides="SOLID")

    out = take([floor(), open_room], held(0.3), start=(-3.5, 0.4, 0.03))

    np.testing.assert_allclose(out.position[-1], (-3.5, 0.4, SKIN), atol=1e-3)


def test_solid_boxes_behave_as_the_hulls_they_are():
    plain = box((-1, -1, 0), (1, 1, 4))
    solid = TriMesh(plain.vertices, plain.triangles, "block", mode="FACES", sides="SOLID")

    for start in [(0.3, 0, 0.03), (0.9, 0.2, 1.0), (0.6, -0.5, 3)]:
        one, other = put(plain, start), put(solid, start)
        np.testing.assert_allclose(one.position[-1], other.position[-1], atol=1e-4)
