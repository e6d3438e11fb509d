"""Make Collider Objects: write the colliders as mesh objects, named for a game engine."""

import bpy
from bpy.props import EnumProperty

from ..core.collider_names import Engine
from ..core.colliders.build_report import counted
from .built_level import build_level, unnoticed
from .collider_objects import Made, counted_names, make_collider_objects
from .readiness import is_ready, missing_level, missing_object_mode
from .to_blender import fit_settings

ENGINES = (
    (
        Engine.UNREAL.value,
        "Unreal",
        "UCX_ before and a number behind the object's name, at the object's own origin, rotation and scale. Faces have "
        "no convex form there: they are named _Collision, for complex collision",
    ),
    (
        Engine.GODOT.value,
        "Godot",
        "-convcolonly behind the name of hulls and -colonly behind that of faces: bodies that are not seen",
    ),
    (
        Engine.UNITY.value,
        "Unity",
        "_Collider and a number behind the object's name. Give each a Mesh Collider, with Convex turned on for hulls",
    ),
    (Engine.PLAIN.value, "Plain", "_Hull and a number, or _Faces, behind the object's name"),
)
DISPLAYS = (
    ("WIRE", "Wire", "Drawn as lines"),
    ("SOLID", "Solid", "Drawn as surfaces. Colour the viewport by object to see them translucent, in colours by kind"),
)


class LEVELWALK_OT_make_collider_objects(bpy.types.Operator):
    bl_idname = "levelwalk.make_collider_objects"
    bl_label = "Make Collider Objects"
    bl_description = (
        "Write the colliders as mesh objects into the collection “Level Colliders”, named for a game engine: one for "
        "each convex hull, and one for the faces of each object. What the last run made is replaced"
    )
    bl_options = {"REGISTER", "UNDO"}

    engine: EnumProperty(name="Engine", description="Game engine that the objects are named for", items=ENGINES)
    display: EnumProperty(name="Display", description="How the objects are drawn in the viewport", items=DISPLAYS)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return is_ready(cls, missing_object_mode(context), missing_level(context))

    def execute(self, context: bpy.types.Context) -> set[str]:
        fit_settings(context.scene)
        try:
            built = build_level(context)
        except ValueError as error:
            self.report({"ERROR"}, f"Cannot build colliders: {error}")
            return {"CANCELLED"}
        engine = Engine(self.engine)
        with unnoticed(context):
            made = make_collider_objects(context.scene, built.world, built.places, engine, self.display)
        _select_only(context, made.objects)
        self._report(made, engine)
        return {"FINISHED"}

    def _report(self, made: Made, engine: Engine) -> None:
        faces = [ob.name for ob, is_convex in zip(made.objects, made.is_convex, strict=True) if not is_convex]
        hulls = len(made.objects) - len(faces)
        if made.cut:
            self.report({"WARNING"}, f"Names too long, cut at their ends: {counted_names(made.cut)}")
        if faces and engine is Engine.UNREAL:
            self.report(
                {"WARNING"},
                f"Unreal has no convex form of {counted_names(faces)}: use them as complex collision, or choose Convex "
                "Pieces for their objects",
            )
        convex = "; in Unity turn on Convex in the Mesh Colliders of hulls" if hulls and engine is Engine.UNITY else ""
        self.report({"INFO"}, f"Made {counted(hulls, 'hull')} and {counted(len(faces), 'object')} of faces{convex}")


def _select_only(context: bpy.types.Context, objects: tuple[bpy.types.Object, ...]) -> None:
    """Select these objects, as far as the view layer shows them, and make the first one active."""
    for ob in context.selected_objects:
        ob.select_set(False)
    visible = [ob for ob in objects if ob.visible_get()]
    for ob in visible:
        ob.select_set(True)
    if visible:
        context.view_layer.objects.active = visible[0]
