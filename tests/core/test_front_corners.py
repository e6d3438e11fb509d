"""Corners of faces that count from their front alone: peaks, pits, saddles and rims, from the front and from behind."""

import numpy as np
import pytest
from builders import tessellated

from levelwalk.core import Settings, TriMesh, World

EXACT = 1e-6


def sheet_of(heights, sides="FRONT"):
    """Return a sheet that faces up over a grid of metres about the origin, with `heights` (n, n) of its points."""
    size = len(heights) - 1
    flat = tessellated((-size / 2, -size / 2, 0), (size, 0, 0), (0, size, 0), size=1)
    points = flat.vertices.copy()
    points[:, 2] = np.ravel(heights)
    return TriMesh(points, flat.triangles, "sheet", mode="FACES", sides=sides)


def cone(heights, sides="FRONT", share=1.0):
    """Return a fan that faces up about a point at the origin, its rim 1 m from there at `heights` (n,).

    Of a `share` below 1 the fan is open.
    """
    n = len(heights)
    angle = 2 * np.pi * share * np.arange(n) / (n if share == 1 else n - 1)
    rim = np.column_stack([np.cos(angle), np.sin(angle), heights])
    i = np.arange(1, n + 1 if share == 1 else n)
    triangles = np.column_stack([np.zeros_like(i), i, i % n + 1])
    return TriMesh(np.vstack([np.zeros(3), rim]), triangles, "cone", mode="FACES", sides=sides)


def test_a_corner_that_stopped_from_behind():
    sheet = sheet_of(np.random.default_rng(2).uniform(-0.6, 0.6, (7, 7)))

    hits = World.build([sheet]).cast(Settings(), (-1.10045127, 1.54510866, -3), (0.45119289, 0.61705984, 6))

    assert not hits.is_hit[0]


@pytest.mark.parametrize("height", [0.1, 0.6, 2.0])
def test_bumpy_sheets_from_behind_are_never_hit(height):
    """All faces look up and the ways lead up, far from the rims."""
    for seed in range(8):
        random = np.random.default_rng(seed)
        world = World.build([sheet_of(random.uniform(-height, height, (9, 9)))])
        start = np.column_stack([random.uniform(-2, 2, (300, 2)), np.full(300, -2 - height - 1.8)])
        way = np.column_stack([random.uniform(-0.8, 0.8, (300, 2)), np.full(300, 2 * height + 6)])

        assert not world.cast(Settings(), start, way).is_hit.any()


@pytest.mark.parametrize("height", [0.1, 0.6, 2.0])
def test_bumpy_sheets_from_the_front_are_those_of_both_sides(height):
    for seed in range(8):
        random = np.random.default_rng(seed)
        heights = random.uniform(-height, height, (9, 9))
        start = np.column_stack([random.uniform(-2, 2, (200, 2)), np.full(200, height + 0.1)])
        way = np.column_stack([random.uniform(-1, 1, (200, 2)), np.full(200, -2 * height - 2)])

        one, both = (
            World.build([sheet_of(heights, sides)]).cast(Settings(), start, way) for sides in ("FRONT", "BOTH")
        )

        assert both.is_hit.all()
        np.testing.assert_allclose(one.fraction, both.fraction, atol=EXACT)
        np.testing.assert_allclose(one.normal, both.normal, atol=1e-4)


@pytest.mark.parametrize("edges", [3, 4, 5, 8, 40])
@pytest.mark.parametrize("slope", [0.01, 1.0, 5.0])
def test_a_peak_is_there_from_above_alone_and_a_pit_from_neither_side_at_its_corner(edges, slope):
    """Straight down on the peak the fall ends where the lower end touches it; from below nothing is met."""
    peak, pit = (World.build([cone(np.full(edges, sign * slope))]) for sign in (-1, 1))
    body = Settings()
    small = Settings(radius=0.05, height=0.2)

    assert peak.cast(body, (0, 0, 1), (0, 0, -2)).fraction[0] == pytest.approx(0.5)
    for tilt in (0, 0.1, -0.2):
        assert not peak.cast(small, (0, 0, -3), (tilt * 0.1, 0.05 * tilt, 6)).is_hit[0]
        assert not pit.cast(small, (0, 0, -3), (tilt * 0.1, 0.05 * tilt, 6)).is_hit[0]
    assert pit.cast(body, (0, 0, slope + 1), (0, 0, -slope - 2)).is_hit[0]


