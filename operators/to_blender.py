"""From the core to Blender: keyframes, mesh objects, takes to keep, and settings in the scene's units.

Everything here is given metres and writes Blender units; `from_blender` says how the two go together.
"""

import math
from collections.abc import Iterable
from dataclasses import fields
from enum import Enum

import bmesh
import bpy
import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.mesh import TriMesh
from ..core.settings import Settings
from .baked_action import Channels, all_curves, assign_action, baked_before
from .freedom import check_curves, check_free, check_locks
from .from_blender import as_typed, metres_per_unit
from .stance import Stance, parent_frame
from .take import Take
from .units import LENGTHS, SWITCHED_OFF, switch_of

LOCATION_GROUP, ROTATION_GROUP = "Location", "Rotation"
LINEAR = 1  # Blender's number of straight interpolation between keys
SINGLE = 1e-6  # of a number: Blender keeps some seven digits
FLAT = 1e-3  # rad; triangles that lean less against each other are one side
LAST_FRAME_SLACK = 1e-6  # frames; a walk of 2 s at 24 frames ends on frame 48, whatever the rounding


def keep_take(scene: bpy.types.Scene, take: Take) -> bpy.types.PropertyGroup:
    """Add a take to those of the scene, under a name of its own, and make it the active one."""
    group = scene.levelwalk
    names = {item.name for item in group.takes}
    item = group.takes.add()
    item.name = next(name for name in (f"Walk {i}" for i in range(1, len(names) + 2)) if name not in names)
    item.content = take.pack()
    item.duration = take.duration
    item.distance = take.distance / metres_per_unit(scene)
    group.active_take = len(group.takes) - 1
    return item


def fit_settings(scene: bpy.types.Scene) -> None:
    """Give every length that still has its default that default in the scene's units, which may have changed.

    A property's default is a plain number: without this a character would be 1.8 cm tall in a scene in centimetres.
    """
    group = scene.levelwalk
    if metres_per_unit(scene) != as_typed(group.fitted_scale):
        reset_lengths(scene, [name for name in LENGTHS if _is_untouched(group, name)])


def reset_lengths(scene: bpy.types.Scene, names: Iterable[str] = LENGTHS) -> None:
    """Give lengths, and what is measured in them by the second, their defaults in the scene's units."""
    group = scene.levelwalk
    scale = metres_per_unit(scene)
    for name in names:
        setattr(group, name, group.bl_rna.properties[name].default / scale)
    group.fitted_scale = scale


def _is_untouched(group: bpy.types.PropertyGroup, name: str) -> bool:
    fitted = group.bl_rna.properties[name].default / as_typed(group.fitted_scale)
    return not group.is_property_set(name) or math.isclose(getattr(group, name), fitted, rel_tol=SINGLE)


def write_settings(scene: bpy.types.Scene, settings: Settings) -> None:
    """Make `settings` those of the scene, in its units. What is switched off keeps the number that it had."""
    group = scene.levelwalk
    scale = metres_per_unit(scene)
    for name in (field.name for field in fields(Settings) if hasattr(group, field.name)):
        value = getattr(settings, name)
        if name in SWITCHED_OFF:
            is_on = value != SWITCHED_OFF[name]
            setattr(group, switch_of(name), is_on)
            if not is_on:
                continue
        if name in LENGTHS:
            value = value / scale
        setattr(group, name, value.value if isinstance(value, Enum) else value)
    group.fitted_scale = scale


def frames_per_second(scene: bpy.types.Scene) -> float:
    """Return the scene's frame rate."""
    return scene.render.fps / scene.render.fps_base


def bake_take(
    scene: bpy.types.Scene, character: bpy.types.Object, take: Take, name: str, start: int
) -> tuple[bpy.types.Action, int]:
    """Write a take as keyframes of location and heading, one a frame, and return the action and the last frame.

    Parameters
    ----------
    scene : Scene
        Its frame rate and units count; its current frame is kept.
    character : Object
        Local and free to be animated. An action that an earlier bake made under this name is written over, unless
        something else uses it; every other one is left as it is.
    take : Take
    name : str
        Of the action.
    start : int
        Frame of the first key.

    Raises
    ------
    ValueError
        If the character is not free: linked, locked, driven, or in the NLA's tweak mode. Nothing is changed then.
    """
    check_free(character)
    rate = frames_per_second(scene)
    frames = np.arange(start, start + int(np.ceil(take.duration * rate - LAST_FRAME_SLACK)) + 1)
    places, headings = take.at((frames - start) / rate)
    stance = Stance.of(character)
    locations, rotations = _channels(scene, character, stance, frames, places / metres_per_unit(scene), headings)
    tracks = ("location", locations, LOCATION_GROUP), (stance.rotation_path, rotations, ROTATION_GROUP)
    for path, values, _ in tracks:
        check_locks(character, path, values)
    action = baked_before(character, name)
    if action is not None:
        check_curves(action, all_curves(action), {path for path, _, _ in tracks})
    action, fcurves, groups = assign_action(character, action, name)
    for path, values, group in tracks:
        for index, channel in enumerate(values.T):
            _write_keys(fcurves, groups, path, index, frames, channel, group)
    scene.frame_set(scene.frame_current, subframe=scene.frame_subframe)
    return action, int(frames[-1])


