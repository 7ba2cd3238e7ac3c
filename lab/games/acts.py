"""A random game as acts: what each player does, move by move, cheats with what puts them right."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from lab.players.players import PLAYERS
from rules.table.event import Event, Placed, Removed

# A scoring stack of Soda, bottom to top.
SCORING = (10, 9, 8, 7, 6, 5, 4, 3, 2)
# How often a cheat is tried before a move, and its chance.
_TRIES, _CHEAT_SHARE = 4, 0.12


@dataclass(frozen=True, slots=True)
class Group:
    """Events that belong together. `is_answer`: they put right what the group before did."""

    events: tuple[Event, ...]
    is_answer: bool = False


@dataclass(frozen=True, slots=True)
class RandomGame:
    """A random game. `options`: of the set-up; `lying`: (face, place) of what lies before it."""

    game: str
    players: int
    options: dict[str, str]
    groups: tuple[Group, ...]
    lying: tuple[tuple[str, str], ...] = ()


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
        begun = groups[1:] if game == "dirty-laundry" else groups  # its set-up lies already
        count = sum(len(group.events) for group in begun)
    named = _sets_by_first(groups) if game == "sooty" else groups
    named = _of_one_deck(named)
    lying: list[tuple[str, str]] = []
    if game == "dirty-laundry":
        lying, named = _set_up(named)
    elif game == "soda":
        lying = [(f"{value}{suit}", f"score/{suit}") for suit in "cdhs" for value in SCORING]
        stacks = _Stacks(lying)
        named = [Group(tuple(stacks.events(g.events)), g.is_answer) for g in named]
    return RandomGame(game, table.players, table.options, tuple(named), tuple(lying))


def _set_up(groups: list[Group]) -> tuple[list[tuple[str, str]], list[Group]]:
    """Dirty Laundry's cards that lie before the start, and the game without laying them."""
    first, *rest = groups
    laid = [(e.card, e.place) for e in first.events if isinstance(e, Placed)]
    others = tuple(event for event in first.events if not isinstance(event, Placed))
    return laid, [Group(others), *rest]


def _of_one_deck(groups: list[Group]) -> list[Group]:
    """Dirty Laundry's actions as the shipped deck has them: `repair` and `wreck` are one card."""

    def named(event: Event) -> Event:
        if isinstance(event, Placed | Removed) and event.card in ("repair", "wreck"):
            return replace(event, card="repair-wreck")
        return event

    return [Group(tuple(map(named, group.events)), group.is_answer) for group in groups]


def _sets_by_first(groups: list[Group]) -> list[Group]:
    """Sooty's sets numbered as a table sees it: a seat's first cards are its set 1."""
    names: dict[str, str] = {}

    def named(event: Event) -> Event:
        if not isinstance(event, Placed | Removed) or "/set/" not in event.place:
            return event
        if event.place not in names:
            seat, _, which = event.place.rpartition("/")
            other = f"{seat}/{3 - int(which)}"
            names[event.place] = f"{seat}/2" if other in names else f"{seat}/1"
            names.setdefault(other, f"{seat}/{3 - int(names[event.place][-1])}")
        return replace(event, place=names[event.place])

    return [Group(tuple(map(named, group.events)), group.is_answer) for group in groups]


class _Stacks:
    """Soda's scoring stacks: a card that is won is taken from the top of its stack."""

    def __init__(self, lying: list[tuple[str, str]]) -> None:
        self._left: dict[str, list[str]] = {}
        for face, place in lying:
            self._left.setdefault(place, []).append(face)

    def events(self, events: tuple[Event, ...]) -> Iterator[Event]:
        """The events, each card that is won removed from its stack first if it lies there."""
        for event in events:
            if isinstance(event, Placed) and event.place.endswith("/won"):
                place = f"score/{event.card[-1]}"
                stack = self._left.get(place, [])
                if stack and stack[-1] == event.card:
                    stack.pop()
                    yield Removed(event.at, event.card, place, event.seat)
            yield event


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
