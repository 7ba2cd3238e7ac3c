"""Opens the outputs of `--signals`: mock, gpio, board, board:/dev/ttyUSB0, none, or a list."""

from __future__ import annotations

import time
from collections.abc import Callable

from device.gpio.pins import MockPins, Pins, mock_instead, pi_model
from device.performer import Output
from device.settings import DeviceSettings
from host.saying import to_stderr
from rules.errors import FairdealError
from rules.table.event import Pressed

KINDS = ("mock", "gpio", "board", "board:PORT", "none")


def open_outputs(
    spec: str | None,
    settings: DeviceSettings | None = None,
    on_press: Callable[[Pressed], object] | None = None,
    clock: Callable[[], float] = time.monotonic,
    say: Callable[[str], None] = to_stderr,
) -> list[Output]:
    """Opens the outputs that a spec names; None means gpio on a Pi and mock pins elsewhere.

    `on_press` receives each button as an event at `clock()` seconds, from a device's thread.
    FairdealError if an output cannot be opened; outputs opened before it are closed again.
    """
    settings = settings or DeviceSettings()
    words = _words(spec)
    opened: list[Output] = []

    def press(button: str, seat: int | None) -> None:
        if on_press is not None:
            on_press(Pressed(clock(), button, seat))

    try:
        for word in words:
            opened.append(_open(word, settings, press, say))
    except BaseException:
        for output in opened:
            output.close()
        raise
    return opened


def _words(spec: str | None) -> list[str]:
    if spec is None:
        return ["gpio" if pi_model() else "mock"]
    words = [word.strip() for word in spec.split(",")]
    for word in words:
        kind, colon, port = word.partition(":")
        if kind not in ("mock", "gpio", "board", "none") or (
            colon and (kind != "board" or not port)
        ):
            raise FairdealError(f"--signals of {', '.join(KINDS)}", repr(word))
    if "none" in words and len(words) > 1:
        raise FairdealError("--signals none by itself", repr(spec))
    for word in words:
        if words.count(word) > 1:
            raise FairdealError("each output once in --signals", f"{word} twice")
    return [word for word in words if word != "none"]


def _open(
    word: str,
    settings: DeviceSettings,
    press: Callable[[str, int | None], None],
    say: Callable[[str], None],
) -> Output:
    kind, _, port = word.partition(":")
    if kind == "mock":
        say(mock_instead())
        return MockPins(settings.pins, press)
    if kind == "gpio":
        model = pi_model()
        if not model:
            raise FairdealError(
                "a Raspberry Pi for --signals gpio", "none", "use --signals mock or board"
            )
        pins = Pins(settings.pins, press)
        say(f"signals: GPIO through lgpio on {model}")
        return pins
    from device.serial.board import Board

    return Board(port or settings.board.port, settings.board, press, say)
