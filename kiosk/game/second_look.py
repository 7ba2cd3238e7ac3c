"""A second look at a card that the referee was unsure of, when people ask for it."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from kiosk.game.news import FrameJudged, News
from rules.judging.doubt import SURE_ENOUGH
from vision.scene.tracks import Name, Track
from vision.sightings import NOTHING, UNKNOWN

WAIT_S = 1.5  # for the next frame and its naming


@dataclass(frozen=True, slots=True)
class Looked:
    """What the second look saw: a face, or "unknown", with its certainty from 0 to 1."""

    card: str
    sure: float

    @property
    def is_sure(self) -> bool:
        """Whether this answers the question."""
        return self.card != UNKNOWN and self.sure >= SURE_ENOUGH


class SecondLook:
    """An observer. The loop's thread names the card, because the eyes are its own."""

    name = "second look"

    def __init__(self, wait_s: float = WAIT_S) -> None:
        self._wait_s = wait_s
        self._name_cards: Name | None = None
        self._lock = threading.Lock()
        self._asked: str | None = None
        self._is_done = threading.Event()
        self._found: Looked | None = None

    def through(self, name_cards: Name) -> Self:
        """Looks with the eyes of a game that begins."""
        self._name_cards = name_cards
        return self

    def look(self, place: str) -> Looked | None:
        """Names the topmost card of a place again; from any thread but the loop's.

        None where no card is seen there, or no frame comes. Waits for the loop; one at a time.
        """
        with self._lock:
            self._found, self._asked = None, place
            self._is_done.clear()
            self._is_done.wait(self._wait_s)
            self._asked = None
            return self._found

    def hear(self, news: News) -> None:
        """As in Observer."""
        place, name_cards = self._asked, self._name_cards
        if place is None or name_cards is None or not isinstance(news, FrameJudged):
            return
        self._asked = None
        card = _topmost(news.observation.tracks, place)
        if card is not None:
            quads = np.asarray([card.corners], np.float32)
            named = name_cards(news.frame.bgr, quads)
            face = named.faces[0] if named.faces[0] != NOTHING else UNKNOWN
            self._found = Looked(face, float(named.confidences[0]))
        self._is_done.set()


def _topmost(tracks: Sequence[Track], place: str) -> Track | None:
    """The newest card that lies open at a place."""
    lying = [track for track in tracks if track.place == place and track.state == "lying"]
    return max(lying, key=lambda track: track.number, default=None)
