"""Messages to systemd, received on a real socket."""

import socket

import pytest

from kiosk.game.news import GameBegan, LostBy, ViewFound, ViewLost
from kiosk.game.systemd import SystemdNotifier
from rules.contract.game import make_setup
from rules.games import game


class Manager:
    """systemd's end of the socket."""

    def __init__(self, path):
        self.path = str(path)
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
        self.socket.bind(self.path)

    def heard(self):
        out = []
        while True:
            try:
                out.append(self.socket.recv(4096).decode())
            except BlockingIOError:
                return out


@pytest.fixture
def manager(tmp_path):
    made = Manager(tmp_path / "notify")
    yield made
    made.socket.close()


def notifier(manager, now, usec="8000000"):
    environment = {"NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": usec}
    return SystemdNotifier(environment, lambda: now[0])


def test_the_first_turn_is_ready_and_beats_come_four_times_in_the_time(manager):
    now = [100.0]
    sender = notifier(manager, now)
    for _ in range(33):
        sender.beat()
        now[0] += 0.25
    heard = manager.heard()
    assert heard[0] == "READY=1" and heard.count("READY=1") == 1
    assert heard.count("WATCHDOG=1") == 5


def test_without_a_watchdog_only_ready_is_said(manager):
    now = [0.0]
    sender = notifier(manager, now, usec="")
    for _ in range(10):
        sender.beat()
        now[0] += 10
    assert manager.heard() == ["READY=1"]


def test_the_status_names_the_game_and_a_lost_camera(manager):
    sender, suds = notifier(manager, [0.0]), game("suds")
    setup = make_setup(suds, 3, {})
    sender.hear(GameBegan(suds, setup, ("bottom", "left", "top"), view=None))
    sender.hear(ViewLost(1.0, LostBy.CAMERA, "camera lost: no\npicture"))
    sender.hear(ViewFound(2.0))
    playing = f"STATUS={suds.title}, 3 players"
    assert manager.heard() == [playing, f"{playing}; camera lost: no\\npicture", playing]


def test_a_manager_that_is_away_costs_nothing(tmp_path):
    environment = {"NOTIFY_SOCKET": str(tmp_path / "nobody"), "WATCHDOG_USEC": "1000"}
    SystemdNotifier(environment, lambda: 0.0).beat()
    SystemdNotifier({}, lambda: 0.0).beat()
