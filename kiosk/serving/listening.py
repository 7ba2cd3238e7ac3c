"""Where a server listens: a checked host and port, a socket, a loop that serves."""

from __future__ import annotations

import errno
import os
import socket
from pathlib import Path

from kiosk.serving.connections import QUEUE
from rules.errors import FairdealError

LONGEST_PATH = 103  # bytes of a Unix socket: 107 on Linux, 103 on other systems


def checked_path(path: Path) -> Path:
    """The path of a Unix socket. Raises FairdealError where it is too long."""
    length = len(os.fsencode(path))
    if length > LONGEST_PATH:
        raise FairdealError(
            f"a path of at most {LONGEST_PATH} bytes for a socket", f"{length} in {path}",
            "set TMPDIR to a folder with a shorter path",
        )  # fmt: skip
    return path


def checked_port(port: int) -> int:
    """The port. Raises FairdealError where it is none; 0 takes a free one."""
    if not 0 <= port <= 65535:
        raise FairdealError("a port from 0 to 65535", str(port), "mend --port")
    return port


def bound(host: str, port: int) -> socket.socket:
    """A socket that listens already. Raises FairdealError where the port cannot be had."""
    if not host.strip():
        raise FairdealError("a host name or address", "an empty one", "mend --host")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(QUEUE)  # before the address is printed: pages may come at once
    except (OSError, UnicodeError) as error:
        listening.close()
        in_use = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
        todo = "take another --port" if in_use else "mend --host or --port"
        found = getattr(error, "strerror", None) or "no such name"
        raise FairdealError(f"a free port {port} on {host}", found, todo) from error
    return listening


def shown_host(host: str) -> str:
    """The host as people type it."""
    return "localhost" if host in ("127.0.0.1", "::1") else host
