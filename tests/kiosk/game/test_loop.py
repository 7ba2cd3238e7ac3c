"""The running table, with a source, eyes and a watcher that follow a script."""

from __future__ import annotations

import numpy as np
import pytest

from kiosk.game.inbox import Inbox
from kiosk.game.journal import NoJournal
from kiosk.game.loop import GameLoop, LoopParts
from kiosk.game.lost_views import LostViews
from kiosk.game.news import (
    EventJudged,
    FrameJudged,
    GameBegan,
    GameEnded,
    LostBy,
    ViewFound,
    ViewLost,
)
from kiosk.game.observers import Observers
from kiosk.game.resume import Renaming, as_it_lies, lying, matched
from kiosk.game.seats import read_sides
from kiosk.game.session import GameSession, replayed
from rules.errors import FairdealError
from rules.event import Placed, Pressed, Removed
from rules.game import make_setup
from rules.games import game
from rules.referee import begin, step
from vision.frame import Frame
from vision.scene.hands import Cover
from vision.scene.table import Table
from vision.scene.watcher import Observation
from vision.sightings import Located
from vision.sources import Lost, Source
from vision.sources.source import Ended

SUDS = game("suds")
SETUP = make_setup(SUDS, 2)
PICTURE = np.zeros((8, 8, 3), np.uint8)
START = Pressed(0.0, "start")


class ScriptSource(Source):
    """Gives what the script says: seconds are frames."""

    def __init__(self, script):
        self.script = iter(script)
        self.number = 0

    def read(self):
        raise AssertionError("the table watches")

    def watch(self, timeout_s):
        step = next(self.script, Ended())
        if isinstance(step, float):
            self.number += 1
            return Frame(PICTURE, step, self.number)
        return step


class NoEyes:
    """Eyes that find nothing: the watcher's script says what happens."""

    def locate(self, bgr):
        return Located.empty()

    def name(self, bgr, quads):
        raise AssertionError("nothing to name")


class ScriptWatcher:
    """Events by the frame's time."""

    def __init__(self, events):
        self.events = events

    def update(self, frame, located, name):
        cover = Cover(np.zeros((8, 8), bool), np.zeros((8, 8), np.uint8))
        happened = tuple(event for event in self.events if event.at == frame.at)
        return Observation(happened, Table(), (), cover)


class Log(NoJournal):
    """A journal in memory."""

    def __init__(self):
        self.events, self.made = [], []

    def event(self, event):
        self.events.append(event)

    def calls(self, calls):
        self.made.extend(calls)


class Heard:
    """An observer that keeps the news; presses a button at its second frame if it is told to."""

    name = "test"

    def __init__(self, inbox, button=None):
        self.news, self.inbox, self.button = [], inbox, button

    def hear(self, news):
        self.news.append(news)
        if self.button and len(self.of(FrameJudged)) == 1 and isinstance(news, FrameJudged):
            self.inbox.press(Pressed(99.0, self.button, 1))

    def of(self, kind):
        return [news for news in self.news if isinstance(news, kind)]


def table(script, events, judged=None, resume_at=None, button=None):
    """A loop over a script of frames, its journal, its session and what an observer heard."""
    log, inbox = Log(), Inbox()
    heard = Heard(inbox, button)
    session = GameSession(judged or begin(SUDS, SETUP), log, Observers([heard], pytest.fail))
    watcher = ScriptWatcher(events)
    parts = LoopParts(
        ScriptSource(script), NoEyes(), lambda: watcher, session, inbox, is_guarded=False
    )
    return GameLoop(parts, resume_at=resume_at), log, session, heard


def test_a_recorded_game_is_started_and_judged_frame_by_frame():
    events = (
        Placed(1.0, "hat", "pile/1", 1),
        Placed(2.0, "socks", "pile/1", 2),
        Removed(3.0, "socks", "pile/1", 2),
    )
    loop, log, _, heard = table([0.0, 1.0, 2.0, None, 3.0], events)
    summary = loop.run(press_start=True)
    assert log.events == [START, *events]
    assert [(c.call, c.rule, c.at) for c in log.made] == [
        ("mistake", "out-of-sequence", 2.0), ("corrected", "out-of-sequence", 3.0),
    ]  # fmt: skip
    assert summary.frames == 4 and summary.calls == {"mistake": 1, "corrected": 1}
    assert heard.news[-1] == GameEnded(summary, is_over=True)
    judged = heard.of(EventJudged)
    assert [len(news.open_mistakes) for news in judged] == [0, 0, 1, 0, 0]
    assert [news.event for news in judged] == [START, *events, None]
    assert [news.at for news in heard.of(FrameJudged)] == [0.0, 1.0, 2.0, 3.0]


def test_without_start_every_card_is_too_early():
    loop, log, _, _ = table([1.0], (Placed(1.0, "hat", "pile/1", 1),))
    loop.run()
    assert [call.rule for call in log.made] == ["false-start"]


def test_a_press_is_taken_at_the_time_of_the_frame():
    loop, log, _, heard = table([3.0, None, 4.0], ())
    heard.inbox.press(Pressed(99.0, "start", 1))
    loop.run()
    assert [(e.button, e.seat) for e in log.events] == [("start", 1)]


def test_an_observer_may_press_a_button():
    loop, log, _, _ = table([1.0, 2.0], (), button="start")
    loop.run()
    assert [(e.at, e.button) for e in log.events] == [(1.0, "start")]


