"""Build cost: the seconds and the memory that a level takes to build, each measured in a Python of its own."""

import json
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from levelwalk.core import TriMesh, World

from .levels import LEVEL_SCALES, read_level
from .made_levels import crumbs, plain, terrain

BUILDS = 3  # the quickest counts: whatever else runs on the machine only adds
KILOBYTE = 1024  # bytes
STATUS = Path("/proc/self/status")


@dataclass(frozen=True, slots=True)
class BuildCost:
    """What one level took.

    Attributes
    ----------
    triangles : int
    seconds : float
        From arrays to a world that can be walked.
    peak : float, MB
        Of all that Python held at its fullest, numpy and the level's own arrays included; nan where unknown.
    """

    triangles: int
    seconds: float
    peak: float


def measure(kind: str, size: int = 0) -> BuildCost:
    """Return what it takes to build the level `kind` (with `size`, as `make` has it), measured in a new Python."""
    command = [sys.executable, "-m", "levelwalk.tools.build_cost", kind, str(size)]
    answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return BuildCost(**json.loads(answer))


def make(kind: str, size: int = 0) -> TriMesh:
    """Return a level by its kind.

    It is the name of a real level; "terrain" with `size` squares along each side (0: as many as usual); "plain";
    or "crumbs" with `size` tiny triangles.
    """
    if kind in LEVEL_SCALES:
        return read_level(kind)
    if kind == "terrain":
        return terrain(size) if size else terrain()
    return {"plain": plain, "crumbs": lambda: crumbs(size)}[kind]()


def main() -> int:
    """Build the level that the arguments name, and print what it took as JSON."""
    mesh = make(sys.argv[1], int(sys.argv[2]))
    taken = []
    for _ in range(BUILDS):
        began = time.perf_counter()
        World.build([mesh])
        taken.append(time.perf_counter() - began)
    print(json.dumps({"triangles": len(mesh.triangles), "seconds": min(taken), "peak": _peak()}))
    return 0


def _peak() -> float:
    """Return the most memory that this program held so far, MB.

    Linux counts it for the program alone; what getrusage says there includes the one that started it.
    """
    if STATUS.exists():
        line = next(line for line in STATUS.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) * KILOBYTE / 1e6
    if sys.platform == "darwin":
        import resource  # there is none on Windows

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    return float("nan")


if __name__ == "__main__":
    sys.exit(main())
