"""Surfaces: what each face of a level is to the character, and the edges that show its shape; for pictures."""

import math
from collections.abc import Sequence
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from .arrays import Mask
from .colliders.colliders import ColliderKind, Colliders
from .geometry.body import cos_limit
from .geometry.features import Features

WALL_LEAN = math.radians(5)
"""A face that leans less than this from upright, to either side, is a wall and no slope or ceiling."""

CREASE = math.radians(10)
"""An edge whose faces bend less than this does not show: the ground of a smooth terrain has no lines, and a column
of 32 sides has."""


class Surface(IntEnum):
    """What a face is to a character with some slope limit."""

    WALKABLE = 0  # it carries the character
    STEEP = 1  # too steep to stand on
    WALL = 2  # upright
    CEILING = 3  # looks down
    OBSTACLE = 4  # not too steep, but of an object that never carries
    PASSED = 5  # too steep, and of an object that never stops: it is not there for the character


class Role(IntEnum):
    """What a collider is: how its object was meant, or else its kind."""

    HULL = 0  # a convex solid
    FACES = 1  # triangles, with a way through from either side or one
    SOLID = 2  # triangles of a closed object
    GROUND = 3  # carries and never stops
    OBSTACLE = 4  # stops and never carries
    CLIMBABLE = 5  # a ladder


def find_surfaces(features: Features, slope_limit: float, up: Sequence[float] = (0.0, 0.0, 1.0)) -> NDArray[np.int8]:
    """Return what each face (f,) is, as Surface.

    The slope limit is that of the step, with its margin. A face that counts from both sides is judged by the side
    that looks up.

    Parameters
    ----------
    slope_limit : float, rad
    up : (3,) float
        Unit length.
    """
    rise = features.normal @ np.asarray(up, dtype=np.float64)
    rise = np.where(features.is_one_sided, rise, np.abs(rise))
    upright = math.sin(WALL_LEAN)
    is_gentle = rise >= cos_limit(slope_limit)
    surface = np.full(len(rise), Surface.STEEP, np.int8)
    surface[rise < upright] = Surface.WALL
    surface[rise <= -upright] = Surface.CEILING
    surface[~features.stops] = Surface.PASSED
    surface[is_gentle] = Surface.WALKABLE
    surface[is_gentle & ~features.carries] = Surface.OBSTACLE
    return surface


def find_roles(colliders: Colliders, climbable: Mask) -> NDArray[np.int8]:
    """Return the Role of each face (f,); `climbable` (m,) says which of the m objects are ladders."""
    role_of_kind = np.zeros(len(ColliderKind), np.int8)
    for kind in ColliderKind:
        role_of_kind[kind] = Role[kind.name]
    role = role_of_kind[colliders.kind[colliders.collider]]
    role[~colliders.stops] = Role.GROUND
    role[~colliders.carries] = Role.OBSTACLE
    role[climbable[colliders.object_index[colliders.collider]]] = Role.CLIMBABLE
    return role


def find_outlines(
    features: Features, classes: NDArray[np.int8], most: int
) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
    """Return the edges that show the shape of a level, and the class of each.

    These are rims, edges that bend by CREASE or more, and borders between faces of different classes. Diagonals of flat
    sides are none of them.

    Parameters
    ----------
    classes : (f,) int8
        Of the faces: Surface or Role.
    most : int
        If there are more, only the sharpest are returned, `most` at the most.

    Returns
    -------
    (k, 2, 3) float, m, and (k,) int8
        An edge has the lowest class of its faces.
    """
    if not len(features.edge_ends):
        return np.zeros((0, 2, 3)), np.zeros(0, np.int8)
    at = features.edge_faces_at
    lowest = np.minimum.reduceat(classes[features.edge_faces], at[:-1])
    highest = np.maximum.reduceat(classes[features.edge_faces], at[:-1])
    # Where two faces are one plane the directions into them cancel out: their sum has the length 2 sin(bend / 2).
    bend = np.linalg.norm(features.edge_inward.sum(axis=1), axis=1)
    bend[np.diff(at) != 2] = np.inf
    bend[lowest != highest] = np.inf
    shown = np.flatnonzero(bend >= 2 * math.sin(CREASE / 2))
    if len(shown) > most:
        shown = np.sort(shown[np.argsort(-bend[shown], kind="stable")[:most]])
    return features.edge_ends[shown], lowest[shown]
