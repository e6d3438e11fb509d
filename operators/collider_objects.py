"""Collider objects: the colliders of a built level as mesh objects, in a collection of their own.

What is made here is told apart from what the user adds by a mark, and by its name: what was renamed is the user's.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix, Quaternion
from numpy.typing import NDArray

from ..core.collider_names import Engine, is_shape_for, name_colliders, named_after
from ..core.collider_shapes import ColliderShapes
from ..core.colliders.colliders import ColliderKind
from ..core.mesh import ColliderMode
from ..core.surfaces import find_roles
from .built_level import BuiltLevel
from .collider_colours import ROLES
from .collider_meshes import write_shape
from .from_blender import metres_per_unit
from .mesh_from_blender import world_matrix

COLLECTION = "Level Colliders"
OPACITY = 0.5  # of the objects' colour, for viewports that are coloured by object
SAME_SHAPE = 1e-5  # of the largest number of a matrix: less is rounding of single precision
NOT_FLAT = 1e-6  # of the largest scale
TOLD_EACH = 50  # objects: a twentieth of a second


@dataclass(frozen=True, slots=True)
class Made:
    """The objects that were made, one for each collider.

    `is_convex` says which are hulls, `level_object` which level object each comes from. `skipped` are the names of the
    level objects that are shapes for the engine already, and `cut` the names that were too long.
    """

    objects: tuple[bpy.types.Object, ...]
    is_convex: tuple[bool, ...]
    level_object: tuple[int, ...]
    skipped: tuple[str, ...]
    cut: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Named:
    """A collider that is to be made: its number, its level object, what it is named after, and its name."""

    collider: int
    level_object: int
    is_convex: bool
    owner: str
    name: str


def make_collider_objects(
    scene: bpy.types.Scene, built: BuiltLevel, engine: Engine, display: str, tell: Callable[[float], object]
) -> Made:
    """Make an object of each collider, in place of those that were made before.

    The objects have their origins and rotations where the level objects have them; hulls for Unreal where the mesh
    has them whose name they bear. What is a shape for the engine already is passed over.

    Parameters
    ----------
    scene : Scene
        Its collection of collider objects is made if it has none.
    built : BuiltLevel
    engine : Engine
        For whom they are named. For Unreal they have the level objects' scales too: it takes shapes to be in the
        space of their mesh.
    display : str
        Blender's display type.
    tell : callable
        Is told which share is made, now and then.
    """
    collection = _own_collection(scene)
    _remove_made(collection)
    named, skipped = _name(built, engine)
    places = [_place(scene, built, one, engine) for one in named]  # before the first object is there to be evaluated
    world, colliders = built.world, built.world.colliders
    first = np.searchsorted(colliders.collider, np.arange(len(colliders)))
    roles = find_roles(colliders, world.climbable)[first]  # one triangle tells what a collider is
    shapes, scale = ColliderShapes.of(world), metres_per_unit(scene)
    made: dict[int, bpy.types.Object] = {}
    # Blender looks for the place of a name from the last one back: in the order of names each is found at once.
    for number in sorted(range(len(named)), key=lambda number: named[number].name.lower()):
        if len(made) % TOLD_EACH == 0:
            tell(len(made) / len(named))
        one = named[number]
        ob = _placed_object(one.name, places[number], keeps_scale=engine is Engine.UNREAL)
        points, corners, starts = shapes.of_collider(one.collider)
        write_shape(ob, points / scale, corners, starts)
        ob.display_type = display
        ob.color = (*ROLES[roles[one.collider]][1], OPACITY)
        ob.levelwalk.collider = ColliderMode.NONE.value  # also where somebody moves it elsewhere
        ob.levelwalk.made_as = one.name
        made[number] = ob
    objects = tuple(made[number] for number in range(len(named)))
    _link_hidden(collection, objects)
    return Made(
        objects=objects,
        is_convex=tuple(one.is_convex for one in named),
        level_object=tuple(one.level_object for one in named),
        skipped=skipped,
        cut=tuple(dict.fromkeys(one.owner for one in named if one.owner not in one.name)),
    )


def _name(built: BuiltLevel, engine: Engine) -> tuple[list[_Named], tuple[str, ...]]:
    """Return the colliders to be made, and the names of the objects that are shapes for the engine already."""
    colliders = built.world.colliders
    level_objects = colliders.object_index.tolist()
    is_convex = (colliders.kind == ColliderKind.HULL).tolist()
    sources = [built.sources[index] for index in level_objects]
    is_skipped = {source: is_shape_for(source, engine) for source in sources}
    chosen = [i for i, source in enumerate(sources) if not is_skipped[source]]
    taken = {ob.name for ob in bpy.data.objects}
    owners = [named_after(sources[i], is_convex[i], engine, taken) for i in chosen]
    longest = bpy.types.ID.bl_rna.properties["name"].length_max - 1  # the last byte ends the text
    names = name_colliders(owners, [is_convex[i] for i in chosen], engine, taken, longest)
    named = [
        _Named(i, level_objects[i], is_convex[i], owner, name)
        for i, owner, name in zip(chosen, owners, names, strict=True)
    ]
    return named, tuple(source for source, skip in is_skipped.items() if skip)


def _place(scene: bpy.types.Scene, built: BuiltLevel, one: _Named, engine: Engine) -> NDArray[np.float64]:
    """Return the place (4, 4) of a collider's object: that of its level object.

    Unreal takes a shape to be in the space of its mesh. What is named after another object than it comes from is
    placed there, if that is a mesh of the scene.
    """
    source = built.sources[one.level_object]
    is_instance = built.world.names[one.level_object] != source
    if engine is Engine.UNREAL and one.is_convex and one.owner != source and not is_instance:
        mesh = scene.objects.get(one.owner)
        if mesh is not None and mesh.type == "MESH":
            return np.array(world_matrix(mesh, bpy.context.evaluated_depsgraph_get()), dtype=np.float64)
    place: NDArray[np.float64] = built.places[one.level_object]
    return place


def _own_collection(scene: bpy.types.Scene) -> bpy.types.Collection:
    """Return the scene's collection of collider objects; it is no part of the level."""
    group = scene.levelwalk
    if group.collider_objects is None or group.collider_objects.library is not None:
        group.collider_objects = bpy.data.collections.new(COLLECTION)
        group.collider_objects.levelwalk.is_ignored = True
    if group.collider_objects not in scene.collection.children_recursive:
        scene.collection.children.link(group.collider_objects)
    collection: bpy.types.Collection = group.collider_objects
    return collection


