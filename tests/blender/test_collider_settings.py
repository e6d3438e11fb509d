"""Copy to Selected: collider settings for many objects at once."""

import pytest

bpy = pytest.importorskip("bpy")
from blender.scenes import add_collection, add_cube  # noqa: E402

from levelwalk.operators.built_level import build_level, is_stale  # noqa: E402
from levelwalk.operators.copy_collider_settings import SETTINGS  # noqa: E402


def select(*objects):
    for ob in objects:
        ob.select_set(True)
    bpy.context.view_layer.objects.active = objects[0] if objects else None


def test_all_settings_of_the_active_object_go_to_the_selected(scene):
    active, chosen, other = add_cube("A"), add_cube("B"), add_cube("C")
    group = active.levelwalk
    group.collider, group.piece_error, group.sides, group.layer, group.is_climbable = (
        "PIECES",
        0.1,
        "FRONT",
        "OBSTACLE",
        True,
    )
    select(active, chosen)
    build_level(bpy.context)

    assert bpy.ops.levelwalk.copy_collider_settings() == {"FINISHED"}

    assert [getattr(chosen.levelwalk, name) for name in SETTINGS] == [getattr(group, name) for name in SETTINGS]
    assert other.levelwalk.collider == "AUTO"
    assert is_stale()


def test_every_setting_of_an_object_is_copied(scene):
    own = set(add_cube().levelwalk.bl_rna.properties.keys()) - {"rna_type", "name"}

    assert set(SETTINGS) == own - {"made_as"}  # no setting: who made the object


@pytest.mark.parametrize(("count", "message"), [(0, "There is no active object"), (1, "Select the objects to copy to")])
def test_the_button_says_what_is_missing(scene, count, message):
    select(*(add_cube() for _ in range(count)))

    with pytest.raises(RuntimeError, match=message):
        bpy.ops.levelwalk.copy_collider_settings()


def test_linked_objects_are_left_as_they_are_and_told(scene, tmp_path, capfd):
    kit = add_collection("Kit")
    add_cube("Crate", collection=kit)
    file = str(tmp_path / "kit.blend")
    bpy.data.libraries.write(file, {kit})
    bpy.ops.wm.read_factory_settings(use_empty=True)
    with bpy.data.libraries.load(file, link=True) as (_, linked):
        linked.collections = ["Kit"]
    bpy.context.scene.collection.children.link(linked.collections[0])
    active = add_cube("Own")
    active.levelwalk.collider = "FACES"
    select(active, bpy.data.objects["Crate"])

    assert bpy.ops.levelwalk.copy_collider_settings() == {"CANCELLED"}
    assert bpy.data.objects["Crate"].levelwalk.collider == "AUTO"
