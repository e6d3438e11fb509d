"""Building in stages, and again after an edit: what has changed is built, and the result is that of a fresh build."""

import time
from dataclasses import fields, is_dataclass

import numpy as np
import pytest
from builders import box, extruded, floor, hull, moved, playground, sheet, stairs, tessellated
from concave import block

from levelwalk.core import TriMesh, World, check_mesh
from levelwalk.core.batches import BATCH
from levelwalk.core.colliders.colliders import build_colliders
from levelwalk.core.geometry.features import Features


def assert_equal(one, other, path="world"):
    """Compare two worlds, or parts of them, array by array, with dtypes."""
    assert type(one) is type(other), path
    if is_dataclass(one):
        for field in fields(one):
            assert_equal(getattr(one, field.name), getattr(other, field.name), f"{path}.{field.name}")
    elif isinstance(one, np.ndarray):
        assert one.dtype == other.dtype, path
        np.testing.assert_array_equal(one, other, err_msg=path)
    elif isinstance(one, tuple):
        assert len(one) == len(other), path
        for i, (a, b) in enumerate(zip(one, other, strict=True)):
            assert_equal(a, b, f"{path}[{i}]")
    else:
        assert one == other, path


def said(mesh, **changes):
    """Return the mesh with some of its options changed."""
    names = ("name", "mode", "layer", "sides", "is_climbable", "piece_error")
    return TriMesh(mesh.vertices, mesh.triangles, **({name: getattr(mesh, name) for name in names} | changes))


MODES = ["AUTO", "AUTO", "HULL", "PARTS", "FACES", "NONE"]


def some_mesh(random, name, modes=(*MODES, "PIECES")):
    """Return one of many kinds of mesh, clean and dirty, of several loose parts or none."""
    at = random.uniform(-20, 20, 3)
    kind = random.integers(9)
    if kind == 0:
        mesh = moved(box((-1, -1, 0), random.uniform(0.5, 2, 3)), by=at)
    elif kind == 1:
        mesh = moved(stairs(int(random.integers(2, 6))), by=at)
    elif kind == 2:
        mesh = moved(hull(random.normal(size=(8, 3))), by=at)
    elif kind == 3:
        mesh = tessellated(at, (3, 0, random.uniform(-1, 1)), (0, 3, 0), size=0.5)
    elif kind == 4:
        points = random.normal(size=(12, 3))
        mesh = TriMesh(points + at, random.integers(0, 12, (9, 3)))
    elif kind == 5:
        one, two = box((0, 0, 0), (1, 1, 1)), extruded([(2, 0), (4, 0), (4, 1)])
        mesh = TriMesh(np.concatenate([one.vertices, two.vertices]) + at, [*one.triangles, *(two.triangles + 8)])
    elif kind == 6:
        mesh = moved(block([(0, 0), (3, 0), (3, 1), (1, 1), (1, 3), (0, 3)], 0, 2), by=at)
    elif kind == 7:
        mesh = sheet(at, random.normal(size=3), random.normal(size=3))
    else:
        mesh = TriMesh(np.zeros((0, 3)), np.zeros((0, 3), int))
    return said(
        mesh,
        name=name,
        mode=str(random.choice(modes)),
        layer=str(random.choice(["BOTH", "BOTH", "GROUND", "OBSTACLE", "IGNORE"])),
        sides=str(random.choice(["BOTH", "FRONT", "SOLID"])),
        is_climbable=bool(random.integers(2)),
    )


def edited(meshes, random):
    """Return the meshes after one edit."""
    meshes, at = list(meshes), int(random.integers(len(meshes)))
    kind = random.integers(8)
    if kind == 0:
        meshes.insert(at, some_mesh(random, "new"))
    elif kind == 1 and len(meshes) > 1:
        del meshes[at]
    elif kind == 2:
        meshes[at] = said(moved(meshes[at], by=random.normal(size=3)), name="moved")
    elif kind == 3:
        meshes[at] = said(meshes[at], name="renamed")
    elif kind == 4:
        meshes[at] = said(meshes[at], mode="FACES" if meshes[at].mode.value != "FACES" else "HULL")
    elif kind == 5:
        meshes = [meshes[i] for i in random.permutation(len(meshes))]
    elif kind == 6:
        meshes.insert(at, meshes[int(random.integers(len(meshes)))])
    else:
        meshes[at] = said(meshes[at], is_climbable=not meshes[at].is_climbable, layer="OBSTACLE")
    return meshes


