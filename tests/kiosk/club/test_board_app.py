"""The board's server as a program sees it: who may do what, evidence, decisions, the audience."""

import asyncio
import json

import pytest
from starlette.testclient import TestClient
from test_room import A, call, state, who

from kiosk.club.board.app import make_board_app
from kiosk.club.board.board import Board, BoardSettings
from kiosk.club.board.feed import Delayed, Feed
from kiosk.club.board.store import Store
from kiosk.club.settings import BrokerSettings, ClubFile
from kiosk.web.access import Access, Role
from kiosk.web.security import Limits
from kiosk.web.settings import PageSettings

HOME = "http://localhost:8090"
CLUB = ClubFile("harbour", BrokerSettings(), "", {"t-1": "x" * 32, "t-2": "y" * 32})


class Place:
    """A board without a broker: messages are put into its room."""

    def __init__(self, folder, delay_s=0.0):
        self.said = []
        settings = BoardSettings(CLUB, delay_s, "0.1.0", self.said.append)
        self.store = Store(folder / "board.sqlite")
        self.board = Board(settings, self.store)
        self.access = Access(folder / "devices.json")
        page = PageSettings(folder=folder, limits=Limits(acts_at_once=500))
        self.app = make_board_app(self.board, self.access, page)
        self.client = self.at("127.0.0.1")

    def at(self, address, role=None):
        """A client at an address; a paired one where it has a role."""
        headers = {}
        if role is not None:
            token = self.access.pair(self.access.new_code(role, 0.0).digits, "phone", 0.0)
            headers = {"Authorization": f"Bearer {token}"}
        return TestClient(
            self.app, base_url=HOME, client=(address, 5000), headers=headers,
            raise_server_exceptions=False,
        )  # fmt: skip

    def take(self, leaf, payload, table="t-1"):
        self.board.room.take(f"fairdeal/harbour/{table}/{leaf}", payload, False, 1_700_000_000.0)
        self.board._settle()

    def play(self):
        """A call of a game is there."""
        self.take("available", who())
        self.take("call/1", call(1))
        self.take("state", state(calls=1))


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path)


def test_the_board_shows_listed_tables_and_what_they_said(place):
    place.play()
    found = place.client.get("/api/board").json()
    table = found["table/t-1"]
    assert table["is_online"] and [c["n"] for c in table["calls"]] == [1]
    assert place.client.get("/").text.startswith("<!doctype html>")


def test_a_stranger_sees_nothing_and_a_watcher_only_looks(place):
    place.play()
    stranger, watcher = place.at("192.0.2.9"), place.at("192.0.2.9", Role.WATCHER)
    assert stranger.get("/api/board").status_code == 401
    assert watcher.get("/api/board").status_code == 200
    decision = {"table": "t-1", "session": A, "call": 1, "verdict": "right"}
    for path, body in (
        ("/api/act", {"table": "t-1", "act": "undo"}), ("/api/decide", decision),
        ("/api/tournament", {"kind": "swiss", "players": [], "tables": []}),
        ("/api/tournament/round", {}),
    ):  # fmt: skip
        assert stranger.post(path, json=body).status_code == 401
        assert watcher.post(path, json=body).status_code == 403
    assert watcher.get("/api/log/t-1").status_code == 403


def test_a_call_that_stays_is_decided_here_and_kept(place, tmp_path):
    place.play()
    body = {"table": "t-1", "session": A, "call": 1, "verdict": "right"}
    assert place.client.post("/api/decide", json=body).json() == {"ok": True}
    table = place.client.get("/api/board").json()["table/t-1"]
    assert table["calls"][0]["decided"] == "right"
    assert place.store.decided("t-1", A) == {1: "right"}


def test_calls_are_kept_over_a_restart_of_the_board(place, tmp_path):
    place.play()
    place.board.decide("t-1", A, 1, "right")
    place.store.close()
    again = Place(tmp_path)
    again.take("available", who())
    again.take("call/1", call(1))
    assert again.board.room.duplicates == 1
    assert [c["n"] for c in again.client.get("/api/log/t-1").json()["calls"]] == [1]
    shown = again.client.get("/api/board").json()["table/t-1"]["calls"]
    assert [(c["n"], c["decided"]) for c in shown] == [(1, "right")]


def test_a_command_to_a_table_that_is_away_says_so(place):
    answer = place.client.post("/api/act", json={"table": "t-1", "act": "undo"})
    assert answer.status_code == 409 and "t-1 is not there now" in answer.json()["message"]


