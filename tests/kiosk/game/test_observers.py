"""Observers of a running game: all are told, and none can stop or hold up the game."""

from __future__ import annotations

import threading

import pytest
from patience import PATIENCE_S

from kiosk.game.inbox import Inbox
from kiosk.game.limits import LIMITS
from kiosk.game.news import EventJudged, FrameJudged, ViewFound, ViewLost
from kiosk.game.observers import Aside, Observers
from rules.contract.game import View
from rules.table.event import Pressed

VIEW = View(1, (), "Suds")
FOUND = ViewFound(1.0)


class Listener:
    """Keeps what it hears; `during` is done first."""

    def __init__(self, name="listener", during=lambda news: None):
        self.name, self.during, self.heard = name, during, []

    def hear(self, news):
        self.during(news)
        self.heard.append(news)


def fail(news):
    raise ValueError("no screen")


def test_an_observer_that_fails_is_said_once_and_counted_and_the_others_hear_all():
    said, good = [], Listener()
    observers = Observers([Listener("page", fail), good], said.append)
    for _ in range(3):
        observers.tell(FOUND)
    assert good.heard == [FOUND] * 3
    assert said == ["page: ValueError: no screen; the game goes on"]
    assert observers.costs["page"].faults == 3 and observers.costs["listener"].faults == 0


def slow_clock(spans):
    """A clock that advances by the next span (s) between begin and end of each call."""
    now = 0.0
    for span in spans:
        yield now
        now += span
        yield now


def test_a_slow_observer_is_said_once_and_left_out_when_it_stays_slow():
    said, slow = [], Listener("page")
    ticks = slow_clock([0.5] * 3 + [0.01] + [0.5] * LIMITS.slow_in_a_row)
    observers = Observers([slow], said.append, lambda: next(ticks))
    for _ in range(3 + 1 + LIMITS.slow_in_a_row + 5):
        observers.tell(FOUND)
    assert len(slow.heard) == 3 + 1 + LIMITS.slow_in_a_row
    assert said == ["page: took 0.50 s; the game waited", "page: slow 10 times in a row; left out"]
    assert observers.costs["page"].is_left_out


def test_aside_returns_at_once_and_keeps_only_the_newest_frame():
    gate = threading.Event()
    reached = threading.Event()

    def wait(news):
        reached.set()
        assert gate.wait(PATIENCE_S)

    slow = Listener("page", wait)
    frames = [FrameJudged(None, None, float(i), 0.0) for i in range(50)]
    lost = ViewLost(2.0, None, "dark")
    with Aside(slow, pytest.fail) as aside:
        aside.hear(FOUND)
        assert reached.wait(PATIENCE_S)
        for frame in frames:
            aside.hear(frame)
        aside.hear(lost)
        assert aside.drops == 49
        gate.set()
    assert slow.heard == [FOUND, frames[-1], lost]


def test_aside_drops_the_oldest_message_of_a_full_queue():
    gate = threading.Event()
    reached = threading.Event()

    def wait(news):
        reached.set()
        assert gate.wait(PATIENCE_S)

    slow = Listener("page", wait)
    judged = [
        EventJudged(Pressed(float(i), "draw"), (), VIEW) for i in range(LIMITS.waiting_news + 7)
    ]
    with Aside(slow, pytest.fail) as aside:
        aside.hear(FOUND)
        assert reached.wait(PATIENCE_S)
        for news in judged:
            aside.hear(news)
        gate.set()
    assert aside.drops == 7 and slow.heard == [FOUND, *judged[7:]]


def test_aside_goes_on_after_a_fault_and_says_it_once():
    said, heard = [], []

    def fail_at_first(news):
        heard.append(news)
        if len(heard) < 3:
            raise OSError("no socket")

    with Aside(Listener("mqtt", fail_at_first), said.append) as aside:
        for _ in range(4):
            aside.hear(FOUND)
    assert heard == [FOUND] * 4 and aside.faults == 2
    assert said == ["mqtt: OSError: no socket; the game goes on"]


def test_the_inbox_is_bounded_and_counts_what_it_drops():
    inbox = Inbox(capacity=3)
    presses = [Pressed(float(i), "draw", 1) for i in range(5)]
    assert [inbox.press(event) for event in presses] == [True, True, True, False, False]
    assert inbox.drops == 2 and inbox.take() == tuple(presses[:3]) and inbox.take() == ()


def test_presses_come_from_many_threads_and_none_is_lost_below_the_bound():
    inbox = Inbox(capacity=400)
    event = Pressed(0.0, "draw")
    threads = [
        threading.Thread(target=lambda: [inbox.press(event) for _ in range(50)]) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert len(inbox.take()) == 400 and inbox.drops == 0


def test_stop_is_remembered():
    inbox = Inbox()
    assert not inbox.is_stopped
    inbox.stop()
    assert inbox.is_stopped
