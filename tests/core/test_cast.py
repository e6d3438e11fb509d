"""World.cast against the oracle: 12 kinds of collider, 25 of each, 45 motions for each; more that touch or overlap."""

import builders
import numpy as np
import oracle
import pytest
import shapes

from levelwalk.core import Settings, TriMesh, World

MOTIONS, TOUCHING, DEEP = 45, 15, 15
EACH = pytest.mark.parametrize("worlds", [5, pytest.param(25, marks=pytest.mark.slow)])
EXACT = 1e-6  # largest error of the fraction
PLACE = 1e-4  # of the radius: largest error of a hit's point; faces reach that far over their borders, see cast.BORDER


def _motions(scene, random):
    """Return starts outside the collider, and ways of which most lead towards it, far short of it to far beyond."""
    feet = scene.around(random, 2 * MOTIONS)
    feet = feet[scene.gaps(feet) > oracle.GRAZING][:MOTIONS]
    centre = feet + scene.settings.height / 2 * np.asarray(scene.settings.up)
    aimed = random.uniform(-0.7, 0.7, centre.shape) - centre
    ways = np.where(random.random((len(feet), 1)) < 0.9, aimed, 2 * shapes.directions(random, len(feet)))
    return feet, ways * 10 ** random.uniform(-1, 0.7, (len(feet), 1))


def _assert_hits_are_places_of_contact(hits, scene, feet, way):
    """A hit's point lies on the level, and the radius away from the axis along the normal, which faces the motion."""
    hit = np.flatnonzero(hits.is_hit)
    normal, point = hits.normal[hit], hits.point[hit]
    low, high = oracle.axis(feet[hit] + hits.fraction[hit, None] * way[hit], *_size(scene), scene.settings.up)
    share = np.clip(((point - low) * (high - low)).sum(1) / np.maximum(((high - low) ** 2).sum(1), 1e-12), 0, 1)
    on_axis = low + share[:, None] * (high - low)
    np.testing.assert_allclose(np.linalg.norm(normal, axis=1), 1, atol=1e-9)
    assert (np.einsum("ij,ij->i", normal, way[hit]) < 0).all()
    exact = PLACE * scene.settings.radius
    np.testing.assert_allclose(point + scene.settings.radius * normal, on_axis, atol=exact)
    np.testing.assert_allclose(oracle.gaps(point, 0.0, 0.0, scene.triangles), 0, atol=exact)
    assert (hits.object_index[hit] == 0).all()


def _size(scene):
    return scene.settings.radius, scene.settings.height


@EACH
@pytest.mark.parametrize("kind", shapes.SHAPES)
def test_fraction_is_the_share_of_the_way_at_which_the_gap_is_gone(kind, worlds):
    random = np.random.default_rng([1, *kind.encode()])
    hit_count = 0
    for _ in range(worlds):
        scene = shapes.scene(kind, random)
        feet, way = _motions(scene, random)
        expected = scene.cast(feet, way)
        hits = World.build([scene.mesh]).cast(scene.settings, feet, way)

        grazes = np.abs(expected.nearest) < oracle.GRAZING
        errors = np.abs(hits.fraction - expected.fraction)
        wrong = (errors > EXACT) & ~(grazes & ((expected.fraction == 1) | ~hits.is_hit))
        assert not wrong.any(), _report(scene, feet, way, hits, expected, wrong)
        missed = ~hits.is_hit
        assert (hits.fraction[missed] == 1).all()
        assert (hits.object_index[missed] == -1).all()
        _assert_hits_are_places_of_contact(hits, scene, feet, way)
        hit_count += int(hits.is_hit.sum())
    assert hit_count > worlds * MOTIONS / 8  # the motions would test little if they all missed


@EACH
@pytest.mark.parametrize("kind", shapes.SHAPES)
def test_touching_stops_what_goes_in_at_once(kind, worlds):
    random = np.random.default_rng([2, *kind.encode()])
    for _ in range(worlds):
        scene = shapes.scene(kind, random)
        feet = scene.touching(random, TOUCHING)
        way = _tilted(random, -scene.away(feet), 60)
        hits = World.build([scene.mesh]).cast(scene.settings, feet, way)

        assert hits.is_hit.all()
        np.testing.assert_allclose(hits.fraction, 0, atol=EXACT)
        _assert_hits_are_places_of_contact(hits, scene, feet, way)


