"""Who may film, one phone at a time; strange pictures and strange devices get one line."""

import json
import time

import cv2
import numpy as np
import pytest
from starlette.testclient import TestClient

from kiosk.web.access import Access, Role
from kiosk.web.app import make_app
from kiosk.web.camera import FILE, CameraChoice
from kiosk.web.hub import Hub
from kiosk.web.phone.desk import PhoneDesk
from kiosk.web.phone.routes import HEAD
from kiosk.web.security import Limits
from kiosk.web.settings import PageSettings

HOME = "https://localhost:8443"
WISH = {"width": 640, "height": 360, "is_awake": True, "is_locked": False}
PICTURE = cv2.imencode(".jpg", np.full((360, 640, 3), 90, np.uint8))[1].tobytes()


class Child:
    """A referee or a set-up that runs when it is told so."""

    said = ()

    def __init__(self):
        self.source, self.is_running, self.started = "0", False, []

    async def start(self, *_, **__):
        self.started.append(self.source)

    async def stop(self, **_):
        return True


@pytest.fixture
def app(tmp_path):
    return app_in(tmp_path)


def app_in(tmp_path, **more):
    settings = PageSettings(folder=tmp_path, journal=tmp_path / "journal.sqlite", **more)
    table, hour, hub = Child(), Child(), Hub()
    desk = PhoneDesk(CameraChoice(table, hour, tmp_path), on_change=hub.show_phone)
    return make_app(hub, Access(tmp_path / "devices.json"), settings, table, hour, desk)


def client(app, role=None, name="Anna"):
    """The table's own screen, or a paired device of that role, or nobody ("")."""
    if role is None:
        return TestClient(app, base_url=HOME, client=("127.0.0.1", 50000))
    found = TestClient(app, base_url=HOME, client=("192.0.2.9", 50000))
    if role:
        access = app.state.access
        token = access.pair(access.new_code(Role(role), 0.0).digits, name, 1.0)
        found.headers["Authorization"] = f"Bearer {token}"
    return found


def began(phone):
    return phone.post("/api/phone", json=WISH).json()["key"]


def sent(phone, key, number=0, data=PICTURE, **more):
    now = 1000 * time.monotonic()
    head = {"key": key, "number": number, "taken": now, "sent": now, "dropped": 0, **more}
    return phone.post("/api/phone/frames", content=data, headers={HEAD: json.dumps(head)})


def test_a_camera_s_device_films_and_does_nothing_else(app):
    phone = client(app, "camera")
    assert phone.get("/api/me").json() == {"role": "camera", "may_act": False, "may_film": True}
    key = began(phone)
    answer = sent(phone, key)
    assert answer.status_code == 200 and answer.json()["pause_ms"] > 100  # nobody looks
    assert client(app).get("/api/state").json()["phone"] == {"name": "Anna", "is_lost": False}
    parts = client(app).get("/api/health").json()["parts"]
    assert any(p["name"] == "phone" and "640x360" in p["words"] for p in parts)
    for path, body in (
        ("/api/press", {"button": "undo"}), ("/api/camera", {"phone": False}),
        ("/api/games", {"game": "suds", "players": 3, "deck": "suds"}),
    ):  # fmt: skip
        assert phone.post(path, json=body).status_code == 403, path
    assert phone.request("DELETE", "/api/phone", json={"key": key}).json()["ok"]
    assert client(app).get("/api/state").json()["phone"] is None


@pytest.mark.parametrize(("role", "status"), [("", 401), ("watcher", 403)])
def test_who_may_not_film_is_refused(app, role, status):
    other, key = client(app, role), began(client(app, "camera"))
    assert other.post("/api/phone", json=WISH).status_code == status
    assert other.post("/api/phone/time", json={"key": key, "sent": 1.0}).status_code == status
    assert other.post("/api/phone/offer", json={}).status_code == status
    assert other.request("DELETE", "/api/phone", json={"key": key}).status_code == status
    assert sent(other, key, data=b"x").status_code == status
    assert "\n" not in other.post("/api/phone", json=WISH).json()["message"]


def test_a_second_phone_is_told_which_one_films(app):
    first = client(app, "camera", "Anna's phone")
    key = began(first)
    second = client(app, "referee", "Ben")
    answer = second.post("/api/phone", json=WISH)
    assert answer.status_code == 409 and "found Anna's phone" in answer.json()["message"]
    assert sent(second, key).status_code == 410  # not with the key of another device either
    assert second.request("DELETE", "/api/phone", json={}).json()["ok"]  # who may act may stop it
    assert sent(first, key).status_code == 410
    assert second.post("/api/phone", json=WISH).json()["ok"]


