"""What made each state of a deck is told from its states alone."""

import pytest
from decks_with_past import PastDeck

from calibration.deck import history
from calibration.deck.changes import What, changes
from vision.networks.embedder import Embedder, namer_checksum


@pytest.fixture
def deck(tmp_path):
    return PastDeck(tmp_path / "mine")


def test_a_new_deck_was_taught(deck):
    (taught,) = changes(deck.states)
    assert taught.what is What.TAUGHT and taught.at == deck.states[0].at and not taught.new


def test_each_state_tells_what_made_it(deck):
    deck.teach("hat", "socks")
    deck.teach("hat", "socks", "boxers", "hat")
    deck.learn("hat", "socks", game=7)
    deck.learn("socks", game=8)
    deck.revert()
    deck.teach("hat")
    found = changes(deck.states)
    assert [str(one.what) for one in found] == [
        "taught", "taught", "added", "learned", "learned", "reverted", "taught",
    ]  # fmt: skip
    assert found[2].new == {"boxers": 1, "hat": 1} and not found[2].games
    assert found[3].new == {"hat": 1, "socks": 1} and found[3].games == (("suds", 7),)
    assert found[4].new == {"socks": 1} and found[4].games == (("suds", 8),)


def test_the_time_of_going_back_is_not_that_of_the_old_teaching(deck):
    deck.learn("hat")
    deck.revert()
    first, learned, back = changes(deck.states)
    assert back.state.at == first.at, "the state itself is as old as its teaching"
    assert back.at >= learned.at


def test_a_state_that_is_gone_back_to_outlives_a_full_history(deck, monkeypatch):
    monkeypatch.setattr(history, "MOST", 2)
    deck.teach("hat", "socks")
    deck.teach("hat", "boxers")
    deck.learn("hat")
    assert [one.number for one in deck.states] == [2, 3, 0]
    deck.revert()
    assert not deck.states[-1].learned and deck.states[-1].pictures == {"hat": 1, "boxers": 1}
    assert len(deck.states) == 3


def test_the_checksum_of_the_network_is_read_without_opening_it():
    assert namer_checksum() == Embedder().checksum
