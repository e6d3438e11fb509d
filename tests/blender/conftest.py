"""What the tests in Blender share: the extension registered in an empty file, and away again afterwards."""

import pytest


@pytest.fixture
def scene():
    """Return the scene of an empty file, with the extension registered from the checkout."""
    bpy = pytest.importorskip("bpy")
    import levelwalk

    bpy.ops.wm.read_factory_settings(use_empty=True)
    levelwalk.register()
    yield bpy.context.scene
    levelwalk.unregister()


@pytest.fixture
def floor(scene):
    """Return a floor of 20 x 20 m at height 0."""
    from blender.scenes import add_floor

    return add_floor()


@pytest.fixture
def character(scene):
    """Return an empty at the origin, as the scene's character."""
    import bpy

    bpy.ops.levelwalk.add_character()
    return scene.levelwalk.character
