"""The walking core: level meshes, convex colliders, and the character that moves through them.

It needs numpy alone and knows nothing of Blender. Everything that outside scripts rely on is imported here.
"""

from .character.memory import Action
from .character.state import State, Support
from .character.step import spawn, step
from .commands import Command, Commands
from .events import Event, EventKind, Events
from .mesh import ColliderMode, Layer, Sides, TriMesh, check_mesh
from .settings import Facing, JumpDirection, LedgeGuard, Movement, Settings, SlopeSpeed
from .smooth import smooth_steps
from .trace import Trace, simulate
from .world import World

__all__ = [
    "Action",
    "ColliderMode",
    "Command",
    "Commands",
    "Event",
    "EventKind",
    "Events",
    "Facing",
    "JumpDirection",
    "Layer",
    "LedgeGuard",
    "Movement",
    "Settings",
    "Sides",
    "SlopeSpeed",
    "State",
    "Support",
    "Trace",
    "TriMesh",
    "World",
    "check_mesh",
    "simulate",
    "smooth_steps",
    "spawn",
    "step",
]
