"""A table whose game is told from a script: real server and link, no camera and no eyes."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from kiosk.game.inbox import Inbox
from kiosk.game.news import FrameJudged
from kiosk.game.observers import Observers
from kiosk.game.session import GameSession
from kiosk.journal.writer import NoJournal
from kiosk.web.link import PageLink
from kiosk.web.page import PagePlace, served_page
from models.deck import load_deck
from models.drawing.raster import face_picture
from rules import referee
from rules.event import Event, Placed, Pressed, Removed
from rules.game import make_setup
from rules.games import game
from vision.frame import Frame
from vision.scene.hands import Cover
from vision.scene.table import Table
from vision.scene.tracks import Track
from vision.scene.watcher import Observation

WIDTH, HEIGHT, CARD = 1280, 720, 180
SUDS = game("suds")
SETUP = make_setup(SUDS, 3)
SIDES = ("bottom", "left", "top")
SPOTS = {"pile/1": (300, 250), "pile/2": (640, 330), "pile/3": (960, 220)}
FRAME_S = 0.1
BURST = 6  # frames told at once; the link holds twelve


@dataclass
class ToldTable:
    """One game of Suds, told event by event; frames show the cards where they lie."""

    link: PageLink
    address: str
    inbox: Inbox
    session: GameSession
    at: float = 0.0
    frames: int = 0

    def begin(self) -> None:
        self.session.begin(SIDES)
        self.happen(Pressed(self.at, "start"))

    def happen(self, event: Event) -> None:
        """Judges and tells an event, then a second of frames."""
        self.session.happen(event)
        self.film(12)

    def place(self, card: str, place: str, seat: int) -> None:
        self.happen(Placed(self.at + FRAME_S, card, place, seat))

    def remove(self, card: str, place: str, seat: int) -> None:
        self.happen(Removed(self.at + FRAME_S, card, place, seat))

    def film(self, count: int) -> None:
        """Tells `count` frames of the table as it lies; takes what was overruled meanwhile."""
        for _ in range(count):
            for overruling in self.inbox.take_overruled():
                self.session.overrule(overruling)
            self.session.release()
            self.at = round(self.at + FRAME_S, 3)
            self.frames += 1
            bgr, tracks = drawn(self.session.judged.table)
            cover = Cover(np.zeros((9, 16), bool), np.zeros((9, 16), np.uint8))
            observation = Observation((), Table(), tracks, cover)
            frame = Frame(bgr, self.at, self.frames)
            self.link.hear(FrameJudged(frame, observation, self.at, 0.02))
            if self.frames % BURST == 0:
                self.settle()
        self.settle()

    def settle(self) -> None:
        """Asks the server until it knows the latest frame; the link has then taken them all."""
        for _ in range(5000):
            with urllib.request.urlopen(f"{self.address}api/state", timeout=60) as answer:
                if json.load(answer)["at"] >= self.at:
                    return
        raise AssertionError(f"expected the server to reach {self.at} s")


def drawn(table: referee.Table) -> tuple[np.ndarray, tuple[Track, ...]]:
    """A picture of the table and the cards in it."""
    bgr = np.full((HEIGHT, WIDTH, 3), (60, 90, 140), np.uint8)
    deck, tracks = load_deck("suds"), []
    for place, faces in table.items():
        x, y = SPOTS[place]
        for k, face in enumerate(faces):
            art = face_picture(deck, face, CARD)
            left, top = x + 12 * k, y + 8 * k
            patch = bgr[top : top + CARD, left : left + art.shape[1]]
            alpha = art[..., 3:].astype(np.float32) / 255
            patch[:] = (art[..., :3] * alpha + patch * (1 - alpha)).astype(np.uint8)
            right, low = left + art.shape[1], top + CARD
            corners = ((left, top), (right, top), (right, low), (left, low))
            state = "lying" if k == len(faces) - 1 else "covered"
            tracks.append(Track(len(tracks), corners, face, 0.99, state, place, None))
    cv2.setRNGSeed(1)
    return bgr, tuple(tracks)


@contextmanager
def told_table(folder: Path, port: int = 0) -> Iterator[ToldTable]:
    """A table and its page on a free port."""
    said: list[str] = []
    inbox = Inbox()
    with served_page(PagePlace("127.0.0.1", port, folder), "suds", inbox, said.append) as link:
        address = next(line for line in said if line.startswith("page: ")).split()[1]
        session = GameSession(
            referee.begin(SUDS, SETUP), NoJournal(), Observers((link,), said.append), wait_s=None
        )
        yield ToldTable(link, address, inbox, session)
