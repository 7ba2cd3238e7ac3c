"""The difference of two tables, in the words that referees know."""

from __future__ import annotations

from collections.abc import Mapping

from rules.event import Event
from vision.scene.table import Card, Table


def difference(
    before: Table, after: Table, at: float, seats: Mapping[int, int | None]
) -> tuple[Event, ...]:
    """What happened between two tables: first what was removed, from the top; then what came.

    `seats`: who acted, by the card's number. A card with another face or place is a removal
    and a placing. Cards at no place make no events.
    """
    old = {card.number: card for card in before.cards}
    new = {card.number: card for card in after.cards}
    events = [
        _event("removed", card, at, seats)
        for card in reversed(before.cards)
        if card.place is not None and not _is_same(card, new.get(card.number))
    ]
    events += [
        _event("placed", card, at, seats)
        for card in after.cards
        if card.place is not None and not _is_same(card, old.get(card.number))
    ]
    return tuple(events)


def _is_same(card: Card, other: Card | None) -> bool:
    return other is not None and (card.face, card.place) == (other.face, other.place)


def _event(what: str, card: Card, at: float, seats: Mapping[int, int | None]) -> Event:
    on = card.on if what == "placed" else None
    seat = seats.get(card.number)
    return Event(at=at, event=what, card=card.face, place=card.place, seat=seat, on=on)
