"""Take: a recorded walk, the input with its settings and where it led, and its form as text.

A take is kept in the .blend file as one string of a property: text survives saving, loading, appending and undo
on every Blender version, and a compressed walk of a minute is some 60 kB.
"""

import base64
import io
import json
import zipfile
import zlib
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.commands import Commands
from ..core.settings import Settings
from ..core.smooth import smooth_steps
from .settings_text import from_words, to_words

LONGEST_STEP = 1.0  # seconds; Play takes a sixtieth
# What reading something else than a take runs into: wrong words, types, names and sizes.
NO_TAKE = (ValueError, TypeError, KeyError, AttributeError, OverflowError)


@dataclass(frozen=True, slots=True, eq=False)
class Take:
    """A recorded walk of s steps.

    Attributes
    ----------
    dt : float, s
        Length of a step.
    settings : Settings
    commands : Commands
        s steps, one lane.
    position : (s + 1, 3) float, m
        Feet, before the first step and after each.
    heading : (s + 1,) float, rad
        Rotation about up, continuous; 0 faces -Y, the front of Blender's models.
    support : (s + 1,) int8 of Support

    Raises
    ------
    ValueError
        If the lengths do not fit together, or a number is not finite.
    """

    dt: float
    settings: Settings
    commands: Commands
    position: NDArray[np.float64]
    heading: NDArray[np.float64]
    support: NDArray[np.int8]

    def __post_init__(self) -> None:
        states = len(self.commands) + 1
        if self.position.shape != (states, 3):
            raise ValueError(f"position must be ({states}, 3) for {states - 1} steps, got {self.position.shape}")
        for name in ("heading", "support"):
            if getattr(self, name).shape != (states,):
                raise ValueError(f"{name} must be ({states},), got {getattr(self, name).shape}")
        if not (np.isfinite(self.position).all() and np.isfinite(self.heading).all()):
            raise ValueError("a take's positions and headings must be finite numbers")
        if not 0 < self.dt <= LONGEST_STEP:
            raise ValueError(f"dt must be above 0 and at most {LONGEST_STEP:g} s, got {self.dt}")

    @property
    def duration(self) -> float:
        """Seconds from the first state to the last."""
        return len(self.commands) * self.dt

    @property
    def distance(self) -> float:
        """Metres walked, along the path."""
        return float(np.linalg.norm(np.diff(self.position, axis=0), axis=1).sum())

    def smoothed(self, distance: float) -> "Take":
        """Return the take with the steps of stairs smoothed over `distance` (m) of the way; zero changes nothing.

        The smoothed path lies above or below the exact one by the highest step at most.
        """
        settings = self.settings
        most = max(settings.step_offset, settings.ground_snap)
        smooth = smooth_steps(self.position[:, None], self.support[:, None], distance, settings.up, most)
        return replace(self, position=smooth[:, 0])

    def at(self, seconds: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the positions (k, 3) and headings (k,) at k times, between steps in proportion.

        Times before the start and after the end give the first and the last state.
        """
        times = np.asarray(seconds, dtype=np.float64)
        steps = np.arange(len(self.position)) * self.dt
        places = np.column_stack([np.interp(times, steps, self.position[:, axis]) for axis in range(3)])
        return places, np.interp(times, steps, np.unwrap(self.heading))

    def pack(self) -> str:
        """Return the take as text; `unpack` gives it back to the bit."""
        packed = io.BytesIO()
        np.savez_compressed(
            packed,
            header=np.array(json.dumps({"dt": self.dt, "settings": to_words(self.settings)})),
            **{name: part[:, 0] for name, part in _parts(self.commands).items()},
            position=self.position,
            heading=self.heading,
            support=self.support,
        )
        return base64.b64encode(packed.getvalue()).decode("ascii")

    @classmethod
    def unpack(cls, text: str) -> "Take":
        """Return the take that `pack` made `text` of.

        Raises
        ------
        ValueError
            If `text` is no take.
        """
        try:
            with np.load(io.BytesIO(base64.b64decode(text, validate=True)), allow_pickle=False) as arrays:
                header = json.loads(str(arrays["header"]))
                parts = {field.name: arrays[field.name] for field in fields(Commands) if field.name in arrays}
                return cls(
                    dt=float(header["dt"]),
                    settings=from_words(header["settings"]),
                    commands=Commands(**parts),
                    position=arrays["position"].astype(np.float64),
                    heading=arrays["heading"].astype(np.float64),
                    support=arrays["support"].astype(np.int8),
                )
        except (*NO_TAKE, OSError, EOFError, zipfile.BadZipFile, zlib.error) as error:
            raise ValueError(f"this text is no take: {error}") from error


def _parts(commands: Commands) -> dict[str, Any]:
    """Return the wishes that the commands hold; what was never wished may be None."""
    parts = {field.name: getattr(commands, field.name) for field in fields(commands)}
    return {name: part for name, part in parts.items() if part is not None}
