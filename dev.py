"""The developers' commands. On a fresh machine they first make what they need: `python3 dev.py test`, `... demo`.

It starts in whatever Python the user has; the work is then done by a module of tools/ in the environment made here.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
ON_ALL_CORES = ("-n", "auto", "--maxprocesses", "8", "--dist")  # tests are shared out by:
CORE_ON_ALL = (*ON_ALL_CORES, "worksteal")
BLENDER_ON_ALL = (*ON_ALL_CORES, "loadfile")  # a file's tests build one scene after another in one Blender

if sys.version_info < (3, 9):  # noqa: UP036  older ones still start this file, and are to be told
    sys.exit("dev.py needs Python 3.9 or newer to start, and Python 3.13 or 3.11 to work with")

from tools.environment import BENCH_PACKAGES, add_packages, blender_python, lint_python  # noqa: E402
from tools.machine import SetUpError  # noqa: E402


def main(arguments):
    options, rest = parse(arguments)
    try:
        python = blender_python(options.bpy)
        if options.command == "bench":
            add_packages(python, BENCH_PACKAGES)
        if options.command == "test":
            return test(python, options.quick, rest)
    except SetUpError as error:
        print(error, file=sys.stderr)
        return 1
    return run(python, "-m", f"levelwalk.tools.{options.command}", *rest)


def parse(arguments):
    """Return the options and what is left of the arguments: that goes on to pytest, the demo and so on."""
    parser = argparse.ArgumentParser(prog="dev.py", description="Level Walk's commands for developers.")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, words in (
        ("test", "linters and all tests; further arguments go to pytest, and then nothing but pytest is run"),
        ("demo", "walk a level (.blend, .obj, .glb; default the sample level) and write out/demo.blend and .png"),
        ("build", "make dist/levelwalk-VERSION.zip and validate it"),
        ("bench", "what a step costs, beside Bullet's character controller"),
    ):
        command = commands.add_parser(name, help=words, description=words, allow_abbrev=False, add_help=name != "demo")
        command.add_argument("--bpy", metavar="VERSION", help="use this Blender, such as 4.2, in a .venv of its own")
        if name == "test":
            command.add_argument("--quick", action="store_true", help="no linters and no slow tests")
    return parser.parse_known_args(arguments)


def test(python, is_quick, pytest_arguments):
    """Run the linters and all tests, or what the arguments ask of pytest; return the first bad exit code."""
    quick = ["-m", "not slow"] if is_quick else []
    if pytest_arguments:
        paths = [argument for argument in pytest_arguments if (ROOT / argument.partition("::")[0]).exists()]
        is_core = bool(paths) and all(Path(path).parts[:2] == ("tests", "core") for path in paths)
        return pytest(python, [*quick, *pytest_arguments], with_bpy=not is_core)
    codes = [] if is_quick else lint()
    codes.append(pytest(python, ["tests/core", *quick, *CORE_ON_ALL], with_bpy=False))
    codes.append(pytest(python, ["tests/blender", *quick, *BLENDER_ON_ALL], with_bpy=True))
    if os.environ.get("LEVELWALK_BLENDER"):
        codes.append(pytest(python, ["tests/windowed"], with_bpy=True))
    return next((code for code in codes if code), 0)


def lint():
    lint_with = lint_python()
    os.chdir(ROOT)
    link = ROOT / ".typecheck" / "levelwalk"  # mypy takes a package's name from its folder
    link.parent.mkdir(exist_ok=True)
    if not link.is_symlink():
        link.symlink_to(ROOT, target_is_directory=True)
    packages = [f"--package=levelwalk.{name}" for name in ("core", "operators", "ui", "tools")]
    checks = (["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy", *packages])
    codes = []
    for check in checks:
        print("+", *check[:2], flush=True)
        codes.append(run(lint_with, "-m", *check))
    return codes


def pytest(python, arguments, with_bpy):
    os.chdir(ROOT)  # pytest's settings are relative to it
    wish = "LEVELWALK_TEST_WITH_BPY" if with_bpy else "LEVELWALK_TEST_WITHOUT_BPY"
    print("+ pytest", *arguments, "" if with_bpy else "(without bpy)", flush=True)
    return run(python, "-m", "pytest", *arguments, environment={wish: "1"})


def run(python, *arguments, environment=None):
    return subprocess.run([python, *arguments], env={**os.environ, **(environment or {})}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
