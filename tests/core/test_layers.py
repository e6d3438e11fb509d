"""Layers: ground that carries and never stops, obstacles that stop and never carry, and who asks for which."""

import math
from dataclasses import replace

import numpy as np
import pytest
from builders import BASE, box, floor, moved, ramp, sheet, stairs, tessellated
from takes import AHEAD, BACK, held, take

from levelwalk.core import EventKind, Layer, Settings, Support, TriMesh, World
from levelwalk.core.character.mover import move

RADIUS, SKIN = BASE.radius, BASE.skin_width


def of_layer(mesh, layer="GROUND", mode=None, sides="BOTH"):
    return TriMesh(mesh.vertices, mesh.triangles, mesh.name, mode=mode or mesh.mode.value, layer=layer, sides=sides)


def slope(angle, layer="GROUND", mode="AUTO"):
    return of_layer(ramp(angle, x=2, length=4, half_width=2), layer, mode)


def plate(z, half=1.0, facing=1, layer="GROUND"):
    return of_layer(sheet((-half, -half * facing, z), (2 * half, 0, 0), (0, 2 * half * facing, 0), "plate"), layer)


def on_slope(angle, x):
    """Return the height of the feet over a slope that begins at 2, with the axis at `x`."""
    return (x - 2) * math.tan(math.radians(angle)) + (RADIUS + SKIN) / math.cos(math.radians(angle)) - RADIUS


@pytest.mark.parametrize("mode", ["AUTO", "FACES"])
def test_ground_that_is_gentle_is_walked_up(mode):
    walk = take([floor(), slope(30, mode=mode)], held(1, AHEAD))

    assert walk.is_grounded.all()
    np.testing.assert_allclose(walk.position[-1, 2], on_slope(30, walk.position[-1, 0]), atol=1e-3)
    assert walk.last.events.names[walk.last.ground_object[0]] == "ramp"


@pytest.mark.parametrize(("angle", "walks"), [(44.9, "up"), (45.3, "through")])
def test_ground_over_the_slope_limit_is_not_there(angle, walks):
    walk = take([floor(), slope(angle)], held(1.2, AHEAD))

    rises = on_slope(angle, walk.position[-1, 0]) if walks == "up" else SKIN
    np.testing.assert_allclose(walk.position[-1, 2], rises, atol=2e-3)
    assert walk.position[-1, 0] > 3
    assert not walk.events(EventKind.HIT_WALL)


@pytest.mark.parametrize("mode", ["AUTO", "FACES"])
@pytest.mark.parametrize("start", [(7, 0, 0.03), (4, -4, 0.03)], ids=["back", "side"])
def test_the_walls_and_the_underside_of_ground_are_passed(mode, start):
    """From the high end and from the side into a solid ramp: through its walls, and on below its slope."""
    wish = BACK if start[0] > 4 else (0, 1)
    walk = take([floor(), slope(30, mode=mode)], held(1, wish), start=start)

    np.testing.assert_allclose(walk.position[-1], np.array(start) + (*(4 * np.array(wish)), SKIN - 0.03), atol=0.02)
    assert not walk.events()


def test_a_jump_comes_through_ground_from_below_and_lands_on_it():
    for facing in (1, -1):
        jump = take([floor(), plate(1, facing=facing)], held(0.1, (0, 0), "jump"), held(1.2))

        assert jump.position[:, 2].max() == pytest.approx(BASE.jump_height + SKIN, rel=0.01)
        assert jump.position[-1, 2] == pytest.approx(1 + SKIN, abs=1e-3)
        assert jump.last.support[0] == Support.GROUNDED


@pytest.mark.parametrize("height", [0.4, 0.9, 1.5])
def test_ground_at_the_height_of_the_body_is_walked_through(height):
    walk = take([floor(), plate(height)], held(1.5, AHEAD), start=(-3, 0.2, 0.03))

    assert walk.position[-1, 0] == pytest.approx(3, abs=0.1)
    assert not walk.events()


def test_who_starts_to_fall_half_way_through_ground_falls():
    through = take([floor(), plate(BASE.jump_height + 0.3)], held(0.1, (0, 0), "jump"), held(1.2))
    alone = take([floor()], held(0.1, (0, 0), "jump"), held(1.2))

    np.testing.assert_allclose(through.position, alone.position, atol=1e-9)


def test_a_low_rim_of_ground_is_rolled_over_and_a_high_one_is_passed():
    """Up to where the edge touches the round bottom within the slope limit, 0.094 m."""
    reach = (RADIUS + SKIN) * (1 - math.cos(math.radians(45)))
    over, under = (take([floor(), plate(reach * share)], held(0.7, AHEAD), start=(-3, 0, 0.03)) for share in (0.9, 1.1))

    assert over.position[-1, 2] == pytest.approx(reach * 0.9 + SKIN, abs=1e-3)
    assert under.position[-1, 2] == pytest.approx(SKIN, abs=1e-3)
    assert under.position[-1, 0] == pytest.approx(over.position[-1, 0], abs=0.1)


