"""A user's session, run inside a Blender with a window: it plays, keeps, bakes and cancels by simulated keys.

Started by test_play.py as ``blender --enable-event-simulate --python session.py -- ZIP FOLDER``. It judges nothing: it
writes what it saw into FOLDER/facts.json, beside pictures of the screen, and the tests judge that.
"""

import json
import math
import os
import shutil
import subprocess
import sys
import time
import traceback
from pathlib import Path

import addon_utils
import bpy
from mathutils import Euler

ZIP, FOLDER = (Path(argument) for argument in sys.argv[sys.argv.index("--") + 1 :])
PACKAGE = "bl_ext.user_default.levelwalk"
CHARACTER = "Character"
VIEW = Euler((math.radians(66), 0, math.radians(45))).to_quaternion()
TO_RIM, BACK = "WA", "SD"  # keys; in that view, away and to the left is -X in the world, where the rim is
DASH_SPEED = 9.0  # m/s
ON_TOP = {"hull": (6.0, 5.2, 2.0), "faces": (-3.0, 0.0, 2.4), "steep": (9.0, 1.2, 1.0)}  # points on the sample level
COLLIDER_LOOKS = {"off": "KIND", "kind": "KIND", "surface": "SURFACE"}
PLAINS = 12  # of 51,200 triangles each: to build them all takes longer than a moment
PATIENCE = 20.0  # s; what has not happened by then does not happen

facts = {}


def session():
    """Do everything, yielding seconds in which Blender goes on; a test reads as what a user does."""
    yield 1.0  # the window draws itself
    bpy.ops.extensions.package_install_files(repo="user_default", filepath=str(ZIP), enable_on_install=True)
    facts["is_enabled"] = addon_utils.check(PACKAGE) == (True, True)
    yield from set_the_scene()
    yield from show_colliders()
    yield from play_keep_and_bake()
    yield from cancel()
    yield from use_abilities()
    yield from cancel_a_build()
    yield from load_while_playing()
    yield from disable_while_playing()


def set_the_scene():
    with in_view():
        bpy.ops.object.select_all(action="SELECT")
        bpy.ops.object.delete()
        bpy.ops.levelwalk.add_sample_level("EXEC_DEFAULT", True)
        bpy.ops.levelwalk.build_colliders()
    space, region_3d = view_3d().spaces.active, view_3d().spaces.active.region_3d
    space.show_region_ui = True
    space.shading.type = "SOLID"
    region_3d.view_perspective = "PERSP"
    region_3d.view_rotation = VIEW
    region_3d.view_location = character().location
    region_3d.view_distance = 8
    yield 1.0
    region("UI").active_panel_category = "Level Walk"
    view_3d().tag_redraw()
    yield 1.0
    facts["start"] = place()


def show_colliders():
    """Look straight down on a hull and on faces, so that a point of each is in the middle of the view."""
    scene, space = bpy.context.scene, view_3d().spaces.active
    region_3d = space.region_3d
    was = region_3d.view_rotation.copy(), region_3d.view_location.copy(), region_3d.view_distance
    region_3d.view_rotation = Euler((0, 0, 0)).to_quaternion()
    region_3d.view_distance = 6
    facts["middle"] = middle_of("WINDOW")
    for name, point in ON_TOP.items():
        region_3d.view_location = point
        for kind, settings in COLLIDER_LOOKS.items():
            scene.levelwalk.show_colliders = kind != "off"
            scene.levelwalk.colour_by = settings
            yield 0.8
            take_picture(f"{name}_{kind}.png")
    space.overlay.show_overlays = False
    yield 0.8
    take_picture("overlays_off.png")
    space.overlay.show_overlays = True
    scene.levelwalk.show_colliders = False
    region_3d.view_rotation, region_3d.view_location, region_3d.view_distance = was
    yield 0.8


def play_keep_and_bake():
    yield from press_play()
    hold(*TO_RIM)
    yield from wait_until(lambda: place()[0] < -6.0)
    yield from wait_until_still()
    facts["at_rim"] = place()
    take_picture("playing.png")
    tap("SPACE")
    yield from wait_until(lambda: place()[0] < -7.3)
    release(*TO_RIM)
    yield from wait_until_still()
    facts["on_rim"] = place()
    tap("RET")
    yield 0.5
    facts["after_keeping"] = {"place": place(), "takes": len(takes()), "modal": modal_operators()}
    with in_view():
        bpy.ops.levelwalk.bake_keyframes("EXEC_DEFAULT", True, frame_start=10)
    facts["baked"] = baked()
    with in_view():
        bpy.ops.ed.undo()
    facts["after_undo"] = {"is_animated": is_animated(), "takes": len(takes())}
    with in_view():
        bpy.ops.ed.redo()
    facts["after_redo"] = {"is_animated": is_animated()}
    yield 0.5


