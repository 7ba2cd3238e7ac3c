"""Decks that learn, as the page's server tells of them: the switch, the history, the way back."""

import cv2
import numpy as np
import pytest
from decks_with_past import PastDeck
from starlette.testclient import TestClient

from calibration.settings import load_settings, own_settings
from kiosk.web.access import Access, Role
from kiosk.web.app import make_app
from kiosk.web.hub import Hub
from kiosk.web.security import Limits
from kiosk.web.settings import PageSettings
from models.deck import load_deck
from rules.errors import FairdealError


class FakeReferee:
    """A process that referees a game with a deck, or none."""

    source, said, deck = "0", (), ""

    @property
    def is_running(self):
        return bool(self.deck)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The page's folder, on a machine of its own."""
    monkeypatch.setenv("FAIRDEAL_HOME", str(tmp_path))
    return tmp_path / "page"


def page_of(folder, table=None, host="127.0.0.1"):
    settings = PageSettings(folder=folder, limits=Limits(acts_at_once=500))
    app = make_app(Hub(), Access(folder / "devices.json"), settings, table)
    return TestClient(app, base_url="http://localhost:8080", client=(host, 50000))


@pytest.fixture
def page(folder):
    return page_of(folder, FakeReferee())


@pytest.fixture
def deck(folder):
    """A deck of the page that learned two hats and socks from two games."""
    deck = PastDeck(folder / "decks" / "my-suds")
    deck.learn("hat", "socks", game=7)
    deck.learn("hat", game=8)
    return deck


def history(page, deck):
    return page.get("/api/decks/history", params={"deck": str(deck)})


def refusal(answer, status):
    """The one line of an answer that refuses."""
    assert answer.status_code == status, answer.text
    found = answer.json()
    assert not found["ok"] and "\n" not in found["message"]
    return found["message"]


def test_the_switch_sets_what_the_next_game_reads(page):
    assert page.get("/api/learning").json() == {"is_on": False}
    for is_on in (True, False):
        assert page.post("/api/learning", json={"on": is_on}).json() == {"ok": True}
        assert page.get("/api/learning").json() == {"is_on": is_on}
        assert load_settings(own_settings()).machine.learn is is_on


@pytest.mark.parametrize(
    ("body", "found"),
    [({"on": 1}, "on as true or false"), ({}, "the key on"), ({"on": True, "x": 1}, "only known")],
)
def test_a_wrong_wish_switches_nothing(page, body, found):
    assert found in refusal(page.post("/api/learning", json=body), 400)
    assert not own_settings().exists()


def test_a_settings_file_that_no_game_can_read_is_left_as_it_is(page):
    own_settings().write_text("[machine]\nlern = true\n")
    for answer in (page.get("/api/learning"), page.post("/api/learning", json={"on": True})):
        assert "found 'lern'; mend or remove it" in refusal(answer, 409)
    assert own_settings().read_text() == "[machine]\nlern = true\n"


def test_a_watcher_and_the_page_of_one_game_switch_and_undo_nothing(page, folder, deck):
    wish = {"deck": str(deck.folder)}
    watcher = page_of(folder, FakeReferee(), "192.0.2.9")
    access = watcher.app.state.access
    token = access.pair(access.new_code(Role.WATCHER, 0.0).digits, "phone", 0.0)
    watcher.headers["Authorization"] = f"Bearer {token}"
    for other, status in ((watcher, 403), (page_of(folder), 409)):
        refusal(other.post("/api/learning", json={"on": True}), status)
        refusal(other.post("/api/decks/revert", json=wish), status)
    assert history(watcher, deck.folder).status_code == 200
    assert len(deck.states) == 3


def test_the_history_tells_what_happened_the_newest_first(page, deck):
    found = history(page, deck.folder).json()
    now, second, first = found["states"]
    assert found["deck"] == "my-suds"
    assert [one["number"] for one in (now, second, first)] == [0, 2, 1]
    assert [one["what"] for one in (now, second, first)] == ["learned", "learned", "taught"]
    assert now["new"] == {"hat": 1} and now["games"] == [{"title": "Suds", "number": 8}]
    assert second["new"] == {"hat": 1, "socks": 1} and second["learned"] == 2
    faces = len(load_deck(deck.folder).names)
    assert (first["faces"], first["pictures"], first["learned"]) == (faces, faces + 1, 0)
    assert [one["face"] for one in found["learned"]] == ["hat", "hat", "socks"]
    assert [one["game"]["number"] for one in found["learned"]] == [8, 7, 7]


