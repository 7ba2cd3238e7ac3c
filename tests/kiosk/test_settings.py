"""A user's settings file, and where a table keeps what it needs."""

from pathlib import Path

from kiosk.game.paths import default_journal, journal_for
from kiosk.settings import Settings, load_settings


def test_no_file_is_the_defaults():
    assert load_settings(None) == Settings()


def test_lamps_and_eyes_are_set_in_one_file(tmp_path):
    file = tmp_path / "settings.toml"
    file.write_text("[signals]\nmuted = true\n[pins]\nturn = 4\n[vision]\nsettle_s = 0.3\n")
    settings = load_settings(file)
    assert settings.device.signals.muted and settings.device.pins.turn == 4
    assert settings.vision.settle_s == 0.3
    assert settings.vision.gone_s == Settings().vision.gone_s


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
