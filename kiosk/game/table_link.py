"""Between a watcher's table and the game's: names of piles, hidden cards, the comparison of both.

Until a new watcher was compared with the game, its events are held back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from kiosk.game.hidden_cards import HiddenCards, Stack
from kiosk.game.limits import LIMITS
from kiosk.game.missing_cards import Missing, MissingCards
from kiosk.game.table_match import Table, TableMatch, match_tables, number_of
from kiosk.journal.entries import Spot
from rules.table.event import Blind, CardEvent, Event, Placed, Removed, Sighted, is_card_event
from rules.table.layout import PILE


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
    `doubted_until`: game time (s) up to which no card makes a mistake.
    """

    def __init__(self, spots: Mapping[str, Spot] | None = None, doubted_until: float = 0.0) -> None:
        self._spots = dict(spots or {})
        self._used = set(self._spots)
        self._held: list[CardEvent] | None = None
        self._began_at = 0.0
        self._renaming: Renaming | None = None
        self._hidden = HiddenCards()
        self._missing = MissingCards()
        self.doubted_until = doubted_until
        self._rests_since = 0.0

    def begin(self, at: float) -> None:
        """A new watcher starts at game time `at` (s)."""
        self._held, self._began_at, self._rests_since = [], at, at
        self._hidden, self._missing = HiddenCards(), MissingCards()

    @property
    def is_comparing(self) -> bool:
        """Whether events are held back."""
        return self._held is not None

    def see(self, at: float, *, is_at_rest: bool) -> None:
        """A frame of game time `at` (s) was watched."""
        if not is_at_rest:
            self._rests_since = at

    def is_due(self, at: float) -> bool:
        """Whether the table was watched, and has rested, for long enough to be compared."""
        if self._held is None:
            return False
        watched_s, rested_s = at - self._began_at, at - self._rests_since
        if watched_s >= LIMITS.compare_within_s:
            return True
        return watched_s >= LIMITS.compare_s and rested_s >= LIMITS.rest_s

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
        if isinstance(event, Placed) and (found := self._missing.find(event, spot)):
            return self._restore(event, found, is_lost=is_lost)
        told = self._hidden.take(event, is_lost=is_lost)
        return self._weighed(told)

    def expire(self, at: float) -> tuple[Event, ...]:
        """Removals of hidden cards that time has shown to be gone."""
        return self._weighed(self._hidden.expire(at))

    def spot(self, place: str) -> Spot | None:
        """Where a place of the game lies."""
        return self._spots.get(place)

    def finish(
        self, known: Table, seen_spots: Mapping[str, Spot], at: float, *, is_lost: bool
    ) -> tuple[Event, ...]:
        """Compares, and gives the events by which the game takes up what differs.

        `known`: the game's table. `is_lost`: the referee has heard `blind` already.
        """
        seen, first = lying(self._held or ()), seen_at_once(self._held or ())
        self._held = None
        match = match_tables(known, seen, self._spots, seen_spots, first)
        self._missing.lose(
            (Missing(p, known[p], self._spots.get(p)) for p in match.known_only), at
        )  # fmt: skip
        self._renaming = renaming = _renaming(match, self._used.union(known))
        places = {place: renaming.name(place) for place in seen}
        self._spots = {places[p]: s for p, s in seen_spots.items() if p in places}
        gone, come = _differences(known, seen, match, places)
        self._hidden = HiddenCards.under(
            (
                name,
                _cards_now(place, name, known, seen, match),
                seen[place][match.lifted.get(place, 0) :],
                place in match.names,
            )
            for place, name in places.items()
        )
        if match.is_same:
            return ()
        self.doubted_until = at + LIMITS.doubt_s
        changes: list[Event] = [
            Removed(at, card, place) for place, cards in gone.items() for card in reversed(cards)
        ]
        changes += [Placed(at, card, place) for place, cards in come.items() for card in cards]
        return _unseen(tuple(changes), at, is_lost=is_lost)

    def _weighed(self, told: tuple[Event, ...]) -> tuple[Event, ...]:
        """The events; none makes a mistake while people may have played unseen before it."""
        if any(isinstance(event, Blind) for event in told):
            return told  # taken as it lies
        return tuple(
            replace(event, sure=min(event.sure, LIMITS.unsure))
            if is_card_event(event) and event.at <= self.doubted_until
            else event
            for event in told
        )

    def _restore(
        self, event: Placed, found: tuple[str, ...], *, is_lost: bool
    ) -> tuple[Event, ...]:
        """Cards that were there all the time; those under the one that is seen are hidden."""
        if len(found) > 1:
            watched = ((event.card, event.card),)
            self._hidden.stacks[event.place] = Stack(found[:-1], watched)
        come = tuple(Placed(event.at, card, event.place) for card in found)
        return _unseen(come, event.at, is_lost=is_lost)


def _differences(
    known: Table, seen: Table, match: TableMatch, names: Mapping[str, str]
) -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]]:
    """The cards that went and came, by the game's place, bottom to top."""
    gone = {place: known[place] for place in match.known_only}
    come: dict[str, tuple[str, ...]] = {}
    for place, (m, n) in match.changed.items():
        gone[names[place]], come[names[place]] = known[names[place]][m:], seen[place][n:]
    come |= {names[place]: seen[place] for place in match.seen_only}
    return gone, come


def _cards_now(
    place: str, name: str, known: Table, seen: Table, match: TableMatch
) -> tuple[str, ...]:
    """The cards at a place of the game, as far as it is the place that was known."""
    cards = known.get(name, ())
    if place not in match.changed:
        return cards
    m, n = match.changed[place]
    return cards[:m] + seen[place][n:]


def _unseen(changes: tuple[Event, ...], at: float, *, is_lost: bool) -> tuple[Event, ...]:
    """Changes that nobody saw: the game takes them as they lie. `is_lost`: it has no view now."""
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


def seen_at_once(events: Iterable[CardEvent]) -> dict[str, int]:
    """How many cards of each place were seen together when the first of them was."""
    first: dict[str, float] = {}
    counts: dict[str, int] = {}
    for event in events:
        at = first.setdefault(event.place, event.at)
        if isinstance(event, Placed) and event.at - at <= LIMITS.at_once_s:
            counts[event.place] = counts.get(event.place, 0) + 1
    return counts


def _renaming(match: TableMatch, used: Iterable[str]) -> Renaming:
    """Names for all that is seen. A pile with other cards keeps its name if that is free."""
    names = dict(match.names)
    for place in match.seen_only:
        if place in match.known_only and place not in names.values():
            names[place] = place
    return Renaming(names, used)
