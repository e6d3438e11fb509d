"""The shipped zip: what is in it, and that Blender installs, enables, disables and removes it without a trace."""

import zipfile

import pytest

bpy = pytest.importorskip("bpy")
import addon_utils  # noqa: E402

from levelwalk.tools.build import build_zip  # noqa: E402

REPOSITORY = "user_default"
PACKAGE = f"bl_ext.{REPOSITORY}.levelwalk"
SHIPPED = {"__init__.py", "blender_manifest.toml", "LICENSE", "README.md", "core", "operators", "ui"}


@pytest.fixture(scope="module")
def extension_zip(tmp_path_factory):
    return build_zip(tmp_path_factory.mktemp("dist"))


@pytest.fixture
def uninstalled():
    yield
    if is_installed():
        uninstall()


def install(path):
    bpy.ops.extensions.package_install_files(repo=REPOSITORY, filepath=str(path), enable_on_install=True)


def uninstall():
    repositories = [repo.module for repo in bpy.context.preferences.extensions.repos]
    bpy.ops.extensions.package_uninstall(repo_index=repositories.index(REPOSITORY), pkg_id="levelwalk")


def is_installed():
    return PACKAGE in [module.__name__ for module in addon_utils.modules(refresh=True)]


def traces():
    """Return everything in Blender that bears the extension's name."""
    types = {name for name in dir(bpy.types) if "levelwalk" in name.lower()}
    operators = set(dir(bpy.ops.levelwalk))
    properties = {
        f"{owner.__name__}.{name}"
        for owner in (bpy.types.Scene, bpy.types.Object, bpy.types.Collection, bpy.types.WindowManager)
        for name in {*owner.bl_rna.properties.keys(), *dir(owner)}
        if "levelwalk" in name.lower()
    }
    handlers = {
        f"{name}: {function.__module__}"
        for name in dir(bpy.app.handlers)
        if isinstance(getattr(bpy.app.handlers, name), list)
        for function in getattr(bpy.app.handlers, name)
        if "levelwalk" in getattr(function, "__module__", "")
    }
    keymaps = {
        f"{keymap.name}: {item.idname}"
        for keymap in bpy.context.window_manager.keyconfigs.addon.keymaps
        for item in keymap.keymap_items
        if item.idname.startswith("levelwalk")
    }
    menus = {
        f"{name}: {function.__module__}"
        for name in dir(bpy.types)
        for function in getattr(getattr(getattr(bpy.types, name), "draw", None), "_draw_funcs", [])
        if "levelwalk" in function.__module__
    }
    return types | operators | properties | handlers | keymaps | menus


def test_the_zip_has_the_extension_and_nothing_of_its_development(extension_zip):
    with zipfile.ZipFile(extension_zip) as archive:
        names = archive.namelist()

    assert {name.split("/")[0] for name in names} <= SHIPPED
    assert {"__init__.py", "blender_manifest.toml", "core/character/step.py", "LICENSE"} <= set(names)
    assert not [name for name in names if "__pycache__" in name or name.endswith(".pyc")]


def test_the_zip_is_named_after_the_version(extension_zip):
    with zipfile.ZipFile(extension_zip) as archive:
        manifest = archive.read("blender_manifest.toml").decode()

    version = extension_zip.stem.removeprefix("levelwalk-")
    assert f'version = "{version}"' in manifest


def test_it_installs_and_goes_without_a_trace_twice(extension_zip, uninstalled):
    before = traces()
    for _ in range(2):
        install(extension_zip)
        assert addon_utils.check(PACKAGE) == (True, True)
        assert traces() > before  # they would be seen

        addon_utils.disable(PACKAGE, default_set=True)
        assert traces() == before

        addon_utils.enable(PACKAGE, default_set=True)
        assert hasattr(bpy.context.scene, "levelwalk")

        uninstall()
        assert traces() == before
        assert not is_installed()


def test_the_installed_extension_builds_colliders_for_its_sample_level(extension_zip, uninstalled):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    install(extension_zip)

    assert bpy.ops.levelwalk.add_sample_level() == {"FINISHED"}
    assert bpy.ops.levelwalk.build_colliders() == {"FINISHED"}
    assert "Ramp 35" in bpy.data.objects
