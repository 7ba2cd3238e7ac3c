"""The self-test passes on this version, and fails where a part of it is broken."""

import shutil
import sqlite3
from pathlib import Path

import pytest

import models
from calibration.finding import Finding, Verdict
from kiosk.appliance import selftest
from kiosk.cli import main
from kiosk.journal.entries import EventEntry, GameHead
from kiosk.journal.file import JournalFile
from rules.table.event import Pressed

WEIGHTS = Path(models.__file__).parent / "weights"


def findings(folder: Path, weights: Path = WEIGHTS) -> dict[str, Finding]:
    found = selftest.self_test(weights, folder / "calibration", folder / "journal.sqlite")
    return {finding.name: finding for finding in found}


@pytest.fixture
def seeing_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The eyes work: where another part is the subject, they are not tried."""
    for part in ("_picture", "_replay"):
        monkeypatch.setattr(selftest, part, lambda: "not tried")


def journal_with(path: Path, games: int) -> None:
    """A journal as a game writes it."""
    journal = JournalFile(path)
    for _ in range(games):
        journal.append(journal.begin(GameHead("suds", 2)), [EventEntry(Pressed(1.0, "start"))])
    journal.close()


def damage(path: Path, games: str) -> None:
    """Changes an event without its checksum."""
    with sqlite3.connect(path) as base:
        base.execute(f"UPDATE events SET event='{{}}' WHERE game IN ({games})")


def test_this_version_passes(tmp_path: Path) -> None:
    found = findings(tmp_path)
    assert [f.line for f in found.values() if f.state is not Verdict.GOOD] == []
    assert {"imports", "locator", "picture", "replay", "journal"} <= set(found)
    assert found["picture"].words == "3 cards"


@pytest.mark.usefixtures("seeing_nothing")
def test_the_games_of_the_version_before_are_read(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    journal_with(path, 3)
    assert findings(tmp_path)["journal"].words == "3 games read"
    damage(path, "2")
    found = findings(tmp_path)["journal"]
    assert found.state is Verdict.WARN and "1 of 3 games cannot be read" in found.words
    damage(path, "1, 2, 3")
    assert findings(tmp_path)["journal"].state is Verdict.BAD
    path.write_bytes(b"no journal at all, but long enough to be taken for one" * 20)
    assert findings(tmp_path)["journal"].state is Verdict.BAD


@pytest.mark.usefixtures("seeing_nothing")
def test_broken_weights_fail_in_one_line(tmp_path: Path) -> None:
    weights = tmp_path / "weights"
    shutil.copytree(WEIGHTS, weights)
    (weights / "locator.onnx").write_bytes((weights / "locator.onnx").read_bytes()[:1000])
    found = findings(tmp_path, weights)["locator"]
    assert found.state is Verdict.BAD and "\n" not in found.line


@pytest.mark.parametrize("part", ["picture", "replay"])
def test_a_part_that_works_otherwise_fails(
    tmp_path: Path, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # At 24 s a hand comes with another card; the calls are those of another game.
    monkeypatch.setattr(selftest, "SEEN_AT_S", 24.0)
    monkeypatch.setattr(selftest, "CALLS", (("win", "suds"),))
    assert findings(tmp_path)[part].state is Verdict.BAD


def test_whatever_an_import_raises_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken_binding.py").write_text("raise ValueError('numpy.dtype size\\nchanged')\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(selftest, "MODULES", ("broken_binding",))
    found = findings(tmp_path)
    assert list(found) == ["imports"] and found["imports"].state is Verdict.BAD
    assert found["imports"].words == "ValueError: numpy.dtype size changed"


@pytest.mark.usefixtures("seeing_nothing")
def test_the_command_ends_with_1_where_a_part_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FAIRDEAL_HOME", str(tmp_path))
    assert main(["doctor", "--self-test"]) == 0
    (tmp_path / "calibration").mkdir()
    (tmp_path / "calibration/0-1280x720.toml").write_text("version = 1\n")
    assert main(["doctor", "--self-test"]) == 1
    assert "bad   calibration 0-1280x720" in capsys.readouterr().out
