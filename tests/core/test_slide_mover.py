"""Slide mover: an exact displacement along all that is in the way, with a gap that no speed gets through."""

import itertools
import math
from dataclasses import replace

import numpy as np
import oracle
import pytest
from builders import box, corners_of, flipped, floor, heading, hull, sheet, tessellated, wall

from levelwalk.core import Settings, TriMesh, World
from levelwalk.core.character.mover import move
from levelwalk.core.wander import wander

RADIUS, GAP = 0.5, 0.05
MOVER = Settings(radius=RADIUS, height=2.0, skin_width=GAP)
FEET = np.array([0.0, 0, 1.0])  # in the middle of the air
REST = RADIUS + GAP  # of the axis from a wall


def _world(*meshes):
    return World.build(meshes)


def _wall_at(x, half=60.0):
    """Return a wall across the way along +x, whose front is at `x`."""
    return wall((x, half), (x, -half), height=20)


@pytest.mark.parametrize("meshes", [[], [_wall_at(0.55)], [floor(z=1 - GAP)]], ids=["nothing", "wall", "floor"])
def test_no_displacement_does_nothing(meshes):
    moved = move(_world(*meshes), MOVER, FEET, (0, 0, 0))

    np.testing.assert_array_equal(moved.position[0], FEET)
    assert moved.count[0] == 0
    assert moved.is_done.all()


@pytest.mark.parametrize("way", [(3, 0, 0), (0, 0, -0.5), (1, -2, 0.5), (1e-5, 0, 0), (500, 100, 30)], ids=str)
def test_in_the_open_the_displacement_is_exact(way):
    moved = move(_world(_wall_at(2000)), MOVER, FEET, way)

    np.testing.assert_allclose(moved.position[0], FEET + way, rtol=0, atol=1e-12)


@pytest.mark.parametrize("degrees", [5, 30, 45, 60, 85])
def test_at_an_angle_the_part_along_the_wall_is_kept(degrees):
    """From the gap on, a metre at an angle of so many degrees to the wall brings its cosine along it."""
    along = wall((-20, REST), (20, REST), height=20)

    moved = move(_world(along), MOVER, FEET, (*heading(degrees), 0))

    np.testing.assert_allclose(moved.position[0], FEET + (math.cos(math.radians(degrees)), 0, 0), atol=1e-4)
    assert moved.count[0] == 1
    np.testing.assert_allclose(moved.normal[0], (0, -1, 0), atol=1e-9)


@pytest.mark.parametrize("distance", [0.01, 0.3, 2.0])
def test_before_and_after_the_wall_the_way_is_straight(distance):
    """Two metres at 30 degrees to a wall that is `distance` away from the gap."""
    along = wall((-20, REST + distance), (20, REST + distance), height=20)

    moved = move(_world(along), MOVER, FEET, np.array([*heading(30), 0]) * 2)

    expected = (2 * math.cos(math.radians(30)), min(distance, 2 * math.sin(math.radians(30))), 0)
    np.testing.assert_allclose(moved.position[0], FEET + expected, atol=1e-4)


@pytest.mark.parametrize("length", [0.2, 1.0, 3.0, 50.0, 1000.0])
@pytest.mark.parametrize(
    "front",
    [
        pytest.param(_wall_at(2), id="box"),
        pytest.param(sheet((2, -30, -30), (0, 60, 0), (0, 0, 60)), id="sheet"),
        pytest.param(flipped(sheet((2, -30, -30), (0, 60, 0), (0, 0, 60))), id="sheet from behind"),
        pytest.param(tessellated((2, -3, -3), (0, 6, 0), (0, 0, 6)), id="tiles"),
    ],
)
def test_head_on_it_stops_at_the_gap(front, length):
    moved = move(_world(front), MOVER, FEET, (length, 0, 0))

    np.testing.assert_allclose(moved.position[0], FEET + (min(length, 2 - REST), 0, 0), atol=1e-4)


