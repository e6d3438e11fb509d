"""Which objects are the level: by collection, by what the user chose for each, by name, and by how they are drawn."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import bpy
from mathutils import Matrix

from ..core.engine_names import NameReading, is_collision_shape, is_imported, is_unreal_shape, read_names, stem_of
from ..core.mesh import ColliderMode, Layer
from .family import family_of
from .ignored import IgnoredInstancers, ignored_objects, tell_ignored
from .kits import HiddenShapes
from .mesh_from_blender import world_matrix

SOLID_TYPES = {"MESH", "CURVE", "SURFACE", "META", "FONT"}  # what can bring faces into a level
DRAWN_AS_LINES = {"WIRE", "BOUNDS"}
KINDS = {"FONT": "text", "META": "metaball"}  # as users call them, where Blender's own word is another
UNDECIDED = NameReading()
HIDDEN = "it is hidden"

Place = tuple[bpy.types.Object, bpy.types.Object]  # who brings it into the scene, and what is seen there


@dataclass(frozen=True, slots=True)
class HiddenShape:
    """A collision shape that counts though the dependency graph does not show it: by whom, of what and where."""

    owner: bpy.types.Object
    source: bpy.types.Object
    matrix: Matrix  # from its own axes to the world's


def is_solid(ob: bpy.types.Object) -> bool:
    """Say whether an object is a mesh, or nodes may make it one."""
    return ob.type == "MESH" or any(modifier.type == "NODES" for modifier in ob.modifiers)


class LevelMembers:
    """What is part of a scene's level, as it is now. It holds objects of Blender: use it at once and drop it."""

    def __init__(self, scene: bpy.types.Scene) -> None:
        group = scene.levelwalk
        self._made = _made_of_it(group)
        self._family = family_of(group.character) | self._made
        self._level_name = "" if group.level is None else group.level.name
        self._chosen = None if group.level is None else set(group.level.all_objects)
        self._all = scene.collection.all_objects if group.level is None else group.level.all_objects
        self._ignored = ignored_objects()
        self._ignored_instancers = IgnoredInstancers(self._ignored)
        self._includes_curves = group.include_curves
        self._uses_names = group.use_engine_names
        self._readings: dict[Place, NameReading] = {}
        self._seen: dict[Place, None] = {}  # in order, each once
        self.hidden_shapes: list[HiddenShape] = []  # one for each place in the world

    @classmethod
    def find(cls, scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> "LevelMembers":
        """Look at all that the dependency graph shows, and at what counts by its name though it is hidden."""
        members = cls(scene)
        instancers: dict[bpy.types.Object, None] = {}
        for row in depsgraph.object_instances:
            source = row.object.original
            owner = row.parent.original if row.is_instance else source
            if not members.may_be(owner, source):
                continue
            members._ignored_instancers.note(owner, row)
            if row.object.type == "MESH" and not members.why_not_there(owner, row):
                members._seen[owner, source] = None
            if owner.instance_type == "COLLECTION":  # it may have no row of its own
                instancers[owner] = None
        if members._uses_names:
            members._find_hidden_shapes(instancers, depsgraph)
            members._read_names()
        return members

    @classmethod
    def beside(cls, scene: bpy.types.Scene, ob: bpy.types.Object) -> "LevelMembers":
        """Look at one object of the scene, and at those that its name may be related to; quick enough for a panel."""
        members = cls(scene)
        members._seen[ob, ob] = None
        if members._uses_names:
            stem = stem_of(ob.name)
            related = [other for other in members._all if stem in other.name and other.type == "MESH"]
            if any(is_unreal_shape(other.name) for other in related):  # else no name changes another's
                for other in related:
                    if members.may_be(other, other) and (is_collision_shape(other.name) or other.visible_get()):
                        members._seen[other, other] = None
            members._read_names()
        return members

    def may_be(self, owner: bpy.types.Object, source: bpy.types.Object) -> bool:
        """Say whether an object is where the level is; of others nothing is said."""
        if owner in self._family or source in self._family:
            return False
        return self._chosen is None or owner in self._chosen

    def why_not(self, owner: bpy.types.Object, source: bpy.types.Object) -> str:
        """Say why an object is not part of the level; empty if it is.

        What the user chose for it counts before its name, and its name before how it is drawn. Of a chosen
        collection nearly all is level.
        """
        reason = self._why_refused(owner, source)
        if reason:
            return reason
        reading = self._reading(owner, source)
        if reading.left_out:
            return reading.left_out
        if self._chosen is not None or reading.mode is not None or is_decided(source):
            return ""
        if source.display_type in DRAWN_AS_LINES:
            return (
                "it is drawn as lines, as cutters are: choose a collider for it, or a level collection that holds it, "
                "to use it"
            )
        if not is_solid(source) and not self._includes_curves:
            kind = KINDS.get(source.type, source.type.lower())
            return f"it is a {kind} object: turn on “Curves and Text”, or choose a collider for it, to use it"
        return ""

    def why_not_there(self, owner: bpy.types.Object, row: bpy.types.DepsgraphObjectInstance) -> str:
        """Say why an instance at its place is not part of the level, whatever its object is; empty if that may be."""
        collection = self._ignored_instancers.above(owner, row)
        return tell_ignored(collection) if collection else ""

    def why_outside(self, ob: bpy.types.Object) -> str:
        """Say why an object is not where the level is; empty if it is."""
        if ob in self._made:
            return "it is a collider that was made of the level"
        if ob in self._family:
            return "it is the character, or hangs on it"
        return "" if self.may_be(ob, ob) else f"it is not in the level collection “{self._level_name}”"

    def why_hidden(self, ob: bpy.types.Object) -> str:
        """Say that an object is hidden, unless it counts all the same."""
        is_counting = self._uses_names and ob.type == "MESH" and is_collision_shape(ob.name)
        return "" if is_counting or ob.visible_get() else HIDDEN

    def mode(self, owner: bpy.types.Object, source: bpy.types.Object) -> ColliderMode:
        """Return what an object becomes: what the user chose, or what its name says."""
        named = self._reading(owner, source).mode
        return ColliderMode(source.levelwalk.collider) if named is None else named

    def note(self, owner: bpy.types.Object, source: bpy.types.Object) -> str:
        """Return what is odd about an object's name; empty if nothing is."""
        return self._reading(owner, source).note

    def hidden(self) -> Iterator[bpy.types.Object]:
        """Yield the hidden meshes of a chosen collection, which somebody may miss."""
        counting = {shape.source for shape in self.hidden_shapes if shape.owner == shape.source}
        for ob in self._chosen or ():
            is_counting = (ob, ob) in self._seen or ob in counting
            if ob.type == "MESH" and ob not in self._family and not is_counting and not ob.visible_get():
                yield ob

    def _reading(self, owner: bpy.types.Object, source: bpy.types.Object) -> NameReading:
        return self._readings.get((owner, source), UNDECIDED)

    def _why_refused(self, owner: bpy.types.Object, source: bpy.types.Object) -> str:
        """Say why the user does not want an object; empty if that was not said."""
        collection = self._ignored.get(source) or self._ignored.get(owner)
        if collection:
            return tell_ignored(collection)
        if source.levelwalk.collider == ColliderMode.NONE.value:
            return "its collider is set to “None”"
        return "it is set to act as “Ignore”" if source.levelwalk.layer == Layer.IGNORE.value else ""

    def _find_hidden_shapes(self, instancers: Iterable[bpy.types.Object], depsgraph: bpy.types.Depsgraph) -> None:
        """Find the shapes that the dependency graph does not show: in the scene, and in instances of collections."""
        self.hidden_shapes = [
            HiddenShape(ob, ob, world_matrix(ob, depsgraph).copy())
            for ob in self._all
            if is_collision_shape(ob.name)
            and ob.type == "MESH"
            and (ob, ob) not in self._seen
            and self.may_be(ob, ob)
            and not self._why_refused(ob, ob)
        ]
        shapes = HiddenShapes(depsgraph, lambda ob: ob in self._family or bool(self._why_refused(ob, ob)))
        for owner in instancers:
            if owner not in self._ignored:
                self.hidden_shapes += [HiddenShape(owner, source, matrix) for source, matrix in shapes.shown_by(owner)]

    def _read_names(self) -> None:
        """Read the names, those of the scene together, and those of each instancer."""
        together: dict[bpy.types.Object | None, list[Place]] = {}
        hidden = dict.fromkeys((shape.owner, shape.source) for shape in self.hidden_shapes)
        for owner, source in self._seen | hidden:
            if not self._why_refused(owner, source):
                together.setdefault(None if owner == source else owner, []).append((owner, source))
        for places in together.values():
            decided = {source.name for _, source in places if is_decided(source)}
            readings = read_names([source.name for _, source in places], decided)
            for owner, source in places:
                reading = readings.get(source.name)
                above = "" if source.name in decided else _not_imported_above(owner, source)
                if above:
                    reading = NameReading(left_out=f"it hangs on “{above}”, which Godot does not import, by its name")
                if reading is not None:
                    self._readings[owner, source] = reading


def _made_of_it(group: bpy.types.PropertyGroup) -> set[bpy.types.Object]:
    """Return the collider objects, of which there is nothing to say: they are made of the level."""
    return set() if group.collider_objects is None else set(group.collider_objects.all_objects)


def is_decided(source: bpy.types.Object) -> bool:
    """Say whether the user chose what an object becomes."""
    return source.levelwalk.collider != ColliderMode.AUTO.value


def _not_imported_above(owner: bpy.types.Object, source: bpy.types.Object) -> str:
    """Return the name of what an object hangs on that Godot does not import; empty if there is none."""
    above = source.parent
    while above is not None:
        if not is_imported(above.name):
            return above.name
        above = above.parent
    if owner != source:
        return owner.name if not is_imported(owner.name) else _not_imported_above(owner, owner)
    return ""


def walkable_objects(
    scene: bpy.types.Scene, view_layer: bpy.types.ViewLayer, *, is_ignoring: bool = True
) -> Iterator[bpy.types.Object]:
    """Yield the visible objects that may bring meshes into the level; quick, and so a little generous.

    `is_ignoring` says whether ignored collections are left out, as they are of the level.
    """
    group = scene.levelwalk
    family, ignored = family_of(group.character), ignored_objects() if is_ignoring else {}
    is_any = group.include_curves or group.level is not None
    for ob in view_layer.objects if group.level is None else group.level.all_objects:
        is_source = (
            is_solid(ob) or ob.instance_type == "COLLECTION" or (ob.type != "EMPTY" and (is_any or is_decided(ob)))
        )
        if is_source and ob not in family and ob not in ignored and ob.visible_get(view_layer=view_layer):
            yield ob
