"""Store: where the pieces around walkers are kept. Each walker has a place, which is overwritten as it moves on."""

from dataclasses import dataclass, field

import numpy as np

from ..arrays import Indices, expand, nonzero
from .pieces import Pieces

SPARE, LEAST_SPARE = 8, 4  # a place has room for an eighth more rows than it was made for, and for a few
GROWTH = 4  # a new store has room for a quarter more
WASTE = 2  # of the room that is needed: a store with more is made anew, as each step looks through it
LEAST_WASTE = 1000  # rows: the same for little ones


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Where n walkers have their rows: from row `at` (n,) on there is `room` (n,), of which `count` (n,) are used."""

    at: Indices
    room: Indices
    count: Indices


@dataclass(slots=True, eq=False)
class Store:
    """Rows of pieces, in the places of walkers.

    Attributes
    ----------
    pieces : Pieces
        The lanes are those that places belong to; rows that are not used can never be touched.
    used : int
        Where rows that belong to nobody begin.
    turn : int
        How often something has been overwritten: what places had before is gone.
    free : list
        Has one element while nobody uses the store.
    """

    pieces: Pieces = field(default_factory=lambda: Pieces.empty(0))
    used: int = 0
    turn: int = 0
    free: list[bool] = field(default_factory=list)

    def take(self) -> bool:
        """Return whether the store was free; if so it is not until it is given back."""
        try:
            return self.free.pop()
        except IndexError:
            return False

    def give_back(self) -> None:
        """Let others use it."""
        self.free.append(True)

    def put(self, places: Places, lanes: Indices, fresh: Pieces) -> Places:
        """Enter `fresh` rows for `lanes` (k,), which they number in that order, and return where all are then."""
        order = np.argsort(fresh.lane, kind="stable")
        counts = np.bincount(fresh.lane, minlength=len(lanes))
        count = places.count.copy()
        count[lanes] = counts
        tight = lanes[counts > places.room[lanes]]
        if self.used > WASTE * int(_room_for(count).sum()) + LEAST_WASTE:
            at, room = self._move_all(places, lanes, count)
        elif len(tight):
            at, room = self._more_room(places, lanes, tight, count)
        else:
            at, room = places.at, places.room
        self.pieces.put(expand(at[lanes], counts), fresh, order)
        self.pieces.clear[expand(at[lanes] + counts, room[lanes] - counts)] = np.inf
        self.turn += 1
        return Places(at, room, count)

    def _more_room(self, places: Places, lanes: Indices, tight: Indices, count: Indices) -> tuple[Indices, Indices]:
        """Return places and rooms (n,) with other places for `tight` lanes (j,), which are some of the `lanes` (k,)
        that get new rows; `count` (n,) is how many there will be."""
        at, room = places.at.copy(), places.room.copy()
        room[tight] = _room_for(count[tight])
        end = self.used + int(room[tight].sum())
        if end > len(self.pieces.lane):
            return self._move_all(places, lanes, count)
        self.pieces.clear[expand(at[tight], places.room[tight])] = np.inf
        at[tight] = self.used + np.cumsum(room[tight]) - room[tight]
        self.pieces.lane[self.used : end] = np.repeat(tight, room[tight])
        self.used = end
        return at, room

    def _move_all(self, places: Places, lanes: Indices, count: Indices) -> tuple[Indices, Indices]:
        """Return places and rooms (n,) in another array, without rows that belong to nobody, where all are but those
        of `lanes` (k,), which get new ones."""
        room = _room_for(count)
        at, self.used = np.cumsum(room) - room, int(room.sum())
        pieces = Pieces.empty(self.used + self.used // GROWTH)
        pieces.lane[: self.used] = np.repeat(np.arange(len(room)), room)
        pieces.clear[: self.used] = np.inf
        stays = np.ones(len(room), bool)
        stays[lanes] = False
        kept = nonzero(stays)
        pieces.put(expand(at[kept], count[kept]), self.pieces, expand(places.at[kept], count[kept]))
        self.pieces = pieces
        return at, room


def _room_for(count: Indices) -> Indices:
    """Return the room that is made for `count` (k,) rows."""
    room: Indices = count + count // SPARE + LEAST_SPARE
    return room
