"""A game loop whose source, eyes and watcher follow a script."""

from __future__ import annotations

import numpy as np
import pytest

from kiosk.game.inbox import Inbox
from kiosk.game.loop import GameLoop, LoopParts
from kiosk.game.news import (
    FrameJudged,
)
from kiosk.game.observers import Observers
from kiosk.game.session import GamePast, GameSession
from kiosk.journal.entries import EventEntry
from kiosk.journal.writer import NoJournal
from rules.contract.game import make_setup
from rules.games import game
from rules.judging.referee import begin
from rules.table.event import Pressed
from vision.frame import Frame
from vision.scene.hand_blobs import Cover
from vision.scene.table import Table
from vision.scene.watcher import Observation
from vision.sightings import Located, Sightings
from vision.sources import Source
from vision.sources.source import Ended

SUDS = game("suds")
SETUP = make_setup(SUDS, 2)
PICTURE = np.zeros((32, 32, 3), np.uint8)
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
    """Eyes that are ready at once and find nothing."""

    def locate(self, bgr):
        return Located.empty()

    def name(self, bgr, quads, quick=False, known=None):
        raise AssertionError("nothing to name")

    def see(self, bgr):
        return Sightings.empty()


class ScriptWatcher:
    """Events by the frame's time."""

    def __init__(self, events):
        self.events = events

    def update(self, frame, located, name):
        cover = Cover(np.zeros((32, 32), bool), np.zeros((32, 32), np.uint8))
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
