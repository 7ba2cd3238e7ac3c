"""The page's server as a program sees it: state, acts, evidence, and what is refused."""

import asyncio
import json
import random

import pytest
from starlette.testclient import TestClient

from kiosk.web.access import Access, Client, Role
from kiosk.web.app import make_app
from kiosk.web.hub import OWN, Hub
from kiosk.web.security import HEADERS, Limits
from kiosk.web.settings import PageSettings

HOME = "http://localhost:8080"


@pytest.fixture
def page(tmp_path):
    """The application of the table's own screen: a client on loopback."""
    settings = PageSettings(folder=tmp_path, limits=Limits(acts_at_once=500))
    app = make_app(Hub(), Access(tmp_path / "devices.json"), settings)
    return TestClient(
        app, base_url=HOME, client=("127.0.0.1", 50000), raise_server_exceptions=False
    )


def phone(page):
    """A client of the same server from another machine."""
    return TestClient(
        page.app, base_url=HOME, client=("192.0.2.9", 50000), raise_server_exceptions=False
    )


def test_a_page_without_a_game_says_so(page):
    state = page.get("/api/state").json()
    assert state["phase"] == "idle" and state["game"] is None and not state["is_connected"]
    assert page.get("/").text.startswith("<!doctype html>")


def test_every_answer_carries_the_security_headers(page):
    for path in ("/", "/api/state", "/static/js/main.js", "/nowhere"):
        headers = page.get(path).headers
        assert all(headers[name] == value for name, value in HEADERS.items())


def test_a_foreign_host_is_refused(page):
    answer = page.get("/api/state", headers={"Host": "evil.example"})
    assert answer.status_code == 421 and "Host" in answer.json()["message"]


def test_an_act_of_another_site_is_refused(page):
    headers = {"Origin": "http://evil.example"}
    answer = page.post("/api/press", json={"button": "undo"}, headers=headers)
    assert answer.status_code == 403


def test_an_act_without_a_referee_says_so(page):
    answer = page.post("/api/press", json={"button": "undo"})
    assert answer.status_code == 409
    assert answer.json() == {"ok": False, "message": "the referee is not running"}


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/api/press", "[]", 400), ("/api/press", "{", 400), ("/api/press", "{}", 400),
        ("/api/press", '{"button": 3}', 400), ("/api/press", '{"button": "undo", "x": 1}', 400),
        ("/api/press", '{"button": "undo", "seat": true}', 400),
        ("/api/press", "[" * 15000, 400), ("/api/press", "a" * 20000, 413),
        ("/api/overrule", '{"call": "1", "verdict": "card"}', 400), ("/api/nowhere", "{}", 404),
        ("/api/state", "{}", 405),
    ],
)  # fmt: skip
def test_a_bad_request_is_one_clear_line(page, path, body, status):
    answer = page.post(path, content=body)
    assert answer.status_code == status
    assert "Traceback" not in answer.text and len(answer.text) < 300


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/api/evidence/1",
        "/api/evidence/1/..%2f..%2fdevices.jpg", "/api/evidence/1/0.jpg", "/api/evidence/-1",
        "/api/faces/..%2f..%2fx.jpg", "/api/picture.jpg",
    ],
)  # fmt: skip
def test_paths_lead_nowhere_else(page, path):
    assert page.get(path).status_code == 404


def test_a_phone_looks_and_acts_only_once_it_is_paired(page):
    other = phone(page)
    assert other.get("/api/state").status_code == 401
    assert other.post("/api/press", json={"button": "undo"}).status_code == 401
    assert other.get("/pair").status_code == 200
    digits = page.post("/api/pair/code", json={"role": "watcher"}).json()["digits"]
    assert other.post("/api/pair/code", json={}).status_code == 401
    assert other.post("/api/pair", json={"digits": "x", "name": "p"}).status_code == 403
    assert other.post("/api/pair", json={"digits": digits, "name": "p"}).status_code == 200
    assert other.get("/api/state").status_code == 200
    assert other.get("/api/me").json() == {
        "role": "watcher",
        "may_act": False,
        "may_film": False,
    }
    assert other.post("/api/press", json={"button": "undo"}).status_code == 403
    number = page.get("/api/devices").json()["devices"][0]["number"]
    assert page.request("DELETE", f"/api/devices/{number}", content="{}").status_code == 200
    assert other.get("/api/state").status_code == 401


def test_only_the_tables_screen_shows_the_code(page):
    access: Access = page.app.state.access
    token = access.pair(access.new_code(Role.REFEREE, 0.0).digits, "phone", 0.0)
    other = phone(page)
    headers = {"Authorization": f"Bearer {token}"}
    assert other.get("/api/state", headers=headers).status_code == 200
    assert other.post("/api/pair/code", json={}, headers=headers).status_code == 403
    assert other.get("/api/pair/qr.svg?digits=123456", headers=headers).status_code == 403
    assert "<svg" in page.get("/api/pair/qr.svg?digits=123456").text


def test_the_page_says_that_somebody_types_wrong_digits(page):
    page.post("/api/pair/code", json={})
    other = phone(page)
    for _ in range(7):
        assert other.post("/api/pair", json={"digits": "x"}).status_code == 403
    assert other.post("/api/pair", content='{"digits": "\\ud800"}').status_code == 400
    assert page.get("/api/state").json()["pairing"] == {"wrong": 5, "is_closed": False}
    tried = page.get("/api/devices").json()["tried"]
    assert tried == [{"address": "192.0.2.9", "wrong": 5}]
    digits = page.post("/api/pair/code", json={}).json()["digits"]
    assert page.get("/api/state").json()["pairing"]["wrong"] == 0
    assert other.post("/api/pair", json={"digits": digits}).status_code == 200


