"""Make Collider Objects: write the colliders as mesh objects, named for a game engine."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import bpy
from bpy.props import EnumProperty

from ..core.collider_names import Engine
from ..core.colliders.build_report import counted
from ..core.colliders.findings import FindingKind
from .built_level import BuiltLevel, build_level, unnoticed
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
NOT_CONVEX = (FindingKind.NO_PIECES, FindingKind.NO_HULL)
REASONS = 3  # told apart; objects for others are counted
DISPLAYS = (
    ("WIRE", "Wire", "Drawn as lines"),
    ("SOLID", "Solid", "Drawn as surfaces. Color the viewport by object to see them translucent, in colors by kind"),
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
        with unnoticed(context), _progress(context.window_manager) as tell:
            made = make_collider_objects(context.scene, built, engine, self.display, tell)
        _select_only(context, made.objects)
        self._report(made, built, engine)
        return {"FINISHED"}

    def _report(self, made: Made, built: BuiltLevel, engine: Engine) -> None:
        hulls = sum(made.is_convex)
        faces = len(made.objects) - hulls
        if made.cut:
            self.report({"WARNING"}, f"Names too long, cut at their ends: {counted_names(made.cut)}")
        if engine is Engine.UNREAL:
            for text in (*_faces_for_unreal(made, built), *_instances_for_unreal(made, built)):
                self.report({"WARNING"}, text)
        convex = "; in Unity turn on Convex in the Mesh Colliders of hulls" if hulls and engine is Engine.UNITY else ""
        skipped = ""
        if made.skipped:
            are = "that is a shape" if len(made.skipped) == 1 else "that are shapes"
            what = f"{counted(len(made.skipped), 'object')} {are} for {engine.value.title()} already"
            skipped = f"; skipped {what}: {counted_names(made.skipped)}"
        self.report({"INFO"}, f"Made {counted(hulls, 'hull')} and {counted(faces, 'object')} of faces{skipped}{convex}")


@contextmanager
def _progress(manager: bpy.types.WindowManager) -> Iterator[Callable[[float], None]]:
    """Show at the mouse how far the work inside is; it is told the share that is done."""
    manager.progress_begin(0, 100)
    try:
        yield lambda share: manager.progress_update(100 * share)
    finally:
        manager.progress_end()


def _faces_for_unreal(made: Made, built: BuiltLevel) -> list[str]:
    """Say what to do about faces, which have no convex form: the advice, or why hulls or pieces failed already."""
    advised: dict[str, None] = {}
    failed: dict[str, dict[str, None]] = {}
    for index, is_convex in zip(made.level_object, made.is_convex, strict=True):
        if is_convex:
            continue
        found = built.world.report.objects[index].findings
        reason = next((finding.words for finding in found if finding.kind in NOT_CONVEX), "")
        names = failed.setdefault(reason, {}) if reason else advised
        names[built.sources[index]] = None
    groups = list(failed.items())
    texts = [f"Unreal has no convex form of {counted_names(names)}: {reason}" for reason, names in groups[:REASONS]]
    if len(groups) > REASONS:
        rest = len({name for _, names in groups[REASONS:] for name in names})
        texts.append(f"Unreal has no convex form of {counted(rest, 'more object')}: the build report says why")
    if advised:
        advice = "use the faces as complex collision, or choose Convex Pieces"
        texts.append(f"Unreal has no convex form of {counted_names(advised)}: {advice}")
    return texts


def _instances_for_unreal(made: Made, built: BuiltLevel) -> list[str]:
    """Say that shapes of instances find no mesh: each is one object in Blender, and one name."""
    named = built.world.names
    instances = dict.fromkeys(built.sources[i] for i in made.level_object if named[i] != built.sources[i])
    if not instances:
        return []
    return [
        f"Unreal matches shapes to meshes by name, and all instances of {counted_names(instances)} have one: make "
        "instances real first (Object > Apply > Make Instances Real)"
    ]


def _select_only(context: bpy.types.Context, objects: tuple[bpy.types.Object, ...]) -> None:
    """Select these objects, as far as the view layer shows them, and make the first one active."""
    for ob in context.selected_objects:
        ob.select_set(False)
    visible = [ob for ob in objects if ob.visible_get()]
    for ob in visible:
        ob.select_set(True)
    if visible:
        context.view_layer.objects.active = visible[0]