def test_what_was_learned_is_shown_by_its_pictures(page, deck):
    where = {"deck": str(deck.folder)}
    answer = page.get("/api/decks/learned/2.jpg", params=where)
    picture = cv2.imdecode(np.frombuffer(answer.content, np.uint8), cv2.IMREAD_COLOR)
    socks = deck.gallery.templates[deck.gallery.faces.index("socks")]
    assert picture.shape == socks.shape
    assert np.abs(picture.astype(float) - socks).mean() < 8
    found = refusal(page.get("/api/decks/learned/3.jpg", params=where), 404)
    assert found == "expected one of 3 pictures from games, found number 3"


def test_a_deck_without_a_past_has_one_state(page):
    found = history(page, "suds").json()
    assert [one["what"] for one in found["states"]] == ["taught"] and not found["learned"]
    refused = page.post("/api/decks/revert", json={"deck": "suds"})
    assert "expected an earlier state, found none" in refusal(refused, 409)
    assert history(page, load_deck("suds").folder).json() == found, "as the game calls it"


@pytest.mark.parametrize("name", ["", "..", "/etc", "my-sooty", "\x00", "é" * 5000])
def test_a_deck_that_is_not_listed_is_one_line(page, deck, name):
    assert "a deck that the page lists" in refusal(history(page, name), 404)
    answer = page.post("/api/decks/revert", json={"deck": name})
    refusal(answer, 400 if len(name) > 4096 else 404)


def test_undoing_takes_the_newest_change_back_and_can_be_undone(page, deck):
    wish = {"deck": str(deck.folder), "number": 2}
    assert page.post("/api/decks/revert", json=wish).json() == {"ok": True}
    states = history(page, deck.folder).json()["states"]
    assert [one["what"] for one in states] == ["reverted", "learned", "learned", "taught"]
    assert states[0]["learned"] == 2 and states[0]["at"] >= states[1]["at"]
    assert page.post("/api/decks/revert", json={"deck": str(deck.folder)}).json() == {"ok": True}
    assert history(page, deck.folder).json()["states"][0]["learned"] == 3


@pytest.mark.parametrize("number", [0, -1, 1.5, "1", 10**12])
def test_a_number_that_is_none_is_one_line(page, deck, number):
    wish = {"deck": str(deck.folder), "number": number}
    refusal(page.post("/api/decks/revert", json=wish), 400)
    answer = page.post("/api/decks/revert", json={**wish, "number": 9})
    assert "expected a state of 1, 2, found 9" in refusal(answer, 409)
    assert len(deck.states) == 3


def test_a_deck_that_plays_is_not_undone(folder, deck):
    table = FakeReferee()
    page, wish = page_of(folder, table), {"deck": str(deck.folder)}
    table.deck = str(deck.folder)
    found = refusal(page.post("/api/decks/revert", json=wish), 409)
    assert found == "expected no game with the deck my-suds under way, found one; end it first"
    table.deck = "sooty"
    assert page.post("/api/decks/revert", json=wish).json() == {"ok": True}


def test_a_deck_that_the_set_up_makes_is_not_undone(page, deck):
    hub, wish = page.app.state.hub, {"deck": str(deck.folder)}
    hub.hour = {"work": "building", "deck": {"name": "my-suds"}}
    found = refusal(page.post("/api/decks/revert", json=wish), 409)
    assert found == "expected the deck my-suds at rest, found the set-up making it; wait a moment"
    hub.hour["work"] = "looking"
    assert page.post("/api/decks/revert", json=wish).json() == {"ok": True}


def test_a_damaged_deck_and_a_full_disk_are_one_line(page, deck, monkeypatch):
    def full(*_):
        raise FairdealError("a place for the deck's history", "no space left", "make room")

    wish = {"deck": str(deck.folder)}
    monkeypatch.setattr("calibration.deck.history.write_file", full)
    assert "no space left" in refusal(page.post("/api/decks/revert", json=wish), 409)
    (deck.folder / "learned.npz").write_bytes(b"no pictures")
    assert "what a deck learned at the table" in refusal(history(page, deck.folder), 409)
    refusal(page.get("/api/decks/learned/0.jpg", params=wish), 404)
    (deck.folder / "taught.npz").write_bytes(b"no deck")
    assert "`calibrate deck` wrote" in refusal(history(page, deck.folder), 409)
