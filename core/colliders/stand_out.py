"""Stand out: whether a hull stays near the solid that it is put around."""

import numpy as np
from numpy.typing import NDArray

from ..arrays import Mask
from .convexity import find_planes
from .hull import convex_hulls
from .nearest import NearPairs, near_pairs, nearest_sides

CHORDS = 64  # lines between points of the hull whose middles are looked at first: most hulls that fail, fail there
FIRST_GRID = 4  # boxes along each side of the hull, at first
FINEST = 8.0  # boxes are not divided further when they are that many times smaller than the limit
BOXES_LIMIT = 8_000  # what would take more counts as not near
ON_HULL = 0.25  # share of the limit by which a triangle on the hull may be inside of it
ALONG = 0.99  # cosine of the angle between a triangle on the hull and the face that it is near
ROUND = 0.5  # cosine between directions of triangles and their mean, for those that bulge


def is_within(content: NDArray[np.float64], corners: NDArray[np.float64], limit: float) -> bool:
    """Return whether no point of a hull that is outside of the solid is further than `limit` from its surface.

    Boxes that fill the hull are divided until each is outside of the hull, inside of the solid, near enough in whole,
    near to a bulge of the surface that fills the hull, or has a middle that is too far. The distance changes by no
    more than one moves, so yes is certain; no is also said to what is within an eighth of the limit or takes too long.

    Parameters
    ----------
    content : (n, 3) float
        Points whose hull is asked about.
    corners : (t, 3, 3) float
        Triangles of the solid's surface inside the hull, counter-clockwise seen from outside. There may be none where
        the solid goes on outside of the hull.
    """
    content = np.unique(content, axis=0)
    distance, is_solid = nearest_sides(_chords(content), corners)
    if (~is_solid & (distance > limit)).any():
        return False
    hull = convex_hulls(content, np.array([len(content)]))
    if hull.refusals:
        return False
    normal, offset = _distinct(*find_planes(content, hull.triangles))
    direction, is_on_hull = _on_hull(corners, normal, offset, ON_HULL * limit)
    low, high = content.min(axis=0), content.max(axis=0)
    half = (high - low) / (2 * FIRST_GRID)
    steps = np.stack(np.meshgrid(*[np.arange(FIRST_GRID)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    middle = low + (2 * steps + 1) * half
    turns = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    boxes = 0
    while len(middle):
        reach = float(np.linalg.norm(half))
        above = (middle @ normal.T - offset).max(axis=1)
        middle, above = middle[above < reach], above[above < reach]
        boxes += len(middle)
        if boxes > BOXES_LIMIT:
            return False
        is_open = np.zeros(len(middle), bool)
        beyond = 2 * reach if reach <= limit else 0.0  # large boxes have too many triangles about them
        for pairs in near_pairs(middle, corners, beyond):
            is_solid, distance = pairs.is_behind(), pairs.least
            if ((above[pairs.rows] <= 0) & ~is_solid & (distance > limit)).any():
                return False
            is_done = (distance + reach <= limit) | (is_solid & (distance >= reach))
            is_done |= (beyond > 0) & _bulges(pairs, beyond, direction, is_on_hull)
            is_open[pairs.rows] = ~is_done
        if is_open.any() and reach * FINEST < limit:
            return False
        half = half / 2
        middle = (middle[is_open][:, None] + turns * half).reshape(-1, 3)
    return True


def _on_hull(
    corners: NDArray[np.float64], normal: NDArray[np.float64], offset: NDArray[np.float64], depth: float
) -> tuple[NDArray[np.float64], Mask]:
    """Return the directions of triangles, and which of them lie along a face of the hull within `depth`."""
    direction, _ = find_planes(corners.reshape(-1, 3), np.arange(3 * len(corners)).reshape(-1, 3))
    is_on_hull = np.zeros(len(corners), bool)
    for begin in range(0, len(normal), 256):
        some, at = normal[begin : begin + 256], offset[begin : begin + 256]
        is_near = (corners @ some.T - at >= -depth).all(axis=1)
        is_on_hull |= (is_near & (direction @ some.T >= ALONG)).any(axis=1)
    return direction, is_on_hull


def _bulges(pairs: NearPairs, beyond: float, direction: NDArray[np.float64], is_on_hull: Mask) -> Mask:
    """Return around which points all triangles, up to `beyond` further than the nearest, bulge along the hull.

    The nearest place of the surface is seen along a mean of the directions of triangles there. Where none of these is
    more than 60 degrees from the mean of all, one is within 60 degrees of it; the hull ends `ON_HULL` of the limit
    above that one, so no point of the hull is further than the limit.
    """
    is_near = pairs.distance <= pairs.least[pairs.point] + beyond
    some = direction[pairs.triangle] * is_near[:, None]
    mean = np.add.reduceat(some, pairs.starts, axis=0)
    mean /= np.maximum(np.linalg.norm(mean, axis=1), 1e-300)[:, None]
    fits = is_on_hull[pairs.triangle] & ((direction[pairs.triangle] * mean[pairs.point]).sum(axis=1) >= ROUND)
    return np.asarray(np.logical_and.reduceat(fits | ~is_near, pairs.starts))


def _chords(content: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the middles of lines between points, the same for the same points: some of a hull's inside."""
    pairs = np.random.default_rng(CHORDS).integers(0, len(content), (CHORDS, 2))
    return np.asarray(content[pairs].mean(axis=1))


def _distinct(
    normal: NDArray[np.float64], offset: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return planes without those that are there already."""
    _, rows = np.unique(np.round(np.column_stack([normal, offset]), 9), axis=0, return_index=True)
    return normal[rows], offset[rows]
