"""A picture of a walk: the path, coloured by what carries the character, over the level."""

import math
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path

import bpy
import numpy as np
from mathutils import Euler, Matrix, Vector
from numpy.typing import NDArray

from levelwalk.core import Settings, Support
from levelwalk.operators.level_from_blender import read_level

from .cutaway import area_of, area_of_object, cut_open, hidden, is_indoors
from .tubes import Mesh, capsule, join, tube

SIZE = (1280, 720)
MARGIN = 8.0  # m of level to show around the path
THICKNESS = 0.0019  # of the path, in distances of the eye
LIFT = 0.12  # m, of the path above the feet, so that the ground does not swallow it
CAPSULE_EVERY = 60  # steps
OPEN_ABOVE = 0.4  # m over the character's head at which rooms are cut open
HIDDEN = 0.4  # share of the path behind walls and roofs from which on it is drawn in front of them

BACKGROUND = (0.80, 0.86, 0.92)
GROUND = (0.95, 0.95, 0.93, 1.0)
LEVEL = (0.60, 0.70, 0.84, 1.0)
CARD = (0.98, 0.98, 0.98, 1.0)
CAPSULE = (0.98, 0.70, 0.22, 1.0)
STATES = {
    Support.GROUNDED: ("on the ground", (0.00, 0.17, 0.55, 1.0)),
    Support.AIRBORNE: ("in the air", (0.85, 0.10, 0.30, 1.0)),
    Support.STEEP: ("on steep ground", (0.45, 0.10, 0.65, 1.0)),
}
VIEW = Euler((math.radians(40), 0, math.radians(-16)))  # from above and the south


def draw(
    path: NDArray[np.float64],
    support: NDArray[np.int8],
    settings: Settings,
    frame: NDArray[np.float64],
    scale: float,
    file: Path,
    left_out: Collection[str] = (),
) -> None:
    """Add path, capsules and camera to the scene, in a collection of their own, and write the picture.

    Parameters
    ----------
    path : (s, 3) float, m
        Feet.
    support : (s,) int of Support
    settings : Settings
    frame : (2, 3) float, m
        Lowest and highest corner of what the picture must show.
    scale : float
        Metres a Blender unit.
    file : Path
    left_out : names
        Objects that are not drawn: they stop nobody.
    """
    scene = bpy.context.scene
    unseen = [ob for ob in scene.objects if ob.name in left_out]
    with hidden(unseen):
        colour_level(unseen)
        if is_indoors(path[::10] / scale + [0, 0, settings.height / scale]):
            level = [ob for ob in scene.objects if ob not in unseen]
            with add_cut_level(path, settings.height + OPEN_ABOVE, scale), hidden(level):
                draw_over(path, support, settings, frame, scale, file)
        else:
            draw_over(path, support, settings, frame, scale, file)


def draw_over(
    path: NDArray[np.float64],
    support: NDArray[np.int8],
    settings: Settings,
    frame: NDArray[np.float64],
    scale: float,
    file: Path,
) -> None:
    """Do what `draw` does, over the level that can be seen now."""
    drawn = bpy.data.collections.new("Demo Path")
    bpy.context.scene.collection.children.link(drawn)
    corners = np.array(list(product(*frame.T))) / scale
    camera = add_camera(drawn, corners)
    is_hidden = hidden_share(camera.location, path[::10] / scale) > HIDDEN
    distance = (camera.location - Vector(corners.mean(axis=0))).length
    made = draw_path(drawn, path / scale, support, LIFT / scale, THICKNESS * distance)
    made.append(draw_capsules(drawn, path[::CAPSULE_EVERY] / scale, settings, scale))
    for ob in made:
        ob.show_in_front = is_hidden
    add_legend(drawn, camera)
    render(file)


def colour_level(unseen: Collection[bpy.types.Object]) -> None:
    """Colour the mesh of the largest area as the ground and the others as what stands on it; show faces flat."""
    objects = [ob for ob in bpy.context.scene.objects if ob not in unseen]
    meshes = [ob for ob in objects if ob.type == "MESH" and ob.is_editable and ob.data.is_editable]
    for ob in meshes:
        ob.color = LEVEL
        ob.data.shade_flat()
    if meshes:
        max(meshes, key=area_of_object).color = GROUND


@contextmanager
def add_cut_level(path: NDArray[np.float64], above: float, scale: float) -> Iterator[None]:
    """Add the level without what is higher than `above` (m) over the path (s, 3), for a while."""
    scene = bpy.context.scene
    cut = bpy.data.collections.new("Demo Cut")
    scene.collection.children.link(cut)
    meshes = read_level(scene, bpy.context.evaluated_depsgraph_get()).meshes
    ground = max(meshes, key=lambda mesh: area_of(mesh.vertices[mesh.triangles]))
    for mesh in meshes:
        triangles = cut_open(mesh.vertices[mesh.triangles], path[::5], above) / scale
        if len(triangles):
            faces = np.arange(3 * len(triangles)).reshape(-1, 3)
            ob = _add_mesh(cut, "Demo Cut", (triangles.reshape(-1, 3), faces), GROUND if mesh is ground else LEVEL)
            ob.data.shade_flat()
    try:
        yield
    finally:
        for ob in list(cut.objects):
            bpy.data.meshes.remove(ob.data)
        bpy.data.collections.remove(cut)


