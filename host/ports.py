"""A port for a server that has to know its port before it starts."""

from __future__ import annotations

import errno
import random
import socket

ADDRESS = "127.0.0.1"
# Systems give connections ports from 32768 on (Linux) or 49152 (others), so any program may take a
# port of those between this look and the server's start.
PORTS = range(20_000, 32_000)
TRIES = 100


def free_port() -> int:
    """A port of loopback that nobody listens at now. Raises OSError."""
    for port in random.SystemRandom().sample(PORTS, TRIES):
        if is_free(port):
            return port
    raise OSError(errno.EADDRINUSE, f"no free port from {PORTS[0]} to {PORTS[-1]}")


def is_free(port: int) -> bool:
    """Whether a server could listen there now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((ADDRESS, port))
            probe.listen()
        except OSError:
            return False
        return True
