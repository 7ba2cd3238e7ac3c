"""Suds: a pile is born where a card lands away from all others."""

import re

from rules.layout import Layout

PLACES_TEXT = "pile/1, pile/2 and so on"
_is_pile = re.compile(r"pile/[1-9][0-9]{0,8}").fullmatch


def is_place(place: str, players: int) -> bool:
    """Whether this is a pile."""
    return _is_pile(place) is not None


LAYOUT = Layout()
