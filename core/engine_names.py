"""Engine names: what the names of level objects mean to the importers of Unreal and Godot.

Unreal (FBX and Interchange import of static meshes): a mesh named ``UCX_``, ``UBX_``, ``UCP_`` or ``USP_`` and then the
name of another mesh, with ``_`` and a number after it if there are several, is a collision shape of that mesh: convex,
box, capsule, sphere. The game collides with the shapes, and with the mesh no longer.

Godot ("Node type customization using name suffixes"): a suffix after ``-``, ``_`` or ``$``, in any case, before
trailing digits, spaces, dots and underscores such as Blender's ``.001``; after ``$`` it may be anywhere in the name.
``-col`` collides with the triangles, ``-convcol`` with one convex hull; ``-colonly`` and ``-convcolonly`` do so and
show nothing; ``-rigid`` makes a body with a hull; ``-noimp`` leaves the object out, with all that hangs on it;
``-navmesh`` and ``-occonly`` leave nothing to collide with. ``-occ`` keeps the mesh, and means nothing here.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from .mesh import ColliderMode

UNREAL_PREFIXES = ("UCX_", "UBX_", "UCP_", "USP_")
_BLENDER_NUMBER = re.compile(r"\.\d{3,}$")  # Blender's own ending of a duplicate
_NUMBER = re.compile(r"_\d+$")  # one of several shapes of a mesh
_GODOT_END = re.compile(r"[\d\s._]+$")  # what Godot looks past
_SEPARATOR = re.compile(r"[-_$]")
_NOT_IMPORTED = "noimp"
# In Godot's order: the first that fits counts.
_GODOT_MODES = (
    ("colonly", ColliderMode.FACES),
    ("convcolonly", ColliderMode.HULL),
    ("rigid", ColliderMode.HULL),
    ("col", ColliderMode.FACES),
    ("convcol", ColliderMode.HULL),
)
_GODOT_LEFT_OUT = (
    ("navmesh", "Godot makes a navigation mesh of it, by its name"),
    ("occonly", "Godot makes an occluder of it, by its name"),
)
_ANY_SUFFIX = "|".join(["convcolonly", "colonly", "convcol", "col", "rigid", "noimp", "navmesh", "occonly"])
_GODOT_SUFFIX = re.compile(rf"[-_](?:{_ANY_SUFFIX})(?=[\d\s._]*$)|\$(?:{_ANY_SUFFIX})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NameReading:
    """What an object's name makes of it.

    Attributes
    ----------
    mode : ColliderMode or None
        What it becomes; None where the name says nothing.
    left_out : str
        Why it is not part of the level; empty if it is.
    note : str
        What is odd about the name; empty if nothing is.
    """

    mode: ColliderMode | None = None
    left_out: str = ""
    note: str = ""


def is_collision_shape(name: str) -> bool:
    """Say whether an object is there to collide with alone, and not seen in the game: it counts where it is hidden."""
    if name.startswith(UNREAL_PREFIXES):
        return True
    text = _suffixed(name)
    return _has_suffix(text, "colonly") or _has_suffix(text, "convcolonly")


def stem_of(name: str) -> str:
    """Return what the names of a mesh and of its collision shapes begin with, behind their prefix."""
    name = name[4:] if is_unreal_shape(name) else name
    return _NUMBER.sub("", _BLENDER_NUMBER.sub("", name))


def is_imported(name: str) -> bool:
    """Say whether Godot imports an object of this name, and with it all that hangs on it."""
    return not _has_suffix(_suffixed(name), _NOT_IMPORTED)


def is_unreal_shape(name: str) -> bool:
    """Say whether Unreal takes an object of this name for a collision shape."""
    return name.startswith(UNREAL_PREFIXES)


def is_godot_body(name: str) -> bool:
    """Say whether Godot makes a body of an object of this name."""
    text = _suffixed(name)
    return any(_has_suffix(text, suffix) for suffix, _ in _GODOT_MODES)


def base_name(name: str, meshes: Collection[str]) -> str:
    """Return an object's name without what the importers read in it; all of it where nothing else is left.

    Of a collision shape it is the name of its mesh if that is one of `meshes`. If not, the number of a shape for
    Unreal goes too. Blender's number stays, as it does in Godot: “Hut-col.001” is “Hut.001”.
    """
    is_unreal, is_shape = is_unreal_shape(name), is_collision_shape(name)
    base = name[4:] if is_unreal else _GODOT_SUFFIX.sub("", name)
    if not base or base == name:
        return name
    if is_shape:
        rest = _NUMBER.sub("", base) if is_unreal else base
        base = next((candidate for candidate in _candidates(base) if candidate in meshes), rest)
    return base_name(base, meshes)


def read_names(names: Sequence[str], decided: Collection[str] = ()) -> dict[str, NameReading]:
    """Return what the names of objects that belong together mean.

    Parameters
    ----------
    names : sequence of str
        Of one scene, or of one instance of a collection: of those objects that are part of the level.
    decided : collection of str
        Those of them whose user said what they become. Their names change nothing of them; the shapes among them
        still stand for their meshes.

    Returns
    -------
    dict of str to NameReading
        For those names that mean something.
    """
    meshes = {name for name in names if not name.startswith(UNREAL_PREFIXES)}
    readings = {name: reading for name in meshes if (reading := _read_godot(name)) is not None}
    shapes: dict[str, list[str]] = {}
    for name in names:
        if name in meshes:
            continue
        mesh = _mesh_of(name, meshes)
        if mesh is None:
            readings[name] = NameReading(ColliderMode.HULL, note=f"there is no “{name[4:]}” that it is the shape of")
        else:
            readings[name] = NameReading(ColliderMode.HULL)
            shapes.setdefault(mesh, []).append(name)
    for mesh, stand_ins in shapes.items():
        readings[mesh] = NameReading(left_out=_stand_for_it(stand_ins))
    return {name: reading for name, reading in readings.items() if name not in decided}


def _read_godot(name: str) -> NameReading | None:
    text = _suffixed(name)
    if not text:
        return None
    if _has_suffix(text, _NOT_IMPORTED):
        return NameReading(left_out="Godot does not import it, by its name")
    for suffix, mode in _GODOT_MODES:
        if _has_suffix(text, suffix):
            return NameReading(mode)
    for suffix, reason in _GODOT_LEFT_OUT:
        if _has_suffix(text, suffix):
            return NameReading(left_out=reason)
    return None


def _suffixed(name: str) -> str:
    """Return a name as Godot compares it, without its trailing digits; empty if there can be no suffix in it."""
    return _GODOT_END.sub("", name).lower() if _SEPARATOR.search(name) else ""


def _has_suffix(text: str, suffix: str) -> bool:
    return text.endswith((f"-{suffix}", f"_{suffix}")) or f"${suffix}" in text


def _mesh_of(shape: str, meshes: Collection[str]) -> str | None:
    """Return the mesh that an Unreal shape belongs to; None if there is none."""
    return next((name for name in _candidates(shape[4:]) if name in meshes), None)


def _candidates(name: str) -> Iterable[str]:
    """Yield the names that the mesh of a shape may have, the likeliest first.

    A duplicated pair, “Crate.001” and “UCX_Crate_01.001”, stays one; a second shape that is a duplicate of the first,
    “UCX_Crate.001”, belongs to “Crate”.
    """
    ending = _BLENDER_NUMBER.search(name)
    base = name[: ending.start()] if ending else name
    yield name
    yield _NUMBER.sub("", name)
    if ending:
        yield _NUMBER.sub("", base) + ending.group()
        yield base
        yield _NUMBER.sub("", base)


def _stand_for_it(shapes: Sequence[str]) -> str:
    if len(shapes) == 1:
        return f"its collision shape “{shapes[0]}” stands for it"
    return f"its {len(shapes)} collision shapes “{shapes[0]}” … stand for it"
