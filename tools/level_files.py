"""Levels from files: .blend, .obj, .glb and .gltf opened as Blender's current scene."""

from pathlib import Path

import bpy

SUFFIXES = (".blend", ".obj", ".glb", ".gltf")


class LevelFileError(Exception):
    """The file cannot be walked; the message says why, in one line."""


def check_level_file(path: Path) -> None:
    """Raise LevelFileError for a file that is missing or of an unknown kind."""
    if not path.is_file():
        raise LevelFileError(f"{path}: there is no such file")
    if path.suffix.lower() not in SUFFIXES:
        raise LevelFileError(f"{path}: a level is a file of {', '.join(SUFFIXES)}, not {path.suffix or 'without any'}")


def open_level(path: Path, scale: float) -> None:
    """Make the level in `path` the current scene; `scale` is how many metres a unit of an imported file is.

    Raises
    ------
    LevelFileError
        If the file is missing, of an unknown kind, or Blender cannot read it.
    """
    check_level_file(path)
    try:
        if path.suffix.lower() == ".blend":
            bpy.ops.wm.open_mainfile(filepath=str(path), load_ui=False)
            return
        bpy.ops.wm.read_factory_settings(use_empty=True)
        if path.suffix.lower() == ".obj":
            bpy.ops.wm.obj_import(filepath=str(path), global_scale=scale)
            return
        bpy.ops.import_scene.gltf(filepath=str(path))
    except RuntimeError as error:
        reason = str(error).strip().splitlines()[0]
        raise LevelFileError(f"{path}: Blender cannot read it: {reason}") from error
    _scale_level(scale)


def _scale_level(scale: float) -> None:
    for ob in bpy.context.scene.objects:
        if ob.parent is None:
            ob.location *= scale
            ob.scale *= scale
