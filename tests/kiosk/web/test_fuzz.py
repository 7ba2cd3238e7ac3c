"""Every endpoint under strange requests: one clear line, the right status, never a traceback."""

import json
import random
import string

import cv2
import numpy as np
import pytest
from starlette.routing import Mount
from starlette.testclient import TestClient

from kiosk.web.access import Access, Role
from kiosk.web.app import make_app
from kiosk.web.camera import CameraChoice
from kiosk.web.guard import OPEN_PATHS
from kiosk.web.hub import Hub
from kiosk.web.phone.desk import PhoneDesk
from kiosk.web.security import Limits
from kiosk.web.settings import PageSettings
from rules.errors import FairdealError

HOME = "http://localhost:8080"
REQUESTS = 1500
METHODS = ("GET", "POST", "DELETE", "PUT", "HEAD", "PATCH", "OPTIONS")
STRANGE = (
    "..", "../../etc/passwd", "%2e%2e%2f", "%00", "a" * 300, "-1", "0", "999999999999999999999",
    "1.5", "hat", "suds", "back", "my-suds", "é", "%ff", "'", "<script>", "null", "1e9", "//", "٣",
)  # fmt: skip


class FakeChild:
    """A referee or a set-up that never starts: the fuzz must not open a camera."""

    source, said, is_running, deck = "0", ("fairdeal: no camera",), False, ""

    async def start(self, *_, **__):
        raise FairdealError("a camera that opens", "none")

    async def stop(self, **_):
        return False


@pytest.fixture(params=["kiosk", "demo"])
def app(request, tmp_path, monkeypatch):
    monkeypatch.setenv("FAIRDEAL_HOME", str(tmp_path))  # the machine's settings are written
    settings = PageSettings(folder=tmp_path, journal=tmp_path / "journal.sqlite",
        limits=Limits(acts_at_once=10**6))  # fmt: skip
    parts = ()
    if request.param == "kiosk":
        table, hour = FakeChild(), FakeChild()
        parts = (table, hour, PhoneDesk(CameraChoice(table, hour, tmp_path)))
    return make_app(Hub(), Access(tmp_path / "devices.json"), settings, *parts)


def client(app, host="127.0.0.1"):
    """A client that raises what the server did not catch."""
    return TestClient(app, base_url=HOME, client=(host, 50000))


def paths(app):
    """The path of each route, with its parameters still in braces; streams without an end left
    out."""
    found = [r.path for r in app.routes if not isinstance(r, Mount) and r.path != "/api/events"]
    return [*found, "/static/{name}", "/{name}", "/api/{name}"]


def filled(path, rng):
    """A path with something in the place of each parameter."""
    parts = []
    for part in path.split("/"):
        while "{" in part:
            start, end = part.index("{"), part.index("}")
            value = rng.choice(STRANGE) if rng.random() < 0.8 else str(rng.randint(0, 9))
            part = part[:start] + value + part[end + 1 :]
        parts.append(part)
    return "/".join(parts)


def value(rng, depth=0):
    """Any JSON, now and then deep or huge."""
    kinds = [
        lambda: None, lambda: rng.choice([True, False]), lambda: rng.randint(-(10**12), 10**12),
        lambda: rng.choice([float("nan"), float("inf"), -0.0, 1e308]),
        lambda: "".join(rng.choices(string.printable, k=rng.randint(0, 250))),
        lambda: rng.choice(STRANGE),
    ]  # fmt: skip
    if depth < 3:
        kinds += [
            lambda: [value(rng, depth + 1) for _ in range(rng.randint(0, 4))],
            lambda: {rng.choice(KEYS): value(rng, depth + 1) for _ in range(rng.randint(0, 4))},
        ]
    return rng.choice(kinds)()


KEYS = (
    "button", "seat", "call", "verdict", "card", "game", "players", "deck", "seats", "options",
    "names", "order", "step", "corners", "width_mm", "name", "face", "place", "at", "digits",
    "role", "speak", "mute_s", "on", "number", "x",
)  # fmt: skip
LIKELY = {
    "game": "suds", "players": 2, "deck": "suds", "seats": ["bottom", "top"], "order": "corners",
    "button": "undo", "call": 1, "verdict": "card", "card": "hat", "digits": "123456",
    "role": "watcher", "step": "table", "names": ["Anna", ""],
    "on": True, "number": 1,
}  # fmt: skip


