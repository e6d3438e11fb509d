"""From Blender to the core: the settings, the character's place, the level's meshes, and kept takes.

Units. The core is in metres. Blender's lengths, and with them speeds and accelerations, are in units of which the
scene says how many metres they are (`unit_settings.scale_length`); that holds for the vertices and for every number
in the panel. All of them are multiplied by that scale here, and divided by it in `to_blender`.

Level. What the view layer shows is read through the dependency graph: modifiers applied, instances of collections
and of geometry nodes included. World matrices are baked into the vertices.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ..core.mesh import ColliderMode, TriMesh
from ..core.settings import Settings
from .family import family_of
from .take import Take
from .units import LENGTHS, SWITCHED_OFF, UNITS, Unit, switch_of

DRAWN_AS_LINES = {"WIRE", "BOUNDS"}
UPRIGHT = 0.5  # of the length of local Y: what is level of it when it is 30 degrees from the vertical


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An object that is not part of the level, and why."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class LevelMeshes:
    """The level as read: one mesh for each object or instance, what was left out, and what was mended."""

    meshes: tuple[TriMesh, ...]
    left_out: tuple[LeftOut, ...]
    notes: tuple[str, ...]


def metres_per_unit(scene: bpy.types.Scene) -> float:
    """Return how many metres one Blender unit of the scene is."""
    units = scene.unit_settings
    return 1.0 if units.system == "NONE" else as_typed(units.scale_length)


def as_typed(value: float) -> float:
    """Return the shortest decimal that Blender's single precision holds as `value`: 0.3, not 0.30000001192."""
    return float(str(np.float32(value)))


def read_settings(scene: bpy.types.Scene) -> Settings:
    """Return the scene's settings in metres.

    Raises
    ------
    ValueError
        If they make no character; the message names the setting.
    """
    group = scene.levelwalk
    scale = metres_per_unit(scene)
    names = (field.name for field in fields(Settings) if hasattr(group, field.name))
    return Settings(**{name: _read_setting(group, name, scale) for name in names})


def read_slope_limit(scene: bpy.types.Scene) -> float:
    """Return the steepest ground that carries the character, rad; also where the settings together make none."""
    limit: float = _read_setting(scene.levelwalk, "slope_limit", metres_per_unit(scene))
    return limit


def _read_setting(group: bpy.types.PropertyGroup, name: str, scale: float) -> Any:
    """Return one setting as the core wants it."""
    if name in SWITCHED_OFF and not getattr(group, switch_of(name)):
        return SWITCHED_OFF[name]
    value = getattr(group, name)
    if name in LENGTHS:
        return as_typed(as_typed(value) * scale)
    if UNITS.get(name) is Unit.ANGLE:
        # Angles are typed in degrees and kept in radians: ten-thousandths of a degree are beyond single precision.
        return math.radians(round(math.degrees(value), 4))
    if name in UNITS:
        return as_typed(value)
    return tuple(value) if name == "plane_lock" else value


def read_take(item: bpy.types.PropertyGroup) -> Take:
    """Return a take kept in the file. ValueError, naming it, if it is damaged."""
    try:
        return Take.unpack(item.content)
    except ValueError as error:
        raise ValueError(f"“{item.name}” cannot be read: {error}") from error


def heading_of(matrix: NDArray[np.float64]) -> float:
    """Return the rotation about Z of a world matrix (4, 4), rad: where its local -Y looks.

    Where that is up or down, as of models that were made with Y up and turned by 90 degrees about X, it is where -Y
    would look after the turn about X that makes local Z upright.
    """
    front = -matrix[:2, 1]
    if np.linalg.norm(front) < UPRIGHT * np.linalg.norm(matrix[:3, 1]):
        front = matrix[:2, 2] if matrix[2, 1] > 0 else -matrix[:2, 2]
    return math.atan2(front[0], -front[1]) if np.any(front) else 0.0


def read_place(character: bpy.types.Object) -> tuple[NDArray[np.float64], float]:
    """Return where the character stands: its origin (3,) in Blender units, and its heading, rad.

    Ask for the evaluated dependency graph first: only that brings world matrices up to date.
    """
    matrix = np.array(character.matrix_world, dtype=np.float64)
    return matrix[:3, 3], heading_of(matrix)


def is_solid(ob: bpy.types.Object) -> bool:
    """Say whether an object is a mesh, or nodes may make it one."""
    return ob.type == "MESH" or any(modifier.type == "NODES" for modifier in ob.modifiers)


