"""Presets: the characters of game engines as settings, each with where its numbers come from.

The numbers are data, in presets.json: metres, seconds, radians, and the total height.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

from .settings import Settings

FILE = Path(__file__).with_name("presets.json")


@dataclass(frozen=True, slots=True)
class Preset:
    """One engine's character.

    Attributes
    ----------
    name : str
        Of the engine's controller.
    source : tuple of str
        Repositories and pages that the numbers were read in.
    values : mapping
        The settings that the engine gives, by name, in the core's units; choices by their value.
    conversions : tuple of str
        How the engine's numbers became these, and what was chosen where it leaves the choice to the game.
    not_reproduced : tuple of str
        What the engine's controller does that these settings do not.
    """

    name: str
    source: tuple[str, ...]
    values: Mapping[str, float | str]
    conversions: tuple[str, ...]
    not_reproduced: tuple[str, ...]

    def settings(self) -> Settings:
        """Return the settings; those that the engine does not give have their defaults."""
        return Settings(**self.values)  # type: ignore[arg-type]


@cache
def load_presets() -> tuple[Preset, ...]:
    """Return the presets that come with Level Walk, in the order in which they are shown."""
    return tuple(
        Preset(
            name=entry["name"],
            source=tuple(entry["source"]),
            values=MappingProxyType(entry["settings"]),
            conversions=tuple(entry["conversions"]),
            not_reproduced=tuple(entry["not_reproduced"]),
        )
        for entry in json.loads(FILE.read_text(encoding="utf-8"))
    )