@EACH
@pytest.mark.parametrize("kind", shapes.HULLS)
def test_touching_lets_go_what_goes_out_or_along(kind, worlds):
    """A convex solid that is touched and not entered is never entered further on."""
    random = np.random.default_rng([3, *kind.encode()])
    for _ in range(worlds):
        scene = shapes.scene(kind, random)
        feet = scene.touching(random, TOUCHING)
        away = scene.away(feet)
        along = np.cross(away, shapes.directions(random, len(feet)))
        hair = 1e-9 * away  # so that no rounding decides whether what goes along goes in
        world = World.build([scene.mesh])

        for start, way in (feet, away), (feet, _tilted(random, away, 80)), (feet + hair, along):
            hits = world.cast(scene.settings, start, way)
            assert not hits.is_hit.any()
            assert (hits.fraction == 1).all()


@EACH
@pytest.mark.parametrize("kind", shapes.SHAPES)
def test_overlapping_stops_what_goes_deeper_at_once(kind, worlds):
    random = np.random.default_rng([4, *kind.encode()])
    for _ in range(worlds):
        scene, feet, away = _deep(kind, random)
        hits = World.build([scene.mesh]).cast(scene.settings, feet, _tilted(random, -away, 60))

        assert hits.is_hit.all()
        np.testing.assert_allclose(hits.fraction, 0, atol=EXACT)


@EACH
@pytest.mark.parametrize("kind", shapes.HULLS)
def test_overlapping_lets_go_what_goes_straight_out(kind, worlds):
    random = np.random.default_rng([5, *kind.encode()])
    for _ in range(worlds):
        scene, feet, away = _deep(kind, random)
        hits = World.build([scene.mesh]).cast(scene.settings, feet, 3 * away)

        assert not hits.is_hit.any()


def _deep(kind, random):
    """Return capsules from a hair to nearly their radius deep, and the unit directions straight out."""
    scene = shapes.scene(kind, random)
    feet = scene.touching(random, DEEP)
    radius = scene.settings.radius
    deeper = feet - scene.away(feet) * radius * 10 ** random.uniform(-5, -0.1, (len(feet), 1))
    is_outside = scene.gaps(deeper) > -0.9 * radius  # the axis is still outside, so that there is one way out
    is_outside &= scene.gaps(deeper) < 0
    return scene, deeper[is_outside], scene.away(deeper[is_outside])


def _tilted(random, ways, degrees):
    """Return unit ways (n, 3) turned aside by up to `degrees`."""
    aside = np.cross(ways, shapes.directions(random, len(ways)))
    aside /= np.linalg.norm(aside, axis=1)[:, None]
    angle = np.radians(random.uniform(0, degrees, (len(ways), 1)))
    return np.cos(angle) * ways + np.sin(angle) * aside


def _report(scene, feet, way, hits, expected, wrong):
    i = np.flatnonzero(wrong)[0]
    return (
        f"{scene.mesh.name}: {scene.settings.radius=}, {scene.settings.height=}, {scene.settings.up=}, "
        f"start {feet[i].tolist()}, way {way[i].tolist()}: fraction {hits.fraction[i]}, expected "
        f"{expected.fraction[i]}; {scene.mesh.vertices.tolist()}, {scene.mesh.triangles.tolist()}"
    )


def test_many_objects_are_hit_as_if_each_were_alone():
    random = np.random.default_rng(6)
    kinds = list(shapes.SHAPES.values())
    places = random.uniform(-12, 12, (60, 3))
    meshes = [builders.moved(kinds[i % len(kinds)](random), by=place) for i, place in enumerate(places)]
    settings = Settings(radius=0.4, height=1.7)
    feet, way = random.uniform(-12, 12, (600, 3)), random.uniform(-12, 12, (600, 3))
    single = [oracle.cast(feet, way, 0.4, 1.7, builders.corners_of([mesh])) for mesh in meshes]
    is_free = np.min([touch.gap for touch in single], axis=0) > oracle.GRAZING
    is_free &= ~_is_inside_a_hull(meshes, feet)
    expected = np.array([touch.fraction for touch in single])

    hits = World.build(meshes).cast(settings, feet, way)

    np.testing.assert_allclose(hits.fraction[is_free], expected.min(axis=0)[is_free], atol=EXACT)
    hit = np.flatnonzero(is_free & hits.is_hit)
    assert len(hit) > 100
    np.testing.assert_array_equal(hits.object_index[hit], expected.argmin(axis=0)[hit])


