"""OBJ files become meshes: axes, units, polygons, relative indices, and lines that cannot be read."""

import numpy as np
import pytest

from levelwalk.tools.levels import read_obj


@pytest.fixture
def obj(tmp_path):
    def write(text):
        file = tmp_path / "level.obj"
        file.write_text(text)
        return file

    return write


def test_y_up_becomes_z_up(obj):
    mesh = read_obj(obj("v 1 2 3\n"))

    np.testing.assert_array_equal(mesh.vertices, [[1, -3, 2]])
    assert mesh.name == "level"


def test_a_scale_makes_metres(obj):
    np.testing.assert_array_equal(read_obj(obj("v 8 16 -24\n"), scale=0.125).vertices, [[1, 3, 2]])


def test_polygons_become_fans(obj):
    mesh = read_obj(obj("v 0 0 0\n" * 5 + "f 1/1 2/7 3//4 4/1/1 5\n"))

    assert mesh.triangles.tolist() == [[0, 1, 2], [0, 2, 3], [0, 3, 4]]


def test_negative_indices_count_from_the_newest_vertex(obj):
    mesh = read_obj(obj("v 0 0 0\n" * 4 + "f -1 -2 -3\nv 0 0 0\nf -1 -2 -3\n"))

    assert mesh.triangles.tolist() == [[3, 2, 1], [4, 3, 2]]


def test_other_lines_are_passed_over(obj):
    mesh = read_obj(obj("# made by hand\nmtllib a.mtl\n\nv 0 0 0\nvn 0 0 1\nvt 0 0\ns off\n"))

    assert mesh.vertices.shape == (1, 3)
    assert mesh.triangles.shape == (0, 3)


@pytest.mark.parametrize("line", ["v 1 2", "v one 2 3", "f 1 2 x"])
def test_a_line_that_cannot_be_read_is_named(obj, line):
    with pytest.raises(ValueError, match=r"level\.obj, line 2"):
        read_obj(obj(f"v 0 0 0\n{line}\n"))
