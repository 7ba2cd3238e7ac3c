"""Events as people say that they were: another face, another seat, and what follows from that."""

from __future__ import annotations

from dataclasses import replace

from rules.table.event import Alternatives, CardEvent, Event, Placed, Removed, Way

SURE = 1.0


def with_card(event: CardEvent, card: str) -> CardEvent:
    """The event as people saw it: the ways that fit are left, or the told one with that card."""
    ways = event.ways.ways if event.ways is not None else ()
    named = replace(event, card=card, sure=SURE, ways=None)
    fitting = [way for way in ways if any(_is_of(each, event, card) for each in way.events)]
    if not fitting:
        likeliest = next((way.events for way in ways if event.card in _cards(way)), ())
        others = tuple(each for each in likeliest if not _is_of(each, event, event.card))
        if not others:
            return named
        fitting = [Way(1.0, (replace(named, sure=1.0), *others))]
    total = sum(way.chance for way in fitting) or 1.0
    left = tuple(replace(way, chance=way.chance / total) for way in fitting)
    return replace(named, ways=Alternatives(left))


def with_seat(event: CardEvent, seat: int) -> CardEvent:
    if event.ways is None:
        return replace(event, seat=seat)
    ways = tuple(
        replace(
            way,
            events=tuple(
                replace(each, seat=seat) if each.place == event.place else each
                for each in way.events
            ),
        )
        for way in event.ways.ways
    )
    return replace(event, seat=seat, ways=replace(event.ways, ways=ways))


def _is_of(each: CardEvent, event: CardEvent, card: str) -> bool:
    return (each.kind, each.place, each.card) == (event.kind, event.place, card)


def _cards(way: Way) -> set[str]:
    return {each.card for each in way.events}


class Renames:
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
                return _renamed(event, seen, real) if real != seen else event
        return event


def _renamed(event: Removed, seen: str, real: str) -> Removed:
    ways = event.ways
    if ways is not None:
        renamed = tuple(
            replace(
                way,
                events=tuple(
                    replace(each, card=real) if _is_of(each, event, seen) else each
                    for each in way.events
                ),
            )
            for way in ways.ways
        )
        ways = replace(ways, ways=renamed)
    return replace(event, card=real, ways=ways)
