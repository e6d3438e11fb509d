"""Findings: what the author of a level object may want to know, with the place and the remedy.

What the author can choose is called as in the menus, in curly quotes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import ArrayLike

from ..mesh import ColliderMode, TriMesh
from .hull import NO_SURFACE
from .lost_shape import Shape
from .solid_pieces import PieceTrouble


class FindingKind(Enum):
    """What was found."""

    ZERO_AREA = "ZERO_AREA"  # triangles that were dropped, because they have no area
    DUPLICATE = "DUPLICATE"  # triangles that were dropped, because they are there already
    NO_HULL = "NO_HULL"  # parts that were to be a hull and stay faces
    NO_PIECES = "NO_PIECES"  # parts that were to be cut into pieces and stay faces
    CLOSED = "CLOSED"  # openings that a hull closes
    NO_INSIDE = "NO_INSIDE"  # parts that were to be solid, but are not closed
    CROWDED = "CROWDED"  # edges of three faces or more, where one-sided faces or an inside were asked for
    MIXED = "MIXED"  # edges whose one-sided faces look to different sides


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found at a level object.

    Attributes
    ----------
    name : str
        The object's.
    kind : FindingKind
    count : int
        How many there are.
    place : three float, m
        Where the first of them is, in world space.
    words : str
        What it is.
    remedy : str
        What its author can do.
    """

    name: str
    kind: FindingKind
    count: int
    place: tuple[float, float, float]
    words: str
    remedy: str

    def line(self) -> str:
        """Return it in one line, without the object's name."""
        return f"{self.words}; {self.remedy}"


def counted(count: int, noun: str) -> str:
    """Return "1 face", "3,120 faces"."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def find(name: str, kind: FindingKind, count: int, place: ArrayLike, words: str, remedy: str) -> Finding:
    """Return a finding at a place (3,)."""
    x, y, z = np.asarray(place, float).tolist()
    return Finding(name, kind, count, (x, y, z), words, remedy)


def tell_dropped(mesh: TriMesh, kind: FindingKind, count: int, place: ArrayLike) -> Finding:
    """Say how many triangles of a mesh were dropped. Not every object is a mesh that can be edited."""
    it = "it" if count == 1 else "them"
    if kind is FindingKind.ZERO_AREA:
        words = f"dropped {counted(count, 'triangle')} without area"
        remedy = f"in a mesh, “Degenerate Dissolve” is rid of {it}"
    else:
        words = f"dropped {counted(count, 'duplicate triangle')}"
        remedy = f"in a mesh, “Merge by Distance” and deleting the doubled faces is rid of {it}"
    shape = Shape.of(mesh)
    if shape.too_far:
        remedy = f"move the object nearer to the origin: {shape.distance()} away, rounding takes its shape"
    elif shape.is_flat:
        remedy = f"the object is flat: give it a thickness, if it is to have one; {remedy}"
    return find(mesh.name, kind, count, place, words, remedy)


def tell_edges(mesh: TriMesh, kind: FindingKind, count: int, place: ArrayLike) -> Finding:
    """Say which edges of a mesh are wrong for what it asks for."""
    edges, has = counted(count, "edge"), "has" if count == 1 else "have"
    if kind is FindingKind.CROWDED:
        words = f"{edges} {has} three faces or more, so that no side is the outside"
        return find(
            mesh.name, kind, count, place, words, "delete the faces inside (Select > All by Trait > Interior Faces)"
        )
    words = f"at {edges} the faces look to different sides, so that they count from different sides"
    return find(mesh.name, kind, count, place, words, "recalculate the normals, or set “Sides” to “Both”")


def tell_trouble(mesh: TriMesh, kind: FindingKind, reasons: Sequence[str], place: ArrayLike) -> Finding:
    """Say which parts of a mesh did not become what it asks for, for `reasons` of one part each."""
    parts, why = counted(len(reasons), "part"), ", ".join(sorted(set(reasons)))
    has = "has" if len(reasons) == 1 else "have"
    if kind is FindingKind.NO_INSIDE:
        words = f"{parts} {has} no inside, because the surface is not closed, so the faces count from the front"
        return find(mesh.name, kind, len(reasons), place, words, "fill the holes, or set “Sides” to “Both”")
    if kind is FindingKind.NO_HULL:
        what = "no hull" if mesh.mode is ColliderMode.HULL else f"{parts} without a hull"
        remedy = "simplify it" if NO_SURFACE in reasons else "give it a thickness"
    else:
        what = f"{parts} not cut into pieces"
        remedy = next(REMEDIES[trouble] for trouble in PieceTrouble if trouble.value in reasons)
    words = f"{what}, because {why}, so the faces stay as they are"
    return find(mesh.name, kind, len(reasons), place, words, f"{remedy}, or choose “Faces”")


def tell_covering(mesh: TriMesh, error: float, openings: int, place: ArrayLike) -> Finding:
    """Say how far the hulls of a mesh stand out from it, and that they close openings."""
    its = "its hull stands" if mesh.mode is ColliderMode.HULL else "its hulls stand"
    close = "closes" if mesh.mode is ColliderMode.HULL else "close"
    what = "an opening" if openings == 1 else counted(openings, "opening")
    words = f"{its} out by up to {error:.2f} m and {close} {what}"
    return find(mesh.name, FindingKind.CLOSED, openings, place, words, "choose “Convex Pieces” or “Faces”")


REMEDIES = {
    PieceTrouble.OPEN: "fill the holes (Select > All by Trait > Non Manifold shows them)",
    PieceTrouble.CROSSING: "join what overlaps with a Boolean modifier",
    PieceTrouble.MANY: "allow a larger “Error”, or model fewer details",
}
