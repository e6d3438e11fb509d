"""Stand out: whether a hull stays near the solid that it is put around."""

import numpy as np
from numpy.typing import NDArray

from .convexity import find_planes
from .hull import convex_hulls
from .nearest import nearest_sides

FIRST_GRID = 4  # boxes along each side of the hull, at first
FINEST = 8.0  # boxes are not divided further when they are that many times smaller than the limit
PAIRS_LIMIT = 3_000_000  # boxes times triangles; what would take more counts as not near


def is_within(content: NDArray[np.float64], corners: NDArray[np.float64], limit: float) -> bool:
    """Return whether no point of a hull that is outside of the solid is further than `limit` from its surface.

    Boxes that fill the hull are divided until each is outside of the hull, inside of the solid, near enough in whole,
    or has a middle that is too far. The distance changes by no more than one moves, so the answer yes is certain; no
    is also said to what is within an eighth of the limit or takes too long.

    Parameters
    ----------
    content : (n, 3) float
        Points whose hull is asked about.
    corners : (t, 3, 3) float
        Triangles of the solid's surface inside the hull, counter-clockwise seen from outside. There may be none where
        the solid goes on outside of the hull.
    """
    hull = convex_hulls(content, np.array([len(content)]))
    if hull.refusals:
        return False
    normal, offset = find_planes(content, hull.triangles)
    normal, offset = _distinct(normal, offset)
    low, high = content.min(axis=0), content.max(axis=0)
    half = (high - low) / (2 * FIRST_GRID)
    steps = np.stack(np.meshgrid(*[np.arange(FIRST_GRID)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    middle = low + (2 * steps + 1) * half
    turns = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    pairs = 0
    while len(middle):
        reach = float(np.linalg.norm(half))
        above = (middle @ normal.T - offset).max(axis=1)
        middle, above = middle[above < reach], above[above < reach]
        pairs += len(middle) * len(corners)
        if pairs > PAIRS_LIMIT:
            return False
        distance, is_solid = nearest_sides(middle, corners)
        if ((above <= 0) & ~is_solid & (distance > limit)).any():
            return False
        is_open = (distance + reach > limit) & ~(is_solid & (distance >= reach))
        if is_open.any() and reach * FINEST < limit:
            return False
        half = half / 2
        middle = (middle[is_open][:, None] + turns * half).reshape(-1, 3)
    return True


def _distinct(
    normal: NDArray[np.float64], offset: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return planes without those that are there already."""
    _, rows = np.unique(np.round(np.column_stack([normal, offset]), 9), axis=0, return_index=True)
    return normal[rows], offset[rows]
