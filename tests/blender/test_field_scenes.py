"""Faults that users met on the way from Blender's objects to a walk and back: mirrored objects, units, floating feet.

The numbers C81, C92, C94 are those of the collection they were taken from; expected values follow from the geometry.
"""

import math

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")
from blender.scenes import add_floor, add_mesh, curves_of, keys_of, level, update  # noqa: E402

from levelwalk.core import Commands, Settings, Support, World, simulate  # noqa: E402
from levelwalk.operators.from_blender import read_settings  # noqa: E402
from levelwalk.operators.take import Take  # noqa: E402
from levelwalk.operators.to_blender import keep_take  # noqa: E402

SLOPE = math.radians(30)
RISE = 4 * math.tan(SLOPE)
WEDGE = [(2, -2, 0), (6, -2, 0), (6, -2, RISE), (2, 2, 0), (6, 2, 0), (6, 2, RISE)]
WEDGE_FACES = [(0, 1, 2), (3, 5, 4), (0, 3, 4, 1), (1, 4, 5, 2), (0, 2, 5, 3)]
SKIN = 0.01


def walk(move, seconds=1.0, start=(0.0, 0, 0.02), settings=None):
    """Walk the scene's level as it is now."""
    settings = settings or Settings(skin_width=SKIN)
    commands = Commands(np.tile(np.asarray(move, float), (round(seconds * 60), 1)))
    return simulate(World.build(level().meshes), settings, start, commands)


def nested(ob, scales):
    """Put the object under an empty for each of `scales`, the first outermost."""
    for scale in reversed(scales):
        parent = bpy.data.objects.new("Parent", None)
        bpy.context.scene.collection.objects.link(parent)
        parent.scale = scale
        ob.parent = parent
        ob = parent


@pytest.mark.parametrize(
    ("scales", "side"),
    [
        pytest.param([(-1, 1, 1)], -1, id="mirrored"),
        pytest.param([(-1, 1, 1), (-1, 1, 1)], 1, id="mirrored twice"),
        pytest.param([(1, -1, 1), (-1, 1, 1)], -1, id="two parents, two axes"),
        pytest.param([(-2, 1, 1), (0.5, -1, 1), (1, 1, 1)], -1, id="three parents, two of them mirrored"),
        pytest.param([(-1, -1, -1), (1, 1, -1)], -1, id="all axes, and one again"),
    ],
)
@pytest.mark.parametrize("sides", ["BOTH", "FRONT", "SOLID"])
@pytest.mark.parametrize("mode", ["AUTO", "FACES"])
def test_c81_a_mirrored_wedge_is_walked_up(scene, scales, side, sides, mode):
    """Its outside stays out: from one side alone it carries as well."""
    add_floor()
    wedge = add_mesh("Wedge", WEDGE, WEDGE_FACES)
    wedge.levelwalk.mode, wedge.levelwalk.sides = mode, sides
    nested(wedge, scales)
    update()

    trace = walk((side, 0), 1.3)

    x, _, z = trace.position[-1, 0]
    ball = (0.3 + SKIN) / math.cos(SLOPE) - 0.3  # height of the feet of a ball that lies on a slope
    assert z == pytest.approx((x * side - 2) * math.tan(SLOPE) + ball, abs=1e-3)
    assert z > 1
    assert (trace.support[6:] == Support.GROUNDED).all()  # it starts a centimetre over the floor


@pytest.mark.parametrize("skin", [0.005, 0.01, 0.05])
def test_c92_baked_feet_are_no_more_than_the_skin_over_the_ground(scene, character, skin):
    """On the flat and idle: every key's height over the floor is the skin; the walk's own gap is never larger."""
    add_floor()
    update()
    settings = Settings(skin_width=skin)
    commands = Commands(np.concatenate([np.zeros((30, 2)), np.tile([0.0, -1.0], (60, 1)), np.zeros((30, 2))]))
    trace = simulate(World.build(level().meshes), settings, (0, 0, skin), commands)
    heading = np.full(len(trace.position), 0.0)
    keep_take(scene, Take(1 / 60, settings, commands, trace.position[:, 0], heading, trace.support[:, 0]))

    bpy.ops.levelwalk.bake_keyframes(frame_start=1)

    heights = keys_of(curves_of(character)["location", 2])[1]
    assert heights.min() > 0
    assert heights.max() <= skin + 1e-5
    assert keys_of(curves_of(character)["location", 1])[1][-1] == pytest.approx(-4, abs=0.01)


def add_room(scale):
    """Add a room of 4 x 4 x 2.5 m with a step of 0.25 m and a ramp, in units of which each is `scale` metres."""
    boxes = {
        "Ground": ((-2, -2, -0.1), (2, 2, 0)),
        "West": ((-2.1, -2, 0), (-2, 2, 2.5)),
        "East": ((2, -2, 0), (2.1, 2, 2.5)),
        "South": ((-2, -2.1, 0), (2, -2, 2.5)),
        "North": ((-2, 2, 0), (2, 2.1, 2.5)),
        "Step": ((0.5, -2, 0), (2, 0, 0.25)),
    }
    for name, ends in boxes.items():
        corners = [(ends[i][0], ends[j][1], ends[k][2]) for i in (0, 1) for j in (0, 1) for k in (0, 1)]
        faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
        add_mesh(name, np.array(corners) / scale, faces)
    ramp = np.array(WEDGE, float) * [0.25, 0.5, 0.25] + [0.2, 1, 0]
    add_mesh("Ramp", ramp / scale, WEDGE_FACES)
    update()


@pytest.mark.parametrize("scale", [0.01, 0.3048, 1.0])
def test_c94_a_room_is_walked_the_same_in_every_unit(scene, scale):
    """Centimetres, feet and metres: the level and the character's settings are read in metres, and the way is one."""
    scene.unit_settings.scale_length = scale
    add_room(scale)
    bpy.ops.levelwalk.add_character()
    settings = read_settings(scene)
    expected = Settings()

    for name in ("radius", "height", "skin_width", "step_offset", "ground_snap", "speed", "gravity", "jump_height"):
        assert getattr(settings, name) == pytest.approx(getattr(expected, name), rel=1e-5), name
    for move, end in (
        ((1.0, 0.2), (2 - 0.32, None)),
        ((0.0, -1.0), (0, -2 + 0.32)),
        ((-0.7, 0.7), (-2 + 0.32, 2 - 0.32)),
    ):
        position = walk(move, 2.0, start=(0, 0, 0.03), settings=settings).position[-1, 0]
        for axis in (0, 1):
            if end[axis] is not None:
                assert position[axis] == pytest.approx(end[axis], abs=2e-3), (move, axis)