def cancel():
    character().animation_data_clear()
    yield from rest_mouse()
    facts["before_cancel"] = {"place": place(), "view": view_matrix()}
    take_picture("before_cancel.png")
    yield from press_play()
    hold(*BACK)
    yield from wait_until(lambda: place()[0] > facts["before_cancel"]["place"][0] + 1.0)
    facts["before_esc"] = place()
    tap("ESC")
    release(*BACK)
    yield 0.5
    yield from rest_mouse()
    facts["after_cancel"] = {"place": place(), "view": view_matrix(), "takes": len(takes()), "modal": modal_operators()}
    take_picture("after_cancel.png")


def use_abilities():
    scene = bpy.context.scene
    scene.levelwalk.dash_speed = DASH_SPEED
    character().location = facts["start"]
    character().rotation_euler = (0, 0, math.pi)  # faces +Y
    yield from press_play()
    facts["before_dash"] = place()
    hold("C")
    yield from wait_until(lambda: play().body_size[1] < 1.5)
    yield 0.3
    facts["crouched"] = {"height": play().body_size[1], "state": play().state_text}
    take_picture("crouched.png")
    release("C")
    facts["colliders_shown"] = [scene.levelwalk.show_colliders]
    for _ in range(2):
        tap("O")
        yield 0.5
        facts["colliders_shown"].append(scene.levelwalk.show_colliders)
    yield from wait_until(lambda: play().body_size[1] > 1.5)
    facts["upright"] = play().body_size[1]
    tap("E")  # over before the next step
    yield from wait_until(lambda: place() != facts["before_dash"])
    yield from wait_until_still()
    facts["after_dash"] = place()
    tap("ESC")
    yield 0.5
    scene.levelwalk.dash_speed = 0


def cancel_a_build():
    """Make the level large, so that building takes long."""
    level = bpy.context.scene.levelwalk.level
    plains = []
    for i in range(PLAINS):
        with in_view():
            bpy.ops.mesh.primitive_grid_add(
                x_subdivisions=160, y_subdivisions=160, size=40, location=(60 + 50 * i, 0, -9)
            )
        plains.append(bpy.context.object.name)
        level.objects.link(bpy.context.object)
    before = summary()
    with in_view():
        bpy.ops.levelwalk.build_colliders("INVOKE_DEFAULT")
    facts["building"] = modal_operators()
    yield 0.2
    take_picture("building.png")
    tap("ESC")
    yield 0.5
    facts["after_esc_while_building"] = {"modal": modal_operators(), "is_kept": summary() == before}
    with in_view():
        bpy.ops.levelwalk.play("INVOKE_DEFAULT")
    facts["building_for_play"] = {"modal": modal_operators(), "is_walking": play() is not None}
    yield from wait_until(lambda: play() is not None)
    facts["walking_after_build"] = {"modal": modal_operators(), "before": before, "after": summary()}
    tap("ESC")
    yield 0.5
    for name in plains:
        bpy.data.objects.remove(bpy.data.objects[name])
    yield 0.5


def load_while_playing():
    file = FOLDER / "session.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(file))
    facts["saved"] = place()
    yield from press_play()
    hold(*BACK)
    yield from wait_until(lambda: place() != facts["saved"])
    release(*BACK)
    bpy.ops.wm.open_mainfile(filepath=str(file))
    yield 1.0
    facts["after_load"] = {"place": place(), "modal": modal_operators(), "takes": len(takes())}


def disable_while_playing():
    yield from press_play()
    yield 0.5
    addon_utils.disable(PACKAGE, default_set=True)
    yield from rest_mouse()  # Blender forgets a modal operator whose class is gone at the next event
    is_left = hasattr(bpy.context.scene, "levelwalk")
    facts["after_disable"] = {"place": place(), "modal": modal_operators(), "is_left": is_left}
    take_picture("disabled.png")


# Blender as it is now: references do not outlive undo and file loads.


def window():
    return bpy.context.window_manager.windows[0]


