"""`fairdeal club` and `fairdeal referee --club` as commands: what they refuse and leave behind."""

import json
import os
import signal
import subprocess
import sys
import urllib.request
from dataclasses import replace
from pathlib import Path

import pytest
from club_tables import hall, require_broker, until

from kiosk.cli import main
from kiosk.club import newclub
from kiosk.club.broker import BrokerProcess, TlsFiles
from kiosk.club.mqtt import Broker
from kiosk.club.newclub import AT_BROKER, BOARD, accounts_of, new_club
from kiosk.club.settings import read_club_file
from kiosk.serving.openssl import new_certificate
from rules.errors import FairdealError


def refused(capsys, *words):
    """The line with which a command is refused."""
    assert main(["club", *words]) == 2
    lines = capsys.readouterr().err.strip().splitlines()
    assert len(lines) == 1 and lines[0].startswith("fairdeal: ")
    return lines[0]


def test_one_of_three_ways_is_needed(capsys, tmp_path):
    assert "--club FILE, --demo and --new DIR, found none" in refused(capsys)
    assert "--demo and --new" in refused(capsys, "--demo", "--new", str(tmp_path / "x"))


def test_a_file_that_others_can_read_is_refused(capsys, tmp_path):
    path = tmp_path / "board.toml"
    path.write_text('[club]\nname = "harbour"\n')
    path.chmod(0o644)
    assert "mode 0600" in refused(capsys, "--club", str(path))


def test_what_is_no_club_is_refused(capsys, tmp_path):
    new = ("--new", str(tmp_path / "new"))
    assert "--broker" in refused(capsys, *new)
    assert "the name of a club" in refused(capsys, *new, "--name", "A B", "--broker", "b")
    assert "1 to 1000 tables" in refused(capsys, *new, "--tables", "0", "--broker", "b")
    (tmp_path / "new").mkdir(exist_ok=True)
    (tmp_path / "new" / "file").write_text("in the way")
    assert "a new folder" in refused(capsys, *new, "--broker", "b")


@pytest.mark.parametrize("host", ["", "a b", "a,b", "x\n", "-a", "b/c", "ü", "a" * 300, "::1%x y"])
def test_a_refused_new_club_leaves_nothing_behind(host, capsys, tmp_path):
    """So that the corrected command is taken."""
    folder = tmp_path / "harbour"
    assert "--broker" in refused(capsys, "--new", str(folder), f"--broker={host}")
    assert not folder.exists()


@pytest.mark.parametrize("was_there", [False, True])
@pytest.mark.parametrize(
    "fault", [FairdealError("passwords", "none"), OSError(28, "full"), KeyError]
)
def test_a_new_club_that_fails_on_the_way_leaves_nothing_behind(
    fault, was_there, monkeypatch, tmp_path
):
    def fail(*_):
        raise fault

    folder = tmp_path / "harbour"
    if was_there:
        folder.mkdir()
    monkeypatch.setattr(newclub, "_write_certificates", lambda keys, *_: write_a_key(keys))
    monkeypatch.setattr(newclub, "write_accounts", fail)
    with pytest.raises(KeyError if fault is KeyError else FairdealError):
        new_club(folder, "harbour", 1, "broker.local")
    assert folder.exists() == was_there and (not was_there or not any(folder.iterdir()))


def write_a_key(keys):
    (keys / "ca.pem").write_text("a key")


def test_a_new_club_under_a_file_is_refused(capsys, tmp_path):
    (tmp_path / "file").write_text("")
    assert "a new folder" in refused(capsys, "--new", str(tmp_path / "file" / "x"), "--broker", "b")


def test_a_referee_with_a_wrong_club_file_says_so(tmp_path):
    path = tmp_path / "table.toml"
    path.write_text("[club]\n")
    path.chmod(0o600)
    words = ["referee", "suds", "--source", "simulated", "--club", str(path), "--headless"]
    done = subprocess.run(
        [sys.executable, "-m", "kiosk.cli", *words], capture_output=True, text=True, timeout=300,
        env={**os.environ, "FAIRDEAL_HOME": str(tmp_path)},
    )  # fmt: skip
    assert done.returncode == 2
    assert "the name of a club" in done.stderr and "Traceback" not in done.stderr


