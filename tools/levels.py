"""Real levels for tests and measurements: where they are, and how an OBJ file becomes a TriMesh."""

import os
from pathlib import Path

import numpy as np

from levelwalk.core.mesh import TriMesh

ROOT = Path(__file__).resolve().parents[1]
LEVEL_SCALES = {"nav_test": 1.0, "dungeon": 1.0, "pandora": 0.125}  # metres per unit of the file
NO_LEVELS = "no real levels here: set LEVELWALK_LEVELS to the folder with nav_test.obj, dungeon.obj, pandora.obj"


def find_levels() -> Path | None:
    """Return the folder of the real levels, or None.

    It is the one that the environment variable LEVELWALK_LEVELS names, or else ``../shared/levels`` beside the
    repository.
    """
    named = os.environ.get("LEVELWALK_LEVELS")
    folder = Path(named) if named else ROOT.parent / "shared" / "levels"
    return folder if folder.is_dir() else None


def read_level(name: str) -> TriMesh:
    """Return the real level `name`, in metres, Z up.

    Raises
    ------
    FileNotFoundError
        If the folder of the levels, or this level in it, is not there.
    """
    folder = find_levels()
    if folder is None:
        raise FileNotFoundError(NO_LEVELS)
    return read_obj(folder / f"{name}.obj", scale=LEVEL_SCALES[name])


def read_obj(path: Path, *, scale: float = 1.0) -> TriMesh:
    """Return all faces of a Wavefront OBJ file as one mesh.

    The file's Y axis points up; it becomes Z, and the file's Z becomes -Y, as Blender's importer does. Polygons are
    cut into fans from their first corner.

    Parameters
    ----------
    path : Path
    scale : float
        Metres per unit of the file.

    Raises
    ------
    ValueError
        If a line cannot be read: the message names the file and the line's number.
    """
    points: list[list[float]] = []
    corners: list[list[int]] = []
    with path.open(encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(lines, 1):
            word, *values = line.split() or [""]
            try:
                if word == "v":
                    x, y, z = (float(value) for value in values[:3])
                    points.append([x, -z, y])
                elif word == "f":
                    face = [_corner(value, len(points)) for value in values]
                    corners += [[face[0], face[i], face[i + 1]] for i in range(1, len(face) - 1)]
            except ValueError as error:
                raise ValueError(f"{path.name}, line {number}: {line.strip()!r} cannot be read") from error
    return TriMesh(np.array(points).reshape(-1, 3) * scale, np.array(corners, np.int64).reshape(-1, 3), name=path.stem)


def _corner(value: str, points: int) -> int:
    """Return the index, from 0, of the vertex that ``7/2/5`` or ``-1`` names."""
    index = int(value.split("/")[0])
    return index - 1 if index > 0 else points + index
