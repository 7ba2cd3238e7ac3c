"""The gpiozero adapter on gpiozero's own mock pins."""

import importlib.util

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

import device.gpio.pins
import device.outputs
from device.gpio.pins import MockPins, Pins, lgpio_factory, pi_model
from device.outputs import open_outputs
from device.rendering import Lights
from device.settings import DeviceSettings, PinSettings
from rules.errors import FairdealError
from rules.table.event import Event, Pressed

ALL = PinSettings(rgb=(5, 6, 13), seats=(12, 16, 19), buttons={"start": 24, "out/2": 25})


@pytest.fixture
def factory():
    made = MockFactory(pin_class=MockPWMPin)
    yield made
    made.close()


def test_levels_reach_the_pins(factory):
    pins = Pins(ALL, factory=factory)
    pins.show(Lights((1.0, 0.5, 0.25, 0.0), (1.0, 0.3, 0, 0, 0, 0), (1.0, 0.4, 0.0), 440, 0.2))
    state = {pin: factory.pin(pin).state for pin in (17, 27, 22, 23, 12, 16, 19, 5, 6, 13)}
    assert state == pytest.approx(
        {17: 1, 27: 0.5, 22: 0.25, 23: 0, 12: 1, 16: 0.3, 19: 0, 5: 1, 6: 0.4, 13: 0}
    )
    assert factory.pin(18).frequency == pytest.approx(440, abs=1)
    assert factory.pin(18).state == 0.5
    pins.show(Lights())
    assert factory.pin(18).frequency is None or factory.pin(18).state == 0
    pins.close()


def test_a_plain_buzzer_is_switched(factory):
    pins = Pins(PinSettings(buzzer_kind="plain"), factory=factory)
    pins.show(Lights(tone_hz=330, tone_s=0.1))
    assert factory.pin(18).state == 1
    pins.show(Lights())
    assert factory.pin(18).state == 0
    pins.close()


def test_a_common_anode_is_turned_about(factory):
    pins = Pins(PinSettings(rgb=(5, 6, 13), common_anode=True), factory=factory)
    pins.show(Lights(colour=(1.0, 0.0, 0.0)))
    assert (factory.pin(5).state, factory.pin(6).state) == (0, 1)
    pins.close()


def test_pin_0_is_not_connected(factory):
    pins = Pins(PinSettings(mistake=0, buzzer=0, buttons={"start": 0}), factory=factory)
    pins.show(Lights((1.0, 1.0, 0, 0), tone_hz=440))
    assert factory.pin(27).state == 1
    pins.close()


def test_a_busy_pin_is_refused_and_the_others_are_given_back(factory):
    first = Pins(PinSettings(mistake=0, complete=0, turn=0, buzzer=0, buttons={}), factory=factory)
    with pytest.raises(FairdealError, match=r"expected GPIO23 free for unsure, found .*GPIO23"):
        Pins(ALL, factory=factory)
    first.close()
    Pins(ALL, factory=factory).close()


def test_buttons_become_presses_at_the_press(factory):
    heard: list[tuple[str, int | None]] = []
    pins = MockPins(ALL, lambda button, seat: heard.append((button, seat)))
    for _ in range(2):
        pins.press("start")
    pins.press("out", 2)
    pins.press("draw")  # has no pin, so the keyboard stands in
    assert heard == [("start", None), ("start", None), ("out", 2), ("draw", None)]
    pins.close()


def test_mock_pins_record_every_change():
    pins = MockPins()
    seen: list[Lights] = []
    pins.on_change(seen.append)
    lit = Lights((1.0, 0, 0, 0))
    pins.show(lit)
    assert pins.level("mistake") == 1.0
    pins.show(Lights())
    assert pins.history == (lit, Lights()) == tuple(seen)
    assert pins.level("mistake") == 0.0
    pins.close()


def test_a_pi_is_known_by_its_device_tree(tmp_path):
    model = tmp_path / "model"
    assert pi_model(model) == ""
    model.write_bytes(b"Raspberry Pi 5 Model B Rev 1.0\0")
    assert pi_model(model) == "Raspberry Pi 5 Model B Rev 1.0"
    model.write_bytes(b"Radxa ROCK 5B\0")
    assert pi_model(model) == ""


def test_lgpio_is_asked_for_by_name(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(FairdealError, match="expected the lgpio library"):
        lgpio_factory()


def test_on_a_pi_mock_pins_never_stand_in_by_themselves(monkeypatch):
    monkeypatch.setattr(device.outputs, "pi_model", lambda: "Raspberry Pi 5")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(FairdealError, match="lgpio"):
        open_outputs(None, say=lambda line: None)


def test_without_gpio_the_mock_pins_are_said_plainly(monkeypatch):
    monkeypatch.setattr(device.outputs, "pi_model", lambda: "")
    monkeypatch.setattr(device.gpio.pins, "pi_model", lambda: "")
    said: list[str] = []
    events: list[Event] = []
    (output,) = open_outputs(None, on_press=events.append, clock=lambda: 4.5, say=said.append)
    assert isinstance(output, MockPins)
    assert said == [
        "signals: mock pins (there is no Raspberry Pi GPIO here); "
        "nothing lights up or sounds outside this program"
    ]
    output.press("undo")
    assert events == [Pressed(4.5, "undo")]
    output.close()


@pytest.mark.parametrize(
    "spec", ["", "lamp", "mock,", "mock:3", "board:", "none,mock", "mock,mock", "gpio"]
)
def test_a_spec_that_cannot_be_had_is_refused(spec, monkeypatch):
    monkeypatch.setattr(device.outputs, "pi_model", lambda: "")
    with pytest.raises(FairdealError):
        open_outputs(spec, say=lambda line: None)


def test_none_is_nothing_and_settings_reach_the_pins():
    assert open_outputs("none") == []
    settings = DeviceSettings(pins=PinSettings(mistake=4))
    (output,) = open_outputs("mock", settings, say=lambda line: None)
    output.show(Lights((1.0, 0, 0, 0)))
    assert output.factory.pin(4).state == 1.0
    output.close()
