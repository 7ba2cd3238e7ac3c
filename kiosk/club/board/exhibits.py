"""Evidence on the board: asked of the table, gathered picture by picture, kept in memory."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

from msgspec import to_builtins

from kiosk.club import payloads
from kiosk.club.payloads import About
from kiosk.club.topics import Heard
from rules.errors import FairdealError

MOST_BYTES = 96 << 20  # of all pictures; the evidence that was looked at longest ago goes
MOST_PICTURE = 4 << 20
MOST_PARTS = 64
WAIT_S = 6.0  # for a table to send it

Key = tuple[str, int]  # table, call: of the session that the table names with the last part


@dataclass(slots=True)
class Exhibit:
    """What has come of one call's evidence. `about`: None until the last part."""

    pictures: dict[str, bytes] = field(default_factory=dict)
    about: dict[str, Any] | None = None
    session: str = ""
    whole: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def size(self) -> int:
        """Bytes of its pictures."""
        return sum(map(len, self.pictures.values()))


class Exhibits:
    """The evidence that was asked for lately. Lives on the board's event loop."""

    def __init__(self) -> None:
        self._found: OrderedDict[Key, Exhibit] = OrderedDict()

    def expect(self, table: str, session: str, n: int) -> bool:
        """Whether it has to be asked for: it is not here and not on its way."""
        known = self._found.get((table, n))
        if known is not None and known.session == session:
            self._found.move_to_end((table, n))
            is_empty = known.about is not None and not known.about["is_kept"]
            if not is_empty:
                return False
        self._found[(table, n)] = Exhibit(session=session)
        return True

    async def wait(self, table: str, session: str, n: int) -> dict[str, Any] | None:
        """What is known of it; None where the table did not send it in time, or has it no more."""
        exhibit = self._found.get((table, n))
        if exhibit is None or exhibit.session != session:
            return None
        try:
            await asyncio.wait_for(exhibit.whole.wait(), WAIT_S)
        except TimeoutError:
            self._found.pop((table, n), None)
            return None
        about = exhibit.about
        return about if about is not None and about["is_kept"] else None

    def picture(self, table: str, session: str, n: int, name: str) -> bytes | None:
        """A picture of it; None where there is none."""
        exhibit = self._found.get((table, n))
        if exhibit is None or exhibit.session != session:
            return None
        return exhibit.pictures.get(name)

    def take(self, heard: Heard, payload: bytes) -> None:
        """A part came. What nobody asked for is dropped. Raises FairdealError."""
        if len(heard.leaf) != 3 or not (heard.leaf[1].isdecimal() and len(heard.leaf[1]) < 8):
            raise FairdealError("evidence/<call>/<part>", "/".join(heard.leaf)[:60])
        _, n, part = heard.leaf
        exhibit = self._found.get((heard.table, int(n)))
        if exhibit is None or exhibit.about is not None:
            return
        if part == "about":
            self._finish(exhibit, payload)
        elif len(payload) <= MOST_PICTURE and len(exhibit.pictures) < MOST_PARTS:
            exhibit.pictures[part[:8]] = payload
        while sum(e.size for e in self._found.values()) > MOST_BYTES and len(self._found) > 1:
            self._found.popitem(last=False)

    def _finish(self, exhibit: Exhibit, payload: bytes) -> None:
        body = payloads.read(About, payload)
        if body.session != exhibit.session:
            return
        exhibit.about = {
            "is_kept": body.is_kept, "rest": body.rest, "has_card": "card" in exhibit.pictures,
            "frames": to_builtins(body.frames),
        }  # fmt: skip
        exhibit.whole.set()
