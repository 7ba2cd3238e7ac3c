"""The state of a table as its club reads it: checked by a schema, for anybody may write there."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from kiosk.club.payloads import (
    CallNumber,
    Clock,
    Count,
    GameTime,
    Name,
    Seat,
    Session,
    Text,
    Word,
)

MOST_ITEMS = 200  # lines, places, mistakes
MOST_SEATS = 99
MOST_SESSIONS = 5000

CallNumbers = Annotated[list[CallNumber], Meta(max_length=MOST_ITEMS)]


class Playing(Struct, frozen=True):
    """The game of a table."""

    name: Name
    title: Word
    players: Seat
    options: Annotated[dict[Name, Name], Meta(max_length=MOST_ITEMS)] = {}


class Line(Struct, frozen=True):
    """A labelled line of the game's view."""

    label: Text = ""
    text: Text = ""


class Place(Struct, frozen=True):
    """A pile or set, and what it needs."""

    place: Text = ""
    label: Text = ""
    text: Text = ""


class Score(Struct, frozen=True):
    """A seat's score in words."""

    seat: Seat
    text: Text = ""


class OpenMistake(Struct, frozen=True):
    """What is to be put right."""

    rule: Text = ""


class Outcome(Struct, frozen=True):
    """Who won."""

    winners: Annotated[list[Seat], Meta(max_length=MOST_SEATS)]
    tie: bool


class TableState(Struct, frozen=True):
    """The keys of a state that a board shows. `sent`: by the table's clock."""

    session: Session
    number: Annotated[int, Meta(ge=0, le=10**12)]
    sent: Clock
    phase: Literal["idle", "playing", "over", "stopped"]
    game: Playing | None
    at: GameTime
    turn: Seat | None
    headline: Text
    lines: Annotated[list[Line], Meta(max_length=MOST_ITEMS)]
    places: Annotated[list[Place], Meta(max_length=MOST_ITEMS)]
    scores: Annotated[list[Score], Meta(max_length=MOST_ITEMS)]
    mistakes: Annotated[list[OpenMistake], Meta(max_length=MOST_ITEMS)]
    lost: Text
    calls: Count
    open: CallNumbers
    withdrawn: CallNumbers
    result: Outcome | None


class Sessions(Struct, frozen=True):
    """How many calls each of a table's earlier sessions made."""

    calls: Annotated[dict[Session, Count], Meta(max_length=MOST_SESSIONS)]
