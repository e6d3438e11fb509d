"""Relevance: which settings mean something beside the others that were chosen. The rest is not shown."""

from collections.abc import Callable

import bpy

from ..core.settings import LedgeGuard, Movement

Rule = Callable[[bpy.types.PropertyGroup], bool]


def _walks(group: bpy.types.PropertyGroup) -> bool:
    return group.movement == Movement.CHARACTER.value


def _jumps(group: bpy.types.PropertyGroup) -> bool:
    return group.jump_height > 0


def _jumps_off_walls(group: bpy.types.PropertyGroup) -> bool:
    return _walks(group) and _jumps(group)


def _crouches(group: bpy.types.PropertyGroup) -> bool:
    return group.crouch_height > 0


def _can_slide(group: bpy.types.PropertyGroup) -> bool:
    return _walks(group) and _crouches(group)


def _dashes(group: bpy.types.PropertyGroup) -> bool:
    return _walks(group) and group.dash_speed > 0


def _guards(group: bpy.types.PropertyGroup) -> bool:
    return _walks(group) and group.ledge_guard != LedgeGuard.WALK_OFF.value


def _has_speed_on_slopes(group: bpy.types.PropertyGroup) -> bool:
    return _walks(group) and group.holds_on_slopes  # gravity sets the speed of those that do not hold


RULES: dict[str, Rule] = {
    **dict.fromkeys(
        ("step_offset", "ground_snap", "holds_on_slopes", "ledge_guard", "dash_speed", "climb_speed", "mantle_height"),
        _walks,
    ),
    **dict.fromkeys(("jump_direction", "jump_release", "coyote_time", "jump_buffer", "air_jumps"), _jumps),
    "slope_speed": _has_speed_on_slopes,
    "normal_smoothing": _has_speed_on_slopes,
    "launch_speed": lambda group: _walks(group) and group.ground_snap > 0,
    "guard_ahead": _guards,
    "guard_depth": _guards,
    "wall_jump_speed": _jumps,
    "push_fade": lambda group: _jumps_off_walls(group) and group.wall_jump_speed > 0,
    "crouch_speed": _crouches,
    "slide_speed": _can_slide,
    "slide_deceleration": lambda group: _can_slide(group) and group.slide_speed > 0,
    "dash_time": _dashes,
    "dash_wait": _dashes,
    "terminal_speed": lambda group: group.gravity > 0 and group.gravity_scale > 0,
    "gravity_scale": lambda group: group.gravity > 0,
}


def is_relevant(group: bpy.types.PropertyGroup, name: str) -> bool:
    """Say whether a change of the setting `name` could change a walk, with the scene's other settings as they are."""
    rule = RULES.get(name)
    return rule is None or rule(group)
