"""Plays random legal games of Dirty Laundry, and breaks one rule at a time."""

from dirty_laundry_cheats import CHEATS as CHEATS
from dirty_laundry_play import Table

GAME = "dirty-laundry"
AT_ONCE, NOT_CORRECTED = (), ()


def new_table(rng, seen=None):
    return Table(rng, rng.randint(2, 6), rng.random() < 0.8 if seen is None else seen)
