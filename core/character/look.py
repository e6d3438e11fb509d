"""Look: the level around some walkers as another capsule would meet it, a lower one for example."""

import numpy as np

from ..arrays import Indices
from ..geometry.near import Near, gather
from ..world import World
from .stride import Stride


def look_around(world: World, stride: Stride, lanes: Indices, span: float, across: float, along: float) -> Near:
    """Gather the pieces around `lanes` (k,) for a capsule with an axis of `span` m, from where they are now.

    Lanes are counted anew, from 0 to k - 1. `across` and `along` (m) are how far the looks go.
    """
    settings = stride.settings
    origin = stride.positions()[lanes] + np.asarray(settings.up) * settings.radius
    k = len(lanes)
    spans, sideways, upwards = np.full(k, span), np.full(k, across), np.full(k, along)
    return gather(world.features, world.grid, stride.body, spans, origin, sideways, upwards)
