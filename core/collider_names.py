"""Collider names: what colliders are called so that a game engine's importer takes them for colliders.

Unreal (FBX static meshes): ``UCX_<mesh>_00`` is a convex collision shape of the mesh. There is no such name for faces.
Godot ("Node type customization using name suffixes"): ``-convcolonly`` makes a body with a convex shape and nothing
that is seen, ``-colonly`` one with the faces; they count at the end of a name.
Unity has no such names.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import Enum

from .engine_names import base_name, is_collision_shape, is_godot_body, is_unreal_shape


class Engine(Enum):
    """For whom colliders are named."""

    UNREAL = "UNREAL"
    GODOT = "GODOT"
    UNITY = "UNITY"
    PLAIN = "PLAIN"  # for nobody


@dataclass(frozen=True, slots=True)
class _Form:
    """What is put around an object's name; colliders of one object are numbered."""

    before: str
    first: str
    further: str

    def named(self, owner: str, number: int, longest: int) -> str:
        ending = self.further.format(number) if number else self.first
        room = longest - len((self.before + ending).encode())
        # Bytes count, and a character is not cut in two.
        return self.before + owner.encode()[: max(room, 0)].decode(errors="ignore") + ending


_UNITY = _Form("", "_Collider_00", "_Collider_{:02d}")
_FORMS = {
    (Engine.UNREAL, True): _Form("UCX_", "_00", "_{:02d}"),
    (Engine.UNREAL, False): _Form("", "_Collision", "_Collision_{:02d}"),
    (Engine.GODOT, True): _Form("", "_00-convcolonly", "_{:02d}-convcolonly"),
    (Engine.GODOT, False): _Form("", "-colonly", "_{:02d}-colonly"),
    (Engine.UNITY, True): _UNITY,
    (Engine.UNITY, False): _UNITY,
    (Engine.PLAIN, True): _Form("", "_Hull_00", "_Hull_{:02d}"),
    (Engine.PLAIN, False): _Form("", "_Faces", "_Faces_{:02d}"),
}


def is_shape_for(name: str, engine: Engine) -> bool:
    """Say whether the engine takes an object for a shape to collide with already, by its name."""
    if engine is Engine.UNREAL:
        return is_unreal_shape(name)
    return engine is Engine.GODOT and is_godot_body(name)


def named_after(owner: str, is_convex: bool, engine: Engine, others: Collection[str]) -> str:
    """Return what a collider of an object is named after: the object's name without what importers read in it.

    A hull for Unreal bears the whole name of a mesh that is seen, because Unreal looks for that.

    Parameters
    ----------
    owner : str
        The object that it comes from.
    is_convex : bool
        Whether it is a convex solid; else it is faces.
    engine : Engine
    others : names of all objects
        A hand-made shape has the name of its mesh if that is among them.
    """
    is_matched = engine is Engine.UNREAL and is_convex and not is_collision_shape(owner)
    return owner if is_matched else base_name(owner, others)


def name_colliders(
    owners: Sequence[str], is_convex: Sequence[bool], engine: Engine, taken: Collection[str], longest: int
) -> list[str]:
    """Return a name for each of c colliders, each another.

    Parameters
    ----------
    owners : c names, of what each is named after
        Different objects may have the same name, as instances do: their colliders are numbered on.
    is_convex : c times whether it is a convex solid; else it is faces
    engine : Engine
    taken : names that others have
    longest : int, bytes
        An object's name is cut at its end where the whole name would be longer.
    """
    used = set(taken)
    numbers: dict[tuple[str, _Form], int] = {}
    names = []
    for owner, convex in zip(owners, is_convex, strict=True):
        form = _FORMS[engine, bool(convex)]
        number = numbers.get((owner, form), 0)
        while (name := form.named(owner, number, longest)) in used:
            number += 1
        numbers[owner, form] = number + 1
        used.add(name)
        names.append(name)
    return names