def view_3d():
    return next(area for area in window().screen.areas if area.type == "VIEW_3D")


def region(kind):
    return next(region for region in view_3d().regions if region.type == kind)


def in_view():
    return bpy.context.temp_override(window=window(), area=view_3d(), region=region("WINDOW"))


def character():
    return bpy.data.objects[CHARACTER]


def takes():
    return bpy.context.scene.levelwalk.takes


def place():
    return list(character().location)


def view_matrix():
    return [list(row) for row in view_3d().spaces.active.region_3d.view_matrix]


def modal_operators():
    return [operator.bl_idname for operator in window().modal_operators]


def play():
    """Return the walk in progress, as the extension itself knows it."""
    return sys.modules[f"{PACKAGE}.operators.playing"].current_play()


def summary():
    """Return what was built last, as the panel says it."""
    built = sys.modules[f"{PACKAGE}.operators.built_level"].built_level(bpy.context.scene)
    return built and built.summary


def is_playing():
    return any("play" in name.lower() for name in modal_operators())


def is_animated():
    animation = character().animation_data
    return animation is not None and animation.action is not None


def baked():
    """Return the keys' frames and where the character is on the first and on the last of them."""
    action = character().animation_data.action
    curves = action.fcurves if not hasattr(action, "slots") else action.layers[0].strips[0].channelbags[0].fcurves
    frames = [point.co[0] for point in curves[0].keyframe_points]
    places = []
    for frame in (frames[0], frames[-1]):
        bpy.context.scene.frame_set(int(frame))
        places.append(place())
    return {
        "action": action.name,
        "paths": sorted({curve.data_path for curve in curves}),
        "frames": frames,
        "places": places,
        "fps": bpy.context.scene.render.fps,
    }


# Hands and eyes.


def event(kind, value, at=None):
    x, y = at or middle_of("WINDOW")
    window().event_simulate(type=kind, value=value, x=int(x), y=int(y))


def middle_of(kind):
    found = region(kind)
    return found.x + found.width // 2, found.y + found.height // 2


def hold(*keys):
    for key in keys:
        event(key, "PRESS")


def release(*keys):
    for key in keys:
        event(key, "RELEASE")


def tap(key):
    hold(key)
    release(key)


def rest_mouse():
    """Move the mouse over the view, where no button lights up, and have everything drawn."""
    event("MOUSEMOVE", "NOTHING")
    for area in window().screen.areas:
        area.tag_redraw()
    yield 0.8


def press_play():
    """Click the sidebar's large button: it is the topmost one, below the panel's title."""
    sidebar = region("UI")
    for below_top in range(40, 100, 10):
        at = sidebar.x + sidebar.width // 2, sidebar.y + sidebar.height - below_top
        event("MOUSEMOVE", "NOTHING", at)
        yield 0.3
        event("LEFTMOUSE", "PRESS", at)
        yield 0.1
        event("LEFTMOUSE", "RELEASE", at)
        yield 0.5
        if is_playing():
            break
    else:
        raise RuntimeError("a click on Play does not start it")
    yield from rest_mouse()


def wait_until(condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"{PATIENCE} s have passed; the character is at {place()}")
        yield 0.05


def wait_until_still():
    """Wait until the character has not moved for a second: redrawing may take long."""
    since, last = time.monotonic(), None
    while time.monotonic() - since < 1.0:
        if place() != last:
            since, last = time.monotonic(), place()
        yield 0.05


def take_picture(name):
    """Save what is on the screen; Blender's own screenshots are black where OpenGL runs on the processor."""
    file = str(FOLDER / name)
    if shutil.which("import") and os.environ.get("DISPLAY"):
        subprocess.run(["import", "-window", "root", file], check=True)
    else:
        with in_view():
            bpy.ops.screen.screenshot(filepath=file)


class Driver:
    """Advances the session from a timer, and ends Blender with it."""

    def __init__(self):
        self.steps = session()

    def __call__(self):
        try:
            return next(self.steps)
        except StopIteration:
            code = 0
        except BaseException:
            facts["error"] = traceback.format_exc()
            traceback.print_exc()
            take_picture("failed.png")
            code = 1
        (FOLDER / "facts.json").write_text(json.dumps(facts, indent=1))
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


bpy.context.preferences.view.show_splash = False
bpy.app.timers.register(Driver(), first_interval=1.0, persistent=True)
