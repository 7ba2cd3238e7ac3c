"""One process plays a game."""

from __future__ import annotations

import subprocess
import sys

import pytest

from kiosk.journal.lock import GameLock
from rules.errors import FairdealError


def test_a_game_is_played_once_at_a_time(tmp_path):
    path = tmp_path / "journal.sqlite"
    one, other, third = GameLock(path, 1), GameLock(path, 1), GameLock(path, 2)
    one.take()
    assert not other.is_free() and third.is_free()
    with pytest.raises(FairdealError, match="another process that plays it"):
        other.take()
    third.take()
    one.release()
    one.release()
    assert other.is_free()
    other.take()
    other.release()
    third.release()
    assert list(tmp_path.iterdir()) == []


HOLDS = """
import sys
from pathlib import Path
from kiosk.journal.lock import GameLock
lock = GameLock(Path(sys.argv[1]), 1)
lock.take()
print("held", flush=True)
sys.stdin.read()
"""


def test_the_lock_of_a_killed_process_is_free(tmp_path):
    path = tmp_path / "journal.sqlite"
    with subprocess.Popen(
        [sys.executable, "-c", HOLDS, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"held\n"
        assert not GameLock(path, 1).is_free()
        child.kill()
    assert GameLock(path, 1).is_free()


def test_a_link_in_the_place_of_a_lock_is_not_followed(tmp_path):
    target = tmp_path / "precious"
    target.write_text("all of it")
    (tmp_path / "journal.sqlite.game-1.lock").symlink_to(target)
    with pytest.raises(FairdealError, match="a lock file that can be written"):
        GameLock(tmp_path / "journal.sqlite", 1).take()
    assert target.read_text() == "all of it"
