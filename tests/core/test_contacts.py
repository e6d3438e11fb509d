"""World.clearance, overlaps and contacts against the oracle: capsules apart, touching and deep."""

import builders
import numpy as np
import oracle
import pytest
import shapes

from levelwalk.core import Layer, Settings, TriMesh, World

PLACES = 40
EACH = pytest.mark.parametrize("worlds", [3, pytest.param(12, marks=pytest.mark.slow)])
EXACT = 1e-7  # m
PLACE = 1e-4  # of the radius: faces reach that far over their borders, see cast.BORDER


def _places(scene, random):
    """Return feet of capsules from apart to deep, whose axes do not meet the surface; and the gaps there."""
    touching = scene.touching(random, PLACES)
    radius = scene.settings.radius
    shift = np.where(
        random.random((len(touching), 1)) < 0.5,
        random.uniform(-0.8, 1, (len(touching), 1)) * radius,
        random.choice([0.0, 1e-6, -1e-6, 1e-4, -1e-4], (len(touching), 1)),
    )
    feet = np.concatenate([scene.around(random, PLACES), touching + shift * scene.away(touching)])
    gaps = scene.gaps(feet)
    is_outside = gaps > -0.95 * radius
    return feet[is_outside], gaps[is_outside]


@EACH
@pytest.mark.parametrize("kind", shapes.SHAPES)
def test_clearance_is_the_gap_cut_off(kind, worlds):
    random = np.random.default_rng([11, *kind.encode()])
    for _ in range(worlds):
        scene = shapes.scene(kind, random)
        feet, gaps = _places(scene, random)
        world = World.build([scene.mesh])

        clearance = world.clearance(scene.settings, feet, 0.7)

        np.testing.assert_allclose(clearance, np.minimum(gaps, 0.7), atol=EXACT)
        is_plain = np.abs(gaps) > EXACT
        np.testing.assert_array_equal(world.overlaps(scene.settings, feet)[is_plain], gaps[is_plain] < 0)


@EACH
@pytest.mark.parametrize("kind", shapes.SHAPES)
def test_a_surface_through_the_axis_is_an_overlap(kind, worlds):
    random = np.random.default_rng([12, *kind.encode()])
    for _ in range(worlds):
        scene = shapes.scene(kind, random)
        half = (scene.settings.height / 2 - scene.settings.radius) * 0.9
        up = np.asarray(scene.settings.up)
        corners = scene.triangles[random.integers(0, len(scene.triangles), PLACES)]
        on_surface = (random.dirichlet((2, 2, 2), PLACES)[:, :, None] * corners).sum(axis=1)
        on_surface += random.uniform(-1e-6, 1e-6, (PLACES, 3))
        feet = on_surface + (random.uniform(-half, half, (PLACES, 1)) - scene.settings.height / 2) * up
        world = World.build([scene.mesh])

        assert world.overlaps(scene.settings, feet).all()
        assert (world.clearance(scene.settings, feet, 0.7) < 0).all()


@EACH
@pytest.mark.parametrize("kind", shapes.HULLS)
def test_the_inside_of_a_hull_is_an_overlap(kind, worlds):
    random = np.random.default_rng([13, *kind.encode()])
    for _ in range(worlds):
        scene = shapes.scene(kind, random)
        inside = random.dirichlet(np.ones(len(scene.mesh.vertices)), PLACES) @ scene.mesh.vertices
        feet = inside - scene.settings.height / 2 * np.asarray(scene.settings.up)
        world = World.build([scene.mesh])

        assert world.overlaps(scene.settings, feet).all()
        assert (world.clearance(scene.settings, feet, 0.7) < 0).all()


def test_a_small_capsule_deep_in_a_large_solid_overlaps():
    world = World.build([builders.box((-10, -10, -10), (10, 10, 10))])

    assert world.overlaps(Settings(), np.array([[1.0, 2, 3]])).all()


