"""The difference of two tables, in the words that referees know."""

from __future__ import annotations

from collections.abc import Mapping

from rules.table.event import CardEvent, Placed, Removed
from vision.scene.doubts import Act, weighed
from vision.scene.table import Card, Table


def difference(
    before: Table, after: Table, at: float, acts: Mapping[int, Act]
) -> tuple[CardEvent, ...]:
    """What happened between two tables: first what was removed, from the top; then what came.

    `acts`: the last act on each card, by its number. A card with another face or place is a removal
    and a placing. Cards at no place make no events.
    """
    old = {card.number: card for card in before.cards}
    new = {card.number: card for card in after.cards}
    removed: list[CardEvent] = [
        weighed(Removed(at, card.face, card.place, act.seat), act)
        for card in reversed(before.cards)
        if card.place is not None and not _is_same(card, new.get(card.number))
        for act in [acts.get(card.number, Act())]
    ]
    placed: list[CardEvent] = [
        weighed(Placed(at, card.face, card.place, act.seat, card.on), act)
        for card in after.cards
        if card.place is not None and not _is_same(card, old.get(card.number))
        for act in [acts.get(card.number, Act())]
    ]
    return (*removed, *placed)


def _is_same(card: Card, other: Card | None) -> bool:
    return other is not None and (card.face, card.place) == (other.face, other.place)