def test_a_new_club_lets_its_own_in_and_nobody_else(tmp_path, capsys):
    """TLS and passwords as `--new` writes them, at a real broker."""
    require_broker()
    folder = tmp_path / "harbour"
    words = ["--new", str(folder), "--name", "harbour", "--tables", "2", "--broker", "127.0.0.1"]
    assert main(["club", *words]) == 0
    assert "sudo systemctl restart mosquitto" in capsys.readouterr().out
    for name in ("table-1.toml", "table-2.toml", "board.toml", "homeassistant.txt"):
        assert (folder / name).stat().st_mode & 0o777 == 0o600, name
    board, keys = read_club_file(folder / "board.toml", is_table=False), folder / "broker"
    tls = TlsFiles(keys / "ca.pem", keys / "broker.pem", keys / "broker.key")
    with BrokerProcess(keys, (), tls, passwords=keys / "passwords", rules=keys / "rules") as broker:
        for file, is_let_in in ((board, True), (other(board, password="wrong"), False)):
            said = []
            client = Broker(at(file, broker.port), "probe", lambda: None, said.append)
            client.start(())
            until(lambda c=client, s=said: c.is_connected or s, "an answer")
            assert client.is_connected == is_let_in
            client.stop()
        said = []
        stranger = Broker(other_ca(board, broker.port), "s", lambda: None, said.append)
        stranger.start(())
        until(lambda: said, "a refusal")
        assert not stranger.is_connected
        stranger.stop()
    config = (keys / "fairdeal.conf").read_text()
    assert f"{AT_BROKER}/passwords" in config and "allow_anonymous false" in config


def test_a_client_certificate_lets_in_and_none_does_not(tmp_path):
    require_broker()
    folder, name = tmp_path / "harbour", "client"
    new_club(folder, "harbour", 1, "127.0.0.1")
    keys = folder / "broker"
    new_certificate(keys, name, "table-1", 2, ["basicConstraints=CA:FALSE"])
    tls = TlsFiles(keys / "ca.pem", keys / "broker.pem", keys / "broker.key", True)
    file = read_club_file(folder / "table-1.toml", is_table=True)
    with BrokerProcess(keys, (), tls, passwords=keys / "passwords", rules=keys / "rules") as broker:
        shown = {"certificate": str(keys / f"{name}.pem"), "key": str(keys / f"{name}.key")}
        for change, is_let_in in ((shown, True), ({}, False)):
            said = []
            client = Broker(at(file, broker.port, **change), "c", lambda: None, said.append)
            client.start(())
            until(lambda c=client, s=said: c.is_connected or s, "an answer")
            assert client.is_connected == is_let_in
            client.stop()


def at(file, port, **change):
    return replace(file.broker, port=port, **change)


def other(file, **change):
    return replace(file, broker=replace(file.broker, **change))


def other_ca(file, port):
    """A client that trusts the system's authorities only."""
    return at(file, port, ca="")


def test_the_demo_shows_four_tables_and_leaves_nothing_behind(tmp_path):
    require_broker()
    child = subprocess.Popen(
        [sys.executable, "-m", "kiosk.cli", "club", "--demo", "--port", "0"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )  # fmt: skip
    address = child.stdout.readline().split()[1]
    begun = children(child.pid)
    assert len(begun) == 3  # the broker, the tables, and who removes the folder

    def shown():
        with urllib.request.urlopen(f"{address}api/board", timeout=60) as answer:
            found = json.load(answer)
        tables = [found[key] for key in found if key.startswith("table/")]
        return len(tables) == 4 and all(table["game"] for table in tables)

    until(shown, "four games")
    child.send_signal(signal.SIGTERM)
    _, said = child.communicate(timeout=60)
    assert child.returncode == 128 + signal.SIGTERM and "Traceback" not in said
    assert list(tmp_path.iterdir()) == []
    assert [pid for pid in begun if Path(f"/proc/{pid}").exists()] == []


def children(parent):
    """The processes that a process has started."""
    found = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return [int(pid) for pid in found]


def test_the_accounts_of_a_club_are_its_tables_the_board_and_home_assistant(tmp_path):
    with hall(tmp_path) as club:
        users = [account.user for account in accounts_of(club.club)]
    assert users == ["table-1", "table-2", BOARD, "homeassistant"]


def test_a_broker_that_is_not_installed_is_one_line(monkeypatch, capsys):
    monkeypatch.setattr("shutil.which", lambda *_, **__: None)
    assert "sudo apt install mosquitto" in refused(capsys, "--demo")


def test_without_a_club_nothing_of_it_is_loaded():
    look = (
        "import sys, kiosk.cli, kiosk.assembly; kiosk.cli.build_parser();"
        "print([m for m in sys.modules if m.partition('.')[0] in ('paho', 'networkx')])"
    )
    done = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, timeout=300)
    assert done.stdout.strip() == "[]"
