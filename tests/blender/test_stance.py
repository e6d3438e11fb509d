"""Placing an object by its own channels: the world matrix must be the drawn one, whatever carries the object."""

import math

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")
from blender.scenes import add_cube, update  # noqa: E402
from mathutils import Euler, Matrix, Quaternion  # noqa: E402

from levelwalk.operators.stance import Stance, parent_frame  # noqa: E402

MODES = ["XYZ", "ZYX", "YZX", "QUATERNION", "AXIS_ANGLE"]
PLACE = (3.0, -2.0, 1.5)


def no_parent(ob):
    """Leave the object in the world."""


def on_a_parent(ob):
    parent = add_cube("Parent", location=(5, 1, -2))
    parent.rotation_euler = (0.3, -0.4, 2.0)
    parent.scale = (2, 2, 2)
    ob.parent = parent
    update()
    ob.matrix_parent_inverse = parent.matrix_world.inverted()


def with_deltas(ob):
    ob.delta_location = (1, 2, 3)
    ob.delta_rotation_euler = (0.1, 0.2, 0.3)
    ob.delta_rotation_quaternion = (0.9, 0.1, 0.3, 0.2)


def on_a_bone(ob):
    armature = bpy.data.objects.new("Rig", bpy.data.armatures.new("Rig"))
    bpy.context.scene.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    bone = armature.data.edit_bones.new("Bone")
    bone.head, bone.tail = (1, 0, 0), (1, 1, 1)
    bpy.ops.object.mode_set(mode="OBJECT")
    ob.parent, ob.parent_type, ob.parent_bone = armature, "BONE", "Bone"


def an_object(mode, carried, scale):
    ob = add_cube(location=(1, 2, 3))
    ob.rotation_euler = (0.2, 0.1, 0.7)  # leans a little
    carried(ob)
    ob.rotation_mode = mode  # Blender converts the rotation
    ob.scale = scale
    update()
    return ob


@pytest.mark.parametrize("scale", [(1, 1, 1), (-1, 2, 1)], ids=["plain", "mirrored"])
@pytest.mark.parametrize("carried", [no_parent, on_a_parent, with_deltas, on_a_bone])
@pytest.mark.parametrize("mode", MODES)
def test_an_object_goes_where_it_is_placed_and_turns_about_up(scene, mode, carried, scale):
    ob = an_object(mode, carried, scale)
    before = ob.matrix_world.copy()
    stance = Stance.of(ob)

    stance.place(ob, PLACE, stance.heading + 1.2)
    update()

    expected = Matrix.Translation(PLACE) @ (Matrix.Rotation(1.2, 3, "Z") @ before.to_3x3()).to_4x4()
    np.testing.assert_allclose(np.array(ob.matrix_world), np.array(expected), atol=2e-5)
    assert tuple(ob.scale) == scale
    assert Stance.of(ob).heading == pytest.approx(math.remainder(stance.heading + 1.2, 2 * math.pi), abs=1e-5)


def rotation_of(mode, channels):
    if mode == "QUATERNION":
        return Quaternion(channels).normalized()
    if mode == "AXIS_ANGLE":
        return Quaternion(channels[1:], channels[0])
    return Euler(channels, mode).to_quaternion()


@pytest.mark.parametrize("mode", MODES)
def test_nothing_spins_between_two_keys(scene, mode):
    ob = an_object(mode, no_parent, (1, 1, 1))
    stance = Stance.of(ob)
    start = rotation_of(mode, np.array(getattr(ob, stance.rotation_path)))
    channels = np.array(getattr(ob, stance.rotation_path), dtype=float)
    step = math.radians(5)

    for count in range(1, 3 * 72):  # three turns
        previous = channels
        channels = stance.turned(stance.heading + count * step, parent_frame(ob), previous)
        halfway = rotation_of(mode, (previous + channels) / 2)
        expected = Quaternion((0, 0, 1), (count - 0.5) * step) @ start
        missed = math.remainder(halfway.rotation_difference(expected).angle, 2 * math.pi)
        assert abs(missed) < step, f"after {count} steps"


@pytest.mark.parametrize("mode", ["XYZ", "ZYX", "YZX"])
def test_an_upright_object_turns_by_one_angle_alone(scene, mode):
    ob = add_cube()
    ob.rotation_mode = mode
    update()

    channels = Stance.of(ob).turned(8.0, parent_frame(ob), previous=(0, 0, 7.9))

    np.testing.assert_allclose(channels, [0, 0, 8.0], atol=1e-5)


@pytest.mark.parametrize("mode", ["XYZ", "ZYX", "AXIS_ANGLE"])
def test_the_first_rotation_has_no_whole_turns(scene, mode):
    ob = add_cube()
    ob.rotation_mode = mode
    if mode == "AXIS_ANGLE":
        ob.rotation_axis_angle = (math.radians(-350), 0, 0, 1)
    else:
        ob.rotation_euler.z = math.radians(-350)
    update()
    stance = Stance.of(ob)

    channels = stance.first_turned(0.5, parent_frame(ob), getattr(ob, stance.rotation_path))

    np.testing.assert_allclose(channels, [0.5, 0, 0, 1] if mode == "AXIS_ANGLE" else [0, 0, 0.5], atol=1e-5)


def test_a_model_made_with_y_up_starts_as_it_stands(scene):
    ob = add_cube()
    ob.rotation_euler = (math.pi / 2, 0, 0.4)
    update()

    channels = Stance.of(ob).turned(0.4, parent_frame(ob), ob.rotation_euler)

    np.testing.assert_allclose(channels, (math.pi / 2, 0, 0.4), atol=1e-5)
