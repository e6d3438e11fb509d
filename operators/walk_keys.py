"""WalkKeys: which keys are held, and where they wish the character to go as seen in a view."""

import numpy as np
from numpy.typing import NDArray

FORWARD, BACK, LEFT, RIGHT = (0, 1), (0, -1), (-1, 0), (1, 0)
DIRECTIONS = {  # Blender's names of the keys: to the right and ahead on the screen
    "W": FORWARD,
    "S": BACK,
    "A": LEFT,
    "D": RIGHT,
    "UP_ARROW": FORWARD,
    "DOWN_ARROW": BACK,
    "LEFT_ARROW": LEFT,
    "RIGHT_ARROW": RIGHT,
}
LEVEL = 1e-3  # share of the view's right-hand direction that must be horizontal; less is a view lying on its side


class WalkKeys:
    """The direction keys that are held down."""

    def __init__(self) -> None:
        self._held: set[str] = set()

    def press(self, key: str) -> None:
        """Note that `key` went down; keys that are no direction keys mean nothing."""
        if key in DIRECTIONS:
            self._held.add(key)

    def release(self, key: str) -> None:
        """Note that `key` went up."""
        self._held.discard(key)

    def release_all(self) -> None:
        """Forget all keys: a window that is left gets no word of keys that go up."""
        self._held.clear()

    def wish(self, view: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the wished direction (2,) in world axes, length 0 or 1.

        Parameters
        ----------
        view : (3, 3) float
            The view's axes in the world, as columns: to the right, up, and towards the eye.
        """
        # W and the up arrow together are one wish, as A and D together are none.
        across, ahead = (np.sign(sum(DIRECTIONS[key][axis] for key in self._held)) for axis in (0, 1))
        right, forward = horizontal_axes(view)
        wish = across * right + ahead * forward
        length = np.linalg.norm(wish)
        return wish / length if length > 0 else np.zeros(2)


def horizontal_axes(view: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the directions (2,) that lead to the right and away on the screen, both of length 1.

    Away is at a right angle to the right-hand direction, which stays horizontal however far the view looks down;
    the line of sight does not.
    """
    right = view[:2, 0]
    if np.linalg.norm(right) < LEVEL:  # a view rolled on its side: take the line of sight
        sight = -view[:2, 2]
        right = np.array([sight[1], -sight[0]])
    right = right / np.linalg.norm(right)
    return right, np.array([-right[1], right[0]])
