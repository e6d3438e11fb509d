"""What the file keeps: the character's settings, the choice of level and character, the takes, and the colliders."""

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from ..core.mesh import ColliderMode, Layer, Sides
from ..operators.built_level import mark_stale
from ..operators.from_blender import read_settings
from ..operators.redraw import redraw_views
from ..operators.settings_text import from_text, to_text
from ..operators.to_blender import fit_settings, write_settings
from .report_panel import page_count
from .setting_properties import setting_properties

COLLIDERS = (
    (
        ColliderMode.AUTO.value,
        "Automatic",
        "Each loose part that is convex becomes one solid, every other part its own faces",
    ),
    (ColliderMode.HULL.value, "Convex Hull", "One solid around all of it. It closes doors, windows and stairs"),
    (ColliderMode.PARTS.value, "Convex Parts", "One solid around each loose part"),
    (
        ColliderMode.PIECES.value,
        "Convex Pieces",
        "Cut into convex solids that together fill it, within an error that you choose: what a game with convex "
        "colliders alone needs for rooms, arches and stairs",
    ),
    (ColliderMode.FACES.value, "Faces", "Its faces, exactly as they are"),
    (ColliderMode.NONE.value, "None", "Nothing: the character walks through it"),
)
SIDES = (
    (Sides.BOTH.value, "Both", "Faces count from both sides, whichever way their normals point"),
    (Sides.FRONT.value, "Front", "Faces count from the side that their normals point to; from behind they are passed"),
    (
        Sides.SOLID.value,
        "Solid",
        "The object is full inside, and who starts in it is pushed out. It has to be a closed surface",
    ),
)
LAYERS = (
    (Layer.BOTH.value, "Both", "Carries the character where it is not too steep, and stops it"),
    (
        Layer.GROUND.value,
        "Ground",
        "Carries the character where it is not too steep, and never stops it, as a ramp laid over stairs",
    ),
    (Layer.OBSTACLE.value, "Obstacle", "Stops the character and never carries it, as a railing or a parked car"),
    (Layer.IGNORE.value, "Ignore", "Neither: the object is not part of the level"),
)
COLOUR_BY = (
    ("KIND", "Kind", "By what a collider is: a convex hull, faces, a solid, or what its object was said to be"),
    (
        "SURFACE",
        "Surface",
        "By what a face is to the character with the present slope limit. A face that counts from both sides is "
        "judged by the side that looks up",
    ),
)


def _character_chosen(_: bpy.types.PropertyGroup, context: bpy.types.Context) -> None:
    fit_settings(context.scene)


def _level_chosen(_: bpy.types.PropertyGroup, context: bpy.types.Context) -> None:
    mark_stale(context.scene)


def _page_turned(group: bpy.types.PropertyGroup, context: bpy.types.Context) -> None:
    last = page_count(context)
    if group.report_page > last:
        group.report_page = last


def _redraw(_: bpy.types.PropertyGroup, context: bpy.types.Context) -> None:
    redraw_views(context)


class LevelWalkTake(bpy.types.PropertyGroup):
    """One recorded walk; its name is the name of its action when it is baked."""

    content: StringProperty(name="Content", description="The recorded walk, as packed text")
    duration: FloatProperty(name="Duration", description="Length of the walk in time", unit="TIME_ABSOLUTE")
    distance: FloatProperty(name="Distance", description="Length of the walked path", unit="LENGTH")


