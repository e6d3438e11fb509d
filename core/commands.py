"""Commands: what the player wishes, step by step."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .arrays import Mask


@dataclass(frozen=True, slots=True, eq=False)
class Command:
    """The wishes of all lanes for one step.

    Attributes
    ----------
    move : (n, 2) float
        Wished horizontal direction in world axes, length 0 to 1; longer is cut to 1.
    jump, run : (n,) bool
        Jump pressed in this step; run held in this step.
    """

    move: NDArray[np.float64]
    jump: Mask
    run: Mask


@dataclass(frozen=True, slots=True, eq=False)
class Commands:
    """The wishes for a whole walk of s steps.

    Parameters
    ----------
    move : (s, 2) or (s, n, 2) float
        Wished horizontal direction in world axes, length 0 to 1; (s, 2) is the same for all lanes.
    jump, run : (s,) or (s, n) bool, optional
        Jump pressed, run held; left out, never.

    Raises
    ------
    ValueError
        If shapes do not fit together, or a wish is not a number.
    """

    move: NDArray[np.float64]
    jump: NDArray[np.bool_]
    run: NDArray[np.bool_]

    def __init__(self, move: ArrayLike, jump: ArrayLike | None = None, run: ArrayLike | None = None) -> None:
        wish = np.asarray(move, dtype=np.float64)
        if wish.ndim == 2:
            wish = wish[:, None, :]
        if wish.ndim != 3 or wish.shape[2] != 2:
            raise ValueError(f"move must be (s, 2) or (s, n, 2), got {np.shape(move)}")
        if not np.isfinite(wish).all():
            raise ValueError(f"move must be finite, got {wish[~np.isfinite(wish)][0]}")
        object.__setattr__(self, "move", wish)
        object.__setattr__(self, "jump", _held("jump", jump, len(wish)))
        object.__setattr__(self, "run", _held("run", run, len(wish)))
        lanes = {wish.shape[1], self.jump.shape[1], self.run.shape[1]} - {1}
        if len(lanes) > 1:
            raise ValueError(f"move, jump and run must be for the same lanes, got {sorted(lanes)}")

    def __len__(self) -> int:
        return len(self.move)

    @property
    def lanes(self) -> int:
        """How many walkers the wishes are for; 1 fits any number."""
        return max(self.move.shape[1], self.jump.shape[1], self.run.shape[1])

    def at(self, index: int, lanes: int) -> Command:
        """Return the wishes of step `index`, for `lanes` lanes."""
        return Command(
            np.broadcast_to(self.move[index], (lanes, 2)),
            np.broadcast_to(self.jump[index], (lanes,)),
            np.broadcast_to(self.run[index], (lanes,)),
        )


def _held(name: str, pressed: ArrayLike | None, steps: int) -> NDArray[np.bool_]:
    keys = np.zeros((steps, 1), bool) if pressed is None else np.asarray(pressed, dtype=bool)
    if keys.ndim == 1:
        keys = keys[:, None]
    if keys.ndim != 2 or len(keys) != steps:
        raise ValueError(f"{name} must be ({steps},) or ({steps}, n), as move is; got {keys.shape}")
    return keys
