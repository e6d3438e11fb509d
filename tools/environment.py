"""Virtual environments of the checkout: made on the first call, reused at once on every later one.

It runs in whatever Python the user has, so it needs the standard library only and no syntax younger than Python 3.9.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .machine import SetUpError, Version, find_python, install_libraries

ROOT = Path(__file__).resolve().parents[1]
PYTHONS: list[Version] = [(3, 13), (3, 11)]  # what Blender's wheels are made for; the newest first
TEST_PACKAGES = ("pytest==9.*", "pytest-xdist==3.*", "hypothesis==6.*", "python-fcl==0.7.*", "trimesh", "scipy")
LINT_PACKAGES = ("ruff==0.17.6", "mypy==2.4.1", "numpy==2.3.*")
BENCH_PACKAGES = ("panda3d==1.10.*", "matplotlib==3.*")

# Makes the checkout importable as `levelwalk`, whatever its folder is called. A .pth file imports it at start.
FINDER = '''"""Finds the package levelwalk in the checkout that this environment belongs to."""
import importlib.util
import sys

ROOT = {root!r}


class Checkout:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == "levelwalk":
            return importlib.util.spec_from_file_location(
                name, ROOT + "/__init__.py", submodule_search_locations=[ROOT]
            )
        return None


sys.meta_path.append(Checkout)
'''


def blender_python(bpy_version: str | None = None) -> str:
    """Return the environment's Python that has Blender's wheel, after making the environment if need be.

    Parameters
    ----------
    bpy_version : str, optional
        Such as "4.2"; left out, the newest one that fits the running Python, or else the newest Python found.

    Raises
    ------
    SetUpError
        If there is no fitting Python, a system library is missing, or pip fails.
    """
    if bpy_version is None:
        running = tuple(sys.version_info[:2])
        wanted = [running] if running in PYTHONS else PYTHONS
        folder = ".venv"
    else:
        wanted = [_python_of(bpy_version)]
        folder = f".venv-{bpy_version}"
    ready = _read_ready(ROOT / folder)
    version = tuple(ready["python"]) if ready and tuple(ready["python"]) in wanted else None
    base = None
    if version is None:
        base, version = find_python(wanted)
    packages = _blender_packages(version, bpy_version) + list(TEST_PACKAGES)
    return _environment(folder, version, packages, base, needs_libraries=True)


def lint_python() -> str:
    """Return the Python of the environment with ruff and mypy; raises as `blender_python`."""
    ready = _read_ready(ROOT / ".venv-lint")
    base, version = (None, tuple(ready["python"])) if ready else find_python(PYTHONS)
    return _environment(".venv-lint", version, list(LINT_PACKAGES), base)


def add_packages(python: str, packages: Iterable[str]) -> None:
    """Install `packages` into the environment of `python`, unless that was done before."""
    folder = Path(python).parents[1]
    ready = _read_ready(folder)
    if ready is None or set(packages) <= set(ready["extra"]):
        return
    print(f"Installing {', '.join(packages)} into {folder.name}", flush=True)
    _pip(python, packages)
    ready["extra"] = sorted({*ready["extra"], *packages})
    (folder / "ready.json").write_text(json.dumps(ready))


def _python_of(bpy_version: str) -> Version:
    try:
        major, minor = (int(part) for part in bpy_version.split(".")[:2])
    except ValueError:
        raise SetUpError(f"--bpy takes a version such as 4.2 or 5.0, got {bpy_version!r}") from None
    if not (4, 2) <= (major, minor) < (6, 0):
        raise SetUpError(f"--bpy takes a version from 4.2 to 5.x, got {bpy_version!r}")
    return (3, 11) if (major, minor) <= (5, 0) else (3, 13)


def _blender_packages(python_version: Version, bpy_version: str | None) -> list[str]:
    if bpy_version is None:
        return ["bpy==5.0.*" if python_version == (3, 11) else "bpy>=5.1,<6"]
    pinned = bpy_version if bpy_version.count(".") > 1 else f"{bpy_version}.*"
    # The wheels of 4.2 to 4.4 name no numpy; those Blenders ship 1.26 or older, and do not run with 2.
    old_numpy = ["numpy==1.26.4"] if bpy_version.startswith(("4.2", "4.3", "4.4")) else []
    return [f"bpy=={pinned}", *old_numpy]


def _environment(
    folder: str, version: Version, packages: list[str], base: str | None, needs_libraries: bool = False
) -> str:
    """Return the Python of the environment `folder`; make it if it is not there, or not with these packages."""
    home = ROOT / folder
    recipe = hashlib.sha256(json.dumps([version, packages, str(ROOT), FINDER]).encode()).hexdigest()
    python = home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    ready = _read_ready(home)
    if ready and ready["recipe"] == recipe and python.exists():
        return str(python)
    if needs_libraries:
        install_libraries()
    base = base or find_python([version])[0]
    print(f"Making {folder} with Python {version[0]}.{version[1]}: {', '.join(packages)}", flush=True)
    print("This takes a minute or two, once.", flush=True)
    if home.exists():
        shutil.rmtree(home)
    subprocess.run([base, "-m", "venv", str(home)], check=True)
    _pip(str(python), packages)
    site = Path(_output([str(python), "-c", "import sysconfig; print(sysconfig.get_paths()['purelib'])"]))
    (site / "levelwalk_checkout.py").write_text(FINDER.format(root=ROOT.as_posix()))
    (site / "levelwalk_checkout.pth").write_text("import levelwalk_checkout\n")
    (home / "ready.json").write_text(json.dumps({"recipe": recipe, "python": version, "extra": []}))
    return str(python)


def _read_ready(home: Path) -> dict[str, Any] | None:
    """Return what is known of a finished environment; None if there is none."""
    try:
        return json.loads((home / "ready.json").read_text())
    except (OSError, ValueError):
        return None


def _pip(python: str, packages: Iterable[str]) -> None:
    command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages]
    if subprocess.run(command, check=False).returncode:
        raise SetUpError(f"pip could not install {', '.join(packages)}: see above. Is the network there?")


def _output(command: list[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