@pytest.mark.parametrize("edges", [4, 6, 8, 40])
def test_a_star_of_ridges_and_valleys_is_a_peak_and_a_saddle_is_none(edges):
    """Ridges and valleys by turns: all below the middle, and the ridges above but the valleys below it."""
    random = np.random.default_rng(edges)
    way = np.column_stack([random.uniform(-0.5, 0.5, (200, 2)), np.full(200, 8.0)])
    start = np.column_stack([random.uniform(-0.1, 0.1, (200, 2)), np.full(200, -4.0)]) - way * (0.5, 0.5, 0)
    small = Settings(radius=0.05, height=0.2)
    for low in ([-0.2, -2.0], [0.5, -0.5], [-0.5, 0.5], [0.2, 2.0]):
        heights = np.tile(low, edges // 2)
        one, both = (World.build([cone(heights, sides)]) for sides in ("FRONT", "BOTH"))
        near = np.hypot(*(start + way * 0.5)[:, :2].T) < 0.1

        assert not one.cast(small, start[near], way[near]).is_hit.any()
        front, seen = (world.cast(small, (start + way)[near], -way[near]) for world in (one, both))
        assert seen.is_hit.sum() > 10
        np.testing.assert_allclose(front.fraction, seen.fraction, atol=EXACT)


def test_the_rim_of_a_fan_goes_on_round_its_corner():
    """A cut cone whose tip is at its rim, from above, in front of all of its faces, and from below, never behind all.

    Where the fan falls towards its tip one may rise past it in front of the faces; else nothing is met from below.
    """
    for heights, is_falling in ((np.full(7, -0.5), False), (np.full(7, 0.5), True), (([-0.2, -0.8] * 4)[:7], False)):
        one, both = (World.build([cone(heights, sides, share=0.4)]) for sides in ("FRONT", "BOTH"))
        random = np.random.default_rng(1)
        start = np.column_stack([random.uniform(-0.25, 0.1, (300, 2)), np.full(300, 1.5)])
        down = np.broadcast_to((0.0, 0.0, -2.4), start.shape)

        front, seen = (world.cast(Settings(), start, down) for world in (one, both))
        above = seen.is_hit & ((seen.normal @ one.features.normal.T).min(axis=1) > 0.01)
        assert above.sum() > 50
        np.testing.assert_allclose(front.fraction[above], seen.fraction[above], atol=EXACT)
        below = start * (1, 1, 0) + (0, 0, -4)
        rising = one.cast(Settings(), below, -down * 2)
        assert rising.is_hit.any() == is_falling
        facing = rising.normal[rising.is_hit] @ one.features.normal.T
        assert (facing.max(axis=1, initial=-1) > 0).all()


@pytest.mark.parametrize("up", [(0, 0, 1), (1, 0, 0)])
def test_casts_at_sheets_do_not_change_with_flat_neighbours_merged(up):
    """Steps, pits and holes of squares: in all directions, also along rims and from below."""
    turn = np.eye(3) if up[2] else np.eye(3)[[2, 0, 1]]
    for seed in range(20):
        random = np.random.default_rng(seed)
        sheet = sheet_of(random.choice([0.0, 0.0, 0.0, 0.5], (7, 7)))
        kept = random.uniform(size=len(sheet.triangles)) < 0.9
        mesh = TriMesh(sheet.vertices @ turn.T, sheet.triangles[kept], mode="FACES", sides="FRONT")
        start = random.uniform((-4, -4, -2), (4, 4, 2), (300, 3)) @ turn.T
        way = random.normal(size=(300, 3)) * 3
        capsule = Settings(radius=0.15, height=0.7, up=up)

        merged = World.build([mesh]).cast(capsule, start, way)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("levelwalk.core.colliders.colliders.IS_MERGING", False)
            whole = World.build([mesh]).cast(capsule, start, way)

        np.testing.assert_array_equal(merged.is_hit, whole.is_hit)
        np.testing.assert_allclose(merged.fraction, whole.fraction, atol=1e-9)
