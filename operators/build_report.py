"""The build report: what the level became, and what is to be said of its objects: problems first."""

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import IntEnum

from ..core.colliders.build_report import BuildReport, counted
from ..core.colliders.findings import FindingKind
from .level_from_blender import LevelMeshes

MENDED = {FindingKind.ZERO_AREA, FindingKind.DUPLICATE}  # of these nobody has to do anything


class Weight(IntEnum):
    """How much an entry matters: the first matter most."""

    WARNING = 0  # something is not as its author thinks
    MENDED = 1  # something odd that the level is as good without
    LEFT_OUT = 2  # an object that is left out because somebody said so


@dataclass(frozen=True, slots=True)
class ReportEntry:
    """One thing that is to be said of an object of the level, and of all instances of it.

    Attributes
    ----------
    name : str
        The level object: of an instance with what brings it, of several with their number.
    text : str
        What happened, and the remedy.
    weight : Weight
    ob : str
        Name of the object that it is about, which may be in no view layer.
    bringer : str
        Name of the object that brings it into the scene; of several instances the first.
    place : tuple of three float, or None
        Where it is in the world, in Blender units, if that is one place.
    is_closing : bool
        Whether a hull closes an opening: what is walked through elsewhere stops the character.
    """

    name: str
    text: str
    weight: Weight
    ob: str = ""
    bringer: str = ""
    place: tuple[float, float, float] | None = None
    is_closing: bool = False

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
    entries = _together([*_at_reading(level), *_at_building(report, level, scale)])
    left_out = report.left_out + len(level.left_out)
    mended, warnings = (
        len({entry.ob for entry in entries if entry.weight is weight}) for weight in (Weight.MENDED, Weight.WARNING)
    )
    counts = [f"{left_out:,} left out"] * bool(left_out) + [f"{mended:,} mended"] * bool(mended)
    counts += [counted(warnings, "warning")] * bool(warnings)
    return "; ".join([summary, ", ".join(counts)] if counts else [summary]), entries


def tell_closed(entries: Iterable[ReportEntry]) -> str:
    """Say which colliders close openings, and the remedy; empty if none does."""
    names = list(dict.fromkeys(entry.name for entry in entries if entry.is_closing))
    if not names:
        return ""
    if len(names) == 1:
        return f"the collider of “{names[0]}” closes an opening: choose “Convex Pieces” or “Faces” for it"
    others = counted(len(names) - 1, "more object")
    return f"the colliders of “{names[0]}” and {others} close openings: choose “Convex Pieces” or “Faces” for them"


Said = tuple[Hashable, ReportEntry]  # the same of two instances is one thing


def _at_reading(level: LevelMeshes) -> Iterator[Said]:
    for left in level.left_out:
        weight, text = Weight.LEFT_OUT if left.is_meant else Weight.WARNING, f"left out: {left.reason}"
        yield text, ReportEntry(left.name, text, weight, left.source or left.ob, left.ob)
    for note in level.notes:
        weight = Weight.MENDED if note.is_mended else Weight.WARNING
        yield note.text, ReportEntry(note.name, note.text, weight, note.source or note.ob, note.ob)


def _at_building(report: BuildReport, level: LevelMeshes, scale: float) -> Iterator[Said]:
    for told, owner, source in zip(report, level.owners, level.sources, strict=True):
        if told.is_left_out:  # nobody asked for that: who did was left out at reading
            text = f"left out: {told.reason}"
            yield text, ReportEntry(told.name, text, Weight.WARNING, source, owner)
        for finding in told.findings:
            is_mended = finding.kind in MENDED and not told.is_left_out
            weight = Weight.MENDED if is_mended else Weight.WARNING
            x, y, z = finding.place
            place = x / scale, y / scale, z / scale
            is_closing = finding.kind is FindingKind.CLOSED
            yield finding.kind, ReportEntry(told.name, finding.line(), weight, source, owner, place, is_closing)


def _together(said: Iterable[Said]) -> tuple[ReportEntry, ...]:
    """Return what is said of several instances once, what is said of one object in a row, and problems first."""
    objects: dict[tuple[str, bool], dict[Hashable, list[ReportEntry]]] = {}
    for what, entry in said:
        # An object that is left out as it is, and has instances that are not, is in both lists.
        key = entry.ob, entry.weight is Weight.LEFT_OUT
        objects.setdefault(key, {}).setdefault(what, []).append(entry)
    rows = [_of_one_object(list(told.values())) for told in objects.values()]
    rows.sort(key=lambda row: row[0].weight)
    return tuple(entry for row in rows for entry in row)


def _of_one_object(told: list[list[ReportEntry]]) -> list[ReportEntry]:
    """Return the entries of one object, from those of its instances for each thing that is said."""
    names = {entry.name for entries in told for entry in entries}
    count = max(len(names), *(len(entries) for entries in told))
    first = told[0][0]
    name = first.name if count == 1 else f"{first.ob} ({count:,} instances)"
    return sorted((replace(entries[0], name=name) for entries in told), key=lambda entry: entry.weight)
