"""How a phone's pictures pass from the page's server to the one who films: a local socket."""

from __future__ import annotations

import hashlib
import os
import struct
from pathlib import Path

from vision.sources.private import private_folder

# A message is a header, then so many bytes: a JPEG taken at a time (s of the machine's monotonic
# clock), or, at the time `NO_PICTURE`, words that say why none come.
HEADER = struct.Struct(">dI")
NO_PICTURE = -1.0
MOST_BYTES = 1 << 20


def phone_socket() -> Path:
    """Where the page's server gives a phone's pictures: one socket for each home of fairdeal."""
    home = os.environ.get("FAIRDEAL_HOME", "")
    mark = f"-{hashlib.sha256(os.fsencode(home)).hexdigest()[:8]}" if home else ""
    return private_folder() / f"fairdeal-phone{mark}"
