"""Stages: long work as a generator, which yields the share of it that is done, 0 to 1, and returns what it made."""

from collections.abc import Generator
from typing import TypeVar

Made = TypeVar("Made")


def finish(stages: Generator[float, None, Made]) -> Made:
    """Go through all stages, and return what they made."""
    while True:
        try:
            next(stages)
        except StopIteration as end:
            made: Made = end.value
            return made


def scaled(stages: Generator[float, None, Made], first: float, share: float) -> Generator[float, None, Made]:
    """Go through stages that are a `share` of some larger work, of which `first` was done before."""
    while True:
        try:
            done = next(stages)
        except StopIteration as end:
            made: Made = end.value
            return made
        yield first + share * done
