"""WalkKeys: which keys are held, where they wish the character to go as seen in a view, and which buttons they are."""

import numpy as np
from numpy.typing import NDArray

from .session import Held

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
SHIFT, CTRL = "SHIFT", "CTRL"  # of either side, as every event tells them
BUTTONS = {"SPACE": "jump", SHIFT: "run", CTRL: "crouch", "C": "crouch", "E": "dash"}
LEVEL = 1e-3  # share of the view's right-hand direction that must be horizontal; less is a view lying on its side


class Button:
    """A button whose keys go down and up between the steps.

    A tap that is over before the next step still is down for that step. If the button was down, and is let go and
    pressed again before the next step, it is up for one step: a jump begins only when it goes down.
    """

    def __init__(self) -> None:
        self._keys: set[str] = set()
        self._is_pressed = False  # since the last step
        self._was_down = False  # in the last step

    def press(self, key: str) -> None:
        """Note that one of the button's keys went down."""
        if not self._keys:
            self._is_pressed = True
        self._keys.add(key)

    def release(self, key: str) -> None:
        """Note that one of the button's keys went up."""
        self._keys.discard(key)

    def next_step(self) -> bool:
        """Return whether the button is down in the next step."""
        is_again = self._is_pressed and self._was_down
        self._was_down = not is_again and (self._is_pressed or bool(self._keys))
        self._is_pressed = is_again
        return self._was_down


class WalkKeys:
    """The keys that are held down."""

    def __init__(self) -> None:
        self._held: set[str] = set()
        self._buttons = {name: Button() for name in BUTTONS.values()}

    def press(self, key: str) -> None:
        """Note that `key` went down; other keys than those of the walk mean nothing, and neither do repeats."""
        if key in BUTTONS:
            self._buttons[BUTTONS[key]].press(key)
        elif key in DIRECTIONS:
            self._held.add(key)

    def release(self, key: str) -> None:
        """Note that `key` went up."""
        if key in BUTTONS:
            self._buttons[BUTTONS[key]].release(key)
        self._held.discard(key)

    def hold(self, key: str, is_down: bool) -> None:
        """Note whether `key` is down, for keys whose state is told and not their change."""
        if is_down:
            self.press(key)
        else:
            self.release(key)

    def release_all(self) -> None:
        """Forget all keys: a window that is left gets no word of keys that go up."""
        self._held.clear()
        for key in BUTTONS:
            self.release(key)

    def next_step(self) -> Held:
        """Return the buttons of the next step; to be asked once for each step."""
        return Held(**{name: button.next_step() for name, button in self._buttons.items()})

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
