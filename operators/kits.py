"""Kits: collections that instances show, with the kits that they show in turn, and the collision shapes hidden in them.

The dependency graph has no row for what is hidden in a kit, so what counts by its name all the same is looked for here.
"""

from collections.abc import Callable, Iterable

import bpy
from mathutils import Matrix

from ..core.engine_names import is_collision_shape
from .mesh_from_blender import world_matrix

Placed = tuple[bpy.types.Object, Matrix]  # an object of a kit, and its place in the world or in the axes of a kit


def kit_of(ob: bpy.types.Object) -> bpy.types.Collection | None:
    """Return the collection that an object shows; None if it shows none."""
    return ob.instance_collection if ob.instance_type == "COLLECTION" else None


def kits_of(instancers: Iterable[bpy.types.Object]) -> list[bpy.types.Collection]:
    """Return the collections that objects show, and those shown in them, each once."""
    found = dict.fromkeys(kit for ob in instancers if (kit := kit_of(ob)) is not None)
    kits = list(found)
    for kit in kits:  # grows on the way
        for ob in kit.all_objects:
            inner = kit_of(ob)
            if inner is not None and inner not in found:
                found[inner] = None
                kits.append(inner)
    return kits


def shown_objects(kit: bpy.types.Collection) -> set[bpy.types.Object]:
    """Return the objects that instances of a collection show. The eyes of a view layer are nothing to them."""
    if kit.hide_viewport:
        return set()
    shown = {ob for ob in kit.objects if not ob.hide_viewport}
    return shown.union(*map(shown_objects, kit.children))


class HiddenShapes:
    """Finds the collision shapes that are hidden in kits, as they are now. Use it at once and drop it.

    Parameters
    ----------
    depsgraph : bpy.types.Depsgraph
    is_refused : callable
        Says of an object whether it is no part of the level, as a shape or with all that it shows.
    """

    def __init__(self, depsgraph: bpy.types.Depsgraph, is_refused: Callable[[bpy.types.Object], bool]) -> None:
        self._depsgraph = depsgraph
        self._is_refused = is_refused
        self._found: dict[bpy.types.Collection, tuple[Placed, ...]] = {}

    def shown_by(self, instancer: bpy.types.Object) -> list[Placed]:
        """Return the shapes that an instancer brings, once for each place: in the world, or in the axes of its own kit.

        Of an object without a kit there are none. Where an instancer in a kit is hidden, so is all that it would show.
        """
        kit = kit_of(instancer)
        shapes = () if kit is None else self._in_kit(kit)
        if not shapes:
            return []
        place = world_matrix(instancer, self._depsgraph)
        return [(source, place @ matrix) for source, matrix in shapes]

    def _in_kit(self, kit: bpy.types.Collection) -> tuple[Placed, ...]:
        """Return the shapes in a kit and in the kits in it; found once, however many instances there are of it."""
        if kit not in self._found:
            self._found[kit] = ()  # for a kit that comes to show itself, so that the search ends
            self._found[kit] = tuple(self._look(kit))
        return self._found[kit]

    def _look(self, kit: bpy.types.Collection) -> list[Placed]:
        if kit.hide_viewport:  # its instances show nothing
            return []
        shapes = [ob for ob in kit.all_objects if ob.type == "MESH" and is_collision_shape(ob.name)]
        instancers = [ob for ob in kit.all_objects if kit_of(ob) is not None]
        if not shapes and not instancers:
            return []
        shown = shown_objects(kit)
        placed = [
            (ob, world_matrix(ob, self._depsgraph)) for ob in shapes if ob not in shown and not self._is_refused(ob)
        ]
        for ob in instancers:
            if ob in shown and not self._is_refused(ob):
                placed += self.shown_by(ob)
        offset = Matrix.Translation(-kit.instance_offset)
        return [(source, offset @ matrix) for source, matrix in placed]
