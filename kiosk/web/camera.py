"""Which camera a table has: its own, or a phone. The choice is kept, also over a power cut."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from kiosk.serving.schema import Message, read_file
from rules.errors import FairdealError

if TYPE_CHECKING:
    from kiosk.web.first_hour.process import HourProcess
    from kiosk.web.table import RefereeProcess

FILE = "camera.json"
PHONE = "phone"  # the word of `--source`


class Chosen(Message, frozen=True):
    """What is kept of the choice."""

    phone: bool


class CameraChoice:
    """Sets the camera of the next game and of the next set-up. `own`: the kiosk's `--source`."""

    def __init__(self, table: RefereeProcess, hour: HourProcess | None, folder: Path) -> None:
        self._table, self._hour, self._path = table, hour, folder / FILE
        self.own = table.source
        with suppress(FairdealError):
            self._set(read_file(Chosen, self._path, "the chosen camera").phone)

    @property
    def is_phone(self) -> bool:
        """Whether the table's camera is a phone."""
        return self._table.source == PHONE

    def choose(self, *, phone: bool) -> bool:
        """Takes a phone, or the table's own camera; whether that is another one than before."""
        before = self._table.source
        self._set(phone)
        part = self._path.with_suffix(".part")
        with suppress(OSError):  # a full disk: the choice holds until the page's server ends
            part.write_text(json.dumps({"phone": self.is_phone}), encoding="utf-8")
            os.replace(part, self._path)
        return self._table.source != before

    def _set(self, phone: bool) -> None:
        source = PHONE if phone else self.own
        self._table.source = source
        if self._hour is not None:
            self._hour.source = source
