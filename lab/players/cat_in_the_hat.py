"""Plays random legal games of the Cat in the Hat, and breaks one rule at a time."""

from __future__ import annotations

from random import Random

from lab.players.table import Foul, Log
from rules.table.event import Event

GAME = "cat-in-the-hat"
AT_ONCE: tuple[str, ...] = ()
NOT_CORRECTED: tuple[str, ...] = ()
LETTERS = "abcdefghijklmnopqrstuvwxyz"
PACK = list(LETTERS) * 2 + ["voom"] * 8


def new_table(rng: Random, seen: bool | None = None, players: int | None = None) -> Table:
    """A shuffled game; what is None is left to chance."""
    return Table(rng, players or rng.randint(2, 6), rng.random() < 0.7 if seen is None else seen)


class Table:
    """Hands, the two piles of each seat, the deck and the discard pile."""

    def __init__(self, rng: Random, players: int, seen: bool) -> None:
        self.rng, self.players, self.log = rng, players, Log(seen)
        self.seat = rng.randint(1, players)
        self.options = {"first": str(self.seat)}
        self.deck = PACK[:]
        rng.shuffle(self.deck)
        self.hand = {s: [self.deck.pop() for _ in range(3)] for s in range(1, players + 1)}
        self.piles: dict[str, list[str]] = {
            f"seat/{s}/{side}": [] for s in self.hand for side in ("left", "right")
        }
        self.discard: list[str] = []
        self.started = self.last = self.over = False

    def move(self) -> list[Event] | None:
        """The events of one legal turn; None when the game is over."""
        if self.over:
            return None
        if not self.started:
            self.started = True
            return [self.log.pressed("start")]
        if self.last:
            return self._last_card()
        if not self.deck:
            self.last = True
            return [self.log.pressed("deck-empty")]
        return self._turn()

    def _turn(self) -> list[Event]:
        seat, events = self.seat, []
        if self.discard and self.rng.random() < 0.3:
            card = self.discard.pop()
            events.append(self.log.removed(card, "discard", seat))
        else:
            card = self.deck.pop()
        self.hand[seat].append(card)
        choices = self._choices(seat)
        if choices and self.rng.random() < 0.85:
            events.append(self._play(seat, *self.rng.choice(choices)))
        else:
            card = self.rng.choice(self.hand[seat])
            self.hand[seat].remove(card)
            self.discard.append(card)
            events.append(self.log.placed(card, "discard", seat))
        self.seat = seat % self.players + 1
        return events

    def _last_card(self) -> list[Event]:
        choices = [(seat, *choice) for seat in self.hand for choice in self._choices(seat)]
        if choices:
            return [self._play(*self.rng.choice(choices))]
        self.over = True
        return [self.log.pressed("end")]

    def _choices(self, seat: int) -> list[tuple[str, str]]:
        places = [f"seat/{seat}/{side}" for side in ("left", "right")]
        return [(c, p) for c in self.hand[seat] for p in places if self.fits(c, p)]

    def fits(self, card: str, place: str) -> bool:
        pile = self.piles[place]
        if not pile or "voom" in (card, pile[-1]):
            return True
        return card > pile[-1] if place.endswith("left") else card < pile[-1]

    def _play(self, seat: int, card: str, place: str) -> Event:
        self.hand[seat].remove(card)
        self.piles[place].append(card)
        return self.log.placed(card, place, seat)

    def foul(self, card: str, place: str, seat: int) -> Foul:
        """A wrong card laid and taken back; the hands stay as they are."""
        return [self.log.placed(card, place, seat)], [self.log.removed(card, place, seat)]


def _in_play(table: Table) -> bool:
    return table.started and not table.over


def _out_of_turn(table: Table) -> Foul | None:
    if not _in_play(table) or table.last:
        return None
    seat = table.rng.choice([s for s in table.hand if s != table.seat])
    place = table.rng.choice([f"seat/{seat}/left", f"seat/{seat}/right", "discard"])
    return table.foul(table.rng.choice(PACK), place, seat)


def _not_your_pile(table: Table) -> Foul | None:
    if not _in_play(table):
        return None
    other = table.rng.choice([s for s in table.hand if s != table.seat])
    place = f"seat/{other}/{table.rng.choice(('left', 'right'))}"
    return table.foul(table.rng.choice(PACK), place, table.seat)


def _wrong_letter(table: Table, side: str) -> Foul | None:
    seat = table.rng.choice(list(table.hand)) if table.last else table.seat
    place = f"seat/{seat}/{side}"
    cards = [card for card in LETTERS if not table.fits(card, place)]
    if not _in_play(table) or not cards:
        return None
    return table.foul(table.rng.choice(cards), place, seat)


def _cards_stay(table: Table) -> Foul | None:
    places = [place for place, pile in table.piles.items() if pile]
    if not places or not _in_play(table):
        return None
    place = table.rng.choice(places)
    card, seat = table.piles[place][-1], table.rng.randint(1, table.players)
    return [table.log.removed(card, place, seat)], [table.log.placed(card, place, seat)]


CHEATS = {
    "out-of-turn": _out_of_turn,
    "not-your-pile": _not_your_pile,
    "not-after": lambda table: _wrong_letter(table, "left"),
    "not-before": lambda table: _wrong_letter(table, "right"),
    "cards-stay": _cards_stay,
}
