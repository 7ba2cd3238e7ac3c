"""What people overrule: a game judged again from the event that was seen or judged wrongly.

Pure: the events of a game and what was overruled in, the game and its calls out. The journal keeps
the events as they were seen; an overruling stands beside them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from rules.errors import FairdealError
from rules.judging import referee
from rules.judging.referee import Session
from rules.table.call import Call
from rules.table.event import Event, Placed, Pressed, Removed, is_card_event

SURE = 1.0
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
    """The game after all its events, and the calls that each event brings, in order."""

    session: Session
    calls: tuple[tuple[Call, ...], ...]


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
    by_event: dict[int, list[Overruling]] = {}
    for each in overruled:
        by_event.setdefault(each.event, []).append(each)
    session, renames = start, _Renames()
    calls: list[tuple[Call, ...]] = []
    for number, event in enumerate(events, 1):
        verdicts = by_event.get(number, [])
        amended = renames.follow(event)
        is_allowed = any(isinstance(verdict, NoMistake) for verdict in verdicts)
        for verdict in verdicts:
            amended = _amended(amended, verdict)
        if isinstance(event, Placed) and isinstance(amended, Placed):
            renames.note(event, amended)
        if is_allowed and isinstance(amended, Pressed):
            calls.append(())
            continue
        session, made = referee.step(session, amended)
        if is_allowed:
            made = tuple(call for call in made if call.call != "unsure")
        calls.append(made)
    return Rejudged(session, tuple(calls))


def _amended(event: Event, verdict: Overruling) -> Event:
    match verdict:
        case CardIs(card=card) if is_card_event(event):
            return replace(event, card=card, sure=SURE)  # people looked at it
        case SeatWas(seat=seat) if is_card_event(event) or isinstance(event, Pressed):
            return replace(event, seat=seat)
        case NoMistake() if is_card_event(event):
            return replace(event, sure=NOT_SURE)
    return event


class _Renames:
    """Later events name a card by the face that was seen; here they follow what it really is."""

    def __init__(self) -> None:
        self._lying: dict[str, list[tuple[str, str]]] = {}

    def note(self, seen: Placed, real: Placed) -> None:
        """A card was placed: the face that was seen and the one that it is."""
        self._lying.setdefault(seen.place, []).append((seen.card, real.card))

    def follow(self, event: Event) -> Event:
        """The event with the card's real face: a removal takes the topmost card seen as it."""
        if not isinstance(event, Removed):
            return event
        lying = self._lying.get(event.place, [])
        for k in range(len(lying) - 1, -1, -1):
            seen, real = lying[k]
            if seen == event.card:
                del lying[k]
                return replace(event, card=real) if real != seen else event
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
