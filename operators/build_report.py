"""The build report in words: what the level became, what was left out, and why."""

from ..core.build_report import BuildReport, counted
from .from_blender import LevelMeshes


def sum_up(report: BuildReport, level: LevelMeshes) -> tuple[str, tuple[str, ...]]:
    """Return a line that sums the build up, and a line for each thing that was left out, dropped or mended.

    What was left out at reading and what was left out at building count together.
    """
    sources = len(report) - report.left_out
    summary = f"{counted(report.hulls, 'hull')} and {counted(report.faces, 'face')} from {counted(sources, 'object')}"
    left_out = report.left_out + len(level.left_out)
    if left_out:
        summary += f"; {left_out:,} left out"
    lines = [f"{entry.name}: left out: {entry.reason}" for entry in level.left_out]
    return summary, (*lines, *level.notes, *report.lines())
