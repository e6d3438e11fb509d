"""Meshes as bad as they come, drawn by chance: the build refuses by name, or mends and counts, and a walk stays sane.

Places are whole numbers times a power of two, so that what has no area, is double or is welded is known exactly.
"""

import itertools
from dataclasses import dataclass

import builders
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from levelwalk.core import ColliderMode, Commands, Layer, Settings, Sides, TriMesh, World, simulate

NAME = "broken wall"
LANES, STEPS = 4, 30
BAD_PLACES = [np.nan, np.inf, -np.inf]
kinds = st.tuples(st.sampled_from(ColliderMode), st.sampled_from(Layer), st.sampled_from(Sides))
quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
thorough = settings(quick, max_examples=400)


@dataclass(frozen=True)
class Draft:
    """A mesh before it becomes one: whole-numbered triangles, what is done to them, and what the object is."""

    corners: np.ndarray  # (t, 3, 3) int
    is_split: bool  # every triangle has vertices of its own, as flat shading is exported
    loose: int  # vertices that no triangle uses
    scale: float
    move: float
    kind: tuple[ColliderMode, Layer, Sides]

    def mesh(self, name=NAME):
        """Return the mesh."""
        places = self.corners.reshape(-1, 3)
        if self.is_split:
            vertices, triangles = places, np.arange(len(places))
        else:
            vertices, triangles = np.unique(places, axis=0, return_inverse=True)
        vertices = np.concatenate([vertices * self.scale + self.move, np.full((self.loose, 3), 7.0)])
        mode, layer, sides = self.kind
        return TriMesh(vertices, triangles.reshape(-1, 3), name, mode=mode, layer=layer, sides=sides)

    @property
    def is_looked_at(self):
        return self.kind[0] is not ColliderMode.NONE and self.kind[1] is not Layer.IGNORE


@st.composite
def soups(draw):
    """Draw triangles between few places: many without area, many doubled, most edges with more than two faces."""
    return draw(arrays(np.int64, st.tuples(st.integers(0, 30), st.just(3), st.just(3)), elements=st.integers(-2, 2)))


@st.composite
def torn_solids(draw):
    """Draw boxes, ramps and stairs of which faces are missing, turned round, doubled, or hang on an edge of another."""
    made = {
        "box": builders.box((-2, -1, 0), (2, 1, 2)),
        "ramp": builders.extruded([(-2, 0), (2, 0), (2, 2)], half_width=2),
        "stairs": builders.stairs(3, rise=1, run=1, x=0, platform=1),
        "floor": builders.tessellated((-2, -2, 0), (4, 0, 0), (0, 4, 0), size=1),
    }
    corners = np.concatenate(
        [
            builders.corners_of([made[name]])
            for name in draw(st.lists(st.sampled_from(sorted(made)), min_size=1, max_size=3))
        ]
    )
    corners = np.round(corners).astype(np.int64)
    random = np.random.default_rng(draw(st.integers(0, 10_000)))
    kept = corners[random.random(len(corners)) < draw(st.sampled_from([1.0, 0.8]))]
    turned = np.where(random.random((len(kept), 1, 1)) < draw(st.sampled_from([0.0, 0.3])), kept[:, ::-1], kept)
    again = turned[random.random(len(turned)) < draw(st.sampled_from([0.0, 0.2]))]
    fins = turned[: draw(st.integers(0, 3))].copy()
    fins[:, 2] = random.integers(-2, 3, (len(fins), 3))
    needles = turned[: draw(st.integers(0, 3))].copy()
    needles[:, 2] = 2 * needles[:, 1] - needles[:, 0]
    return np.concatenate([turned, again, fins, needles])


drafts = st.builds(
    Draft,
    corners=soups() | torn_solids(),
    is_split=st.booleans(),
    loose=st.integers(0, 3),
    scale=st.sampled_from([1.0, 2.0**-10, 2.0**10, 0.25]),
    move=st.sampled_from([0.0, 65536.0]),
    kind=kinds,
)


def _expected(draft):
    """Return how many triangles have no area, how many are as an earlier one, and how many vertices have a double."""
    a, b, c = np.moveaxis(draft.corners, 1, 0)
    has_area = (np.cross(b - a, c - a) != 0).any(axis=1)
    solid = draft.corners[has_area]
    distinct = {frozenset(map(tuple, three)) for three in solid.tolist()}
    places = draft.corners.reshape(-1, 3)
    doubles = len(places) - len(np.unique(places, axis=0)) if draft.is_split else 0
    return int((~has_area).sum()), len(solid) - len(distinct), doubles


def _assert_walks(level, start=(0.0, 0.0, 3.0), by=0.0):
    """Walk and jump about `start` with a few walkers: every number stays one."""
    random = np.random.default_rng(1)
    feet = np.asarray(start) + random.uniform(-1.5, 1.5, (LANES, 3)) + by
    angle = random.uniform(0, 6.28, LANES)
    moves = np.tile(np.column_stack([np.cos(angle), np.sin(angle)]), (STEPS, 1, 1))
    commands = Commands(moves, jump=random.random((STEPS, LANES)) < 0.1)
    trace = simulate(level, Settings(), feet, commands)
    assert np.isfinite(trace.position).all()
    assert np.isfinite(trace.velocity).all()


