"""A Pi camera's light: what its automatics found is locked, stored and set again."""

import sys

import pytest

from calibration import saved_setup, store
from calibration.controls.pi_controls import PiControls
from kiosk.cli import main
from rules.errors import FairdealError
from vision.frame import Frame
from vision.sources import fake_picamera2, open_source
from vision.sources.fake_picamera2 import Sensor


@pytest.fixture
def pi(monkeypatch):
    """Puts these sensors where `import picamera2` finds them; gives the cameras opened so far."""
    monkeypatch.setenv("FAIRDEAL_CAMERA_PROCESS", "0")  # the fake lives in this process
    monkeypatch.setattr("vision.sources.picamera.WARM_UP_S", 0.0)
    monkeypatch.setattr("vision.sources.picamera.DEFAULT_SIZE", (320, 180))
    monkeypatch.setattr("calibration.light.light.SETTLE_S", 0.0)

    def put(*sensors):
        module = fake_picamera2.module(*sensors)
        monkeypatch.setitem(sys.modules, "picamera2", module)
        return module.Picamera2.opened

    return put


@pytest.fixture
def camera(pi):
    """Controls of a Pi camera that films; give it the sensor."""
    sources = []

    def opened(sensor, rate=None):
        pi(sensor)
        source = open_source("picamera", rate=rate)
        sources.append(source)
        return PiControls(source.steered)

    yield opened
    for source in sources:
        source.close()


LOCKED = {"AeEnable": 0.0, "ExposureTime": 9000.0, "AnalogueGain": 3.0, "AwbEnable": 0.0,
          "ColourGains.red": 2.5, "ColourGains.blue": 1.25, "AfMode": 0.0,
          "LensPosition": 2.0}  # fmt: skip


def test_what_the_automatics_found_is_locked(camera, pi):
    controls = camera(Sensor(exposure_us=12_000, gain=2.0, lens_position=1.4))
    controls.automatic()
    locked = controls.lock()
    assert list(locked) == list(LOCKED)
    assert locked["ExposureTime"] == pytest.approx(12_000, abs=20)
    assert (locked["AnalogueGain"], locked["LensPosition"]) == (2.0, 1.4)
    assert (locked["ColourGains.red"], locked["ColourGains.blue"]) == (1.9, 1.6)


def test_a_camera_without_focus_has_none_to_lock(camera):
    controls = camera(Sensor("imx477", lens_position=None))
    controls.automatic()
    assert list(controls.lock()) == list(LOCKED)[:6]


def test_locked_values_are_what_the_pictures_are_taken_with(camera, pi):
    controls = camera(Sensor())
    controls.apply(LOCKED)
    told = controls._camera.metadata()
    assert told["ExposureTime"] == pytest.approx(9000, abs=20)
    assert told["AnalogueGain"] == 3.0 and told["ColourGains"] == (2.5, 1.25)
    assert told["LensPosition"] == 2.0


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"ExposureTime": 5.0}, "ExposureTime from 29 to"),
        ({"AnalogueGain": 40.0}, "AnalogueGain from 1 to 16, found 40"),
        ({"ColourGains.red": 99.0}, "ColourGains.red from 0 to 32"),
        ({"LensPosition": 1e9}, "LensPosition from 0 to 15"),
        ({"gain": 3.0}, "the control gain, found one without"),
    ],
)
def test_a_value_that_the_camera_cannot_take_leaves_it_as_it_was(camera, changed, words):
    controls = camera(Sensor())
    before = dict(controls._camera.metadata())
    with pytest.raises(FairdealError, match=words) as caught:
        controls.apply(LOCKED | changed)
    assert "calibrate light" in str(caught.value)
    after = [controls._camera.metadata() for _ in range(6)][-1]
    assert after["AnalogueGain"] == before["AnalogueGain"] == 2.0


