"""Plays random legal games of Suds, and breaks one rule at a time."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from lab.players.table import Foul, Log
from rules.table.event import Event

GAME = "suds"
AT_ONCE = ("false-start",)
# Closed without a call, or only by that seat's next right card.
NOT_CORRECTED = ("swept-early", "still-holding")
ITEMS = ("hat", "t-shirt", "boxers", "pants", "socks", "sneakers")
PACK = [item for item in ITEMS for _ in range(9)][:-3] + ["wild"] * 3


def new_table(rng: Random, seen: bool | None = None, players: int | None = None) -> Table:
    """A shuffled game; what is None is left to chance."""
    players = players or rng.randint(2, 4)
    cycle = players == 2 and rng.random() < 0.5
    return Table(rng, players, cycle, rng.random() < 0.8 if seen is None else seen)


class Table:
    """The players' hands and piles, and what lies in the middle."""

    def __init__(self, rng: Random, players: int, cycle: bool, seen: bool) -> None:
        self.rng, self.players, self.cycle = rng, players, cycle
        self.options = {"variant": "cycle" if cycle else "classic"}
        self.log = Log(seen)
        pack = PACK[:]
        rng.shuffle(pack)
        each = len(pack) // players
        self.stock = {s: pack[(s - 1) * each : s * each] for s in range(1, players + 1)}
        self.hand: dict[int, list[str]] = {s: [] for s in self.stock}
        for seat in self.stock:
            self._draw(seat, 4 if players == 2 else 3)
        self.piles: dict[int, list[tuple[str, str]]] = {}
        self.finished: list[int] = []
        self.started = self.over = False
        self.next_pile = 1

    def _draw(self, seat: int, count: int) -> None:
        self.hand[seat] += self.stock[seat][:count]
        del self.stock[seat][:count]

    def move(self) -> list[Event] | None:
        """The events of one legal act; None when the game is over."""
        if self.over:
            return None
        if not self.started:
            self.started = True
            return [self.log.pressed("start", 1)]
        if self.finished and self.rng.random() < 0.6:
            return self._sweep()
        choices = self._choices()
        if choices:
            return self._toss(*self.rng.choice(choices))
        if any(self.stock.values()):
            for seat in self.stock:
                self._draw(seat, 1)
            return [self.log.pressed("draw", 1)]
        self.over = True
        return [self.log.pressed("end", 1)]

    def _choices(self) -> list[tuple[int, str, int]]:
        found = []
        for seat, hand in self.hand.items():
            for card in sorted(set(hand)):
                found += [(seat, card, pile) for pile in self.piles if self.fits(card, pile)]
                if card in ("hat", "wild") and len(self.piles) < 6:
                    found.append((seat, card, 0))
        return found

    def fits(self, card: str, pile: int) -> bool:
        items = [item for _, item in self.piles[pile]]
        if pile in self.finished:
            return self.cycle and card in ("sneakers", "wild")
        due = ITEMS[ITEMS.index(items[-1]) + 1]
        return card in ("wild", due) or (self.cycle and card == items[-1])

    def _toss(self, seat: int, card: str, pile: int) -> list[Event]:
        self.hand[seat].remove(card)
        self._draw(seat, 1)
        if not pile:
            pile, self.next_pile = self.next_pile, self.next_pile + 1
            self.piles[pile] = []
        item = card
        if card == "wild":
            laid = self.piles[pile]
            item = ITEMS[min(5, ITEMS.index(laid[-1][1]) + 1)] if laid else "hat"
        self.piles[pile].append((card, item))
        if item == "sneakers" and pile not in self.finished:
            self.finished.append(pile)
        return [self.log.placed(card, f"pile/{pile}", seat)]

    def _sweep(self) -> list[Event]:
        pile = self.finished.pop(0)
        seat = self.rng.randint(1, self.players)
        cards = [card for card, _ in self.piles.pop(pile)]
        return [self.log.removed(card, f"pile/{pile}", seat) for card in reversed(cards)]

    def foul(self, card: str, pile: int) -> Foul:
        """A wrong card laid and taken back; the hands stay as they are."""
        seat = self.rng.randint(1, self.players)
        place = f"pile/{pile}"
        return [self.log.placed(card, place, seat)], [self.log.removed(card, place, seat)]


def _on_a_pile(
    table: Table, finished: bool, wrong: Callable[[str, list[str]], bool]
) -> Foul | None:
    """A foul on a random pile with a card that is `wrong(card, items)`."""
    piles = [p for p in table.piles if (p in table.finished) == finished]
    if not piles or not table.started or table.over:
        return None
    pile = table.rng.choice(piles)
    items = [item for _, item in table.piles[pile]]
    cards = [card for card in (*ITEMS, "wild") if wrong(card, items)]
    cards = [card for card in cards if not table.fits(card, pile)]
    return table.foul(table.rng.choice(cards), pile) if cards else None


def _false_start(table: Table) -> Foul | None:
    return None if table.started else table.foul(table.rng.choice(PACK), 1)


def _starts_with_hat(table: Table) -> Foul | None:
    if not table.started or table.over:
        return None
    return table.foul(table.rng.choice(ITEMS[1:]), table.next_pile)


def _out_of_sequence(table: Table) -> Foul | None:
    return _on_a_pile(table, False, lambda card, items: card != items[-1])


def _too_late(table: Table) -> Foul | None:
    return _on_a_pile(table, False, lambda card, items: card == items[-1])


def _pile_finished(table: Table) -> Foul | None:
    return _on_a_pile(table, True, lambda card, items: True)


def _swept_early(table: Table) -> Foul | None:
    piles = [p for p, laid in table.piles.items() if p not in table.finished and len(laid) > 1]
    if not piles or not table.started or table.over:
        return None
    pile = table.rng.choice(piles)
    seat = table.rng.randint(1, table.players)
    cards = [card for card, _ in table.piles.pop(pile)]
    # The cards come back into a hand: into which one does not matter to the rule.
    table.hand[seat] += cards
    return [table.log.removed(card, f"pile/{pile}", seat) for card in reversed(cards)], []


def _still_holding(table: Table) -> Foul | None:
    seats = [s for s in table.hand if table.hand[s] or table.stock[s]]
    if not table.started or table.over or not seats:
        return None
    return [table.log.pressed("out", table.rng.choice(seats))], []


CHEATS = {
    "false-start": _false_start,
    "pile-finished": _pile_finished,
    "too-late": _too_late,
    "starts-with-hat": _starts_with_hat,
    "out-of-sequence": _out_of_sequence,
    "swept-early": _swept_early,
    "still-holding": _still_holding,
}
