"""Plays random legal games of Dirty Laundry, and breaks one rule at a time."""

from random import Random

from lab.players.dirty_laundry_cheats import CHEATS as CHEATS
from lab.players.dirty_laundry_play import Table

GAME = "dirty-laundry"
AT_ONCE: tuple[str, ...] = ()
NOT_CORRECTED: tuple[str, ...] = ()


def new_table(rng: Random, seen: bool | None = None, players: int | None = None) -> Table:
    """A shuffled game; what is None is left to chance."""
    return Table(rng, players or rng.randint(2, 6), rng.random() < 0.8 if seen is None else seen)
