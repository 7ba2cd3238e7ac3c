"""Where a table keeps its games."""

from pathlib import Path

from kiosk.game.paths import default_journal, journal_for


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
