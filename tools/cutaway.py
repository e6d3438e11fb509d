"""A level without what is over a path: rooms are seen into from above, as in a doll's house."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import bpy
import numpy as np
from numpy.typing import NDArray

Triangles = NDArray[np.float64]  # (t, 3, 3): corners

ROOFED = 0.5  # share of the path under a ceiling from which on a level counts as indoors
PIECE = 2.0  # m; larger triangles are cut up, so that each piece has a place, and a height of the path beside it
FINEST = 12  # times at most that a triangle is halved
SAME_PLACE = 1.0  # m; of the stretches of the path that are about as near to a piece, the highest counts


def is_indoors(path: NDArray[np.float64]) -> bool:
    """Say whether most of the path (k, 3), in Blender units, has a ceiling over it."""
    scene, depsgraph = bpy.context.scene, bpy.context.evaluated_depsgraph_get()
    roofed = [scene.ray_cast(depsgraph, point.tolist(), (0, 0, 1))[0] for point in path]
    return sum(roofed) > ROOFED * len(roofed)


@contextmanager
def hidden(objects: Iterable[bpy.types.Object]) -> Iterator[None]:
    """Take objects out of the view and the picture for a while."""
    former = [(ob, ob.hide_viewport, ob.hide_render) for ob in objects if ob.is_editable]
    for ob, *_ in former:
        ob.hide_viewport = ob.hide_render = True
    bpy.context.view_layer.update()
    try:
        yield
    finally:
        for ob, in_view, in_render in former:
            ob.hide_viewport, ob.hide_render = in_view, in_render


def cut_open(triangles: Triangles, path: NDArray[np.float64], above: float) -> Triangles:
    """Return what of the triangles is not higher than `above` over the path's nearest stretch; (k, 3) feet, all in m.

    Heights are cut off straight, so that walls end in a clean edge.
    """
    pieces = _cut_up(triangles)
    limits = _heights_beside(path, pieces.mean(axis=1)[:, :2]) + above
    return _below(pieces, limits)


def area_of(triangles: Triangles) -> float:
    """Return the area of all triangles together."""
    a, b, c = np.moveaxis(triangles, 1, 0)
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum()) / 2


def area_of_object(ob: bpy.types.Object) -> float:
    """Return the area of an object's mesh, as large as it is in the scene."""
    return sum(face.area for face in ob.data.polygons) * ob.matrix_world.median_scale**2


def _cut_up(triangles: Triangles) -> Triangles:
    """Halve triangles at their longest edge until each is short."""
    done = []
    for _ in range(FINEST):
        lengths = np.linalg.norm(triangles - np.roll(triangles, -1, axis=1), axis=2)
        is_long = lengths.max(axis=1) > PIECE
        done.append(triangles[~is_long])
        longest = lengths[is_long].argmax(axis=1)
        turned = (longest[:, None] + np.arange(3)) % 3
        a, b, c = np.moveaxis(np.take_along_axis(triangles[is_long], turned[:, :, None], axis=1), 1, 0)
        middle = (a + b) / 2
        triangles = np.concatenate([np.stack([a, middle, c], axis=1), np.stack([middle, b, c], axis=1)])
    return np.concatenate([*done, triangles])


def _heights_beside(path: NDArray[np.float64], places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the height (p,) of the path at its points that are nearest to each place (p, 2)."""
    heights = np.empty(len(places))
    for first in range(0, len(places), 4096):  # a table of all distances would not fit for a large level
        part = slice(first, first + 4096)
        distances = np.linalg.norm(places[part, None] - path[:, :2], axis=2)
        is_near = distances < distances.min(axis=1, keepdims=True) + SAME_PLACE
        heights[part] = np.where(is_near, path[:, 2], -np.inf).max(axis=1)
    return heights


def _below(triangles: Triangles, limits: NDArray[np.float64]) -> Triangles:
    """Return the parts of triangles (t, 3, 3) that are below heights (t,): cut ones become one or two triangles."""
    order = np.argsort(triangles[:, :, 2], axis=1)
    # Rising corners: facing is lost, and pictures without culling do not need it.
    low, middle, high = np.moveaxis(np.take_along_axis(triangles, order[:, :, None], axis=1), 1, 0)
    whole = high[:, 2] <= limits
    two = ~whole & (middle[:, 2] <= limits)
    one = ~whole & ~two & (low[:, 2] < limits)

    def at_limit(start: NDArray[np.float64], end: NDArray[np.float64], chosen: NDArray[np.bool_]) -> Triangles:
        start, end = start[chosen], end[chosen]
        share = (limits[chosen] - start[:, 2]) / (end[:, 2] - start[:, 2])
        return start + share[:, None] * (end - start)

    tip = np.stack([low[one], at_limit(low, middle, one), at_limit(low, high, one)], axis=1)
    left, right = at_limit(low, high, two), at_limit(middle, high, two)
    halves = np.stack([low[two], middle[two], right], axis=1), np.stack([low[two], right, left], axis=1)
    return np.concatenate([triangles[whole], tip, *halves])
