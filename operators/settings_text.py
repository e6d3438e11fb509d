"""Settings as plain words and numbers, for takes and for preset files; metres, whatever the scene's units."""

import json
from collections.abc import Mapping
from dataclasses import asdict, fields
from enum import Enum
from typing import Any

from ..core.settings import Settings


def to_words(settings: Settings) -> dict[str, Any]:
    """Return the settings by name, as what JSON can hold."""
    return {name: value.value if isinstance(value, Enum) else value for name, value in asdict(settings).items()}


def from_words(words: Mapping[str, Any]) -> Settings:
    """Return the settings that `to_words` made `words` of.

    Names that are not known are passed over, as a newer version may know more; what is missing has its default.

    Raises
    ------
    ValueError, TypeError
        If a value is no possible setting.
    """
    known = {field.name for field in fields(Settings)}
    return Settings(**{name: _value(value) for name, value in words.items() if name in known})


def to_text(settings: Settings) -> str:
    """Return the settings as one line of text."""
    return json.dumps(to_words(settings))


def from_text(text: str) -> Settings:
    """Return the settings that `to_text` made `text` of. ValueError if it is no such text."""
    words = json.loads(text)
    if not isinstance(words, dict):
        raise ValueError(f"settings are named values, got {text}")
    try:
        return from_words(words)
    except TypeError as error:
        raise ValueError(f"a setting is of the wrong kind: {error}") from error


def _value(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value  # JSON has no tuples
