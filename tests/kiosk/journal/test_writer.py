"""The journal's thread: the loop never waits for the disk, and nothing is lost or half kept."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import time

import pytest
from patience import PATIENCE_S

from kiosk.journal import writer as writers
from kiosk.journal.entries import EndEntry, EventEntry, GameHead
from kiosk.journal.file import JournalFile
from kiosk.journal.opening import read_journal
from kiosk.journal.text import TextCopy
from kiosk.journal.writer import ALL_KEPT, JournalWriter, WriterLimits
from rules.table.event import Placed, Pressed

HEAD = GameHead("suds", 2)


def opened(path, say=pytest.fail, text=None):
    file = JournalFile(path)
    number = file.begin(HEAD)
    lock = file.lock(number)
    lock.take()
    return JournalWriter(file, number, lock, say, text)


def draws(count, since=0):
    return [EventEntry(Pressed(float(k), "draw")) for k in range(since, since + count)]


def test_what_is_kept_is_on_the_disk(tmp_path):
    journal = opened(tmp_path / "game.sqlite")
    tickets = [journal.write(entry) for entry in draws(1200)]
    assert tickets == list(range(1, 1201)) and journal.wait(1200, PATIENCE_S)
    assert journal.kept == 1200
    assert len(read_journal(tmp_path / "game.sqlite")) == 1200
    journal.close()
    journal.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game.sqlite", "game.sqlite.rows"]


def test_a_journal_that_another_process_locks_stalls_nobody_and_is_written_later(tmp_path):
    path = tmp_path / "game.sqlite"
    journal = opened(path)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    began = time.monotonic()
    for entry in draws(900):
        journal.write(entry)
    would_wait_s = 900 * writers.LIMITS.patience_s  # each write its whole patience
    assert time.monotonic() - began < would_wait_s / 4
    assert not journal.wait(1, 0.3) and journal.kept == 0
    other.execute("ROLLBACK")
    other.close()
    assert journal.wait(900, PATIENCE_S)
    journal.close()
    assert len(read_journal(path)) == 900


def test_a_queue_that_is_full_ends_the_journal_whole(tmp_path, monkeypatch):
    monkeypatch.setattr(writers, "LIMITS", WriterLimits(queue=20, batch=5))
    path, said = tmp_path / "game.sqlite", []
    journal = opened(path, said.append)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    for entry in draws(60):
        journal.write(entry)
    assert journal.kept == ALL_KEPT and journal.wait(60, 0.0)
    other.execute("ROLLBACK")
    other.close()
    journal.close()
    kept = [event.at for event in read_journal(path)]
    assert kept == [float(k) for k in range(len(kept))] and len(kept) <= 5
    assert len(said) == 1 and "20 entries wait" in said[0] and "the game goes on" in said[0]


def fill(journal):
    """Leaves room for one more page only."""
    base = journal._file._base
    pages = base.execute("PRAGMA page_count").fetchone()[0]
    base.execute(f"PRAGMA max_page_count={pages + 1}")
    return base


def test_a_full_disk_is_said_once_and_what_waits_is_kept_once_there_is_room(tmp_path):
    path, said = tmp_path / "full.sqlite", []
    journal = opened(path, said.append)
    assert journal.wait(journal.write(draws(1)[0]), PATIENCE_S)
    base = fill(journal)
    for entry in draws(400, since=1):
        journal.write(entry)
    assert not journal.wait(401, PATIENCE_S)  # nobody waits for a journal with a fault
    assert "full" in journal.fault
    base.execute("PRAGMA max_page_count=100000")
    end = time.monotonic() + PATIENCE_S
    while journal.fault and time.monotonic() < end:
        journal.wait(401, 0.01)
    assert journal.wait(401, PATIENCE_S)
    journal.close()
    assert ["full" in line for line in said] == [True, False] and "room again" in said[1]
    assert [event.at for event in read_journal(path)] == [float(k) for k in range(401)]


def test_what_is_given_up_makes_room_at_once(tmp_path):
    path, asked = tmp_path / "full.sqlite", []
    file = JournalFile(path)
    number = file.begin(HEAD)
    lock = file.lock(number)
    lock.take()

    def make_room():
        asked.append(1)
        file._base.execute("PRAGMA max_page_count=100000")
        return True

    journal = JournalWriter(file, number, lock, pytest.fail, make_room=make_room)
    fill(journal)
    for entry in draws(400):
        journal.write(entry)
    assert journal.wait(400, PATIENCE_S) and asked == [1]
    journal.close()
    assert len(read_journal(path)) == 400


def test_a_journal_that_is_closed_on_a_full_disk_says_so_and_is_whole(tmp_path):
    path, said = tmp_path / "full.sqlite", []
    journal = opened(path, said.append)
    assert journal.wait(journal.write(draws(1)[0]), PATIENCE_S)
    fill(journal)
    for entry in draws(400, since=1):
        journal.write(entry)
    journal.close()
    assert "full" in said[-1] and "not kept from here on" in said[-1]
    kept = [event.at for event in read_journal(path)]
    assert 0 < len(kept) < 401 and kept == [float(k) for k in range(len(kept))]


def test_text_is_written_with_the_journal_and_the_database_goes_when_the_game_is_over(tmp_path):
    path, text = tmp_path / "game.jsonl.sqlite", tmp_path / "game.jsonl"
    journal = opened(path, text=TextCopy(text))
    assert journal.wait(journal.write(draws(1)[0]), PATIENCE_S)
    assert text.read_text() == '{"at": 0.0, "event": "pressed", "button": "draw"}\n'
    journal.close()
    assert path.is_file()
    file = JournalFile(path)
    lock = file.lock(1)
    lock.take()
    journal = JournalWriter(file, 1, lock, pytest.fail, TextCopy(text))
    path.with_name(path.name + ".reserve").write_bytes(b"0")  # for a full disk
    journal.write(EndEntry())
    journal.close()
    assert [left.name for left in tmp_path.iterdir()] == ["game.jsonl"]


KILLED = """
import sys
from pathlib import Path
from kiosk.journal.entries import EventEntry, GameHead
from kiosk.journal.opening import open_new
from rules.table.event import Placed
opened = open_new(Path(sys.argv[1]), GameHead("suds", 2), print)
number = 0
while True:
    event = Placed(float(number), "hat", f"pile/{number + 1}", 1)
    ticket = opened.journal.write(EventEntry(event))
    if opened.journal.wait(ticket, 60.0):
        print(number, flush=True)
    number += 1
"""


@pytest.mark.parametrize("name", ["game.sqlite", "game.jsonl"])
def test_a_program_killed_while_it_writes_loses_nothing_that_was_kept(tmp_path, name):
    path = tmp_path / name
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, str(path)], stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        for line in child.stdout:
            if int(line) >= 25:
                break
        child.send_signal(signal.SIGKILL)
        told = [25, *(int(line) for line in child.stdout if line.strip())]
    base = path if name.endswith("sqlite") else tmp_path / "game.jsonl.sqlite"
    events = read_journal(base)
    assert all(isinstance(event, Placed) for event in events)
    assert [event.at for event in events] == [float(k) for k in range(len(events))]
    assert len(events) > max(told)
    if name.endswith("jsonl"):
        assert path.read_text().count("\n") > max(told)
