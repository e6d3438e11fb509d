"""What is advised where a mesh has no area as a whole: because it is flat, or because it is too far away."""

import builders
import numpy as np
import pytest

from levelwalk.core import TriMesh, World

BOX = builders.box((-1, -1, -1), (1, 1, 1), "crate")
NEEDLE = [(0, 0, 0), (0, 0, 0), (0, 0, 1)]


def with_needle(mesh, move=(0, 0, 0)):
    """Return the mesh moved, with a triangle without area in it."""
    vertices = np.concatenate([mesh.vertices, NEEDLE]) + move
    count = len(mesh.vertices)
    return TriMesh(vertices, [*mesh.triangles, (count, count + 1, count + 2)], mesh.name)


def told(mesh):
    return World.build([mesh]).report.objects[0]


def test_the_triangles_of_a_shape_with_a_size_can_be_dissolved():
    (line,) = told(with_needle(BOX)).lines()

    assert line == "crate: dropped 1 triangle without area; in a mesh, “Degenerate Dissolve” is rid of it"


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("scale", [0.0, 1e-8])
def test_what_is_flat_is_said_to_be_flat(axis, scale):
    size = np.ones(3)
    size[axis] = scale

    entry = told(TriMesh(BOX.vertices * size, BOX.triangles, "crate"))

    assert entry.dropped_zero_area == 8
    assert all("the object is flat: give it a thickness, if it is to have one" in line for line in entry.lines())


def test_a_line_is_left_out_and_said_to_be_flat():
    entry = told(TriMesh(BOX.vertices * [1, 0, 0], BOX.triangles, "crate"))

    assert entry.reason == "none of its triangles has an area"
    assert "the object is flat" in entry.lines()[1]


@pytest.mark.parametrize("move", [(1e20, 0, 0), (0, -1e20, 1e19), (0, 0, 1e60)])
def test_what_is_too_far_away_is_said_to_be(move):
    distance = f"{max(np.abs(move)):.3g} m"

    entry = told(builders.moved(BOX, move))

    assert entry.reason == f"it is {distance} from the origin, too far for numbers to hold its size"
    assert all("move the object nearer to the origin" in line for line in entry.lines()[1:])


@pytest.mark.parametrize(
    ("distance", "is_single", "is_too_far"),
    [
        pytest.param(2.0**23 - 8, True, False, id="single precision, in steps of 0.5 m"),
        pytest.param(2.0**23 + 8, True, True, id="in steps of 1 m"),
        pytest.param(2.0**51 - 8, False, False, id="double precision, in steps of 0.25 m"),
        pytest.param(2.0**52 + 8, False, True, id="in steps of 1 m"),
    ],
)
def test_is_too_far_from_where_a_quarter_of_the_size_is_rounded(distance, is_single, is_too_far):
    mesh = with_needle(BOX, (distance, 0, 0))
    assert (mesh.vertices == mesh.vertices.astype(np.float32)).all() == is_single

    lines = told(mesh).lines()

    text = f"move the object nearer to the origin: {distance + 1:,.0f} m away" if is_single else "from the origin"
    assert any(text in line for line in lines) == is_too_far
