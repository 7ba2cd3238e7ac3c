"""Whether a table is recorded, and how that goes: the page sets it, the recorder follows it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Recorded:
    """How a recording goes. `folder`: of the one that is made; None before its first picture.

    `pictures` and `drops`: written ones, and those for which there was no time. `fault`: why it
    ended by itself.
    """

    folder: Path | None = None
    pictures: int = 0
    drops: int = 0
    fault: str = ""


class RecordSwitch:
    """Switches the recording of one table on and off; every value is replaced as a whole.

    Page and command switch, the recorder follows on its own thread. `is_there`: somebody records.
    """

    def __init__(self) -> None:
        self.is_there = False
        self.is_on = False
        self.recorded = Recorded()

    def turn(self, *, on: bool) -> bool:
        """Switches it; False where nothing records here."""
        if on and not self.is_there:
            return False
        if on and not self.is_on:
            self.recorded = Recorded()
        self.is_on = on
        return True

    def shown(self) -> dict[str, Any]:
        """As the page shows it. `name`: of the recording's folder; `fault`: why it ended."""
        found = self.recorded
        return {
            "is_there": self.is_there, "is_on": self.is_on, "drops": found.drops,
            "name": "" if found.folder is None else found.folder.name, "fault": found.fault,
        }  # fmt: skip

    def end(self, fault: str) -> None:
        """It goes off by itself, for this reason."""
        was = self.recorded
        self.is_on = False
        self.recorded = Recorded(was.folder, was.pictures, was.drops, fault)
