"""What people overrule: a game judged again from the event that was seen or judged wrongly.

Pure: the events of a game and what was overruled in, the game and its calls out. The journal keeps
the events as they were seen; an overruling stands beside them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from kiosk.game.amending import Renames, with_card, with_seat
from rules.errors import FairdealError
from rules.judging import belief
from rules.judging.belief import Belief
from rules.judging.referee import Session
from rules.judging.said import Said, Told
from rules.table.call import Call
from rules.table.event import (
    Event,
    Placed,
    Pressed,
    is_card_event,
)

NOT_SURE = 0.0  # an event of this certainty never makes a mistake (rulings, "Doubt")


@dataclass(frozen=True, slots=True)
class CardIs:
    """The card of event `event` (from 1) is another face."""

    event: int
    card: str


@dataclass(frozen=True, slots=True)
class SeatWas:
    """Event `event` (from 1) was another seat's."""

    event: int
    seat: int


@dataclass(frozen=True, slots=True)
class NoMistake:
    """What event `event` (from 1) brought was no mistake: its card counts as right."""

    event: int


Overruling = CardIs | SeatWas | NoMistake


def to_json(overruling: Overruling) -> str:
    """One line of JSON that `read_overruling` reads back."""
    match overruling:
        case CardIs(event, card):
            return json.dumps({"event": event, "card": card})
        case SeatWas(event, seat):
            return json.dumps({"event": event, "seat": seat})
        case NoMistake(event):
            return json.dumps({"event": event, "mistake": False})


def read_overruling(text: str) -> Overruling:
    """An overruling from its text form. Raises FairdealError."""
    try:
        match json.loads(text):
            case {"event": int(event), "card": str(card)}:
                return CardIs(event, card)
            case {"event": int(event), "seat": int(seat)}:
                return SeatWas(event, seat)
            case {"event": int(event), "mistake": False}:
                return NoMistake(event)
    except (ValueError, RecursionError):
        pass
    raise FairdealError("an overruling: event and card, seat or mistake", ascii(text)[:80])


@dataclass(frozen=True, slots=True)
class Rejudged:
    """The game after all its events, and the calls that each event brings, in order.

    Calls that were withdrawn are not among them.
    """

    belief: Belief
    calls: tuple[tuple[Call, ...], ...]

    @property
    def session(self) -> Session:
        """The game after the likeliest course of events."""
        return self.belief.session


def check(overruling: Overruling, session: Session, events: Sequence[Event]) -> None:
    """Raises FairdealError for an overruling that names no such event, card or seat."""
    if not 1 <= overruling.event <= len(events):
        raise FairdealError(f"an event from 1 to {len(events)}", str(overruling.event))
    event, players = events[overruling.event - 1], session.setup.players
    match overruling:
        case CardIs(card=card):
            game = session.game
            cards = game.cards_of(players) if game.cards_of else game.cards
            if not is_card_event(event) or card not in cards:
                raise FairdealError(f"a card of {game.name} for an event with a card", ascii(card))
        case SeatWas(seat=seat):
            if not 1 <= seat <= players:
                raise FairdealError(f"a seat from 1 to {players}", str(seat))
        case NoMistake():
            if not is_card_event(event) and not isinstance(event, Pressed):
                raise FairdealError("an event with a card or a button", event.kind)


def rejudge(start: Session, events: Iterable[Event], overruled: Iterable[Overruling]) -> Rejudged:
    """Judges a game's events from `start`, with what was overruled. The last one counts."""
    judging = Judging(start, overruled)
    for event in events:
        judging.take(event)
    return judging.rejudged


class Judging:
    """A game judged event by event, with what was overruled in mind."""

    def __init__(self, start: Session, overruled: Iterable[Overruling] = ()) -> None:
        self.belief = belief.believe(start)
        self.calls: list[list[Call]] = []
        self._by_event: dict[int, list[Overruling]] = {}
        for each in overruled:
            self._by_event.setdefault(each.event, []).append(each)
        self._renames = Renames()

    @property
    def rejudged(self) -> Rejudged:
        """The game as it is now."""
        return Rejudged(self.belief, tuple(tuple(calls) for calls in self.calls))

    def take(self, event: Event) -> Told:
        """Judges the next event; what it brings."""
        verdicts = self._by_event.get(len(self.calls) + 1, [])
        amended = self._renames.follow(event)
        is_allowed = any(isinstance(verdict, NoMistake) for verdict in verdicts)
        for verdict in verdicts:
            amended = _amended(amended, verdict)
        if isinstance(event, Placed) and isinstance(amended, Placed):
            self._renames.note(event, amended)
        self.calls.append([])
        if is_allowed and isinstance(amended, Pressed):
            self.belief = belief.passed_over(self.belief)
            return Told()
        self.belief, told = belief.step(self.belief, amended)
        if is_allowed:
            told = _without_questions(told)
        return self._note(told)

    def close(self) -> Told:
        """The calls that the end of the input brings; they are told with the last event."""
        return belief.close(self.belief)

    def _note(self, told: Told) -> Told:
        numbers = told.events or (len(self.calls),) * len(told.calls)
        for number, call in zip(numbers, told.calls, strict=True):
            self.calls[number - 1].append(call)
        for said in told.withdrawn:
            made = self.calls[said.event - 1]
            same = next((each for each in made if _is_said(each, said)), None)
            if same is not None:
                made.remove(same)
        return told


def _is_said(call: Call, said: Said) -> bool:
    """Whether a call is the one that was said; its time may be that of a later event."""
    return replace(call, at=0.0, game="") == replace(said.call, at=0.0, game="")


def _without_questions(told: Told) -> Told:
    numbers = told.events or (0,) * len(told.calls)
    kept = [(c, n) for c, n in zip(told.calls, numbers, strict=True) if c.call != "unsure"]
    return replace(
        told,
        calls=tuple(call for call, _ in kept),
        events=tuple(number for _, number in kept) if told.events else (),
    )


def _amended(event: Event, verdict: Overruling) -> Event:
    match verdict:
        case CardIs(card=card) if is_card_event(event):
            return with_card(event, card)  # people looked at it
        case SeatWas(seat=seat) if is_card_event(event):
            return with_seat(event, seat)
        case SeatWas(seat=seat) if isinstance(event, Pressed):
            return replace(event, seat=seat)
        case NoMistake() if is_card_event(event):
            return replace(event, sure=NOT_SURE, ways=None)
    return event


def changed_calls(
    before: Sequence[tuple[Call, ...]], after: Sequence[tuple[Call, ...]], event: int
) -> int:
    """How many calls of later events than `event` (from 1) are withdrawn or new."""
    changed = 0
    for old, new in zip(before[event:], after[event:], strict=True):
        kept = list(new)
        for call in old:
            if call in kept:
                kept.remove(call)
            else:
                changed += 1
        changed += len(kept)
    return changed
