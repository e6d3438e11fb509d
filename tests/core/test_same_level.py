"""One level in many forms: as faces, hulls, pieces and solids, together or apart, every cast from outside is the same.

What is right is measured by the oracle over all triangles.
"""

import math

import builders
import numpy as np
import oracle
import pytest
import shapes
from builders import box, extruded, moved, prism, stair_boxes

from levelwalk.core import TriMesh, World

SAME = 1e-6  # m along the way
CASTS = 120
FREE = 1e-3  # m between the level and a start


def _random_boxes(random):
    for _ in range(12):
        half = random.uniform(0.1, 1.2, 3)
        turn = shapes.turn(random) if random.random() < 0.6 else None
        yield moved(box(-half, half), random.uniform(-3, 3, 3), turn)


def _boxes_in_a_grid(random):
    """Squares of a block-out level: flush, at heights of whole steps."""
    heights = random.integers(0, 4, (4, 4)) * 0.5
    for (i, j), height in np.ndenumerate(heights):
        yield box((i - 2, j - 2, -1), (i - 1, j - 1, height))


def _stairs(random):
    yield from stair_boxes(5, rise=random.uniform(0.1, 0.4), run=random.uniform(0.2, 0.6), x=-2)


def _ramps(random):
    yield box((-4, -4, -1), (4, 4, 0))
    for x in (-3.0, 0.5):
        run, rise = random.uniform(0.5, 3), random.uniform(0.2, 2)
        ramp = extruded([(0, 0), (run, 0), (run, rise)], half_width=random.uniform(0.3, 2))
        angle = random.uniform(0, 2 * math.pi)
        c, s = math.cos(angle), math.sin(angle)
        yield moved(ramp, (x, 0, 0), [[c, -s, 0], [s, c, 0], [0, 0, 1]])


def _room_with_a_door(random):
    """Four walls, a roof, and a door of random width in one of the walls."""
    half, high, thick = 2.0, random.uniform(2.2, 3), random.uniform(0.05, 0.3)
    door, lintel = random.uniform(0.3, 0.8), random.uniform(1.8, 2.1)
    yield box((-half, -half, -0.2), (half, half, 0))
    yield box((-half, -half, high), (half, half, high + 0.2))
    yield box((-half, -half, 0), (-half + thick, half, high))
    yield box((half - thick, -half, 0), (half, -door, high))
    yield box((half - thick, door, 0), (half, half, high))
    yield box((half - thick, -door, lintel), (half, door, high))
    yield box((-half, -half, 0), (half, -half + thick, high))
    yield box((-half, half - thick, 0), (half, half, high))


def _round_pillars(random):
    for _ in range(5):
        sides = int(random.integers(3, 24))
        angle = np.arange(sides) * 2 * math.pi / sides
        outline = random.uniform(0.2, 1) * np.column_stack([np.cos(angle), np.sin(angle)]) + random.uniform(-3, 3, 2)
        yield prism(outline, random.uniform(-2, 0), random.uniform(0.5, 2))


LEVELS = {
    "random boxes": _random_boxes,
    "boxes in a grid": _boxes_in_a_grid,
    "stairs": _stairs,
    "ramps": _ramps,
    "room with a door": _room_with_a_door,
    "round pillars": _round_pillars,
}


def _as(parts, **options):
    """Return the parts again, with other options."""
    return [TriMesh(part.vertices, part.triangles, part.name, **options) for part in parts]


def _together(parts, **options):
    """Return all parts as one object."""
    counts = np.cumsum([0] + [len(part.vertices) for part in parts[:-1]])
    vertices = np.concatenate([part.vertices for part in parts])
    triangles = np.concatenate([part.triangles + count for part, count in zip(parts, counts, strict=True)])
    return [TriMesh(vertices, triangles, "level", **options)]


FORMS = {
    "faces together": lambda parts: _together(parts, mode="FACES"),
    "front faces together": lambda parts: _together(parts, mode="FACES", sides="FRONT"),
    "solid faces together": lambda parts: _together(parts, mode="FACES", sides="SOLID"),
    "faces apart": lambda parts: _as(parts, mode="FACES"),
    "solid faces apart": lambda parts: _as(parts, mode="FACES", sides="SOLID"),
    "auto together": lambda parts: _together(parts, mode="AUTO"),
    "auto apart": lambda parts: _as(parts, mode="AUTO"),
    "hulls": lambda parts: _as(parts, mode="HULL"),
    "parts": lambda parts: _as(parts, mode="PARTS"),
    "pieces apart": lambda parts: _as(parts, mode="PIECES"),
    "pieces together": lambda parts: _together(parts, mode="PIECES"),
}


