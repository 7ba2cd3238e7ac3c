"""Between a watcher's table and the game's: names of piles, hidden cards, the comparison of both.

Until a new watcher was compared with the game, its events are held back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from kiosk.game.hidden_cards import HiddenCards
from kiosk.game.limits import LIMITS
from kiosk.game.table_match import PILE, Table, TableMatch, match_tables, number_of
from kiosk.journal.entries import Spot
from rules.event import Blind, CardEvent, Event, Placed, Removed, Sighted, is_card_event


class Renaming:
    """Gives the piles that a watcher numbered from 1 the names that the game knows."""

    def __init__(self, names: Mapping[str, str], used: Iterable[str]) -> None:
        self._names = dict(names)
        self._taken = {*used, *names.values()}

    def name(self, place: str) -> str:
        """The game's name of a watcher's place; a new pile gets a number that was never used."""
        if not place.startswith(PILE):
            return place
        if place not in self._names:
            taken = (number_of(p) for p in self._taken if p.startswith(PILE))
            self._names[place] = f"{PILE}{max(taken, default=0) + 1}"
            self._taken.add(self._names[place])
        return self._names[place]


class TableLink:
    """Turns a watcher's events into the game's. Before the first comparison it changes nothing.

    `spots`: where the game's places lay when they were last seen, in widths of the picture.
    """

    def __init__(self, spots: Mapping[str, Spot] | None = None) -> None:
        self._spots = dict(spots or {})
        self._used = set(self._spots)
        self._held: list[CardEvent] | None = None
        self._began_at = 0.0
        self._renaming: Renaming | None = None
        self._hidden = HiddenCards()

    def begin(self, at: float) -> None:
        """A new watcher starts at game time `at` (s)."""
        self._held, self._began_at = [], at
        self._hidden = HiddenCards()

    @property
    def is_comparing(self) -> bool:
        """Whether events are held back."""
        return self._held is not None

    def is_due(self, at: float) -> bool:
        """Whether the table was watched for long enough to be compared."""
        return self._held is not None and at - self._began_at >= LIMITS.compare_s

    def take(self, event: Event, spot: Spot | None, *, is_lost: bool) -> tuple[Event, ...]:
        """What a watcher's event means for the game. `spot`: where its card lies."""
        if not is_card_event(event):
            return (event,)
        if self._held is not None:
            self._held.append(event)
            return ()
        if self._renaming is not None:
            event = replace(event, place=self._renaming.name(event.place))
        self._used.add(event.place)
        if spot is not None:
            self._spots[event.place] = spot
        return self._hidden.take(event, is_lost=is_lost)

    def expire(self, at: float) -> tuple[Event, ...]:
        """Removals of hidden cards that time has shown to be gone."""
        return self._hidden.expire(at)

    def spot(self, place: str) -> Spot | None:
        """Where a place of the game lies."""
        return self._spots.get(place)

    def finish(
        self, known: Table, seen_spots: Mapping[str, Spot], at: float, *, is_lost: bool
    ) -> tuple[Event, ...]:
        """Compares, and gives the events by which the game takes up what differs.

        `known`: the game's table. `is_lost`: the referee has heard `blind` already.
        """
        seen = lying(self._held or ())
        self._held = None
        match = match_tables(known, seen, self._spots, seen_spots)
        self._renaming = renaming = _renaming(match, self._used.union(known))
        places = {place: renaming.name(place) for place in seen}
        self._spots = {places[p]: s for p, s in seen_spots.items() if p in places}
        self._hidden = HiddenCards.under(
            (name, known.get(name, ()), seen[place], place in match.names)
            for place, name in places.items()
        )
        if match.is_same:
            return ()
        gone: list[Event] = [
            Removed(at, card, place)
            for place in match.known_only
            for card in reversed(known[place])
        ]
        come: list[Event] = [
            Placed(at, card, places[p]) for p in match.seen_only for card in seen[p]
        ]
        changes = tuple(gone + come)
        return changes if is_lost else (Blind(at), *changes, Sighted(at))


def lying(events: tuple[CardEvent, ...] | list[CardEvent]) -> dict[str, tuple[str, ...]]:
    """The table after `events`, from an empty one."""
    table: dict[str, tuple[str, ...]] = {}
    for event in events:
        cards = table.get(event.place, ())
        if isinstance(event, Placed):
            table[event.place] = (*cards, event.card)
        elif event.card in cards:
            last = len(cards) - 1 - cards[::-1].index(event.card)
            table[event.place] = cards[:last] + cards[last + 1 :]
    return {place: cards for place, cards in table.items() if cards}


def _renaming(match: TableMatch, used: Iterable[str]) -> Renaming:
    """Names for all that is seen. A pile with other cards keeps its name if that is free."""
    names = dict(match.names)
    for place in match.seen_only:
        if place in match.known_only and place not in names.values():
            names[place] = place
    return Renaming(names, used)
