"""A camera or a mat that is moved in mid-game: noticed, said, and the game goes on after it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from loop_scripts import Log, NoEyes

from device.rendering import Rest
from device.signals import SignalSettings
from kiosk.game.camera_link import CameraHooks
from kiosk.game.frozen_feed import FrozenFeed
from kiosk.game.inbox import Inbox
from kiosk.game.lamps import Lamps
from kiosk.game.limits import LIMITS
from kiosk.game.loop import GameLoop, LoopParts
from kiosk.game.news import ViewFound, ViewLost
from kiosk.game.observers import Observers
from kiosk.game.session import GameSession
from kiosk.game.view_guard import ViewGuard, ViewState
from models.drawing.script import parse_script
from rules.contract.game import make_setup
from rules.games import game
from rules.judging.referee import begin
from rules.table.event import Placed, Removed
from vision import mat
from vision.frame import Frame
from vision.scene.hand_blobs import Cover
from vision.scene.table import Table
from vision.scene.watcher import Observation
from vision.sources.simulated import SimulatedSource
from vision.sources.source import Ended, Lost, Source

SCRIPT = """
game suds
players 2
seed 3
spot pile/1 0.25 0.35
spot pile/2 0.7 0.6
spot pile/3 0.45 0.75
1.0 seat=1 place hat pile/1
2.5 seat=2 place hat pile/2
4.0 seat=1 place hat pile/3
14.0 seat=2 place t-shirt pile/1
"""
RATE = 5.0


@pytest.fixture(scope="module")
def drawn():
    """The simulated table from 5 to 13 s, at rest with three cards, at RATE."""
    source = SimulatedSource(parse_script(SCRIPT), (640, 360))
    frames = []
    for at in np.arange(5.6, 13.0, 1 / RATE):
        source.skip_to(at)
        frames.append(source.read())
    return frames


def pushed(frame, dx=0.0, dy=0.0, turn=0.0):
    """The frame as a camera that was pushed sees it, its noise another one."""
    matrix = cv2.getRotationMatrix2D((320, 180), turn, 1.0)
    matrix[:, 2] += (dx, dy)
    bgr = cv2.warpAffine(frame.bgr, matrix, (640, 360), borderMode=cv2.BORDER_REFLECT)
    noise = np.random.default_rng(frame.number).normal(0, 1.5, bgr.shape)
    return Frame((bgr + noise).clip(0, 255).astype(np.uint8), frame.at, frame.number)


def told(frames):
    """(time, state, why) whenever the state changes."""
    guard, said = ViewGuard(), []
    for frame in frames:
        report = guard.see(frame)
        if not said or said[-1][1] != report.state.value:
            said.append((frame.at, report.state.value, report.why))
    return said


def test_a_resting_table_stands(drawn):
    assert [state for _, state, _ in told(drawn)] == ["stands"]


@pytest.mark.parametrize("push", [{"dx": 6}, {"dx": -9, "dy": 7}, {"turn": 3}])
def test_a_knock_that_shifts_the_view_a_little_is_followed_within_two_seconds(drawn, push):
    at = drawn[8].at
    guard = ViewGuard()
    for frame in drawn:
        seen = frame if frame.at < at else pushed(frame, **push)
        assert guard.see(seen).state is ViewState.STANDS
        if frame.at - at > 2.0:
            apart = cv2.absdiff(guard.held(seen).bgr, frame.bgr)[30:-30, 30:-30]
            assert apart.mean() < 0.5 * cv2.absdiff(seen.bgr, frame.bgr)[30:-30, 30:-30].mean()
            assert not guard.check(guard.held(seen))


@pytest.mark.parametrize("push", [{"dy": -40}, {"turn": 9}, {"dx": 60, "dy": 20}])
def test_a_pushed_camera_is_noticed_within_three_seconds_and_settles(drawn, push):
    at = drawn[8].at
    frames = [f if f.at < at else pushed(f, **push) for f in drawn]
    said = told(frames)
    assert [state for _, state, _ in said] == ["stands", "moved", "settled", "stands"]
    assert said[1][0] - at <= 3.0 and said[2][0] - at <= 6.0
    assert "camera was moved by" in said[1][2]


def test_one_shifted_look_before_the_view_is_covered_is_not_followed(drawn):
    guard = ViewGuard()
    for n, frame in enumerate(drawn[:24]):
        seen = pushed(frame, dx=9) if n == 8 else frame
        covered = Frame(np.full_like(frame.bgr, 90), frame.at, frame.number)
        guard.see(covered if 9 <= n < 20 else seen)
        if n == 8:
            assert guard.check(seen)
        assert guard.held(frame) is frame


def test_what_happens_in_a_shifted_view_is_doubtful_at_once(drawn):
    guard = ViewGuard()
    for frame in drawn[:8]:
        guard.see(frame)
        assert not guard.check(frame)
    assert guard.check(pushed(drawn[8], dx=20))


def mat_frame(number, x):
    """A small mat on a plain table, `x` px from the left, every second in time."""
    bgr = np.full((540, 960, 3), 90, np.uint8)
    drawn_mat = cv2.cvtColor(mat.picture(mat.MATS["a4"], 2.0), cv2.COLOR_GRAY2BGR)
    height, width = drawn_mat.shape[:2]
    bgr[90 : 90 + height, x : x + width] = drawn_mat
    for cup_x, cup_y in ((60, 60), (890, 70), (70, 480), (900, 470)):
        cv2.circle(bgr, (cup_x, cup_y), 35, (30, 60, 120), -1)
        cv2.line(bgr, (cup_x - 30, cup_y - 20), (cup_x + 30, cup_y + 20), (220, 220, 200), 5)
    noise = np.random.default_rng(number).normal(0, 1.5, bgr.shape)
    return Frame((bgr + noise).clip(0, 255).astype(np.uint8), number / 2, number)


def test_a_mat_that_is_moved_on_the_table_is_noticed():
    said = told([mat_frame(i, 200 if i < 10 else 240) for i in range(24)])
    assert said[1][1] == "moved" and said[1][0] - 5.0 <= 3.0
    assert "the mat was moved" in said[1][2] or "the camera was moved" in said[1][2]
    assert [state for _, state, _ in said][2:] == ["settled", "stands"]


class Frames(Source):
    """Gives these frames, or steps, and ends."""

    def __init__(self, steps, recorded=True):
        self.steps, self.recorded = iter(steps), recorded

    def read(self):
        raise AssertionError("the table watches")

    def watch(self, timeout_s):
        return next(self.steps, Ended())


class ScriptWatcher:
    """Events by the frame's number."""

    def __init__(self, events):
        self.events = events

    def update(self, frame, located, name):
        cover = Cover(np.zeros((8, 8), bool), np.zeros((8, 8), np.uint8))
        happened = tuple(
            {"placed": Placed, "removed": Removed}[kind](frame.at, card, place)
            for kind, card, place in self.events.pop(0)
        ) if self.events else ()  # fmt: skip
        return Observation(happened, Table(), (), cover)


