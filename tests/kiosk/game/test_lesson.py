"""After a game the deck learns, or a line says why it does not."""

from collections import Counter
from dataclasses import replace

import pytest

from calibration.deck.learning import Lesson
from kiosk.cli import main
from kiosk.game import lesson
from kiosk.game.inbox import Inbox
from kiosk.game.learning import CardCollector
from kiosk.game.lesson import STOPPED_S, WITHIN_S, learning
from models.deck import load_deck
from rules.errors import FairdealError


@pytest.fixture
def own(tmp_path):
    return replace(load_deck("suds"), name="mine", folder=tmp_path / "mine")


@pytest.fixture
def learnt(monkeypatch):
    """What a game showed is learned as this says; how long that may take is kept."""
    came = {"lesson": Lesson(Counter(hat=2, socks=1)), "seen": ("a card",), "within": []}

    def learn(deck, seen, embedder, within_s):
        came["within"].append(within_s)
        if isinstance(came["lesson"], Exception):
            raise came["lesson"]
        return came["lesson"]

    monkeypatch.setattr(lesson, "learn", learn)
    monkeypatch.setattr(lesson, "Embedder", lambda: None)
    monkeypatch.setattr(CardCollector, "seen", lambda collector: came["seen"])
    return came


def play(deck, inbox=None, is_asked=True):
    """The lines of a game from which a deck may learn, and how many observers it had."""
    said = []
    with learning(deck, inbox or Inbox(), said.append, is_asked=is_asked) as learners:
        count = len(learners)
    return said, count


def test_what_a_deck_learned_is_said_with_how_to_undo_it(own, learnt):
    (line,), count = play(own)
    assert count == 1 and learnt["within"] == [WITHIN_S]
    assert line.startswith("mine learned from this game: hat (2), socks.")
    assert f"calibrate deck {own.folder} --revert" in line


def test_a_stopped_game_is_learned_from_in_seconds(own, learnt):
    inbox = Inbox()
    inbox.stop()
    play(own, inbox)
    assert learnt["within"] == [STOPPED_S] and STOPPED_S < 10


def test_nothing_new_is_said_with_the_reasons(own, learnt):
    learnt["lesson"] = Lesson(refused=Counter({"not sure": 3}))
    assert play(own)[0] == ["mine learned nothing new from this game (3 not sure)"]
    learnt["seen"] = ()
    assert play(own)[0] == []


def test_a_full_disk_spoils_no_game(own, learnt):
    learnt["lesson"] = FairdealError("a place for the taught deck", "no space left", "make room")
    (line,), _ = play(own)
    assert line.startswith("the deck learned nothing: ") and "no space left" in line


def test_a_setting_stops_no_game_of_a_deck_that_cannot_learn(learnt):
    (line,), count = play(load_deck("suds"), is_asked=False)
    assert count == 0 and "the shipped deck suds" in line


def test_the_option_refuses_a_deck_that_cannot_learn(capsys):
    assert main(["referee", "suds", "--source", "simulated", "--headless", "--learn"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "expected a deck of your own to learn into" in line


def test_a_game_that_breaks_is_not_learned_from(own, learnt):
    with pytest.raises(RuntimeError), learning(own, Inbox(), str, is_asked=True):
        raise RuntimeError
    assert learnt["within"] == []
