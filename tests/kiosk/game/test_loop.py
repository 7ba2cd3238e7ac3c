"""The running table, with a source, eyes and a watcher that follow a script."""

from __future__ import annotations

import numpy as np
import pytest

from kiosk.game.inbox import Inbox
from kiosk.game.loop import GameLoop, LoopParts, ResumedAt
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
from kiosk.game.seats import read_sides
from kiosk.game.session import GamePast, GameSession, replayed
from kiosk.journal.entries import EventEntry
from kiosk.journal.writer import NoJournal
from rules.errors import FairdealError
from rules.event import Blind, Placed, Pressed, Removed, Sighted
from rules.game import make_setup
from rules.games import game
from rules.referee import begin
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
        self.entries = []

    def write(self, entry):
        self.entries.append(entry)
        return 0

    @property
    def events(self):
        return [entry.event for entry in self.entries if isinstance(entry, EventEntry)]

    @property
    def made(self):
        return [call for entry in self.entries for call in entry.calls]


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


def table(script, events, past=(), resumed=None, button=None, presses=()):
    """A loop over a script of frames, its journal, its session and what an observer heard."""
    log, inbox = Log(), Inbox()
    heard = Heard(inbox, button)
    observers = Observers([heard], pytest.fail)
    session = GameSession(begin(SUDS, SETUP), log, observers, GamePast(past))
    watcher = ScriptWatcher(events)
    parts = LoopParts(
        ScriptSource(script), NoEyes(), lambda: watcher, session, inbox,
        presses=presses, is_guarded=False,
    )  # fmt: skip
    return GameLoop(parts, resumed=resumed), log, session, heard


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


def resumed(events, spots=()):
    """What happened before, and where the game goes on."""
    return events, ResumedAt(events[-1].at, spots)


def test_after_a_power_cut_the_same_table_goes_on_under_its_old_names():
    past, at = resumed(BEFORE)
    events = (
        Placed(0.5, "hat", "pile/1"),
        Placed(0.5, "t-shirt", "pile/2"),
        Placed(4.0, "boxers", "pile/2", 1),
    )
    loop, log, session, _ = table([0.0, 0.5, 3.0, 4.0], events, past, at)
    loop.run()
    assert log.events == [Placed(7.0, "boxers", "pile/1", 1)]
    assert log.made == []
    assert session.judged.table["pile/1"] == ("hat", "t-shirt", "boxers")


def test_after_a_power_cut_another_table_is_taken_as_it_lies():
    past, at = resumed(BEFORE)
    events = (Placed(0.5, "pants", "pile/1"), Placed(4.0, "socks", "pile/1", 1))
    loop, log, session, _ = table([0.5, 3.0, 4.0], events, past, at)
    loop.run()
    assert [call.rule for call in log.made] == ["view-lost"]
    assert session.judged.table == {"pile/1": ("pants", "socks")}


FINISHED = (START, *(
    Placed(float(k), card, "pile/1", 1 + k % 2)
    for k, card in enumerate(("hat", "t-shirt", "boxers", "pants", "socks", "sneakers"), 1)
))  # fmt: skip


def test_a_pile_that_is_swept_after_a_power_cut_leaves_no_ghosts():
    """The new watcher knows only the card on top; all seven went, and a new pile may begin."""
    past, at = resumed(FINISHED)
    events = (
        Placed(0.5, "sneakers", "pile/1"),
        Removed(4.0, "sneakers", "pile/1", 2),
        Placed(6.0, "hat", "pile/2", 1),
    )
    loop, log, session, _ = table([0.5, 3.0, 4.0, 4.5, 5.1, 6.0], events, past, at)
    loop.run()
    gone = [(e.card, e.seat) for e in log.events if isinstance(e, Removed)]
    assert gone == [(card, 2) for card in
                    ("sneakers", "socks", "pants", "boxers", "t-shirt", "hat")]  # fmt: skip
    assert session.judged.table == {"pile/2": ("hat",)}
    assert [call.call for call in log.made if call.call in ("mistake", "unsure")] == []


def test_a_card_that_comes_to_light_after_a_power_cut_is_no_play():
    past, at = resumed(FINISHED[:4])
    events = (
        Placed(0.5, "boxers", "pile/1"),
        Removed(4.0, "boxers", "pile/1", 1),
        Placed(4.0, "t-shirt", "pile/1", 1),
        Placed(6.0, "boxers", "pile/1", 2),
    )
    loop, log, session, _ = table([0.5, 3.0, 4.0, 6.0], events, past, at)
    loop.run()
    assert log.events == [Removed(7.0, "boxers", "pile/1", 1), Placed(9.0, "boxers", "pile/1", 2)]
    assert session.judged.table == {"pile/1": ("hat", "t-shirt", "boxers")}


def test_a_game_that_was_cut_off_while_the_view_was_lost_is_judged_again():
    past, at = resumed((*BEFORE, Blind(5.0)))
    seen = (Placed(0.5, "t-shirt", "pile/1"), Placed(0.5, "hat", "pile/2"))
    events = (*seen, Placed(4.0, "socks", "pile/2", 1))
    loop, log, _, _ = table([0.5, 3.0, 4.0], events, past, at)
    loop.run()
    assert log.events == [Sighted(8.0), Placed(9.0, "socks", "pile/2", 1)]
    assert [call.rule for call in log.made] == ["out-of-sequence"]


def test_times_never_fall_after_a_second_cut():
    """An undo with nothing to take back is ignored, and counts for the time all the same."""
    past, at = resumed((*BEFORE, Pressed(50.0, "start")))
    assert replayed(begin(SUDS, SETUP), past).at == 3.0 and at.at == 50.0
    seen = (Placed(0.5, "t-shirt", "pile/1"), Placed(0.5, "hat", "pile/2"))
    loop, log, _, _ = table([0.5, 3.0, 4.0], (*seen, Placed(4.0, "boxers", "pile/1", 1)),
                            past, at)  # fmt: skip
    loop.run()
    assert log.events == [Placed(54.0, "boxers", "pile/1", 1)]


def test_the_mistake_lamp_is_lit_at_once_when_a_game_goes_on():
    past = GamePast((START, Placed(1.0, "pants", "pile/1", 1)))
    heard = Heard(Inbox())
    observers = Observers([heard], pytest.fail)
    session = GameSession(begin(SUDS, SETUP), NoJournal(), observers, past)
    session.begin(("bottom", "top"), is_resumed=True, number=12)
    (news,) = heard.of(GameBegan)
    assert len(news.open_mistakes) == 1 and news.is_resumed and news.number == 12


def test_buttons_of_a_recording_are_pressed_at_their_own_times():
    presses = (Pressed(0.4, "start"), Pressed(1.7, "draw", 2), Pressed(9.0, "end"))
    events = (Placed(1.0, "hat", "pile/1", 1), Placed(2.0, "t-shirt", "pile/1", 2))
    loop, log, _, _ = table([0.0, 1.0, 2.0], events, presses=presses)
    loop.run()
    assert log.events == [presses[0], events[0], presses[1], events[1], presses[2]]


def test_sides_are_read_and_checked():
    assert read_sides(None, 2) == ("bottom", "left")
    assert read_sides("top, bottom", 2) == ("top", "bottom")
    for wrong in ("top", "top,top", "top,middle", ""):
        with pytest.raises(FairdealError, match="--seats with 2"):
            read_sides(wrong, 2)
