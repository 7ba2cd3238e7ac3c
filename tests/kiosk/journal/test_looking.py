"""A journal is looked at before it is opened: reading leaves no trace, foreign files stay."""

from __future__ import annotations

import os
import shutil
import socket
import sqlite3
import subprocess
from contextlib import closing

import pytest
from needed_tools import MOUNTING, need

from kiosk.cli import main
from kiosk.journal.entries import EventEntry, GameHead
from kiosk.journal.file import JournalFile
from kiosk.journal.opening import open_new
from kiosk.journal.reading import JournalReader
from rules.errors import FairdealError
from rules.table.event import Placed

EVENTS = tuple(Placed(float(n), "hat", f"pile/{n}", 1) for n in range(1, 40))


@pytest.fixture
def killed(tmp_path):
    """The files of a journal that a kill left."""
    live, folder = tmp_path / "live.sqlite", tmp_path / "killed"
    folder.mkdir()
    journal = JournalFile(live, clock=lambda: 1000.0)
    journal.append(journal.begin(GameHead("suds", 2)), [EventEntry(event) for event in EVENTS])
    for ending in ("", "-wal", "-shm", ".rows"):
        shutil.copy(f"{live}{ending}", folder / f"journal.sqlite{ending}")
    journal.close()
    return folder / "journal.sqlite"


def state(folder):
    """All that a careless look might change."""
    return {
        path.name: (about.st_mode, about.st_size, about.st_mtime_ns, about.st_ino)
        for path in folder.iterdir()
        if (about := path.lstat())
    }


def jpeg(path):
    path.write_bytes(b"\xff\xd8\xff\xe0" + bytes(range(256)) * 20)


def foreign_database(path):
    with closing(sqlite3.connect(path)) as base:
        base.execute("CREATE TABLE photos (name TEXT)")


def foreign_database_in_use(path):
    """Of another program that was killed: all of it is in its log."""
    base = sqlite3.connect(path.with_name("other"), isolation_level=None)
    base.execute("PRAGMA journal_mode=WAL")
    base.execute("CREATE TABLE photos (name TEXT)")
    for ending in ("", "-wal"):
        shutil.copy(f"{path.with_name('other')}{ending}", f"{path}{ending}")
    base.close()
    path.with_name("other").unlink()


def pipe(path):
    os.mkfifo(path)


def bound_socket(path):
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))


def device(path):
    path.symlink_to("/dev/zero")


def dangling(path):
    path.symlink_to(path.with_name("nothing"))


def sparse(path):
    with path.open("wb") as file:
        file.truncate(1 << 40)


FOREIGN = (jpeg, foreign_database, foreign_database_in_use, pipe, bound_socket, device, dangling,
           sparse, os.mkdir)  # fmt: skip


@pytest.mark.parametrize("name", ["x.sqlite", "x.jsonl"])
@pytest.mark.parametrize("make", FOREIGN, ids=lambda make: make.__name__)
def test_nothing_of_a_foreign_file_changes(tmp_path, capsys, monkeypatch, make, name):
    monkeypatch.setenv("FAIRDEAL_HOME", str(tmp_path / "home"))
    folder = tmp_path / "foreign"
    folder.mkdir()
    path = folder / name
    make(path)
    if path.is_file():
        path.chmod(0o644)
    before = state(folder)
    for words in (
        ["games", "--journal", str(path)],
        ["games", "--journal", str(path), "export", "1"],
        ["games", "--journal", str(path), "delete", "1"],
        ["referee", "suds", "--source", "0", "--headless", "--resume", "--journal", str(path)],
    ):
        assert main(words) == 2, words
        line = capsys.readouterr().err
        assert line.count("\n") == 1 and "expected " in line, line
        assert state(folder) == before, words
    with pytest.raises(FairdealError):
        open_new(path, GameHead("suds", 2), pytest.fail)
    assert state(folder) == before


def test_reading_a_closed_journal_leaves_no_trace(killed):
    JournalFile(killed).close()
    killed.chmod(0o640)
    before = state(killed.parent)
    with JournalReader(killed) as journal:
        assert journal.events(1) == EVENTS and journal.row(1).events == len(EVENTS)
    assert state(killed.parent) == before and set(before) == {killed.name, f"{killed.name}.rows"}


def test_a_journal_of_the_build_before_that_was_killed_at_once_is_ours(tmp_path):
    """Its file says nothing yet: whose it is stands in the log."""
    live, copy = tmp_path / "live.sqlite", tmp_path / "copy.sqlite"
    base = sqlite3.connect(live, isolation_level=None)
    base.execute("PRAGMA journal_mode=WAL")
    base.execute("PRAGMA application_id=0x46414952")
    base.execute("PRAGMA user_version=2")
    base.execute("CREATE TABLE games (id INTEGER PRIMARY KEY AUTOINCREMENT, began REAL NOT NULL,"
                 " last REAL NOT NULL, ended INTEGER NOT NULL DEFAULT 0, head TEXT NOT NULL,"
                 " crc INTEGER NOT NULL, rows TEXT NOT NULL DEFAULT '')")  # fmt: skip
    for ending in ("", "-wal"):
        shutil.copy(f"{live}{ending}", f"{copy}{ending}")
    base.close()
    assert copy.read_bytes()[68:72] == bytes(4)
    journal = JournalFile(copy, create=False)
    assert journal.begin(GameHead("suds", 2)) == 1
    journal.close()


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 2 MB."""
    need(MOUNTING)
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "none", str(folder)], check=False
    )
    if mounted.returncode:
        pytest.skip(MOUNTING.reason)  # root of a container that may not mount
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def fill(folder):
    descriptor = os.open(folder / "other", os.O_WRONLY | os.O_CREAT)
    with pytest.raises(OSError, match="No space"):
        while True:
            os.write(descriptor, bytes(4096))
    os.close(descriptor)


@pytest.mark.parametrize("left", [("",), ("", "-wal", "-shm"), ("", "-wal")])
def test_reading_needs_no_room(killed, small_disk, capsys, left):
    if left == ("",):
        JournalFile(killed).close()
    for ending in left:
        shutil.copy(f"{killed}{ending}", small_disk / f"journal.sqlite{ending}")
    fill(small_disk)
    path = small_disk / "journal.sqlite"
    assert main(["games", "--journal", str(path)]) == 0
    assert f"{len(EVENTS)} events" in capsys.readouterr().out
    assert main(["games", "--journal", str(path), "export", "1"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(EVENTS)
