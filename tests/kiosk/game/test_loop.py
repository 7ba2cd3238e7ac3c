"""The running table, with a source, eyes and a watcher that follow a script."""

from __future__ import annotations

import numpy as np
import pytest

from kiosk.game.journal import NoJournal
from kiosk.game.loop import RunningTable, View
from kiosk.game.observers import NoDisplay
from kiosk.game.resume import Renaming, as_it_lies, lying, matched
from kiosk.game.seats import read_sides
from kiosk.game.session import Judging, replayed
from kiosk.terminal.keys import Presses
from rules.errors import FairdealError
from rules.event import Event
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
START = Event(0.0, "pressed", button="start")


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


class Blind:
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


def table(script, events, session=None, **more):
    log = Log()
    judging = Judging(session or begin(SUDS, SETUP), log)
    running = RunningTable(ScriptSource(script), Blind(), ScriptWatcher(events), judging, **more)
    return running, log, judging


def test_a_recorded_game_is_started_and_judged_frame_by_frame():
    events = (
        Event(1.0, "placed", "hat", "pile/1", 1),
        Event(2.0, "placed", "socks", "pile/1", 2),
        Event(3.0, "removed", "socks", "pile/1", 2),
    )
    running, log, _ = table([0.0, 1.0, 2.0, None, 3.0], events, start=True)
    summary = running.run()
    assert log.events == [START, *events]
    assert [(c.call, c.rule, c.at) for c in log.made] == [
        ("mistake", "out-of-sequence", 2.0), ("corrected", "out-of-sequence", 3.0),
    ]  # fmt: skip
    assert summary.frames == 4 and summary.calls == {"mistake": 1, "corrected": 1}


def test_without_start_every_card_is_too_early():
    running, log, _ = table([1.0], (Event(1.0, "placed", "hat", "pile/1", 1),))
    running.run()
    assert [call.rule for call in log.made] == ["false-start"]


def test_a_button_of_a_device_is_taken_at_the_time_of_the_frame():
    running, log, _ = table([3.0, None, 4.0], ())
    running.press(Event(99.0, "pressed", button="start", seat=1))
    running.run()
    assert [(e.button, e.seat) for e in log.events] == [("start", 1)]


class Keys(NoDisplay):
    """Presses a key at its second question."""

    def __init__(self):
        self.asked = 0
        self.whys = []

    def presses(self):
        self.asked += 1
        return (("start", None),) if self.asked == 2 else ()

    def lost(self, why):
        self.whys.append(why)


def test_a_key_starts_the_game():
    running, log, _ = table([1.0, 2.0], (), display=Keys())
    running.run()
    assert [(e.at, e.button) for e in log.events] == [(1.0, "start")]


def test_a_lost_camera_is_blind_and_play_is_judged_again_once_it_is_back():
    keys = Keys()
    events = (Event(1.0, "placed", "hat", "pile/1", 1), Event(8.2, "placed", "pants", "pile/1", 2))
    script = [0.0, 1.0, Lost(4.0, "cable"), Lost(4.1, "cable"), 8.0, 8.2, 8.5, 9.0, 9.1]
    running, log, _ = table(script, events, start=True, display=keys)
    running.run()
    happened = [(event.event, event.at) for event in log.events if event.event != "pressed"]
    assert happened == [("placed", 1.0), ("blind", 4.0), ("placed", 8.2), ("sighted", 9.0)]
    assert [call.rule for call in log.made] == ["view-lost"]
    assert keys.whys[-1] == "" and keys.whys[0] == "camera lost: cable"


def test_camera_and_picture_lost_at_once_are_one_lost_view():
    view = View()
    assert [e.event for e in view.lose("camera", 1.0)] == ["blind"]
    assert view.lose("picture", 2.0) == ()
    assert view.find("camera", 3.0) == ()
    assert [e.event for e in view.find("picture", 4.0)] == ["sighted"]
    assert view.find("picture", 5.0) == ()


def test_stop_ends_the_run_without_ending_the_game():
    running, _, judging = table([1.0, 2.0], ())
    running.stop()
    assert running.run().frames == 0
    assert not judging.session.over


BEFORE = (
    START,
    Event(1.0, "placed", "hat", "pile/1", 1),
    Event(2.0, "placed", "t-shirt", "pile/1", 2),
    Event(3.0, "placed", "hat", "pile/2", 1),
)


def test_after_a_power_cut_the_same_table_goes_on_under_its_old_names():
    session = replayed(begin(SUDS, SETUP), BEFORE)
    events = (
        Event(0.5, "placed", "hat", "pile/1"),
        Event(0.5, "placed", "t-shirt", "pile/2"),
        Event(4.0, "placed", "boxers", "pile/2", 1),
    )
    running, log, judging = table([0.0, 0.5, 3.0, 4.0], events, session, resume=True)
    running.run()
    assert log.events == [Event(7.0, "placed", "boxers", "pile/1", 1)]
    assert log.made == []
    assert judging.session.table["pile/1"] == ("hat", "t-shirt", "boxers")


def test_after_a_power_cut_another_table_is_taken_as_it_lies():
    session = replayed(begin(SUDS, SETUP), BEFORE)
    events = (Event(0.5, "placed", "pants", "pile/1"), Event(4.0, "placed", "socks", "pile/1", 1))
    running, log, judging = table([0.5, 3.0, 4.0], events, session, resume=True)
    running.run()
    assert [call.rule for call in log.made] == ["view-lost"]
    assert judging.session.table == {"pile/1": ("pants", "socks")}


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
    assert [renaming.event(Event(0.0, "placed", "hat", p)).place for p in places] == [
        "pile/5", "pile/6", "discard", "pile/6",
    ]  # fmt: skip


def test_as_it_lies_leaves_the_referee_with_the_table_that_is_seen():
    session = replayed(begin(SUDS, SETUP), BEFORE)
    seen = lying((Event(0.0, "placed", "pants", "pile/1"),))
    for event in as_it_lies(session.table, seen, 9.0):
        session, _ = step(session, event)
    assert dict(session.table) == seen


def test_keys_are_buttons_and_a_digit_is_the_seat_of_the_next_one():
    presses = Presses()
    assert presses.typed("s2o") == (("start", None), ("out", 2))
    assert presses.typed("3") == ()
    assert presses.typed("o?u") == (("out", 3), ("undo", None))
    assert not presses.quit
    presses.typed("q")
    assert presses.quit


def test_sides_are_read_and_checked():
    assert read_sides(None, 2) == ("bottom", "left")
    assert read_sides("top, bottom", 2) == ("top", "bottom")
    for wrong in ("top", "top,top", "top,middle", ""):
        with pytest.raises(FairdealError, match="--seats with 2"):
            read_sides(wrong, 2)
