"""`fairdeal club` under crowds and half requests: its own screen is served, its log stays short."""

import os
import resource
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from needed_tools import PROC, needs
from patience import PATIENCE_S

from host.ports import free_port
from kiosk.club.newclub import NewClub, write_club_files
from kiosk.serving.connections import ConnectionLimits

CROWD = 700
FILES = 256  # open files that the board may have
OWN, STRANGER = "127.0.0.1", "127.0.0.2"  # the second is no loopback name: it counts as foreign
HALVES = {
    "silent": b"", "half a header": b"GET / HTTP/1.1\r\nHost: x\r\n",
    "half a body": b"POST /api/pair HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{",
}  # fmt: skip


@contextmanager
def board(folder):
    """A board whose broker is away: its port, its process, and the file of what it says."""
    write_club_files(folder, NewClub.make("harbour", 2), "127.0.0.1", free_port())
    words = ["club", "--club", str(folder / "board.toml"), "--port", "0", "--host", "0.0.0.0"]
    said = folder / "said.txt"
    with said.open("wb") as log:
        child = subprocess.Popen(
            [sys.executable, "-m", "kiosk.cli", *words], stdout=subprocess.PIPE, stderr=log,
            text=True, env={**os.environ, "FAIRDEAL_HOME": str(folder)},
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, FILES)),
        )  # fmt: skip
        try:
            yield int(child.stdout.readline().rstrip("/\n").rpartition(":")[2]), child.pid, said
        finally:
            child.terminate()
            assert child.wait(PATIENCE_S) == 128 + signal.SIGTERM


def connected(port, host):
    found = socket.socket()
    found.bind((host, 0))
    found.settimeout(PATIENCE_S)
    found.connect((OWN, port))
    return found


def asked(port):
    """The answer to the board's own screen."""
    with connected(port, OWN) as screen:
        screen.sendall(b"GET /api/board HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        found = b""
        while part := screen.recv(65536):
            found += part
        return found


@needs(PROC)
@pytest.mark.parametrize("half", list(HALVES))
def test_a_crowd_leaves_the_board_s_own_screen_served(tmp_path, half):
    with board(tmp_path) as (port, process, said), ExitStack() as crowd:
        for _ in range(CROWD):
            one = crowd.enter_context(connected(port, STRANGER))
            try:
                one.sendall(HALVES[half])
            except OSError:
                continue  # it was refused
        assert b" 200 OK" in asked(port)
        held = len(list(Path(f"/proc/{process}/fd").iterdir()))
        assert held < ConnectionLimits().each + 60
    lines = [line for line in said.read_text().splitlines() if "broker" not in line]
    assert len(lines) <= 5 and "127.0.0.2 was refused" in "".join(lines), lines
    assert "Traceback" not in "".join(lines) and said.stat().st_size < 4000