def body(rng):
    """A body: nothing, bytes, broken JSON, any JSON, or an act with some keys right."""
    pick = rng.random()
    if pick < 0.1:
        return b""
    if pick < 0.2:
        return rng.randbytes(rng.randint(1, 400))
    if pick < 0.3:
        return b"[" * 5000
    if pick < 0.5:
        return json.dumps(value(rng)).encode()
    keys = rng.sample(KEYS, rng.randint(1, 6))
    act = {k: LIKELY.get(k, value(rng)) if rng.random() < 0.7 else value(rng) for k in keys}
    return json.dumps(act).encode()


def test_no_request_leaves_a_traceback(app):
    rng, known = random.Random(22), paths(app)
    with client(app) as page:  # one event loop for all requests, not a new one for each
        for number in range(REQUESTS):
            method, path = rng.choice(METHODS), filled(rng.choice(known), rng)
            query = f"?{rng.choice(KEYS)}={rng.choice(STRANGE)}" if rng.random() < 0.3 else ""
            sent = None if method in ("GET", "HEAD", "OPTIONS") else body(rng)
            answer = page.request(method, path + query, content=sent)
            assert answer.status_code < 500, (number, method, path, sent)
            is_refused = answer.status_code >= 400 and method != "HEAD"
            if is_refused:
                found = answer.json()
                assert not found["ok"] and found["message"] and "\n" not in found["message"], path
                assert "Traceback" not in answer.text


def test_nothing_outside_the_page_s_folder_is_read_or_written(app, tmp_path):
    secret = tmp_path.parent / "secret.jpg"
    secret.write_bytes(b"\xff\xd8\xffsecret")
    page = client(app)
    for path in (
        "/static/../../secret.jpg", "/static/%2e%2e/%2e%2e/secret.jpg",
        "/api/first-hour/pictures/..%2fsecret.jpg", "/api/first-hour/photographs/../secret.jpg",
        "/api/evidence/1/..%2f..%2fsecret.jpg", "/api/faces/..%2fsecret.jpg",
        "/api/evidence/1/card.jpg?game=../..",
    ):  # fmt: skip
        answer = page.get(path)
        assert answer.status_code in (404, 421), path
        assert b"secret" not in answer.content
    before = sorted(p.name for p in tmp_path.parent.iterdir())
    photograph = cv2.imencode(".jpg", np.full((480, 640, 3), 90, np.uint8))[1].tobytes()
    for name in ("..", "%2e%2e", "..%2f..", "a%2fb", "A", "", "x" * 60):
        page.put(f"/api/first-hour/photographs/{name}/hat", content=photograph)
        page.put(f"/api/first-hour/photographs/{name}/..%2fhat", content=photograph)
    assert sorted(p.name for p in tmp_path.parent.iterdir()) == before


@pytest.mark.parametrize("path", ["/api/press", "/api/games", "/api/first-hour/order"])
def test_a_body_of_ten_megabytes_is_refused_before_it_is_read(app, path):
    answer = client(app).post(path, content=b"x" * 10_000_000)
    assert answer.status_code == 413 and "16384 bytes" in answer.json()["message"]


def test_a_photograph_may_be_larger_but_not_of_any_size_nor_of_a_watcher(app):
    path = "/api/first-hour/photographs/my-suds/hat"
    answer = client(app).put(path, content=b"\xff\xd8\xff" + bytes(13_000_000))
    assert answer.status_code == 413 and "12582912 bytes" in answer.json()["message"]
    access = app.state.access
    token = access.pair(access.new_code(Role.WATCHER, 0.0).digits, "phone", 1.0)
    watcher = client(app, "192.0.2.9")
    watcher.headers["Authorization"] = f"Bearer {token}"
    answer = watcher.put(path, content=b"\xff\xd8\xff" + bytes(1_000_000))
    assert answer.status_code == 413 and "16384 bytes" in answer.json()["message"]
    assert watcher.put(path, content=b"\xff\xd8\xff").status_code == 403


def test_a_stranger_gets_nothing_but_the_page_and_the_pairing(app):
    stranger = client(app, "192.0.2.9")
    rng = random.Random(5)
    for path in paths(app)[:-2]:
        answer = stranger.get(filled(path.replace("{name}", "0"), rng))
        is_open = path in OPEN_PATHS or path.startswith("/static")
        assert is_open or answer.status_code == 401, path


def test_an_unknown_game_is_one_line(app):
    answer = client(app).post("/api/games", json={"game": "chess", "players": 2, "deck": "suds"})
    assert answer.status_code == 409
    assert "\n" not in answer.json()["message"]
    if app.state.table is not None:
        assert "chess" in answer.json()["message"] and "suds" in answer.json()["message"]
