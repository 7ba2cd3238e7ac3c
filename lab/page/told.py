"""A table whose game is told from a script: real server and link, no camera and no eyes."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from kiosk.field.recorder import Recorder
from kiosk.game.inbox import Inbox
from kiosk.game.news import FrameJudged
from kiosk.game.observers import Observers
from kiosk.game.session import GameSession
from kiosk.journal.writer import NoJournal
from kiosk.web.link import LinkSettings, PageLink
from kiosk.web.page import PagePlace, served_page
from models.deck import load_deck
from models.drawing.raster import face_picture
from rules.contract.game import make_setup
from rules.games import game
from rules.judging import referee
from rules.table.event import Event, Placed, Pressed, Removed
from vision.frame import Frame, Image
from vision.scene.hand_blobs import Cover
from vision.scene.table import Corners, Table
from vision.scene.tracks import Track
from vision.scene.watcher import Observation

WIDTH, HEIGHT, CARD = 1280, 720, 180
SUDS = game("suds")
SETUP = make_setup(SUDS, 3)
SIDES = ("bottom", "left", "top")
SPOTS = {"pile/1": (300, 250), "pile/2": (640, 330), "pile/3": (960, 220), "pile/4": (500, 60)}
FRAME_S = 0.1
BURST = 6  # frames told at once; the link holds twelve
TABLE_BGR = (60, 90, 140)


@dataclass
class ToldTable:
    """One game of Suds, told event by event; frames show the cards where they lie."""

    link: PageLink
    address: str
    inbox: Inbox
    session: GameSession
    at: float = 0.0
    frames: int = 0
    frame_s: float = FRAME_S  # of the game's clock between two frames
    recorder: Recorder | None = None  # of a table that is recorded
    number: int | None = None  # the game's in a journal

    def begin(self) -> None:
        """The game begins; its start button is pressed."""
        self.session.begin(SIDES, number=self.number)
        self.happen(Pressed(self.at, "start"))

    def happen(self, event: Event) -> None:
        """Judges and tells an event, then a second of frames."""
        self.session.happen(event)
        self.film(12)

    def place(self, card: str, place: str, seat: int) -> None:
        """A card comes to rest at the next frame."""
        self.happen(Placed(self.at + FRAME_S, card, place, seat))

    def remove(self, card: str, place: str, seat: int) -> None:
        """A card is gone at the next frame."""
        self.happen(Removed(self.at + FRAME_S, card, place, seat))

    def film(self, count: int) -> None:
        """Tells `count` frames of the table as it lies, then waits until the server has them."""
        for _ in range(count):
            self.frame()
            if self.frames % BURST == 0:
                self.settle()
        self.settle()

    def frame(self) -> None:
        """Tells one frame of the table as it lies; takes what was overruled meanwhile."""
        for overruling in self.inbox.take_overruled():
            self.session.overrule(overruling)
        self.session.release()
        self.at = round(self.at + self.frame_s, 3)
        self.frames += 1
        bgr, tracks = drawn(referee.seen_table(self.session.judged))
        cover = Cover(np.zeros((9, 16), bool), np.zeros((9, 16), np.uint8))
        observation = Observation((), Table(), tracks, cover)
        frame = Frame(bgr, self.at, self.frames)
        if self.recorder is not None:
            self.recorder.see(frame)
        self.session.tell(FrameJudged(frame, observation, self.at, 0.02))

    def settle(self) -> None:
        """Asks the server until it knows the latest frame; the link has then taken them all."""
        for _ in range(5000):
            if self.state()["at"] >= self.at:
                return
        raise AssertionError(f"expected the server to reach {self.at} s")

    def state(self) -> dict:
        """The server's state now."""
        with urllib.request.urlopen(f"{self.address}api/state", timeout=60) as answer:
            return json.load(answer)


@lru_cache(maxsize=32)
def _face(face: str) -> Image:
    return np.asarray(face_picture(load_deck("suds"), face, CARD))


def drawn(table: referee.Table) -> tuple[Image, tuple[Track, ...]]:
    """A picture of the table and the cards in it."""
    bgr = np.full((HEIGHT, WIDTH, 3), TABLE_BGR, np.uint8)
    tracks: list[Track] = []
    for place, faces in table.items():
        x, y = SPOTS[place]
        for k, face in enumerate(faces):
            art = _face(face)
            left, top = x + 12 * k, y + 8 * k
            right, low = left + art.shape[1], top + CARD
            patch = bgr[top:low, left:right]
            alpha = art[..., 3:].astype(np.float32) / 255
            patch[:] = (art[..., :3] * alpha + patch * (1 - alpha)).astype(np.uint8)
            corners: Corners = ((left, top), (right, top), (right, low), (left, low))
            state = "lying" if k == len(faces) - 1 else "covered"
            tracks.append(Track(len(tracks), corners, face, 0.99, state, place, None))
    return bgr, tuple(tracks)


@contextmanager
def told_table(
    folder: Path,
    port: int = 0,
    settings: LinkSettings | None = None,
    record: Callable[[Inbox], Recorder] | None = None,
) -> Iterator[ToldTable]:
    """A table and its page on a free port. `settings`: of the link, for play that is faster.

    `record` makes a recorder of the table.
    """
    said: list[str] = []
    inbox, place = Inbox(), PagePlace("127.0.0.1", port, folder)
    with served_page(place, "suds", inbox, said.append, settings) as link:
        address = next(line for line in said if line.startswith("page: ")).split()[1]
        with ExitStack() as stack:
            recorder = stack.enter_context(record(inbox)) if record is not None else None
            observers = (link,) if recorder is None else (link, recorder)
            told = Observers(observers, said.append)
            session = GameSession(referee.begin(SUDS, SETUP), NoJournal(), told, wait_s=None)
            yield ToldTable(link, address, inbox, session, recorder=recorder)
