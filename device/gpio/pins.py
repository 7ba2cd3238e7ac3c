"""The adapter of gpiozero: lamps, seat strips, buzzer and buttons on a Pi's pins.

`Pins` drives real pins. `MockPins` is its fake for machines without GPIO; it records the lamps.
"""

from __future__ import annotations

import importlib.util
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from device.rendering import DARK, Lights
from device.settings import PinSettings, button_of
from device.signals import LAMPS
from rules.errors import FairdealError

OnPress = Callable[[str, int | None], None]
_MODEL = Path("/proc/device-tree/model")


def pi_model(path: Path = _MODEL) -> str:
    """The Raspberry Pi's model from the device tree; empty on other machines."""
    try:
        text = path.read_bytes().rstrip(b"\0").decode("utf-8", "replace")
    except OSError:
        return ""
    return text if "Raspberry Pi" in text else ""


def lgpio_factory() -> Any:
    """gpiozero's lgpio pin factory, which also drives a Pi 5. FairdealError if it is missing."""
    if importlib.util.find_spec("lgpio") is None:
        raise FairdealError(
            "the lgpio library for the pins",
            "none",
            "sudo apt install python3-lgpio",
        )
    from gpiozero.pins.lgpio import LGPIOFactory

    try:
        return LGPIOFactory()
    except Exception as error:  # lgpio.error, OSError, BadPinFactory: one cause for a user
        raise FairdealError(
            "a GPIO chip that may be opened",
            str(error),
            "add yourself to the group gpio: sudo adduser $USER gpio",
        ) from error


class Pins:
    """Lamps, buzzer and buttons through gpiozero, on the pins that the settings name."""

    name = "gpio"

    def __init__(
        self,
        settings: PinSettings | None = None,
        on_press: OnPress | None = None,
        factory: Any = None,
    ) -> None:
        """Opens all pins; `factory` None is lgpio. FairdealError if a pin is busy."""
        self.settings = settings or PinSettings()
        self.factory = factory if factory is not None else lgpio_factory()
        self._owns_factory = factory is None
        self._on_press = on_press
        self._devices: list[Any] = []
        self._tone = 0
        try:
            self._open()
        except FairdealError:
            self.close()
            raise
        self.show(DARK)

    def _open(self) -> None:
        import gpiozero as gz

        pins = self.settings
        one: dict[str, Any] = {"pin_factory": self.factory}
        self._lamps = [self._device(gz.PWMLED, getattr(pins, lamp), lamp, **one) for lamp in LAMPS]
        self._seats = [
            self._device(gz.PWMOutputDevice, pin, f"seat {seat}", **one)
            for seat, pin in enumerate(pins.seats, 1)
        ]
        self._rgb = None
        if pins.rgb and all(pins.rgb):
            self._rgb = self._device(
                gz.RGBLED, pins.rgb, "rgb", active_high=not pins.common_anode, **one
            )
        if pins.buzzer_kind == "tonal":
            self._buzzer = self._device(gz.TonalBuzzer, pins.buzzer, "buzzer", octaves=3, **one)
        else:
            self._buzzer = self._device(gz.Buzzer, pins.buzzer, "buzzer", **one)
        for label, pin in pins.buttons.items():
            bounce = self.settings.debounce_s or None
            button = self._device(gz.Button, pin, label, bounce_time=bounce, **one)
            if button is not None and self._on_press is not None:
                button.when_pressed = self._presser(*button_of(label))

    def _device(self, make: Any, pin: Any, what: str, **how: Any) -> Any:
        """A gpiozero device; None for pin 0, which means "not connected"."""
        if not pin:
            return None
        numbers = pin if isinstance(pin, tuple) else (pin,)
        try:
            device = make(*numbers, **how)
        except Exception as error:  # GPIOPinInUse, lgpio.error "GPIO busy", PinPWMUnsupported, …
            named = ", ".join(f"GPIO{each}" for each in numbers)
            raise FairdealError(
                f"{named} free for {what}",
                str(error) or type(error).__name__,
                "stop the other program that uses it (gpioinfo names it) or set another pin",
            ) from error
        self._devices.append(device)
        return device

    def _presser(self, button: str, seat: int | None) -> Callable[[], None]:
        on_press = self._on_press
        assert on_press is not None
        return lambda: on_press(button, seat)

    def show(self, lights: Lights) -> None:
        """Sets every lamp and the buzzer."""
        for device, level in zip(
            self._lamps + self._seats, lights.lamps + lights.seats[: len(self._seats)], strict=True
        ):
            if device is not None and device.value != level:
                device.value = level
        if self._rgb is not None:
            self._rgb.color = lights.colour
        if self._buzzer is not None and lights.tone_hz != self._tone:
            self._sound(lights.tone_hz)

    def _sound(self, hertz: int) -> None:
        self._tone = hertz
        if self.settings.buzzer_kind == "plain":
            self._buzzer.value = bool(hertz)
        elif hertz:
            low, high = self._buzzer.min_tone.frequency, self._buzzer.max_tone.frequency
            from gpiozero.tones import Tone

            self._buzzer.play(Tone.from_frequency(min(max(float(hertz), low), high)))
        else:
            self._buzzer.stop()

    def close(self) -> None:
        """Switches everything off and releases the pins."""
        for device in reversed(self._devices):
            device.close()
        self._devices.clear()
        if self._owns_factory and self.factory is not None:
            self.factory.close()
            self.factory = None


