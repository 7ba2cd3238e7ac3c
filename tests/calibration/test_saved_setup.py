"""What was calibrated is held to when a game opens the camera."""

import os
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from calibration import saved_setup, store
from calibration.controls.controls import FakeControls
from calibration.store import reference_path
from kiosk.cli import main
from rules.errors import FairdealError
from vision.frame import Frame

LIGHT = store.LightLock((("auto_exposure", 1.0), ("gain", 12.0)), 120.0, "now")
SEATS = ("top", "right", "bottom", "left")
TABLE = store.TableFit(((1.0, 0, 0), (0, 1.0, 0), (0, 0, 1.0)), 700, 450, "corners", 0.1, SEATS,
                       "now")  # fmt: skip


def calibration(camera="0", width=320, **parts):
    return store.Calibration(camera, width, 180).with_part(**parts)


def scene(seed=0, dx=0):
    """A grey table with boxes all over it, shifted by `dx` px."""
    rng = np.random.default_rng(5)
    picture = np.full((180, 400, 3), 110, np.uint8)
    for _ in range(30):
        x, y = int(rng.integers(0, 370)), int(rng.integers(0, 160))
        cv2.rectangle(picture, (x, y), (x + 20, y + 14), int(rng.integers(10, 245)), -1)
    noise = np.random.default_rng(seed).normal(0, 1.5, picture.shape)
    return (picture + noise).clip(0, 255).astype(np.uint8)[:, 40 - dx : 360 - dx]


def test_the_newest_calibration_comes_first_and_a_damaged_one_is_said(tmp_path):
    old = store.save(calibration(light=LIGHT), tmp_path)
    new = store.save(calibration(width=640, table=TABLE), tmp_path)
    store.save(calibration("01"), tmp_path)
    bad = store.save(calibration(width=800), tmp_path)
    bad.write_text("cut off")
    for number, path in enumerate((old, new, bad)):
        os.utime(path, (number, number))
    said = []
    found = saved_setup.stored("0", tmp_path, said.append)
    assert [c.width for c in found] == [640, 320]
    assert len(said) == 1 and "calibration not used" in said[0]
    assert saved_setup.stored("9", tmp_path / "none", said.append) == ()


def test_seats_are_where_the_table_says():
    calibrations = (calibration(light=LIGHT), calibration(table=TABLE))
    assert saved_setup.seats(calibrations, 2) == ("top", "right")
    assert saved_setup.seats(calibrations, 4) == SEATS
    assert saved_setup.seats(calibrations, 5) is None
    assert saved_setup.seats((), 2) is None


def test_the_light_is_set_as_it_was_locked_each_time_the_camera_is_opened():
    fake = FakeControls({"gain": 99.0})
    apply = saved_setup.light_setter(
        "0", (calibration(light=LIGHT),), print, opener=lambda spec, source: fake
    )
    apply()
    assert not fake.is_automatic and fake.values == {"gain": 12.0, "auto_exposure": 1.0}
    fake.automatic()
    fake.values["gain"] = 50.0
    apply()
    assert not fake.is_automatic and fake.values["gain"] == 12.0


def test_without_a_locked_light_the_camera_is_left_alone():
    fake = FakeControls({"gain": 99.0})
    saved_setup.light_setter(
        "0", (calibration(table=TABLE),), print, opener=lambda spec, source: fake
    )()
    saved_setup.light_setter(
        "0", (calibration(light=LIGHT),), print, opener=lambda spec, source: None
    )()
    assert fake.is_automatic


def test_a_camera_whose_light_cannot_be_set_is_said():
    def opener(spec, source):
        raise FairdealError("v4l2-ctl to lock the camera's light", "none", "sudo apt install")

    said = []
    saved_setup.light_setter("0", (calibration(light=LIGHT),), said.append, opener=opener)()
    assert len(said) == 1 and "v4l2-ctl" in said[0]


@pytest.mark.parametrize(
    ("width", "dx", "words"),
    [(320, 0, None), (320, 12, "camera was moved by 12 px"), (640, 0, "calibrated at 640x180")],
)
def test_a_first_frame_that_is_not_as_calibrated_is_said(tmp_path, width, dx, words):
    found = calibration(width=width, table=TABLE)
    path = store.save(found, tmp_path)
    cv2.imwrite(str(reference_path(path)), scene(1))
    said = []
    saved_setup.view_checker((found,), tmp_path, said.append)(Frame(scene(2, dx), 0.0, 0))
    assert len(said) == (words is not None)
    assert words is None or words in said[0]


class Quick:
    """A camera that is there, and whose light is wrong until it is set."""

    name = "camera"

    def __init__(self, spec, size=None, rate=None, lock=None):
        self.number = 0

    def open(self):
        """Nothing to start."""

    def grab(self):
        self.number += 1
        return scene(self.number), 0.0

    def close(self):
        """Nothing to give back."""


def test_the_referee_sets_the_light_of_the_camera_that_it_opens(tmp_path, monkeypatch):
    from kiosk.game.loop import GameLoop
    from kiosk.game.news import Summary
    from vision.recognition.eyes import Eyes

    monkeypatch.setenv("FAIRDEAL_HOME", str(tmp_path))
    store.save(calibration(light=LIGHT, table=TABLE), tmp_path / "calibration")
    monkeypatch.setenv("FAIRDEAL_CAMERA_PROCESS", "0")
    monkeypatch.setattr("vision.sources.camera.UsbCamera", Quick)
    monkeypatch.setattr(Eyes, "open", classmethod(lambda cls, deck, *_: SimpleNamespace(name=None)))
    monkeypatch.setattr(GameLoop, "run", lambda self, **more: Summary(0, 0, 0.0, {}, None))
    fake = FakeControls({"gain": 99.0})
    opened = []
    monkeypatch.setattr(
        saved_setup.light_setter,
        "__defaults__",
        (None, lambda spec, _: opened.append(spec) or fake),
    )
    assert main(["referee", "suds", "--source", "0", "--headless", "--signals", "none"]) == 0
    assert opened == ["0"] and fake.values["gain"] == 12.0
    assert (tmp_path / "journal.sqlite").is_file()