@pytest.mark.parametrize("opening", [60, 90, 135])
def test_in_an_inside_corner_it_stops_and_stays(opening):
    """Two walls meeting at (3, 0): the axis rests where both are at the gap, however often it is pushed on."""
    half = math.radians(opening / 2)
    far = np.array([20 * math.cos(half), 20 * math.sin(half)])
    walls = [wall((3 - far[0], far[1]), (3, 0), height=20), wall((3, 0), (3 - far[0], -far[1]), height=20)]
    world, position, places = _world(*walls), FEET, []
    for _ in range(30):
        position = move(world, MOVER, position, (*(np.array(heading(7)) * 0.5), 0)).position[0]
        places.append(position)

    np.testing.assert_allclose(position, (3 - REST / math.sin(half), 0, 1), atol=1e-3)
    assert np.ptp(places[15:], axis=0).max() < 1e-6


def test_floor_and_walls_are_solved_together():
    """Down, east and north at once into a corner of three."""
    corner = [floor(), _wall_at(2), wall((-60, 2), (60, 2), height=20)]

    moved = move(_world(*corner), MOVER, FEET, (5, 4, -3))

    np.testing.assert_allclose(moved.position[0], (2 - REST, 2 - REST, GAP), atol=1e-4)


def test_along_an_edge_of_a_crease_the_way_goes_on():
    """Down and east into the crease of floor and wall, with a part along it that stays."""
    moved = move(_world(floor(), _wall_at(2)), MOVER, FEET, (5, 4, -3))

    np.testing.assert_allclose(moved.position[0], (2 - REST, 4, GAP), atol=1e-4)


def test_steep_and_gentle_slopes_are_the_same_to_it():
    """It knows no ground: pressed straight down on 20 degrees it slides down them."""
    angle = math.radians(20)
    plane = sheet((-20, -20, 20 * math.tan(angle)), (40, 0, -40 * math.tan(angle)), (0, 40, 0))
    above = REST / math.cos(angle) - RADIUS

    moved = move(_world(plane), MOVER, (0, 0, above), (0, 0, -1))

    slid = math.sin(angle)  # the part of a metre down along the plane
    expected = np.array([0, 0, above]) + slid * np.array([math.cos(angle), 0, -math.sin(angle)])
    np.testing.assert_allclose(moved.position[0], expected, atol=1e-4)


def test_the_number_of_slides_is_a_limit():
    """One slide allows no second surface: it stays at the second wall."""
    corner = [_wall_at(2), wall((-60, 2), (60, 2), height=20)]
    settings = replace(MOVER, max_slides=1)

    moved = move(_world(*corner), settings, FEET, (5, 4, 0))
    free = move(_world(*corner), settings, FEET, (0.5, 0, 0))

    assert not moved.is_done[0]
    assert moved.count[0] == 1
    assert free.is_done[0]
    assert np.all(moved.position[0, :2] <= 2 - REST + 1e-4)


def test_only_what_is_there_for_it_stops_it():
    ghost = TriMesh(_wall_at(2).vertices, _wall_at(2).triangles, "ghost", mode="NONE")

    moved = move(_world(ghost, _wall_at(4)), MOVER, FEET, (10, 0, 0))

    assert moved.position[0, 0] == pytest.approx(4 - REST, abs=1e-4)


def test_lanes_move_each_on_their_own():
    world = _world(_wall_at(2), floor())
    random = np.random.default_rng(5)
    starts = np.column_stack([random.uniform(-5, 1, 40), random.uniform(-5, 5, 40), random.uniform(0.1, 3, 40)])
    ways = random.normal(0, 3, (40, 3))

    together = move(world, MOVER, starts, ways)

    for i in range(40):
        alone = move(world, MOVER, starts[i], ways[i])
        np.testing.assert_allclose(together.position[i], alone.position[0], atol=1e-12)


