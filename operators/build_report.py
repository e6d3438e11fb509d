"""The build report: what the level became, what was left out, and why, each with the object that it is about."""

from dataclasses import dataclass

from ..core.colliders.build_report import BuildReport, counted
from .level_from_blender import LevelMeshes


@dataclass(frozen=True, slots=True)
class ReportEntry:
    """What is to be said of one object of the level.

    Attributes
    ----------
    name : str
        The level object: of an instance with what brings it.
    text : str
        What happened, and the remedy.
    ob : str
        Name of the object of the scene that brings it; empty if there is none.
    place : tuple of three float, or None
        Where it is in the world, in Blender units, if that is one place.
    """

    name: str
    text: str
    ob: str = ""
    place: tuple[float, float, float] | None = None

    @property
    def line(self) -> str:
        """The entry in one line."""
        return f"{self.name}: {self.text}"


def sum_up(report: BuildReport, level: LevelMeshes, scale: float) -> tuple[str, tuple[ReportEntry, ...]]:
    """Return a line that sums the build up, and an entry for each thing that was left out, dropped or mended.

    What was left out at reading and what was left out at building count together. `scale` is metres in a unit.
    """
    sources = len(report) - report.left_out
    summary = f"{counted(report.hulls, 'hull')} and {counted(report.faces, 'face')} from {counted(sources, 'object')}"
    left_out = report.left_out + len(level.left_out)
    if left_out:
        summary += f"; {left_out:,} left out"
    entries = [ReportEntry(entry.name, f"left out: {entry.reason}", entry.ob) for entry in level.left_out]
    entries += [ReportEntry(note.name, note.text, note.ob) for note in level.notes]
    for told, owner in zip(report, level.owners, strict=True):
        places = {finding.line(): finding.place for finding in told.findings}
        for line in told.lines():
            text = line.removeprefix(f"{told.name}: ")
            entries.append(ReportEntry(told.name, text, owner, _in_units(places.get(text), scale)))
    return summary, tuple(entries)


def _in_units(place: tuple[float, float, float] | None, scale: float) -> tuple[float, float, float] | None:
    """Return a place (m) in Blender units."""
    return None if place is None else (place[0] / scale, place[1] / scale, place[2] / scale)
