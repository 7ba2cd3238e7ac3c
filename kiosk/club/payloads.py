"""Payloads of a club: JSON with a version, read strictly and within bounds.

`docs/club.schema.json` holds their JSON Schemas, `docs/club.md` the examples.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kiosk.club.topics import SESSION
from rules.errors import FairdealError

VERSION = 1
MOST_BYTES = 256 * 1024  # of one JSON payload
MOST_CALLS = 1_000_000  # of a game: larger numbers are damage
CALL_KINDS = ("mistake", "corrected", "complete", "notice", "win", "tie", "unsure")


def text_of(payload: Mapping[str, Any]) -> bytes:
    """The payload as it is sent."""
    return json.dumps({"version": VERSION, **payload}, separators=(",", ":")).encode()


def read(payload: bytes) -> dict[str, Any]:
    """The JSON object of a payload of this version. Raises FairdealError."""
    if len(payload) > MOST_BYTES:
        raise FairdealError(f"a payload of at most {MOST_BYTES} bytes", str(len(payload)))
    try:
        found = json.loads(payload)
    except (ValueError, RecursionError):
        raise FairdealError("a JSON object", _shown(payload)) from None
    if not isinstance(found, dict):
        raise FairdealError("a JSON object", _shown(payload))
    version = found.get("version")
    if version != VERSION or isinstance(version, bool):
        is_newer = isinstance(version, int) and version > VERSION
        todo = "update fairdeal here" if is_newer else "update fairdeal at that table"
        raise FairdealError(f"payload version {VERSION}", ascii(version)[:20], todo)
    return found


def _shown(payload: bytes) -> str:
    return f"{len(payload)} bytes that begin with {payload[:24].decode('latin-1')!a}"


@dataclass(frozen=True, slots=True)
class Available:
    """Who speaks for a table. `since`: s since 1970, by the table's clock.

    `address`: its address in the network; `host`: its computer's name.
    """

    is_online: bool
    session: str
    since: float
    address: str = ""
    host: str = ""
    software: str = ""

    def to_payload(self) -> dict[str, Any]:
        """What is published on `available`."""
        return {
            "status": "online" if self.is_online else "offline", "session": self.session,
            "since": round(self.since, 3), "address": self.address, "host": self.host,
            "software": self.software,
        }  # fmt: skip

    @property
    def shown(self) -> str:
        """Where it runs, for a line: "192.168.1.7 (pi-3)"."""
        return f"{self.address or 'an unknown address'} ({self.host or 'unnamed'})"


def read_available(found: Mapping[str, Any]) -> Available:
    """`available` from its payload. Raises FairdealError."""
    status = one_of(found, "status", ("online", "offline"))
    return Available(
        status == "online", session_of(found), number(found, "since", 0.0, 1e11),
        words(found, "address", 100), words(found, "host", 100), words(found, "software", 40),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class SentCall:
    """A call as it goes to the broker. `sent`: s since 1970, by the table's clock.

    (`session`, `n`) names it: a second one with the same name is a duplicate.
    """

    session: str
    n: int
    event: int
    at: float
    call: str
    rule: str
    message: str
    sure: float
    place: str | None
    seat: int | None
    card: str | None
    expected: tuple[str, ...]
    sent: float

    @property
    def evidence(self) -> str:
        """The id of its evidence."""
        return f"{self.session}-{self.n}"

    def to_payload(self) -> dict[str, Any]:
        """What is published on `call/<n>`."""
        return {
            "session": self.session, "n": self.n, "event": self.event, "at": self.at,
            "call": self.call, "rule": self.rule, "message": self.message, "sure": self.sure,
            "place": self.place, "seat": self.seat, "card": self.card,
            "expected": list(self.expected), "evidence": self.evidence, "sent": round(self.sent, 3),
        }  # fmt: skip


def read_call(found: Mapping[str, Any]) -> SentCall:
    """A call from its payload. Raises FairdealError."""
    expected = found.get("expected", [])
    if not isinstance(expected, list) or len(expected) > 100:
        raise FairdealError("a list of faces as expected", ascii(expected)[:40])
    return SentCall(
        session_of(found), whole(found, "n", 1, MOST_CALLS), whole(found, "event", 0, MOST_CALLS),
        number(found, "at", 0.0, 1e9), one_of(found, "call", CALL_KINDS),
        words(found, "rule", 80), words(found, "message", 1000), number(found, "sure", 0.0, 1.0),
        optional(found, "place", 80), _seat(found), optional(found, "card", 80),
        tuple(str(face)[:80] for face in expected), number(found, "sent", 0.0, 1e11),
    )  # fmt: skip


def _seat(found: Mapping[str, Any]) -> int | None:
    return None if found.get("seat") is None else whole(found, "seat", 1, 99)


def session_of(found: Mapping[str, Any], key: str = "session") -> str:
    """The id of a table's session. Raises FairdealError."""
    value = found.get(key)
    if not isinstance(value, str) or not SESSION.fullmatch(value):
        raise FairdealError(f"{key} as 16 hex digits", ascii(value)[:40])
    return value


def number(found: Mapping[str, Any], key: str, low: float, high: float) -> float:
    """A number within bounds. Raises FairdealError."""
    value = found.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise FairdealError(f"{key} from {low:g} to {high:g}", ascii(value)[:40])
    return float(value)


def whole(found: Mapping[str, Any], key: str, low: int, high: int) -> int:
    """A whole number within bounds. Raises FairdealError."""
    value = found.get(key)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise FairdealError(f"{key} as a whole number from {low} to {high}", ascii(value)[:40])
    return value


def words(found: Mapping[str, Any], key: str, most: int) -> str:
    """A text of at most `most` characters. Raises FairdealError."""
    value = found.get(key)
    if not isinstance(value, str) or len(value) > most:
        raise FairdealError(f"{key} as text of at most {most} characters", ascii(value)[:40])
    return value


def optional(found: Mapping[str, Any], key: str, most: int) -> str | None:
    """The same; None where it is null or missing."""
    return None if found.get(key) is None else words(found, key, most)


def one_of(found: Mapping[str, Any], key: str, known: tuple[str, ...]) -> str:
    """One of a few words. Raises FairdealError."""
    value = found.get(key)
    if value not in known or not isinstance(value, str):
        raise FairdealError(f"{key} one of {', '.join(known)}", ascii(value)[:40])
    return value
