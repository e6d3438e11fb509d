"""Collider overlay: the colliders that were built, drawn over the level in every 3D View.

What is sent to the graphics card is made once for a build, and again only when the colours change.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import bpy
import gpu
import numpy as np
from bpy.app.handlers import persistent
from gpu_extras.batch import batch_for_shader
from mathutils import Vector
from numpy.typing import NDArray

from ..core.surfaces import find_outlines, find_roles, find_surfaces
from ..core.world import World
from ..operators.built_level import BuiltLevel, built_level, is_stale
from ..operators.collider_colours import ROLES, SURFACES, Colour
from ..operators.from_blender import metres_per_unit, read_slope_limit

FILL, EDGE = 0.35, 0.90  # opacity of faces and edges
FILL_BEHIND, EDGE_BEHIND = 0.03, 0.14  # where something is in front of them
STALE = 0.4  # of these, when the level has changed since
EDGE_WIDTH = 1.5  # pixels
# Of the distance to the eye: how much is drawn nearer than it is, to be in front of the level itself. A line is as wide
# as some pixels, and ground that comes towards the eye is nearer within that width.
FILL_NEARER, EDGE_NEARER = 1e-3, 3e-3
CHUNK = 1 << 17  # triangles or edges that are sent to the graphics card at once
MOST_EDGES = 60_000  # drawn; more would be a blot

Batches = dict[Colour, list[gpu.types.GPUBatch]]


@dataclass(frozen=True, slots=True, eq=False)
class _Drawn:
    """What is on the graphics card, of which build and coloured by what."""

    scene: str
    world: World
    colours: object
    middle: Vector  # of the level, in Blender units: positions are relative to it, because they are in single precision
    faces: Batches
    edges: Batches


_handle: object = None
_drawn: _Drawn | None = None


def register() -> None:
    """Begin to draw."""
    global _handle
    _handle = bpy.types.SpaceView3D.draw_handler_add(_draw, (), "WINDOW", "POST_VIEW")
    bpy.app.handlers.load_post.append(_forget)


def unregister() -> None:
    """Draw no more, and free the graphics card."""
    global _handle
    bpy.app.handlers.load_post.remove(_forget)
    bpy.types.SpaceView3D.draw_handler_remove(_handle, "WINDOW")
    _handle = None
    _forget()


@persistent
def _forget(*_: object) -> None:
    global _drawn
    _drawn = None


def _draw() -> None:
    context = bpy.context
    if context.space_data.overlay.show_overlays:
        draw_colliders(context.scene, context.region_data.view_distance)


def draw_colliders(scene: bpy.types.Scene, view_distance: float) -> None:
    """Draw the colliders built for a scene, if it wants them shown, with the view and the target that are bound.

    `view_distance` is how far away that is what one looks at, in Blender units; it counts in parallel views alone.
    """
    built = built_level(scene)
    if built is None or not scene.levelwalk.show_colliders:
        if _drawn is not None and _drawn.scene == scene.name:
            _forget()
        return
    drawn = _up_to_date(scene, built)
    strength = STALE if is_stale() else 1.0
    gpu.state.blend_set("ALPHA")
    was_written = gpu.state.depth_mask_get()
    gpu.state.depth_mask_set(False)
    with gpu.matrix.push_pop():
        gpu.matrix.translate(drawn.middle)
        for test, fill, edge in (("GREATER", FILL_BEHIND, EDGE_BEHIND), ("LESS_EQUAL", FILL, EDGE)):
            gpu.state.depth_test_set(test)
            with _nearer(FILL_NEARER, view_distance):
                _draw_batches(drawn.faces, "UNIFORM_COLOR", fill * strength)
            with _nearer(EDGE_NEARER, view_distance):
                _draw_batches(drawn.edges, "POLYLINE_UNIFORM_COLOR", edge * strength)
    gpu.state.depth_mask_set(was_written)
    gpu.state.depth_test_set("NONE")
    gpu.state.blend_set("NONE")


def _draw_batches(batches: Batches, shader_name: str, opacity: float) -> None:
    shader = gpu.shader.from_builtin(shader_name)
    shader.bind()
    if shader_name.startswith("POLYLINE"):
        shader.uniform_float("viewportSize", gpu.state.viewport_get()[2:])
        shader.uniform_float("lineWidth", EDGE_WIDTH * bpy.context.preferences.system.ui_scale)
    for colour, chunks in batches.items():
        shader.uniform_float("color", (*colour, opacity))
        for batch in chunks:
            batch.draw(shader)


@contextmanager
def _nearer(share: float, view_distance: float) -> Iterator[None]:
    """Draw nearer to the eye: only the depth changes, not the place on the screen."""
    projection = gpu.matrix.get_projection_matrix()
    if projection[3][3]:  # parallel: depth is even in the distance
        projection[2][3] += projection[2][2] * share * view_distance
    else:
        projection[2][3] *= 1 + share
    with gpu.matrix.push_pop_projection():
        gpu.matrix.load_projection_matrix(projection)
        yield


def _up_to_date(scene: bpy.types.Scene, built: BuiltLevel) -> _Drawn:
    """Return what is drawn of a build, made anew if the build or the colours are others."""
    global _drawn
    scale = metres_per_unit(scene)
    by_surface = scene.levelwalk.colour_by == "SURFACE"
    colours = scale, read_slope_limit(scene) if by_surface else None
    if _drawn is None or _drawn.world is not built.world or _drawn.colours != colours:
        world = built.world
        if by_surface:
            classes = find_surfaces(world.features, read_slope_limit(scene))
        else:
            classes = find_roles(world.colliders, world.climbable)
        middle = world.bounds.mean(axis=0)
        palette = {int(kind): colour for kind, (_, colour) in (SURFACES if by_surface else ROLES).items()}
        faces = _face_batches(world, classes, palette, middle, scale)
        edges = _edge_batches(world, classes, palette, middle, scale)
        _drawn = _Drawn(scene.name, world, colours, Vector(middle / scale), faces, edges)
    return _drawn


def _face_batches(
    world: World, classes: NDArray[np.int8], palette: dict[int, Colour], middle: NDArray[np.float64], scale: float
) -> Batches:
    layout = gpu.types.GPUVertFormat()
    layout.attr_add(id="pos", comp_type="F32", len=3, fetch_mode="FLOAT")
    vertices = ((world.colliders.vertices - middle) / scale).astype(np.float32)
    buffer = gpu.types.GPUVertBuf(layout, len(vertices))
    buffer.attr_fill("pos", vertices)
    batches: Batches = {}
    for kind, colour in palette.items():
        triangles = np.ascontiguousarray(world.colliders.triangles[classes == kind], dtype=np.uint32)
        for chunk in _chunks(triangles):
            corners = gpu.types.GPUIndexBuf(type="TRIS", seq=chunk)
            batches.setdefault(colour, []).append(gpu.types.GPUBatch(type="TRIS", buf=buffer, elem=corners))
    return batches


def _edge_batches(
    world: World, classes: NDArray[np.int8], palette: dict[int, Colour], middle: NDArray[np.float64], scale: float
) -> Batches:
    shader = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
    lines, line_classes = find_outlines(world.features, classes, MOST_EDGES)
    lines = ((lines - middle) / scale).astype(np.float32)
    batches: Batches = {}
    for kind, colour in palette.items():
        for chunk in _chunks(lines[line_classes == kind]):
            batch = batch_for_shader(shader, "LINES", {"pos": chunk.reshape(-1, 3)})
            batches.setdefault(colour, []).append(batch)
    return batches


def _chunks(rows: NDArray) -> Iterator[NDArray]:
    return (rows[first : first + CHUNK] for first in range(0, len(rows), CHUNK))
