"""Nothing that grows with the level is touched during a step: neither read as a whole, nor made."""

import tracemalloc
from dataclasses import fields, is_dataclass, replace

import numpy as np
import pytest
from builders import BASE, box, tessellated
from takes import AHEAD

from levelwalk.core import Command, Settings, TriMesh, World, spawn, step
from levelwalk.core.settings import LedgeGuard

LARGE = 4000  # numbers in an array of the level: smaller ones may be read as a whole
LEVEL = []  # all arrays of the level that is watched
LOOKED_UP = {"searchsorted"}  # grows with the logarithm


class Watched(np.ndarray):
    """An array of the level; calculating with all of it, or with a view of it, is an error, picking from it is not."""

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **kwargs):
        _refuse(ufunc.__name__, (*inputs, *(out or ())))
        plain = [np.asarray(item) if isinstance(item, Watched) else item for item in inputs]
        if out is not None:
            kwargs["out"] = tuple(np.asarray(item) if isinstance(item, Watched) else item for item in out)
        return getattr(ufunc, method)(*plain, **kwargs)

    def __array_function__(self, function, types, args, kwargs):
        if function.__name__ not in LOOKED_UP:
            _refuse(function.__name__, args)
        return function(*(_plain(item) for item in args), **{name: _plain(item) for name, item in kwargs.items()})


def _plain(item):
    if isinstance(item, Watched):
        return np.asarray(item)
    return type(item)(_plain(part) for part in item) if isinstance(item, (list, tuple)) else item


def _is_of_level(item):
    """Say whether it is an array of the level or a view of one; what was picked has memory of its own."""
    return any(np.may_share_memory(item.view(np.ndarray), array) for array in LEVEL)


def _refuse(name, items):
    for item in items:
        if isinstance(item, Watched):
            assert item.size < LARGE or not _is_of_level(item), f"{name} on an array of {item.shape}"
        elif isinstance(item, (list, tuple)):
            _refuse(name, item)


def watched(value):
    """Return a copy of a part of a world in which all arrays are watched."""
    if isinstance(value, np.ndarray):
        LEVEL.append(value)
        return value.view(Watched)
    if isinstance(value, tuple):
        return tuple(watched(part) for part in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{field.name: watched(getattr(value, field.name)) for field in fields(value)})
    return value


def hills(size, sides="BOTH", layer="BOTH"):
    """Return a rolling ground of `size` x `size` m in squares of half a metre."""
    flat = tessellated((-size / 2, -size / 2, 0), (size, 0, 0), (0, size, 0), size=0.5)
    points = flat.vertices.copy()
    points[:, 2] = 0.3 * np.sin(points[:, 0]) * np.cos(points[:, 1])
    return TriMesh(points, flat.triangles, "hills", mode="FACES", sides=sides, layer=layer)


def crates(count):
    """Return boxes in rows, with a wide one at the origin to start in."""
    around = [(3.0 * (i % 40) - 58.5, 3.0 * (i // 40) + 4) for i in range(count)]
    return [box((-1, -1, -1), (1, 1, 4)), *(box((x, y, 0), (x + 1, y + 1, 1), f"crate {x} {y}") for x, y in around)]


LEVELS = {
    "hills": lambda share: [hills(60 * share)],
    "one-sided hills": lambda share: [hills(60 * share, sides="FRONT")],
    "solid and ground": lambda share: [hills(60 * share), hills(60 * share, layer="GROUND")],
    "starts in a crate": lambda share: [hills(20), *crates(int(1500 * share))],
}
EVERYTHING = Settings(
    radius=BASE.radius,
    height=BASE.height,
    skin_width=BASE.skin_width,
    ledge_guard=LedgeGuard.SLIDE,
    mantle_height=1.5,
    crouch_height=1.0,
    ledge_distance=0.1,
)


def _walk(world, settings, steps=40):
    """Walk, jump and fall about from a start in the level, and return the most memory (bytes) that a step took."""
    state, most = spawn(world, settings, (0.1, 0.2, 0.0)), 0
    tracemalloc.start()
    for index in range(steps):
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        state = step(world, settings, state, Command(np.array([AHEAD]), jump=np.array([index % 20 == 10])), 1 / 60)
        most = max(most, tracemalloc.get_traced_memory()[1] - before)
    tracemalloc.stop()
    return most


@pytest.mark.parametrize("settings", [BASE, EVERYTHING], ids=["plain", "everything"])
@pytest.mark.parametrize("name", LEVELS)
def test_a_step_reads_nothing_as_a_whole(name, settings):
    world = World.build(LEVELS[name](1))
    assert world.features.normal.size > 2 * LARGE
    LEVEL.clear()

    _walk(watched(world), settings)


@pytest.mark.parametrize("name", LEVELS)
def test_a_step_makes_nothing_that_grows_with_the_level(name):
    """Ten times the level may take a few more cells of its grid, and no array of a byte for each face."""
    small, large = (World.build(LEVELS[name](share)) for share in (0.4, 1.3))
    more = len(large.features.normal) - len(small.features.normal)
    assert more > 15_000 or name == "starts in a crate"

    assert _walk(large, BASE, 25) - _walk(small, BASE, 25) < more / 2


def test_the_watch_notices():
    LEVEL.clear()
    level = watched(np.zeros((LARGE, 3)))

    for touch in (lambda: level + 1, lambda: level[:, 0].max(), lambda: np.where(level > 0, 1, 2), level.sum):
        with pytest.raises(AssertionError, match="on an array of"):
            touch()
    assert (level[[3, 5]] + 1).sum() == 6
