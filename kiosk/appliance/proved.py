"""A version says that it has proved itself: appliance.sh then no longer goes back before it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

AFTER_S = 600.0  # of serving without a restart; GOOD_S of appliance.sh
VERSIONS = Path("/opt/fairdeal")


def note_proved(state: Path, prefix: Path = Path(sys.prefix), versions: Path = VERSIONS) -> None:
    """Writes `proved` into the folder `state`. A program that is no .deb's has nothing to say."""
    if not prefix.is_relative_to(versions):
        return
    part = state / ".proved.part"
    try:
        part.write_text(f"{prefix.relative_to(versions)}\n", encoding="utf-8")
        os.replace(part, state / "proved")
    except OSError:
        part.unlink(missing_ok=True)  # a full disk: the trial goes on
