"""From which sides faces count: both, or the front alone, with the edges and corners that belong to them."""

import math
from dataclasses import replace

import numpy as np
import pytest
from builders import BASE, box, floor, hull, sheet
from takes import AHEAD, BACK, held, take

from levelwalk.core import Settings, Sides, Support, TriMesh, World

RADIUS, SKIN = BASE.radius, BASE.skin_width
APEX = BASE.jump_height  # 1.274 m
EXACT = 1e-6


def sided(mesh, sides="FRONT", mode="FACES"):
    return TriMesh(mesh.vertices, mesh.triangles, mesh.name, mode=mode, sides=sides)


def plate(z, half=2.0, sides="FRONT"):
    """Return a square sheet that faces up."""
    return sided(sheet((-half, -half, z), (2 * half, 0, 0), (0, 2 * half, 0), "plate"), sides)


def screen(x=2.0, sides="FRONT"):
    """Return an upright sheet across the way along +x; its front looks back, to -x."""
    return sided(sheet((x, 5, 0), (0, -10, 0), (0, 0, 3), "screen"), sides)


def terrain(seed=1, size=12, sides="FRONT"):
    """Return a rough patch of ground that faces up, 12 m wide, with slopes up to some 60 degrees."""
    random = np.random.default_rng(seed)
    x, y = np.meshgrid(np.arange(size + 1.0) - size / 2, np.arange(size + 1.0) - size / 2, indexing="ij")
    points = np.column_stack([x.ravel(), y.ravel(), random.uniform(-0.6, 0.6, x.size)])
    i, j = (part.ravel() for part in np.meshgrid(np.arange(size), np.arange(size), indexing="ij"))
    a = i * (size + 1) + j
    b = a + size + 1
    triangles = np.concatenate([np.column_stack([a, b, b + 1]), np.column_stack([a, b + 1, a + 1])])
    return TriMesh(points, triangles, "terrain", mode="FACES", sides=sides)


# Where a fall onto a sheet, a jump from below it, a walk into it from the front and from behind end.
@pytest.mark.parametrize(
    ("sides", "above", "below", "front", "behind"),
    [
        ("BOTH", "stopped", "stopped", "stopped", "stopped"),
        ("FRONT", "stopped", "passes", "stopped", "passes"),
    ],
)
def test_a_thin_sheet_from_above_below_and_both_sides(sides, above, below, front, behind):
    fall = take([floor(), plate(2, sides=sides)], held(1), start=(0, 0, 3))
    jump = take([floor(), plate(2.1, sides=sides)], held(0.1, (0, 0), "jump"), held(1.5), start=(0, 0, 0.03))
    walk = take([floor(), screen(sides=sides)], held(1, AHEAD))
    back = take([floor(), screen(sides=sides)], held(1, BACK), start=(4, 0, 0.03))

    assert (fall.position[-1, 2] == pytest.approx(2 + SKIN, abs=1e-3)) == (above == "stopped")
    assert jump.position[:, 2].max() == pytest.approx(SKIN + (APEX if below == "passes" else 0.3 - 2 * SKIN), rel=0.01)
    assert (walk.position[-1, 0] == pytest.approx(2 - RADIUS - SKIN, abs=1e-3)) == (front == "stopped")
    assert (back.position[-1, 0] == pytest.approx(2 + RADIUS + SKIN, abs=1e-3)) == (behind == "stopped")


def test_a_jump_through_a_platform_lands_on_it():
    """The platform is 1 m up; the apex is 1.27 m up: wholly in front."""
    jump = take([floor(), plate(1)], held(0.1, (0, 0), "jump"), held(1.2))

    assert jump.position[-1, 2] == pytest.approx(1 + SKIN, abs=1e-3)
    assert jump.last.support[0] == Support.GROUNDED
    assert jump.position[:, 2].max() == pytest.approx(APEX + SKIN, rel=0.01)


