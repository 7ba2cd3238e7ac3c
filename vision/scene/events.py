"""The difference of two tables, in the words that referees know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest

from rules.table.event import CardEvent, Event, Placed, Removed
from vision import geometry
from vision.scene.doubts import Act, Order, Unordered, weighed
from vision.scene.table import Card, Table

SAME = 0.8  # IoU of a card with its other face


def difference(
    before: Table, after: Table, at: float, acts: Mapping[int, Act]
) -> tuple[CardEvent, ...]:
    """What happened between two tables: first what was removed, from the top; then what came.

    `acts`: the last act on each card, by its number. A card with another face or place is a removal
    and a placing; one that was turned over goes right before its other face comes. Cards at no
    place make no events.
    """
    old = {card.number: card for card in before.cards}
    new = {card.number: card for card in after.cards}
    gone = [
        card
        for card in reversed(before.cards)
        if card.place is not None and not _is_same(card, new.get(card.number))
    ]
    came = [
        card
        for card in after.cards
        if card.place is not None and not _is_same(card, old.get(card.number))
    ]
    turned: dict[int | None, list[Card]] = {}
    for each in gone:
        over = next((card for card in came if _is_turned(each, card)), None)
        turned.setdefault(None if over is None else over.number, []).append(each)
    events: list[CardEvent] = [_event(Removed, card, at, acts) for card in turned.get(None, [])]
    for card in came:
        events += [_event(Removed, each, at, acts) for each in turned.get(card.number, [])]
        events.append(_event(Placed, card, at, acts))
    return tuple(events)


def by_act(events: Sequence[Event]) -> Iterator[tuple[CardEvent | None, Event]]:
    """The events of a frame, each alone (None), but a card's placing with its removal elsewhere
    where the order of both is open with others: they are one act."""
    taken: CardEvent | None = None
    for event, then in zip_longest(events, events[1:]):
        if taken is None and isinstance(event, Removed) and _is_one_act(event, then):
            taken = event
        else:
            yield taken, event
            taken = None


def _is_one_act(taken: Removed, then: Event | None) -> bool:
    is_moved = isinstance(then, Placed) and then.card == taken.card
    return is_moved and _comes_before(taken) and _comes_before(then)


def _comes_before(event: Event | None) -> bool:
    ways = event.ways if isinstance(event, Placed | Removed) else None
    return isinstance(ways, Unordered) and ways.order is not Order.LATER


def _event(
    kind: type[Placed] | type[Removed], card: Card, at: float, acts: Mapping[int, Act]
) -> CardEvent:
    """What the last act on a card at a place was."""
    assert card.place is not None
    event = kind(at, card.face, card.place)
    if isinstance(event, Placed):
        event = replace(event, on=card.on)
    return weighed(event, acts.get(card.number, Act()))


def _is_turned(card: Card, other: Card) -> bool:
    """Whether the other card lies where this one lay."""
    return card.place == other.place and geometry.iou(card.quad, other.quad) >= SAME


def _is_same(card: Card, other: Card | None) -> bool:
    return other is not None and (card.face, card.place) == (other.face, other.place)