def draw_path(
    into: bpy.types.Collection, path: NDArray[np.float64], support: NDArray[np.int8], lift: float, radius: float
) -> list[bpy.types.Object]:
    """Add the path as tubes: one object for each kind of support."""
    path = path + [0, 0, lift]
    stretches = np.split(np.arange(len(path)), np.flatnonzero(np.diff(support)) + 1)
    made = []
    for state, (words, colour) in STATES.items():
        # A stretch begins where the one before it ends, so that no gap is seen.
        parts = [path[max(part[0] - 1, 0) : part[-1] + 1] for part in stretches if support[part[0]] == state]
        moving = [part for part in map(_without_standing, parts) if len(part) > 1]
        if moving:
            tubes = join([tube(part, radius) for part in moving])
            made.append(_add_mesh(into, f"Path {words}", tubes, colour))
    return made


def draw_capsules(
    into: bpy.types.Collection, feet: NDArray[np.float64], settings: Settings, scale: float
) -> bpy.types.Object:
    """Add the character's capsule at each of the places (k, 3), in Blender units."""
    vertices, faces = capsule(settings.radius / scale, settings.height / scale)
    return _add_mesh(into, "Path capsules", join([(vertices + place, faces) for place in feet]), CAPSULE)


def hidden_share(eye: Vector, path: NDArray[np.float64]) -> float:
    """Return the share of the points (k, 3) that the level hides from the eye."""
    scene, depsgraph = bpy.context.scene, bpy.context.evaluated_depsgraph_get()
    hidden = 0
    for point in path + [0, 0, 1.0]:  # about the middle of the body
        way = eye - Vector(point)
        hidden += scene.ray_cast(depsgraph, Vector(point), way.normalized(), distance=way.length)[0]
    return hidden / len(path)


def add_camera(into: bpy.types.Collection, corners: NDArray[np.float64]) -> bpy.types.Object:
    """Add a camera that sees all of `corners` (k, 3), and make it the scene's."""
    camera = bpy.data.objects.new("Demo Camera", bpy.data.cameras.new("Demo Camera"))
    into.objects.link(camera)
    scene = bpy.context.scene
    scene.camera = camera
    scene.render.resolution_x, scene.render.resolution_y = SIZE
    scene.render.resolution_percentage = 100
    camera.data.lens = 50
    camera.data.clip_end = 100000
    camera.rotation_euler = VIEW
    bpy.context.view_layer.update()
    place, _ = camera.camera_fit_coords(bpy.context.evaluated_depsgraph_get(), corners.ravel().tolist())
    camera.location = place
    bpy.context.view_layer.update()
    return camera


def add_legend(into: bpy.types.Collection, camera: bpy.types.Object) -> None:
    """Add what the colours mean, on a card in the lower right corner of the picture."""
    away = 10 * camera.data.clip_start
    width = away * camera.data.sensor_width / camera.data.lens
    height = width * SIZE[1] / SIZE[0]
    line, card_width = height / 18, width / 5.2
    corner = np.array([width / 2 - card_width - line / 2, -height / 2 + line / 2, -away])  # the card's lower left one
    card_height = (len(STATES) + 0.6) * line
    card = np.array([[0, 0, 0], [card_width, 0, 0], [card_width, card_height, 0], [0, card_height, 0]])
    made = [_add_mesh(into, "Legend card", (corner + [0, 0, -away / 1000] + card, np.array([[0, 1, 2, 3]])), CARD)]
    for row, (words, colour) in enumerate(reversed(STATES.values())):
        text = bpy.data.objects.new(f"Legend {words}", bpy.data.curves.new(f"Legend {words}", "FONT"))
        text.data.body, text.data.size = words, 0.75 * line
        text.location = corner + [0.6 * line, (row + 0.5) * line, 0]
        text.color = colour
        into.objects.link(text)
        made.append(text)
    for ob in made:
        ob.show_in_front = True
        ob.matrix_world = camera.matrix_world @ Matrix.Translation(ob.location)


def render(file: Path) -> None:
    """Write the picture that the scene's camera sees, drawn by Workbench: it needs no graphics card."""
    scene = bpy.context.scene
    scene.render.engine = "BLENDER_WORKBENCH"
    scene.render.filepath = str(file)
    scene.render.image_settings.file_format = "PNG"
    scene.render.image_settings.color_mode = "RGB"
    scene.render.image_settings.compression = 100
    scene.render.dither_intensity = 0.0  # its noise makes the file three times as large
    scene.view_settings.view_transform = "Standard"
    scene.world = bpy.data.worlds.new("Demo World")
    scene.world.color = BACKGROUND
    shading = scene.display.shading
    shading.light = "STUDIO"
    shading.studio_light = "paint.sl"
    shading.color_type = "OBJECT"
    shading.background_type = "WORLD"
    shading.show_cavity = True
    shading.cavity_type = "BOTH"
    shading.show_shadows = False  # they are wrong wherever a mesh is not closed
    shading.show_object_outline = False
    scene.display.render_aa = "8"
    bpy.ops.render.render(write_still=True)


def _without_standing(path: NDArray[np.float64]) -> NDArray[np.float64]:
    moved = np.linalg.norm(np.diff(path, axis=0), axis=1) > 1e-4
    return path[np.concatenate([[True], moved])]


def _add_mesh(into: bpy.types.Collection, name: str, mesh: Mesh, colour: tuple[float, ...]) -> bpy.types.Object:
    content = bpy.data.meshes.new(name)
    vertices, faces = mesh
    content.from_pydata(vertices, [], faces)
    content.polygons.foreach_set("use_smooth", np.ones(len(faces), bool))
    made = bpy.data.objects.new(name, content)
    made.color = colour
    into.objects.link(made)
    return made