def read_level(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> LevelMeshes:
    """Return the level's meshes in metres.

    With a level collection that is all it shows; without one, every visible mesh. The character and what hangs
    on it is never part of it.
    """
    group = scene.levelwalk
    chosen = None if group.level is None else set(group.level.all_objects)
    family = family_of(group.character)
    scale = metres_per_unit(scene)
    reader = _Reader()
    for row in depsgraph.object_instances:
        source = row.object.original
        owner = row.parent.original if row.is_instance else source
        if row.object.type != "MESH" or owner in family or source in family:
            continue
        if chosen is not None and owner not in chosen:
            continue
        name = source.name if owner == source else f"{source.name} in {owner.name}"
        reason = _why_not_level(source, is_chosen=chosen is not None)
        if reason:
            reader.leave_out(name, reason)
        elif row.show_self:
            reader.read(row, name, scale)
    for ob in chosen or ():
        if ob.type == "MESH" and ob not in family and not ob.visible_get():
            reader.leave_out(ob.name, "it is hidden")
    return LevelMeshes(tuple(reader.meshes), tuple(reader.left_out), tuple(reader.notes))


def _why_not_level(source: bpy.types.Object, *, is_chosen: bool) -> str:
    """Say why a visible object is not part of the level; empty if it is. Of a chosen collection nearly all is."""
    if source.levelwalk.collider == ColliderMode.NONE.value:
        return "its collider is set to none"
    if is_chosen:
        return ""
    if source.display_type in DRAWN_AS_LINES:
        return "it is drawn as lines, as cutters are: choose a level collection that holds it to use it"
    if not is_solid(source):
        return f"it is a {source.type.lower()} object: choose a level collection that holds it to use it"
    return ""


class _Reader:
    """Meshes read so far. A mesh that many instances share is read from Blender once."""

    def __init__(self) -> None:
        self.meshes: list[TriMesh] = []
        self.left_out: list[LeftOut] = []
        self.notes: list[str] = []
        self._read: dict[int, tuple[NDArray[np.float64], NDArray[np.int32]]] = {}

    def leave_out(self, name: str, reason: str) -> None:
        if LeftOut(name, reason) not in self.left_out:
            self.left_out.append(LeftOut(name, reason))

    def read(self, row: bpy.types.DepsgraphObjectInstance, name: str, scale: float) -> None:
        local, triangles = self._arrays(row.object)
        if not len(triangles):
            # The mesh that nodes replaced by instances is empty; its instances come as rows of their own.
            if row.is_instance or not any(modifier.type == "NODES" for modifier in row.object.original.modifiers):
                self.leave_out(name, "it has no faces")
            return
        matrix = np.array(row.matrix_world, dtype=np.float64)
        with np.errstate(invalid="ignore", over="ignore"):
            vertices = (local @ matrix[:3, :3].T + matrix[:3, 3]) * scale
            turn = np.linalg.det(matrix[:3, :3])
        if turn < 0:  # a mirrored mesh would show its inside
            triangles = triangles[:, ::-1]
        if turn == 0:
            self.notes.append(f"{name}: an axis has scale 0, so it is flat")
        is_broken = np.logical_not(np.isfinite(vertices).all(axis=1))
        if is_broken.any():
            is_sound = np.logical_not(is_broken[triangles].any(axis=1))
            self.notes.append(
                f"{name}: {np.count_nonzero(~is_sound)} triangles with corners that are no numbers dropped"
            )
            vertices, triangles = _without_rest(vertices, triangles[is_sound])
        if len(triangles):
            chosen = row.object.original.levelwalk
            self.meshes.append(
                TriMesh(
                    vertices,
                    triangles,
                    name,
                    mode=chosen.collider,
                    layer=chosen.layer,
                    is_climbable=chosen.is_climbable,
                )
            )
        else:
            self.leave_out(name, "every face has a corner that is no number")

    def _arrays(self, evaluated: bpy.types.Object) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
        key = evaluated.data.as_pointer()
        if key not in self._read:
            # In Edit Mode the evaluated mesh itself is still empty; to_mesh fills it.
            self._read[key] = mesh_arrays(evaluated.to_mesh())
            evaluated.to_mesh_clear()
        return self._read[key]


def mesh_arrays(mesh: bpy.types.Mesh) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """Return the vertices (v, 3), in the mesh's own axes, and triangles (t, 3) of a Blender mesh."""
    vertices = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", vertices)
    triangles = np.empty(3 * len(mesh.loop_triangles), dtype=np.int32)
    mesh.loop_triangles.foreach_get("vertices", triangles)
    return vertices.reshape(-1, 3).astype(np.float64), triangles.reshape(-1, 3)


def _without_rest(
    vertices: NDArray[np.float64], triangles: NDArray[np.int32]
) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """Return only those vertices that a triangle uses, and the triangles counted anew."""
    used, corners = np.unique(triangles, return_inverse=True)
    return vertices[used], corners.reshape(-1, 3).astype(np.int32)


def walkable_objects(scene: bpy.types.Scene, view_layer: bpy.types.ViewLayer) -> Iterator[bpy.types.Object]:
    """Yield the visible objects that may bring meshes into the level; quick, and so a little generous."""
    group = scene.levelwalk
    family = family_of(group.character)
    for ob in view_layer.objects if group.level is None else group.level.all_objects:
        is_source = is_solid(ob) or ob.instance_type == "COLLECTION" or (group.level is not None and ob.type != "EMPTY")
        if is_source and ob not in family and ob.visible_get(view_layer=view_layer):
            yield ob
