"""Viewport: the 3D View that a play runs in. It follows the character, turns by the mouse, and is put back.

Areas and regions die when a window closes or the workspace changes, and asking a dead one crashes Blender. So only
its address is kept, and the area is looked up anew each time.
"""

import math

import bpy
import numpy as np
from mathutils import Quaternion, Vector
from numpy.typing import ArrayLike, NDArray

LOWEST, HIGHEST = math.radians(2), math.radians(178)  # tilt from straight down: the view never turns over
ZOOM = 1.2  # change of distance for a notch of the mouse wheel
TAB = "Level Walk"  # of the sidebar


class Viewport:
    """One 3D View and how it looked at the start."""

    def __init__(self, window: bpy.types.Window, area: bpy.types.Area) -> None:
        self._window = window.as_pointer()
        self._area = area.as_pointer()
        view = area.spaces.active.region_3d
        self._location = view.view_location.copy()
        self._rotation = view.view_rotation.copy()
        self._distance = view.view_distance
        self._perspective = view.view_perspective
        self._aim: Vector | None = None

    def area(self) -> bpy.types.Area | None:
        """Return the area, or None if it is gone or shows another editor."""
        for window in bpy.context.window_manager.windows:
            if window.as_pointer() == self._window:
                for area in window.screen.areas:
                    if area.as_pointer() == self._area and area.type == "VIEW_3D":
                        return area
        return None

    def _view(self) -> bpy.types.RegionView3D | None:
        area = self.area()
        return None if area is None else area.spaces.active.region_3d

    def is_under(self, mouse: tuple[int, int]) -> bool:
        """Say whether the mouse, in pixels of the window, is over the picture and not over a bar or panel on it."""
        area = self.area()
        if area is None:
            return False
        under = {region.type for region in area.regions if _is_in(region, mouse)}
        return under == {"WINDOW"}

    def is_over_tab(self, mouse: tuple[int, int]) -> bool:
        """Say whether the mouse, in pixels of the window, is over our own tab of the sidebar."""
        area = self.area()
        sidebars = [] if area is None else [region for region in area.regions if region.type == "UI"]
        return any(_is_in(region, mouse) and region.active_panel_category == TAB for region in sidebars)

    def axes(self) -> NDArray[np.float64]:
        """Return the view's axes in the world as columns (3, 3): to the right, up, and towards the eye."""
        view = self._view()
        return np.eye(3) if view is None else np.array(view.view_matrix.to_3x3().transposed(), dtype=np.float64)

    def approach(self, aim: ArrayLike, farthest: float) -> None:
        """Centre the view on `aim` (3,) and come as near as `farthest`, both in Blender units."""
        view = self._view()
        if view is not None and view.view_perspective != "CAMERA":
            view.view_location = self._aim = Vector(np.asarray(aim).tolist())
            view.view_distance = min(view.view_distance, farthest)

    def follow(self, aim: ArrayLike) -> None:
        """Move the view by as much as `aim` (3,), in Blender units, moved since the last call.

        What is seen through a camera stays: the camera is not ours to move.
        """
        view, goal = self._view(), Vector(np.asarray(aim).tolist())
        if view is not None and self._aim is not None and view.view_perspective != "CAMERA":
            view.view_location += goal - self._aim
        self._aim = goal

    def orbit(self, across: float, upward: float) -> None:
        """Turn the view about its centre for a mouse that moved so many pixels, as Blender's turntable does."""
        view = self._view()
        if view is None:
            return
        if view.view_perspective == "CAMERA":  # go on from where the camera is, and leave it there
            view.view_rotation = view.view_matrix.inverted().to_quaternion()
            view.view_location = self._aim or view.view_location
            view.view_perspective = "PERSP"
        rate = bpy.context.preferences.inputs.view_rotate_sensitivity_turntable  # rad a pixel
        turn = view.view_rotation.to_euler("XYZ")
        turn.x = min(max(turn.x + rate * upward, LOWEST), HIGHEST)
        turn.z -= rate * across
        view.view_rotation = turn.to_quaternion()

    def zoom(self, notches: int) -> None:
        """Come nearer by so many notches of the mouse wheel, or go away for less than 0."""
        view = self._view()
        if view is not None:
            view.view_distance /= ZOOM**notches

    def restore(self) -> None:
        """Put the view back to how it was at the start."""
        view = self._view()
        if view is None:
            return
        view.view_perspective = self._perspective
        view.view_location = self._location
        view.view_rotation = Quaternion(self._rotation)
        view.view_distance = self._distance
        self.redraw()

    def redraw(self) -> None:
        """Have the view drawn again."""
        area = self.area()
        if area is not None:
            area.tag_redraw()


def _is_in(region: bpy.types.Region, mouse: tuple[int, int]) -> bool:
    """Say whether the mouse is in a region; one that is folded away is a pixel wide or high."""
    across, upward = mouse[0] - region.x, mouse[1] - region.y
    return min(region.width, region.height) > 1 and 0 <= across < region.width and 0 <= upward < region.height