def _is_inside_a_hull(meshes, feet):
    solid = [mesh for mesh in meshes if mesh.mode.name == "AUTO"]
    gaps = [oracle.hull_gaps(feet, 0.4, 1.7, mesh.vertices, builders.corners_of([mesh])) for mesh in solid]
    return np.min(gaps, axis=0) < 0


FLOOR = builders.floor()


@pytest.mark.parametrize(
    ("start", "way", "fraction", "point", "normal"),
    [
        pytest.param((1, 2, 1), (0, 0, -4), 0.25, (1, 2, 0), (0, 0, 1), id="falls on a floor"),
        pytest.param((1, 2, 1), (3, 0, -4), 0.25, (1.75, 2, 0), (0, 0, 1), id="falls on a floor, moving"),
        pytest.param((1, 2, -5.8), (0, 0, 8), 0.5, (1, 2, 0), (0, 0, -1), id="rises to a sheet from below"),
        pytest.param((1, 2, 1), (4, 0, 0), 1.0, None, None, id="moves over a floor"),
        pytest.param((1, 2, 1), (0, 0, 0), 1.0, None, None, id="does not move"),
        pytest.param((1, 2, 0), (4, 0, 0), 1.0, None, None, id="slides on a floor that it touches"),
        pytest.param((1, 2, 1), (0, 0, -1 + 1e-6), 1.0, None, None, id="ends just over a floor"),
        pytest.param((31, 2, 1), (0, 0, -4), 1.0, None, None, id="falls past the edge of a floor"),
    ],
)
def test_casts_on_a_floor_end_where_the_drawing_says(start, way, fraction, point, normal):
    hits = World.build([FLOOR]).cast(Settings(), np.array([start], float), np.array([way], float))

    assert hits.fraction[0] == pytest.approx(fraction, abs=1e-12)
    assert hits.is_hit[0] == (normal is not None)
    assert hits.object_index[0] == (-1 if normal is None else 0)
    if normal is not None:
        np.testing.assert_allclose(hits.point[0], point, atol=1e-12)
        np.testing.assert_allclose(hits.normal[0], normal, atol=1e-12)


def test_no_speed_goes_through_a_sheet():
    way = np.array([[0, 0, -(10.0**power)] for power in range(0, 7)])
    hits = World.build([FLOOR]).cast(Settings(), np.tile([1.0, 2, 0.5], (7, 1)), way)

    np.testing.assert_allclose(hits.fraction * -way[:, 2], 0.5, rtol=1e-9)


def test_an_empty_level_is_never_hit():
    hits = World.build([]).cast(Settings(), np.zeros((3, 3)), np.ones((3, 3)))

    assert not hits.is_hit.any()
    assert (hits.fraction == 1).all()


def test_the_seams_of_a_flat_mesh_do_not_change_a_normal():
    tiles = builders.tessellated((-5, -5, 0), (10, 0, 0), (0, 10, 0), size=0.25)
    random = np.random.default_rng(7)
    feet = np.column_stack([random.uniform(-4, 4, (300, 2)), random.uniform(1e-4, 0.5, 300)])
    feet[:100, :2] = np.round(feet[:100, :2] * 4) / 4  # over the corners of squares
    way = np.column_stack([random.uniform(-0.5, 0.5, (300, 2)), np.full(300, -1.0)])

    hits = World.build([tiles]).cast(Settings(), feet, way)

    assert hits.is_hit.all()
    np.testing.assert_allclose(hits.normal, np.tile([0, 0, 1.0], (300, 1)), atol=1e-9)


def test_a_hull_far_from_the_origin_is_hit_as_at_the_origin():
    random = np.random.default_rng(8)
    far = np.array([1e5, -1e5, 1e4])
    for _ in range(10):
        scene = shapes.Scene(shapes.HULLS["turned box"](random), Settings(radius=0.4, height=1.7))
        feet, way = _motions(scene, random)
        near = World.build([scene.mesh]).cast(scene.settings, feet, way)
        moved = TriMesh(scene.mesh.vertices + far, scene.mesh.triangles, "far")
        hits = World.build([moved]).cast(scene.settings, feet + far, way)

        # Doubles at 1e5 m are 1.5e-11 m apart; a slanted way of a centimetre makes 1e-7 of it.
        np.testing.assert_allclose(hits.fraction, near.fraction, atol=1e-6)
