"""Wedge: where gravity leads a walker that touches several steep surfaces at once, or that they hold it."""

import numpy as np

from ..arrays import Indices, nonzero
from ..geometry.clip import clip_velocity
from ..geometry.contacts import find_touches
from .stand import TOUCHING
from .state import STEEP
from .stride import Stride

HELD = 1e-3  # sine of the steepest way down that does not count as one


def find_creases(stride: Stride, lanes: Indices) -> None:
    """Find for `lanes` (k,), which have fallen, the way down between the steep surfaces that they touch.

    It is straight down, solved together with all that is touched: along one face, along the crease of two, or rest.
    At rest between several the walker is wedged. Beside a single face, or where a crease leads down, it never is.
    What has only been touched on the way does not count.
    """
    steep = lanes[stride.support[lanes] == STEEP]
    if not len(steep):
        return
    n = len(stride.support)
    reach = np.full(n, -np.inf)
    reach[steep] = TOUCHING * stride.body.stop_short
    touches = find_touches(stride.near, stride.offset, reach)
    count = np.bincount(touches.lane, minlength=n)
    several = nonzero(count > 1)
    if not len(several):
        return
    order = np.argsort(touches.lane, kind="stable")
    lane = touches.lane[order]
    place = np.arange(len(lane)) - (np.cumsum(count) - count)[lane]
    normals = np.zeros((n, int(count.max()), 3))
    normals[lane, place] = touches.normal[:, order].T
    down = np.tile([0.0, 0.0, -1.0], (len(several), 1))
    way = clip_velocity(down, normals[several], count[several])
    is_held = (way * way).sum(axis=1) < HELD**2
    stride.crease, stride.is_wedged = np.zeros((n, 3)), np.zeros(n, bool)
    stride.crease[several] = np.where(is_held[:, None], 0.0, stride.to_world(way.T))
    stride.is_wedged[several] = is_held
