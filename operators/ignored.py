"""What is ignored with its collection: the objects in it, and what instancers among them show."""

import bpy

NO_NUMBER = 0x7FFFFFFF  # fills the rest of an instance's numbers


def ignored_objects() -> dict[bpy.types.Object, str]:
    """Return the objects in ignored collections, with the collection's name."""
    return {
        ob: collection.name
        for collection in bpy.data.collections
        if collection.levelwalk.is_ignored
        for ob in collection.all_objects
    }


def ignoring_collection(collection: bpy.types.Collection) -> str:
    """Return the name of the ignored collection that a collection is, or is below; empty if there is none."""
    for other in (collection, *bpy.data.collections):
        if other.levelwalk.is_ignored and (other == collection or collection in other.children_recursive):
            return str(other.name)
    return ""


def tell_ignored(collection: str) -> str:
    """Say of an object that the collection that it is in, or that brings it, is ignored."""
    return f"its collection “{collection}” is ignored"


class IgnoredInstancers:
    """The instancers in kits that are ignored, each at each of its places.

    An instance has the numbers of its place in its kit, of the instancer's in the kit above, and so on. So what an
    instancer shows has the instancer's numbers behind one of its own.
    """

    def __init__(self, ignored: dict[bpy.types.Object, str]) -> None:
        self._ignored = ignored
        self._found: dict[tuple[bpy.types.Object, tuple[int, ...]], str] = {}

    def note(self, owner: bpy.types.Object, row: bpy.types.DepsgraphObjectInstance) -> None:
        """Keep an instance in mind if it is an ignored instancer; it comes before what it shows."""
        source = row.object.original
        if row.is_instance and source.instance_type == "COLLECTION" and source in self._ignored:
            self._found[owner, _numbers(row)] = self._ignored[source]

    def above(self, owner: bpy.types.Object, row: bpy.types.DepsgraphObjectInstance) -> str:
        """Return the ignored collection of an instancer that shows an instance; empty if there is none."""
        if not self._found or not row.is_instance:
            return ""
        numbers = _numbers(row)
        above = (self._found.get((owner, numbers[level:]), "") for level in range(1, len(numbers)))
        return next(filter(None, above), "")


def _numbers(row: bpy.types.DepsgraphObjectInstance) -> tuple[int, ...]:
    return tuple(number for number in row.persistent_id if number != NO_NUMBER)
