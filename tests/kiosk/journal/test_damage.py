"""Journals with swapped pages and cut logs: what is whole is read, what is missing is counted."""

from __future__ import annotations

import shutil
from itertools import combinations
from random import Random

import pytest

from kiosk.cli import main
from kiosk.journal.entries import EventEntry, GameHead, OverruledEntry
from kiosk.journal.file import JournalFile
from kiosk.journal.opening import find_cut, open_cut
from kiosk.journal.reading import JournalReader
from kiosk.journal.witness import RECORD_BYTES
from rules.contract.game import make_setup
from rules.errors import FairdealError
from rules.games import game
from rules.judging.referee import begin, step
from rules.table.event import Placed, Pressed

SUDS = game("suds")
SETUP = make_setup(SUDS, 2)
HEAD = GameHead("suds", 2, dict(SETUP.options))
EVENTS = (Pressed(0.0, "start"),
          *(Placed(float(n), "hat", f"pile/{n}", 1) for n in range(1, 120)))  # fmt: skip


def entries(events=EVENTS):
    session = begin(SUDS, SETUP)
    for number, event in enumerate(events, 1):
        session, calls = step(session, event)
        yield EventEntry(event, calls, (0.25, 0.5))
        if number % 3 == 0:
            yield OverruledEntry(number, '{"kind": "card", "card": "hat", "note": "seen by all"}')


@pytest.fixture
def whole(tmp_path):
    """A closed journal of two games whose tables have several pages each."""
    path = tmp_path / "whole.sqlite"
    journal = JournalFile(path, clock=lambda: 1000.0)
    for _ in range(2):
        journal.append(journal.begin(HEAD), list(entries()))
    journal.close()
    return path


@pytest.fixture
def unfinished(tmp_path):
    """A journal as a kill leaves it: one transaction for each event, all of it in the log."""
    folder = tmp_path / "killed"
    folder.mkdir()
    live = tmp_path / "live.sqlite"
    journal = JournalFile(live, clock=lambda: 1000.0)
    number = journal.begin(HEAD)
    for entry in entries(EVENTS[:30]):
        journal.append(number, [entry])
    for ending in ("", "-wal", ".rows"):
        shutil.copy(f"{live}{ending}", folder / f"journal.sqlite{ending}")
    journal.close()
    return folder / "journal.sqlite"


def everything(path):
    with JournalReader(path) as journal:
        return [(journal.events(n), list(journal.calls(n)), list(journal.overrulings(n)))
                for n in (1, 2)]  # fmt: skip


def test_swapped_pages_are_the_same_games_or_one_line(whole, tmp_path, capsys):
    data, wanted = whole.read_bytes(), everything(whole)
    size = int.from_bytes(data[16:18], "big")
    pages = [data[at : at + size] for at in range(0, len(data), size)]
    damaged = tmp_path / "damaged.sqlite"
    outcomes = []
    pairs = list(combinations(range(1, len(pages)), 2))
    assert len(pairs) > 60
    for one, other in Random(5).sample(pairs, 60):
        swapped = list(pages)
        swapped[one], swapped[other] = pages[other], pages[one]
        damaged.write_bytes(b"".join(swapped))
        try:
            assert everything(damaged) == wanted
            outcomes.append(0)
        except FairdealError as error:
            assert "\n" not in str(error)
            outcomes.append(2)
        words = ["games", "--journal", str(damaged), "export", "1", "--calls"]
        code = main(words)
        said = capsys.readouterr().err
        assert (code, said.count("\n")) in ((0, 0), (2, 1)), said
    assert outcomes.count(2) > 30


def test_a_cut_log_says_how_many_events_are_missing(unfinished, tmp_path):
    log, rng = unfinished.with_name(unfinished.name + "-wal"), Random(7)
    data = log.read_bytes()
    seen = set()
    for trial in range(40):
        folder = tmp_path / str(trial)
        shutil.copytree(unfinished.parent, folder)
        at = rng.randrange(len(data))
        flipped = bytes([data[at] ^ 0x40])
        cut = data[:at] if trial % 2 else data[:at] + flipped + data[at + 1 :]
        (folder / log.name).write_bytes(cut)
        with JournalReader(folder / unfinished.name) as journal:
            rows = journal.games()
            if not rows:
                assert journal.lost_games() == {1: 30} and journal.highest() == 1
                seen.add(30)
                continue
            events = journal.events(1)
            assert events == EVENTS[: len(events)]
            assert len(events) + rows[0].missing == 30 and journal.lost_games() == {}
            seen.add(rows[0].missing)
    assert len(seen) > 12


def test_list_export_and_resume_tell_what_is_missing(unfinished, capsys):
    log = unfinished.with_name(unfinished.name + "-wal")
    log.write_bytes(log.read_bytes()[: log.stat().st_size // 2])
    with JournalReader(unfinished) as journal:
        kept, missing = len(journal.events(1)), journal.row(1).missing
    assert 0 < kept < 30 and missing == 30 - kept
    words = ["games", "--journal", str(unfinished)]
    assert main(words) == 0
    assert f"at least {missing} later events are lost" in capsys.readouterr().out
    assert main([*words, "export", "1"]) == 2
    said = capsys.readouterr()
    assert len(said.out.splitlines()) == kept and "expected at least 30 events" in said.err
    lines = []
    opened = open_cut(unfinished, find_cut(unfinished, 1, HEAD), lines.append)
    assert opened.events == EVENTS[:kept] and f"at least {missing} events" in lines[0]
    opened.journal.write(EventEntry(Placed(500.0, "hat", "pile/9", 1)))
    opened.journal.close()
    with JournalReader(unfinished) as journal:  # what goes on is the game now
        assert journal.row(1).missing == 0 and len(journal.events(1)) == kept + 1


def test_the_number_of_a_lost_game_is_not_used_again(unfinished, capsys):
    log = unfinished.with_name(unfinished.name + "-wal")
    log.write_bytes(log.read_bytes()[:100])
    assert main(["games", "--journal", str(unfinished)]) == 0
    assert "lost: at least 30 events" in capsys.readouterr().out
    assert main(["games", "--journal", str(unfinished), "export", "1"]) == 2
    assert "whose 30 events are lost" in capsys.readouterr().err
    journal = JournalFile(unfinished)
    assert journal.begin(HEAD) == 2
    journal.close()


def test_what_is_kept_beside_a_journal_harms_nothing(unfinished):
    beside = unfinished.with_name(unfinished.name + ".rows")
    assert beside.stat().st_size == RECORD_BYTES and beside.stat().st_mode & 0o077 == 0
    for content in (b"", b"x" * 64, b"9 9 9 9".ljust(64), b"\xff" * 640_000):
        beside.write_bytes(content)
        with JournalReader(unfinished) as journal:
            assert journal.row(1).missing == 0 and len(journal.events(1)) == 30
            assert journal.lost_games() == {}
    journal = JournalFile(unfinished)
    journal.delete(1)
    journal.close()
    beside.unlink()
    with JournalReader(unfinished) as journal:
        assert journal.games() == [] and journal.lost_games() == {}
