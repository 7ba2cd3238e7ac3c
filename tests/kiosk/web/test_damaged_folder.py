"""What lies in the page's folder may be damaged: each view still answers, and says no traceback."""

import os
import random
import shutil
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from kiosk.web.access import Access
from kiosk.web.app import make_app
from kiosk.web.hub import Hub
from kiosk.web.settings import PageSettings

SUDS = Path(__file__).parents[3] / "models/decks/suds"
EVIDENCE = "evidence/unkept/000001/evidence.json"
FILES = {
    "last.json": ("/api/setup",), "first-hour.json": ("/api/first-hour", "/api/health"),
    "playing.json": ("/api/state",), EVIDENCE: ("/api/evidence/1", "/api/evidence/1/0.jpg"),
    "decks/mine/deck.toml": ("/api/setup",), "evidence/unkept/film.txt": ("/api/history/1.webm",),
    "journal.sqlite": ("/api/history", "/api/history/1.jsonl", "/api/history/1.webm"),
}  # fmt: skip
TEXTS = (
    b"", b"[" * 5000, b"{" * 5000, b'{"a":' * 5000, b"NaN", b'{"rest": NaN}', b'{"rest": Infinity}',
    b'{"rest": 1e999}', b'{"rest": ' + b"9" * 5000 + b"}", b'{"rest": "\\ud800"}', b"[]", b"null",
    b"\xff\xfe\x00", b"x = " + b"9" * 5000, b"a." * 5000 + b"b = 1", b'{"camera": {"mark": []}}',
    b'{"game": "suds", "players": 1e400, "deck": "suds"}', b"\x00" * 4096,
    b'{"game": ["suds"], "players": {}, "deck": null, "options": [], "seats": 3}',
)  # fmt: skip
VIEWS = tuple(view for views in FILES.values() for view in views)


@pytest.fixture
def page(tmp_path, monkeypatch):
    monkeypatch.setenv("FAIRDEAL_HOME", str(tmp_path))
    settings = PageSettings(folder=tmp_path, journal=tmp_path / "journal.sqlite")
    app = make_app(Hub(), Access(tmp_path / "devices.json"), settings)
    return TestClient(app, base_url="http://localhost:8080", client=("127.0.0.1", 50000))


def check(page, what, views=VIEWS):
    """Asks for each view; the client raises what the server did not catch."""
    for view in views:
        answer = page.get(view)
        assert answer.status_code < 500, (what, view)
        assert "Traceback" not in answer.text


@pytest.mark.parametrize("name", FILES)
def test_no_damaged_file_ends_a_view(page, tmp_path, name):
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    for text in TEXTS:
        path.write_bytes(text)
        check(page, (name, text[:40]), FILES[name])


def test_no_flipped_byte_of_an_own_deck_ends_a_view(page, tmp_path):
    rng, deck = random.Random(31), tmp_path / "decks" / "mine"
    shutil.copytree(SUDS, deck)
    whole = (deck / "deck.toml").read_bytes()
    for _ in range(25):
        at = rng.randrange(len(whole))
        (deck / "deck.toml").write_bytes(whole[:at] + rng.randbytes(2) + whole[at + 1 :])
        assert page.get("/api/setup").status_code == 200


def test_a_name_that_is_no_unicode_text_ends_no_view(page, tmp_path):
    strange = tmp_path / "decks" / "d\udcff"
    shutil.copytree(SUDS, strange)
    decks = page.get("/api/setup").json()["decks"]
    assert any("\udcff" in deck["path"] for deck in decks)
    check(page, "a strange name")


def test_a_folder_or_a_pipe_in_place_of_a_file_ends_no_view(page, tmp_path):
    (tmp_path / "last.json").mkdir()
    (tmp_path / EVIDENCE).mkdir(parents=True)
    os.mkfifo(tmp_path / "first-hour.json")
    check(page, "folders and a pipe")
