"""The host's side of the serial protocol: bytes in, bytes out, time is an argument."""

from __future__ import annotations

from dataclasses import dataclass, replace

from device.rendering import Lights
from device.serial.protocol import VERSION, Decoder, Line, encode, next_number, show_args

RETRY_S = 0.05  # between two sendings of an unacknowledged line
HELLO_S = 0.25  # between two greetings
PING_S = 1.0  # after the last acknowledgement
SILENT_S = 3.0  # without a good line: the board counts as lost
# An Arduino reboots when its port is opened; its boot loader takes up to two seconds.
BOOT_S = 5.0


@dataclass(frozen=True, slots=True)
class Welcome:
    """What a board reports of itself."""

    version: int
    boot: str
    lamps: int
    seats: int
    buttons: int
    name: str


class Link:
    """One session over one opened port. `last_press` is handed on to the next session."""

    def __init__(self, session: int, now: float, last_press: tuple[str, int] | None = None) -> None:
        self.session, self.last_press = f"{session & 0xFFFF:04X}", last_press
        self.welcome: Welcome | None = None
        self.up = False
        self.delivered = self.retries = self.drops = self.heard_bytes = 0
        self._decoder = Decoder()
        self._seq = 0
        self._opened = self._heard = self._acked = now
        self._wanted: Lights | None = None
        self._shown: Lights | None = None
        self._under_way: bytes | None = None
        self._under_way_said = False
        self._carries: Lights | None = None
        self._said = -1e9
        self._answers = self._answered = b""

    @property
    def bad(self) -> int:
        """Damaged lines so far."""
        return self._decoder.bad

    @property
    def idle(self) -> bool:
        """Whether the board shows the last state that was requested."""
        return self.up and self._wanted is None and self._carries is None

    def show(self, lights: Lights) -> None:
        """Requests a state; a state that still waits is dropped and counted."""
        self.drops += self._wanted is not None
        self._wanted = lights

    def receive(self, data: bytes, now: float) -> list[int]:
        """Processes bytes from the board; returns the numbers of the buttons pressed, once each."""
        pressed: list[int] = []
        self.heard_bytes += len(data)
        for line in self._decoder.feed(data):
            if line is None:
                if self.up:
                    self._answers = encode(Line(0, "N"))
                continue
            self._heard = now
            if line.kind == "W":
                self._take_welcome(line, now)
            elif line.kind == "B" and self.up:
                self._start_over()
            elif line.kind == "A" and self.up and line.seq == self._seq:
                self._take_ack(now)
            elif line.kind == "N":
                # The damaged line may have been the answer to a press.
                self._said, self._answers = -1e9, self._answered
            elif line.kind == "K" and self.up:
                pressed += self._take_press(line)
        return pressed

    def send(self, now: float) -> bytes:
        """The bytes to write now; often none."""
        out, self._answers = self._answers, b""
        if self.welcome is not None and self.welcome.version != VERSION:
            return out
        if not self.up:
            if now - self._said >= HELLO_S:
                self._said = now
                out += encode(Line(0, "H", (str(VERSION), self.session)))
            return out
        if self._under_way is None:
            self._next_line(now)
        if self._under_way is not None and now - self._said >= RETRY_S:
            self.retries += self._under_way_said
            self._said, self._under_way_said = now, True
            out += self._under_way
        return out

    def wait_s(self, now: float) -> float:
        """Seconds until `send` may have something, unless data or a request comes first."""
        if self._answers or (self.up and self._wanted is not None and self._under_way is None):
            return 0.0
        if not self.up:
            return max(0.0, self._said + HELLO_S - now)
        if self._under_way is not None:
            return max(0.0, self._said + RETRY_S - now)
        return max(0.0, self._acked + PING_S - now)

    def is_dead(self, now: float) -> bool:
        """Whether no valid line has come for too long."""
        if self.welcome is not None and self.welcome.version != VERSION:
            return True
        if self.welcome is None:
            return now - self._opened > BOOT_S
        return now - self._heard > SILENT_S

    def _next_line(self, now: float) -> None:
        if self._wanted is not None:
            self._carries, self._wanted = self._wanted, None
            line = Line(next_number(self._seq), "S", show_args(self._carries))
        elif now - self._acked >= PING_S:
            line = Line(next_number(self._seq), "P")
        else:
            return
        self._seq = line.seq
        self._under_way, self._under_way_said = encode(line), False
        self._said = -1e9

    def _take_ack(self, now: float) -> None:
        if self._under_way is None:
            return
        self._acked = now
        if self._carries is not None:
            self._shown, self._carries = self._carries, None
            self.delivered += 1
        self._under_way = None

    def _take_welcome(self, line: Line, now: float) -> None:
        try:
            version, session, boot, lamps, seats, buttons, name = line.args
            welcome = Welcome(int(version), boot, int(lamps), int(seats), int(buttons), name)
        except ValueError:
            return
        if session != self.session or self.up:
            return
        self.welcome, self.up, self._acked = welcome, welcome.version == VERSION, now
        self._seq, self._under_way, self._said = 0, None, -1e9
        newest = self._wanted or self._carries or self._shown
        # An interrupted tone is not repeated; one that was never sent is sounded.
        self._wanted = newest if newest is self._wanted else _without_tone(newest)
        self._carries = None

    def _take_press(self, line: Line) -> list[int]:
        assert self.welcome is not None
        if len(line.args) != 1 or not line.args[0].isdigit():
            return []
        self._answered = encode(Line(line.seq, "A"))
        self._answers += self._answered
        press = (self.welcome.boot, line.seq)
        if press == self.last_press:
            return []
        self.last_press = press
        return [int(line.args[0])]

    def _start_over(self) -> None:
        """The board has rebooted and is dark: greets it again and shows the present state."""
        self.up, self._under_way, self._said = False, None, -1e9


def _without_tone(lights: Lights | None) -> Lights | None:
    return None if lights is None else replace(lights, tone_hz=0, tone_s=0.0)
