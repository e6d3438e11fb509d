"""Collision shapes that are hidden in kits of kits: instances of collections that hold instances themselves."""

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")
from blender.scenes import add_collection, add_cube, add_instance, level  # noqa: E402

from levelwalk.operators.built_level import build_level, is_stale  # noqa: E402
from levelwalk.operators.kits import HiddenShapes, kits_of  # noqa: E402


def moved(x, y, z):
    matrix = np.eye(4)
    matrix[:3, 3] = x, y, z
    return matrix


def turned(angle):
    """Return the turn about Z by an angle, radians."""
    matrix = np.eye(4)
    matrix[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    return matrix


def scaled(x, y, z):
    return np.diag([x, y, z, 1.0])


def centre(*matrices):
    """Return where a chain of matrices puts the origin."""
    return np.linalg.multi_dot([*matrices, np.eye(4)])[:3, 3]


def centres(name):
    """Return the centres (k, 3) of the level's meshes of a name, in the order of their coordinates."""
    found = [mesh.vertices.mean(axis=0) for mesh in level().meshes if mesh.name == name]
    return np.array(sorted(found, key=lambda point: point.round(3).tolist())).reshape(-1, 3)


def names():
    return sorted(mesh.name for mesh in level().meshes)


@pytest.fixture
def room(scene):
    """Return a kit of a crate and its shape, which is hidden; no object of it is in the scene."""
    kit = bpy.data.collections.new("Room")
    kit.instance_offset = (0, 0, 1)
    add_cube("Crate", location=(1, 0, 1), collection=kit)
    add_cube("UCX_Crate", location=(2, 0, 1), collection=kit).hide_viewport = True
    return kit


@pytest.fixture
def hall(room):
    """Return a kit that shows the room."""
    kit = bpy.data.collections.new("Hall")
    kit.instance_offset = (1, 0, 0)
    add_instance("Inner", room, kit)
    return kit


def test_a_hidden_shape_stands_for_its_mesh_where_the_instances_put_it(scene, hall):
    inner = bpy.data.objects["Inner"]
    inner.location, inner.rotation_euler.z, inner.scale = (0, 5, 0), 0.5, (1, 3, 1)
    outer = add_instance("Outer", hall)
    outer.location, outer.rotation_euler.z, outer.scale = (7, 0, 2), -1.2, (1, 2, -1)

    in_room = moved(0, 0, -1) @ moved(2, 0, 1)
    in_hall = moved(-1, 0, 0) @ moved(0, 5, 0) @ turned(0.5) @ scaled(1, 3, 1) @ in_room
    in_scene = moved(7, 0, 2) @ turned(-1.2) @ scaled(1, 2, -1) @ in_hall
    assert names() == ["UCX_Crate in Outer"]
    np.testing.assert_allclose(centres("UCX_Crate in Outer"), [in_scene[:3, 3]], atol=1e-5)
    corner = (in_scene @ [1, 1, 1, 1])[:3]
    assert np.abs(level().meshes[0].vertices - corner).max(axis=1).min() < 1e-5
    np.testing.assert_allclose(level().places[0], in_scene, atol=1e-5)


def test_a_hidden_shape_counts_three_kits_deep(scene, hall):
    street = bpy.data.collections.new("Street")
    add_instance("House", hall, street).location = (0, 0, 10)
    add_instance("Outer", street).location = (100, 0, 0)

    # 100 and 0 and -1 and 2 in X; 10 and 0 in Z.
    np.testing.assert_allclose(centres("UCX_Crate in Outer"), [(101, 0, 10)], atol=1e-5)
    assert names() == ["UCX_Crate in Outer"]


def test_a_hidden_shape_is_at_every_place_of_its_kit(scene, room, hall):
    bpy.data.objects["Inner"].location.y = -5
    add_instance("Inner too", room, hall).location.y = 5
    for name, x in (("Left", -50), ("Right", 50)):
        add_instance(name, hall).location.x = x
    add_instance("Alone", room)

    for name, x in (("Left", -50), ("Right", 50)):
        np.testing.assert_allclose(centres(f"UCX_Crate in {name}"), [(x + 1, -5, 0), (x + 1, 5, 0)], atol=1e-5)
    np.testing.assert_allclose(centres("UCX_Crate in Alone"), [(2, 0, 0)], atol=1e-6)
    assert names() == ["UCX_Crate in Alone"] + ["UCX_Crate in Left"] * 2 + ["UCX_Crate in Right"] * 2


def strew(random, ob):
    """Put an object somewhere, turned and stretched, now and then mirrored."""
    ob.location, ob.rotation_euler = random.uniform(-9, 9, 3), random.uniform(-3, 3, 3)
    ob.scale = random.uniform(0.5, 2, 3) * random.choice([-1, 1, 1, 1])


@pytest.mark.parametrize("seed", range(5))
def test_hidden_shapes_are_where_blender_shows_them_when_they_are_not_hidden(scene, seed):
    random = np.random.default_rng(seed)
    kits = [bpy.data.collections.new(f"Kit {i}") for i in range(5)]
    for i, kit in enumerate(kits):
        kit.instance_offset = random.uniform(-5, 5, 3)
        strew(random, add_cube(f"UCX_{i}", collection=kit))
        for j, inner in enumerate(random.choice(kits[:i], 2) if i else []):
            instancer = add_instance(f"Instancer {i} {j}", inner, kit)
            strew(random, instancer)
            instancer.show_instancer_for_viewport = random.random() < 0.8
            instancer.hide_viewport = random.random() < 0.2
            if random.random() < 0.5:
                instancer.parent = bpy.data.objects[f"UCX_{i}"]
    for j in range(3):
        strew(random, add_instance(f"Outer {j}", random.choice(kits[2:])))

    def places():
        read = level()
        found = [(mesh.name, *place[:3].ravel()) for mesh, place in zip(read.meshes, read.places, strict=True)]
        found.sort(key=lambda row: (row[0], np.round(row[1:], 2).tolist()))
        return [row[0] for row in found], np.array([row[1:] for row in found])

    shown = places()
    for i in range(len(kits)):
        bpy.data.objects[f"UCX_{i}"].hide_viewport = True
    hidden = places()

    assert len(shown[0]) > 5
    assert hidden[0] == shown[0]
    np.testing.assert_allclose(hidden[1], shown[1], atol=2e-3)


def test_parents_count_in_a_kit_of_kits(scene, room, hall):
    crate, shape, inner = (bpy.data.objects[name] for name in ("Crate", "UCX_Crate", "Inner"))
    shape.parent, shape.location = crate, (0, 0, 4)
    base = add_cube("Base", location=(0, 20, 0), collection=hall)
    base.hide_viewport = True
    inner.parent, inner.location = base, (0, 3, 0)
    add_instance("Outer", hall)

    # In the room at (1, 0, 5) - (0, 0, 1), in the hall at (0, 23, 0) - (1, 0, 0).
    np.testing.assert_allclose(centres("UCX_Crate in Outer"), [(0, 23, 4)], atol=1e-5)


@pytest.mark.parametrize("suffix", ["-colonly", "-convcolonly"])
def test_shapes_for_godot_count_beside_the_mesh(scene, room, hall, suffix):
    bpy.data.objects["UCX_Crate"].name = f"Crate{suffix}"
    add_instance("Outer", hall)

    assert names() == ["Crate in Outer", f"Crate{suffix} in Outer"]


def of_the_object(ob, kit):
    ob.hide_viewport = True


def of_its_collection(ob, kit):
    below = bpy.data.collections.new("Below")
    kit.children.link(below)
    below.objects.link(ob)
    kit.objects.unlink(ob)
    below.hide_viewport = True


def of_a_collection_above(ob, kit):
    of_its_collection(ob, kit)
    below = kit.children["Below"]
    above = bpy.data.collections.new("Above")
    kit.children.unlink(below)
    kit.children.link(above)
    above.children.link(below)
    below.hide_viewport, above.hide_viewport = False, True


WAYS_TO_HIDE = pytest.mark.parametrize("hide", [of_the_object, of_its_collection, of_a_collection_above])


@WAYS_TO_HIDE
def test_a_shape_counts_however_it_is_hidden(scene, room, hall, hide):
    shape = bpy.data.objects["UCX_Crate"]
    shape.hide_viewport = False
    hide(shape, room)
    add_instance("Outer", hall)

    assert names() == ["UCX_Crate in Outer"]
    np.testing.assert_allclose(centres("UCX_Crate in Outer"), [(1, 0, 0)], atol=1e-5)


@WAYS_TO_HIDE
def test_an_instancer_that_is_hidden_shows_no_shapes(scene, floor, hall, hide):
    hide(bpy.data.objects["Inner"], hall)
    add_instance("Outer", hall)

    assert names() == ["Floor"]


def test_an_instancer_in_a_hidden_and_in_a_shown_collection_is_shown_once(scene, hall):
    for name in ("Hidden", "Shown"):
        below = bpy.data.collections.new(name)
        hall.children.link(below)
        below.objects.link(bpy.data.objects["Inner"])
        below.hide_viewport = name == "Hidden"
    hall.objects.unlink(bpy.data.objects["Inner"])
    add_instance("Outer", hall)

    assert names() == ["UCX_Crate in Outer"]


def test_a_hidden_outer_instancer_shows_no_shapes(scene, floor, hall):
    add_instance("Outer", hall).hide_viewport = True
    add_instance("Other", hall).hide_set(True)

    assert names() == ["Floor"]


def test_an_instancer_that_is_not_drawn_itself_shows_its_shapes(scene, hall):
    bpy.data.objects["Inner"].show_instancer_for_viewport = False
    add_instance("Outer", hall)
    add_instance("Other", hall).show_instancer_for_viewport = False

    assert names() == ["UCX_Crate in Other", "UCX_Crate in Outer"]


def test_a_shape_that_one_kit_shows_and_another_hides_is_at_both_places(scene, room, hall):
    shown = bpy.data.collections.new("Shown")
    hidden = bpy.data.collections.new("Hidden")
    room.children.link(hidden)
    shape = bpy.data.objects["UCX_Crate"]
    shape.hide_viewport, hidden.hide_viewport = False, True
    for kit in (shown, hidden):
        kit.objects.link(shape)
    room.objects.unlink(shape)
    add_instance("Beside", shown, hall).location.y = 10
    add_instance("Outer", hall)

    np.testing.assert_allclose(centres("UCX_Crate in Outer"), [(1, 0, 0), (1, 10, 1)], atol=1e-5)


def refuse_shape(room, hall):
    bpy.data.objects["UCX_Crate"].levelwalk.collider = "NONE"


def ignore_shape(room, hall):
    bpy.data.objects["UCX_Crate"].levelwalk.layer = "IGNORE"


def ignore_its_collection(room, hall):
    of_its_collection(bpy.data.objects["UCX_Crate"], room)
    room.children["Below"].levelwalk.is_ignored = True


@pytest.mark.parametrize("refuse", [refuse_shape, ignore_shape, ignore_its_collection])
def test_a_shape_that_is_refused_stands_for_nothing(scene, room, hall, refuse):
    refuse(room, hall)
    add_instance("Outer", hall)

    assert names() == ["Crate in Outer"]


def ignore_inner_kit(room, hall):
    room.levelwalk.is_ignored = True


def ignore_outer_kit(room, hall):
    """All that is in it is ignored, and so is the instancer of the room."""
    hall.levelwalk.is_ignored = True


def ignore_inner_instancer(room, hall):
    helpers = bpy.data.collections.new("Helpers")
    hall.children.link(helpers)
    helpers.objects.link(bpy.data.objects["Inner"])
    helpers.levelwalk.is_ignored = True


def ignore_outer_instancer(room, hall):
    helpers = add_collection("Helpers")
    helpers.objects.link(bpy.data.objects["Outer"])
    helpers.levelwalk.is_ignored = True


def ignore_instancer_between(room, hall):
    """The ignored instancer shows the hall, and that the room."""
    street, helpers = bpy.data.collections.new("Street"), bpy.data.collections.new("Helpers")
    street.children.link(helpers)
    add_instance("House", hall, helpers)
    helpers.levelwalk.is_ignored = True
    bpy.data.objects["Outer"].instance_collection = street


IGNORES = [
    ignore_inner_kit,
    ignore_outer_kit,
    ignore_inner_instancer,
    ignore_outer_instancer,
    ignore_instancer_between,
]


@pytest.mark.parametrize("is_hidden", [True, False])
@pytest.mark.parametrize("ignore", IGNORES)
def test_nothing_of_an_ignored_kit_or_instancer_counts(scene, floor, room, hall, ignore, is_hidden):
    bpy.data.objects["UCX_Crate"].hide_viewport = is_hidden
    add_instance("Outer", hall)
    ignore(room, hall)

    read = level()

    assert [mesh.name for mesh in read.meshes] == ["Floor"]
    assert {entry.name for entry in read.left_out} >= {"Crate in Outer"}
    assert all(entry.reason.endswith("” is ignored") for entry in read.left_out)


def test_an_ignored_instancer_leaves_others_of_its_kit_alone(scene, room, hall):
    add_instance("Inner too", room, hall).location.y = 5
    ignore_inner_instancer(room, hall)
    add_instance("Outer", hall)

    assert names() == ["UCX_Crate in Outer"]
    np.testing.assert_allclose(centres("UCX_Crate in Outer"), [(1, 5, 0)], atol=1e-5)
    bpy.data.objects["UCX_Crate"].name = "Other"
    assert names() == ["Crate in Outer"]
    np.testing.assert_allclose(centres("Crate in Outer"), [(0, 5, 0)], atol=1e-5)


def test_a_kit_that_is_hidden_as_a_collection_shows_nothing(scene, floor, room, hall):
    room.hide_viewport = True
    add_instance("Outer", hall)
    depsgraph = bpy.context.evaluated_depsgraph_get()

    assert "Crate" not in [row.object.name for row in depsgraph.object_instances]
    assert names() == ["Floor"]


def test_an_instancer_that_has_no_collection_yet_shows_nothing(scene, floor, hall):
    bpy.data.objects["Inner"].instance_collection = None
    add_instance("Outer", hall)
    add_instance("New", None)

    assert names() == ["Floor"]


def test_the_search_ends_where_kits_show_each_other(scene):
    odd, even = bpy.data.collections.new("Odd"), bpy.data.collections.new("Even")
    first = add_instance("First", odd, even)  # in no scene: Blender cannot show it
    add_instance("Second", even, odd)
    add_cube("UCX_Crate", collection=odd).hide_viewport = True
    add_cube("UCX_Other", collection=even).hide_viewport = True
    shapes = HiddenShapes(bpy.context.evaluated_depsgraph_get(), lambda ob: False)

    assert kits_of([first]) == [odd, even]
    assert {source.name for source, _ in shapes.shown_by(first)} == {"UCX_Crate", "UCX_Other"}


def test_of_a_chosen_collection_the_kits_count_and_no_others(scene, hall):
    chosen = add_collection("Level")
    add_instance("Inside", hall, chosen)
    add_instance("Outside", hall)
    scene.levelwalk.level = chosen

    assert names() == ["UCX_Crate in Inside"]


def test_without_engine_names_what_is_hidden_stays_hidden(scene, hall):
    add_instance("Outer", hall)
    scene.levelwalk.use_engine_names = False

    assert names() == ["Crate in Outer"]


def test_the_colliders_are_those_of_the_hidden_shapes(scene, room, hall):
    add_instance("Inner too", room, hall).location.y = 5
    add_instance("Outer", hall)

    built = build_level(bpy.context)

    assert built.summary.startswith("2 hulls and 0 faces from 2 objects")
    corners = built.world.colliders.vertices
    np.testing.assert_allclose([corners.min(axis=0), corners.max(axis=0)], [(0, -1, -1), (2, 6, 1)], atol=1e-5)


def rename(room):
    bpy.data.objects["UCX_Crate"].name = "Other"


def rename_mesh(room):
    bpy.data.objects["Crate"].name = "Other"


def hide_instancer(room):
    bpy.data.objects["Inner"].hide_viewport = True


def hide_collection(room):
    bpy.data.collections["Hall"].children["Part"].hide_viewport = True


def take_out(room):
    room.objects.unlink(bpy.data.objects["UCX_Crate"])


def show_another(room):
    bpy.data.objects["Inner"].instance_collection = bpy.data.collections["Hut"]


def show_nothing(room):
    bpy.data.objects["Inner"].instance_type = "NONE"


def shift(room):
    room.instance_offset = (0, 0, 3)


CHANGES = [rename, rename_mesh, hide_instancer, hide_collection, take_out, show_another, show_nothing, shift]


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_in_a_kit_of_a_kit_makes_the_level_stale(scene, floor, room, hall, change):
    part, hut = bpy.data.collections.new("Part"), bpy.data.collections.new("Hut")
    hall.children.link(part)
    add_cube("Step", collection=part)
    for name in ("Crate", "UCX_Crate"):
        hut.objects.link(bpy.data.objects[name])
    add_instance("Outer", hall)
    bpy.context.view_layer.update()
    before = names()
    build_level(bpy.context)
    bpy.context.view_layer.update()
    assert not is_stale()

    change(room)
    bpy.context.view_layer.update()

    assert is_stale(), before


def test_a_shape_of_a_kit_of_a_kit_may_be_shown_and_hidden(scene, floor, hall):
    add_instance("Outer", hall)
    build_level(bpy.context)

    for is_hidden in (False, True):
        bpy.data.objects["UCX_Crate"].hide_viewport = is_hidden
        assert names() == ["Floor", "UCX_Crate in Outer"]
