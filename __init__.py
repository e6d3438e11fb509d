"""Level Walk: walk a level with a game character controller in the 3D View, and bake the walk to keyframes.

Blender is first asked for in `register`, so that `levelwalk.core` imports where there is no Blender.
"""


def register() -> None:
    """Add the operators, the settings and the interface to Blender."""
    from . import operators, ui

    operators.register()
    ui.register()


def unregister() -> None:
    """Take everything out of Blender again, ending a walk that is being played."""
    from . import operators, ui

    ui.unregister()
    operators.unregister()
