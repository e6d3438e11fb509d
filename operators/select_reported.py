"""Select Reported: from an entry of the build report to its object in the 3D View."""

import bpy
import numpy as np
from bpy.props import BoolProperty, FloatVectorProperty, StringProperty
from mathutils import Vector

from .playing import current_play
from .readiness import is_ready, missing_object_mode

CLOSEST = 4.0  # m; a place is looked at from no nearer
FRAME = 1.5  # distance of the view, in diagonals of the object


class LEVELWALK_OT_select_reported(bpy.types.Operator):
    bl_idname = "levelwalk.select_reported"
    bl_label = "Select Reported Object"
    bl_description = (
        "Select this object, make it active, and center the view on it. An object of an instance that is not in this "
        "view layer itself is found in the Object properties of what brings it"
    )
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    ob: StringProperty(name="Object", description="Name of the object", options={"SKIP_SAVE"})
    bringer: StringProperty(
        name="Instancer", description="Name of the object that brings it into the scene", options={"SKIP_SAVE"}
    )
    has_place: BoolProperty(name="At Place", description="Center the view on the place", options={"SKIP_SAVE"})
    place: FloatVectorProperty(
        name="Place", description="Where to look at", unit="LENGTH", size=3, options={"SKIP_SAVE"}
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return is_ready(
            cls,
            "Not while playing: Enter keeps the walk, Esc puts everything back" if current_play() else "",
            missing_object_mode(context),
        )

    def execute(self, context: bpy.types.Context) -> set[str]:
        objects = context.view_layer.objects
        ob = objects.get(self.ob) or objects.get(self.bringer)
        if ob is None:
            where = (
                "in this view layer: its collection is excluded" if self.ob in bpy.data.objects else "there any more"
            )
            self.report({"WARNING"}, f"“{self.ob}” is not {where}")
            return {"CANCELLED"}
        for other in context.selected_objects:
            other.select_set(False)
        context.view_layer.objects.active = ob
        ob.select_set(True)
        view = view_of(context)
        if view is not None:
            look_at(view, *(self._target(ob, view)))
        if not ob.visible_get():
            self.report({"WARNING"}, f"“{ob.name}” is hidden: show it, or its collection, to see it")
        return {"FINISHED"}

    def _target(self, ob: bpy.types.Object, view: bpy.types.RegionView3D) -> tuple[Vector, float]:
        """Return where to look, and from how far at the most."""
        corners = np.array([ob.matrix_world @ Vector(corner) for corner in ob.bound_box])
        size = float(np.linalg.norm(np.ptp(corners, axis=0)))
        # Where an instance has a fault is no place of the object that it shows, which is elsewhere.
        if self.has_place and ob.name == (self.bringer or self.ob):
            return Vector(self.place), min(view.view_distance, max(size * FRAME, CLOSEST))
        return Vector(corners.mean(axis=0)), size * FRAME or view.view_distance


def view_of(context: bpy.types.Context) -> bpy.types.RegionView3D | None:
    """Return the 3D View that an operator was called in, or else the first on the screen; None if there is none."""
    areas = [context.area, *context.screen.areas] if context.screen else []
    for area in areas:
        if area is not None and area.type == "VIEW_3D":
            return area.spaces.active.region_3d
    return None


def look_at(view: bpy.types.RegionView3D, target: Vector, distance: float) -> None:
    """Centre a view on a point, from a distance; a view through the camera becomes a free one."""
    if view.view_perspective == "CAMERA":
        view.view_perspective = "PERSP"
    view.view_location = target
    view.view_distance = distance