def _remove_made(collection: bpy.types.Collection) -> None:
    """Remove what was made before and not renamed since, with its mesh if nobody else has it."""
    made = [ob for ob in collection.objects if ob.levelwalk.made_as == ob.name]
    meshes = {ob.data for ob in made if ob.data is not None}
    bpy.data.batch_remove(made)
    bpy.data.batch_remove([mesh for mesh in meshes if not mesh.users])


def _link_hidden(collection: bpy.types.Collection, objects: tuple[bpy.types.Object, ...]) -> None:
    """Link objects to a collection, hidden in renders all at once: for each alone Blender looks at all of the file."""
    for ob in objects:
        collection.objects.link(ob)
    hidden = {*objects, *(ob for ob in collection.objects if ob.hide_render)}
    collection.objects.foreach_set("hide_render", [ob in hidden for ob in collection.objects])


def _placed_object(name: str, place: NDArray[np.float64], *, keeps_scale: bool) -> bpy.types.Object:
    """Return a new mesh object at a place: with its origin and rotation, and its scale if it has one.

    A sheared or flattened place has none. Its rotation is the nearest.
    """
    matrix = Matrix(place.tolist())
    location, rotation, scale = matrix.decompose()
    if not abs(rotation.magnitude - 1.0) < 1e-3:  # nothing is left of an axis
        rotation = Quaternion()
    ob = bpy.data.objects.new(name, bpy.data.meshes.new(name))
    ob.location = location
    ob.rotation_euler = rotation.to_euler()
    sizes = [abs(size) for size in scale]
    if keeps_scale and min(sizes) > NOT_FLAT * max(sizes):
        again = np.array(Matrix.LocRotScale(location, rotation, scale))
        if np.abs(again - place).max() <= SAME_SHAPE * np.abs(place[:3, :3]).max():
            ob.scale = scale
    return ob


def counted_names(names: Iterable[str] | Sequence[str], most: int = 3) -> str:
    """Return a few names and how many there are besides."""
    every = list(names)
    rest = f" and {len(every) - most} more" if len(every) > most else ""
    return ", ".join(f"“{name}”" for name in every[:most]) + rest
