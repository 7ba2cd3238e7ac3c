"""What the referee says: calls, as values with a JSON form."""

import json
from dataclasses import dataclass
from enum import StrEnum

from rules.table.event import Act, Placed, Pressed


class CallKind(StrEnum):
    """What a call is, in the order in which the calls of one event come."""

    CORRECTED = "corrected"  # an open mistake is put right
    MISTAKE = "mistake"  # a rule is broken
    COMPLETE = "complete"  # a sequence, a set, a hand or a wash is finished as it should be
    NOTICE = "notice"  # something that players should know or do
    WIN = "win"  # the game is over for a seat
    TIE = "tie"  # the game is over for nobody
    UNSURE = "unsure"  # the referee could not see or cannot tell


# The order of the calls of one event.
CALL_ORDER = {
    CallKind.CORRECTED: 0,
    CallKind.MISTAKE: 1,
    CallKind.COMPLETE: 2,
    CallKind.NOTICE: 3,
    CallKind.WIN: 4,
    CallKind.TIE: 4,
    CallKind.UNSURE: 5,
}


@dataclass(frozen=True)
class Call:
    """One call: `rule` is an id of the game's rules, `message` one sentence for the players.

    `expected` names what would have been right. `garments` is Dirty Laundry's outcome, a tuple
    of (card, becomes, to). The referee fills in `at` (seconds) and `game`.
    """

    call: CallKind
    rule: str
    message: str
    place: str | None = None
    seat: int | None = None
    card: str | None = None
    expected: tuple[str, ...] | None = None
    garments: tuple[tuple[str, str, str], ...] | None = None
    at: float = 0.0
    game: str = ""

    def to_json(self) -> str:
        """One line of JSON; keys without a value are left out."""
        text: dict[str, object] = {
            "at": self.at,
            "call": self.call,
            "rule": self.rule,
            "game": self.game,
        }
        if self.place is not None:
            text["place"] = self.place
        if self.seat is not None:
            text["seat"] = self.seat
        if self.card is not None:
            text["card"] = self.card
        if self.expected is not None:
            text["expected"] = list(self.expected)
        if self.garments is not None:
            text["garments"] = [
                {"card": card, "becomes": becomes, "to": to} for card, becomes, to in self.garments
            ]
        text["message"] = self.message
        return json.dumps(text)


def mistake(
    event: Act,
    rule: str,
    message: str,
    seat: int | None = None,
    expected: tuple[str, ...] | None = None,
) -> Call:
    """A mistake made by `event`, with its place and card. `seat`: who broke the rule, if known."""
    place, card = _place_and_card(event)
    return Call(CallKind.MISTAKE, rule, message, place, seat, card, expected)


def complete(event: Act, rule: str, message: str, seat: int | None = None) -> Call:
    """A finished sequence, set or hand, with the event's place and card."""
    place, card = _place_and_card(event)
    return Call(CallKind.COMPLETE, rule, message, place, seat, card)


def notice(event: Act, rule: str, message: str, seat: int | None = None) -> Call:
    """Something to know or do, with the event's place and card."""
    place, card = _place_and_card(event)
    return Call(CallKind.NOTICE, rule, message, place, seat, card)


def unsure(event: Act, rule: str, message: str, seat: int | None = None) -> Call:
    """What the referee cannot tell, with the event's place and card."""
    place, card = _place_and_card(event)
    return Call(CallKind.UNSURE, rule, message, place, seat, card)


def win(event: Act, rule: str, message: str, seat: int) -> Call:
    """The game is won by `seat`, with the event's place and card."""
    place, card = _place_and_card(event)
    return Call(CallKind.WIN, rule, message, place, seat, card)


def tie(event: Act, rule: str, message: str) -> Call:
    """The game is over and nobody wins, with the event's place and card."""
    place, card = _place_and_card(event)
    return Call(CallKind.TIE, rule, message, place, None, card)


def unknown_card(event: Placed) -> Call:
    """The call that every game makes when an `unknown` is placed after `start`."""
    return unsure(
        event,
        "unknown-card",
        "I cannot tell which card this is. Lay it flat and uncovered; play goes on.",
        event.seat,
    )


def _place_and_card(event: Act) -> tuple[str | None, str | None]:
    return (None, None) if isinstance(event, Pressed) else (event.place, event.card)
