"""The games that were played, as the page lists them."""

import asyncio
import json

import cv2
import numpy as np
import pytest

from kiosk.game.overruling import NoMistake, to_json
from kiosk.journal.entries import EndEntry, EventEntry, GameHead, OverruledEntry
from kiosk.journal.file import JournalFile
from kiosk.web.film import FilmSettings, evidence_calls, film_frames
from kiosk.web.history import _made, game_lines, games_played
from rules.contract.game import make_setup
from rules.errors import FairdealError
from rules.games import game
from rules.judging import referee
from rules.table.event import Placed, Pressed

SUDS = game("suds")
EVENTS = (
    Pressed(0.0, "start"),
    Placed(1.0, "hat", "pile/1", 1),
    Placed(2.0, "socks", "pile/1", 2),
    Placed(3.5, "pants", "pile/1", 2),
)


def written(path):
    """A journal with one finished game of Suds with two mistakes of seat 2."""
    journal = JournalFile(path)
    number = journal.begin(GameHead("suds", 3))
    session, entries = referee.begin(SUDS, make_setup(SUDS, 3)), []
    for event in EVENTS:
        session, calls = referee.step(session, event)
        entries.append(EventEntry(event, calls))
    journal.append(number, [*entries, EndEntry(())])
    journal.close()
    return number


def test_a_game_is_listed_with_its_mistakes(tmp_path):
    path = tmp_path / "journal.sqlite"
    assert games_played(path, tmp_path) == []
    number = written(path)
    (shown,) = games_played(path, tmp_path)
    assert shown["number"] == number and shown["title"] == "Suds" and shown["is_ended"]
    assert shown["mistakes"] == {"out-of-sequence": 2} and shown["mistakes_by_seat"] == {"2": 2}
    assert shown["seconds"] == 3.5


def test_games_of_all_tables_are_listed_and_saved(tmp_path):
    """A table that plays beside another one has a journal of its own."""
    path, other = tmp_path / "journal.sqlite", tmp_path / "journal-2.sqlite"
    written(path)
    journal = JournalFile(other)
    journal.begin(GameHead("sooty", 2), above=1)
    journal.close()
    (tmp_path / "journal-3.sqlite").write_text("no journal")
    assert [(game["number"], game["game"]) for game in games_played(path, tmp_path)] == [
        (2, "sooty"), (1, "suds"),
    ]  # fmt: skip
    assert game_lines(path, 2) == ""
    assert sum('"event"' in line for line in game_lines(path, 1).splitlines()) == len(EVENTS)
    with pytest.raises(FairdealError, match="no game 7"):
        game_lines(path, 7)


def test_a_game_is_saved_as_lines_that_replay_reads(tmp_path):
    path = tmp_path / "journal.sqlite"
    lines = game_lines(path, written(path)).splitlines()
    assert sum('"event"' in line for line in lines) == len(EVENTS)
    assert sum('"call": "mistake"' in line for line in lines) == 2


def test_what_was_overruled_is_no_mistake_of_anybody(tmp_path):
    path = tmp_path / "journal.sqlite"
    number = written(path)
    journal = JournalFile(path)
    journal.append(number, [OverruledEntry(3, to_json(NoMistake(3)))])
    journal.close()
    (shown,) = games_played(path, tmp_path)
    assert shown["mistakes"] == {} and shown["overruled"] == 1
    assert (shown["calls"], shown["questions"]) == (
        2,
        0,
    )  # as they were made, whatever came of them


def filmed(folder, n, message, face="socks"):
    """Evidence of call `n` with three frames, as the page keeps it."""
    place = folder / f"{n:06d}"
    place.mkdir(parents=True)
    quad = [[0.4, 0.4], [0.5, 0.4], [0.5, 0.6], [0.4, 0.6]]
    card = {"face": face, "place": "pile/1", "state": "lying", "quad": quad}
    call = {
        "n": n, "event": n, "at": 60.0 + n, "call": "mistake", "message": message,
        "card": "socks", "place": "pile/1",
    }  # fmt: skip
    frames = [{"at": 60.0 + n + k / 10, "cards": [card]} for k in (-1, 0, 1)]
    for k in range(3):
        cv2.imwrite(str(place / f"{k}.jpg"), np.full((540, 960, 3), 60 * k + 40, np.uint8))
    (place / "evidence.json").write_text(json.dumps({"call": call, "rest": 1, "frames": frames}))


def test_a_film_shows_each_call_with_its_card_and_its_words(tmp_path):
    folder, settings = tmp_path / "7", FilmSettings()
    filmed(folder, 1, "Pile 1 needs a hat, not socks. Take the socks back.")
    filmed(folder, 2, "Pile 1 needs a hat.", face="hat")
    frames = list(film_frames(folder, "Suds", frozenset({2}), settings))
    still, title = round(settings.rest_s * settings.fps), round(settings.title_s * settings.fps)
    assert len(frames) == title + 2 * (3 + still)
    assert all(frame.shape == (settings.height, settings.width, 3) for frame in frames)
    before, called = frames[title], frames[title + 1]
    words = slice(settings.height - 60, None)
    assert not (before[words] != before[-1, -1]).any() and (called[words] != called[-1, -1]).any()
    room = called[: settings.height - 100]
    outline = room[round(0.4 * 540), round(0.45 * 960)].astype(int)
    assert outline[2] > outline[0] + 100, "the card of the call is outlined in its colour"


def test_a_film_is_made_once_and_again_when_a_call_was_overruled(tmp_path):
    folder = tmp_path / "7"
    with pytest.raises(FairdealError, match="evidence of this game"):
        asyncio.run(_made(folder, "Suds", ""))
    filmed(folder, 1, "Pile 1 needs a hat.")
    path = asyncio.run(_made(folder, "Suds", ""))
    first = path.read_bytes()
    assert first[:4] == b"\x1a\x45\xdf\xa3" and evidence_calls(folder) == [1]
    film = cv2.VideoCapture(str(path))
    assert film.get(cv2.CAP_PROP_FRAME_WIDTH) == FilmSettings().width and film.read()[0]
    assert asyncio.run(_made(folder, "Suds", "")).stat().st_mtime_ns == path.stat().st_mtime_ns
    assert asyncio.run(_made(folder, "Suds", "1")).read_bytes() != first


def test_a_film_has_the_newest_calls_only(tmp_path):
    for n in range(1, 6):
        filmed(tmp_path / "7", n, f"call {n}")
    settings = FilmSettings(most_calls=2, title_s=0.0, rest_s=0.0)
    assert len(list(film_frames(tmp_path / "7", "", frozenset(), settings))) == 2 * 3