def _motions(parts, settings, random):
    """Return starts outside the level and ways (n, 3) through it, and what the oracle says of each."""
    size = settings.radius, settings.height
    feet = random.uniform(-4, 4, (3 * CASTS, 3)) - [0, 0, 0.5]
    gaps = [oracle.hull_gaps(feet, *size, part.vertices, builders.corners_of([part])) for part in parts]
    feet = feet[np.min(gaps, axis=0) > FREE][:CASTS]
    aimed = random.uniform(-1.5, 1.5, feet.shape) - feet
    way = np.where(random.random((len(feet), 1)) < 0.6, 1.5 * aimed, random.uniform(-5, 5, feet.shape))
    way[::4, :2] = 0  # straight up and down
    way[1::4, 2] = 0  # level
    return feet, way, oracle.cast(feet, way, *size, builders.corners_of(parts))


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 5))])
@pytest.mark.parametrize("level", LEVELS)
def test_a_level_is_the_same_in_every_form(level, seed):
    random = np.random.default_rng([seed, *level.encode()])
    parts = list(LEVELS[level](random))
    settings = shapes.capsule(random)
    feet, way, expected = _motions(parts, settings, random)
    length = np.linalg.norm(way, axis=1)
    grazes = np.abs(expected.nearest) < oracle.GRAZING

    for form, make in FORMS.items():
        hits = World.build(make(parts)).cast(settings, feet, way)
        off = np.abs(hits.fraction - expected.fraction) * length
        wrong = (off > SAME) & ~(grazes & ((expected.fraction == 1) | ~hits.is_hit))
        assert not wrong.any(), (form, settings, feet[wrong][0], way[wrong][0], off[wrong][0])
        ends_beyond = np.abs(expected.fraction - 1) * length < SAME  # or just at the level
        assert ((expected.fraction < 1) == hits.is_hit)[~grazes & ~ends_beyond].all(), form
    assert len(feet) > CASTS / 2
    assert (expected.fraction < 1).mean() > 0.1  # the casts would test little if they all missed


def _arch():
    """Return a wall with an opening, closed and of one part: 3 m wide, 3 m high, the opening 1 x 2 m, 0.4 m thick."""
    outline = np.array([(0, 0), (1, 0), (1, 2), (2, 2), (2, 0), (3, 0), (3, 3), (0, 3)], float) - [1.5, 0]
    fan = np.array([(0, 1, 2), (0, 2, 7), (2, 3, 7), (3, 6, 7), (3, 5, 6), (3, 4, 5)])
    near = np.column_stack([outline[:, 0], np.full(8, -0.2), outline[:, 1]])
    ring = [(i, (i + 1) % 8) for i in range(8)]
    sides = [three for i, j in ring for three in ((i, 8 + j, j), (i, 8 + i, 8 + j))]
    return TriMesh(np.concatenate([near, near + [0, 0.4, 0]]), [*fan, *(8 + fan[:, ::-1]), *sides], "arch")


@pytest.mark.parametrize("seed", range(3))
def test_a_concave_solid_is_the_same_in_every_form(seed):
    """An arch as one closed surface, in forms that leave its opening open."""
    random = np.random.default_rng([seed, 9])
    arch = _arch()
    legs = [
        box((-1.5, -0.2, 0), (-0.5, 0.2, 2)),
        box((0.5, -0.2, 0), (1.5, 0.2, 2)),
        box((-1.5, -0.2, 2), (1.5, 0.2, 3)),
    ]
    settings = shapes.capsule(random)
    feet, way, expected = _motions(legs, settings, random)
    length, grazes = np.linalg.norm(way, axis=1), np.abs(expected.nearest) < oracle.GRAZING

    for options in ({"mode": "AUTO"}, {"mode": "FACES"}, {"mode": "FACES", "sides": "FRONT"}, {"sides": "SOLID"}):
        for mesh in _as([arch], **options), _as([arch], mode="PIECES"):
            hits = World.build(mesh).cast(settings, feet, way)
            off = np.abs(hits.fraction - expected.fraction) * length
            assert off[~grazes].max() <= SAME, options