def _channels(
    scene: bpy.types.Scene,
    character: bpy.types.Object,
    stance: Stance,
    frames: NDArray[np.int64],
    places: NDArray[np.float64],
    headings: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the object's location (k, 3) and rotation (k, 3 or 4) channels of k frames."""
    now = scene.frame_current, scene.frame_subframe
    frame_matrix = parent_frame(character)
    rotation = None
    now_rotation = np.array(getattr(character, stance.rotation_path), dtype=np.float64)
    locations, rotations = [], []
    for frame, place, heading in zip(frames.tolist(), places, headings.tolist(), strict=True):
        if character.parent is not None:  # it may move
            scene.frame_set(frame)
            frame_matrix = parent_frame(character)
        if rotation is None:
            rotation = stance.first_turned(heading, frame_matrix, now_rotation)
        else:
            rotation = stance.turned(heading, frame_matrix, rotation)
        locations.append(stance.location(place, frame_matrix))
        rotations.append(rotation)
    if character.parent is not None:
        scene.frame_set(now[0], subframe=now[1])
    return np.array(locations), np.array(rotations)


def _write_keys(
    fcurves: Channels,
    groups: Channels,
    path: str,
    index: int,
    frames: NDArray[np.int64],
    values: NDArray[np.float64],
    group: str,
) -> None:
    """Replace all keys of one channel by straight ones."""
    curve = fcurves.find(path, index=index) or fcurves.new(path, index=index)
    if curve.group is None:
        curve.group = groups.get(group) or groups.new(group)
    points = curve.keyframe_points
    points.clear()
    points.add(len(frames))
    points.foreach_set("co", np.column_stack([frames, values]).astype(np.float32).ravel())
    points.foreach_set("interpolation", np.full(len(frames), LINEAR, np.int32))
    curve.update()


def add_mesh_objects(
    scene: bpy.types.Scene, collection: bpy.types.Collection, meshes: Iterable[TriMesh]
) -> list[bpy.types.Object]:
    """Add the meshes as objects, each with its origin at the middle of its lowest side."""
    scale = metres_per_unit(scene)
    return [_add_mesh_object(collection, mesh, scale) for mesh in meshes]


def _add_mesh_object(collection: bpy.types.Collection, mesh: TriMesh, scale: float) -> bpy.types.Object:
    vertices = mesh.vertices / scale
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    origin = np.array([*(low[:2] + high[:2]) / 2, low[2]])
    content = bpy.data.meshes.new(mesh.name)
    content.from_pydata((vertices - origin).tolist(), [], mesh.triangles.tolist())
    _join_flat_faces(content)
    ob = bpy.data.objects.new(mesh.name, content)
    ob.location = origin.tolist()
    collection.objects.link(ob)
    return ob


def _join_flat_faces(content: bpy.types.Mesh) -> None:
    """Make one face of the triangles of each flat side, which is easier to edit."""
    sides = bmesh.new()
    sides.from_mesh(content)
    bmesh.ops.dissolve_limit(sides, angle_limit=FLAT, verts=sides.verts, edges=sides.edges)
    sides.to_mesh(content)
    sides.free()


def add_empty(
    collection: bpy.types.Collection, name: str, place: ArrayLike, display_type: str, size: float
) -> bpy.types.Object:
    """Add an empty at `place` (3,), in Blender units."""
    ob = bpy.data.objects.new(name, None)
    ob.empty_display_type = display_type
    ob.empty_display_size = size
    ob.location = np.asarray(place).tolist()
    collection.objects.link(ob)
    return ob


def default_in(scene: bpy.types.Scene, name: str) -> float:
    """Return the default of a length setting, in the scene's units."""
    return getattr(Settings(), name) / metres_per_unit(scene)
