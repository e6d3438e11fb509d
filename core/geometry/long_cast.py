"""Long casts: capsules moved along any way to their first hit, in parts, so that only what is near it is looked at."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import Indices, Mask, Scalars, Vectors, nonzero
from ..mesh import Layer
from ..settings import Settings
from ..vectors import as_vectors
from .axes import turned
from .body import Body
from .cast import cast
from .contacts import contact_points
from .features import Features
from .grid import Grid
from .ground import judge
from .near import SLACK, gather

LONGEST = 1.5  # of the height, of one part: what is gathered grows with the square of it; a cell of the grid at least
AT_ONCE = 256  # capsules: more of them gain nothing, and need memory for all that is near each


@dataclass(frozen=True, slots=True, eq=False)
class CastHits:
    """Where n capsules are stopped.

    Attributes
    ----------
    fraction : (n,) float
        Share of the displacement before the hit; 1 where nothing is hit.
    is_hit : (n,) bool
    point, normal : (n, 3) float
        What is touched, in world space, and the direction from there to the capsule; zeros where nothing is hit.
    object_index : (n,) int
        Into the world's names; -1 where nothing is hit.
    """

    fraction: Scalars
    is_hit: Mask
    point: Vectors
    normal: Vectors
    object_index: Indices


def cast_far(
    features: Features,
    grid: Grid,
    settings: Settings,
    start: ArrayLike,
    displacement: ArrayLike,
    layers: Layer = Layer.BOTH,
) -> CastHits:
    """Move the character's capsule, without its skin, along displacements; parameters and errors as in World.cast."""
    body = Body.without_skin(settings)
    feet, ways = np.broadcast_arrays(as_vectors("start", start), as_vectors("displacement", displacement))
    n = len(feet)
    lower = feet + np.asarray(settings.up) * settings.radius
    first_share, last_share = _shares_in_level(grid, settings, lower, ways)
    lower, ways = lower + ways * first_share[:, None], ways * (last_share - first_share)[:, None]
    length = np.sqrt((ways * ways).sum(axis=1))
    longest = max(LONGEST * settings.height, float(grid.cell_size[0]) if len(grid.cell_size) else 0.0)
    parts = np.maximum(np.ceil(length / longest), 1.0)
    found = CastHits(np.ones(n), np.zeros(n, bool), np.zeros((n, 3)), np.zeros((n, 3)), np.full(n, -1, np.intp))
    level = _Level(features, grid, body, settings, layers)
    for first in range(0, n, AT_ONCE):
        lanes, done = np.arange(first, min(first + AT_ONCE, n)), 0
        while len(lanes):
            origin = lower[lanes] + ways[lanes] * (done / parts[lanes])[:, None]
            level.cast_part(origin, ways[lanes] / parts[lanes, None], lanes, found, done / parts[lanes], parts[lanes])
            done += 1
            lanes = lanes[~found.is_hit[lanes] & (parts[lanes] > done)]
    share = first_share + found.fraction * (last_share - first_share)
    return replace(found, fraction=np.where(found.is_hit, share, 1.0))


def _shares_in_level(grid: Grid, settings: Settings, lower: Vectors, ways: Vectors) -> tuple[Scalars, Scalars]:
    """Return between which shares (n,) of their ways capsules are near the box of the level; 0 and 0 for never."""
    if not len(grid.cell_size):
        return np.zeros(len(ways)), np.zeros(len(ways))
    reach = settings.height + SLACK
    low, high = grid.origin - reach, grid.top + reach
    with np.errstate(divide="ignore", invalid="ignore"):
        one, other = (low - lower) / ways, (high - lower) / ways
    is_still = ways == 0
    is_inside = (lower >= low) & (lower <= high)
    enters = np.where(is_still, np.where(is_inside, -np.inf, np.inf), np.minimum(one, other)).max(axis=1)
    leaves = np.where(is_still, np.inf, np.maximum(one, other)).min(axis=1)
    first, last = np.maximum(enters, 0.0), np.minimum(leaves, 1.0)
    never = ~(first < last)
    return np.where(never, 0.0, first), np.where(never, 0.0, last)


@dataclass(frozen=True, slots=True, eq=False)
class _Level:
    """What is cast, and against what."""

    features: Features
    grid: Grid
    body: Body
    settings: Settings
    layers: Layer

    def cast_part(
        self, origin: Vectors, way: Vectors, lanes: Indices, found: CastHits, done: Scalars, parts: Scalars
    ) -> None:
        """Cast one of the `parts` (k,) of the ways, and enter what is hit into `found`; `done` (k,) is the share
        before it."""
        body, length = self.body, np.sqrt((way * way).sum(axis=1))
        span = np.full(len(lanes), self.settings.span)
        near = gather(self.features, self.grid, body, span, origin, length, length, self.layers)
        along = turned(way, body)
        hits = cast(near, np.zeros((3, len(lanes))), along, np.arange(len(lanes)))
        hit = nonzero(hits.row >= 0)
        if not len(hit):
            return
        rows, normal, lane = hits.row[hit], hits.normal.take(hit, axis=1), lanes[hit]
        place = along.take(hit, axis=1) * hits.fraction[hit]
        points = contact_points(near, rows, place, normal, np.zeros(len(hit)))
        judged = judge(near, rows, normal, self.settings.slope_limit)
        found.fraction[lane] = done[hit] + hits.fraction[hit] / parts[hit]
        found.is_hit[lane] = True
        found.point[lane] = origin[hit] + (body.turn.T @ points).T
        found.normal[lane] = (body.turn.T @ normal).T
        found.object_index[lane] = judged.object_index
