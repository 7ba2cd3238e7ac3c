"""A signal board on a pseudo-terminal: the fake of `Board`, with faults to order.

Run `python -m device.serial.fake_board` to try `--signals board:PORT` without hardware.
"""

from __future__ import annotations

import os
import pty
import random
import select
import threading
import time
import tty
from collections import deque

from device.rendering import DARK, Lights
from device.serial.protocol import VERSION, Decoder, Line, encode, lights_of, next_number

BOOT_SAYS_S = 0.25
PRESS_RETRY_S = 0.015
PRESS_STALE_S = 2.0
LOST_S = 3.0


class BoardSide:
    """The board's side of the protocol: bytes in, bytes out, time is an argument."""

    def __init__(self, boot: int, now: float, version: int = VERSION) -> None:
        self.boot, self.version = boot, version
        self.lights = DARK
        self.shown: list[Lights] = []
        self.lost = False
        self._decoder = Decoder()
        self._greeted = False
        self._last = 0
        self._booted_said = -1e9
        self._heard = now
        self._press_seq = 0
        self._presses: deque[tuple[float, int, int]] = deque(maxlen=8)
        self._press_said = -1e9

    @property
    def is_pressed(self) -> bool:
        """Whether a press waits for its acknowledgement."""
        return bool(self._presses)

    def press(self, button: int, now: float) -> None:
        """Button 1… is pressed."""
        self._press_seq = next_number(self._press_seq)
        self._presses.append((now, self._press_seq, button))

    def receive(self, data: bytes, now: float) -> bytes:
        """Processes bytes from the host; returns the answers."""
        return b"".join(self._answer(line, now) for line in self._decoder.feed(data))

    def _answer(self, line: Line | None, now: float) -> bytes:
        if line is None:
            return encode(Line(0, "N"))
        self._heard, self.lost = now, False
        if line.kind == "H" and len(line.args) == 2:
            self._greeted, self._last = True, 0
            about = (str(self.version), line.args[1], f"{self.boot:04X}", "4", "6", "6", "fake")
            return encode(Line(0, "W", about))
        if line.kind == "N":
            self._press_said = -1e9
            return b""
        if line.kind == "A":
            if self._presses and self._presses[0][1] == line.seq:
                self._presses.popleft()
                self._press_said = -1e9
            return b""
        if not self._greeted:
            return self._boot_line()
        if line.kind == "S" and line.seq != self._last:
            lights = lights_of(line.args)
            if lights is not None:
                self.lights = lights
                self.shown.append(lights)
        self._last = line.seq
        return encode(Line(line.seq, "A"))

    def send(self, now: float) -> bytes:
        """What the board sends unasked now."""
        if now - self._heard > LOST_S and not self.lost:
            self.lost, self.lights = True, DARK
        if not self._greeted:
            if now - self._booted_said < BOOT_SAYS_S:
                return b""
            self._booted_said = now
            return self._boot_line()
        while self._presses and now - self._presses[0][0] > PRESS_STALE_S:
            self._presses.popleft()
        if not self._presses or now - self._press_said < PRESS_RETRY_S:
            return b""
        self._press_said = now
        _, seq, button = self._presses[0]
        return encode(Line(seq, "K", (str(button),)))

    def _boot_line(self) -> bytes:
        return encode(Line(0, "B", (str(self.version), f"{self.boot:04X}")))


class FakeBoard:
    """A thread that acts as a board at the other end of `port`, a pseudo-terminal.

    `damage`: the probability that a byte is changed, in either direction; `seed` repeats it.
    """

    def __init__(self, damage: float = 0.0, seed: int = 1, version: int = VERSION) -> None:
        self._near, far = pty.openpty()
        tty.setraw(far)
        self.port = os.ttyname(far)
        # Held open, so that a host may close and open its end again.
        self._far: int | None = far
        self._random = random.Random(seed)
        self.damage = damage
        self.babble: bytes = b""
        self.deaf = False
        self.damaged = 0
        self._version = version
        self._boots = 1
        self.side = BoardSide(1, time.monotonic(), version)
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._wake_r, self._wake_w = os.pipe()
        self._thread = threading.Thread(target=self._run, name="fake-board", daemon=True)
        self._thread.start()

    @property
    def lights(self) -> Lights:
        """The present levels of the lamps."""
        return self.side.lights

    @property
    def shown(self) -> list[Lights]:
        """All states since the last boot, in order."""
        with self._lock:
            return list(self.side.shown)

    def press(self, button: int) -> None:
        """Press button 1…"""
        with self._lock:
            self.side.press(button, time.monotonic())
        os.write(self._wake_w, b"!")

    def reboot(self) -> None:
        """Reboots, as after a brown-out."""
        with self._lock:
            self._boots += 1
            self.side = BoardSide(self._boots, time.monotonic(), self._version)
        os.write(self._wake_w, b"!")

    def say(self, data: bytes) -> None:
        """Sends raw bytes: garbage, partial lines."""
        os.write(self._near, data)

    def close(self) -> None:
        """Unplugs the board."""
        self._stopping.set()
        os.write(self._wake_w, b"!")
        self._thread.join(1.0)
        for end in (self._near, self._far, self._wake_r, self._wake_w):
            if end is not None:
                os.close(end)

    def __enter__(self) -> FakeBoard:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self) -> None:
        while not self._stopping.is_set():
            watched = [self._wake_r] if self.deaf else [self._near, self._wake_r]
            ready, _, _ = select.select(watched, [], [], 0.002 if self.side.is_pressed else 0.01)
            if self._wake_r in ready:
                os.read(self._wake_r, 4096)
            data = b""
            if self._near in ready:
                data = os.read(self._near, 4096)
            if self.deaf:
                continue
            if self.babble:
                os.write(self._near, self.babble)
                continue
            with self._lock:
                now = time.monotonic()
                answer = self.side.receive(self._damage(data), now) + self.side.send(now)
                answer = self._damage(answer)
            if answer:
                os.write(self._near, answer)

    def _damage(self, data: bytes) -> bytes:
        if not self.damage or not data:
            return data
        out = bytearray(data)
        for index in range(len(out)):
            if self._random.random() < self.damage:
                out[index] ^= self._random.randrange(1, 256)
                self.damaged += 1
        return bytes(out)


def main() -> None:
    """An interactive board: prints its port and its lamps; a digit presses a button."""
    with FakeBoard() as board:
        print(f"a fake board at {board.port}; type 1 to 6 and Enter to press a button", flush=True)
        last = board.lights
        while True:
            ready, _, _ = select.select([0], [], [], 0.05)
            if ready:
                word = os.read(0, 100).decode("ascii", "replace").strip()
                if not word:
                    return
                if word in "123456":
                    board.press(int(word))
            if board.lights != last:
                last = board.lights
                print(last, flush=True)


if __name__ == "__main__":
    main()
