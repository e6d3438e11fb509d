"""BuildReport: what became of each level object, and what its author can do about what was left out."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from .findings import Finding, counted

__all__ = ["BuildReport", "ObjectReport", "counted"]


@dataclass(frozen=True, slots=True)
class ObjectReport:
    """What became of one level object.

    Attributes
    ----------
    name : str
    hulls, faces : int
        Convex hulls made from it; convex faces that stay faces: triangles, or flat neighbours merged into one.
    triangles : int
        How many it came with.
    dropped_zero_area, dropped_duplicates, welded_vertices, unused_vertices : int
        Triangles without area; triangles with the corners of an earlier one; vertices at the place of another;
        vertices that no triangle uses.
    mended_zero_area : int
        Triangles without area that left no trace: those beside them took in their corners.
    hull_error : float, m
        How far the hulls of HULL and PARTS stand out from its surface, see `HullErrors`; 0 for all other modes.
    closed_openings : int
        How many doors, windows and other places they close.
    findings : tuple of Finding
        What was not done as asked, and what of the mesh may be wrong; each with the place and the remedy.
    is_left_out : bool
        It stops nobody: `reason` says why.
    reason : str
        Empty unless left out.
    """

    name: str
    hulls: int = 0
    faces: int = 0
    triangles: int = 0
    dropped_zero_area: int = 0
    mended_zero_area: int = 0
    dropped_duplicates: int = 0
    welded_vertices: int = 0
    unused_vertices: int = 0
    hull_error: float = 0.0
    closed_openings: int = 0
    findings: tuple[Finding, ...] = ()
    is_left_out: bool = False
    reason: str = ""

    def renamed(self, name: str) -> "ObjectReport":
        """Return the same of an object with another name."""
        findings = tuple(replace(finding, name=name) for finding in self.findings)
        return replace(self, name=name, findings=findings)

    def lines(self) -> list[str]:
        """Return a line for each thing that the object's author may want to know."""
        texts = [f"left out: {self.reason}"] if self.is_left_out else []
        return [f"{self.name}: {text}" for text in (*texts, *(finding.line() for finding in self.findings))]


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What became of all level objects, in their order; iterate for each `ObjectReport`."""

    objects: tuple[ObjectReport, ...] = ()

    def __iter__(self) -> Iterator[ObjectReport]:
        return iter(self.objects)

    def __len__(self) -> int:
        return len(self.objects)

    @property
    def hulls(self) -> int:
        """How many hulls were made."""
        return sum(entry.hulls for entry in self.objects)

    @property
    def faces(self) -> int:
        """How many convex faces stay faces."""
        return sum(entry.faces for entry in self.objects)

    @property
    def triangles(self) -> int:
        """How many triangles the level came with."""
        return sum(entry.triangles for entry in self.objects)

    @property
    def left_out(self) -> int:
        """How many objects stop nobody."""
        return sum(entry.is_left_out for entry in self.objects)

    def summary(self) -> str:
        """Return one line, such as "14 hulls and 3,120 faces from 12 objects; 1 left out"."""
        made = f"{counted(self.hulls, 'hull')} and {counted(self.faces, 'face')}"
        text = f"{made} from {counted(len(self) - self.left_out, 'object')}"
        return f"{text}; {self.left_out:,} left out" if self.left_out else text

    def lines(self) -> list[str]:
        """Return a line for each thing that was dropped, left out or done in another way, with the object's name."""
        return [line for entry in self.objects for line in entry.lines()]