@pytest.mark.parametrize(
    ("path", "body", "status", "words"),
    [
        ("/api/act", {"table": "t-7", "act": "undo"}, 409, "a table of harbour: t-1, t-2"),
        ("/api/act", {"table": "t-1", "act": "end"}, 400, "found 'end'"),
        ("/api/act", {"table": "t-1"}, 400, "the key act"),
        ("/api/decide", {"table": "t-1", "session": A, "call": 1, "verdict": "maybe"},
         400, "verdict"),
        ("/api/decide", {"table": "t-1", "session": "0" * 16, "call": 1, "verdict": "no-mistake"},
         409, "that game is over"),
        ("/api/tournament/round", {}, 409, "a tournament"),
        ("/api/tournament", {"kind": "x", "players": ["a", "b"], "tables": ["t-1"]}, 400, "kind"),
        ("/api/tournament", {"kind": "swiss", "players": ["a", "b"], "tables": ["t-9"]},
         409, "t-9"),
    ],
)  # fmt: skip
def test_a_bad_request_is_one_clear_line(place, path, body, status, words):
    answer = place.client.post(path, json=body)
    assert answer.status_code == status and words in answer.json()["message"]
    assert "\n" not in answer.json()["message"]


def test_an_unknown_table_or_game_is_404(place):
    for path in ("/api/log/t-7", f"/api/evidence/t-7/{A}/1", "/api/games/poker"):
        answer = place.client.get(path)
        assert answer.status_code == 404 and "expected" in answer.json()["message"]
    assert "socks" in place.client.get("/api/games/suds").json()["faces"]
    assert place.client.get("/api/faces/suds/socks.jpg").content[:2] == b"\xff\xd8"


def test_a_tournament_is_begun_played_and_kept(place, tmp_path):
    place.play()
    wish = {"kind": "round-robin", "players": ["Ada", "Ben"], "tables": ["t-1"], "name": "Night"}
    assert place.client.post("/api/tournament", json=wish).json() == {"ok": True}
    assert place.client.get("/api/board").json()["table/t-1"]["seats"] == ["Ada", "Ben"]
    result = {"winners": [1], "tie": False}
    place.take("state", state(calls=1, number=2, result=result))
    running = place.client.get("/api/board").json()["tournament"]
    assert running["rounds"][0]["pairings"][0]["result"]["session"] == A
    assert running["standings"][0]["points"] == 1.0
    by_hand = {"table": "t-1", "number": 0, "winners": [1]}
    assert place.client.post("/api/tournament/result", json=by_hand).status_code == 200
    assert place.client.get("/api/board").json()["tournament"]["standings"][0]["player"] == 1
    place.store.close()
    assert Place(tmp_path).board.tournament == place.board.tournament


def test_an_audience_is_told_later(tmp_path):
    place = Place(tmp_path, delay_s=30.0)
    place.play()
    watcher = place.at("192.0.2.9", Role.WATCHER)
    for early in (watcher.get("/api/board"), place.client.get("/api/board?audience=1")):
        assert not early.json().get("table/t-1", {}).get("calls")
    assert place.client.get("/api/board").json()["table/t-1"]["calls"]
    assert place.client.get("/api/me?audience=1").json()["is_late"]
    assert watcher.get(f"/api/evidence/t-1/{A}/1").status_code == 403
    place.board.late.tick(1e12)
    assert watcher.get("/api/board").json()["table/t-1"]["calls"]


def test_a_delay_keeps_the_order_and_the_last_value():
    late = Delayed(10.0)
    late.put("a", "1", 0.0)
    late.put("a", "2", 5.0)
    late.tick(9.0)
    assert late.feed.values == {}
    late.tick(10.0)
    assert late.feed.values == {"a": "1"}
    late.tick(15.0)
    assert late.feed.values == {"a": "2"}


def test_a_slow_follower_gets_the_newest_and_is_let_go_at_the_end():
    async def follow():
        feed, heard = Feed(), []
        feed.put("a", "1")
        stream = feed.follow()
        heard.append(await anext(stream))
        for k in range(100):
            feed.put("a", str(k))
            feed.put("b", "0")
        heard.append(await anext(stream))
        feed.close()
        heard += [change async for change in stream]
        return heard, feed.followers

    heard, followers = asyncio.run(follow())
    assert [json.loads(change) for change in heard] == [{"a": 1}, {"a": 99, "b": 0}]
    assert followers == 0
