"""A film that is watched again and again: its frames as JPEG, and what eyes found in them.

A game is cut many times, and each frame is drawn and located once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from math import inf

import cv2
import numpy as np

from kiosk.game.inbox import Inbox
from kiosk.game.loop_parts import Looks
from rules.table.event import Pressed
from vision.frame import Frame, Image
from vision.sightings import Located, Named
from vision.sources.source import Source

QUALITY = 95  # of JPEG, as cameras deliver it


class KeptFilm:
    """All frames of a source. `shown`: the frame that was read last, and its `number`."""

    def __init__(self, source: Source) -> None:
        self.name = source.name
        self._frames: list[tuple[float, np.ndarray]] = []
        self.number = -1
        self.shown: Image = np.empty((0, 0, 3), np.uint8)
        with source:
            while (frame := source.read()) is not None:
                _, data = cv2.imencode(".jpg", frame.bgr, (cv2.IMWRITE_JPEG_QUALITY, QUALITY))
                self._frames.append((frame.at, data))

    @property
    def end(self) -> float:
        """The time of the last frame (s)."""
        return self._frames[-1][0]

    def first_from(self, at: float) -> int:
        """The number of the first frame at `at` (s) or later."""
        return next((k for k, (when, _) in enumerate(self._frames) if when >= at), len(self))

    def show(self, number: int) -> float:
        """Decodes a frame into `shown`; its time (s)."""
        at, data = self._frames[number]
        self.shown = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
        self.number = number
        return at

    def __len__(self) -> int:
        return len(self._frames)


class FilmPart(Source):
    """A kept film from `begin` (s) on, by a clock that begins at 0 there.

    The `presses` up to a frame (s of the film) wait in the inbox when it is read.
    """

    recorded = True

    def __init__(
        self, film: KeptFilm, begin: float, presses: Sequence[Pressed], inbox: Inbox
    ) -> None:
        self.name, self.inbox, self._film = film.name, inbox, film
        self._next, self._began_at = film.first_from(begin), begin
        self._presses = deque(presses)

    def read(self) -> Frame | None:
        """The next frame; None at the film's end."""
        if self._next >= len(self._film):
            self._press(inf)
            return None
        at = self._film.show(self._next)
        self._press(at)
        frame = Frame(self._film.shown, at - self._began_at, self._next)
        self._next += 1
        return frame

    def _press(self, until: float) -> None:
        while self._presses and self._presses[0].at <= until:
            self.inbox.press(self._presses.popleft())


class FilmEyes:
    """Eyes that look at each frame of a film once."""

    def __init__(self, eyes: Looks, film: KeptFilm) -> None:
        self._eyes, self._film = eyes, film
        self._located: dict[int, Located] = {}
        self._named: dict[tuple[int, bytes, bool], Named] = {}

    def locate(self, bgr: np.ndarray) -> Located:
        """As Eyes."""
        if not np.may_share_memory(bgr, self._film.shown):
            return self._eyes.locate(bgr)
        number = self._film.number
        if number not in self._located:
            self._located[number] = self._eyes.locate(bgr)
        return self._located[number]

    def name(
        self,
        bgr: np.ndarray,
        quads: np.ndarray,
        quick: bool = False,
        known: np.ndarray | None = None,
    ) -> Named:
        """As Eyes."""
        if not np.may_share_memory(bgr, self._film.shown):
            return self._eyes.name(bgr, quads, quick, known)
        near = b"" if known is None else np.ascontiguousarray(known).tobytes()
        key = (self._film.number, np.ascontiguousarray(quads).tobytes() + near, quick)
        if key not in self._named:
            self._named[key] = self._eyes.name(bgr, quads, quick, known)
        return self._named[key]
