"""Where a table keeps its games."""

from pathlib import Path

import pytest

from kiosk.game.paths import (
    default_journal,
    journal_for,
    other_journals,
    table_journal,
    table_journals,
)
from kiosk.journal.entries import GameHead
from kiosk.journal.opening import open_new


def test_a_live_game_is_kept_and_a_recording_only_when_asked(monkeypatch, tmp_path):
    monkeypatch.setenv("FAIRDEAL_HOME", str(tmp_path))
    assert journal_for(None, recorded=False) == tmp_path / "journal.sqlite" == default_journal()
    assert journal_for(None, recorded=True) is None
    assert journal_for("none", recorded=False) is None
    assert journal_for("x.jsonl", recorded=True) == Path("x.jsonl")
    monkeypatch.delenv("FAIRDEAL_HOME")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert default_journal() == tmp_path / "state" / "fairdeal" / "journal.sqlite"
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "me"))
    assert default_journal() == tmp_path / "me/.local/state/fairdeal/journal.sqlite"


def test_a_second_table_has_a_journal_of_its_own(monkeypatch, tmp_path):
    """From its first game on, which begins while the other table plays."""
    monkeypatch.setenv("FAIRDEAL_HOME", str(tmp_path))
    assert table_journal("0") == tmp_path / "journal.sqlite"
    first = open_new(table_journal("0"), GameHead("suds", 2, source="0"), pytest.fail)
    assert table_journal("0") == table_journal("0") == tmp_path / "journal.sqlite"
    assert table_journal("/dev/video2") == tmp_path / "journal-dev-video2.sqlite"
    second = open_new(table_journal("/dev/video2"), GameHead("suds", 2), pytest.fail)
    for opened in (first, second):
        opened.journal.close()
    assert table_journal("/dev/video2") == tmp_path / "journal-dev-video2.sqlite"
    assert table_journal("1") == tmp_path / "journal.sqlite"
    names = [path.name for path in table_journals()]
    assert names == ["journal.sqlite", "journal-dev-video2.sqlite"]


def test_games_of_two_tables_never_share_a_number(monkeypatch, tmp_path):
    """Evidence and history name a game by its number."""
    monkeypatch.setenv("FAIRDEAL_HOME", str(tmp_path))
    usual, own = default_journal(), tmp_path / "journal-2.sqlite"
    numbers = []
    for path in (usual, own, usual, own):
        opened = open_new(path, GameHead("suds", 2), str, others=other_journals(path))
        numbers.append(opened.number)
        opened.journal.close()
    assert numbers == [1, 2, 3, 4]
    assert other_journals(tmp_path / "mine.sqlite") == other_journals(None) == ()


def test_long_sources_have_short_names_that_differ(monkeypatch, tmp_path):
    monkeypatch.setenv("FAIRDEAL_HOME", str(tmp_path))
    opened = open_new(table_journal("0"), GameHead("suds", 2, source="0"), pytest.fail)
    names = {table_journal(f"rtsp://camera.example/{'x' * 300}/{k}").name for k in range(3)}
    opened.journal.close()
    assert len(names) == 3 and max(map(len, names)) < 80