@EACH
@pytest.mark.parametrize("kind", shapes.SHAPES)
def test_contacts_are_places_of_the_level_at_their_distance(kind, worlds):
    random = np.random.default_rng([14, *kind.encode()])
    within = 0.3
    for _ in range(worlds):
        scene = shapes.scene(kind, random)
        feet, gaps = _places(scene, random)

        contacts = World.build([scene.mesh]).contacts(scene.settings, feet, within)

        nearest = np.full(len(feet), np.inf)
        np.minimum.at(nearest, contacts.lane, contacts.distance)
        is_plain = np.abs(gaps - within) > EXACT
        np.testing.assert_array_equal((nearest <= within)[is_plain], (gaps <= within)[is_plain])
        is_near = is_plain & (gaps < within)
        np.testing.assert_allclose(nearest[is_near], gaps[is_near], atol=EXACT)
        _assert_contacts_are_plausible(contacts, scene, feet, within)


def _assert_contacts_are_plausible(contacts, scene, feet, within):
    radius = scene.settings.radius
    assert (contacts.distance <= within + EXACT).all()
    assert (contacts.object_index == 0).all()
    np.testing.assert_allclose(np.linalg.norm(contacts.normal, axis=1), 1, atol=1e-9)
    np.testing.assert_allclose(oracle.gaps(contacts.point, 0.0, 0.0, scene.triangles), 0, atol=PLACE * radius)
    low, high = oracle.axis(feet[contacts.lane], radius, scene.settings.height, scene.settings.up)
    facing = contacts.point + (radius + contacts.distance)[:, None] * contacts.normal
    share = np.clip(((facing - low) * (high - low)).sum(1) / np.maximum(((high - low) ** 2).sum(1), 1e-12), 0, 1)
    np.testing.assert_allclose(facing, low + share[:, None] * (high - low), atol=PLACE * radius)


@pytest.mark.parametrize(
    ("feet", "expected"),
    [
        pytest.param((0, 0, 0.5), 0.5, id="over a floor"),
        pytest.param((0, 0, 0), 0.0, id="on a floor"),
        pytest.param((0, 0, -0.1), -0.1, id="deep in a floor"),
        pytest.param((30.2, 0, 0.3), np.hypot(0.2, 0.6) - 0.3, id="beyond the edge of a floor"),
        pytest.param((0, 0, 5), 1.0, id="far over a floor"),
    ],
)
def test_clearance_of_a_floor_is_the_one_of_the_drawing(feet, expected):
    world = World.build([builders.floor()])

    assert world.clearance(Settings(), np.array([feet], float), 1.0)[0] == pytest.approx(expected, abs=1e-9)
    if expected != 0:
        assert world.overlaps(Settings(), np.array([feet], float))[0] == (expected < 0)


@pytest.mark.parametrize(
    ("mesh", "feet", "is_walkable"),
    [
        pytest.param(builders.floor(), (0, 0, 0.01), True, id="floor"),
        pytest.param(builders.ramp(44.9), (4, 0, 2.2), True, id="ramp just below the slope limit"),
        pytest.param(builders.ramp(45.5), (4, 0, 2.2), False, id="ramp just above the slope limit"),
        pytest.param(builders.wall((-5, 1), (5, 1)), (0, 0.69, 1), False, id="wall"),
        pytest.param(builders.floor(z=1.85), (0, 0, 0), False, id="ceiling"),
        pytest.param(
            TriMesh(builders.floor().vertices, builders.floor().triangles, layer=Layer.OBSTACLE),
            (0, 0, 0.01),
            False,
            id="floor that never carries",
        ),
    ],
)
def test_contacts_tell_what_may_be_walked_on(mesh, feet, is_walkable):
    contacts = World.build([mesh]).contacts(Settings(), np.array([feet], float), 0.3)

    nearest = np.argmin(contacts.distance)
    assert contacts.is_walkable[nearest] == is_walkable


def test_contacts_name_the_object():
    level = [builders.floor(), builders.wall((-5, 1), (5, 1), name="wall")]
    world = World.build(level)

    contacts = world.contacts(Settings(), np.array([[0, 0.6, 0.05]]), 0.2)

    found = {world.names[i]: contacts.distance[k] for k, i in enumerate(contacts.object_index)}
    assert found == pytest.approx({"floor": 0.05, "wall": 0.1}, abs=1e-9)


def test_an_empty_level_has_no_contacts():
    world, feet = World.build([]), np.zeros((3, 3))

    assert len(world.contacts(Settings(), feet, 1.0).lane) == 0
    assert not world.overlaps(Settings(), feet).any()
    np.testing.assert_array_equal(world.clearance(Settings(), feet, 0.5), 0.5)