@pytest.mark.parametrize("height", [APEX + 0.05, APEX + RADIUS, APEX + 0.9, APEX + 1.7])
def test_who_starts_to_fall_half_way_through_falls_through(height):
    """At the apex some part of the character is above the platform and some below: not stopped, and not thrown."""
    through = take([floor(), plate(height)], held(0.1, (0, 0), "jump"), held(1.2))
    alone = take([floor()], held(0.1, (0, 0), "jump"), held(1.2))

    np.testing.assert_allclose(through.position, alone.position, atol=1e-9)
    assert not through.events() or [event.kind for event in through.events()] == [e.kind for e in alone.events()]


@pytest.mark.parametrize("height", [0.4, 0.9, 1.5, 1.75])
def test_who_is_put_half_way_through_stays_there(height):
    """With the axis through the sheet: on the floor it is not there, whichever way one walks."""
    stand = take([floor(), plate(height, half=1)], held(0.5), held(1, AHEAD))

    np.testing.assert_allclose(stand.position[0], (0, 0, SKIN), atol=1e-3)
    assert stand.position[-1, 0] > 3.5
    assert not stand.events()


def test_feet_put_on_a_slope_are_on_it():
    """The lowest point is on the slope, the round bottom in it, and its middle in front: out along the normal."""
    angle = math.radians(30)
    slope = sided(sheet((-5, -5, -5 * math.tan(angle)), (10, 0, 10 * math.tan(angle)), (0, 10, 0)))

    stand = take([slope], held(0.5), start=(0, 0, 0))

    assert stand.is_grounded.all()
    way = RADIUS + SKIN - RADIUS * math.cos(angle)
    np.testing.assert_allclose(stand.position[-1], (-way * math.sin(angle), 0, way * math.cos(angle)), atol=1e-4)


@pytest.mark.parametrize("z", [0.4, 0.9, 1.7])
def test_the_rim_of_a_sheet_is_passed_edge_on(z):
    """A platform at knee, waist or head height has no thickness to walk into; a two-sided one stops at its rim."""
    through = take([floor(), plate(z, half=1)], held(1.5, AHEAD), start=(-3, 0.2, 0.03))
    stopped = take([floor(), plate(z, half=1, sides="BOTH")], held(1.5, AHEAD), start=(-3, 0.2, 0.03))

    assert through.position[-1, 0] == pytest.approx(3, abs=0.1)
    assert stopped.position[-1, 0] < -1


def test_the_rim_of_a_sheet_holds_from_above():
    """With the middle a little over the rim the edge carries as that of any platform."""
    one, both = (
        take([floor(), plate(1, half=1, sides=sides)], held(0.5), start=(1.1, 0.3, 1.03)) for sides in ("FRONT", "BOTH")
    )

    np.testing.assert_allclose(one.position, both.position, atol=1e-9)
    assert one.position[-1, 2] > 0.9


def test_the_corner_of_a_sheet_is_passed_edge_on_and_holds_from_above():
    def cast(start, way, sides):
        return World.build([plate(1, half=1, sides=sides)]).cast(BASE, start, way)

    for direction in (45, 30, 80):
        way = np.array([-math.cos(math.radians(direction)), -math.sin(math.radians(direction)), 0]) * 3
        corner = np.array([1.0, 1, 0]) - way / 2
        assert not cast(corner, way, "FRONT").is_hit[0]
        assert cast(corner, way, "BOTH").is_hit[0]
    one, both = (cast((1.1, 1.1, 2), (0, 0, -2), sides) for sides in ("FRONT", "BOTH"))
    assert one.fraction[0] == pytest.approx(both.fraction[0], abs=EXACT)
    assert one.is_hit[0]


def test_casts_from_the_front_are_those_of_both_sides():
    """Valleys and borders that are left out could not have been touched first."""
    random = np.random.default_rng(4)
    start = random.uniform((-5, -5, 1), (5, 5, 3), (300, 3))
    way = random.normal(0, 3, (300, 3)) - (0, 0, 2)
    inside = np.abs(start[:, :2] + way[:, :2]).max(axis=1) < 5
    start, way = start[inside], way[inside]

    one, both = (World.build([terrain(sides=sides)]).cast(BASE, start, way) for sides in ("FRONT", "BOTH"))

    assert both.is_hit.sum() > 50
    np.testing.assert_allclose(one.fraction, both.fraction, atol=EXACT)
    np.testing.assert_allclose(one.normal, both.normal, atol=1e-4)