class Told:
    """Keeps why the view was lost; empty: found."""

    name = "told"

    def __init__(self):
        self.whys = []

    def hear(self, news):
        if isinstance(news, ViewLost):
            self.whys.append(news.why)
        elif isinstance(news, ViewFound):
            self.whys.append("")


class Performer:
    """A performer's part that matters here."""

    def __init__(self):
        self.lost_views = []
        self.settings, self.rest = SignalSettings(), Rest()

    def play(self, call):
        """No matter."""

    def settle(self, open_mistakes):
        """No matter."""

    def turn(self, seat):
        """No matter."""

    def lost(self, on, *, heard=True):
        if not self.lost_views or self.lost_views[-1] != (on, heard):
            self.lost_views.append((on, heard))


PILES = [("placed", "hat", "pile/1"), ("placed", "hat", "pile/2")]


def play(frames, first, later, **more):
    """Runs a table; `first` and `later`: the events of its first watcher and of the next one."""
    log, told_of, lamps = Log(), Told(), Performer()
    suds = game("suds")
    observers = Observers([Lamps(lamps), told_of], pytest.fail)
    session = GameSession(begin(suds, make_setup(suds, 2)), log, observers)
    source = Frames(frames, more.pop("recorded", True))
    watchers = iter([ScriptWatcher(first)])
    parts = LoopParts(
        source, NoEyes(), lambda: next(watchers, None) or ScriptWatcher(later), session, Inbox(),
        **more,
    )  # fmt: skip
    GameLoop(parts).run(press_start=True)
    return log, told_of, lamps, session


