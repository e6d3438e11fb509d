"""PlaySession: a walk in the making. It turns the uneven time of a display into fixed steps and records them.

It knows neither Blender nor keys, so that all of a play but its window can be tested without one.
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.commands import Command, Commands
from ..core.events import Event
from ..core.settings import Settings
from ..core.state import State, Support
from ..core.step import spawn, step
from ..core.world import Contacts, World
from .take import Take

STEP = 1 / 60  # s
LONGEST_FRAME = 0.25  # s; of a longer frame the rest is forgotten, or else a slow frame makes the next one slower
ROUNDING = 1e-9  # steps; three times a third of a step is a step
TURN_RATE = 4 * math.pi  # rad/s; turns round in a quarter of a second: quick to answer, without flipping over
TOUCHING = 1e-6  # m; less of an overlap is a touch
STANDSTILL = 1e-3  # length of a wish below which there is no direction to turn to


class PlaySession:
    """One character walking in one world.

    Parameters
    ----------
    world : World
    settings : Settings
    feet : (3,) float, m
        Where it starts; inside the level, the first step moves it out.
    heading : float, rad
        Rotation about up; 0 faces -Y.
    """

    def __init__(self, world: World, settings: Settings, feet: ArrayLike, heading: float) -> None:
        self.world = world
        self.settings = settings
        self.state: State = spawn(world, settings, np.asarray(feet, dtype=np.float64))
        self._owed = 0.0  # s of display time that no step has used yet
        self._is_jump_pressed = False
        self._move: list[NDArray[np.float64]] = []
        self._jump: list[bool] = []
        self._run: list[bool] = []
        self._position = [self.state.position[0]]
        self._heading = [float(heading)]
        self._support = [int(self.state.support[0])]

    def press_jump(self) -> None:
        """Remember a jump until the next step, however long that is away."""
        self._is_jump_pressed = True

    def advance(self, seconds: float, move: ArrayLike = (0.0, 0.0), is_running: bool = False) -> list[Event]:
        """Let `seconds` of display time pass, as whole steps, and return what happened in them.

        Parameters
        ----------
        seconds : float
            Since the last call; what does not fill a step is kept for the next call.
        move : (2,) float
            Wished horizontal direction in world axes, length 0 to 1.
        is_running : bool
        """
        owed = self._owed + min(max(seconds, 0.0), LONGEST_FRAME)
        steps = int(owed / STEP + ROUNDING)
        self._owed = max(owed - steps * STEP, 0.0)
        return [event for _ in range(steps) for event in self.step(move, is_running)]

    def step(self, move: ArrayLike = (0.0, 0.0), is_running: bool = False) -> list[Event]:
        """Take one step of `STEP` seconds, record it, and return what happened in it."""
        wish = np.array(move, dtype=np.float64)
        is_jump = self._is_jump_pressed
        self._is_jump_pressed = False
        command = Command(wish[None], np.array([is_jump]), np.array([is_running]))
        self.state = step(self.world, self.settings, self.state, command, STEP)
        self._move.append(wish)
        self._jump.append(is_jump)
        self._run.append(is_running)
        self._position.append(self.state.position[0])
        self._heading.append(turn(self._heading[-1], wish, STEP))
        self._support.append(int(self.state.support[0]))
        return list(self.state.events)

    @property
    def steps(self) -> int:
        """Steps taken so far."""
        return len(self._move)

    @property
    def position(self) -> NDArray[np.float64]:
        """Feet to draw, (3,) m: between the last two steps, as far as time has gone into the next one."""
        share = self._owed / STEP
        last = self._position[-2:]
        return np.asarray(last[0] + share * (last[-1] - last[0]))

    @property
    def heading(self) -> float:
        """Heading to draw, rad: between the last two steps, as `position` is."""
        last = self._heading[-2:]
        return last[0] + self._owed / STEP * (last[-1] - last[0])

    @property
    def end(self) -> tuple[NDArray[np.float64], float]:
        """Feet (3,) m and heading after the last step."""
        return self._position[-1], self._heading[-1]

    @property
    def support(self) -> Support:
        """What carries the character."""
        return Support(self._support[-1])

    @property
    def speed(self) -> float:
        """Speed after the last step, m/s."""
        return float(np.linalg.norm(self.state.velocity[0]))

    @property
    def last_move(self) -> float:
        """Metres that the last step moved the character."""
        return float(np.linalg.norm(self._position[-1] - self._position[-2])) if self._move else 0.0

    @property
    def left_object(self) -> str:
        """Name of the object that the character was deepest in before the last step; empty where no face tells it."""
        contacts = self.world.contacts(self.settings, self._position[-2:][0], within=-TOUCHING)
        if not len(contacts.distance):
            return ""
        return self.world.names[contacts.object_index[np.argmin(contacts.distance)]]

    def contacts(self) -> Contacts:
        """Return what the character touches where it is drawn: all within twice the skin."""
        return self.world.contacts(self.settings, self.position, within=2 * self.settings.skin_width)

    def take(self) -> Take:
        """Return the walk so far.

        Raises
        ------
        ValueError
            If no step has been taken yet.
        """
        if not self._move:
            raise ValueError("no step has been taken yet, so there is no walk to keep")
        return Take(
            dt=STEP,
            settings=self.settings,
            commands=Commands(self._move, self._jump, self._run),
            position=np.array(self._position),
            heading=np.array(self._heading),
            support=np.array(self._support, dtype=np.int8),
        )


def turn(heading: float, move: NDArray[np.float64], seconds: float) -> float:
    """Return `heading` after turning towards the wish `move` (2,), the shorter way, no faster than `TURN_RATE`."""
    if math.hypot(*move) < STANDSTILL:
        return heading
    wanted = math.atan2(move[0], -move[1])
    # The remainder lies in -pi..pi: the shorter way round, and the heading itself stays continuous.
    missing = math.remainder(wanted - heading, 2 * math.pi)
    most = TURN_RATE * seconds
    return heading + min(max(missing, -most), most)


def turn_along(heading: float, moves: NDArray[np.float64], seconds: float) -> NDArray[np.float64]:
    """Return the headings (s + 1,) of a walk with the wishes `moves` (s, 2), from `heading` on."""
    headings = [heading]
    for move in moves:
        headings.append(turn(headings[-1], move, seconds))
    return np.array(headings)
