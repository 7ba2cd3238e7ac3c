"""After a restart or a moved camera: is the table that is seen the one that the game knows?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from kiosk.game.limits import LIMITS
from rules.event import Blind, Event, Placed, Removed, Sighted, is_card_event

Table = Mapping[str, tuple[str, ...]]


class Renaming:
    """Gives the piles that a new watcher numbered from 1 the names that the game knows."""

    def __init__(self, names: Mapping[str, str], known: Table) -> None:
        self._names = dict(names)
        self._taken = {*known, *names.values()}

    def event(self, event: Event) -> Event:
        """The event with its place as the game knows it."""
        return replace(event, place=self._name(event.place)) if is_card_event(event) else event

    def _name(self, place: str) -> str:
        if not place.startswith("pile/"):
            return place
        if place not in self._names:
            number = max((int(p[5:]) for p in self._taken if p.startswith("pile/")), default=0) + 1
            self._names[place] = f"pile/{number}"
            self._taken.add(self._names[place])
        return self._names[place]


class TableCheck:
    """Holds back what a new watcher sees until its table is compared with the game's.

    Before the first check it passes every event as it is.
    """

    def __init__(self) -> None:
        self._held: list[Event] | None = None
        self._began_at = 0.0
        self._renaming: Renaming | None = None

    def begin(self, at: float) -> None:
        """A new watcher starts at game time `at` (s)."""
        self._held, self._began_at = [], at

    @property
    def is_on(self) -> bool:
        """Whether a comparison is under way."""
        return self._held is not None

    def is_due(self, at: float) -> bool:
        """Whether the table was watched for long enough."""
        return self._held is not None and at - self._began_at >= LIMITS.compare_s

    def take(self, event: Event) -> Event | None:
        """The event with its place as the game knows it; None where it is held back."""
        if self._held is not None:
            self._held.append(event)
            return None
        return self._renaming.event(event) if self._renaming else event

    def finish(self, known: Table, at: float, *, is_lost: bool) -> tuple[Event, ...]:
        """Compares, and gives the events by which the game takes up another table.

        `known`: the game's table. `is_lost`: the referee has heard `blind` already.
        """
        seen = lying(tuple(self._held or ()))
        self._held = None
        names = matched(known, seen)
        if names is not None:
            self._renaming = Renaming(names, known)
            return ()
        self._renaming = Renaming({place: place for place in seen}, seen)
        events = as_it_lies(known, seen, at)
        return events[1:-1] if is_lost else events


def lying(events: tuple[Event, ...]) -> dict[str, tuple[str, ...]]:
    """The table after `events`, from an empty one."""
    table: dict[str, tuple[str, ...]] = {}
    for event in events:
        if not is_card_event(event):
            continue
        cards = table.get(event.place, ())
        if isinstance(event, Placed):
            table[event.place] = (*cards, event.card)
        elif event.card in cards:
            last = len(cards) - 1 - cards[::-1].index(event.card)
            table[event.place] = cards[:last] + cards[last + 1 :]
    return {place: cards for place, cards in table.items() if cards}


def matched(known: Table, seen: Table) -> dict[str, str] | None:
    """Seen place → known place where the top cards are the same ones; None where they differ.

    Only top cards are compared: those under them are hidden. Piles with the same top card are
    matched in the order of their numbers.
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
    """The events for the referee: the view was lost, and the table now lies as it is seen."""
    gone = [Removed(at, card, place) for place, cards in known.items() for card in reversed(cards)]
    come = [Placed(at, card, place) for place, cards in seen.items() for card in cards]
    return (Blind(at), *gone, *come, Sighted(at))


def _number(place: str) -> int:
    return int(place[5:])
