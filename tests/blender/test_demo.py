"""The demo: levels that cannot be walked get one line and exit code 2, the others stages, a picture and a summary."""

import numpy as np
import pytest
from builders import box

from levelwalk.core import Commands, Settings, World

bpy = pytest.importorskip("bpy")

from levelwalk.operators.built_level import build_level  # noqa: E402
from levelwalk.tools import demo  # noqa: E402
from levelwalk.tools.cutaway import cut_open  # noqa: E402

WALL = "v 0 0 0\nv 4 0 0\nv 4 3 0\nf 1 2 3\n"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        pytest.param("level.obj", None, "there is no such file", id="missing"),
        pytest.param("level.fbx", "", "a level is a file of .blend, .obj, .glb, .gltf, not .fbx", id="unknown suffix"),
        pytest.param("level.obj", "# nothing\n", "the level has no visible mesh", id="empty"),
        pytest.param("level.blend", "not a Blender file", "Blender cannot read it", id="damaged blend"),
        pytest.param("level.glb", "not a glTF file", "Blender cannot read it", id="damaged glTF"),
        pytest.param("level.obj", WALL, "no ground to stand on was found", id="no ground"),
    ],
)
def test_a_level_that_cannot_be_walked_gets_one_line(tmp_path, capfd, name, content, message):
    file = tmp_path / name
    if content is not None:
        file.write_text(content)

    code = demo.main([str(file)])

    said = capfd.readouterr().err.strip().splitlines()
    assert code == 2
    assert len(said) == 1
    assert message in said[0]


def test_the_stages_are_told_and_the_summary_says_what_was_left_out(tmp_path, capfd):
    floor = "v 0 0 0\nv 30 0 0\nv 30 0 30\nv 0 0 30\no Floor\nf 4 3 2 1\n"
    lines = "".join(f"o Line {number}\nv 0 {number} 0\nv 1 {number} 0\nl {-2} {-1}\n" for number in range(5))
    file = tmp_path / "level.obj"
    file.write_text(floor + lines)

    code = demo.main([str(file)])

    said = capfd.readouterr().out
    stages = ["reading level.obj", "building colliders", "looking for a walk", "walking", "baking", "drawing"]
    places = [said.index(f"{stage} ...") for stage in stages]
    assert code == 0
    assert places == sorted(places)
    assert "5 objects" in said
    assert said.count("it has no faces") == 3
    assert "and 2 more" in said


def test_metres_count_as_far_as_the_level_carries_the_walker():
    """It walks 2 m at 4 m/s to the edge of a floor, and falls."""
    world = World.build([box((-2, -2, -0.3), (2, 2, 0))])
    settings = Settings()

    walk = demo.take_walk(world, settings, np.array([0, 0, settings.skin_width]), Commands([[1, 0]] * 300))

    path = walk.trace.position[: walk.last + 1, 0]
    assert walk.fell_at is not None
    assert path[-1, 0] == pytest.approx(2.0, abs=settings.radius + settings.speed * demo.DT)
    assert path[-1, 2] > -settings.radius


def test_what_is_over_the_path_is_cut_off_straight():
    wall = np.array([[[0, 1, 0], [1, 1, 0], [1, 1, 3]], [[0, 1, 0], [1, 1, 3], [0, 1, 3]]], float)
    roof = np.array([[[-9, -9, 3], [9, -9, 3], [0, 9, 3]]], float)
    path = np.array([[0, 0, 0], [1, 0, 0]], float)

    kept = cut_open(np.concatenate([wall, roof]), path, 2.2)

    a, b, c = np.moveaxis(kept, 1, 0)
    assert kept[..., 2].max() == pytest.approx(2.2)
    assert np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2 == pytest.approx(2.2)  # m2 of a wall 1 m wide


def test_the_sample_level_comes_out_of_blender_without_faults(scene):
    bpy.ops.levelwalk.add_sample_level()

    assert build_level(bpy.context).lines == ()
