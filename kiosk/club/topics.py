"""Topics of a club: `fairdeal/<club>/<table>/…`, built and read in one place."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rules.errors import FairdealError

ROOT = "fairdeal"
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
# Home Assistant: where devices announce themselves, and where it says that it is there.
DISCOVERY, BIRTH = "homeassistant/device", "homeassistant/status"


def checked_name(name: str, what: str, where: str = "") -> str:
    """A club's or table's name. Raises FairdealError for one that no topic can hold."""
    if not NAME.fullmatch(name):
        raise FairdealError(
            f"the name of a {what}: 1 to 40 of a-z, 0-9 and -", ascii(name), "choose another", where
        )
    return name


@dataclass(frozen=True, slots=True)
class TableTopics:
    """The topics of one table; `docs/club.md` says what each carries."""

    club: str
    table: str

    def of(self, leaf: str) -> str:
        """The topic of `available`, `state`, `cmd`, `call/3`, …"""
        return f"{ROOT}/{self.club}/{self.table}/{leaf}"

    def call(self, n: int) -> str:
        """The topic of call `n` (from 1)."""
        return self.of(f"call/{n}")

    def answer(self, command: str) -> str:
        """Where the answer to a command goes."""
        return self.of(f"answer/{command}")

    def evidence(self, part: str) -> str:
        """A part of the evidence that was asked for: `3/about`, `3/0`, `3/card`."""
        return self.of(f"evidence/{part}")

    def discovery(self) -> str:
        """Where Home Assistant finds the table."""
        return f"{DISCOVERY}/{ROOT}_{self.club}_{self.table}/config"


@dataclass(frozen=True, slots=True)
class Heard:
    """A topic taken apart: `leaf` is what follows the table, e.g. ("call", "3")."""

    club: str
    table: str
    leaf: tuple[str, ...]


def read_topic(topic: str) -> Heard | None:
    """The parts of a table's topic; None for any other."""
    root, *parts = topic.split("/")
    if root != ROOT or not 3 <= len(parts) <= 5:
        return None
    club, table, *leaf = parts
    if not NAME.fullmatch(club) or not NAME.fullmatch(table):
        return None
    return Heard(club, table, tuple(leaf))
