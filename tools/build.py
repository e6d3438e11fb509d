"""`python3 dev.py build`: the extension's zip, made and validated by Blender's own extension tool."""

import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


class BuildError(Exception):
    """Blender's extension tool refused; the message is what it said."""


def build_zip(folder: Path) -> Path:
    """Validate the checkout, write ``levelwalk-<version>.zip`` into `folder`, validate that, and return its path.

    Raises
    ------
    BuildError
        If Blender's extension tool is not in this Python, or is not content.
    """
    manifest = tomllib.loads((ROOT / "blender_manifest.toml").read_text(encoding="utf-8"))
    made = folder / f"{manifest['id']}-{manifest['version']}.zip"
    folder.mkdir(parents=True, exist_ok=True)
    made.unlink(missing_ok=True)
    run_extension_tool("validate", str(ROOT))
    run_extension_tool("build", "--source-dir", str(ROOT), "--output-filepath", str(made))
    run_extension_tool("validate", str(made))
    return made


def run_extension_tool(*arguments: str) -> str:
    """Run Blender's command line tool for extensions, which lies in the bpy wheel, and return what it prints."""
    site = Path(sysconfig.get_paths()["purelib"])
    tool = next(site.glob("bpy/*/scripts/addons_core/bl_pkg/cli/blender_ext.py"), None)
    if tool is None:
        raise BuildError(f"Blender's extension tool is not in {site}: run this through `python3 dev.py build`")
    done = subprocess.run([sys.executable, str(tool), *arguments], capture_output=True, text=True)
    if done.returncode:
        raise BuildError(f"{' '.join(arguments)}: {(done.stdout + done.stderr).strip()}")
    return done.stdout


def main() -> int:
    """Build, and print the zip's path."""
    try:
        print(build_zip(ROOT / "dist"))
    except BuildError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