@pytest.mark.parametrize("data", [b"", b"\xff\xd8\xff\xd9", PICTURE[:-9], b"\x89PNG", b"x" * 9999])
def test_what_is_no_picture_is_one_line(app, data):
    phone = client(app, "camera")
    answer = sent(phone, began(phone), data=data)
    assert answer.status_code == 400
    assert answer.json()["message"].startswith("expected ") and "\n" not in answer.text


@pytest.mark.parametrize(
    "head",
    ["", "{", "{}", '{"key": 1}', "\xff", '{"key": "k", "number": -1}', "[" * 5000, "null"],
)
def test_a_strange_head_of_a_picture_is_one_line(app, head):
    phone = client(app, "camera")
    began(phone)
    answer = phone.post("/api/phone/frames", content=PICTURE, headers={HEAD: head.encode("latin1")})
    assert answer.status_code == 400 and "\n" not in answer.text


@pytest.mark.parametrize(
    "wish",
    [{}, {**WISH, "width": 9}, {**WISH, "height": 9000}, {**WISH, "width": 1e99},
     {**WISH, "is_awake": "yes"}, {**WISH, "more": 1}, [], "x", None],
)  # fmt: skip
def test_a_strange_wish_to_film_is_one_line(app, wish):
    answer = client(app, "camera").post("/api/phone", json=wish)
    assert answer.status_code == 400 and "\n" not in answer.text


def test_pictures_have_bounds_of_their_own_size_and_rate(tmp_path):
    app = app_in(tmp_path, clock=lambda: 5.0)  # all at once, on a slow machine too
    phone = client(app, "camera")
    key = began(phone)
    assert sent(phone, key, data=bytes(2 << 20)).status_code == 413
    most = int(Limits().frames_per_s)
    found = [sent(phone, key, number).status_code for number in range(most + 2)]
    assert found == [200] * most + [429] * 2
    watcher = client(app, "watcher")
    assert sent(watcher, key, data=bytes(100_000)).status_code == 413  # no larger than an act's


def test_another_site_s_page_cannot_film(app):
    phone = client(app, "camera")
    for path in ("/api/phone", "/api/phone/frames", "/api/camera", "/api/phone/offer"):
        answer = phone.post(path, json=WISH, headers={"Origin": "https://evil.example"})
        assert answer.status_code == 403 and "another site" in answer.json()["message"]
        rebound = phone.post(path, json=WISH, headers={"Host": "evil.example"})
        assert rebound.status_code == 421


def test_only_the_page_that_films_may_ask_for_a_camera(app):
    policies = {
        path: client(app).get(path).headers["permissions-policy"]
        for path in ("/", "/pair", "/phone", "/api/me")
    }
    assert policies["/phone"].startswith("camera=(self)")
    assert all(policies[path].startswith("camera=()") for path in ("/", "/pair", "/api/me"))


def test_a_phone_that_films_becomes_the_camera_unless_a_game_runs(app, tmp_path):
    table, hour = app.state.table, app.state.hour
    phone = client(app, "camera")
    table.is_running = True
    key = began(phone)
    assert table.source == "0"
    assert client(app).post("/api/camera", json={"phone": True}).status_code == 409
    table.is_running, hour.is_running = False, True
    phone.request("DELETE", "/api/phone", json={"key": key})
    began(phone)
    assert (table.source, hour.source, hour.started) == ("phone", "phone", ["phone"])
    again = Child()
    assert CameraChoice(again, None, tmp_path).is_phone and again.source == "phone"
    assert client(app).post("/api/camera", json={"phone": False}).json()["ok"]
    assert (table.source, hour.started) == ("0", ["phone", "0"])
    found = client(app).get("/api/phone").json()
    assert (found["is_phone"], found["own"], found["phone"]["name"]) == (False, "0", "Anna")


@pytest.mark.parametrize("text", ["", "{", '{"phone": "yes"}', "[" * 5000, "\xff"])
def test_a_damaged_choice_of_a_camera_is_left_out(tmp_path, text):
    (tmp_path / FILE).write_text(text)
    table = Child()
    assert not CameraChoice(table, None, tmp_path).is_phone and table.source == "0"


def test_a_page_of_one_game_takes_no_phone(tmp_path):
    settings = PageSettings(folder=tmp_path, journal=tmp_path / "journal.sqlite")
    page = client(make_app(Hub(), Access(tmp_path / "devices.json"), settings))
    answer = page.post("/api/phone", json=WISH)
    assert answer.status_code == 409 and "fairdeal kiosk" in answer.json()["message"]
    assert not page.get("/api/phone").json()["can_film"]
