"""What the referee says: sentences for people, and no name of a file's."""

import re

import pytest
from golden import golden_games, play

from rules.contract.mistakes import Mistake, corrected, described
from rules.games import game
from rules.judging.referee import ordered

# Faces, places and options as files write them: `5c`, `sooty-3`, `p1-white-plain`, `pile/1`.
OF_FILES = re.compile(r"/|\b(10|[2-9jqk])[cdhs]\b|\b(sooty|sweep|p[1-6]|oofle|magic|red|special)-")


@pytest.mark.parametrize(
    ("name", "card", "words"),
    [
        ("suds", "t-shirt", "the T-shirt"),
        ("cat-in-the-hat", "p", "the P"),
        ("soda", "5c", "the 5 of clubs"),
        ("sooty", "sooty-joker", "the Sooty Joker"),
        ("dirty-laundry", "p2-colour-plain2-ruined", "seat 2's ruined colour second plain garment"),
        ("dirty-laundry", "back", "the face-down card"),
    ],
)
def test_a_card_put_right_is_named_as_people_name_it(name, card, words):
    (call,) = ordered(game(name), 1.0, (corrected(Mistake("x", "placed", "pile/1", card, 2)),))
    assert call.message == f"Put right: {words}. Thank you, play on."
    (call,) = ordered(game(name), 1.0, (corrected(Mistake("x", "button", seat=2)),))
    assert call.message == "That is put right. Thank you, play on."
    open_mistake = Mistake("too-late", "placed", "pile/1", card, 2)
    assert described(open_mistake, game(name).say) == f"{words} at pile 1 (seat 2): too late"
    assert described(Mistake("must-lead", "button"), game(name).say) == "must lead"


@pytest.mark.parametrize(("name", "played"), golden_games())
def test_every_message_is_a_sentence_for_people(name, played):
    for _, call in play(name, played):
        assert call.message[0].isupper() or call.message[0].isdigit(), call
        assert call.message[-1] in ".!", call
        assert not OF_FILES.search(call.message), call
