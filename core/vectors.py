"""Vectors: checking arrays of points and directions that come from outside."""

import numpy as np
from numpy.typing import ArrayLike

from .arrays import Vectors


def as_vectors(name: str, values: ArrayLike) -> Vectors:
    """Return `values`, (3,) or (n, 3), as an (n, 3) array of float.

    Raises
    ------
    ValueError
        If the shape is another, or a number is not finite; the message calls the values `name`.
    """
    vectors = np.array(values, dtype=np.float64)
    if vectors.ndim == 1:
        vectors = vectors[None]
    if vectors.ndim != 2 or vectors.shape[1] != 3:
        raise ValueError(f"{name} must be (3,) or (n, 3), got {np.shape(values)}")
    if not np.isfinite(vectors).all():
        raise ValueError(f"{name} must be finite, got {vectors[~np.isfinite(vectors).all(axis=1)][0]}")
    return vectors