def test_after_a_push_the_same_table_goes_on_and_nothing_is_called(drawn):
    at = drawn[8].at
    frames = [f if f.at < at else pushed(f, dx=30) for f in drawn]
    garbage = [("removed", "hat", "pile/1"), ("placed", "socks", "pile/1")]
    log, display, lamps, session = play(frames, [PILES, *[[]] * 7, garbage, garbage], [PILES])
    assert log.made == []
    assert [e.kind for e in log.events] == ["pressed", "placed", "placed", "blind", "sighted"]
    assert log.events[3].at - at <= 3.0
    assert display.whys[0].startswith("the camera was moved") and display.whys[-1] == ""
    assert lamps.lost_views == [(True, True), (False, True)]
    assert dict(session.judged.table) == {"pile/1": ("hat",), "pile/2": ("hat",)}


def test_after_a_push_another_table_is_taken_as_it_lies(drawn):
    at = drawn[8].at
    frames = [f if f.at < at else pushed(f, dx=30) for f in drawn]
    later = [("placed", "hat", "pile/1"), ("placed", "boxers", "pile/2")]
    log, _, _, session = play(frames, [PILES], [later])
    assert [call.rule for call in log.made] == ["view-lost"]
    assert dict(session.judged.table) == {"pile/1": ("hat",), "pile/2": ("boxers",)}
    assert [e.kind for e in log.events].count("blind") == 1


def test_the_same_bytes_again_and_again_are_a_lost_camera():
    frozen = FrozenFeed()
    grey = np.full((64, 64, 3), 9, np.uint8)
    other = grey.copy()
    other[33, 17] = 10
    seen = [frozen.see(Frame(grey.copy(), at, 0)) for at in (0.0, 1.0, 2.4, 2.6, 9.0)]
    assert [lost is None for lost in seen] == [True, True, True, False, False]
    assert seen[3] is not None and seen[3].why == "the same picture for 2.6 s"
    assert frozen.see(Frame(other, 9.1, 0)) is None
    assert frozen.see(Frame(other, 9.1 + LIMITS.frozen_s, 0)) is not None


def test_a_frozen_live_camera_is_called_like_a_silent_one_and_comes_back(drawn):
    still = drawn[0].bgr
    frozen = [Frame(still, at, 1) for at in np.arange(0.0, 4.0, 0.5)]
    moving = [Frame(f.bgr, 4.0 + i / 2, i) for i, f in enumerate(drawn[1:8])]
    log, display, lamps, _ = play([*frozen, *moving], [], [], recorded=False)
    happened = [(event.kind, event.at) for event in log.events if event.kind != "pressed"]
    assert happened == [("blind", 2.5), ("sighted", 5.0)]
    assert display.whys == ["camera lost: the same picture for 2.5 s",
                            "camera lost: the same picture for 3.0 s",
                            "camera lost: the same picture for 3.5 s", ""]  # fmt: skip
    assert lamps.lost_views == [(True, True), (False, True)]


def test_a_recording_may_stand_still(drawn):
    frames = [Frame(drawn[0].bgr, at, 1) for at in np.arange(0.0, 6.0, 0.5)]
    log, _, _, _ = play(frames, [], [])
    assert [event.kind for event in log.events] == ["pressed"]


def test_what_must_be_set_again_is_when_a_lost_camera_is_back(drawn):
    back = []
    steps = [drawn[0], Lost(7.0, "unplugged"), *drawn[8:12]]
    hooks = CameraHooks(lambda frame: back.append(frame.at), lambda: back.append("back"))
    play(steps, [], [], recorded=False, hooks=hooks)
    assert back == [drawn[0].at, "back"]
