"""Blocks: the shapes that the levels of this project are made of."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ..mesh import TriMesh

Span = tuple[float, float]  # from, to, m


def box(name: str, x: Span, y: Span, z: Span) -> TriMesh:
    """Return a box between the spans."""
    return prism(name, 2, [(x[0], y[0]), (x[1], y[0]), (x[1], y[1]), (x[0], y[1])], z)


def prism(name: str, axis: int, profile: Sequence[ArrayLike], span: Span) -> TriMesh:
    """Return a profile drawn out along an axis.

    Parameters
    ----------
    axis : int
        0, 1, 2 for X, Y, Z. The profile lies in the other two axes, in cyclic order: (y, z), (z, x), (x, y).
    profile : (k, 2), m
        Counter-clockwise; all of it can be seen from its first corner, so that a fan from there fills it.
    span : (2,), m
        From where to where along the axis.
    """
    count = len(profile)
    outline = np.array(profile, dtype=float)
    vertices = np.empty((2 * count, 3))
    vertices[:, axis] = np.repeat(span, count)
    vertices[:, (axis + 1) % 3] = np.tile(outline[:, 0], 2)
    vertices[:, (axis + 2) % 3] = np.tile(outline[:, 1], 2)
    here = np.arange(count)
    after = (here + 1) % count
    fan = np.stack([np.zeros_like(here[2:]), here[1:-1], here[2:]], axis=1)
    lower = np.stack([here, after, after + count], axis=1)
    upper = np.stack([here, after + count, here + count], axis=1)
    return TriMesh(vertices, np.concatenate([fan[:, ::-1], fan + count, lower, upper]), name=name)


def join(name: str, *parts: TriMesh) -> TriMesh:
    """Return all parts as one object."""
    offsets = np.cumsum([0] + [len(part.vertices) for part in parts[:-1]])
    return TriMesh(
        np.concatenate([part.vertices for part in parts]),
        np.concatenate([part.triangles + offset for part, offset in zip(parts, offsets, strict=True)]),
        name=name,
    )
