"""A game goes on after an update, which moves the folder of the shipped decks."""

import pytest

from kiosk.game.resuming import GameWords, words_of
from kiosk.journal.entries import GameHead
from kiosk.journal.opening import CutGame
from models.deck import load_deck
from rules.errors import FairdealError

OLD = "/opt/fairdeal/versions/0.0.9/lib/python3.11/site-packages/models/decks/suds"


def test_a_shipped_deck_is_that_of_this_version() -> None:
    here = str(load_deck("suds").folder)
    cut = CutGame(1, GameHead("suds", 2, {}, OLD, "bottom,left"), 0.0)
    assert words_of(cut, GameWords("suds", deck="suds")).deck == here
    assert words_of(cut, GameWords("suds")).deck == here
    with pytest.raises(FairdealError, match="as it was begun"):
        words_of(cut, GameWords("suds", deck="sooty"))
