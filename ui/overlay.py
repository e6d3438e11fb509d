"""Overlay: the capsule around the character in every 3D View, and while it walks what it touches.

There is one draw handler, for as long as the extension is enabled. It shows what is there now, so that nothing of a
walk can stay behind on the screen.
"""

import bpy
import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader
from numpy.typing import NDArray

from ..core.character.state import Support
from ..operators.from_blender import heading_of
from ..operators.playing import Playing, current_play
from .capsule_lines import arrow_lines, capsule_lines, placed

Colour = tuple[float, float, float]

STATE_COLOURS: dict[Support, Colour] = {
    Support.GROUNDED: (0.25, 0.62, 1.0),
    Support.AIRBORNE: (1.0, 0.62, 0.15),
    Support.STEEP: (1.0, 0.25, 0.3),
}
WALKABLE: Colour = (0.45, 1.0, 0.5)
NOT_WALKABLE: Colour = (1.0, 0.25, 0.3)
HIDDEN = 0.35  # opacity of what is behind something
CONTACT_LENGTH = 0.5  # of the line along a contact's normal, in radii
CONTACT_CROSS = 0.12  # half the size of the cross at a contact, in radii

_handle: object = None


def register() -> None:
    """Begin to draw."""
    global _handle
    _handle = bpy.types.SpaceView3D.draw_handler_add(_draw, (), "WINDOW", "POST_VIEW")


def unregister() -> None:
    """Draw no more."""
    global _handle
    bpy.types.SpaceView3D.draw_handler_remove(_handle, "WINDOW")
    _handle = None


def _draw() -> None:
    context = bpy.context
    scene = context.scene
    group = scene.levelwalk
    play = current_play()
    if play is not None and play.scene_name == scene.name:
        _draw_play(play)
        return
    character = group.character
    if character is None or not context.space_data.overlay.show_overlays or not character.visible_get():
        return
    matrix = np.array(character.matrix_world, dtype=np.float64)
    _draw_character(group.radius, group.height, matrix[:3, 3], heading_of(matrix), _object_colour(context, character))


def _draw_play(play: Playing) -> None:
    radius, height = play.body_size
    colour = STATE_COLOURS[play.session.support]
    _draw_character(radius, height, play.place, play.session.heading, colour)
    points, normals, is_walkable = play.contacts()
    for mask, contact_colour in ((is_walkable, WALKABLE), (~is_walkable, NOT_WALKABLE)):
        if mask.any():
            _draw_lines(_contact_lines(points[mask], normals[mask], radius), contact_colour, 2.5)


def _draw_character(radius: float, height: float, feet: NDArray[np.float64], heading: float, colour: Colour) -> None:
    lines = np.concatenate([capsule_lines(radius, height), arrow_lines(radius)])
    _draw_lines(placed(lines, feet, heading), colour, 1.5)


def _contact_lines(points: NDArray[np.float64], normals: NDArray[np.float64], radius: float) -> NDArray[np.float64]:
    """Return a cross at each point and a line along its normal."""
    arms = radius * CONTACT_CROSS * np.eye(3)
    crosses = [np.stack([points - arm, points + arm], axis=1) for arm in arms]
    return np.concatenate([*crosses, np.stack([points, points + CONTACT_LENGTH * radius * normals], axis=1)])


def _draw_lines(lines: NDArray[np.float64], colour: Colour, width: float) -> None:
    """Draw lines (k, 2, 3) in the world, faintly where something is in front of them."""
    shader = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
    batch = batch_for_shader(shader, "LINES", {"pos": lines.reshape(-1, 3).astype(np.float32)})
    shader.bind()
    shader.uniform_float("viewportSize", gpu.state.viewport_get()[2:])
    shader.uniform_float("lineWidth", width * bpy.context.preferences.system.ui_scale)
    gpu.state.blend_set("ALPHA")
    for test, opacity in (("LESS_EQUAL", 1.0), ("GREATER", HIDDEN)):
        gpu.state.depth_test_set(test)
        shader.uniform_float("color", (*colour, opacity))
        batch.draw(shader)
    gpu.state.depth_test_set("NONE")
    gpu.state.blend_set("NONE")


def _object_colour(context: bpy.types.Context, ob: bpy.types.Object) -> Colour:
    """Return the colour in which Blender draws the object's lines itself."""
    theme = context.preferences.themes[0].view_3d
    if not ob.select_get():
        return tuple(theme.empty)
    is_active = ob == context.view_layer.objects.active
    return tuple(theme.object_active if is_active else theme.object_selected)