@pytest.mark.parametrize("seed", range(6))
def test_after_any_edit_the_world_is_that_of_a_fresh_build(seed):
    random = np.random.default_rng(seed)
    meshes = [some_mesh(random, f"mesh {i}") for i in range(12)]
    world = World.build(meshes)
    for _ in range(8):
        meshes = edited(meshes, random)
        world = World.build(meshes, before=world)
        assert_equal(world, World.build(meshes))


@pytest.mark.parametrize("seed", range(4))
def test_in_batches_it_is_what_it_is_at_once(seed, monkeypatch):
    random = np.random.default_rng(seed)
    meshes = [some_mesh(random, f"mesh {i}", MODES) for i in range(20)]
    monkeypatch.setattr("levelwalk.core.batches.BATCH", 40)

    world = World.build(meshes)

    colliders, report = build_colliders(meshes)
    assert_equal(world.colliders, colliders)
    assert_equal(world.report, report)
    assert_equal(world.features, Features.find(colliders))


def test_nothing_of_what_is_the_same_is_built_again(monkeypatch):
    level = playground()
    world, asked = World.build(level), []

    def spy(meshes):
        asked.extend(mesh.name for mesh in meshes)
        return build_colliders(meshes)

    monkeypatch.setattr("levelwalk.core.batches.build_colliders", spy)
    World.build(level, before=world)
    assert asked == []
    World.build([said(mesh, name=f"new {i}") for i, mesh in enumerate(reversed(level))], before=world)
    assert asked == []
    World.build([*level[:2], moved(level[2], by=(1, 0, 0)), *level[3:]], before=world)
    assert asked == [level[2].name]


def test_from_an_empty_level_and_back():
    empty = World.build([])

    assert_equal(World.build([floor()], before=empty), World.build([floor()]))
    assert_equal(World.build([], before=World.build([floor()])), empty)


def test_a_change_in_place_is_noticed():
    """Blender's arrays are read anew; a script may write into its own."""
    mesh = floor()
    world = World.build([mesh])
    mesh.vertices[:, 2] += 1

    assert World.build([mesh], before=world).bounds[0, 2] == 1


def test_stages_tell_the_share_that_is_done():
    meshes = [moved(tessellated((0, 0, 0), (8, 0, 0), (0, 8, 0)), by=(9 * i, 0, 0)) for i in range(30)]
    count = sum(len(mesh.triangles) for mesh in meshes)
    stages = World.build_stages(meshes)
    shares = []
    while True:
        try:
            shares.append(next(stages))
        except StopIteration as end:
            world = end.value
            break

    assert len(shares) > 2 * count / BATCH
    assert shares == sorted(shares)
    assert 0 <= shares[0] <= shares[-1] <= 1
    assert_equal(world, World.build(meshes))


def test_a_build_can_be_given_up():
    stages = World.build_stages([floor()])
    next(stages)

    stages.close()

    assert len(World.build([floor()]).colliders) == 1


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (TriMesh([(0, 0, 0), (1, 0, 0), (0, np.nan, 0)], [(0, 1, 2)], "hole"), "hole: vertex 2 is at"),
        (TriMesh([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 3)], "loose"), "loose: triangle 0 uses vertex 3"),
    ],
)
def test_a_bad_mesh_is_named_and_can_be_left_out(bad, message):
    with pytest.raises(ValueError, match=message):
        check_mesh(bad)
    with pytest.raises(ValueError, match=message):
        World.build([floor(), bad])
    check_mesh(floor())
    check_mesh(replace_unused(floor()))


def replace_unused(mesh):
    """Return the mesh with a vertex at no place that no triangle uses."""
    return TriMesh(np.concatenate([mesh.vertices, [(np.nan, 0, 0)]]), mesh.triangles)


def test_moving_one_of_many_objects_costs_a_small_part():
    """Of 300 objects one is moved: less than half of a build, measured best of three, on a machine that is shared."""
    random = np.random.default_rng(2)
    meshes = [
        moved(tessellated((0, 0, 0), (3, 0, 0.5), (0, 3, 0)), by=(*random.uniform(-100, 100, 2), i)) for i in range(300)
    ]
    world = World.build(meshes)
    meshes[150] = moved(meshes[150], by=(0, 0, 0.1))

    def seconds(before):
        taken = []
        for _ in range(3):
            began = time.perf_counter()
            World.build(meshes, before=before)
            taken.append(time.perf_counter() - began)
        return min(taken)

    assert seconds(world) < 0.5 * seconds(None)
