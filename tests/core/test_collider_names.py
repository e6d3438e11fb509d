"""Names of colliders for game engines."""

import pytest

from levelwalk.core.collider_names import Engine, is_shape_for, name_colliders, named_after
from levelwalk.core.engine_names import read_names
from levelwalk.core.mesh import ColliderMode

LONG = 255  # bytes


@pytest.mark.parametrize(
    ("engine", "expected"),
    [
        (Engine.UNREAL, ["UCX_Wall_00", "UCX_Wall_01", "Wall_Collision", "UCX_Rock.001_00"]),
        (Engine.GODOT, ["Wall_00-convcolonly", "Wall_01-convcolonly", "Wall-colonly", "Rock.001_00-convcolonly"]),
        (Engine.UNITY, ["Wall_Collider_00", "Wall_Collider_01", "Wall_Collider_02", "Rock.001_Collider_00"]),
        (Engine.PLAIN, ["Wall_Hull_00", "Wall_Hull_01", "Wall_Faces", "Rock.001_Hull_00"]),
    ],
    ids=lambda value: value.name if isinstance(value, Engine) else "",
)
def test_hulls_are_numbered_and_faces_are_not(engine, expected):
    names = name_colliders(["Wall", "Wall", "Wall", "Rock.001"], [True, True, False, True], engine, (), LONG)

    assert names == expected


@pytest.mark.parametrize(
    ("engine", "expected"),
    [
        (Engine.UNREAL, "Wall_Collision_01"),
        (Engine.GODOT, "Wall_01-colonly"),
        (Engine.UNITY, "Wall_Collider_01"),
        (Engine.PLAIN, "Wall_Faces_01"),
    ],
)
def test_more_faces_of_the_same_name_are_numbered_before_the_suffix(engine, expected):
    assert name_colliders(["Wall", "Wall"], [False, False], engine, (), LONG)[1] == expected


def test_names_that_others_have_are_passed_over():
    taken = {"UCX_Wall_00", "UCX_Wall_02"}

    assert name_colliders(["Wall"] * 3, [True] * 3, Engine.UNREAL, taken, LONG) == [
        "UCX_Wall_01",
        "UCX_Wall_03",
        "UCX_Wall_04",
    ]


def test_an_object_with_the_name_of_a_numbered_collider_does_not_disturb():
    names = name_colliders(["A", "A_Collision", "A"], [False] * 3, Engine.UNREAL, {"A", "A_Collision"}, LONG)

    assert names == ["A_Collision_01", "A_Collision_Collision", "A_Collision_02"]


def test_a_hundred_hulls_go_on_with_three_digits():
    names = name_colliders(["A"] * 101, [True] * 101, Engine.UNREAL, (), LONG)

    assert names[99:] == ["UCX_A_99", "UCX_A_100"]
    assert len(set(names)) == 101


@pytest.mark.parametrize("engine", list(Engine))
@pytest.mark.parametrize("owner", ["x" * 63, "é" * 31, "x" + "語" * 20], ids=["ascii", "two bytes", "three bytes"])
def test_long_names_are_cut_and_stay_different(engine, owner):
    others = [owner[:-1] + "y", owner[:-2] + "zz"]  # the same once they are cut
    names = name_colliders([owner, owner, *others], [True, False, True, False], engine, (), 63)

    assert len(set(names)) == 4
    for name in names:
        assert 55 < len(name.encode()) <= 63
        assert not name.endswith("\ufffd")
    if engine is Engine.GODOT:
        assert all(name.endswith(("-convcolonly", "-colonly")) for name in names)
    if engine is Engine.UNREAL:
        assert [name.startswith("UCX_") for name in names] == [True, False, True, False]


def test_a_name_that_just_fits_is_not_cut():
    owner = "x" * (63 - len("UCX__00"))

    assert name_colliders([owner], [True], Engine.UNREAL, (), 63) == [f"UCX_{owner}_00"]
    assert name_colliders([owner + "x"], [True], Engine.UNREAL, (), 63) == [f"UCX_{owner}_00"]


def test_the_extension_itself_reads_the_names_as_the_engines_do():
    convex, faces = name_colliders(["Wall", "Wall"], [True, False], Engine.GODOT, (), LONG)
    readings = read_names([convex, faces], set())
    assert (readings[convex].mode, readings[faces].mode) == (ColliderMode.HULL, ColliderMode.FACES)

    shape, *_ = name_colliders(["Wall"], [True], Engine.UNREAL, (), LONG)
    readings = read_names(["Wall", shape], set())
    assert readings[shape].mode is ColliderMode.HULL
    assert readings["Wall"].left_out


HAND_MADE = ["Table", "UCX_Table_01", "Hut-col", "Arch-convcol", "Rail", "Rail-convcolonly", "UBX_Gone_02"]


@pytest.mark.parametrize(
    ("engine", "expected"),
    [
        (Engine.UNREAL, {"UCX_Table_01", "UBX_Gone_02"}),
        (Engine.GODOT, {"Hut-col", "Arch-convcol", "Rail-convcolonly"}),
        (Engine.UNITY, set()),
        (Engine.PLAIN, set()),
    ],
)
def test_what_the_engine_takes_for_a_shape_by_its_name_is_one(engine, expected):
    assert {name for name in HAND_MADE if is_shape_for(name, engine)} == expected


@pytest.mark.parametrize("engine", list(Engine))
@pytest.mark.parametrize("is_convex", [True, False])
@pytest.mark.parametrize(
    ("owner", "base"), [("UCX_Table_01", "Table"), ("Rail-convcolonly", "Rail"), ("UBX_Gone_02", "Gone")]
)
def test_a_collider_of_a_hand_made_shape_is_named_after_its_mesh(engine, is_convex, owner, base):
    assert named_after(owner, is_convex, engine, HAND_MADE) == base


@pytest.mark.parametrize(
    ("owner", "engine", "is_convex", "base"),
    [
        ("Hut-col", Engine.UNREAL, False, "Hut"),
        ("Hut-col", Engine.UNITY, False, "Hut"),
        ("Arch-convcol", Engine.PLAIN, True, "Arch"),
        ("Arch-convcol", Engine.UNREAL, True, "Arch-convcol"),  # Unreal looks for a mesh of that whole name
    ],
)
def test_a_collider_of_a_mesh_that_is_seen_has_its_base_name_where_the_engine_does_not_match(
    owner, engine, is_convex, base
):
    assert named_after(owner, is_convex, engine, HAND_MADE) == base
