"""What the referee says. Calls are values; lamps, pages and journals come later."""

import json
from dataclasses import dataclass

from rules.event import Act, Placed, Pressed

# The order of the calls of one event.
CALL_ORDER = {
    "corrected": 0,
    "mistake": 1,
    "complete": 2,
    "notice": 3,
    "win": 4,
    "tie": 4,
    "unsure": 5,
}


@dataclass(frozen=True)
class Call:
    """One call: `call` and `rule` as in the rulings, `message` one sentence for the players.

    `expected` names what would have been right; `garments` is Dirty Laundry's outcome, a tuple
    of (card, becomes, to). `at` (seconds) and `game` are filled in by the referee.
    """

    call: str
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
        """One line of JSON; keys that say nothing are left out."""
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
    return Call("mistake", rule, message, place, seat, card, expected)


def complete(event: Act, rule: str, message: str, seat: int | None = None) -> Call:
    """A finished sequence, set or hand, with the event's place and card."""
    place, card = _place_and_card(event)
    return Call("complete", rule, message, place, seat, card)


def notice(event: Act, rule: str, message: str, seat: int | None = None) -> Call:
    """Something to know or do, with the event's place and card."""
    place, card = _place_and_card(event)
    return Call("notice", rule, message, place, seat, card)


def unsure(event: Act, rule: str, message: str, seat: int | None = None) -> Call:
    """What the referee cannot tell, with the event's place and card."""
    place, card = _place_and_card(event)
    return Call("unsure", rule, message, place, seat, card)


def win(event: Act, rule: str, message: str, seat: int) -> Call:
    """The game is won by `seat`, with the event's place and card."""
    place, card = _place_and_card(event)
    return Call("win", rule, message, place, seat, card)


def tie(event: Act, rule: str, message: str) -> Call:
    """The game is over and nobody wins, with the event's place and card."""
    place, card = _place_and_card(event)
    return Call("tie", rule, message, place, None, card)


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
