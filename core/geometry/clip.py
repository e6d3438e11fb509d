"""Clip: what remains of a velocity along all the surfaces that are touched, solved together."""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices, Level, Vectors
from .axes import level_dot

PARALLEL = 1e-6  # sine of the angle below which two normals make no crease
ROUNDING = 1e-9  # share of the speed that may enter a surface


def clip_velocity(velocity: Vectors, normals: NDArray[np.float64], count: Indices) -> Vectors:
    """Return the velocity nearest to `velocity` that enters no touched surface.

    It is `velocity` itself, its part along one surface, its part along the crease of two, or rest: the projection
    of a point on a cone in space lies on one of the cone's faces, edges, or its tip. Trying them all is exact, and
    makes the order in which the contacts were found irrelevant.

    Parameters
    ----------
    velocity : (n, 3) float, m/s
    normals : (n, k, 3) float, unit length
        Contact normals of each lane, from the level towards the character.
    count : (n,) int
        How many of the k normals each lane has.

    Returns
    -------
    (n, 3) float, m/s
        Never longer than `velocity`; ``normals @ result >= 0`` up to rounding.

    Raises
    ------
    ValueError
        If the shapes do not fit together.
    """
    n = len(velocity)
    if normals.ndim != 3 or normals.shape[0] != n or normals.shape[2] != 3:
        raise ValueError(f"normals must be ({n}, k, 3), got {normals.shape}")
    most = min(normals.shape[1], int(count.max(initial=0)))
    slack = ROUNDING * np.sqrt((velocity * velocity).sum(axis=1))
    used = np.arange(most) < np.asarray(count)[:, None]

    # A surface that a lane does not have becomes one that nothing enters: normal zero, no candidate.
    planes = np.where(used[:, :, None], normals[:, :most], 0.0)
    candidates = [velocity, np.zeros_like(velocity)]
    has = [np.ones(n, bool), np.ones(n, bool)]
    for i in range(most):
        plane = planes[:, i]
        candidates.append(velocity - (velocity * plane).sum(axis=1)[:, None] * plane)
        has.append(used[:, i])
    for i, j in combinations(range(most), 2):
        crease = np.cross(planes[:, i], planes[:, j])
        square = (crease * crease).sum(axis=1)
        is_crease = square > PARALLEL**2
        along = (velocity * crease).sum(axis=1) / np.where(is_crease, square, 1.0)
        candidates.append(along[:, None] * crease)
        has.append(is_crease)

    tried = np.stack(candidates, axis=1)
    entering = np.einsum("ncx,nkx->nck", tried, planes) < -slack[:, None, None]
    apart = ((tried - velocity[:, None]) ** 2).sum(axis=2)
    apart[entering.any(axis=2) | ~np.stack(has, axis=1)] = np.inf
    apart[:, 1] = np.where(np.isinf(apart[:, 1]), (velocity * velocity).sum(axis=1), apart[:, 1])
    clipped: Vectors = tried[np.arange(n), apart.argmin(axis=1)]
    return clipped


def clip_level(velocity: Level, normals: NDArray[np.float64]) -> Level:
    """Return the level velocity nearest to `velocity` that enters no wall: itself, along one wall, or rest.

    Parameters
    ----------
    velocity : (2, n) float, m/s
    normals : (k, 2, n) float
        Unit normals of the walls seen from above; zeros for none.

    Returns
    -------
    (2, n) float, m/s
    """
    along = velocity - (velocity[0] * normals[:, 0] + velocity[1] * normals[:, 1])[:, None] * normals
    tried = np.concatenate([velocity[None], along[::-1], np.zeros((1, *velocity.shape))])  # of equal ones the first
    inward = normals[:, 0, None] * tried[:, 0] + normals[:, 1, None] * tried[:, 1]
    square = level_dot(velocity, velocity)
    change = tried - velocity
    apart = change[:, 0] * change[:, 0] + change[:, 1] * change[:, 1]
    apart[np.minimum.reduce(inward) < -ROUNDING * np.sqrt(square)] = np.inf
    best: NDArray[np.float64] = tried[apart.argmin(axis=0), :, np.arange(len(square))].T
    return best
