"""From Blender to the core: the level's meshes, and what is to be said of each object that is left out or mended.

What the view layer shows is read through the dependency graph: modifiers applied, instances of collections and of
geometry nodes included. World matrices are baked into the vertices. Lengths become metres, as in `from_blender`.
"""

from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from ..core.mesh import TriMesh, check_mesh
from .from_blender import metres_per_unit
from .level_members import HIDDEN, LevelMembers
from .mesh_from_blender import MeshReader, Tell


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An object that is not part of the level, and why.

    `ob` is the object of the scene that brings it, and `source` the object itself. `is_meant` says whether somebody
    wants it so; what cannot be read is a fault.
    """

    name: str
    reason: str
    ob: str = ""
    source: str = ""
    is_meant: bool = True


@dataclass(frozen=True, slots=True)
class Note:
    """What was mended or is odd about an object of the level; `ob` brings `source` into the scene."""

    name: str
    text: str
    ob: str = ""
    source: str = ""
    is_mended: bool = False


@dataclass(frozen=True, slots=True)
class LevelMeshes:
    """The level as read: one mesh for each object or instance, what was left out, and what was mended.

    `owners` are the names of the scene's objects that bring the meshes, one for each: of an instance the instancer;
    `sources` those of the objects that are seen there.
    `places` (m, 4, 4) are the world matrices that were baked into the meshes, in Blender units.
    """

    meshes: tuple[TriMesh, ...]
    owners: tuple[str, ...]
    sources: tuple[str, ...]
    places: NDArray[np.float64]
    left_out: tuple[LeftOut, ...]
    notes: tuple[Note, ...]


def read_level(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> LevelMeshes:
    """Return the level's meshes in metres.

    With a level collection that is all it shows; without one, every visible mesh. The character and what hangs
    on it is never part of it. Objects that cannot be read are left out, and the rest is read.
    """
    members = LevelMembers.find(scene, depsgraph)
    reading = _Reading(members, metres_per_unit(scene))
    for row in depsgraph.object_instances:
        owner, source = owner_and_source(row)
        if row.object.type == "MESH" and members.may_be(owner, source) and row.show_self:
            reason = members.why_not_there(owner, row)
            if reason:
                reading.leave_out(name_in(owner, source), reason, owner, source)
            else:
                reading.add(owner, source, row.object, np.array(row.matrix_world, dtype=np.float64))
    for shape in members.hidden_shapes:
        evaluated, matrix = shape.source.evaluated_get(depsgraph), np.array(shape.matrix, dtype=np.float64)
        reading.add(shape.owner, shape.source, evaluated, matrix)
    for ob in members.hidden():
        reading.leave_out(ob.name, HIDDEN, ob, ob)
    return reading.result()


def owner_and_source(row: bpy.types.DepsgraphObjectInstance) -> tuple[bpy.types.Object, bpy.types.Object]:
    """Return the object that brings an instance into the scene, and the object that is seen there; often the same."""
    source = row.object.original
    return (row.parent.original if row.is_instance else source), source


def name_in(owner: bpy.types.Object, source: bpy.types.Object) -> str:
    """Return what an object is called where another brings it."""
    return source.name if owner == source else f"{source.name} in {owner.name}"


class _Reading:
    """What was read so far."""

    def __init__(self, members: LevelMembers, scale: float) -> None:
        self._members = members
        self._scale = scale
        self._reader = MeshReader()
        self._meshes: list[TriMesh] = []
        self._owners: list[str] = []
        self._sources: list[str] = []
        self._places: list[NDArray[np.float64]] = []
        self._left_out: dict[LeftOut, None] = {}  # in order, each once
        self._notes: list[Note] = []

    def leave_out(
        self, name: str, reason: str, owner: bpy.types.Object, source: bpy.types.Object, *, is_meant: bool = True
    ) -> None:
        self._left_out[LeftOut(name, reason, owner.name, source.name, is_meant)] = None

    def add(
        self,
        owner: bpy.types.Object,
        source: bpy.types.Object,
        evaluated: bpy.types.Object,
        matrix: NDArray[np.float64],
    ) -> None:
        """Read one object at one place, or leave it out."""
        name = name_in(owner, source)
        reason = self._members.why_not(owner, source)
        if reason:
            self.leave_out(name, reason, owner, source)
            return

        def note(text: str, *, is_mended: bool = False) -> None:
            self._notes.append(Note(name, text, owner.name, source.name, is_mended))

        try:
            placed = self._reader.read(evaluated, matrix, self._scale, note)
        except (RuntimeError, ValueError) as error:  # Blender has no mesh of it; whatever it is, the rest goes on
            self.leave_out(name, f"Blender gives no mesh of it: {error}", owner, source, is_meant=False)
            return
        if placed is None:
            # The mesh that nodes replaced by instances is empty; its instances come as rows of their own.
            if owner != source or not any(modifier.type == "NODES" for modifier in source.modifiers):
                self.leave_out(name, "it has no faces", owner, source)
        elif not len(placed[1]):
            self.leave_out(name, "every face has a corner that is no number", owner, source, is_meant=False)
        else:
            self._note_names(owner, source, evaluated, note)
            self._keep(self._mesh(name, owner, source, *placed), owner, source, matrix)

    def _keep(
        self, mesh: TriMesh, owner: bpy.types.Object, source: bpy.types.Object, matrix: NDArray[np.float64]
    ) -> None:
        try:
            check_mesh(mesh)
        except ValueError as error:
            self.leave_out(mesh.name, str(error).removeprefix(f"{mesh.name}: "), owner, source, is_meant=False)
            return
        self._meshes.append(mesh)
        self._owners.append(owner.name)
        self._sources.append(source.name)
        self._places.append(matrix)

    def _note_names(
        self,
        owner: bpy.types.Object,
        source: bpy.types.Object,
        evaluated: bpy.types.Object,
        note: Tell,
    ) -> None:
        text = self._members.note(owner, source)
        if text:
            note(text)
        if not evaluated.is_evaluated and source.modifiers:
            note("it is disabled in viewports, so its modifiers do not count: hide it by the eye instead")

    def _mesh(
        self,
        name: str,
        owner: bpy.types.Object,
        source: bpy.types.Object,
        vertices: NDArray[np.float64],
        triangles: NDArray[np.int64],
    ) -> TriMesh:
        chosen = source.levelwalk
        return TriMesh(
            vertices,
            triangles,
            name,
            mode=self._members.mode(owner, source),
            layer=chosen.layer,
            sides=chosen.sides,
            is_climbable=chosen.is_climbable,
            piece_error=chosen.piece_error * self._scale,
        )

    def result(self) -> LevelMeshes:
        places = np.reshape(self._places, (-1, 4, 4))
        owners, sources = tuple(self._owners), tuple(self._sources)
        return LevelMeshes(tuple(self._meshes), owners, sources, places, tuple(self._left_out), tuple(self._notes))
