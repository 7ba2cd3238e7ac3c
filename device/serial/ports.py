"""Serial ports: which ones look like a signal board, and opening one for this program alone."""

from __future__ import annotations

import os
import termios

import serial
from serial.tools import list_ports

from device.serial.protocol import BAUD
from rules.errors import FairdealError

WRITE_S = 0.2  # longest time that a write may block

# SerialException is an OSError; termios.error, which a vanished port raises as well, is not.
PORT_ERRORS = (OSError, termios.error, ValueError, TypeError)

# USB vendor and product of the adapters on Unos, Nanos and Picos; None: every product.
USB_IDS: tuple[tuple[int, int | None], ...] = (
    (0x2341, None),  # Arduino
    (0x2A03, None),  # Arduino (dog hunter)
    (0x1A86, 0x7523),  # CH340
    (0x1A86, 0x55D4),  # CH9102
    (0x0403, 0x6001),  # FT232R
    (0x10C4, 0xEA60),  # CP210x
    (0x2E8A, None),  # Raspberry Pi Pico
)


def all_ports() -> list[str]:
    """Device files of all serial ports."""
    return [port.device for port in list_ports.comports()]


def find_ports() -> list[str]:
    """Device files of USB serial ports whose ids are those of a likely board."""
    return sorted(
        port.device
        for port in list_ports.comports()
        if any(port.vid == vid and pid in (None, port.pid) for vid, pid in USB_IDS)
    )


def open_port(path: str) -> serial.Serial:
    """Opens a port for this program alone. FairdealError names the obstacle and its remedy."""
    try:
        return serial.Serial(path, BAUD, timeout=0, write_timeout=WRITE_S, exclusive=True)
    except PORT_ERRORS as error:
        raise _port_error(path, error) from error


def _port_error(path: str, error: Exception) -> FairdealError:
    number = getattr(error, "errno", None)
    if not os.path.exists(path):
        found = ", ".join(find_ports()) or "no likely port"
        return FairdealError(f"a signal board at {path}", f"no such port ({found})", "plug it in")
    if number == 13 or not os.access(path, os.R_OK | os.W_OK):
        todo = "sudo adduser $USER dialout, then log in again"
        return FairdealError("a port that you may open", f"no permission for {path}", todo)
    if number in (11, 16):
        todo = "stop the other program (fuser -v names it)"
        return FairdealError("a port that is free", f"{path} in use", todo)
    return FairdealError("a serial port", f"{path}: {error}", "name another port with board:PORT")
