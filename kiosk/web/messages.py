"""What may be asked of the page's server, and what it asks of the running game (docs/api.md).

Every message is checked where it comes in, on both sides of the link.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from device.speech import LANGUAGES
from kiosk.game.overruling import CardIs, NoMistake, Overruling, SeatWas
from kiosk.game.sounds import MOST_MUTED_S
from kiosk.serving.schema import MOST_ID, Message, Number, Part, Seat, Text, Word

Language = Literal["", *LANGUAGES]  # type: ignore[valid-type]
DeckPath = Annotated[str, msgspec.Meta(max_length=4096)]
Verdict = Literal["card", "seat", "no-mistake"]


class Press(Message, frozen=True, tag_field="act", tag="press"):
    """A button of the game."""

    button: Word
    seat: Seat | None = None


class Overrule(Message, frozen=True, tag_field="act", tag="overrule"):
    """People know a call's card or seat better, or that it was no mistake."""

    call: Number
    verdict: Verdict
    card: Word | None = None
    seat: Seat | None = None


class OverruleEvent(Message, frozen=True, tag_field="act", tag="overrule"):
    """The same of an event of the game (from 1)."""

    event: Number
    verdict: Verdict
    card: Word | None = None
    seat: Seat | None = None

    @property
    def ruling(self) -> Overruling | None:
        """The overruling; None where the card or seat that it needs is missing."""
        match self.verdict:
            case "card":
                return None if self.card is None else CardIs(self.event, self.card)
            case "seat":
                return None if self.seat is None else SeatWas(self.event, self.seat)
        return NoMistake(self.event)


class Look(Message, frozen=True, tag_field="act", tag="look"):
    """The referee looks at a call's card again."""

    call: Number


class Settle(Message, frozen=True, tag_field="act", tag="settle"):
    """People leave a call as it is."""

    call: Number


class Move(Message, frozen=True, tag_field="act", tag="move"):
    """A place is moved to `at`, in parts of the picture; without `at` it is found by itself."""

    place: Word
    at: tuple[Part, Part] | None = None


class SetSounds(Message, frozen=True, tag_field="act", tag="sounds"):
    """Mutes for so many seconds; speaks in a language, or in none by an empty one."""

    speak: Language | None = None
    mute_s: Annotated[int, msgspec.Meta(ge=0, le=int(MOST_MUTED_S))] | None = None


class Record(Message, frozen=True, tag_field="act", tag="record"):
    """The table is recorded from now on, or no more."""

    on: bool


class SetLearning(Message, frozen=True):
    """Decks learn from games that begin from now on, or no more."""

    on: bool


class RevertDeck(Message, frozen=True):
    """A deck becomes what it was: its state of that number, without one the last one before."""

    deck: DeckPath
    number: Annotated[int, msgspec.Meta(ge=1, le=MOST_ID)] | None = None


Wish = Press | Overrule | Look | Settle | Move | SetSounds | Record
GameAct = Press | OverruleEvent | SetSounds | Record


class KeepCall(Message, frozen=True):
    """A call that was wrong, of the game at play; or a `recording` that is looked at as a whole."""

    call: Number | None = None
    recording: Word = ""


class SaveReport(Message, frozen=True):
    """The part around a call as a report, without one the whole recording.

    `part`: x, y, width, height of the picture that stay, in parts of it. `recording`: the name of
    one that is kept; without it that of the game at play.
    """

    call: Number | None = None
    recording: Word = ""
    part: tuple[Part, Part, Part, Part] | None = None
    names: bool = False
    note: Text = ""
    free: bool = False


class Nothing(Message, frozen=True):
    """A body without keys."""


class Pair(Message, frozen=True):
    """A device that knows the digits on the table's screen."""

    digits: Word
    name: Text = ""


class NewCode(Message, frozen=True):
    """Which devices a new code lets in."""

    role: Literal["referee", "watcher", "camera"] = "referee"


class StartGame(Message, frozen=True):
    """A game as the start screen sends it, and as it is kept for the next time."""

    game: Word
    players: Seat
    deck: DeckPath
    options: Annotated[dict[Word, Word], msgspec.Meta(max_length=50)] | None = None
    seats: Annotated[list[Word], msgspec.Meta(max_length=99)] | None = None
    names: Annotated[list[Text], msgspec.Meta(max_length=99)] | None = None
