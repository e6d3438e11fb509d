"""Real levels through Blender's importers: the walks are those in the level as read from the file, to a millimetre.

The levels are found as tools/levels.py says; without them these tests are skipped.
"""

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")
from blender.scenes import level, update  # noqa: E402

from levelwalk.core import Settings, TriMesh, World, simulate  # noqa: E402
from levelwalk.tools.levels import LEVEL_SCALES, find_levels, read_level  # noqa: E402
from levelwalk.tools.route import find_starts, survey  # noqa: E402

pytestmark = pytest.mark.slow
SETTINGS = Settings()
DT, STEPS, LANES = 1 / 60, 180, 30
SAME = 1e-3  # m
HAIR = 1e-5  # m: more than single precision makes of a level of a hundred metres


@pytest.fixture(scope="module", params=LEVEL_SCALES)
def walked(request):
    """Return a level's name, the level as read from the file, and walks in it: starts, commands and their trace."""
    try:
        mesh = read_level(request.param)
    except FileNotFoundError as error:
        pytest.skip(str(error))
    world = World.build([mesh])
    starts = find_starts(world, SETTINGS, LANES)
    commands = survey(world, SETTINGS, starts, STEPS, DT).commands
    steady = _steady(mesh, starts, commands, simulate(world, SETTINGS, starts, commands, DT))
    starts, commands = starts[steady], commands.of_lanes(steady)
    return request.param, mesh, starts, commands, simulate(world, SETTINGS, starts, commands, DT)


def _steady(mesh, starts, commands, expected):
    """Return the lanes whose walk is the same when the level moves by a hair: nearly all.

    The others pass a rim or a corner so that rounding decides; a file in single precision may decide otherwise.
    """
    random = np.random.default_rng(5)
    apart = np.zeros(len(starts))
    for _ in range(6):
        moved = TriMesh(mesh.vertices + random.uniform(-HAIR, HAIR, 3), mesh.triangles)
        position = simulate(World.build([moved]), SETTINGS, starts, commands, DT).position
        apart = np.maximum(apart, np.linalg.norm(position - expected.position, axis=2).max(axis=0))
    assert (apart <= SAME).mean() > 0.9
    return np.flatnonzero(apart <= SAME)


def _import_obj(name, scale):
    bpy.ops.wm.obj_import(filepath=str(find_levels() / f"{name}.obj"), global_scale=scale)
    update()


def _through_gltf(tmp_path, suffix):
    """Write the scene as glTF, empty it, and read it again."""
    file = str(tmp_path / f"level.{suffix}")
    bpy.ops.preferences.addon_enable(module="io_scene_gltf2")
    bpy.ops.export_scene.gltf(filepath=file, export_format="GLB" if suffix == "glb" else "GLTF_SEPARATE")
    for ob in list(bpy.data.objects):
        bpy.data.objects.remove(ob)
    bpy.ops.import_scene.gltf(filepath=file)
    update()


def _assert_is_the_same(walked):
    """The scene's level has the same bounds and triangles as the file's, and the same walks."""
    _, mesh, starts, commands, expected = walked
    read = level()
    vertices = np.concatenate([part.vertices for part in read.meshes])
    for edge in (np.min, np.max):
        np.testing.assert_allclose(edge(vertices, axis=0), edge(mesh.vertices, axis=0), atol=1e-4)
    world = World.build(read.meshes)
    # A needle or two are dropped on one side and kept on the other, by the rounding of their corners.
    assert len(world.colliders.triangles) == pytest.approx(len(World.build([mesh]).colliders.triangles), rel=1e-3)

    trace = simulate(world, SETTINGS, starts, commands, DT)

    apart = np.linalg.norm(trace.position - expected.position, axis=2)
    assert apart.max() <= SAME, _where(apart, expected)


def _where(apart, expected):
    step, lane = np.unravel_index(int(np.argmax(apart > SAME)), apart.shape)
    share = (apart.max(axis=0) > SAME).mean()
    return f"{share:.0%} of the walkers; lane {lane} from step {step} on, at {expected.position[step, lane].tolist()}"


def test_an_obj_file_is_walked_as_it_is(scene, walked):
    name, *_ = walked
    _import_obj(name, LEVEL_SCALES[name])

    _assert_is_the_same(walked)


def test_an_obj_file_in_other_units_is_walked_as_it_is(scene, walked):
    """Imported as the numbers are, in a scene that says how many metres each of them is."""
    name, *_ = walked
    scene.unit_settings.scale_length = LEVEL_SCALES[name] * 0.5
    _import_obj(name, 2.0)

    _assert_is_the_same(walked)


@pytest.mark.parametrize("suffix", ["glb", "gltf"])
def test_a_gltf_file_is_walked_as_it_is(scene, walked, tmp_path, suffix):
    """Through Blender's exporter, which turns Y up, splits vertices and cuts the faces into triangles."""
    name, *_ = walked
    _import_obj(name, LEVEL_SCALES[name])
    _through_gltf(tmp_path, suffix)

    _assert_is_the_same(walked)
