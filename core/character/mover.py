"""Mover: moving a capsule by an exact displacement, sliding along the level, without any controller around it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import Mask, Vectors, nonzero
from ..geometry.axes import turned
from ..geometry.body import Body
from ..geometry.near import gather
from ..mesh import Layer
from ..settings import Settings
from ..vectors import as_vectors
from ..world import World
from .slide import slide


@dataclass(frozen=True, slots=True, eq=False)
class Moved:
    """Where n capsules came to.

    Attributes
    ----------
    position : (n, 3) float, m
        Their lowest points.
    normal : (n, 3) float
        Of the last surface that each met; zeros where nothing was in the way.
    count : (n,) int
        How many surfaces each met.
    is_done : (n,) bool
        False where the number of slides was reached before the way was done.
    """

    position: Vectors
    normal: Vectors
    count: np.ndarray
    is_done: Mask


def move(
    world: World,
    settings: Settings,
    position: ArrayLike,
    displacement: ArrayLike,
    *,
    layers: Layer = Layer.BOTH,
) -> Moved:
    """Move capsules by a displacement, sliding along what is in the way.

    Of `settings` the capsule, its skin, up, and the number of slides count. The skin is kept as a clearance, so that
    no speed and no step length tunnels. A displacement of zero does nothing.

    Parameters
    ----------
    position : (3,) or (n, 3) float, m
        The lowest points of the capsules.
    displacement : (3,) or (n, 3) float, m
    layers : Layer
        Which level objects are in the way: those that carry (GROUND), those that stop (OBSTACLE), or all (BOTH). The
        mover is no character: what is in the way stops it, whether a character could stand on it or not.

    Raises
    ------
    ValueError
        If a shape is another, or a number is not finite.
    """
    feet, ways = np.broadcast_arrays(as_vectors("position", position), as_vectors("displacement", displacement))
    body = Body.with_skin(settings)
    origin = feet + np.asarray(settings.up) * settings.radius
    length = np.sqrt((ways * ways).sum(axis=1))
    span = np.full(len(feet), settings.span)
    near = gather(world.features, world.grid, body, span, origin, length, length, layers)
    lanes = nonzero(length > 0)
    slid = slide(near, np.zeros((3, len(feet))), turned(ways, body), lanes, settings.max_slides)
    last = slid.normals[np.maximum(slid.count - 1, 0), :, np.arange(len(feet))]
    back = body.turn.T
    return Moved(
        feet + np.ascontiguousarray((back @ slid.offset).T),
        np.ascontiguousarray((back @ last.T).T),
        slid.count,
        slid.is_done,
    )
