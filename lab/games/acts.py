"""A random game as acts: what each player does, move by move, cheats with what puts them right."""

from dataclasses import dataclass
from random import Random

from lab.players.players import PLAYERS
from rules.event import Event

# How often a cheat is tried before a move, and its chance.
_TRIES, _CHEAT_SHARE = 4, 0.12


@dataclass(frozen=True, slots=True)
class Group:
    """Events that belong together. `is_answer`: they put right what the group before did."""

    events: tuple[Event, ...]
    is_answer: bool = False


@dataclass(frozen=True, slots=True)
class RandomGame:
    """A random game under its game's name. `options`: of the game's set-up."""

    game: str
    players: int
    options: dict[str, str]
    groups: tuple[Group, ...]


def random_game(game: str, rng: Random, players: int, events: int) -> RandomGame:
    """Plays until the game ends or so many events have happened, seats known."""
    player = PLAYERS[game]
    table = player.new_table(rng, True, players)
    groups: list[Group] = []
    count = 0
    while count < events:
        groups += _cheat(game, rng, table) if groups else []
        move = table.move()
        if move is None:
            break
        groups.append(Group(tuple(move)))
        count = sum(len(group.events) for group in groups)
    return RandomGame(game, table.players, table.options, tuple(groups))


def _cheat(game: str, rng: Random, table: object) -> list[Group]:
    """A cheat and its correction; nothing where chance is against it or none is possible."""
    if rng.random() >= _CHEAT_SHARE:
        return []
    cheats = PLAYERS[game].CHEATS
    for rule in rng.sample(sorted(cheats), min(_TRIES, len(cheats))):
        made = cheats[rule](table)
        if made is not None:
            wrong, right = made
            return [Group(tuple(wrong)), *([Group(tuple(right), True)] if right else [])]
    return []
