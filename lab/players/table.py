"""What the random players of all games share: a log of events with a clock, and a played game.

A game's player is a module `lab/players/<game>.py` (see `Player`). A long one has its legal play in
`<game>_play.py` and its fouls in `<game>_cheats.py`. The players know the rule sheets and
nothing of the referee.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Protocol

from rules.table.event import Event, Placed, Pressed, Removed

# What a cheat returns: the events that break the rule, and those that put it right.
Foul = tuple[list[Event], list[Event]]
# A cheat gets its game's table; None: the foul is not possible now.
Cheat = Callable[[Any], Foul | None]


class GameTable(Protocol):
    """A random game under way."""

    players: int
    options: dict[str, str]

    def move(self) -> list[Event] | None:
        """The events of one legal act; None when the game is over."""


class Player(Protocol):
    """The module of a game's player.

    `AT_ONCE`: fouls of the first moves. `NOT_CORRECTED`: rules that the next act does not close
    with a call. `CHEATS`: rule id to cheat.
    """

    GAME: str
    AT_ONCE: tuple[str, ...]
    NOT_CORRECTED: tuple[str, ...]
    CHEATS: Mapping[str, Cheat]

    def new_table(
        self, rng: Random, seen: bool | None = None, players: int | None = None
    ) -> GameTable:
        """A table with shuffled cards. `seen`: whether seats are known; None: by chance."""


@dataclass
class Log:
    """Makes events with a clock of its own. `seen`: whether the seats are known."""

    seen: bool = True
    at: float = 0.0
    events: list[Event] = field(default_factory=list)

    def _next(self) -> float:
        self.at = round(self.at + 0.3, 2)
        return self.at

    def placed(self, card: str, place: str, seat: int | None, on: str | None = None) -> Event:
        return Placed(self._next(), card, place, seat if self.seen else None, on)

    def removed(self, card: str, place: str, seat: int | None) -> Event:
        return Removed(self._next(), card, place, seat if self.seen else None)

    def pressed(self, button: str, seat: int | None = None) -> Event:
        return Pressed(self._next(), button, seat if self.seen else None)


@dataclass(frozen=True)
class Played:
    """A whole game. `foul`: the index of the event that breaks the rule; None in a legal game."""

    players: int
    options: dict[str, str]
    events: tuple[Event, ...]
    foul: int | None = None


def legal_game(module: Player, rng: Random) -> Played:
    """Plays one random game to its end without a foul."""
    table = module.new_table(rng)
    events: list[Event] = []
    while (move := table.move()) is not None:
        events += move
    return Played(table.players, table.options, timed(events))


def foul_game(module: Player, rng: Random, rule: str) -> Played:
    """Plays games until one has room for a foul of this rule; the foul is put right at once."""
    for _ in range(200):
        played = _try_foul(module, rng, rule)
        if played is not None:
            return played
    raise AssertionError(f"no game had room for {rule}")


def _try_foul(module: Player, rng: Random, rule: str) -> Played | None:
    table = module.new_table(rng, seen=True)
    wait = 0 if rule in module.AT_ONCE else rng.randrange(40)
    events: list[Event] = []
    foul: int | None = None
    while True:
        if foul is None and len(events) >= wait:
            made = module.CHEATS[rule](table)
            if made is not None:
                wrong, right = made
                events += wrong
                foul = len(events) - 1
                events += right
        move = table.move()
        if move is None:
            break
        events += move
    if foul is None:
        return None
    return Played(table.players, table.options, timed(events), foul)


def timed(events: Iterable[Event]) -> tuple[Event, ...]:
    """The events with a clock that never falls, whatever order they were thought of in."""
    return tuple(replace(event, at=round(0.3 * n, 1)) for n, event in enumerate(events, 1))
