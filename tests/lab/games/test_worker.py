"""A short game through the worker: played, refereed by the real networks, scored and filmed."""

import json

import cv2
import pytest

from lab.games.compare import main as compare
from lab.games.score import score
from lab.games.worker import FILM, SCRIPT, SEEN, SETUP, referee
from models.drawing.script import read_script

SHORT = """
game suds
players 2
seed 3
card 140
tilt 12
spot pile/1 0.4 0.5
0.5 seat=1 press start
2.0 seat=1 place hat pile/1
4.5 seat=2 place pants pile/1
"""
SIDES = ["left", "right"]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / SCRIPT).write_text(SHORT)
    (tmp_path / SETUP).write_text(json.dumps({"options": {"variant": "classic"}, "sides": SIDES}))
    return tmp_path


@pytest.mark.slow
def test_a_short_game_is_refereed_scored_and_filmed(folder):
    referee(folder, film=(1.0, 3.0))
    seen = json.loads((folder / SEEN).read_text())
    made = score(read_script(str(folder / SCRIPT)), {"variant": "classic"}, seen)
    assert made.faults == []
    assert (made.events_right, made.seats_right, made.calls_right["mistake"]) == (2, 2, 1)
    film = cv2.VideoCapture(str(folder / FILM))
    assert film.get(cv2.CAP_PROP_FRAME_COUNT) == pytest.approx(30, abs=2)


@pytest.mark.slow
def test_a_film_for_other_referees_and_the_score_of_their_journal(folder, capsys):
    assert compare([str(folder)]) == 0
    film = cv2.VideoCapture(str(folder / "game.mp4"))
    assert film.get(cv2.CAP_PROP_FRAME_COUNT) == pytest.approx(7.0 * 15, abs=2)
    assert json.loads((folder / "presses.jsonl").read_text())["button"] == "start"
    journal = folder / "journal.jsonl"
    laid = {"event": "placed", "card": "hat", "place": "pile/1", "seat": 1, "at": 2.1}
    journal.write_text(json.dumps(laid) + "\n")
    compare([str(folder), str(journal)])
    said = capsys.readouterr().out
    assert "events 1/2" in said and "missed call" in said and "too" not in said
