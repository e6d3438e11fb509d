"""Slide: moving by an exact displacement along all that is in the way, and nothing else."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices, Rows
from ..geometry.axes import dot
from ..geometry.cast import advance, cast
from ..geometry.clip import clip_velocity
from ..geometry.near import Near

STILL = 1e-9  # metres below which there is nothing left to move


@dataclass(frozen=True, slots=True, eq=False)
class Slid:
    """Where n capsules came to, and what they met.

    Attributes
    ----------
    offset : (3, n) float, m
    normals : (most, 3, n) float
        Of the surfaces that each lane met, in their order.
    rows : (most, n) int
        The rows of the near pieces; -1 beyond what was met.
    count : (n,) int
    is_done : (n,) bool
        False where more surfaces were met than may be in one motion; the rest of the way was dropped.
    """

    offset: Rows
    normals: NDArray[np.float64]
    rows: NDArray[np.intp]
    count: Indices
    is_done: NDArray[np.bool_]

    def clip(self, velocity: Rows, lanes: Indices) -> Rows:
        """Return the velocities (3, k) of `lanes` nearest to `velocity` (3, k) that enter nothing that was met."""
        normals = np.ascontiguousarray(self.normals[:, :, lanes].transpose(2, 0, 1))
        return clip_velocity(np.ascontiguousarray(velocity.T), normals, self.count[lanes]).T


def slide(near: Near, offset: Rows, way: Rows, lanes: Indices, most: int) -> Slid:
    """Move `lanes` along `way` (3, n), sliding along up to `most` surfaces.

    What remains of the way at a hit goes on along all surfaces met so far, solved together: into a wall at an angle
    its part along the wall, in a crease its part along the crease, in a corner nothing.
    """
    n = offset.shape[1]
    offset, left = offset.copy(), np.ones(n)
    normals, rows = np.zeros((most, 3, n)), np.full((most, n), -1, np.intp)
    slid = Slid(offset, normals, rows, np.zeros(n, np.intp), np.ones(n, bool))
    along, moving = way.copy(), lanes
    for _ in range(most):
        moving = moving[dot(along, along)[moving] > STILL**2]
        if not len(moving):
            return slid
        hits = cast(near, offset, along, moving)
        left[moving] *= 1 - advance(offset, along, hits, moving, near.body.stop_short)
        moving = moving[hits.row[moving] >= 0]
        slid.normals[slid.count[moving], :, moving] = hits.normal[:, moving].T
        slid.rows[slid.count[moving], moving] = hits.row[moving]
        slid.count[moving] += 1
        if len(moving):
            along[:, moving] = slid.clip(way[:, moving] * left[moving], moving)
    slid.is_done[moving[dot(along, along)[moving] > STILL**2]] = False
    return slid
