"""The board's lines (docs/serial-protocol.md), encoded and decoded; no port, no clock."""

from __future__ import annotations

import binascii
from dataclasses import dataclass

from device.rendering import Lights
from device.signals import LAMPS, SEATS

VERSION = 1
BAUD = 115_200
LONGEST = 72
_HEX = frozenset(b"0123456789ABCDEF")


@dataclass(frozen=True, slots=True)
class Line:
    """One decoded line: number 0..255, kind (one letter), arguments."""

    seq: int
    kind: str
    args: tuple[str, ...] = ()


def crc(data: bytes) -> int:
    """CRC-16/CCITT-FALSE: polynomial 0x1021, start 0xFFFF."""
    return binascii.crc_hqx(data, 0xFFFF)


def encode(line: Line) -> bytes:
    """The bytes of a line, `$` to newline."""
    body = " ".join((f"{line.seq:02X}{line.kind}", *line.args)).encode("ascii")
    return b"$%s*%04X\n" % (body, crc(body))


def decode(raw: bytes) -> Line | None:
    """The line between `$` and newline (neither included); None if it is damaged."""
    raw = raw.removesuffix(b"\r")
    body, star, check = raw.rpartition(b"*")
    if not star or len(check) != 4 or not _HEX.issuperset(check) or int(check, 16) != crc(body):
        return None
    head, *args = body.split(b" ")
    if len(head) != 3 or not _HEX.issuperset(head[:2]) or not head[2:].isalpha():
        return None
    if not body.isascii() or not all(args):
        return None
    return Line(int(head[:2], 16), chr(head[2]), tuple(arg.decode("ascii") for arg in args))


class Decoder:
    """Splits a byte stream into lines; damaged ones are counted and discarded."""

    def __init__(self) -> None:
        self.bad = 0
        self._buffer: bytearray | None = None
        self._stray = False

    def feed(self, data: bytes) -> list[Line | None]:
        """The lines that these bytes complete; None for each damaged one."""
        lines: list[Line | None] = []
        for byte in data:
            if byte == 0x24:  # "$" always begins a line
                self._buffer = bytearray()
                self._stray = False
            elif self._buffer is None:
                # A line without its "$" is reported as damaged at its end.
                if byte == 0x0A and self._stray:
                    self.bad += 1
                    lines.append(None)
                self._stray = byte not in (0x0A, 0x0D)
            elif byte == 0x0A:
                line = decode(bytes(self._buffer))
                self.bad += line is None
                lines.append(line)
                self._buffer = None
            elif len(self._buffer) >= LONGEST:
                self._buffer, self._stray = None, True
            else:
                self._buffer.append(byte)
        return lines


def next_number(seq: int) -> int:
    """The number after this one: 1 to 255, then 1 again, never 0."""
    return seq % 255 + 1


def show_args(lights: Lights) -> tuple[str, ...]:
    """The arguments of `S`."""
    milliseconds = min(round(lights.tone_s * 1000), 60_000) if lights.tone_hz else 0
    groups = (lights.lamps, lights.seats, lights.colour)
    levels = ("".join(f"{_byte(level):02X}" for level in group) for group in groups)
    return (*levels, str(lights.tone_hz), str(milliseconds))


def lights_of(args: tuple[str, ...]) -> Lights | None:
    """The lights in the arguments of `S`; None if they are invalid."""
    lengths = (2 * len(LAMPS), 2 * SEATS, 6)
    if len(args) != 5 or not all(a.isascii() and a.isdigit() for a in args[3:]):
        return None
    if any(len(a) != n or not _HEX.issuperset(a.encode()) for a, n in zip(args, lengths)):  # noqa: B905
        return None
    lamps, seats, (red, green, blue) = (
        tuple(round(byte / 255, 3) for byte in bytes.fromhex(arg)) for arg in args[:3]
    )
    return Lights(lamps, seats, (red, green, blue), int(args[3]), int(args[4]) / 1000)


def _byte(level: float) -> int:
    return min(max(round(level * 255), 0), 255)
