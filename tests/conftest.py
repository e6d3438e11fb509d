"""What all tests share: the package under its own name, Blender's settings out of the way, the real levels."""

import importlib.abc
import importlib.util
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

# The same examples in every run: a gate that fails by chance tells nothing of the change that it is to judge. To look
# further: pytest --hypothesis-profile=random
settings.register_profile("same", derandomize=True)
settings.register_profile("random", derandomize=False)
settings.load_profile("same")

ROOT = Path(__file__).resolve().parents[1]
BLENDER_MODULES = {"bpy", "bmesh", "mathutils", "gpu", "gpu_extras", "bpy_extras", "addon_utils"}


class NoBlender(importlib.abc.MetaPathFinder):
    """Makes every module of Blender look as if it were not installed."""

    def find_spec(self, fullname, path=None, target=None):
        if fullname.partition(".")[0] in BLENDER_MODULES:
            raise ModuleNotFoundError(f"{fullname} must not be imported here", name=fullname)


if os.environ.get("LEVELWALK_TEST_WITHOUT_BPY"):
    sys.meta_path.insert(0, NoBlender())

# The tests neither see nor change the user's own Blender settings. Blender reads this once, when it is imported.
USER_RESOURCES = tempfile.mkdtemp(prefix="levelwalk-tests-")
os.environ["BLENDER_USER_RESOURCES"] = USER_RESOURCES

if importlib.util.find_spec("levelwalk") is None:  # any Python without dev.py's environment
    spec = importlib.util.spec_from_file_location(
        "levelwalk", ROOT / "__init__.py", submodule_search_locations=[str(ROOT)]
    )
    package = importlib.util.module_from_spec(spec)
    sys.modules["levelwalk"] = package
    spec.loader.exec_module(package)

if os.environ.get("LEVELWALK_TEST_WITH_BPY"):
    import bpy  # noqa: F401  where Blender is asked for, its absence is a failure and not a skip

_status = 0


def pytest_sessionfinish(session, exitstatus):
    global _status
    _status = int(exitstatus)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config):
    shutil.rmtree(USER_RESOURCES, ignore_errors=True)
    bpy = sys.modules.get("bpy")
    if bpy is not None and bpy.app.version < (5, 0, 0):
        # Blender 4 crashes or hangs when Python ends while a class or a handler is still registered.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(_status)


@pytest.fixture(scope="session")
def read_real_level() -> Callable:
    """Return `levelwalk.tools.levels.read_level`; where the level is not there, the test is skipped."""
    from levelwalk.tools.levels import read_level

    def read(name):
        try:
            return read_level(name)
        except FileNotFoundError as error:
            pytest.skip(str(error))

    return read