def test_with_another_up_the_same_way_is_gone():
    """Everything turned by the cycle x, y, z."""
    turn = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]], float)
    level = [floor(), _wall_at(2), wall((-60, 2), (60, 2), height=20)]
    turned = [TriMesh(mesh.vertices @ turn.T, mesh.triangles, mesh.name) for mesh in level]

    upright = move(_world(*level), MOVER, FEET, (3, 1, -2))
    sideways = move(_world(*turned), replace(MOVER, up=tuple(turn @ (0, 0, 1))), turn @ FEET, turn @ (3, 1, -2))

    np.testing.assert_allclose(sideways.position[0], turn @ upright.position[0], atol=1e-6)


def _clutter(seed):
    """Return a room of 12 m full of solids and sheets."""
    random = np.random.default_rng(seed)
    room = [
        floor(half=6),
        floor(z=6, half=6),
        *(sheet((-6 * x - 6 * y, -6 * y + 6 * x, 0), (12 * y, -12 * x, 0), (0, 0, 6)) for x, y in
          ((1, 0), (-1, 0), (0, 1), (0, -1))),
    ]  # fmt: skip
    for i in range(8):
        middle = random.uniform((-5, -5, 0), (5, 5, 5))
        room.append(hull(middle + random.uniform(-1.2, 1.2, (7, 3)), f"hull {i}"))
    for i in range(4):
        middle = random.uniform((-5, -5, 0), (5, 5, 5))
        room.append(sheet(middle, random.uniform(-2, 2, 3), random.uniform(-2, 2, 3), f"sheet {i}"))
    return room


@pytest.mark.parametrize("seed", range(4))
def test_no_length_tunnels_and_nothing_ends_inside(seed):
    """Displacements of a millimetre to a hundred metres, one after the other; the oracle watches every end."""
    room = _clutter(seed)
    world, triangles = _world(*room), corners_of(room)
    random = np.random.default_rng(seed + 100)
    starts = random.uniform((-5, -5, 0.1), (5, 5, 3.9), (200, 3))
    position = starts[oracle.gaps(starts, RADIUS, 2.0, triangles) > GAP][:20]
    assert len(position) == 20
    inside = np.concatenate([position])
    for _ in range(25):
        size = 10 ** random.uniform(-3, 2, (len(position), 1))
        way = random.normal(size=(len(position), 3))
        after = move(world, MOVER, position, way / np.linalg.norm(way, axis=1, keepdims=True) * size).position
        assert (np.linalg.norm(after - position, axis=1) <= size[:, 0] + 1e-9).all()
        inside, position = np.concatenate([inside, after]), after

    assert oracle.gaps(inside, RADIUS, 2.0, triangles).min() > 0
    assert (np.abs(inside[:, :2]) <= 6 - RADIUS).all()
    assert inside[:, 2].min() >= 0
    assert inside[:, 2].max() <= 4


def test_a_wander_input_drives_it():
    """A straight walk, a new heading now and then, another one when blocked: it gets about, and never inside."""
    level = [floor(), *(box((x - 0.5, y - 0.5, 0), (x + 0.5, y + 0.5, 4)) for x in (-4, 0, 4) for y in (-4, 4))]
    corners = [(8, -8), (-8, -8), (-8, 8), (8, 8), (8, -8)]
    fence = [wall(start, end) for start, end in itertools.pairwise(corners)]
    world, triangles = _world(*level, *fence), corners_of([*level, *fence])
    lanes, hz = 4, 60
    player, position = wander(seed=3, lanes=lanes, dt=1 / hz), np.tile((2.0, 0, GAP), (lanes, 1))
    velocity, places = np.zeros((lanes, 3)), []

    class Seen:  # what the player looks at
        def __init__(self, velocity):
            self.velocity = velocity

    for index in range(600):
        wish = player(index, Seen(velocity)).move * 4 / hz
        after = move(world, MOVER, position, np.column_stack([wish, np.zeros(lanes)])).position
        velocity, position = (after - position) * hz, after
        places.append(position)
    places = np.array(places)

    assert oracle.gaps_nearby(places.reshape(-1, 3), RADIUS, 2.0, triangles, within=0.5).min() > GAP / 2
    assert (np.ptp(places, axis=0)[:, :2] > 3).all()