def test_the_streams_of_one_device_leave_room_for_others(page):
    hub, watcher = page.app.state.hub, Client(Role.WATCHER, "device 1")

    async def follow():
        streams = [hub.follow(client=watcher) for _ in range(200)]
        first = [await anext(each, None) for each in streams]
        assert sum(each is not None for each in first) == 8 == hub.followers
        others = [hub.follow(client=Client(Role.WATCHER, f"device {n}")) for n in range(2, 300)]
        for each in others:
            await anext(each, None)
        assert hub.followers == 180 and not hub.has_room(Client(Role.REFEREE, "device 999"))
        own = hub.follow()
        assert hub.has_room(OWN) and await anext(own)
        for each in (*streams, *others, own):
            await each.aclose()
        assert hub.followers == 0 and hub.has_room(watcher)

    asyncio.run(follow())


@pytest.mark.parametrize("digits", [10, 300, 5000])
def test_ids_of_many_digits_are_not_found(page, digits):
    n = "9" * digits
    for path in (
        "/api/evidence/N", "/api/evidence/N/0.jpg", "/api/history/N.jsonl", "/api/history/N.webm",
        "/api/evidence/1?game=N", "/api/evidence/1/N.jpg", "/api/faces/N.jpg", "/static/N",
        "/api/pair/qr.svg?digits=N",
    ):  # fmt: skip
        assert page.get(path.replace("N", n)).status_code in (400, 404), path
    assert page.request("DELETE", f"/api/devices/{n}", content="{}").status_code == 404


@pytest.mark.parametrize("text", ["[" * 5000, '{"players": 1e999}', '{"game": "\\ud800"}', "\xff"])
def test_a_damaged_last_game_is_left_out(page, tmp_path, text):
    (tmp_path / "last.json").write_text(text)
    answer = page.get("/api/setup")
    assert answer.status_code == 200 and answer.json()["last"] is None


def test_a_flood_of_acts_is_slowed_down(tmp_path):
    settings = PageSettings(folder=tmp_path, clock=lambda: 0.0)
    app = make_app(Hub(), Access(tmp_path / "devices.json"), settings)
    client = TestClient(app, base_url=HOME, client=("127.0.0.1", 50000))
    statuses = [client.post("/api/press", json={"button": "undo"}).status_code for _ in range(30)]
    assert statuses.count(429) == 30 - settings.limits.acts_at_once


def test_a_fuzz_run_over_all_endpoints_leaves_no_failure(page):
    rng = random.Random(20261123)
    paths = [route.path for route in page.app.routes if hasattr(route, "methods")]
    pieces = ["{}", "[]", "null", "1e999", '"x"', "\x00", "é", '{"button":"undo"}', "../", "%00"]
    for _ in range(400):
        path = rng.choice(paths).replace("{n:int}", str(rng.randrange(-1, 3)))
        path = path.replace("{number:int}", "7").replace("{name}", rng.choice(["card", "0", "~"]))
        path = path.replace("{face}", rng.choice(["hat", "%2e%2e", "é"]))
        if path == "/api/events":  # endless by design; it has a test of its own
            continue
        method = rng.choice(["GET", "POST", "DELETE", "PUT", "HEAD", "OPTIONS"])
        body = "".join(rng.choice(pieces) for _ in range(rng.randrange(3)))
        query = rng.choice(["", "?digits=12345678", "?digits=x", "?deck=%2fetc", "?pictures=1"])
        answer = page.request(method, path + query, content=body.encode())
        assert answer.status_code < 500, (method, path, query, body, answer.text)


def test_evidence_is_served_with_its_pictures(page, tmp_path):
    folder = tmp_path / "evidence" / "unkept" / "000003"
    folder.mkdir(parents=True)
    (folder / "evidence.json").write_text(json.dumps({"rest": 0, "frames": []}))
    (folder / "0.jpg").write_bytes(b"\xff\xd8")
    assert page.get("/api/evidence/3").json() == {"rest": 0, "frames": []}
    assert page.get("/api/evidence/3/0.jpg").content == b"\xff\xd8"
    assert page.get("/api/evidence/3/card.jpg").status_code == 404
    assert page.get("/api/evidence/3?game=12").status_code == 404
    folder.parent.rename(folder.parent.with_name("12"))
    assert page.get("/api/evidence/3?game=12").status_code == 200


@pytest.mark.parametrize("at", ["[0.5]", '["a", 1]', "[2, 0]", "[0, -1]", "[NaN, 0]", "{}"])
def test_a_place_is_moved_within_the_picture(page, at):
    answer = page.post("/api/places", content=f'{{"place": "pile/1", "at": {at}}}')
    assert answer.status_code == 400 and "expected" in answer.json()["message"]


def test_evidence_of_a_call_whose_second_goes_on_is_not_there_yet(page):
    hub = page.app.state.hub
    hub.state = {**hub.state, "at": 9.0, "calls": [{"n": 1, "at": 2.0}, {"n": 2, "at": 8.5}]}
    assert page.get("/api/evidence/2").status_code == 202
    assert page.get("/api/evidence/1").status_code == 404
