"""The trials of what a table stays up through, a few of each."""

from __future__ import annotations

import pytest
from needed_tools import LOOP_DEVICES, MOUNTING, needs

from lab.chaos import stays_up
from lab.chaos.capture import capture_faults
from lab.chaos.clock import clock_jumps
from lab.chaos.crowd import HALF_BODY, RUBBISH, Attack, crowds
from lab.chaos.disk import EVENTS, full_disks
from lab.chaos.endurance import endurance
from lab.chaos.power import PowerScore, power_cuts
from lab.chaos.report import faults, parts_of
from rules.errors import FairdealError


def test_a_clock_that_jumps_changes_neither_order_nor_length():
    score = clock_jumps(5, seed=3)
    assert score.jumps > 5
    assert (score.in_order, score.right_length, score.resumable) == (5, 5, 5)


def test_minutes_of_play_leave_nothing_behind():
    score = endurance(0.05, seed=4)
    first, last = score.samples[0][1], score.samples[-1][1]
    assert score.events > 20 and score.frames > 1000
    # What tests before this one left may go meanwhile; nothing may come.
    assert last.threads <= first.threads
    assert last.files <= first.files
    assert last.children <= first.children


@pytest.mark.slow
def test_a_camera_process_that_fails_in_any_way_is_replaced():
    for score in capture_faults(stops=1, plugs=2):
        assert (score.told, score.came_back) == (score.trials, score.trials), score.what


@needs(LOOP_DEVICES)
def test_a_power_cut_loses_nothing_that_was_told():
    score = power_cuts(3, seed=6)
    assert score.told > 0 and score.kept >= score.told
    assert score == PowerScore(3, score.told, score.kept)


@needs(MOUNTING)
def test_a_full_disk_costs_pictures_and_never_the_game():
    pictures, freed, for_good = full_disks()
    assert (pictures.kept, pictures.late) == (EVENTS, 0)
    assert freed.kept == EVENTS
    assert 0 < for_good.kept < EVENTS and for_good.late > 0
    assert "not kept from here on" in for_good.lines[-1]


def test_parts_are_named_and_others_refused(monkeypatch):
    monkeypatch.setattr(stays_up, "GAMES", 1)
    assert "power" in parts_of(1, 1, 1, pytest.fail)
    assert "### The clock" in faults(1, 1, 1, pytest.fail, only="clock")
    with pytest.raises(FairdealError, match="mend --part"):
        faults(1, 1, 1, pytest.fail, only="clock,moon")


def test_a_crowd_at_the_page_s_server_locks_nobody_out():
    attacks = (
        Attack("none"), Attack("idle", 100, addresses=3), Attack("half", 50, HALF_BODY),
        Attack("rubbish", 10, RUBBISH, is_held=False),
    )  # fmt: skip
    for score in crowds(attacks, window_s=0.5):
        assert score.answered == score.asked > 0, score
        assert score.frames_per_s > 0, score
