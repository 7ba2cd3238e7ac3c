"""Plays random legal games of Soda, and breaks one rule at a time."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from lab.players.table import Foul, Log
from rules.table.event import Event

GAME = "soda"
AT_ONCE: tuple[str, ...] = ()
NOT_CORRECTED: tuple[str, ...] = ()
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "j", "q", "k", "a")
VALUE = {rank + suit: value for value, rank in enumerate(RANKS, 2) for suit in "cdhs"}


def new_table(rng: Random, seen: bool | None = None, players: int | None = None) -> Table:
    """A shuffled game; what is None is left to chance."""
    return Table(rng, players or rng.randint(2, 6), rng.random() < 0.8 if seen is None else seen)


class Table:
    """The hands, the centre and the scoring cards; `_script` is the whole game."""

    def __init__(self, rng: Random, players: int, seen: bool) -> None:
        self.rng, self.players = rng, players
        suits = list("cdhs")
        rng.shuffle(suits)
        self.suits, self.dealer = "".join(suits), rng.randint(1, players)
        self.options = {"dealer": str(self.dealer), "suits": self.suits}
        self.log = Log(seen)
        self.hand: dict[int, list[str]] = {s: [] for s in range(1, players + 1)}
        self.pack: list[str] = []
        self.used: list[str] = []
        self.lying: list[tuple[str, int]] = []  # card, seat
        self.unswept: list[tuple[str, int]] = []
        self.due: dict[str, int] = {}  # scoring card, winner
        self.turn = 0  # 0: not begun
        self.limit: tuple[int, int] | None = None
        self.in_hand = False
        self.script = self._script()

    def move(self) -> list[Event] | None:
        """The events of one legal act; None when the game is over."""
        return next(self.script, None)

    def after(self, seat: int) -> int:
        return seat % self.players + 1

    def _script(self) -> Iterator[list[Event]]:
        for suit in self.suits:
            self.pack, self.used = list(VALUE), []
            self.rng.shuffle(self.pack)
            for seat in self.hand:
                self.hand[seat] = []
            self._fill()
            self.turn, self.in_hand, self.limit = self.after(self.dealer), True, None
            yield [self.log.pressed("start", self.dealer)]
            for number in range(2, 11):
                yield from self._one_hand(f"{number}{suit}")
            yield from self._pay(everything=True)
            yield from self._sweep(self.unswept)
            self.unswept = []
            self.dealer = self.after(self.dealer)

    def _fill(self) -> None:
        for seat in self.hand:
            while len(self.hand[seat]) < 5:
                self._draw(seat)

    def _draw(self, seat: int) -> None:
        if not self.pack:
            self.pack, self.used = self.used, []
            self.rng.shuffle(self.pack)
        if self.pack:
            self.hand[seat].append(self.pack.pop())

    def _one_hand(self, prize: str) -> Iterator[list[Event]]:
        old, self.unswept = self.unswept, []
        self.lying, self.in_hand = [], True
        while True:
            seat = self.turn
            cards = [c for c in self.hand[seat] if not self.lying or self.fits(c)]
            if not cards or (self.lying and self.rng.random() < 0.2):
                winner = (seat - 2) % self.players + 1
                event = self.log.pressed("no", seat)
                break
            card = self.rng.choice(cards)
            self.hand[seat].remove(card)
            self.lying.append((card, seat))
            self.limit = None
            event = self.log.placed(card, "play", seat)
            if VALUE[card] == 14:
                self.turn, winner = self.after(seat), seat
                break
            self._bonus(seat)
            self.turn = self.after(seat)
            yield [event]
            if old and self.rng.random() < 0.3:
                yield from self._sweep(old)
                old = []
        # The next hand may begin at once; after the tenth card's hand there is none.
        self.in_hand = VALUE[prize] < 10
        self.due[prize] = winner
        laid, self.lying = self.lying, []
        yield [event]
        yield from self._sweep(old)
        if VALUE[laid[-1][0]] == 14 and len(laid) > 1:
            yield from self._show(VALUE[laid[-2][0]], winner)
        yield from self._pay()
        self.unswept = laid
        if self.rng.random() < 0.8:
            yield from self._sweep(laid)
            self.unswept = []
        self._fill()

    def fits(self, card: str) -> bool:
        return VALUE[card] >= VALUE[self.lying[-1][0]]

    def _bonus(self, seat: int) -> None:
        for card, _ in reversed(self.lying[:-1]):
            if VALUE[card] != VALUE[self.lying[-1][0]]:
                break
            self._draw(seat)

    def _sweep(self, cards: list[tuple[str, int]]) -> Iterator[list[Event]]:
        for card, _ in cards:
            self.used.append(card)
            yield [self.log.removed(card, "play", self.dealer)]

    def _show(self, value: int, ace: int) -> Iterator[list[Event]]:
        self.limit = (value, ace)
        shown = []
        for seat, hand in self.hand.items():
            if seat == ace:
                continue
            for card in hand[:]:
                if VALUE[card] > value:
                    hand.remove(card)
                    self.used.append(card)
                    yield [self.log.placed(card, "discard", seat)]
                else:
                    shown.append((card, seat))
                    yield [self.log.placed(card, f"seat/{seat}/hand", seat)]
        for card, seat in shown:
            yield [self.log.removed(card, f"seat/{seat}/hand", seat)]

    def _pay(self, everything: bool = False) -> Iterator[list[Event]]:
        """Due scoring cards go to their winners, some of them late."""
        for card, seat in sorted(self.due.items(), key=lambda item: VALUE[item[0]]):
            if everything or self.rng.random() < 0.8 - (VALUE[card] == 10):
                del self.due[card]
                yield [self.log.placed(card, f"seat/{seat}/won", seat)]


def _other(table: Table, seat: int) -> int:
    return table.rng.choice([s for s in table.hand if s != seat])


def _foul(table: Table, card: str, place: str, seat: int) -> Foul:
    return [table.log.placed(card, place, seat)], [table.log.removed(card, place, seat)]


def _out_of_turn(table: Table) -> Foul | None:
    if not table.in_hand:
        return None
    seat = _other(table, table.turn)
    if table.rng.random() < 0.4:
        return [table.log.pressed("no", seat)], []
    if not table.hand[seat]:
        return None
    return _foul(table, table.rng.choice(table.hand[seat]), "play", seat)


def _must_lead(table: Table) -> Foul | None:
    if not table.in_hand or table.lying:
        return None
    return [table.log.pressed("no", table.turn)], []


def _too_low(table: Table) -> Foul | None:
    if not table.in_hand or not table.lying:
        return None
    cards = [c for c in table.hand[table.turn] if not table.fits(c)]
    return _foul(table, table.rng.choice(cards), "play", table.turn) if cards else None


def _kept_too_high(table: Table) -> Foul | None:
    if table.limit is None:
        return None
    value, ace = table.limit
    cards = [c for c in VALUE if VALUE[c] > value]
    seat = _other(table, ace)
    return _foul(table, table.rng.choice(cards), f"seat/{seat}/hand", seat) if cards else None


def _wrong_winner(table: Table) -> Foul | None:
    if not table.due:
        return None
    card = table.rng.choice(sorted(table.due))
    seat = _other(table, table.due[card])
    return _foul(table, card, f"seat/{seat}/won", seat)


def _wrong_score_card(table: Table) -> Foul | None:
    if table.turn == 0:
        return None
    cards = [c for c in VALUE if VALUE[c] <= 10 and c not in table.due]
    seat = table.rng.choice(sorted(table.hand))
    return _foul(table, table.rng.choice(cards), f"seat/{seat}/won", seat)


def _cards_stay(table: Table) -> Foul | None:
    if not table.in_hand or not table.lying:
        return None
    card, seat = table.rng.choice(table.lying)
    return [table.log.removed(card, "play", seat)], [table.log.placed(card, "play", seat)]


CHEATS = {
    "out-of-turn": _out_of_turn,
    "must-lead": _must_lead,
    "too-low": _too_low,
    "kept-too-high": _kept_too_high,
    "wrong-winner": _wrong_winner,
    "wrong-score-card": _wrong_score_card,
    "cards-stay": _cards_stay,
}
