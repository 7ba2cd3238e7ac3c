"""`fairdeal referee --resume`: the cut game's own words, contradictions, two processes."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from loop_scripts import NoEyes

from kiosk.cli import main
from kiosk.journal.entries import EventEntry, GameHead
from kiosk.journal.file import JournalFile
from models.deck import load_deck
from rules.contract.game import make_setup
from rules.games import game
from rules.table.event import Pressed
from vision.recognition.eyes import Eyes

DECK = str(load_deck("suds").folder)


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """A journal with a game of three players that was cut off; no networks."""
    monkeypatch.setenv("FAIRDEAL_HOME", str(tmp_path))
    monkeypatch.setattr(Eyes, "open", classmethod(lambda cls, deck, *more, **named: NoEyes()))
    journal = JournalFile(tmp_path / "journal.sqlite")
    options = dict(make_setup(game("suds"), 3).options)
    number = journal.begin(GameHead("suds", 3, options, DECK, "top,left,right", "elsewhere"))
    journal.append(number, [EventEntry(Pressed(7.5, "start"))])
    journal.close()
    return tmp_path


@pytest.fixture
def pictures(tmp_path):
    """A folder with four grey pictures."""
    folder = tmp_path / "pictures"
    folder.mkdir()
    for number in range(4):
        noise = np.random.default_rng(number).normal(120, 4, (90, 160, 3))
        cv2.imwrite(str(folder / f"{number}.png"), noise.clip(0, 255).astype(np.uint8))
    return str(folder)


def referee(pictures, *words):
    return main(
        ["referee", "suds", "--headless", "--signals", "none", "--source", pictures, *words]
    )


def rows(home):
    journal = JournalFile(home / "journal.sqlite")
    try:
        return [(row.number, row.head.players, row.is_ended) for row in journal.games()]
    finally:
        journal.close()


def test_a_cut_game_goes_on_with_its_own_words(home, pictures, capsys):
    assert referee(pictures, "--resume") == 0
    assert "game 1 goes on" in capsys.readouterr().err
    assert rows(home) == [(1, 3, True)]


def test_its_number_names_it_and_other_words_are_refused(home, pictures, capsys):
    assert referee(pictures, "--resume", "1", "--players", "2") == 2
    assert "game 1 as it was begun, with 3 players" in capsys.readouterr().err
    assert referee(pictures, "--resume", "1", "--seats", "top,left,right") == 0
    assert rows(home) == [(1, 3, True)]


def test_auto_goes_on_with_a_game_of_the_same_source_or_begins_a_new_one(home, pictures):
    journal = str(home / "journal.sqlite")
    assert referee(pictures, "--resume", "auto", "--journal", journal) == 0
    assert rows(home) == [(1, 3, False), (2, 2, True)]


def test_a_new_game_leaves_the_cut_one_reachable(home, pictures, capsys):
    assert referee(pictures, "--journal", str(home / "journal.sqlite")) == 0
    assert "game 1 was cut off" in capsys.readouterr().err
    assert rows(home) == [(1, 3, False), (2, 2, True)]


def test_a_game_that_another_process_plays_is_left_alone(home, pictures, capsys):
    journal = JournalFile(home / "journal.sqlite")
    lock = journal.lock(1)
    lock.take()
    assert referee(pictures, "--resume", "1") == 2
    assert "another process that plays it" in capsys.readouterr().err
    lock.release()
    journal.close()


def test_a_text_journal_that_exists_is_refused_without_resume(home, pictures, capsys):
    text = home / "game.jsonl"
    assert referee(pictures, "--journal", str(text)) == 0
    before = text.read_bytes()
    assert referee(pictures, "--journal", str(text)) == 2
    assert "a new file for the journal" in capsys.readouterr().err
    assert text.read_bytes() == before


def test_recorded_buttons_are_pressed(home, pictures):
    presses = home / "presses.jsonl"
    presses.write_text('{"at": 0.05, "event": "pressed", "button": "start", "seat": 2}\n')
    text = home / "game.jsonl"
    assert referee(pictures, "--presses", str(presses), "--journal", str(text)) == 0
    assert text.read_text() == '{"at": 0.05, "event": "pressed", "seat": 2, "button": "start"}\n'
    presses.write_text('{"at": 0.05, "event": "blind"}\n')
    assert referee(pictures, "--presses", str(presses), "--journal", "none") == 2


def test_nothing_to_resume(home, pictures, capsys):
    for more in (("--journal", "none"), ("--journal", str(home / "new.sqlite"))):
        assert referee(pictures, "--resume", *more) == 2
        line = capsys.readouterr().err.strip()
        assert "a game that was cut off" in line and "\n" not in line


@pytest.mark.parametrize("name", ["x.sqlite", "x.jsonl"])
def test_a_journal_that_cannot_be_written(home, pictures, capsys, name):
    (home / "file").write_text("no folder")
    assert referee(pictures, "--journal", str(home / "file" / name)) == 2
    assert "journal" in (said := capsys.readouterr().err) and "Not a directory" in said
    assert referee(pictures, "--journal", str(home / "none" / name)) == 2
    assert "mkdir -p" in capsys.readouterr().err and not (home / "none").exists()
