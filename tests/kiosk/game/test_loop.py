"""The running table, with a source, eyes and a watcher that follow a script."""

from __future__ import annotations

import pytest
from loop_scripts import SETUP, START, SUDS, Heard, table

from kiosk.game.inbox import Inbox
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
from kiosk.game.session import GameSession
from kiosk.journal.writer import NoJournal
from rules.contract.game import make_setup
from rules.errors import FairdealError
from rules.games import game
from rules.judging.referee import begin
from rules.table.event import Placed, Pressed, Removed
from vision.sources import Lost


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
