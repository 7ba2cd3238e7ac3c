"""After a power cut: is the table that the camera sees the one the journal knows?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rules.event import Event

LOOK_S = 2.5  # how long the cards on the table are looked at before anything is judged
Table = Mapping[str, tuple[str, ...]]


class Renaming:
    """Gives the piles that a new start of the camera numbered from 1 their old names."""

    def __init__(self, names: Mapping[str, str], known: Table) -> None:
        self._names = dict(names)
        self._taken = {*known, *names.values()}

    def event(self, event: Event) -> Event:
        """The event with its place as the game knows it."""
        return event if event.place is None else replace(event, place=self._name(event.place))

    def _name(self, place: str) -> str:
        if not place.startswith("pile/"):
            return place
        if place not in self._names:
            number = max((int(p[5:]) for p in self._taken if p.startswith("pile/")), default=0) + 1
            self._names[place] = f"pile/{number}"
            self._taken.add(self._names[place])
        return self._names[place]


def lying(events: tuple[Event, ...]) -> dict[str, tuple[str, ...]]:
    """The table after `events`, from an empty one."""
    table: dict[str, tuple[str, ...]] = {}
    for event in events:
        if event.card is None or event.place is None:
            continue
        cards = table.get(event.place, ())
        if event.event == "placed":
            table[event.place] = (*cards, event.card)
        elif event.card in cards:
            last = len(cards) - 1 - cards[::-1].index(event.card)
            table[event.place] = cards[:last] + cards[last + 1 :]
    return {place: cards for place, cards in table.items() if cards}


def matched(known: Table, seen: Table) -> dict[str, str] | None:
    """Seen place → known place where the top cards are the same ones; None where they differ.

    Only tops are compared: what lies under them cannot be seen. Piles with the same top card
    are taken in the order of their numbers.
    """
    named = {place for place in seen if not place.startswith("pile/")}
    names = {place: place for place in named}
    if {p: known[p][-1] for p in known if not p.startswith("pile/")} != {
        p: seen[p][-1] for p in named
    }:
        return None
    left = sorted((p for p in known if p.startswith("pile/")), key=_number)
    for place in sorted((p for p in seen if p.startswith("pile/")), key=_number):
        found = next((p for p in left if known[p][-1] == seen[place][-1]), None)
        if found is None:
            return None
        left.remove(found)
        names[place] = found
    return None if left else names


def as_it_lies(known: Table, seen: Table, at: float) -> tuple[Event, ...]:
    """The events that tell a referee: the view was lost, and this is how the table lies now."""
    gone = [
        Event(at, "removed", card, place)
        for place, cards in known.items()
        for card in reversed(cards)
    ]
    come = [Event(at, "placed", card, place) for place, cards in seen.items() for card in cards]
    return (Event(at, "blind"), *gone, *come, Event(at, "sighted"))


def _number(place: str) -> int:
    return int(place[5:])
