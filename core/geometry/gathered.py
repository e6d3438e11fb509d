"""Gathered: the pieces around walkers, kept from step to step.

A step takes out the few pieces that it may touch, as one Near; so its casts run over short arrays, however much room
was gathered.
"""

from dataclasses import dataclass, replace

import numpy as np

from ..arrays import Indices, Mask, Rows, Scalars, Vectors, expand, nonzero
from .body import Body
from .features import Features
from .grid import Grid
from .near import Near, furthest, gather
from .store import Places, Store

FEW_PIECES = 400  # so few cost less than to choose among them


@dataclass(frozen=True, slots=True, eq=False)
class Gathered:
    """What was gathered around n walkers.

    Attributes
    ----------
    features : Features
    body : Body
    span : (n,) float, m
    origin : (n, 3) float, m
    across, along : (n,) float, m
        As in Near.
    places : Places
    store : Store
        Where the pieces are kept. A later step may have overwritten some of them.
    turn : int
        Of the store, while it has what this was made of.
    every : Near or None
        All that was gathered, if that is little.
    """

    features: Features
    body: Body
    span: Scalars
    origin: Vectors
    across: Scalars
    along: Scalars
    places: Places
    store: Store
    turn: int
    every: Near | None = None

    def __reduce__(self) -> tuple[type[None], tuple[()]]:
        """Leave this out of what is pickled or copied deeply: it would bring the level, and can be gathered again."""
        return type(None), ()

    @classmethod
    def of(cls, near: Near) -> "Gathered":
        """Return what was gathered around all walkers at once, in a store of its own that is in use."""
        none = np.zeros(len(near.origin), np.intp)
        nowhere, room = Places(none, none, none), (near.across, near.along)
        empty = cls(near.features, near.body, near.span, near.origin, *room, nowhere, Store(), 0)
        return empty.renewed(np.arange(len(near.origin)), near)

    def taken(self, grid: Grid) -> "Gathered":
        """Return this for one step's use, until it is given back. If it is in use, or has been overwritten, the same is
        gathered once more: a state that has been stepped before goes on as it did then, to the last bit."""
        if self.store.take():
            if self.store.turn == self.turn:
                return self
            self.store.give_back()
        room = self.across, self.along
        return Gathered.of(gather(self.features, grid, self.body, self.span, self.origin, *room))

    def give_back(self) -> None:
        """Let the next step use this."""
        self.store.give_back()

    def covers(self, span: Scalars, offset: Rows, across: Scalars, along: Scalars) -> Mask:
        """Return for each lane whether the pieces are all that a capsule can touch on its way.

        `offset` (3, n) is where the walkers are, `across` and `along` (n,) how far they may go from there.
        """
        sideways = np.sqrt(offset[0] * offset[0] + offset[1] * offset[1])
        is_inside = (sideways + across <= self.across) & (np.abs(offset[2]) + along <= self.along)
        covered: Mask = is_inside & (span == self.span)
        return covered

    def renewed(self, lanes: Indices, fresh: Near) -> "Gathered":
        """Return the same with `fresh` pieces around `lanes` (k,), in that order, and overwrite what there was."""
        span, origin, across, along = self.span.copy(), self.origin.copy(), self.across.copy(), self.along.copy()
        span[lanes], origin[lanes], across[lanes], along[lanes] = fresh.span, fresh.origin, fresh.across, fresh.along
        places = self.store.put(self.places, lanes, fresh.pieces)
        renewed = Gathered(self.features, self.body, span, origin, across, along, places, self.store, self.store.turn)
        if int(places.count.sum()) > FEW_PIECES:
            return renewed
        return replace(renewed, every=renewed.around(np.arange(len(span)), across, along))

    def close(self, offset: Rows, across: Scalars, along: Scalars) -> Near:
        """Return the pieces that capsules can touch which go no further than `across` and `along` (n,), m, from
        `offset` (3, n)."""
        if self.every is not None:
            return self.every
        sideways = np.sqrt(offset[0] * offset[0] + offset[1] * offset[1])
        across, along = np.minimum(sideways + across, self.across), np.minimum(np.abs(offset[2]) + along, self.along)
        pieces, used = self.store.pieces, self.store.used
        lane, clear = pieces.lane[:used], pieces.clear[:used]
        rows = nonzero(clear <= furthest(across, along)[lane])
        lane = lane[rows]
        kept = nonzero(pieces.beside[rows] <= across[lane])
        return self._near(self.span, self.origin, across, along, lane[kept], rows[kept])

    def around(self, lanes: Indices, across: Scalars, along: Scalars) -> Near:
        """Return the pieces around some of the walkers, `lanes` (k,), numbered in that order: all that they can
        touch while they go no further than `across` and `along` (k,), m, from their origins."""
        across, along = np.minimum(across, self.across[lanes]), np.minimum(along, self.along[lanes])
        pieces, count = self.store.pieces, self.places.count[lanes]
        rows, lane = expand(self.places.at[lanes], count), np.arange(len(lanes)).repeat(count)
        kept = nonzero((pieces.clear[rows] <= furthest(across, along)[lane]) & (pieces.beside[rows] <= across[lane]))
        return self._near(self.span[lanes], self.origin[lanes], across, along, lane[kept], rows[kept])

    def _near(
        self, span: Scalars, origin: Vectors, across: Scalars, along: Scalars, lane: Indices, rows: Indices
    ) -> Near:
        """Return some of the `rows` (r,) that are kept, of `lane` (r,)."""
        pieces = self.store.pieces
        is_flat = pieces.is_flat[rows]
        flat, round_ = nonzero(is_flat), nonzero(~is_flat)
        order = np.concatenate([flat, round_])
        at = rows[order]
        return Near(
            self.features, self.body, span, origin, across, along, lane[order], pieces.clear[at], at, len(flat), pieces
        )
