"""What the developers' commands do on a fresh machine: which Python, which packages, which libraries."""

import os
import sys
from pathlib import Path

import pytest

from levelwalk.tools import environment, machine
from levelwalk.tools.machine import SetUpError, find_python

HERE = tuple(sys.version_info[:2])


def packages_for(python, bpy):
    return environment._blender_packages(python, bpy)


def answers(version, completeness):
    """Return a shell script that answers as a Python does to the two questions put to it."""
    return f'case "$2" in *venv*) echo {completeness};; *) echo {version};; esac'


@pytest.fixture
def shims(tmp_path, monkeypatch):
    """Return a function that puts an executable script on an otherwise empty PATH."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))

    def add(name, body):
        script = tmp_path / name
        script.parent.mkdir(parents=True, exist_ok=True)
        script.write_text(f"#!/bin/sh\n{body}\n")
        script.chmod(0o755)
        return str(script)

    return add


def test_the_running_python_is_taken_if_it_fits():
    assert find_python([HERE]) == (sys.executable, HERE)


@pytest.mark.skipif(os.name == "nt", reason="the stand-ins for Python are shell scripts")
def test_a_python_that_does_not_start_is_passed_over(shims):
    shims("python3.77", "exit 127")
    works = shims("pyenv/versions/3.77.1/bin/python3", answers("3 77", "complete"))

    assert find_python([(3, 77)]) == (works, (3, 77))


@pytest.mark.skipif(os.name == "nt", reason="the stand-ins for Python are shell scripts")
def test_a_python_of_another_version_than_its_name_is_passed_over(shims):
    shims("python3.77", answers("3 76", "complete"))

    with pytest.raises(SetUpError, match=r"needs Python 3\.77; this is Python"):
        find_python([(3, 77)])


def test_each_blender_gets_the_python_and_numpy_it_is_made_for():
    assert environment._python_of("4.2") == (3, 11)
    assert environment._python_of("5.0.1") == (3, 11)
    assert environment._python_of("5.1") == (3, 13)
    assert packages_for((3, 11), "4.2") == ["bpy==4.2.*", "numpy==1.26.4"]
    assert packages_for((3, 11), "5.0.1") == ["bpy==5.0.1"]
    assert packages_for((3, 11), None) == ["bpy==5.0.*"]
    assert packages_for((3, 13), None) == ["bpy>=5.1,<6"]


@pytest.mark.parametrize("version", ["4.1", "6.0", "newest", "4"])
def test_a_version_without_a_wheel_is_refused(version):
    with pytest.raises(SetUpError, match=f"got '{version}'"):
        environment._python_of(version)


@pytest.fixture
def no_apt(monkeypatch):
    monkeypatch.setattr(machine.sys, "platform", "linux")
    monkeypatch.setattr(machine.os, "geteuid", lambda: 1000, raising=False)


def test_missing_libraries_are_named_with_the_command_that_installs_them(no_apt, monkeypatch):
    monkeypatch.setattr(machine, "LIBRARIES", {"libnosuchthing.so.1": "libnosuchthing1"})

    with pytest.raises(SetUpError, match="sudo apt-get install -y --no-install-recommends libnosuchthing1"):
        machine.install_libraries()


@pytest.mark.skipif(os.name == "nt", reason="the stand-ins for Python are shell scripts")
def test_a_python_without_its_venv_package_is_named_with_it(no_apt, shims):
    shims("python3.77", answers("3 77", ""))

    with pytest.raises(SetUpError, match=r"sudo apt-get install .* python3\.77-venv"):
        find_python([(3, 77)])


def test_the_checkout_is_what_is_imported():
    import levelwalk

    assert Path(levelwalk.__file__).resolve().parent == environment.ROOT
