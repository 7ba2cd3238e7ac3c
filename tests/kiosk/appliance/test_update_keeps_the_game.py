"""A game goes on after an update, which moves the folder of the shipped decks."""

import pytest

from kiosk.game.resuming import GameWords, words_of
from kiosk.journal.entries import GameHead
from kiosk.journal.opening import CutGame
from rules.errors import FairdealError

OLD = "/opt/fairdeal/versions/0.0.9/lib/python3.11/site-packages/models/decks/suds"


def test_a_shipped_deck_is_known_by_its_name() -> None:
    cut = CutGame(1, GameHead("suds", 2, {}, OLD, "bottom,left"), 0.0)
    assert words_of(cut, GameWords("suds", deck="suds")).deck == "suds"
    assert words_of(cut, GameWords("suds")).deck == "suds"
    with pytest.raises(FairdealError, match="deck suds"):
        words_of(cut, GameWords("suds", deck="sooty"))
