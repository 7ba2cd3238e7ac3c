"""What the page's server is told at its start."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from kiosk.game.paths import default_journal
from kiosk.serving.connections import ConnectionLimits
from kiosk.web.security import Limits

STATIC = Path(__file__).parent / "static"  # the page's own files


@dataclass(frozen=True, slots=True)
class PageSettings:
    """What the page's server is told at its start. `recordings`: where they are, if not where the
    page's switch puts them."""

    host: str = "127.0.0.1"
    port: int = 8080
    folder: Path = Path("page")  # evidence, paired devices, the last set-up
    journal: Path = field(default_factory=default_journal)
    recordings: Path | None = None
    limits: Limits = field(default_factory=Limits)
    connections: ConnectionLimits = field(default_factory=ConnectionLimits)
    secure_port: int | None = None  # None: 8443, or a free one where that is taken
    clock: Callable[[], float] = time.monotonic
