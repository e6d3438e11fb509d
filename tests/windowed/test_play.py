"""What a user does in a window: install, play, jump, keep, bake, cancel. The session is in session.py.

It needs a Blender with a window: LEVELWALK_BLENDER is the command that starts it, such as ``blender``. The command
must see the checkout. Pictures of the screen are left in out/windowed.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from levelwalk.core import Settings
from levelwalk.core.samples.sample_level import RIM_HEIGHT, SAMPLE_START
from levelwalk.core.surfaces import Role, Surface
from levelwalk.operators.collider_colours import ROLES, SURFACES
from levelwalk.tools.build import build_zip

COMMAND = os.environ.get("LEVELWALK_BLENDER")
ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path("out/windowed")  # from the checkout: the command may see no other folder
TIMEOUT = 280  # s

SETTINGS = Settings()
DASH_SPEED = 9.0  # m/s, as the session sets it
RIM_EAST = -6.6  # x of the rim's edge, m

pytestmark = pytest.mark.skipif(not COMMAND, reason="LEVELWALK_BLENDER does not say how to start Blender with a window")


@pytest.fixture(scope="module")
def session():
    shutil.rmtree(ROOT / FOLDER, ignore_errors=True)
    user = ROOT / FOLDER / "user"  # Blender's settings: the session's own and not the user's
    user.mkdir(parents=True)
    extension = build_zip(ROOT / "dist").relative_to(ROOT)
    script = Path(__file__).with_name("session.py").relative_to(ROOT)
    command = [*shlex.split(COMMAND), "--enable-event-simulate", "--python", script, "--", extension, FOLDER]
    environment = {**os.environ, "BLENDER_USER_RESOURCES": str(user)}
    ran = subprocess.run(
        [str(part) for part in command], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=TIMEOUT
    )
    said = ran.stdout + ran.stderr
    (ROOT / FOLDER / "said.txt").write_text(said)
    if ran.returncode:
        pytest.fail(f"the session ended with exit code {ran.returncode}:\n{said}", pytrace=False)
    return {**json.loads((ROOT / FOLDER / "facts.json").read_text()), "said": said}


def test_nothing_goes_wrong_unseen(session):
    assert "Traceback" not in session["said"], session["said"]


def test_the_zip_is_installed_and_enabled(session):
    assert session["is_enabled"]


def test_the_character_begins_at_the_start(session):
    np.testing.assert_allclose(session["start"], SAMPLE_START, atol=1e-5)


@pytest.mark.parametrize(
    ("place", "kind", "expected"),
    [
        ("hull", "kind", ROLES[Role.HULL]),
        ("hull", "surface", SURFACES[Surface.WALKABLE]),
        ("faces", "kind", ROLES[Role.FACES]),
        ("faces", "surface", SURFACES[Surface.WALKABLE]),
        ("steep", "surface", SURFACES[Surface.STEEP]),
    ],
)
def test_colliders_are_tinted_in_the_colours_of_their_legend(session, place, kind, expected):
    _, colour = expected
    plain, tinted = (middle_colour(session, f"{place}_{look}.png") for look in ("off", kind))
    towards, change = np.array(colour) - plain, tinted - plain
    share = np.linalg.norm(change) / np.linalg.norm(towards)

    assert towards @ change > 0.9 * np.linalg.norm(towards) * np.linalg.norm(change)
    assert 0.2 < share < 0.6  # seen, and seen through


def test_colliders_are_not_drawn_where_overlays_are_off(session):
    plain = middle_colour(session, "steep_off.png")

    np.testing.assert_allclose(middle_colour(session, "overlays_off.png"), plain, atol=0.01)


def test_two_keys_walk_aslant_until_the_rim_stops_it(session):
    touching = RIM_EAST + SETTINGS.radius + SETTINGS.skin_width

    np.testing.assert_allclose(session["at_rim"], [touching, SAMPLE_START[1], SETTINGS.skin_width], atol=0.01)


def test_space_jumps_onto_the_rim(session):
    x, y, z = session["on_rim"]

    assert x < RIM_EAST
    assert y == pytest.approx(SAMPLE_START[1], abs=0.01)
    assert z == pytest.approx(RIM_HEIGHT + SETTINGS.skin_width, abs=0.01)


def test_o_shows_the_colliders_during_a_walk_and_hides_them(session):
    assert session["colliders_shown"] == [False, True, False]


def test_enter_keeps_the_walk(session):
    kept = session["after_keeping"]

    assert kept["takes"] == 1
    assert kept["modal"] == []
    np.testing.assert_allclose(kept["place"], session["on_rim"], atol=1e-5)


def test_baking_makes_keys_from_the_start_of_the_walk_to_its_end(session):
    baked = session["baked"]

    assert baked["frames"][0] == 10
    assert np.diff(baked["frames"]).tolist() == [1] * (len(baked["frames"]) - 1)
    assert len(baked["frames"]) > 2 * baked["fps"]
    assert {"location", "rotation_euler"} <= set(baked["paths"])
    np.testing.assert_allclose(baked["places"], [session["start"], session["on_rim"]], atol=1e-4)


def test_baking_is_one_undo_step(session):
    assert session["after_undo"] == {"is_animated": False, "takes": 1}
    assert session["after_redo"] == {"is_animated": True}


def test_esc_puts_character_and_view_back(session):
    before, after = session["before_cancel"], session["after_cancel"]

    assert abs(session["before_esc"][0] - before["place"][0]) > 0.5  # it had walked
    assert after["place"] == before["place"]
    np.testing.assert_allclose(after["view"], before["view"], atol=1e-5)
    assert after["takes"] == 1
    assert after["modal"] == []


def test_esc_leaves_nothing_on_the_screen(session):
    before, after = (read_picture(ROOT / FOLDER / f"{when}_cancel.png") for when in ("before", "after"))

    differs = np.abs(after - before).max(axis=2) > 0.1
    height, width = differs.shape
    differs[: height // 30, width * 2 // 5 : width * 3 // 5] = False  # Blender's message of the take, which fades
    assert differs.mean() < 1e-4


def test_c_crouches_while_it_is_held(session):
    assert session["crouched"]["height"] == pytest.approx(SETTINGS.crouch_height, abs=1e-4)
    assert session["crouched"]["state"].startswith("Crouched")
    assert session["upright"] == pytest.approx(SETTINGS.height, abs=1e-4)


def test_a_tap_of_e_dashes_ahead_once(session):
    way = np.subtract(session["after_dash"], session["before_dash"])

    # It faces +Y, and a dash goes on at its speed for its time.
    np.testing.assert_allclose(way, [0, DASH_SPEED * SETTINGS.dash_time, 0], atol=0.01)


def test_esc_cancels_a_long_build_and_keeps_what_was_built(session):
    assert session["building"] == ["LEVELWALK_OT_build_colliders"]
    assert session["after_esc_while_building"] == {"modal": [], "is_kept": True}


def test_play_begins_when_the_level_is_built(session):
    assert session["building_for_play"] == {"modal": ["LEVELWALK_OT_play"], "is_walking": False}
    walking = session["walking_after_build"]
    assert walking["modal"] == ["LEVELWALK_OT_play"]
    counts = [[int(number) for number in re.findall(r"\d+", walking[when])] for when in ("before", "after")]
    assert np.subtract(*counts[::-1]).tolist() == [0, 12, 12]  # hulls, faces, objects: each plain is one flat face


def test_loading_a_file_ends_a_walk(session):
    assert session["after_load"] == {"place": session["saved"], "modal": [], "takes": 1}


def test_disabling_the_extension_ends_a_walk(session):
    assert session["after_disable"] == {"place": session["saved"], "modal": [], "is_left": False}


def middle_colour(session, name):
    """Return the mean colour (3,) in the middle of the view."""
    x, y = session["middle"]
    return read_picture(ROOT / FOLDER / name)[y - 4 : y + 5, x - 4 : x + 5, :3].mean(axis=(0, 1))


def read_picture(file):
    bpy = pytest.importorskip("bpy")
    image = bpy.data.images.load(str(file))
    pixels = np.array(image.pixels[:]).reshape(image.size[1], image.size[0], 4)
    bpy.data.images.remove(image)
    return pixels
