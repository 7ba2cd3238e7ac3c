"""A simulated Arduino Uno that runs the built firmware: simavr behind a pseudo-terminal."""

from __future__ import annotations

import json
import shutil
import subprocess
import threading
from dataclasses import dataclass
from pathlib import Path

from host import children

FIRMWARE = Path(__file__).parents[1] / "firmware"
TOOLS = ("make", "avr-gcc", "avr-objcopy", "cc")
FILES = (
    "/usr/include/simavr/sim_avr.h",
    "/usr/share/arduino/hardware/arduino/avr/cores/arduino/Arduino.h",
    "/usr/include/libelf.h",
)


def missing() -> list[str]:
    """The tools and files that are missing for building and simulating the firmware."""
    tools = [tool for tool in TOOLS if shutil.which(tool) is None]
    return tools + [path for path in FILES if not Path(path).exists()]


def build() -> tuple[Path, Path]:
    """Build the simulator and the firmware; their paths."""
    subprocess.run(
        ["make", "-s", "-C", str(FIRMWARE), "all", "simulator"], check=True, capture_output=True
    )
    return FIRMWARE / "build/simulated_uno", FIRMWARE / "build/fairdeal_board.elf"


@dataclass(frozen=True, slots=True)
class Uno:
    """The state of the pins: levels 0..255 of the lamps, 0 or 1 of the rest, the buzzer in Hz.

    `at` and `wire` (when the last burst of bytes began to come) in the Uno's own seconds.
    """

    at: float
    wire: float
    lamps: tuple[int, ...]
    seats: tuple[int, ...]
    own: int
    hertz: int


class SimulatedUno:
    """The simulator as a process; `port` is the serial port to open."""

    def __init__(self) -> None:
        simulator, firmware = build()
        self._process = children.start(
            [str(simulator), str(firmware)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self._process.stdout is not None
        self._changed = threading.Condition()
        self.history: list[Uno] = []
        self.presses: list[float] = []
        self.port = ""
        self._thread = threading.Thread(target=self._read, name="simulated-uno", daemon=True)
        self._thread.start()
        with self._changed:
            self._changed.wait_for(lambda: bool(self.port), 10)

    @property
    def pins(self) -> Uno:
        """The pins as they are now."""
        return self.history[-1]

    def wait(self, ready: object, timeout_s: float = 60.0) -> bool:
        """Wait until `ready(pins)` holds for the pins as they are."""
        assert callable(ready)
        with self._changed:
            return self._changed.wait_for(
                lambda: bool(self.history) and bool(ready(self.history[-1])), timeout_s
            )

    def wait_presses(self, count: int, timeout_s: float = 60.0) -> bool:
        """Wait until so many presses have gone out; `presses` has the seconds that each took."""
        with self._changed:
            return self._changed.wait_for(lambda: len(self.presses) >= count, timeout_s)

    def say(self, words: str) -> None:
        """`press N`, `release N` or `reset`."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{words}\n".encode())
        self._process.stdin.flush()

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(5)
        self._thread.join(1.0)

    def __enter__(self) -> SimulatedUno:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for text in self._process.stdout:
            if not text.startswith(b"{"):  # the simulator's own messages
                continue
            values = json.loads(text)
            with self._changed:
                if "port" in values:
                    self.port = values["port"]
                elif "said" in values:
                    self.presses.append(values["said"] - values["pressed"])
                else:
                    values = {k: tuple(v) if isinstance(v, list) else v for k, v in values.items()}
                    self.history.append(Uno(**values))
                self._changed.notify_all()
