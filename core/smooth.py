"""Smooth: the path of the feet without the jerks of stairs, for cameras and animation; the exact one stays as it is."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .character.state import GROUNDED

Path = NDArray[np.float64]  # (s + 1, n, 3)

STILL = 1e-6  # metres in a step below which a walker stands


def smooth_steps(
    position: ArrayLike,
    support: ArrayLike,
    distance: float,
    up: ArrayLike = (0.0, 0.0, 1.0),
    most: float = math.inf,
) -> Path:
    """Return the feet of walks with their heights averaged along the way, forwards as much as backwards.

    The height at a place of the way, seen from above, becomes the mean of the heights up to `distance` before and
    behind it, with weights that fall evenly to zero there. So a lone step of height h, which lifts by h at once,
    lifts with v² h / distance² at most, at a speed v. What rises evenly stays as it is, to rounding: floors and
    ramps, but for what lies nearer to their ends than `distance`. Nothing lags, as the path backwards gives the same.

    Only walking is smoothed: in the air, and where a walker stands, the path is the exact one, and near there it
    comes to it within what is left of the way.

    Parameters
    ----------
    position : (s + 1, n, 3) float, m
        As in a Trace.
    support : (s + 1, n) int of Support
    distance : float, m
        About the length of two treads. Too small and steps are still felt; too large and the feet float before
        kerbs and sink into crests. Zero changes nothing.
    up : (3,) float, unit length
    most : float, m
        By how much the smoothed path may lie above or below the exact one.

    Returns
    -------
    (s + 1, n, 3) float, m

    Raises
    ------
    ValueError
        If the shapes do not fit together, or a length is negative or not a number.
    """
    feet, carried = np.asarray(position, dtype=np.float64), np.asarray(support) == GROUNDED
    if feet.ndim != 3 or feet.shape[2] != 3 or carried.shape != feet.shape[:2]:
        raise ValueError(f"position must be (s + 1, n, 3) and support (s + 1, n), got {feet.shape}, {carried.shape}")
    if not (0 <= distance < math.inf and most >= 0):
        raise ValueError(f"distance and most must be 0 m or more, got {distance} and {most}")
    if distance == 0 or len(feet) < 3 or feet.shape[1] == 0:
        return feet.copy()
    axis = np.asarray(up, dtype=np.float64)
    height = feet @ axis
    strides = np.sqrt((np.diff(feet - height[..., None] * axis, axis=0) ** 2).sum(axis=2))
    place = np.concatenate([np.zeros((1, feet.shape[1])), np.cumsum(strides, axis=0)])
    half = np.minimum(distance, _room(place, carried[:-1] & carried[1:] & (strides > STILL)))
    smooth = _mean(place, _mean(place, height, half / 2), half / 2)  # two even means make weights that fall evenly
    raised = np.clip(smooth - height, -most, most)
    return np.where((half > 0)[..., None], feet + raised[..., None] * axis, feet)


def _room(place: NDArray[np.float64], walked: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return how far (s + 1, n), m along the way, it is to where a walker stands or flies, forwards or backwards.

    `place` is the way gone, (s + 1, n), and `walked` tells which steps (s, n) were walked.
    """
    is_exact = np.ones(place.shape, bool)
    is_exact[1:-1] = ~(walked[:-1] & walked[1:])
    before = np.maximum.accumulate(np.where(is_exact, place, -np.inf), axis=0)
    after = np.minimum.accumulate(np.where(is_exact, place, np.inf)[::-1], axis=0)[::-1]
    return np.minimum(place - before, after - place)


def _mean(place: NDArray[np.float64], height: NDArray[np.float64], half: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the means (s + 1, n) of heights, straight between the places, over `half` (m) to both sides of each."""
    # All lanes one after the other make one long way: no half reaches out of its lane.
    ends = np.cumsum(place[-1]) - place[-1]
    way, rise = (place + ends).T.ravel(), height.T.ravel()
    length, step = np.diff(way), np.diff(rise)
    length_or_one = np.where(length > 0, length, 1.0)
    area = np.concatenate([[0.0], np.cumsum(length * (rise[:-1] + step / 2))])

    def area_to(at: NDArray[np.float64]) -> NDArray[np.float64]:
        index = np.clip(np.searchsorted(way, at, side="right") - 1, 0, len(length) - 1)
        beyond = at - way[index]
        slope = np.where(length[index] > 0, step[index] / length_or_one[index], 0.0)
        total: NDArray[np.float64] = area[index] + beyond * (rise[index] + slope * beyond / 2)
        return total

    wide = half.T.ravel()
    span = np.where(wide > 0, 2 * wide, 1.0)
    mean = np.where(wide > 0, (area_to(way + wide) - area_to(way - wide)) / span, rise)
    return np.ascontiguousarray(mean.reshape(height.T.shape).T)
