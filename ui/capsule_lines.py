"""The lines that a capsule is drawn with."""

import numpy as np
from numpy.typing import NDArray

SEGMENTS = 32  # of a full circle
ARROW = 2.0  # length of the arrow that shows the front, in radii from the axis


def capsule_lines(radius: float, height: float) -> NDArray[np.float64]:
    """Return the lines of an upright capsule that stands on the origin: its outline from two sides, and two rings.

    Returns
    -------
    (k, 2, 3) float
        Begin and end of each line.
    """
    angles = np.linspace(0, 2 * np.pi, SEGMENTS + 1)
    across, upward = radius * np.cos(angles), radius * np.sin(angles)
    low, high = radius, max(height - radius, radius)
    # Once round a section: the upper half of a circle at the upper centre, then the lower half at the lower one.
    lift = np.where(np.arange(SEGMENTS + 1) <= SEGMENTS // 2, high, low)
    outline = np.stack([across, upward + lift], axis=1)
    outline = np.concatenate([outline, outline[:1]])
    zeros = np.zeros(len(outline))
    sections = [
        np.column_stack([outline[:, 0], zeros, outline[:, 1]]),
        np.column_stack([zeros, outline[:, 0], outline[:, 1]]),
    ]
    rings = [np.column_stack([across, upward, np.full(SEGMENTS + 1, at)]) for at in (low, high)]
    return np.concatenate([_joined(points) for points in (*sections, *rings)])


def arrow_lines(radius: float) -> NDArray[np.float64]:
    """Return the lines (k, 2, 3) of an arrow on the ground that leads out of the capsule, to -Y."""
    tip, tail, side = -ARROW * radius, -radius, radius / 4
    barbs = [[-side, tip + side, 0], [0, tip, 0], [side, tip + side, 0]]
    return np.concatenate([_joined(np.array([[0, tail, 0], [0, tip, 0]])), _joined(np.array(barbs))])


def placed(lines: NDArray[np.float64], feet: NDArray[np.float64], heading: float) -> NDArray[np.float64]:
    """Return lines turned about Z by `heading` (rad) and moved to `feet` (3,)."""
    cos, sin = np.cos(heading), np.sin(heading)
    return lines @ np.array([[cos, sin, 0], [-sin, cos, 0], [0, 0, 1]]) + feet


def _joined(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the lines from each of the points to the next."""
    return np.stack([points[:-1], points[1:]], axis=1)
