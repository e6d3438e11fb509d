"""What the Add menu adds."""

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")
from blender.scenes import meshes_by_name  # noqa: E402

from levelwalk.core.samples.gym_level import GYM_START, gym_level  # noqa: E402
from levelwalk.core.samples.sample_level import SAMPLE_GOAL, SAMPLE_START, sample_level  # noqa: E402


def test_a_character_comes_at_the_cursor_and_is_chosen(scene):
    scene.cursor.location = (1, 2, 3)

    bpy.ops.levelwalk.add_character()

    character = scene.levelwalk.character
    assert (character.name, character.type) == ("Character", "EMPTY")
    assert tuple(character.location) == (1, 2, 3)
    assert bpy.context.view_layer.objects.active == character
    assert bpy.context.selected_objects == [character]


def test_a_character_goes_to_the_scene_where_the_active_collection_is_hidden(scene):
    hidden = bpy.data.collections.new("Hidden")
    scene.collection.children.link(hidden)
    layer = bpy.context.view_layer.layer_collection.children["Hidden"]
    bpy.context.view_layer.active_layer_collection = layer
    layer.exclude = True

    bpy.ops.levelwalk.add_character()

    assert scene.levelwalk.character.name in scene.collection.objects


@pytest.mark.parametrize("scale", [1.0, 0.01])
def test_the_sample_level_is_that_of_the_core(scene, scale):
    scene.unit_settings.scale_length = scale

    bpy.ops.levelwalk.add_sample_level()

    read = meshes_by_name()
    for mesh in sample_level():
        ends = np.array([read[mesh.name].vertices.min(axis=0), read[mesh.name].vertices.max(axis=0)])
        np.testing.assert_allclose(ends, [mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)], atol=1e-5)
    assert len(read) == len(sample_level())
    np.testing.assert_allclose(np.array(scene.levelwalk.character.location) * scale, SAMPLE_START, atol=1e-5)
    np.testing.assert_allclose(np.array(bpy.data.objects["Goal"].location) * scale, SAMPLE_GOAL, atol=1e-5)
    assert scene.levelwalk.level.name == "Sample Level"
    assert bpy.ops.levelwalk.build_colliders() == {"FINISHED"}


def test_a_second_sample_level_does_not_touch_the_first(scene):
    bpy.ops.levelwalk.add_sample_level()
    first = {ob.name for ob in bpy.data.objects}
    bpy.ops.levelwalk.add_sample_level()

    assert len(bpy.data.objects) == 2 * len(first)
    assert scene.levelwalk.level.name == "Sample Level.001"


@pytest.mark.parametrize("scale", [1.0, 0.01])
def test_the_gym_level_is_that_of_the_core_and_its_ladder_can_be_climbed(scene, scale):
    scene.unit_settings.scale_length = scale

    bpy.ops.levelwalk.add_gym_level()

    read = meshes_by_name()
    for mesh in gym_level():
        ends = np.array([read[mesh.name].vertices.min(axis=0), read[mesh.name].vertices.max(axis=0)])
        np.testing.assert_allclose(ends, [mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)], atol=1e-5)
        assert read[mesh.name].is_climbable == (mesh.name == "Ladder")
    assert len(read) == len(gym_level())
    np.testing.assert_allclose(np.array(scene.levelwalk.character.location) * scale, GYM_START, atol=1e-5)
    assert bpy.ops.levelwalk.build_colliders() == {"FINISHED"}


@pytest.mark.parametrize("operator", ["add_character", "add_sample_level", "add_gym_level"])
def test_adding_is_one_undo_step(scene, operator):
    bpy.ops.ed.undo_push(message="before")

    getattr(bpy.ops.levelwalk, operator)("EXEC_DEFAULT", True)
    assert len(bpy.data.objects)
    bpy.ops.ed.undo()

    assert not len(bpy.data.objects)
    assert bpy.context.scene.levelwalk.character is None
