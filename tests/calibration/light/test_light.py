import cv2
import numpy as np
import pytest

from calibration.controls.controls import V4l2Controls
from calibration.light import light
from kiosk.cli import main

LISTED = """
User Controls
                     brightness 0x00980900 (int)    : min=-64 max=64 step=1 default=0 value=0
        white_balance_automatic 0x0098090c (bool)   : default=1 value=1
                           gain 0x00980913 (int)    : min=0 max=100 step=1 default=0 value=12
      white_balance_temperature 0x0098091a (int)    : min=2800 max=6500 default=4600 value=4100
Camera Controls
                  auto_exposure 0x009a0901 (menu)   : min=0 max=3 default=3 value=3 (Aperture)
         exposure_time_absolute 0x009a0902 (int)    : min=1 max=5000 default=157 value=250
"""


def scene(level=120, seed=0):
    rng = np.random.default_rng(seed)
    picture = rng.normal(level, 3, (360, 640, 3))
    picture[100:200, 100:300] *= 0.4
    return picture.clip(0, 255).astype(np.uint8)


def states(frames):
    return {finding.name: finding.state for finding in light.judge(frames)}


def test_a_good_light_is_good():
    found = states([scene(seed=i) for i in range(10)])
    assert set(found.values()) == {"good"}


def test_dark_bright_flicker_and_blur_are_named():
    assert states([scene(20)] * 8)["brightness"] == "bad"
    assert states([scene(235)] * 8)["brightness"] == "bad"
    swinging = [scene(120 + (8 if i % 2 else -8), i) for i in range(10)]
    assert states(swinging)["flicker"] == "bad"
    blurred = [cv2.GaussianBlur(scene(), (0, 0), 12)] * 8
    assert states(blurred)["focus"] == "bad"
    assert states([scene()])["flicker"] == "warn"
    assert states([np.full((360, 640, 3), 120, np.uint8)] * 8)["focus"] == "warn"


def test_glare_is_named_with_its_place():
    picture = scene()
    cv2.circle(picture, (560, 300), 30, (255, 255, 255), -1)
    glare = next(f for f in light.judge([picture] * 8) if f.name == "glare")
    assert glare.state == "bad" and "lower right" in glare.words


def test_v4l2_controls_are_locked_as_they_were_found():
    asked = []

    def run(command):
        asked.append(command[-1])
        return LISTED

    locked = V4l2Controls("/dev/video0", run).lock()
    assert locked == {"auto_exposure": 1, "white_balance_automatic": 0, "gain": 12,
                      "exposure_time_absolute": 250, "white_balance_temperature": 4100}  # fmt: skip
    switches, values = (text for text in asked if text.startswith("--set-ctrl"))
    assert switches == "--set-ctrl=auto_exposure=1,white_balance_automatic=0"
    assert "exposure_time_absolute=250" in values and "auto_exposure=1" not in values


@pytest.mark.parametrize("level,code", [(120, 0), (15, 1)])
def test_the_command_says_and_exits_by_the_light(tmp_path, capsys, level, code):
    for i in range(8):
        cv2.imwrite(str(tmp_path / f"{i}.png"), scene(level, i))
    (tmp_path / "s").mkdir()
    found = main(["calibrate", "light", "--from", str(tmp_path), "--store", str(tmp_path / "s")])
    assert found == code
    assert "brightness" in capsys.readouterr().out
    assert not list((tmp_path / "s").glob("*.toml"))
