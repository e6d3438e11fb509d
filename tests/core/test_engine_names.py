"""Names that engines understand: which objects they are about, and what they make of them."""

import pytest

from levelwalk.core import ColliderMode
from levelwalk.core.engine_names import NameReading, base_name, is_collision_shape, is_imported, read_names, stem_of

HULL, FACES = NameReading(ColliderMode.HULL), NameReading(ColliderMode.FACES)


@pytest.mark.parametrize("prefix", ["UCX_", "UBX_", "UCP_", "USP_"])
@pytest.mark.parametrize(
    ("mesh", "shape"),
    [
        ("Crate", "Crate"),
        ("Crate", "Crate_01"),
        ("Crate", "Crate_1"),
        ("Crate_01", "Crate_01"),
        ("Crate_01", "Crate_01_02"),
        ("Crate", "Crate.001"),
        ("Crate", "Crate_01.002"),
        ("Crate.001", "Crate.001"),
        ("Crate.001", "Crate.001_01"),
        ("Crate.001", "Crate_01.001"),
        ("SM_Wall_Long", "SM_Wall_Long_12"),
    ],
)
def test_a_shape_stands_for_the_mesh_that_it_is_named_after(prefix, mesh, shape):
    readings = read_names([mesh, prefix + shape, "Other"])

    assert readings == {
        prefix + shape: HULL,
        mesh: NameReading(left_out=f"its collision shape “{prefix + shape}” stands for it"),
    }


def test_the_nearest_name_is_the_mesh():
    readings = read_names(["Crate", "Crate_01", "Crate.001", "UCX_Crate_01", "UCX_Crate.001"])

    assert {name for name, reading in readings.items() if reading.left_out} == {"Crate_01", "Crate.001"}


def test_several_shapes_stand_for_one_mesh():
    readings = read_names(["Arch", "UCX_Arch_01", "UBX_Arch_02", "UCX_Arch_03"])

    assert readings["Arch"].left_out == "its 3 collision shapes “UCX_Arch_01” … stand for it"
    assert [readings[name] for name in ("UCX_Arch_01", "UBX_Arch_02", "UCX_Arch_03")] == [HULL] * 3


@pytest.mark.parametrize("shape", ["UCX_Gone", "UCX_crate", "UCX_Crate_a"])
def test_a_shape_without_its_mesh_counts_and_is_noted(shape):
    readings = read_names(["Crate", shape])

    assert readings[shape].mode is ColliderMode.HULL
    assert f"no “{shape[4:]}”" in readings[shape].note
    assert "Crate" not in readings


def test_a_shape_is_no_mesh_of_another_shape():
    readings = read_names(["UCX_Crate", "UCX_UCX_Crate"])

    assert not any(reading.left_out for reading in readings.values())


@pytest.mark.parametrize("name", ["ucx_Crate", "UCXCrate", "MyUCX_Crate", "Crate_UCX"])
def test_what_only_looks_like_a_prefix_means_nothing(name):
    assert read_names(["Crate", name]) == {}


@pytest.mark.parametrize("separator", ["-", "_", "$"])
@pytest.mark.parametrize("ending", ["", ".001", "_01", "2", " 3"])
@pytest.mark.parametrize(
    ("suffix", "expected"),
    [
        ("col", FACES),
        ("convcol", HULL),
        ("colonly", FACES),
        ("convcolonly", HULL),
        ("rigid", HULL),
        ("CoLoNLy", FACES),
    ],
)
def test_a_suffix_says_what_a_mesh_becomes(separator, suffix, ending, expected):
    name = f"Wall{separator}{suffix}{ending}"

    assert read_names([name, "Wall"]) == {name: expected}


@pytest.mark.parametrize("name", ["Sketch-noimp", "Sketch_NOIMP.003", "Sketch$noimp high"])
def test_what_godot_does_not_import_is_left_out(name):
    assert read_names([name]) == {name: NameReading(left_out="Godot does not import it, by its name")}
    assert not is_imported(name)


@pytest.mark.parametrize(("name", "what"), [("Ground-navmesh", "navigation mesh"), ("Wall-occonly", "occluder")])
def test_what_nobody_collides_with_in_godot_is_left_out(name, what):
    assert what in read_names([name])[name].left_out


@pytest.mark.parametrize(
    "name", ["Protocol", "Wall-occ", "col", "Wall-column", "Wall col", "Wall.col", "Wall-colonlyx"]
)
def test_other_names_mean_nothing(name):
    assert read_names([name]) == {}
    assert not is_collision_shape(name)
    assert is_imported(name)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("UCX_Crate", True),
        ("USP_Crate_01", True),
        ("Wall-colonly", True),
        ("Wall-convcolonly.001", True),
        ("Wall-col", False),
        ("Wall-convcol", False),
        ("Wall-rigid", False),
    ],
)
def test_shapes_are_those_that_the_game_does_not_show(name, expected):
    assert is_collision_shape(name) == expected


def test_a_decided_object_is_what_its_user_says():
    names = ["Crate", "UCX_Crate", "Wall-noimp", "Door-col"]

    assert read_names(names, decided=names) == {}
    assert set(read_names(names, decided=["UCX_Crate"])) == {
        "Crate",
        "Wall-noimp",
        "Door-col",
    }  # it still stands for it
    assert set(read_names(names, decided=["Crate"])) == {"UCX_Crate", "Wall-noimp", "Door-col"}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Crate", "Crate"),
        ("Protocol", "Protocol"),
        ("UCX_Crate", "Crate"),
        ("UCX_Crate_01", "Crate"),
        ("USP_Crate_01.002", "Crate"),
        ("UCX_Crate_07_01", "Crate_07"),  # a mesh of that name is there
        ("UCX_UCX_Crate_01_00", "Crate"),
        ("UCX_Gone", "Gone"),
        ("UCX_Gone_01", "Gone"),
        ("UCX_Hut-col", "Hut"),
        ("UCX_", "UCX_"),
        ("Hut-col", "Hut"),
        ("Hut-col.001", "Hut.001"),
        ("Hut_ConvCol", "Hut"),
        ("Hut-rigid", "Hut"),
        ("Hut$colonly high", "Hut high"),
        ("Sketch$noimp-colonly", "Sketch"),
        ("Ground-navmesh", "Ground"),
        ("Hut-column", "Hut-column"),
        ("Crate-convcolonly.001", "Crate"),
        ("Crate_00-convcolonly", "Crate"),
        ("Crate_07-convcolonly", "Crate_07"),
        ("Gone_01-colonly", "Gone_01"),
        ("-col", "-col"),
    ],
)
def test_the_base_of_a_name_is_what_importers_read_nothing_in(name, expected):
    assert base_name(name, {"Crate", "Crate_07", "UCX_Crate_01"}) == expected


@pytest.mark.parametrize("mesh", ["Crate", "Crate.001", "Crate_01", "Crate_01.001"])
@pytest.mark.parametrize("shape", ["UCX_Crate", "UBX_Crate_01", "UCX_Crate.001", "UCP_Crate_01.001"])
def test_a_mesh_and_its_shapes_have_one_stem(mesh, shape):
    assert stem_of(mesh) == stem_of(shape) == "Crate"
