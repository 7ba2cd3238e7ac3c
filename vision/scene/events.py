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
    removed = [
        weighed(Removed(at, card.face, card.place), acts.get(card.number, Act()))
        for card in reversed(before.cards)
        if card.place is not None and not _is_same(card, new.get(card.number))
    ]
    placed = [
        weighed(Placed(at, card.face, card.place, on=card.on), acts.get(card.number, Act()))
        for card in after.cards
        if card.place is not None and not _is_same(card, old.get(card.number))
    ]
    return (*removed, *placed)


def _is_same(card: Card, other: Card | None) -> bool:
    return other is not None and (card.face, card.place) == (other.face, other.place)
