"""Names for the arrays that pass between the modules of the core.

A lane is one walker; arrays of walkers have the lanes on their first axis. Inside the cast kernels vectors
lie component first, as (3, rows): numpy adds whole rows much faster than groups of three. Columns are picked by
``take(rows, axis=1)``, which costs a third of ``[:, rows]``.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Vectors: TypeAlias = NDArray[np.float64]  # (n, 3), one vector a lane
Scalars: TypeAlias = NDArray[np.float64]  # (n,), one number a lane
Rows: TypeAlias = NDArray[np.float64]  # (3, r), component first
Level: TypeAlias = NDArray[np.float64]  # (2, r), the same seen from above
Indices: TypeAlias = NDArray[np.intp]  # (k,), positions in another array
Mask: TypeAlias = NDArray[np.bool_]  # (n,), which lanes or rows


def expand(starts: NDArray[np.int64], counts: NDArray[np.int64]) -> Indices:
    """Return starts[0], starts[0] + 1, .. for counts[0] numbers, then the same for the next, as one array."""
    total = int(counts.sum())
    skipped = starts - (np.cumsum(counts) - counts)
    return np.arange(total, dtype=np.intp) + np.repeat(skipped, counts)


def is_any(values: NDArray[np.generic]) -> bool:
    """Return whether any of `values` is true, or not zero: numpy's any, in a tenth of its time."""
    return 1 in values.tobytes() if values.dtype == bool else bool(np.count_nonzero(values))


def nonzero(mask: Mask) -> Indices:
    """Return where `mask` (n,) is true: numpy's flatnonzero, in a third of its time."""
    return mask.nonzero()[0]