def _builds_mends_and_counts(draft):
    mesh = draft.mesh()
    world = World.build([builders.floor(-1), mesh])

    (_, report) = world.report
    assert report.name == NAME
    assert report.triangles == len(draft.corners)
    if draft.is_looked_at:
        zero_area, doubles, welded = _expected(draft)
        assert report.dropped_zero_area + report.mended_zero_area == zero_area
        assert report.dropped_duplicates == doubles
        assert report.welded_vertices == welded
        assert report.unused_vertices == draft.loose
        assert report.is_left_out == (zero_area == len(draft.corners))
    else:
        assert report.is_left_out
    assert (report.hulls + report.faces == 0) == report.is_left_out
    assert bool(report.reason) == report.is_left_out
    assert np.isfinite(world.features.corners).all()
    _assert_walks(world, by=draft.move)


@quick
@given(drafts)
def test_what_is_dirty_is_mended_and_counted(draft):
    _builds_mends_and_counts(draft)


@pytest.mark.slow
@thorough
@given(drafts)
def test_what_is_dirty_is_mended_and_counted_in_hundreds_of_ways(draft):
    _builds_mends_and_counts(draft)


def _refuses_what_has_no_place(draft, row, axis, bad, index):
    mesh = draft.mesh()
    if not len(mesh.triangles):
        return
    vertices, triangles = mesh.vertices.copy(), mesh.triangles.copy()
    row %= len(triangles)
    if index is None:
        vertices[triangles[row, axis], axis] = bad
    else:
        triangles[row, axis] = index if index < 0 else len(vertices) + index
    mode, layer, sides = draft.kind
    broken = TriMesh(vertices, triangles, NAME, mode=mode, layer=layer, sides=sides)
    level = [builders.floor(), broken, builders.box((5, 5, 0), (6, 6, 1))]

    if draft.is_looked_at:
        with pytest.raises(ValueError, match=rf"^{NAME}: .*\d"):
            World.build(level)
    else:
        assert World.build(level).report.objects[1].is_left_out


corners_to_break = {
    "row": st.integers(0, 100),
    "axis": st.integers(0, 2),
    "bad": st.sampled_from(BAD_PLACES),
    "index": st.none() | st.sampled_from([-1, 0, 1, 2**40, -(2**40), 2**62]),
}


@quick
@given(draft=drafts, **corners_to_break)
def test_what_has_no_place_is_refused_by_name(draft, row, axis, bad, index):
    _refuses_what_has_no_place(draft, row, axis, bad, index)


@quick
@given(drafts, st.sampled_from(BAD_PLACES), st.integers(0, 2))
def test_a_loose_point_may_be_anywhere(draft, bad, axis):
    """No triangle uses it, so it is nowhere in the level: it is counted, not refused."""
    mesh = draft.mesh()
    place = np.zeros((1, 3))
    place[0, axis] = bad
    mode, layer, sides = draft.kind
    loose = TriMesh(np.concatenate([mesh.vertices, place]), mesh.triangles, NAME, mode=mode, layer=layer, sides=sides)

    (report,) = World.build([loose]).report

    if draft.is_looked_at:
        assert report.unused_vertices == draft.loose + 1
    assert report.is_left_out or len(mesh.triangles)


@quick
@given(drafts, st.sampled_from([1e-60, 1e-30, 1e-12, 1e-6, 1e6, 1e12, 1e30, 1e60]), st.booleans())
def test_sizes_beyond_all_reason_are_survived(draft, factor, is_all):
    """The whole mesh, or one of its vertices, is a speck or as far as the stars: it is built, the walk stays sane."""
    mesh = draft.mesh()
    vertices = mesh.vertices.copy()
    vertices[slice(None) if is_all else slice(0, 1)] *= factor
    mode, layer, sides = draft.kind
    far = TriMesh(vertices, mesh.triangles, NAME, mode=mode, layer=layer, sides=sides)

    world = World.build([builders.floor(), far])

    np.testing.assert_allclose(np.linalg.norm(world.features.normal, axis=1), 1, atol=1e-6)
    _assert_walks(world)


@pytest.mark.parametrize("size", [1e-200, 1e-90])
def test_a_face_whose_area_is_below_all_numbers_is_dropped(size):
    (report,) = World.build([TriMesh(np.eye(3) * size, [(0, 1, 2)], NAME)]).report

    assert report.dropped_zero_area == 1


@pytest.mark.parametrize("size", [1e71, 1e90, 1e200])
def test_a_face_whose_area_is_beyond_all_numbers_is_refused(size):
    with pytest.raises(ValueError, match=NAME):
        World.build([TriMesh(np.eye(3) * size, [(0, 1, 2)], NAME)])


@pytest.mark.parametrize("mode", ColliderMode)
@pytest.mark.parametrize(
    ("vertices", "triangles"),
    [
        pytest.param([], [], id="nothing"),
        pytest.param([(0, 0, 0), (1, 0, 0)], [], id="loose points alone"),
        pytest.param([(0, 0, 0)], [(0, 0, 0)], id="a triangle in a point"),
        pytest.param([(0, 0, 0), (1, 1, 1), (2, 2, 2)], [(0, 1, 2)] * 3, id="lines alone"),
    ],
)
def test_what_is_no_surface_is_left_out_and_says_so(vertices, triangles, mode):
    for layer, sides in itertools.product(Layer, Sides):
        nothing = TriMesh(vertices, triangles, NAME, mode=mode, layer=layer, sides=sides)
        world = World.build([nothing, builders.floor()])

        report = world.report.objects[0]
        assert report.is_left_out
        assert report.reason
        assert any(line.startswith(f"{NAME}: left out: ") for line in world.report.lines())
        assert len(world.features.corners) == 2
