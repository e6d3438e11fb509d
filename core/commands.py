"""Commands: what the player wishes, step by step."""

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .arrays import Indices, Mask, Vectors

Wish = TypeVar("Wish", bound=np.generic)


@dataclass(frozen=True, slots=True, eq=False)
class Command:
    """The wishes of all lanes for one step.

    Attributes
    ----------
    move : (n, 2) float
        Wished horizontal direction in world axes, length 0 to 1; longer is cut to 1.
    jump, run, crouch, dash : (n,) bool
        Which buttons are down. A jump and a dash begin when theirs goes down. None is never.
    push : (n, 3) float, m/s, or None
        Velocity given from outside in this step, by an explosion or a jump pad; it fades.
    """

    move: NDArray[np.float64]
    jump: Mask | None = None
    run: Mask | None = None
    crouch: Mask | None = None
    dash: Mask | None = None
    push: Vectors | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Commands:
    """The wishes for a whole walk of s steps.

    Parameters
    ----------
    move : (s, 2) or (s, n, 2) float
        Wished horizontal direction in world axes, length 0 to 1; (s, 2) is the same for all lanes.
    jump, run, crouch, dash : (s,) or (s, n) bool, optional
        Which buttons are down; left out, never.
    push : (s, 3) or (s, n, 3) float, m/s, optional
        Velocities given from outside.

    Raises
    ------
    ValueError
        If shapes do not fit together, or a number is not finite.
    """

    move: NDArray[np.float64]
    jump: NDArray[np.bool_] | None
    run: NDArray[np.bool_] | None
    crouch: NDArray[np.bool_] | None
    dash: NDArray[np.bool_] | None
    push: NDArray[np.float64] | None

    def __init__(
        self,
        move: ArrayLike,
        jump: ArrayLike | None = None,
        run: ArrayLike | None = None,
        crouch: ArrayLike | None = None,
        dash: ArrayLike | None = None,
        push: ArrayLike | None = None,
    ) -> None:
        wish = _wishes("move", move, 2)
        steps = len(wish)
        buttons = {
            name: _held(name, held, steps)
            for name, held in (("jump", jump), ("run", run), ("crouch", crouch), ("dash", dash))
        }
        pushes = None if push is None else _wishes("push", push, 3)
        if pushes is not None and len(pushes) != steps:
            raise ValueError(f"push must have {steps} steps, as move has; got {len(pushes)}")
        for name, value in {"move": wish, **buttons, "push": pushes}.items():
            object.__setattr__(self, name, value)
        lanes = {part.shape[1] for part in self._parts} - {1}
        if len(lanes) > 1:
            raise ValueError(f"move and buttons must be for the same lanes, got {sorted(lanes)}")

    def __len__(self) -> int:
        return len(self.move)

    @property
    def _parts(self) -> list[NDArray[np.float64] | NDArray[np.bool_]]:
        parts = (self.move, self.jump, self.run, self.crouch, self.dash, self.push)
        return [part for part in parts if part is not None]

    @property
    def lanes(self) -> int:
        """How many walkers the wishes are for; 1 fits any number."""
        return max(part.shape[1] for part in self._parts)

    def of_lanes(self, lanes: Indices) -> "Commands":
        """Return the wishes of some of the lanes."""

        def some(buttons: NDArray[np.bool_] | None) -> NDArray[np.bool_] | None:
            return buttons if buttons is None or buttons.shape[1] == 1 else buttons[:, lanes]

        return Commands(
            self.move if self.move.shape[1] == 1 else self.move[:, lanes],
            some(self.jump),
            some(self.run),
            some(self.crouch),
            some(self.dash),
            self.push if self.push is None or self.push.shape[1] == 1 else self.push[:, lanes],
        )

    def at(self, index: int, lanes: int) -> Command:
        """Return the wishes of step `index`, for `lanes` lanes."""

        return Command(
            _for_lanes(self.move[index], lanes),
            None if self.jump is None else _for_lanes(self.jump[index], lanes),
            None if self.run is None else _for_lanes(self.run[index], lanes),
            None if self.crouch is None else _for_lanes(self.crouch[index], lanes),
            None if self.dash is None else _for_lanes(self.dash[index], lanes),
            None if self.push is None else _for_lanes(self.push[index], lanes),
        )


def _for_lanes(wish: NDArray[Wish], lanes: int) -> NDArray[Wish]:
    """Return what one lane or all wish, (1, ..) or (n, ..), for n `lanes`."""
    return wish if len(wish) == lanes else np.broadcast_to(wish, (lanes, *wish.shape[1:]))


def _wishes(name: str, values: ArrayLike, size: int) -> NDArray[np.float64]:
    wish = np.asarray(values, dtype=np.float64)
    if wish.ndim == 2:
        wish = wish[:, None, :]
    if wish.ndim != 3 or wish.shape[2] != size:
        raise ValueError(f"{name} must be (s, {size}) or (s, n, {size}), got {np.shape(values)}")
    if not np.isfinite(wish).all():
        raise ValueError(f"{name} must be finite, got {wish[~np.isfinite(wish)][0]}")
    return wish


def _held(name: str, pressed: ArrayLike | None, steps: int) -> NDArray[np.bool_] | None:
    if pressed is None:
        return None
    keys = np.asarray(pressed, dtype=bool)
    if keys.ndim == 1:
        keys = keys[:, None]
    if keys.ndim != 2 or len(keys) != steps:
        raise ValueError(f"{name} must be ({steps},) or ({steps}, n), as move is; got {keys.shape}")
    return keys
