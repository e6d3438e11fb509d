"""The walking core: level meshes, convex colliders, and the character that moves through them.

It needs numpy alone and knows nothing of Blender. Everything that outside scripts rely on is imported here.
"""

from .commands import Command, Commands
from .events import Event, EventKind, Events
from .memory import Action
from .mesh import ColliderMode, Layer, Sides, TriMesh, check_mesh
from .settings import Facing, JumpDirection, LedgeGuard, Movement, Settings, SlopeSpeed
from .smooth import smooth_steps
from .state import State, Support
from .step import spawn, step
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
