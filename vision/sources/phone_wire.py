"""How a phone's pictures pass from the page's server to the one who films: a local socket.

Its name is no file's (Linux): nothing is left of it when the server ends, however it ends. Both
ends look who the other one is.
"""

from __future__ import annotations

import hashlib
import os
import socket
import struct

# A message is a header, then so many bytes: a JPEG taken at a time (s of the machine's monotonic
# clock), or, at the time `NO_PICTURE`, words that say why none come.
HEADER = struct.Struct(">dI")
NO_PICTURE = -1.0
MOST_BYTES = 1 << 20
_WHO = struct.Struct("3i")  # process, user, group


def phone_name() -> str:
    """The name of this user's phone: one for each home of fairdeal."""
    home = os.fsencode(os.environ.get("FAIRDEAL_HOME", ""))
    return f"fairdeal-phone-{os.getuid()}-{hashlib.sha256(home).hexdigest()[:8]}"


def phone_socket() -> str:
    """The address of its socket, without a file."""
    return f"\0{phone_name()}"


def is_own(connection: socket.socket) -> bool:
    """Whether the other end runs for this user, or for root."""
    option = getattr(socket, "SO_PEERCRED", None)
    if option is None:
        return False
    _, user, _ = _WHO.unpack(connection.getsockopt(socket.SOL_SOCKET, option, _WHO.size))
    return user in (os.getuid(), 0)