def test_a_ramp_over_stairs_carries_and_the_stairs_are_not_felt():
    """The stairs rise 0.17 in 0.3; the ramp goes over their noses, and so 0.17 up before them."""
    rise, run, count = 0.17, 0.3, 8
    steps = of_layer(stairs(count, rise, run), "OBSTACLE")
    angle = math.atan2(rise, run)
    length = (count + 1) * math.hypot(rise, run)
    over = sheet((2 - run, -4, 0), (length * math.cos(angle), 0, length * math.sin(angle)), (0, 8, 0), "over")

    walk = take([floor(), steps, of_layer(over)], held(0.95, AHEAD), start=(0.5, 0, 0.03))

    heights = on_slope(math.degrees(angle), walk.position[:, 0] + run)
    on_ramp = walk.position[:, 0] > 2
    assert on_ramp.sum() > 20
    np.testing.assert_allclose(walk.position[on_ramp, 2], heights[on_ramp], atol=2e-3)
    assert walk.is_grounded.all()
    assert not walk.events(EventKind.STEPPED_UP, EventKind.HIT_WALL)


def test_rolling_ground_of_many_faces_is_walked_as_any_other():
    """Valleys and ridges of a sheet within the slope limit: the walk is that over the same sheet of both layers."""
    sheet_ = tessellated((-6, -3, 0), (12, 0, 0), (0, 6, 0), size=1.0)
    points = sheet_.vertices + np.column_stack(
        [np.zeros((len(sheet_.vertices), 2)), 0.3 * np.sin(sheet_.vertices[:, 0])]
    )
    walks = []
    for layer in ("BOTH", "GROUND"):
        ground = TriMesh(points, sheet_.triangles, "ground", mode="FACES", layer=layer)
        walks.append(take([ground], held(1.5, AHEAD), held(0.5, (-0.6, 0.8)), start=(-4, 0.3, 0.6)))

    np.testing.assert_allclose(walks[0].position, walks[1].position, atol=1e-6)


def test_ground_carries_whichever_way_is_up():
    """A sheet across x with up along x: landed on from above, passed from below."""
    up = replace(BASE, up=(1.0, 0.0, 0.0))
    base = of_layer(sheet((0, -9, -9), (0, 18, 0), (0, 0, 18), "base"), "BOTH")
    over = of_layer(sheet((1, -9, -9), (0, 18, 0), (0, 0, 18), "over"))

    jump = take([base, over], held(0.1, (0, 0), "jump"), held(1.2), settings=up, start=(0.03, 0, 0))

    assert jump.position[:, 0].max() == pytest.approx(BASE.jump_height + SKIN, rel=0.01)
    assert jump.position[-1, 0] == pytest.approx(1 + SKIN, abs=1e-3)


def test_who_starts_in_ground_is_not_in_its_way():
    """In the middle of a block that only carries: it is no overlap, and it is walked out of."""
    block = of_layer(box((-2, -2, 0), (2, 2, 4), "block"))

    walk = take([floor(), block], held(1, AHEAD))

    np.testing.assert_allclose(walk.position[0], (0, 0, SKIN), atol=1e-3)
    assert walk.position[-1, 0] > 3.5
    assert not walk.events()
    assert not World.build([block]).overlaps(BASE, (0, 0, 1))[0]


def test_an_obstacle_stops_and_never_carries():
    crate = of_layer(box((1, -1, 0), (3, 1, 0.25), "crate"), "OBSTACLE")

    walk = take([floor(), crate], held(1, AHEAD))
    fall = take([crate], held(0.3), start=(2, 0, 0.5))

    assert walk.position[-1, 0] < 1 + RADIUS
    assert not fall.is_grounded.any()


LEVEL = {"GROUND": box((2, -5, 0), (3, 5, 4), "ground"), "OBSTACLE": box((4, -5, 0), (5, 5, 4), "obstacle")}
REST = 0.5 + 0.05


@pytest.mark.parametrize(
    ("layers", "at"),
    [(Layer.BOTH, 2.0), (Layer.GROUND, 2.0), (Layer.OBSTACLE, 4.0)],
)
def test_the_slide_mover_and_casts_ask_for_layers(layers, at):
    world = World.build([of_layer(mesh, layer) for layer, mesh in LEVEL.items()])
    mover = Settings(radius=0.5, height=2.0, skin_width=0.05)

    moved_to = move(world, mover, (0, 0, 1), (3.9, 0, 0), layers=layers)
    hits = world.cast(mover, (0, 0, 1), (3.9, 0, 0), layers=layers)

    assert moved_to.position[0, 0] == pytest.approx(at - REST, abs=1e-4)
    assert hits.fraction[0] * 3.9 == pytest.approx(at - 0.5, abs=1e-6)


def test_objects_of_both_layers_are_in_every_mask():
    world = World.build([moved(box((2, -5, 0), (3, 5, 4)), by=(0, 0, -1))])
    mover = Settings(radius=0.5, height=2.0, skin_width=0.05)

    for layers in (Layer.BOTH, Layer.GROUND, Layer.OBSTACLE):
        assert move(world, mover, (0, 0, 1), (3, 0, 0), layers=layers).position[0, 0] == pytest.approx(1.45, abs=1e-4)