def test_a_focus_locked_on_another_camera_is_refused(camera):
    controls = camera(Sensor(lens_position=None))
    with pytest.raises(FairdealError, match="a camera with the control AfMode, found one without"):
        controls.apply(LOCKED)


@pytest.mark.parametrize("name", ["ExposureTime", "AnalogueGain", "ColourGains", "LensPosition"])
def test_a_control_that_is_not_followed_is_said(camera, name):
    controls = camera(Sensor(stuck=frozenset({name})))
    with pytest.raises(FairdealError, match=f"found {name}.* was set"):
        controls.apply(LOCKED)


def test_an_exposure_longer_than_a_picture_of_this_rate_is_said(camera):
    controls = camera(Sensor(), rate=60.0)
    with pytest.raises(FairdealError, match=r"ExposureTime 16.* where 30000 was set"):
        controls.apply(LOCKED | {"ExposureTime": 30_000.0})


def test_the_library_s_refusal_is_one_line(camera, monkeypatch):
    controls = camera(Sensor())
    with pytest.raises(FairdealError, match="Control Zoom is not advertised"):
        controls._camera.set_controls({"Zoom": 1.0})


def test_calibrate_light_locks_and_the_next_opening_is_lit_the_same(pi, tmp_path, capsys):
    opened = pi(Sensor(exposure_us=12_000, gain=2.0))
    folder = tmp_path / "s"
    folder.mkdir()
    assert main(["calibrate", "light", "--source", "picamera", "--store", str(folder)]) == 0
    said = capsys.readouterr().out
    assert "locked AeEnable 0, ExposureTime 119" in said and "LensPosition 1.4" in said
    assert not opened[-1].is_open
    found = store.find(folder, "picamera", 320, 180)
    assert found.light is not None and dict(found.light.controls)["AnalogueGain"] == 2.0

    opened = pi(Sensor(exposure_us=4_000, gain=8.0, lens_position=3.0))  # another lamp since
    lines = []
    with saved_setup.open_lit("picamera", "picamera", folder, lines.append) as source:
        told = source.steered.metadata()
        assert told["ExposureTime"] == pytest.approx(12_000, rel=0.01)
        assert told["AnalogueGain"] == 2.0 and told["LensPosition"] == 1.4
    assert lines == [] and not opened[-1].is_open


def test_a_camera_that_was_lost_is_lit_again(pi, tmp_path, monkeypatch):
    monkeypatch.setattr("vision.sources.live.PAUSES_S", (0.0,))
    light = store.LightLock(tuple(LOCKED.items()), 120.0, "now")
    found = store.Calibration("picamera", 320, 180, light=light)
    opened = pi(Sensor())
    with open_source("picamera") as source:
        set_light = saved_setup.light_setter("picamera", (found,), pytest.fail, source)
        set_light()
        opened[-1].stop()
        while len(opened) < 2 or not isinstance(source.watch(1.0), Frame):
            assert len(opened) <= 2
        assert source.steered.metadata()["AnalogueGain"] == 2.0
        set_light()
        assert source.steered.metadata()["AnalogueGain"] == 3.0


def test_a_light_that_cannot_be_set_is_said_and_the_game_goes_on(pi, tmp_path):
    light = store.LightLock(tuple(LOCKED.items()), 120.0, "now")
    store.save(store.Calibration("picamera", 320, 180, light=light), tmp_path)
    pi(Sensor("imx477", lens_position=None))
    lines = []
    with saved_setup.open_lit("picamera", "picamera", tmp_path, lines.append) as source:
        assert source.read() is not None
    assert len(lines) == 1 and "light not set as it was locked" in lines[0]


def test_a_light_too_dark_is_not_locked(pi, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("vision.sources.fake_picamera2.LIT", 12.0)
    pi(Sensor())
    assert main(["calibrate", "light", "--source", "picamera", "--store", str(tmp_path)]) == 1
    assert "too dark" in capsys.readouterr().out
    assert not list(tmp_path.glob("*.toml"))
