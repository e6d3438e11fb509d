"""Fragments: the parts of a surface, and of its reflex edges, that lie inside a convex cell; cut in two by planes."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices


@dataclass(frozen=True, slots=True, eq=False)
class Fragments:
    """k triangles cut from a surface, and m segments cut from the edges where it turns inward.

    Attributes
    ----------
    corners : (k, 3, 3) float
        Counter-clockwise seen from outside.
    plane : (k,) int
        Which plane of the surface each triangle lies on.
    ends : (m, 2, 3) float
        Of the segments.
    beside : (m, 2) int
        The planes on both sides of each segment.
    """

    corners: NDArray[np.float64]
    plane: Indices
    ends: NDArray[np.float64]
    beside: Indices

    def split(
        self, normal: NDArray[np.float64], offset: float, tolerance: float
    ) -> tuple["Fragments", "Fragments", NDArray[np.float64]]:
        """Return what is in front of a plane, what is behind it, and the triangles (c, 3, 3) that lie on it.

        Corners within `tolerance` of the plane count as lying on it. Segments on the plane are left out.
        """
        height = _snapped(self.corners @ normal - offset, tolerance)
        is_front, is_back = (height > 0).any(axis=1), (height < 0).any(axis=1)
        both = np.flatnonzero(is_front & is_back)
        front, back, front_of, back_of = _cut_triangles(self.corners[both], height[both])
        along = _snapped(self.ends @ normal - offset, tolerance)
        ahead, behind = (along > 0).any(axis=1), (along < 0).any(axis=1)
        crossing = np.flatnonzero(ahead & behind)
        middle = _between(self.ends[crossing, 0], self.ends[crossing, 1], along[crossing, 0], along[crossing, 1])
        sides = []
        for only, cut, cut_of, on_side, segments in (
            (is_front & ~is_back, front, both[front_of], ahead, along > 0),
            (is_back & ~is_front, back, both[back_of], behind, along < 0),
        ):
            ends = self.ends.copy()
            ends[crossing] = np.where(segments[crossing][:, :, None], ends[crossing], middle[:, None])
            sides.append(
                Fragments(
                    np.concatenate([self.corners[only], cut]),
                    np.concatenate([self.plane[only], self.plane[cut_of]]),
                    ends[on_side],
                    self.beside[on_side],
                )
            )
        return sides[0], sides[1], self.corners[~is_front & ~is_back]

    def thinned(self, count: int) -> "Fragments":
        """Return `count` of the triangles, or somewhat more, without the segments."""
        every = max(len(self.plane) // count, 1)
        return Fragments(self.corners[::every], self.plane[::every], self.ends[:0], self.beside[:0])


def _snapped(height: NDArray[np.float64], tolerance: float) -> NDArray[np.float64]:
    return np.where(np.abs(height) <= tolerance, 0.0, height)


def _between(
    a: NDArray[np.float64], b: NDArray[np.float64], ha: NDArray[np.float64], hb: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return where segments (n, 3) between heights of different signs go through zero."""
    return a + (ha / (ha - hb))[:, None] * (b - a)


def _cut_triangles(
    corners: NDArray[np.float64], height: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], Indices, Indices]:
    """Return the triangles in front of zero height and behind it, and the rows of `corners` that they are cut from."""
    sign = np.sign(height)
    total = sign.sum(axis=1)
    has_zero = (sign == 0).any(axis=1)
    first = np.where(has_zero, (sign == 0).argmax(axis=1), (sign == -total[:, None]).argmax(axis=1))
    turn = (first[:, None] + np.arange(3)) % 3
    rows = np.arange(len(corners))
    a, b, c = (corners[rows, turn[:, i]] for i in range(3))
    ha, hb, hc = (height[rows, turn[:, i]] for i in range(3))

    one = np.flatnonzero(has_zero)  # through the first corner and the opposite side
    middle = _between(b[one], c[one], hb[one], hc[one])
    left, right = np.stack([a[one], b[one], middle], axis=1), np.stack([a[one], middle, c[one]], axis=1)
    two = np.flatnonzero(~has_zero)  # the first corner is alone on its side
    ab = _between(a[two], b[two], ha[two], hb[two])
    ac = _between(a[two], c[two], ha[two], hc[two])
    tip = np.stack([a[two], ab, ac], axis=1)
    rest = np.stack([ab, b[two], c[two]], axis=1), np.stack([ab, c[two], ac], axis=1)

    triangles = np.concatenate([left, right, tip, *rest])
    source = np.concatenate([one, one, two, two, two])
    is_front = np.concatenate([hb[one] > 0, hc[one] > 0, ha[two] > 0, ha[two] < 0, ha[two] < 0])
    has_area = np.abs(np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])).max(axis=1)
    is_kept = has_area > 1e-14
    front, back = np.flatnonzero(is_front & is_kept), np.flatnonzero(~is_front & is_kept)
    return triangles[front], triangles[back], source[front], source[back]
