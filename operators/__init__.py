"""What can be done: read from Blender, call the core, write to Blender."""

import bpy

from . import handlers
from .add_character import LEVELWALK_OT_add_character
from .add_gym_level import LEVELWALK_OT_add_gym_level
from .add_preset import LEVELWALK_OT_add_preset
from .add_sample_level import LEVELWALK_OT_add_sample_level
from .apply_preset import LEVELWALK_OT_apply_preset
from .bake_keyframes import LEVELWALK_OT_bake_keyframes
from .build_colliders import LEVELWALK_OT_build_colliders
from .building import end_building
from .built_level import forget_level
from .copy_collider_settings import LEVELWALK_OT_copy_collider_settings
from .fit_units import LEVELWALK_OT_fit_units
from .make_collider_objects import LEVELWALK_OT_make_collider_objects
from .play import LEVELWALK_OT_play
from .playing import end_play
from .remove_take import LEVELWALK_OT_remove_take
from .select_reported import LEVELWALK_OT_select_reported
from .show_colliders import LEVELWALK_OT_show_colliders

classes = (
    LEVELWALK_OT_add_character,
    LEVELWALK_OT_add_sample_level,
    LEVELWALK_OT_add_gym_level,
    LEVELWALK_OT_copy_collider_settings,
    LEVELWALK_OT_build_colliders,
    LEVELWALK_OT_make_collider_objects,
    LEVELWALK_OT_select_reported,
    LEVELWALK_OT_show_colliders,
    LEVELWALK_OT_play,
    LEVELWALK_OT_remove_take,
    LEVELWALK_OT_bake_keyframes,
    LEVELWALK_OT_apply_preset,
    LEVELWALK_OT_add_preset,
    LEVELWALK_OT_fit_units,
)
_register_classes, _unregister_classes = bpy.utils.register_classes_factory(classes)


def register() -> None:
    """Add the operators and handlers."""
    _register_classes()
    handlers.register()


def unregister() -> None:
    """End what is going on, and remove handlers and operators."""
    end_building()
    end_play()
    forget_level()
    handlers.unregister()
    _unregister_classes()