def test_casts_from_behind_go_through():
    """Straight up or steeply up from below rough ground: nothing of it is met from the front."""
    random = np.random.default_rng(5)
    start = random.uniform((-5, -5, -6), (5, 5, -2.5), (400, 3))
    way = np.column_stack([random.uniform(-0.3, 0.3, (400, 2)), random.uniform(2, 9, 400)])

    one, both = (World.build([terrain(sides=sides)]).cast(BASE, start, way) for sides in ("FRONT", "BOTH"))

    assert not one.is_hit.any()
    assert both.is_hit.sum() > 100


def test_from_inside_a_closed_shell_every_way_is_open():
    """Faces, ridges and corners of a many-sided body, seen from behind; from outside as with both sides."""
    random = np.random.default_rng(6)
    points = random.normal(size=(24, 3))
    body = hull(points / np.linalg.norm(points, axis=1, keepdims=True) * 4, "shell")
    small = Settings(radius=0.3, height=1.0)
    shell, both = (World.build([sided(body, sides)]) for sides in ("FRONT", "BOTH"))
    start = random.uniform(-1, 1, (300, 3))
    way = random.normal(size=(300, 3))
    way *= 9 / np.linalg.norm(way, axis=1, keepdims=True)

    assert not shell.cast(small, start, way).is_hit.any()
    assert both.cast(small, start, way).is_hit.all()
    back, seen = shell.cast(small, start + way, -way), both.cast(small, start + way, -way)
    np.testing.assert_allclose(back.fraction, seen.fraction, atol=EXACT)


@pytest.mark.parametrize("up", [(0, 0, 1), (1, 0, 0), (0, -1, 0)])
def test_valleys_of_one_sided_faces_have_no_edge(up):
    """Two squares that meet at a right angle: seen from inside their edge is a valley, from outside a ridge."""
    turn = {(0, 0, 1): np.eye(3), (1, 0, 0): np.eye(3)[[2, 0, 1]], (0, -1, 0): -np.eye(3)[[0, 2, 1]]}[up]
    corner = np.array([(0, 0, 0), (0, 1, 0), (1, 0, 0), (1, 1, 0), (0, 0, 1), (0, 1, 1)], float) @ turn.T
    inner = [(0, 2, 3), (0, 3, 1), (0, 1, 5), (0, 5, 4)]
    outer = [triangle[::-1] for triangle in inner]

    def edges(triangles, sides):
        return len(World.build([TriMesh(corner, triangles, mode="FACES", sides=sides)]).features.edge_ends)

    assert edges(inner, "FRONT") == 6
    assert edges(outer, "FRONT") == 7
    assert edges(inner, "BOTH") == 7


def test_a_walk_on_one_sided_ground_is_that_on_two_sided():
    """Over a rough patch, up and down: the same walk to the micrometre."""
    ground = {sides: [terrain(seed=8, sides=sides)] for sides in Sides if sides is not Sides.SOLID}
    walks = [take(level, held(1, AHEAD), held(1, (0.6, 0.8)), start=(-4, 0, 1)) for level in ground.values()]

    np.testing.assert_allclose(walks[0].position, walks[1].position, atol=1e-6)


def test_with_hardly_a_skin_one_sided_ground_carries():
    stand = take([plate(0, half=5)], held(1, AHEAD), settings=replace(BASE, skin_width=1e-5), start=(-3, 0, 0))

    assert stand.is_grounded.all()
    assert stand.position[-1, 2] == pytest.approx(0, abs=1e-4)


def test_one_sided_boxes_that_are_convex_stay_solids():
    """What AUTO makes a hull of counts from outside, and who starts in its middle is pushed out."""
    block = sided(box((-1, -1, 0), (1, 1, 4)), mode="AUTO")

    out = take([floor(), block], held(0.3), start=(0.2, 0, 0.5))

    assert np.abs(out.position[-1, :2]).max() >= 1 + RADIUS
