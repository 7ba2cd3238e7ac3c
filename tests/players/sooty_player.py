"""Plays random legal games of Sooty, and breaks one rule at a time."""

from sooty_cheats import CHEATS as CHEATS
from sooty_play import Table

GAME = "sooty"
AT_ONCE = NOT_CORRECTED = ()


def new_table(rng, seen=None):
    return Table(rng, rng.randint(2, 4), rng.random() < 0.8 if seen is None else seen)
