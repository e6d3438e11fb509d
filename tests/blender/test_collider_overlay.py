"""The collider overlay: its panel, its legend, and, where a Blender without window can draw, its pixels."""

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")
from blender.scenes import add_cube, add_floor  # noqa: E402
from blender.test_interface import drawn  # noqa: E402
from mathutils import Matrix  # noqa: E402

from levelwalk.core.surfaces import Role, Surface  # noqa: E402
from levelwalk.operators.collider_colours import ROLES, SURFACES  # noqa: E402
from levelwalk.ui import collider_overlay  # noqa: E402

PANEL = "LEVELWALK_PT_colliders"


def names_of(palette):
    return [name for name, _ in palette.values()]


def test_every_role_and_surface_has_a_name_and_a_colour_of_its_own():
    for palette, kinds in ((ROLES, Role), (SURFACES, Surface)):
        assert list(palette) == list(kinds)
        assert len(set(palette.values())) == len(kinds)


def test_colliders_are_not_shown_unless_asked_for(scene):
    assert not scene.levelwalk.show_colliders
    assert "colour_by" not in drawn(PANEL)


def test_without_colliders_the_panel_says_so_and_has_the_button(floor, scene):
    scene.levelwalk.show_colliders = True
    shown = drawn(PANEL)

    assert "Build colliders first" in shown
    assert "levelwalk.build_colliders" in shown


@pytest.mark.parametrize(("colour_by", "palette"), [("KIND", ROLES), ("SURFACE", SURFACES)])
def test_the_legend_names_every_colour(floor, scene, colour_by, palette):
    scene.levelwalk.show_colliders = True
    scene.levelwalk.colour_by = colour_by
    bpy.ops.levelwalk.build_colliders()
    shown = drawn(PANEL)

    assert shown[shown.index("colour_by") + 1 :][: len(palette)] == names_of(palette)
    assert "Build colliders first" not in shown


def test_the_panel_says_when_the_level_has_changed(floor, scene):
    scene.levelwalk.show_colliders = True
    bpy.ops.levelwalk.build_colliders()
    assert not any("changed" in text for text in drawn(PANEL))

    floor.levelwalk.layer = "OBSTACLE"

    assert any("changed" in text for text in drawn(PANEL))


# Drawing: what a camera that looks straight down sees, 20 m wide.

SIZE = 64
METRES = 20.0


@pytest.fixture
def screen(scene):
    """Return a function that draws the overlay, and returns its pixels (SIZE, SIZE, 4), Y up."""
    gpu = pytest.importorskip("gpu")
    if not hasattr(gpu, "init"):
        pytest.skip("this Blender draws only in a window")
    gpu.init()
    canvas = gpu.types.GPUOffScreen(SIZE, SIZE)

    def draw():
        with canvas.bind(), gpu.matrix.push_pop(), gpu.matrix.push_pop_projection():
            frame = gpu.state.active_framebuffer_get()
            frame.clear(color=(0, 0, 0, 1), depth=1.0)
            gpu.matrix.load_matrix(Matrix())
            gpu.matrix.load_projection_matrix(Matrix.Diagonal((2 / METRES, 2 / METRES, -0.01, 1)))
            collider_overlay.draw_colliders(scene, METRES)
            pixels = frame.read_color(0, 0, SIZE, SIZE, 4, 0, "FLOAT")
        pixels.dimensions = SIZE * SIZE * 4
        return np.array(pixels).reshape(SIZE, SIZE, 4)

    yield draw
    collider_overlay._forget()
    canvas.free()


def colour_at(pixels, x, y):
    """Return the colour at a place of the world, its largest part 1."""
    column, row = (int((value / METRES + 0.5) * SIZE) for value in (x, y))
    colour = pixels[row, column, :3]
    return colour / max(colour.max(), 1e-6)


def hue(colour):
    return np.array(colour) / max(colour)


def test_it_draws_a_hull_in_its_colour_and_nothing_beside_it(scene, screen):
    add_cube(location=(4, 0, 0))
    scene.levelwalk.show_colliders = True
    bpy.ops.levelwalk.build_colliders()
    pixels = screen()

    np.testing.assert_allclose(colour_at(pixels, 4.3, 0.4), hue(ROLES[Role.HULL][1]), atol=0.1)
    assert not colour_at(pixels, -4, 0).any()


def test_it_is_where_the_level_is_in_a_scene_of_centimetres(scene, screen):
    scene.unit_settings.scale_length = 0.01
    add_cube(location=(4, 0, 0))
    scene.levelwalk.show_colliders = True
    bpy.ops.levelwalk.build_colliders()
    pixels = screen()

    assert colour_at(pixels, 4.3, 0.4).any()
    assert not colour_at(pixels, 2.6, 0).any()


def test_colours_follow_what_is_chosen_and_the_slope_limit(scene, screen):
    add_floor(half=5).rotation_euler.x = np.radians(30)
    scene.levelwalk.show_colliders = True
    scene.levelwalk.colour_by = "SURFACE"
    bpy.ops.levelwalk.build_colliders()
    for degrees, surface in ((31, Surface.WALKABLE), (29, Surface.STEEP)):
        scene.levelwalk.slope_limit = np.radians(degrees)
        np.testing.assert_allclose(colour_at(screen(), 0.4, -0.3), hue(SURFACES[surface][1]), atol=0.1)


def test_it_draws_nothing_before_there_are_colliders(scene, screen):
    add_floor()
    scene.levelwalk.show_colliders = True
    assert not screen()[..., :3].any()

    bpy.ops.levelwalk.build_colliders()
    assert screen()[..., :3].any()

    scene.levelwalk.show_colliders = False
    assert not screen()[..., :3].any()


def test_batches_are_made_once_and_forgotten_with_the_file(floor, scene, screen):
    scene.levelwalk.show_colliders = True
    bpy.ops.levelwalk.build_colliders()
    screen()
    first = collider_overlay._drawn
    screen()
    assert collider_overlay._drawn is first

    bpy.ops.levelwalk.build_colliders()
    screen()
    assert collider_overlay._drawn is not first
    bpy.ops.wm.read_homefile(use_empty=True)
    assert collider_overlay._drawn is None
