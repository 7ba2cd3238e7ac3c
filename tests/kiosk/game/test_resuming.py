"""A game that goes on keeps its players, options, deck and seats."""

from __future__ import annotations

import pytest

from kiosk.game.resuming import GameWords, words_of
from kiosk.journal.entries import GameHead
from kiosk.journal.opening import CutGame
from models.deck import load_deck
from rules.errors import FairdealError

DECK = load_deck("suds")
CUT = CutGame(
    12,
    GameHead("suds", 3, {"variant": "classic", "dealer": "2"}, str(DECK.folder), "top,left,right"),
    1000.0,
)


def test_words_that_are_left_out_come_from_the_journal():
    words = words_of(CUT, GameWords("suds"))
    assert words.player_count == 3 and words.seats == "top,left,right"
    assert words.options == {"variant": "classic", "dealer": "2"} and words.deck == str(DECK.folder)


def test_the_same_words_may_be_said_again():
    said = GameWords("suds", 3, {"dealer": "2"}, "suds", "top, left, right")
    assert words_of(CUT, said) == words_of(CUT, GameWords("suds"))


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (GameWords("suds", 4), "3 players, found --players 4"),
        (GameWords("suds", options={"dealer": "1"}), "dealer=2, found --option dealer=1"),
        (GameWords("suds", options={"speed": "1"}), "speed=unknown"),
        (GameWords("suds", deck="plain52"), "--deck plain52"),
        (GameWords("suds", seats="left,top,right"), "--seats left,top,right"),
    ],
)
def test_other_words_are_refused(said, words):
    with pytest.raises(FairdealError, match="game 12 as it was begun") as refused:
        words_of(CUT, said)
    assert words in str(refused.value)


def test_the_least_number_of_players_is_the_default():
    assert GameWords("suds").player_count == 2
    assert GameWords("suds", 4, {"dealer": "1"}).head("0") == GameHead(
        "suds", 4, {"dealer": "1"}, source="0"
    )
