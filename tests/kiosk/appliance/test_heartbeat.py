"""systemd hears a beat only while both the server and the judging loop live."""

import asyncio
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from kiosk.appliance.heartbeat import START_S, Pulse, beating
from kiosk.appliance.proved import note_proved


def test_without_a_game_the_servers_own_beat_counts() -> None:
    pulse = Pulse(30.0)
    assert all(pulse.is_alive(at, is_running=False) for at in (0.0, 500.0, 1e6))


def test_a_referee_may_take_its_time_to_start_and_no_longer() -> None:
    pulse = Pulse(30.0)
    assert pulse.is_alive(1000.0, is_running=True)
    assert pulse.is_alive(1000.0 + START_S - 1, is_running=True)
    assert not pulse.is_alive(1000.0 + START_S, is_running=True)


def test_a_loop_that_hangs_is_noticed_within_the_watchdogs_time() -> None:
    pulse = Pulse(30.0)
    pulse.is_alive(0.0, is_running=True)
    pulse.hear(5.0)
    assert pulse.is_alive(34.0, is_running=True)
    assert not pulse.is_alive(35.0, is_running=True)
    # The referee was killed: the server waits before it starts another one.
    assert pulse.is_alive(36.0, is_running=False)
    assert pulse.is_alive(40.0, is_running=True)


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[socket.socket]:
    """systemd's end of NOTIFY_SOCKET."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as end:
        end.bind(str(tmp_path / "systemd"))
        end.setblocking(False)
        yield end


def test_the_server_says_ready_and_passes_the_referees_status_on(
    tmp_path: Path, manager: socket.socket
) -> None:
    environment = {"NOTIFY_SOCKET": manager.getsockname(), "WATCHDOG_USEC": "30000000"}

    async def served() -> list[str]:
        heard = []
        loop = asyncio.get_running_loop()
        with beating(tmp_path, lambda: True, environment) as begin:
            inner = environment["NOTIFY_SOCKET"]
            assert inner != manager.getsockname()
            begin()
            heard += [(await loop.sock_recv(manager, 100)).decode() for _ in range(2)]
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as referee:
                referee.sendto(b"READY=1\nSTATUS=Suds, 3 players", inner)
            heard.append((await loop.sock_recv(manager, 100)).decode())
        return heard

    assert asyncio.run(served()) == ["READY=1", "WATCHDOG=1", "STATUS=Suds, 3 players"]
    assert environment["NOTIFY_SOCKET"] == manager.getsockname()
    assert not (tmp_path / "notices").exists()


def test_without_systemd_nothing_is_sent_or_changed(tmp_path: Path) -> None:
    environment: dict[str, str] = {}

    async def served() -> None:
        with beating(tmp_path, lambda: False, environment) as begin:
            begin()

    asyncio.run(served())
    assert environment == {} and list(tmp_path.iterdir()) == []


def test_a_packaged_version_notes_that_it_has_proved_itself(tmp_path: Path) -> None:
    state, opt = tmp_path / "state", tmp_path / "opt"
    state.mkdir()
    note_proved(state, Path("/usr"), opt)
    assert list(state.iterdir()) == []
    note_proved(state, opt / "versions/2.0", opt)
    assert (state / "proved").read_text() == "versions/2.0\n"
    assert os.listdir(state) == ["proved"]
    note_proved(tmp_path / "gone", opt / "versions/2.0", opt)
