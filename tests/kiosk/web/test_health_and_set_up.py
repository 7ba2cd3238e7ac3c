"""The health view's parts, and the routes of the set-up: one camera, photographs, orders."""

import cv2
import numpy as np
import pytest
from starlette.testclient import TestClient

from calibration.finding import Finding, Verdict
from kiosk.game.health import CameraHealth, ErrorLine, Health
from kiosk.game.news import HealthRead
from kiosk.web.access import Access
from kiosk.web.app import make_app
from kiosk.web.first_hour.record import save_steps
from kiosk.web.first_hour.steps import HourState, Mark, Standing, Step
from kiosk.web.health import game_health
from kiosk.web.hub import Hub
from kiosk.web.security import Limits
from kiosk.web.settings import PageSettings
from kiosk.web.state import PageState, after
from kiosk.web.table import RefereeState
from kiosk.web.wire import Message

PLAIN = np.full((480, 640, 3), 90, np.uint8)
JPEG, PNG = (cv2.imencode(ending, PLAIN)[1].tobytes() for ending in (".jpg", ".png"))
PHOTOGRAPH = "/api/first-hour/photographs/my-suds/hat"


class FakeChild:
    """A referee or a set-up that starts at once; notes what was asked of it."""

    def __init__(self, log, name):
        self.log, self.name, self.is_running = log, name, False
        self.source, self.said = "0", ("a line",)

    async def start(self, *_):
        self.log.append(f"start {self.name}")
        self.is_running = True

    async def stop(self, **_):
        was_running, self.is_running = self.is_running, False
        if was_running:
            self.log.append(f"stop {self.name}")
        return was_running


@pytest.fixture
def page(tmp_path):
    """The page of a kiosk whose children are fakes; `log` tells what happened to them."""
    settings = PageSettings(folder=tmp_path, limits=Limits(acts_at_once=500))
    log = []
    app = make_app(
        Hub(), Access(tmp_path / "devices.json"), settings,
        FakeChild(log, "referee"), FakeChild(log, "set-up"),
    )  # fmt: skip
    client = TestClient(app, base_url="http://localhost:8080", client=("127.0.0.1", 50000))
    client.log = log
    return client


def test_the_camera_passes_from_the_set_up_to_the_game_and_never_back_by_force(page):
    assert page.post("/api/first-hour", json={}).status_code == 200
    game = {"game": "suds", "players": 2, "deck": "suds", "names": ["Anna\x1b", "Ben" * 20]}
    assert page.post("/api/games", json=game).status_code == 200
    assert page.log == ["start set-up", "stop set-up", "start referee"]
    refused = page.post("/api/first-hour", json={})
    assert refused.status_code == 409 and "stop it first" in refused.json()["message"]
    assert page.get("/api/setup").json()["last"]["names"] == ["Anna", ("Ben" * 20)[:24]]


def test_an_order_without_a_set_up_says_so(page):
    answer = page.post("/api/first-hour/order", json={"order": "mat"})
    assert answer.status_code == 409 and answer.json()["message"] == "no set-up is running"
    assert page.request("DELETE", "/api/first-hour", json={}).status_code == 409


def test_a_photograph_takes_the_place_of_an_earlier_one(page, tmp_path):
    assert page.put(PHOTOGRAPH, content=JPEG).status_code == 200
    assert page.put(PHOTOGRAPH, content=PNG).status_code == 200
    folder = tmp_path / "teaching" / "my-suds"
    assert [path.name for path in folder.iterdir()] == ["hat.png"]
    assert page.get(f"{PHOTOGRAPH}.jpg").content == PNG


@pytest.mark.parametrize(
    ("path", "content", "status"),
    [
        (PHOTOGRAPH, b"GIF89a", 415),
        (PHOTOGRAPH, b"", 415),
        ("/api/first-hour/photographs/my-suds/ace-of-cups", JPEG, 404),
        ("/api/first-hour/photographs/My Suds/hat", JPEG, 404),
    ],
)
def test_what_is_no_photograph_of_a_card_is_not_kept(page, tmp_path, path, content, status):
    assert page.put(path, content=content).status_code == status
    assert not (tmp_path / "teaching").exists()


def test_the_health_view_names_skipped_and_open_steps(page, tmp_path):
    done = {Step.CAMERA: Standing(Mark.PASSED), Step.LAMPS: Standing(Mark.SKIPPED)}
    save_steps(tmp_path, done)
    found = page.get("/api/health").json()
    assert found["open_steps"] == ["table", "deck", "lamps", "trial", "check"]
    assert any(part["name"] == "disk" for part in found["parts"])


def test_a_referee_that_waits_for_its_restart_tells_why():
    hub = Hub()
    hub.show_referee(RefereeState(False, "camera lost: unplugged", 5.0, 3).to_json())
    (referee,) = game_health(hub.snapshot())
    assert referee.state is Verdict.BAD
    assert "unplugged" in referee.words and "within 5 s" in referee.words


def test_what_the_running_game_read_stands_on_the_page():
    error = ErrorLine(1.0, "journal: disk full")
    health = Health(2.0, CameraHealth(14.0, 0.08, 0.05, 3, "no picture"), errors=(error,))
    hub = Hub()
    hub._take(Message("state", after(PageState(), HealthRead(health)).to_json()))
    shown = hub.snapshot()["health"]
    assert (shown["latency_ms"], shown["drops"]) == (80.0, 3)
    assert shown["errors"] == [{"when": 1.0, "line": "journal: disk full"}]
    parts = {part.name: part for part in game_health(hub.snapshot())}
    assert parts["camera"] == Finding("camera", Verdict.BAD, "no picture", "check its cable")


def test_a_lost_view_is_a_fault_of_the_camera_part_even_while_frames_come():
    from dataclasses import replace

    hub = Hub()
    state = after(PageState(), HealthRead(Health(2.0, CameraHealth(14.0))))
    hub._take(Message("state", replace(state, lost="a hand covers the lens").to_json()))
    camera = next(part for part in game_health(hub.snapshot()) if part.name == "camera")
    assert (camera.state, camera.words) == (Verdict.BAD, "a hand covers the lens")


def test_while_the_set_up_holds_the_camera_the_referee_is_not_taken_for_connected():
    hub = Hub()
    hub._take(Message("hour", {"hour": HourState("0", lost="no camera 0").to_json()}))
    snapshot = hub.snapshot()
    assert snapshot["first_hour"]["step"] == "camera" and not snapshot["is_connected"]
    (camera,) = game_health(snapshot)
    assert (camera.name, camera.words) == ("camera", "no camera 0")
