"""Corner fans: the faces around each corner of one-sided surfaces, and whether a contact there is with their front.

A capsule that comes to a corner without having gone through a face touches it with a normal n (unit, towards the
capsule) that no direction of the surface there rises above: n . e <= 0 for every edge e of every face at the corner,
valleys and seams too. All of the surface is then below the plane across n, and its faces can be projected from the
capsule's side on that plane, the edge e becoming the point e / (-n . e). They make a polygon about the corner whose
area counts what shows its front, less what shows its back:

    sum over faces of  n . (a x b) / (n . a) (n . b)        a, b: unit edges of the face there, counter-clockwise

Where the faces close a ring the polygon is simple, so the sign says on which side of the surface the capsule is, the
same for all normals that are possible: a peak of ridges has its front there, a pit its back, and a saddle allows no
normal. At a rim the polygon is closed through the corner itself: the front shows more than the back. At the ends of
the arc of normals of each rim edge the sum has the sign of n . face normal, the rule of that edge, so that nothing
changes where the capsule rolls from the one to the other. And it does not matter how flat parts are triangulated.
"""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices, Mask, Rows, expand, nonzero
from .body import Body

if TYPE_CHECKING:
    from .features import Features

OVER = 1e-5
"""Cosine by which an edge may rise above a contact: more than rounding, and less than half the bend of any edge that
is kept (`features.FLAT`)."""
EDGEWISE = 1e-3
"""Angle (rad) to the plane of a one-sided sheet up to which a contact at its border is not from the front: edge on, the
sheet is not there."""


def find_fans(
    triangles: NDArray[np.int64], is_front: Mask, corner_ids: Indices, vertex_count: int
) -> tuple[Indices, Indices, NDArray[np.int8]]:
    """Return where the fan of each corner begins (c + 1,), its faces (k,), and which of their points it is (k,).

    `corner_ids` (c,) are the vertices of the corners; the fan has those faces that are `is_front` (f,).
    """
    rows = nonzero(is_front)
    if not len(rows):
        return np.zeros(len(corner_ids) + 1, np.intp), rows, np.zeros(0, np.int8)
    number = np.full(vertex_count, -1)
    number[corner_ids] = np.arange(len(corner_ids))
    corner = number[triangles[rows].ravel()]
    used = nonzero(corner >= 0)
    used = used[np.argsort(corner[used], kind="stable")]
    at = np.concatenate([[0], np.cumsum(np.bincount(corner[used], minlength=len(corner_ids)))])
    return at.astype(np.intp), rows[used // 3], (used % 3).astype(np.int8)


def shows_front(features: "Features", corner: Indices, normal: Rows, body: Body) -> Mask:
    """Return which contacts (k,) with `normal` (3, k), in the walker's axes, at `corner` (k,) are with the front."""
    starts = features.corner_fans_at[corner]
    counts = features.corner_fans_at[corner + 1] - starts
    contact = np.repeat(np.arange(len(corner)), counts)
    rows = expand(starts, counts)
    points, side = features.corners[features.fan_faces[rows]], features.fan_sides[rows].astype(np.intp)
    each = np.arange(len(rows))
    apex = points[each, side]
    a, b = _unit(points[each, (side + 1) % 3] - apex), _unit(points[each, (side + 2) % 3] - apex)
    n = (normal.T @ body.turn)[contact]
    rise_a, rise_b = (n * a).sum(axis=1), (n * b).sum(axis=1)
    cross = np.cross(a, b)
    sine = np.sqrt((cross * cross).sum(axis=1))
    area = (n * cross).sum(axis=1) + EDGEWISE * sine * (rise_a + rise_b)
    area /= np.maximum(-rise_a, OVER) * np.maximum(-rise_b, OVER)
    is_over = np.bincount(contact, np.maximum(rise_a, rise_b) > OVER, len(corner)) > 0
    is_there: Mask = ~is_over & (np.bincount(contact, area, len(corner)) > 0)
    return is_there


def _unit(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(vectors / np.maximum(np.sqrt((vectors * vectors).sum(axis=1)), 1e-300)[:, None])
