"""Gathered: the pieces around walkers, kept from step to step in blocks as they were gathered.

Gathering anew for some of the walkers adds a block, and copies nothing of the others. A step takes out the few pieces
that it may touch, as one Near; so its casts run over short arrays, however much room was gathered.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..arrays import Indices, Mask, Rows, Scalars, Vectors, nonzero
from .body import Body
from .near import SLACK, Near, join_rows, only_rows

MOST_BLOCKS = 8  # more of them are joined to one: each costs every step a look
FEW_PIECES = 400  # so few cost less than to choose among them


@dataclass(frozen=True, slots=True, eq=False)
class Gathered:
    """What was gathered around n walkers.

    Attributes
    ----------
    body : Body
    span : (n,) float, m
    origin : (n, 3) float, m
    across, along : (n,) float, m
        As in Near.
    blocks : tuple of Near
        Pieces; the walkers are numbered in all of them as they are here, but each has those of some walkers only.
    block : (n,) int
        Which of the blocks has the pieces around a walker; what others have of it is out of date.
    """

    body: Body
    span: Scalars
    origin: Vectors
    across: Scalars
    along: Scalars
    blocks: tuple[Near, ...]
    block: Indices

    @classmethod
    def of(cls, near: Near) -> "Gathered":
        """Return what was gathered around all the walkers at once."""
        none = np.zeros(len(near.origin), np.intp)
        return cls(near.body, near.span, near.origin, near.across, near.along, (near,), none)

    def covers(self, span: Scalars, offset: Rows, across: Scalars, along: Scalars) -> Mask:
        """Return for each lane whether the pieces are all that a capsule can touch on its way.

        `offset` (3, n) is where the walkers are, `across` and `along` (n,) how far they may go from there.
        """
        sideways = np.sqrt(offset[0] * offset[0] + offset[1] * offset[1])
        is_inside = (sideways + across <= self.across) & (np.abs(offset[2]) + along <= self.along)
        covered: Mask = is_inside & (span == self.span)
        return covered

    def renewed(self, lanes: Indices, fresh: Near) -> "Gathered":
        """Return the same with `fresh` pieces around `lanes` (k,), in that order."""
        if len(lanes) == len(self.origin):
            return Gathered.of(fresh)  # all of them, in their order

        def put(old: NDArray[np.float64], new: NDArray[np.float64]) -> NDArray[np.float64]:
            changed = old.copy()
            changed[lanes] = new
            return changed

        block = self.block.copy()
        block[lanes] = len(self.blocks)
        renewed = replace(
            self,
            span=put(self.span, fresh.span),
            origin=put(self.origin, fresh.origin),
            across=put(self.across, fresh.across),
            along=put(self.along, fresh.along),
            blocks=(*self.blocks, replace(fresh, lane=lanes[fresh.lane])),
            block=block,
        )
        if len(renewed.blocks) <= MOST_BLOCKS:
            return renewed
        return Gathered.of(renewed._within(renewed.across, renewed.along))

    def close(self, offset: Rows, across: Scalars, along: Scalars) -> Near:
        """Return the pieces that capsules can touch which go no further than `across` and `along` (n,), m, from
        `offset` (3, n)."""
        if len(self.blocks) == 1 and len(self.blocks[0].clear) <= FEW_PIECES:
            return self.blocks[0]
        sideways = np.sqrt(offset[0] * offset[0] + offset[1] * offset[1])
        return self._within(sideways + across, np.abs(offset[2]) + along)

    def around(self, lanes: Indices, across: Scalars, along: Scalars) -> Near:
        """Return the pieces around some of the walkers, `lanes` (k,) without repeats, numbered in that order: all that
        they can touch while they go no further than `across` and `along` (k,), m, from their origins."""
        number = np.full(len(self.origin), -1)
        number[lanes] = np.arange(len(lanes))
        every = np.full((2, len(number)), -np.inf)
        every[0, lanes], every[1, lanes] = across, along
        near = self._within(every[0], every[1])
        return replace(
            near,
            span=near.span[lanes],
            origin=near.origin[lanes],
            across=near.across[lanes],
            along=near.along[lanes],
            lane=number[near.lane],
        )

    def _within(self, across: Scalars, along: Scalars) -> Near:
        """Return the pieces that can be touched within `across` and `along` (n,), m, of the origins; a negative number
        for none."""
        across, along = np.minimum(across, self.across), np.minimum(along, self.along)
        reach = np.where(across < 0, -np.inf, np.sqrt(across * across + along * along) + SLACK)
        parts = []
        for number, block in enumerate(self.blocks):
            limit = reach if len(self.blocks) == 1 else np.where(self.block == number, reach, -np.inf)
            rows = nonzero(block.clear <= limit[block.lane])
            parts.append(only_rows(block, rows[block.beside[rows] <= across[block.lane[rows]]]))
        joined = parts[0] if len(parts) == 1 else join_rows(parts)
        return replace(joined, span=self.span, origin=self.origin, across=across, along=along)