class LevelWalkScene(bpy.types.PropertyGroup):
    """Everything of Level Walk that belongs to a scene; the character's settings are added below."""

    level: PointerProperty(
        type=bpy.types.Collection,
        name="Level",
        description="Collection with the level's objects; left empty, every visible mesh but the character",
        update=_level_chosen,
    )
    include_curves: BoolProperty(
        name="Curves and Text",
        description="Curves, surfaces, text and metaballs are part of the level too, as the meshes that they show",
        update=_level_chosen,
    )
    use_engine_names: BoolProperty(
        name="Engine Names",
        description=(
            "Names mean what they mean to game engines. Unreal: objects named UCX_, UBX_, UCP_ or USP_ and then as a "
            "mesh are its collision, and replace it. Godot: names that end in -col, -convcol, -colonly or -convcolonly "
            "collide by faces or convex hull, and -noimp is left out. Collision shapes count also while hidden. A "
            "collider chosen for an object counts before its name"
        ),
        default=True,
        update=_level_chosen,
    )
    character: PointerProperty(
        type=bpy.types.Object,
        name="Character",
        description="Object that walks. Its origin is where the feet are, and its front is -Y",
        update=_character_chosen,
    )
    takes: CollectionProperty(type=LevelWalkTake, name="Takes", description="Walks that were kept")
    active_take: IntProperty(name="Active Take", description="Take to bake")
    fitted_scale: FloatProperty(
        name="Fitted Scale",
        description="Meters in a unit when the lengths were last fitted to the scene's units",
        default=1.0,
        options={"HIDDEN"},
    )
    bake_start: IntProperty(
        name="Start Frame", description="Frame of the first key", default=1, min=-1048574, max=1048574
    )
    smooth_steps: FloatProperty(
        name="Smooth Steps",
        description=(
            "Length of the way over which a bake smooths the steps of stairs, about that of two treads; zero bakes the "
            "exact path. Too small and a camera on the character jerks at every step; too large and the character "
            "floats before curbs and sinks into crests"
        ),
        default=0.0,
        min=0.0,
        subtype="DISTANCE",
        precision=3,
    )
    collider_objects: PointerProperty(
        type=bpy.types.Collection,
        name="Collider Objects",
        description="Collection that the colliders are written into as objects",
        options={"HIDDEN"},
    )
    show_colliders: BoolProperty(
        name="Show Colliders",
        description="Draw what stops and carries the character over the level, in every 3D View that shows overlays",
        update=_redraw,
    )
    colour_by: EnumProperty(
        name="Color By", description="What the colors of the colliders mean", items=COLOUR_BY, update=_redraw
    )

    @property
    def settings_text(self) -> str:
        """All settings in one line, in metres whatever the scene's units: what a preset file holds."""
        return to_text(read_settings(self.id_data))

    @settings_text.setter
    def settings_text(self, text: str) -> None:
        write_settings(self.id_data, from_text(text))


LevelWalkScene.__annotations__.update(setting_properties())


class LevelWalkObject(bpy.types.PropertyGroup):
    """What an object of the level is to the character."""

    collider: EnumProperty(
        name="Collider",
        description="What the object becomes for the character",
        items=COLLIDERS,
        default=ColliderMode.AUTO.value,
        update=_level_chosen,
    )
    piece_error: FloatProperty(
        name="Error",
        description=(
            "How far a piece may stand out from the surface of the object. Too small and there are more pieces than a "
            "game wants; too large and openings grow narrower"
        ),
        default=0.02,
        min=0.0,
        soft_max=1.0,
        precision=3,
        step=1,
        unit="LENGTH",
        update=_level_chosen,
    )
    sides: EnumProperty(
        name="Sides",
        description="From which sides the object's faces count",
        items=SIDES,
        default=Sides.BOTH.value,
        update=_level_chosen,
    )
    layer: EnumProperty(
        name="Acts As",
        description="What the character may do with the object",
        items=LAYERS,
        default=Layer.BOTH.value,
        update=_level_chosen,
    )
    is_climbable: BoolProperty(
        name="Climbable",
        description="The character climbs the object as a ladder, by walking into it",
        update=_level_chosen,
    )
    made_as: StringProperty(
        name="Made As", description="Name under which the object was made of a collider", options={"HIDDEN"}
    )


class LevelWalkWindow(bpy.types.PropertyGroup):
    """How the panels are shown; no file needs it."""

    show_left_out: BoolProperty(
        name="Left Out", description="Show what is left out of the level on purpose, and why", options={"SKIP_SAVE"}
    )
    report_page: IntProperty(
        name="Page",
        description="Page of the build report",
        default=1,
        min=1,
        update=_page_turned,
        options={"SKIP_SAVE"},
    )


class LevelWalkCollection(bpy.types.PropertyGroup):
    """What a collection is to the character."""

    is_ignored: BoolProperty(
        name="Ignore",
        description="Nothing in this collection and in those below it is part of the level, nor are instances of it",
        update=_level_chosen,
    )


classes = (LevelWalkTake, LevelWalkScene, LevelWalkObject, LevelWalkWindow, LevelWalkCollection)


def register() -> None:
    """Give scenes, objects and collections their settings; the classes are registered already."""
    bpy.types.Scene.levelwalk = PointerProperty(type=LevelWalkScene, name="Level Walk")
    bpy.types.Object.levelwalk = PointerProperty(type=LevelWalkObject, name="Level Walk")
    bpy.types.Collection.levelwalk = PointerProperty(type=LevelWalkCollection, name="Level Walk")
    bpy.types.WindowManager.levelwalk = PointerProperty(type=LevelWalkWindow, name="Level Walk")


def unregister() -> None:
    """Take the settings away again."""
    del bpy.types.WindowManager.levelwalk
    del bpy.types.Collection.levelwalk
    del bpy.types.Object.levelwalk
    del bpy.types.Scene.levelwalk
