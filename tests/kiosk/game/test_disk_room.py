"""A disk that fills up: evidence goes first, then old games, never the running one."""

from __future__ import annotations

import os
from functools import partial

import pytest

from device.machine import MachineSettings
from kiosk.game.room import MEGABYTE, RESERVE_BYTES, RoomKeeper, Stores
from kiosk.journal.entries import EndEntry, EventEntry, GameHead
from kiosk.journal.file import JournalFile
from rules.table.event import Pressed

DAY_S = 86_400.0
NOW = 1000 * DAY_S


class Disk:
    """Free space that grows with what is deleted: by so much for a call's evidence and a game."""

    def __init__(self, tmp_path, free_mb):
        self.journal = tmp_path / "journal.sqlite"
        self.evidence = tmp_path / "page" / "evidence"
        self.size_mb, self.said = free_mb, []

    def free(self, folder):
        calls = sum(1 for _ in self.evidence.glob("*/*"))
        return round((self.size_mb - calls - 10 * self.games()) * MEGABYTE)

    def games(self):
        if not self.journal.exists():
            return 0
        journal = JournalFile(self.journal, create=False)
        count = len(journal.games())
        journal.close()
        return count

    def keeper(self, **settings):
        stores = Stores(self.journal, self.evidence)
        chosen = MachineSettings(**{"keep_free_mb": 100, "history_days": 30, **settings})
        return RoomKeeper(stores, chosen, self.said.append, self.free, lambda: NOW)


@pytest.fixture
def disk(tmp_path):
    """60 calls with evidence; games that ended 90, 60 and 10 days ago, and one under way."""
    made = Disk(tmp_path, 10_000)
    for call in range(60):
        folder = made.evidence / str(1 + call // 30) / f"{call:06d}"
        folder.mkdir(parents=True)
        (folder / "0.jpg").write_bytes(b"jpeg")
        os.utime(folder, (NOW - 1000 + call, NOW - 1000 + call))
    for days in (90, 60, 10, 50):
        journal = JournalFile(made.journal, clock=partial(float, NOW - days * DAY_S))
        game = journal.begin(GameHead("suds", 2))
        end = () if days == 50 else (EndEntry(),)
        journal.append(game, [EventEntry(Pressed(0.0, "start")), *end])
        journal.close()
    return made


def calls_left(disk):
    return sorted(int(path.name) for path in disk.evidence.glob("*/*"))


def test_with_room_nothing_goes_and_a_reserve_is_laid_by(disk):
    disk.keeper().keep()
    assert len(calls_left(disk)) == 60 and disk.games() == 4 and disk.said == []
    reserve = disk.journal.with_name("journal.sqlite.reserve")
    assert reserve.stat().st_size == RESERVE_BYTES and reserve.stat().st_mode & 0o077 == 0


def test_the_oldest_evidence_goes_first(disk):
    disk.size_mb = 100 + 40 + 45  # 15 calls' worth too little
    disk.keeper().keep()
    assert calls_left(disk) == list(range(20, 60)) and disk.games() == 4
    assert len(disk.said) == 1 and "pictures of calls" in disk.said[0]


def test_then_old_games_go_and_never_one_that_is_under_way_or_young(disk):
    disk.size_mb = 0
    disk.keeper().keep()
    assert calls_left(disk) == []
    journal = JournalFile(disk.journal, create=False)
    assert [row.number for row in journal.games()] == [3, 4]
    journal.close()
    assert not disk.journal.with_name("journal.sqlite.reserve").exists()


def test_a_full_disk_takes_the_reserve_then_evidence_then_games_then_nothing(disk):
    keeper = disk.keeper()
    keeper.keep()
    assert keeper.make() and len(calls_left(disk)) == 60
    assert keeper.make() and len(calls_left(disk)) == 40
    assert keeper.make() and keeper.make() and calls_left(disk) == []
    assert keeper.make() and disk.games() == 2
    assert not keeper.make()


def test_links_are_left_alone(disk, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "call").mkdir()
    (disk.evidence / "9").symlink_to(tmp_path / "mine")
    disk.size_mb = 0
    disk.keeper().keep()
    assert (tmp_path / "mine" / "call").is_dir()
