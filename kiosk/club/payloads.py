"""Payloads of a club: JSON with a version, read by a schema (kiosk/serving/schema.py).

`docs/club.schema.json` holds their JSON Schemas, `docs/club.md` the examples. Keys that a reader
does not know are ignored: a newer table may send more.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from kiosk.serving import schema
from rules.errors import FairdealError

VERSION = 1
MOST_BYTES = 256 * 1024  # of one JSON payload
MOST_CALLS = 1_000_000  # of a game: larger numbers are damage
CALL_KINDS = ("mistake", "corrected", "complete", "notice", "win", "tie", "unsure")

Session = Annotated[str, Meta(pattern="^[0-9a-f]{16}$", max_length=16)]
CommandId = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,64}$", max_length=64)]
CallNumber = Annotated[int, Meta(ge=1, le=MOST_CALLS)]
Count = Annotated[int, Meta(ge=0, le=MOST_CALLS)]
Clock = Annotated[float, Meta(ge=0.0, le=1e11)]  # s since 1970, by the table's clock
GameTime = Annotated[float, Meta(ge=0.0, le=1e9)]  # s
Share = Annotated[float, Meta(ge=0.0, le=1.0)]
Seat = Annotated[int, Meta(ge=1, le=99)]
Name = Annotated[str, Meta(max_length=40)]
Word = Annotated[str, Meta(max_length=80)]
Host = Annotated[str, Meta(max_length=100)]
Text = Annotated[str, Meta(max_length=400)]
Sentence = Annotated[str, Meta(max_length=1000)]

T = TypeVar("T")


def text_of(payload: Mapping[str, Any]) -> bytes:
    """The payload as it is sent."""
    return json.dumps({"version": VERSION, **payload}, separators=(",", ":")).encode()


class _Head(Struct, frozen=True):
    version: Any = None


def read(kind: type[T], payload: bytes) -> T:
    """A payload of this version. Raises FairdealError."""
    if len(payload) > MOST_BYTES:
        raise FairdealError(f"a payload of at most {MOST_BYTES} bytes", str(len(payload)))
    version = schema.read(_Head, payload).version
    if version != VERSION or not isinstance(version, int) or isinstance(version, bool):
        is_newer = isinstance(version, int) and version > VERSION
        todo = "update fairdeal here" if is_newer else "update fairdeal at that table"
        raise FairdealError(f"payload version {VERSION}", schema.shown(version), todo)
    return schema.read(kind, payload)


class Available(Struct, frozen=True):
    """Who speaks for a table. `since`: s since 1970, by the table's clock.

    `address`: its address in the network; `host`: its computer's name.
    """

    status: Literal["online", "offline"]
    session: Session
    since: Clock
    address: Host = ""
    host: Host = ""
    software: Name = ""

    @property
    def is_online(self) -> bool:
        """Whether the table is there."""
        return self.status == "online"

    @property
    def offline(self) -> Available:
        """The same table as it says goodbye."""
        return msgspec.structs.replace(self, status="offline")

    def to_payload(self) -> dict[str, Any]:
        """What is published on `available`."""
        return {
            "status": self.status, "session": self.session, "since": round(self.since, 3),
            "address": self.address, "host": self.host, "software": self.software,
        }  # fmt: skip

    @property
    def shown(self) -> str:
        """Where it runs, for a line: "192.168.1.7 (pi-3)"."""
        return f"{self.address or 'an unknown address'} ({self.host or 'unnamed'})"


class AskWho(Available, frozen=True, tag_field="ask", tag="who"):
    """A table asks whether anybody else has its name."""


class AskCalls(Struct, frozen=True, tag_field="ask", tag="calls"):
    """A board misses these calls of a session."""

    session: Session
    first: CallNumber = msgspec.field(name="from")
    last: CallNumber = msgspec.field(name="to")


class AskEvidence(Struct, frozen=True, tag_field="ask", tag="evidence"):
    """Somebody wants the pictures of a call."""

    session: Session
    call: CallNumber


Question = AskWho | AskCalls | AskEvidence


def read_question(payload: bytes) -> Question:
    """What somebody asks of a table. Raises FairdealError."""
    kind: Any = Question  # no type checker takes a union for a type
    asked: Question = read(kind, payload)
    return asked


class SentCall(Struct, frozen=True):
    """A call as it goes to the broker. `sent`: s since 1970, by the table's clock.

    (`session`, `n`) names it: a second one with the same name is a duplicate.
    """

    session: Session
    n: CallNumber
    event: Count
    at: GameTime
    call: Literal[CALL_KINDS]  # type: ignore[valid-type]
    rule: Word
    message: Sentence
    sure: Share
    place: Word | None
    seat: Seat | None
    card: Word | None
    expected: Annotated[tuple[Word, ...], Meta(max_length=100)]
    sent: Clock

    @property
    def evidence(self) -> str:
        """The id of its evidence."""
        return f"{self.session}-{self.n}"

    def to_payload(self) -> dict[str, Any]:
        """What is published on `call/<n>`."""
        return {
            **msgspec.structs.asdict(self), "expected": list(self.expected),
            "evidence": self.evidence, "sent": round(self.sent, 3),
        }  # fmt: skip


class Frame(Struct, frozen=True):
    """One picture of a call's evidence; `cards` as the page draws them."""

    at: GameTime = 0.0
    cards: Annotated[list[dict[str, Any]], Meta(max_length=200)] = []


class About(Struct, frozen=True):
    """The last part of a call's evidence: what the pictures before it are."""

    session: Session
    is_kept: bool
    rest: Annotated[int, Meta(ge=0, le=64)]
    frames: Annotated[list[Frame], Meta(max_length=64)]


class AnswerBody(Struct, frozen=True, omit_defaults=True):
    """A table's answer to a command, as far as the page is told."""

    ok: bool
    message: Text | None = None
    changed: Count | None = None
