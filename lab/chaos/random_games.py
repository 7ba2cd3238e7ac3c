"""Random games for the fault trials: paced, and without acts that no camera could see."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from random import Random

from lab.players.players import PLAYERS
from lab.players.table import Played, foul_game, legal_game
from rules.table.event import Event, Placed, Removed

ACT_S = 1.2  # between two acts; a sweep is one act
MOST_ACTS = 60  # of a game: the rest is left out
LEAST_EVENTS = 12


def random_game(name: str, rng: Random) -> Played:
    """A legal game, or one with a foul, up to the first card taken from under another one."""
    player = PLAYERS[name]
    while True:
        rule = rng.choice(sorted(player.CHEATS))
        played = legal_game(player, rng) if rng.random() < 0.5 else foul_game(player, rng, rule)
        events = tops_only(paced(played.events))
        if len(events) >= LEAST_EVENTS:
            return replace(played, events=events)


def paced(events: Sequence[Event]) -> tuple[Event, ...]:
    """The first acts of a game, `ACT_S` apart; removals that follow at one place are one act."""
    kept: list[Event] = []
    at = 0.0
    for k, event in enumerate(events):
        before = events[k - 1] if k else None
        is_same = (
            isinstance(event, Removed)
            and isinstance(before, Removed)
            and event.place == before.place
        )
        if not is_same:
            at = round(at + ACT_S, 3)
        if at > MOST_ACTS * ACT_S:
            break
        kept.append(replace(event, at=at))
    return tuple(kept)


def tops_only(events: Iterable[Event]) -> tuple[Event, ...]:
    """The events before a card is taken from under another one, which no camera would see."""
    stacks: dict[str, list[str]] = {}
    kept: list[Event] = []
    for event in events:
        if isinstance(event, Placed):
            stacks.setdefault(event.place, []).append(event.card)
        elif isinstance(event, Removed):
            stack = stacks.get(event.place, [])
            if not stack or stack.pop() != event.card:
                break
        kept.append(event)
    return tuple(kept)
