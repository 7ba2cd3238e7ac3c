"""Random games as a camera might tell them: faces, seats, order and covered cards in doubt.

Each choice is drawn so that its chances are true: of those told at .7, seven of ten happened.
What is told for the present caps and for weighed alternatives is the same doubt in two forms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from random import Random

from lab.players.table import Player
from rules.contract.game import UNJUDGED_CARDS, Game
from rules.table.event import CardEvent, Event, Learned, Placed, Removed, Way, is_card_event, told

CAP = 0.9  # `sure` that the caps give to what is not just the name of a card
LEAST, MOST = 0.5, 0.98  # chance of the likeliest way of a choice
SURE = -4.0, -2.5  # powers of ten of the error of an event that is not in doubt
LATER = 4  # events at most, after which a look tells more
LEARNT = 0.3  # of the choices, about which evidence comes later
RATIO = 30.0  # of the likelihoods of that evidence
FOUL_EACH = 0.08  # of the acts
NAMED = 0.99  # how sure a name is that comes later


@dataclass(frozen=True, slots=True)
class Step:
    """What is told at one moment: as weighed alternatives, and as events with caps."""

    weighed: tuple[Event, ...]
    capped: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class DoubtfulGame:
    """What happened, and what was told of it."""

    players: int
    options: dict[str, str]
    happened: tuple[Event, ...]
    told: tuple[Step, ...]


def play(module: Player, game: Game, rng: Random, share: float, events: int) -> DoubtfulGame:
    """A random game of about so many events with fouls. `share`: acts that are in doubt."""
    table = module.new_table(rng, seen=True)
    happened: list[Event] = []
    waiting: list[Event] = []
    while len(happened) < events:
        made = (
            module.CHEATS[rng.choice(sorted(module.CHEATS))](table)
            if (not waiting and rng.random() < FOUL_EACH)
            else None
        )
        if made is not None:
            happened += made[0]
            waiting = made[1]
        if waiting and rng.random() < 0.7:
            happened += waiting
            waiting = []
        move = table.move()
        if move is None:
            break
        happened += move
    timed = [replace(event, at=float(n)) for n, event in enumerate((*happened, *waiting))]
    steps = tuple(Telling(game, table.players, rng, share).tell(timed))
    return DoubtfulGame(table.players, table.options, tuple(timed), steps)


@dataclass(slots=True)
class Telling:
    """Tells a game's events. `lying`: of each place, cards as they are and as they were told."""

    game: Game
    players: int
    rng: Random
    share: float
    lying: dict[str, list[list[str]]] = field(default_factory=dict)
    later: list[tuple[int, Callable[[float], Step | None]]] = field(default_factory=list)
    choice: int = 0
    single: int = 0  # lone cards told as two or the other way round, less covered ones

    def tell(self, events: list[Event]) -> Iterator[Step]:
        """What is told of the events, in order."""
        n = 0
        while n < len(events):
            event, following = events[n], events[n + 1] if n + 1 < len(events) else None
            steps, used = self._told(event, following)
            yield from steps
            n += used
            at = events[n - 1].at
            due = [each for due_n, each in self.later if due_n <= n]
            self.later = [each for each in self.later if each[0] > n]
            for each in due:
                step = each(at)
                if step is not None:
                    yield step
            self.later = [(max(k, 0), each) for k, each in self.later]
            self._now = n

    _now: int = 0

    def _told(self, event: Event, following: Event | None) -> tuple[list[Step], int]:
        if isinstance(event, Removed):
            return self._removed(event), 1
        if not isinstance(event, Placed):
            return [Step((event,), (event,))], 1
        if event.card in UNJUDGED_CARDS:
            self._lay(event.place, event.card, event.card)
            return [Step((event,), (event,))], 1
        if self.rng.random() >= self.share:
            return [self._sure(event)], 1
        two = isinstance(following, Placed) and following.card not in UNJUDGED_CARDS
        kinds = ["face", "unknown", "seat" if event.seat is not None else "face"]
        if two and isinstance(following, Placed):
            is_covered = following.place == event.place
            kinds += ["covered"] * 2 if is_covered else ["order"] * 2
            kind = self.rng.choice(kinds)
            if kind == "order":
                return [self._order(event, following)], 2
            if kind == "covered":
                self.single -= 1
                return [self._covered((event, following), (following,))], 2
        else:
            kind = self.rng.choice(kinds)
        if self.single < 0:
            self.single += 1
            unseen = replace(event, card=self._other(event.card))
            return [self._covered((event,), (unseen, event))], 1
        if kind == "unknown":
            return [self._unknown(event)], 1
        return [self._seat(event) if kind == "seat" else self._face(event)], 1

    # -- the kinds ----------------------------------------------------------------------------

    def _sure(self, event: Placed) -> Step:
        chance = 1.0 - 10.0 ** self.rng.uniform(*SURE)
        said = event
        if self.rng.random() >= chance:
            said = replace(event, card=self._other(event.card))
        self._lay(event.place, event.card, said.card)
        seen = replace(said, sure=chance)
        return Step((seen,), (seen,))

    def _face(self, event: Placed) -> Step:
        chance, other = self._chance(), replace(event, card=self._other(event.card))
        said, index = (event, 0) if self.rng.random() < chance else (other, 1)
        against = other if said is event else event
        self._lay(event.place, event.card, said.card)
        ways = (Way(chance, (said,)), Way(1.0 - chance, (against,)))
        return self._choose(ways, index, (replace(said, sure=chance),))

    def _seat(self, event: Placed) -> Step:
        others = [seat for seat in range(1, self.players + 1) if seat != event.seat]
        chance, other = self._chance(), replace(event, seat=self.rng.choice(others))
        said, index = (event, 0) if self.rng.random() < chance else (other, 1)
        against = other if said is event else event
        self._lay(event.place, event.card, event.card)
        ways = (Way(chance, (said,)), Way(1.0 - chance, (against,)))
        return self._choose(ways, index, (replace(said, sure=min(chance, CAP)),))

    def _order(self, first: Placed, second: Placed) -> Step:
        second = replace(second, at=first.at)
        chance, real, other = self._chance(), (first, second), (second, first)
        said, index = (real, 0) if self.rng.random() < chance else (other, 1)
        for each in said:
            self._lay(each.place, each.card, each.card)
        ways = (Way(chance, said), Way(1.0 - chance, other if said is real else real))
        return self._choose(ways, index, (said[0], replace(said[1], sure=min(chance, CAP))))

    def _covered(self, real: tuple[Placed, ...], other: tuple[Placed, ...]) -> Step:
        at = real[-1].at
        real = tuple(replace(each, at=at) for each in real)
        other = tuple(replace(each, at=at) for each in other)
        chance = self._chance()
        said, index = (real, 0) if self.rng.random() < chance else (other, 1)
        place = real[0].place
        for k in range(max(len(real), len(said)), 0, -1):
            true = real[-k].card if k <= len(real) else ""
            self._lay(place, true, said[-k].card if k <= len(said) else "")
        ways = (Way(chance, said), Way(1.0 - chance, other if said is real else real))
        capped = tuple(replace(each, sure=min(chance, CAP)) for each in said)
        return self._choose(ways, index, capped)

    def _unknown(self, event: Placed) -> Step:
        unknown = replace(event, card="unknown")
        card = self._lay(event.place, event.card, "unknown")

        def name(at: float) -> Step | None:
            if card not in self.lying.get(event.place, []) or card[1] != "unknown":
                return None
            is_right = self.rng.random() < NAMED
            card[1] = event.card if is_right else self._other(event.card)
            away = Removed(at, "unknown", event.place)
            named = Placed(at, card[1], event.place, sure=NAMED)
            capped = replace(away, sure=CAP), replace(named, sure=CAP)
            return Step((away, named), capped)

        if self.rng.random() < 0.7:
            self.later.append((self._soon(), name))
        return Step((unknown,), (replace(unknown, sure=CAP),))

    def _removed(self, event: Removed) -> list[Step]:
        """The card is told by the name that it was told by; with the last one go all."""
        cards = self.lying.get(event.place, [])
        card = next((each for each in reversed(cards) if each[0] == event.card), None)
        if card is None:
            return []
        cards.remove(card)
        gone = [card]
        if not any(true for true, _ in cards):
            gone += reversed(cards)
            del self.lying[event.place]
        events = tuple(replace(event, card=said, sure=0.998) for _, said in gone if said)
        capped = tuple(e if e.card != "unknown" else replace(e, sure=CAP) for e in events)
        return [Step(events, capped)]

    # -- helpers ------------------------------------------------------------------------------

    def _choose(self, ways: tuple[Way, ...], index: int, capped: tuple[CardEvent, ...]) -> Step:
        """The choice, which is told; sometimes evidence about it comes later."""
        ranked = sorted(range(len(ways)), key=lambda k: -ways[k].chance)
        index, self.choice = ranked.index(index), self.choice + 1
        if self.rng.random() < LEARNT:
            is_right = self.rng.random() < RATIO / (RATIO + 1.0)
            favoured = index if is_right else 1 - index
            likely = tuple(1.0 if k == favoured else 1.0 / RATIO for k in range(len(ways)))
            choice = self.choice
            self.later.append((self._soon(), lambda at: Step((Learned(at, choice, likely),), ())))
        return Step((told(ways, self.choice),), capped)

    def _soon(self) -> int:
        return self._now + 1 + self.rng.randint(1, LATER)

    def _chance(self) -> float:
        return self.rng.uniform(LEAST, MOST)

    def _other(self, card: str) -> str:
        game = self.game
        cards = game.cards_of(self.players) if game.cards_of else game.cards
        return self.rng.choice(sorted(cards - UNJUDGED_CARDS - {card}))

    def _lay(self, place: str, true: str, said: str) -> list[str]:
        card = [true, said]
        self.lying.setdefault(place, []).append(card)
        return card


def acts(events: tuple[Event, ...]) -> int:
    """How many cards were placed or removed."""
    return sum(map(is_card_event, events))
