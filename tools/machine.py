"""What the machine must have before an environment can be made: a fitting Python, and Blender's system libraries.

It runs in whatever Python the user has, so it needs the standard library only and no syntax younger than Python 3.9.
"""

from __future__ import annotations

import ctypes
import glob
import os
import platform
import shutil
import subprocess
import sys

Version = tuple[int, ...]

# Debian's package for each library that Blender's wheels load and do not bring.
LIBRARIES = {
    "libX11.so.6": "libx11-6",
    "libXrender.so.1": "libxrender1",
    "libXfixes.so.3": "libxfixes3",
    "libXi.so.6": "libxi6",
    "libXxf86vm.so.1": "libxxf86vm1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libSM.so.6": "libsm6",
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libgomp.so.1": "libgomp1",
}


class SetUpError(Exception):
    """Something is missing that cannot be installed from here; the message says what to do."""


def find_python(wanted: list[Version]) -> tuple[str, Version]:
    """Return the path and version of an installed Python, of the first of the `wanted` versions that is there.

    Every candidate is run: the shims of version managers have the right name and yet may refuse to start.

    Raises
    ------
    SetUpError
        If there is none, or it cannot make environments, as Debian's cannot without a package more.
    """
    found, incomplete = _search(wanted)
    if not found and incomplete:
        reason = f"Python {incomplete} cannot make environments without its venv package"
        install([f"python{incomplete}-venv"], reason)
        found, _ = _search(wanted)
    if found:
        return found
    names = " or ".join(f"Python {_words(version)}" for version in wanted)
    raise SetUpError(
        f"Blender's Python wheel needs {names}; this is Python {platform.python_version()}, and no other was found. "
        "Install it (python.org, apt, pyenv or uv), then run this command again."
    )


def _search(wanted: list[Version]) -> tuple[tuple[str, Version] | None, str]:
    """Return the first Python that fits, and the version of one that would, had it not been taken apart."""
    incomplete = ""
    for version in wanted:
        running = [sys.executable] if sys.version_info[:2] == version else []
        for candidate in running + _candidates(_words(version)):
            if _answer(candidate, "import sys; print(*sys.version_info[:2])") != "{} {}".format(*version):
                continue
            if _answer(candidate, "import venv, ensurepip; print('complete')"):
                return (candidate, version), incomplete
            incomplete = incomplete or _words(version)
    return None, incomplete


def install_libraries() -> None:
    """Look for the system libraries that Blender loads, and install those that are missing.

    Raises
    ------
    SetUpError
        If they cannot be installed from here.
    """
    missing = _missing_libraries()
    if missing:
        install(missing, "Blender needs system libraries that are not here")
    if _missing_libraries():
        raise SetUpError(f"Blender still misses {' '.join(_missing_libraries())}, although they were installed")


def install(packages: list[str], reason: str) -> None:
    """Install Debian packages as root; raise SetUpError, with the command that does it, if that is not possible."""
    command = ["apt-get", "install", "-y", "--no-install-recommends", *packages]
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    if is_root and shutil.which("apt-get"):
        print(f"{reason}: {' '.join(command)}", flush=True)
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for words in (["apt-get", "update"], command):
            done = subprocess.run(words, check=False, env=environment, stdout=subprocess.DEVNULL)
        if not done.returncode:
            return
    raise SetUpError(f"{reason}. Install them with:\n    sudo {' '.join(command)}")


def _words(version: Version) -> str:
    return "{}.{}".format(*version)


def _candidates(version: str) -> list[str]:
    name = f"python{version}"
    patterns = [
        f"{os.environ.get('PYENV_ROOT') or '~/.pyenv'}/versions/{version}*/bin/python3",
        f"~/.local/share/uv/python/cpython-{version}*/bin/python3",
        f"/usr/local/bin/{name}",
        f"/opt/*/bin/{name}",
        f"/opt/*/{version}*/bin/python3",
        f"/Library/Frameworks/Python.framework/Versions/{version}/bin/python3",
        f"~/AppData/Local/Programs/Python/Python{version.replace('.', '')}/python.exe",
    ]
    found = [shutil.which(name, path=folder) for folder in os.environ.get("PATH", "").split(os.pathsep) if folder]
    found += [path for pattern in patterns for path in sorted(glob.glob(os.path.expanduser(pattern)), reverse=True)]
    return [path for path in found if path]


def _answer(python: str, code: str) -> str:
    """Return what an interpreter prints; nothing if it does not run."""
    try:
        done = subprocess.run([python, "-c", code], capture_output=True, text=True, timeout=30, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()


def _missing_libraries() -> list[str]:
    """Return the Debian packages of the libraries that are not here."""
    if not sys.platform.startswith("linux"):
        return []
    missing = []
    for library, package in LIBRARIES.items():
        try:
            ctypes.CDLL(library)
        except OSError:
            missing.append(package)
    return missing
