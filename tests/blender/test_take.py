"""Takes: what is recorded, between its steps, and as text."""

import base64
import dataclasses
import io
import json
import math

import numpy as np
import pytest

pytest.importorskip("bpy")
from blender.scenes import straight_take, turning_take

from levelwalk.core import Commands, Movement, Settings, SlopeSpeed
from levelwalk.operators.take import Take


def random_take(steps=50):
    rng = np.random.default_rng(1)
    return Take(
        dt=1 / 60,
        settings=Settings(
            radius=0.31,
            slope_speed=SlopeSpeed.PROJECTED,
            air_acceleration=math.inf,
            movement=Movement.MOMENTUM,
            plane_lock=(0.6, 0.0, 0.8),
        ),
        commands=Commands(rng.uniform(-1, 1, (steps, 2)), *(rng.random((4, steps)) < 0.3)),
        position=rng.normal(size=(steps + 1, 3)) * 1e4,
        heading=rng.normal(size=steps + 1) * 10,
        support=rng.integers(0, 3, steps + 1).astype(np.int8),
    )


def test_a_take_comes_back_from_text_to_the_bit():
    take = random_take()

    back = Take.unpack(take.pack())

    assert (back.dt, back.settings) == (take.dt, take.settings)
    for name in ("position", "heading", "support"):
        np.testing.assert_array_equal(getattr(back, name), getattr(take, name))
    for name in ("move", "jump", "run", "crouch", "dash"):
        np.testing.assert_array_equal(getattr(back.commands, name), getattr(take.commands, name))


def test_settings_without_a_locked_plane_come_back_equal():
    take = straight_take()

    assert Take.unpack(take.pack()).settings == take.settings == Settings()


def test_a_take_of_the_first_version_still_loads():
    # What that version kept: ten steps, two buttons, and the settings that it knew.
    settings = {"radius": 0.4, "height": 1.9, "slope_speed": "HORIZONTAL", "acceleration": math.inf, "up": [0, 0, 1]}
    packed = io.BytesIO()
    np.savez_compressed(
        packed,
        header=np.array(json.dumps({"dt": 1 / 60, "settings": settings})),
        move=np.ones((10, 2)),
        jump=np.arange(10) == 3,
        run=np.zeros(10, bool),
        position=np.zeros((11, 3)),
        heading=np.zeros(11),
        support=np.full(11, 2, np.int8),
    )

    take = Take.unpack(base64.b64encode(packed.getvalue()).decode("ascii"))

    assert take.settings == Settings(radius=0.4, height=1.9, slope_speed=SlopeSpeed.HORIZONTAL)
    assert take.commands.jump[:, 0].tolist() == [index == 3 for index in range(10)]
    assert take.commands.crouch is None
    assert take.commands.dash is None


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"settings": None}, id="no settings"),
        pytest.param({"settings": {"radius": "wide"}}, id="a word for a number"),
        pytest.param({"dt": math.inf}, id="endless steps"),
        pytest.param({"dt": 1e6}, id="steps of days"),
        pytest.param({"position": np.full((61, 3), "here")}, id="words for places"),
    ],
)
def test_a_take_of_wrong_things_is_refused(changes):
    take, packed = straight_take(), io.BytesIO()
    header = {"dt": changes.get("dt", 1 / 60), "settings": changes.get("settings", {})}
    np.savez_compressed(
        packed,
        header=np.array(json.dumps(header)),
        move=np.zeros((60, 2)),
        position=changes.get("position", take.position),
        heading=take.heading,
        support=take.support,
    )

    with pytest.raises(ValueError, match="no take"):
        Take.unpack(base64.b64encode(packed.getvalue()).decode("ascii"))


@pytest.mark.parametrize("text", ["", "no take", "YWJj", straight_take().pack()[:-40]])
def test_text_that_is_no_take_is_refused(text):
    with pytest.raises(ValueError, match="no take"):
        Take.unpack(text)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"position": np.zeros((3, 3))}, "position must be"),
        ({"heading": np.zeros(3)}, "heading must be"),
        ({"position": np.full((61, 3), np.nan)}, "finite"),
        ({"dt": 0.0}, "dt must be above 0"),
    ],
)
def test_parts_that_do_not_fit_are_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        dataclasses.replace(straight_take(), **changes)


def test_between_steps_it_goes_straight():
    take = straight_take(metres=6.0, seconds=1.0)  # to -Y

    places, _ = take.at([-1.0, 0.0, 0.2501, 1.0, 9.0])

    np.testing.assert_allclose(places[:, 1], [0, 0, -6 * 0.2501, -6, -6], atol=1e-12)
    assert (take.duration, take.distance) == pytest.approx((1.0, 6.0))


def test_headings_go_on_past_whole_turns():
    take = turning_take(turns=2, seconds=2)
    wrapped = dataclasses.replace(take, heading=np.remainder(take.heading, 2 * np.pi))

    _, headings = wrapped.at(np.linspace(0, 2, 9))

    np.testing.assert_allclose(headings, np.linspace(0, 4 * np.pi, 9), atol=1e-9)
