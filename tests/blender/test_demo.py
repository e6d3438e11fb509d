"""The demo's command line: levels that cannot be walked get one line and exit code 2."""

import pytest

bpy = pytest.importorskip("bpy")

from levelwalk.tools import demo  # noqa: E402

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