class MockPins:
    """`Pins` on gpiozero's mock pins, with a record of the lamps."""

    name = "mock"

    def __init__(
        self, settings: PinSettings | None = None, on_press: OnPress | None = None
    ) -> None:
        """Needs no GPIO. Mock pins can be read; mock buttons can be pressed."""
        # Mock buttons do not bounce; without the delay a press arrives within the call.
        from gpiozero.pins.mock import MockFactory, MockPWMPin

        chosen = replace(settings or PinSettings(), debounce_s=0.0)
        self.factory = MockFactory(pin_class=MockPWMPin)
        self._watchers: list[Callable[[Lights], None]] = []
        self._history: deque[Lights] = deque(maxlen=20_000)
        self._lock = threading.Lock()
        self._on_press = on_press
        self.pins = Pins(chosen, on_press, self.factory)
        self.lights = DARK

    @property
    def history(self) -> tuple[Lights, ...]:
        """The last 20,000 changes of the lights, oldest first."""
        with self._lock:
            return tuple(self._history)

    def on_change(self, callback: Callable[[Lights], None]) -> None:
        """Registers a callback for each change of the lights; it runs in the output's thread."""
        self._watchers.append(callback)

    def show(self, lights: Lights) -> None:
        """Sets the mock pins and records the lights."""
        self.pins.show(lights)
        with self._lock:
            self.lights = lights
            self._history.append(lights)
        for watcher in self._watchers:
            watcher(lights)

    def level(self, lamp: str) -> float:
        """The level at the mock pin of a lamp of LAMPS."""
        pin = self.factory.pin(getattr(self.pins.settings, lamp))
        return float(pin.state)

    def press(self, button: str, seat: int | None = None) -> None:
        """Presses and releases a button, at its pin if the settings name one."""
        label = button if seat is None else f"{button}/{seat}"
        number = self.pins.settings.buttons.get(label)
        if number:
            pin = self.factory.pin(number)
            pin.drive_low()
            pin.drive_high()
        elif self._on_press is not None:
            self._on_press(button, seat)

    def close(self) -> None:
        """Switches everything off and releases the mock pins."""
        self.pins.close()
        self.factory.close()


def mock_instead(model: str | None = None) -> str:
    """The line printed at start when mock pins are used instead of real ones."""
    model = pi_model() if model is None else model
    where = (
        f"asked for, though this is a {model}" if model else "there is no Raspberry Pi GPIO here"
    )
    return f"signals: mock pins ({where}); nothing lights up or sounds outside this program"
