"""Stance: what an object's own location and rotation channels must be for a place and a heading in the world.

Only location and rotation are ever written, so that scale, and with it mirroring, stays what it is. Parents, delta
transforms and every rotation mode are taken into account.
"""

import math
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Euler, Matrix, Quaternion, Vector
from numpy.typing import ArrayLike, NDArray

from .from_blender import heading_of

UP = Vector((0, 0, 1))
ROTATION_PATHS = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}
NO_TURN = 1e-6  # rad; a smaller angle has no axis


@dataclass(frozen=True, slots=True, eq=False)
class Stance:
    """How an object stands, as the start from which it is placed elsewhere.

    Attributes
    ----------
    heading : float, rad
        About the world's up axis; 0 faces -Y.
    rotation : Quaternion
        In the world, without what scale and mirroring do.
    delta_rotation : Quaternion
        Of the object's deltas, which are applied after its own channels.
    mode : str
        The object's rotation mode.
    delta_location : Vector
    """

    heading: float
    rotation: Quaternion
    delta_rotation: Quaternion
    mode: str
    delta_location: Vector

    @classmethod
    def of(cls, ob: bpy.types.Object) -> "Stance":
        """Return the stance of an object; its world matrix must be up to date."""
        return cls(
            heading=heading_of(np.array(ob.matrix_world, dtype=np.float64)),
            rotation=_basis(parent_frame(ob)) @ _delta_rotation(ob) @ _rotation(ob),
            delta_rotation=_delta_rotation(ob),
            mode=ob.rotation_mode,
            delta_location=ob.delta_location.copy(),
        )

    @property
    def rotation_path(self) -> str:
        """Name of the property that holds the rotation."""
        return ROTATION_PATHS.get(self.mode, "rotation_euler")

    def location(self, place: ArrayLike, frame: Matrix) -> NDArray[np.float64]:
        """Return the location channels (3,) that bring the origin to `place` (3,), in Blender units.

        `frame` is the object's `parent_frame`.
        """
        return np.array(frame.inverted_safe() @ Vector(place) - self.delta_location)

    def turned(self, heading: float, frame: Matrix, previous: ArrayLike) -> NDArray[np.float64]:
        """Return the rotation channels for a heading: (3,) Euler angles, or (4,) of the other modes.

        `previous` are the channels a moment before. Of all channels that mean the same the nearest to them are
        returned, so that nothing flips or spins between two keys.
        """
        before = np.asarray(previous, dtype=np.float64)
        turned = Quaternion(UP, heading - self.heading) @ self.rotation
        rotation = self.delta_rotation.inverted() @ _basis(frame).inverted() @ turned
        if self.mode == "QUATERNION":
            channels = np.array(rotation)
            return -channels if channels @ before < 0 else channels
        if self.mode == "AXIS_ANGLE":
            return _nearest_axis_angle(rotation, before)
        angles = np.array(rotation.to_euler(self.mode, Euler(before.tolist(), self.mode)))
        return angles + _whole_turns(before - angles)

    def first_turned(self, heading: float, frame: Matrix, now: ArrayLike) -> NDArray[np.float64]:
        """Return the rotation channels to begin with: as `turned`, without the whole turns that are in `now`."""
        channels = self.turned(heading, frame, now)
        if self.mode == "AXIS_ANGLE":
            channels[0] -= _whole_turns(channels[0])
        elif self.mode != "QUATERNION":
            channels -= _whole_turns(channels)
        return channels

    def place(self, ob: bpy.types.Object, place: ArrayLike, heading: float) -> None:
        """Bring the object to `place` (3,), in Blender units, and to a heading."""
        frame = parent_frame(ob)
        ob.location = self.location(place, frame).tolist()
        before = getattr(ob, self.rotation_path)
        setattr(ob, self.rotation_path, self.turned(heading, frame, before).tolist())


def parent_frame(ob: bpy.types.Object) -> Matrix:
    """Return the matrix that leads from the object's own channels to the world."""
    if ob.parent is None:
        return Matrix.Identity(4)
    if ob.parent_type == "OBJECT":
        return ob.parent.matrix_world @ ob.matrix_parent_inverse
    return ob.matrix_world @ ob.matrix_basis.inverted_safe()


def _basis(frame: Matrix) -> Quaternion:
    return frame.to_3x3().normalized().to_quaternion()


def _rotation(ob: bpy.types.Object) -> Quaternion:
    if ob.rotation_mode == "QUATERNION":
        return ob.rotation_quaternion.normalized()
    if ob.rotation_mode == "AXIS_ANGLE":
        angle, *axis = ob.rotation_axis_angle
        return Quaternion(axis, angle)
    return ob.rotation_euler.to_quaternion()


def _delta_rotation(ob: bpy.types.Object) -> Quaternion:
    if ob.rotation_mode == "QUATERNION":
        return ob.delta_rotation_quaternion.normalized()
    if ob.rotation_mode == "AXIS_ANGLE":
        return Quaternion()  # Blender has none in this mode
    return ob.delta_rotation_euler.to_quaternion()


def _nearest_axis_angle(rotation: Quaternion, before: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (angle, x, y, z). The opposite axis with the opposite angle means the same, as do whole turns."""
    axis, angle = np.array(rotation.axis), rotation.angle
    if abs(math.remainder(angle, 2 * math.pi)) < NO_TURN and np.any(before[1:]):
        axis = before[1:]
    elif axis @ before[1:] < 0:
        axis, angle = -axis, -angle
    return np.array([angle + _whole_turns(before[0] - angle), *axis])


def _whole_turns(angle: NDArray[np.float64]) -> NDArray[np.float64]:
    return 2 * math.pi * np.round(angle / (2 * math.pi))
