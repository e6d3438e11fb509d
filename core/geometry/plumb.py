"""Plumb: where plumb lines beside points meet faces, worked out once for points and faces, and then for any place.

The share of each side of a face is linear in where the plumb line is: how it grows sideways is the face's alone, so
that asking for another place beside the same point takes a few multiplications.
"""

from dataclasses import dataclass, fields

import numpy as np

from ..arrays import Indices, Mask, Scalars, Vectors
from .axes import turned_all
from .body import Body
from .features import Features

UPRIGHT_FACE = 1e-12  # m²: twice the area, seen from above, below which a face is a line that nothing can stand over
ON_BORDER = 1e-9  # share of a side by which a place may be outside


@dataclass(frozen=True, slots=True, eq=False)
class Plumb:
    """Pairs of a point and a face, k of them; all NaN for faces that are upright. The axes are the walker's.

    Attributes
    ----------
    one, other : (k,) float
        Shares of the first and the second side from the face's first corner to the point, seen along up.
    one_x, one_y, other_x, other_y : (k,) float, 1/m
        How they grow sideways.
    one_rise, other_rise : (k,) float, m
        How much higher the far ends of the sides are than the first corner.
    corner : (k,) float, m
        Height of the first corner over the point.
    """

    one: Scalars
    other: Scalars
    one_x: Scalars
    one_y: Scalars
    other_x: Scalars
    other_y: Scalars
    one_rise: Scalars
    other_rise: Scalars
    corner: Scalars

    @classmethod
    def at(cls, features: Features, body: Body, points: Vectors, faces: Indices) -> "Plumb":
        """Return the pairs of `points` (k, 3), in world space, and `faces` (k,)."""
        corners = features.corners[faces]
        corners[:, 1:] -= corners[:, :1]  # the sides
        corners[:, 0] -= points
        (x, ax, bx), (y, ay, by), (z, az, bz) = turned_all(corners, body)
        area = ax * by - ay * bx
        area = np.where(np.abs(area) > UPRIGHT_FACE, area, np.nan)
        one_x, one_y, other_x, other_y = by / area, -bx / area, -ay / area, ax / area
        return cls(-(one_x * x + one_y * y), -(other_x * x + other_y * y), one_x, one_y, other_x, other_y, az, bz, z)

    def meets(self, x: Scalars, y: Scalars, above: float, depth: float) -> Mask:
        """Return whether the plumb line through the place `x`, `y` (.., k), m sideways of the point, meets the face
        no higher than `above` over the point, and no more than `depth` below it, m."""
        one = self.one + self.one_x * x + self.one_y * y
        other = self.other + self.other_x * x + self.other_y * y
        height = self.corner + self.one_rise * one + self.other_rise * other
        met: Mask = (np.minimum(one, other) >= -ON_BORDER) & (one + other <= 1 + ON_BORDER)
        met &= (height <= above) & (height >= -depth)
        return met

    def may_meet(self, across: Scalars) -> Mask:
        """Return whether any place within `across` (k,), m, of the point along both axes can be within the face."""
        one = self.one + (np.abs(self.one_x) + np.abs(self.one_y)) * across
        other = self.other + (np.abs(self.other_x) + np.abs(self.other_y)) * across
        both = self.one + self.other
        both -= (np.abs(self.one_x + self.other_x) + np.abs(self.one_y + self.other_y)) * across
        may: Mask = (np.minimum(one, other) >= -2 * ON_BORDER) & (both <= 1 + 2 * ON_BORDER)
        return may

    def only(self, kept: Indices) -> "Plumb":
        """Return some of the pairs."""
        return Plumb(*(getattr(self, each.name)[kept] for each in fields(self)))
