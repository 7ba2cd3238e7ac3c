"""The fault trials, a few of each; `fairdeal evaluate faults` runs them all."""

from __future__ import annotations

import os
from random import Random

import pytest

from lab.chaos.cameras import camera_trials
from lab.chaos.damage import EXHAUSTED, OTHER, READ, REFUSED, TRACEBACK, damaged, fuzz, in_child
from lab.chaos.files import kinds
from lab.chaos.kills import kill_trials
from lab.chaos.random_games import paced, random_game, tops_only
from lab.chaos.table import PICTURE, RealTable, TopWatcher, taken_from_equal
from rules.errors import FairdealError
from rules.table.event import Placed, Removed
from vision.frame import Frame
from vision.sightings import Located


def test_killed_games_end_like_unbroken_ones():
    score = kill_trials(6, seed=5)
    assert score.kills >= 6 and score.refused == []
    assert (score.lost_events, score.other_states, score.other_calls) == (0, 0, 0), score.faults


def test_kills_right_after_an_act_accuse_nobody():
    score = kill_trials(6, seed=5, unseen_acts=True)
    assert score.kills >= 6 and score.unseen == score.games and score.refused == []
    assert (score.lost_events, score.false_mistakes) == (0, 0), score.faults


def test_random_games_take_only_top_cards_and_sweeps_are_one_act():
    played = random_game("suds", Random(2))
    assert tops_only(played.events) == played.events
    swept = (Removed(1.0, "b", "pile/1"), Removed(1.1, "a", "pile/1"), Placed(2.0, "a", "pile/2"))
    assert [event.at for event in paced(swept)] == [1.2, 1.2, 2.4]


def test_the_watcher_of_the_trials_sees_top_cards_only():
    events = (Placed(1.0, "hat", "pile/4"), Placed(2.0, "t-shirt", "pile/4"),
              Removed(9.0, "t-shirt", "pile/4"))  # fmt: skip
    watcher = TopWatcher(events, began=5.0, looked_s=1.0)
    frames = [Frame(PICTURE, at, number) for number, at in enumerate((0.0, 3.0, 5.0))]
    seen = [watcher.update(frame, Located.empty(), None).events for frame in frames]
    assert seen[0] == (Placed(0.0, "t-shirt", "pile/1"),) and seen[1] == ()
    assert seen[2] == (Removed(5.0, "t-shirt", "pile/1"), Placed(5.0, "hat", "pile/1"))
    real = RealTable()
    for event in events:
        real.apply(event)
    assert real.stacks == {"pile/4": ["hat"]}


def test_a_card_taken_from_an_equal_one_is_told_apart():
    events = (Placed(1.0, "hat", "pile/1"), Placed(2.0, "hat", "pile/1"),
              Placed(3.0, "socks", "pile/1"), Removed(4.0, "socks", "pile/1"),
              Removed(5.0, "hat", "pile/1"), Placed(6.0, "hat", "pile/1"))  # fmt: skip
    assert taken_from_equal(events, 5.5) == ["hat"]
    assert [taken_from_equal(events, at) for at in (4.5, 6.0)] == [[], []]


def test_failing_cameras_are_lost_and_come_back():
    score = camera_trials(12, seed=3)
    assert (score.told, score.came_back, score.ended, score.raised) == (12, 12, 0, ())


KINDS = (
    "events (JSON Lines)", "settings (TOML)", "club file (TOML)", "deck (TOML)",
    "calibration (TOML)", "calibration with a right checksum", "script of the simulated table",
    "page's devices and set-up (JSON)", "journal (SQLite)", "journal's log (SQLite)",
    "picture (PNG)", "picture (JPEG)", "film (AVI)", "card art (SVG)", "card art (PNG)",
    "taught deck (npz)", "weights' description (JSON)", "fitted confidence (JSON)",
)  # fmt: skip


@pytest.fixture(scope="module")
def samples():
    """One sample of every kind of file."""
    found = {kind.name: kind for kind in kinds(1)}
    assert set(found) == set(KINDS)  # each has a test
    return found


@pytest.mark.parametrize("name", KINDS)
def test_damaged_files_are_refused_in_one_line(samples, name):
    kind = samples[name]
    score = fuzz(kind.name, kind.sample, kind.suffix, kind.read, 15, 4, is_sealed=kind.is_sealed)
    assert score.faults == 0, score.samples
    assert sum(score.counts.values()) == 15


def test_a_reading_that_waits_for_ever_is_ended(tmp_path, monkeypatch):
    monkeypatch.setattr("lab.chaos.damage.WALL_S", 1)
    os.mkfifo(tmp_path / "pipe")
    assert in_child((tmp_path / "pipe").read_bytes, None) == (EXHAUSTED, "SIGALRM")


def test_the_outcome_of_a_reading_is_told_apart():
    def refuse():
        raise FairdealError("a", "b")

    def fail():
        raise ValueError("x")

    assert in_child(lambda: 7, "7")[0] == READ
    assert in_child(lambda: 7, "8")[0] == OTHER
    assert in_child(refuse, None) == (REFUSED, "expected a, found b")
    assert in_child(fail, None) == (TRACEBACK, "ValueError: x")
    how, data = damaged(b"0123456789", Random(1))
    assert how and data != b"0123456789"