def test_a_lost_camera_is_blind_and_play_is_judged_again_once_it_is_back():
    events = (Placed(1.0, "hat", "pile/1", 1), Placed(8.2, "pants", "pile/1", 2))
    script = [0.0, 1.0, Lost(4.0, "cable"), Lost(4.1, "cable"), 8.0, 8.2, 8.5, 9.0, 9.1]
    loop, log, _, heard = table(script, events)
    loop.run(press_start=True)
    happened = [(event.kind, event.at) for event in log.events if event.kind != "pressed"]
    assert happened == [("placed", 1.0), ("blind", 4.0), ("placed", 8.2), ("sighted", 9.0)]
    assert [call.rule for call in log.made] == ["view-lost"]
    assert heard.of(ViewLost) == [ViewLost(4.0, LostBy.CAMERA, "camera lost: cable")]
    assert heard.of(ViewFound) == [ViewFound(9.0)]


def test_camera_and_picture_lost_at_once_are_one_lost_view():
    view = LostViews()
    assert [e.kind for e in view.lose(LostBy.CAMERA, "cable", 1.0)] == ["blind"]
    assert view.lose(LostBy.PICTURE, "dark", 2.0) == ()
    assert view.has(LostBy.CAMERA, "cable") and not view.has(LostBy.CAMERA, "other")
    assert view.find(LostBy.CAMERA, 3.0) == ()
    assert [e.kind for e in view.find(LostBy.PICTURE, 4.0)] == ["sighted"]
    assert view.find(LostBy.PICTURE, 5.0) == () and not view.is_any


def test_stop_ends_the_run_without_ending_the_game():
    loop, _, session, heard = table([1.0, 2.0], ())
    heard.inbox.stop()
    assert loop.run().frames == 0
    assert not session.judged.over and not heard.news[-1].is_over


def test_the_lamp_of_an_open_mistake_of_dirty_laundry_stays_lit():
    game_of = game("dirty-laundry")
    setup = make_setup(game_of, 2)
    heard = Heard(Inbox())
    session = GameSession(begin(game_of, setup), NoJournal(), Observers([heard], pytest.fail))
    session.happen(START)
    session.happen(Placed(1.0, "p1-white-plain", "clothesline", 1))
    (news,) = [news for news in heard.of(EventJudged) if news.calls]
    assert [call.call for call in news.calls] == ["mistake"] and len(news.open_mistakes) == 1


def test_observers_hear_which_game_begins():
    heard = Heard(Inbox())
    session = GameSession(begin(SUDS, SETUP), NoJournal(), Observers([heard], pytest.fail))
    session.begin(("bottom", "top"))
    (news,) = heard.of(GameBegan)
    assert news.game is SUDS and news.sides == ("bottom", "top") and news.view.headline


BEFORE = (
    START,
    Placed(1.0, "hat", "pile/1", 1),
    Placed(2.0, "t-shirt", "pile/1", 2),
    Placed(3.0, "hat", "pile/2", 1),
)


def test_after_a_power_cut_the_same_table_goes_on_under_its_old_names():
    session = replayed(begin(SUDS, SETUP), BEFORE)
    events = (
        Placed(0.5, "hat", "pile/1"),
        Placed(0.5, "t-shirt", "pile/2"),
        Placed(4.0, "boxers", "pile/2", 1),
    )
    loop, log, judging, _ = table([0.0, 0.5, 3.0, 4.0], events, session, session.at)
    loop.run()
    assert log.events == [Placed(7.0, "boxers", "pile/1", 1)]
    assert log.made == []
    assert judging.judged.table["pile/1"] == ("hat", "t-shirt", "boxers")


def test_after_a_power_cut_another_table_is_taken_as_it_lies():
    session = replayed(begin(SUDS, SETUP), BEFORE)
    events = (Placed(0.5, "pants", "pile/1"), Placed(4.0, "socks", "pile/1", 1))
    loop, log, judging, _ = table([0.5, 3.0, 4.0], events, session, session.at)
    loop.run()
    assert [call.rule for call in log.made] == ["view-lost"]
    assert judging.judged.table == {"pile/1": ("pants", "socks")}


def test_piles_are_matched_by_their_top_cards():
    known = {"pile/2": ("hat",), "pile/5": ("hat", "t-shirt")}
    assert matched(known, {"pile/1": ("t-shirt",), "pile/2": ("hat",)}) == {
        "pile/1": "pile/5", "pile/2": "pile/2",
    }  # fmt: skip
    assert matched(known, {"pile/1": ("hat",)}) is None
    assert matched({"discard": ("a",)}, {"discard": ("b",)}) is None


def test_new_piles_get_numbers_that_were_never_used():
    renaming = Renaming({"pile/1": "pile/5"}, {"pile/5": ("hat",)})
    places = ["pile/1", "pile/2", "discard", "pile/2"]
    assert [renaming.event(Placed(0.0, "hat", p)).place for p in places] == [
        "pile/5", "pile/6", "discard", "pile/6",
    ]  # fmt: skip


def test_as_it_lies_leaves_the_referee_with_the_table_that_is_seen():
    session = replayed(begin(SUDS, SETUP), BEFORE)
    seen = lying((Placed(0.0, "pants", "pile/1"),))
    for event in as_it_lies(session.table, seen, 9.0):
        session, _ = step(session, event)
    assert dict(session.table) == seen


def test_sides_are_read_and_checked():
    assert read_sides(None, 2) == ("bottom", "left")
    assert read_sides("top, bottom", 2) == ("top", "bottom")
    for wrong in ("top", "top,top", "top,middle", ""):
        with pytest.raises(FairdealError, match="--seats with 2"):
            read_sides(wrong, 2)
