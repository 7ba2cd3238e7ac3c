"""Collects cards that play showed clearly, for the deck to learn when the game is over.

Nothing changes during play, and no card is named again: the watcher's names and the session's
events are all that is used. A card that is doubted later, by people or by the game, is forgotten.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from calibration.deck.learning import Seen
from kiosk.game.news import EventJudged, FrameJudged, GameBegan, GameRejudged, News, ViewLost
from kiosk.game.overruling import CardIs, NoMistake
from models.crop import crop_to_corners, rectangle
from models.learned import Origin
from rules.table.call import Call, CallKind
from rules.table.event import Placed, Removed
from vision.frame import Frame, Image
from vision.geometry import Quad, length, overlap
from vision.scene.tracks import Track
from vision.scene.watcher import Observation
from vision.sightings import BACK, UNKNOWN


@dataclass(frozen=True, slots=True)
class CollectingLimits:
    """Which cards are kept, and how many."""

    sure: float = 0.97  # certainty of the name
    smallest_px: float = 60.0  # length of the card in the frame
    largest_px: float = 480.0  # of the kept picture
    margin: float = 0.25  # table kept around a card, in its sizes
    touched: float = 0.01  # part of the card under another one or under its box of a hand
    every_s: float = 0.3  # between two frames that are looked at at all,
    apart_s: float = 0.7  # and between two looks at a card, which must agree
    alike: float = 0.9  # correlation of the two
    later: int = 2  # events of cards that must follow without a doubt
    per_face: int = 6  # the newest
    in_all: int = 400
    quality: int = 92  # of the JPEG
    events: int = 5000  # of the game that are remembered


LIMITS = CollectingLimits()
_SMALL = (30, 40)  # px W × H in which two looks are compared


@dataclass(slots=True)
class _Watched:
    """A lying card, its event, and its last look: when (s), and small if it lay bare."""

    event: int
    face: str
    at: float
    small: Image | None = None
    is_done: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class _Kept:
    """A card's picture as JPEG, and where it lies there."""

    face: str
    jpeg: bytes
    quad: Quad
    origin: Origin


@dataclass(slots=True)
class _Told:
    """Cards that events have told: at each place the events, bottom to top, with their faces."""

    lying: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    doubted: set[int] = field(default_factory=set)
    confirmed: dict[int, str] = field(default_factory=dict)
    last: int = 0


class CardCollector:
    """An observer. `clock`: seconds since the epoch."""

    name = "learning"

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._game, self._number = "", 0
        self._told = _Told()
        self._watched: dict[int, _Watched] = {}
        self._kept: list[_Kept] = []
        self._looked_at = float("-inf")

    def hear(self, news: News) -> None:
        """As in Observer."""
        match news:
            case GameBegan():
                self._game, self._number = news.game.name, news.number or 0
            case EventJudged():
                self._take(news)
            case GameRejudged():
                self._rejudge(news)
            case FrameJudged():
                self._look(news.frame, news.observation)
            case ViewLost():  # the next watcher starts its card numbers again
                self._watched.clear()

    def seen(self) -> tuple[Seen, ...]:
        """The cards whose names nobody and nothing has doubted up to now."""
        return tuple(
            Seen(one.face, _decoded(one.jpeg), one.quad, self._confirmed(one))
            for one in self._kept
            if self._is_good(one)
        )

    # -- events -----------------------------------------------------------------------------

    def _take(self, news: EventJudged) -> None:
        told, event = self._told, news.event
        for number, call in _about(news):
            if _is_doubt(call):
                told.doubted.add(number)
        if isinstance(event, Placed):
            told.last = news.number
            told.lying.setdefault(event.place, []).append((news.number, event.card))
            if event.ways is not None and event.ways.ways:
                told.doubted.add(news.number)
        elif isinstance(event, Removed):
            told.last = news.number
            self._remove(event)
        if news.number > LIMITS.events:
            self._told, self._watched = _Told(), {}
            self._kept.clear()

    def _remove(self, event: Removed) -> None:
        """Removes the topmost card of that face. Without one, the top card had been misread."""
        lying = self._told.lying.get(event.place, [])
        for k in range(len(lying) - 1, -1, -1):
            if lying[k][1] == event.card:
                del lying[k]
                return
        if lying:
            self._told.doubted.add(lying.pop()[0])

    def _rejudge(self, news: GameRejudged) -> None:
        told = self._told
        doubts = {
            number for number, calls in enumerate(news.calls, 1) if any(map(_is_doubt, calls))
        }
        told.doubted |= doubts
        match news.overruling:
            case CardIs(event, card):
                told.confirmed[event] = card
            case NoMistake(event):
                told.doubted.add(event)

    def _is_good(self, one: _Kept) -> bool:
        told, number = self._told, one.origin.event
        if number in told.confirmed:
            return told.confirmed[number] == one.face
        return number not in told.doubted and told.last - number >= LIMITS.later

    def _confirmed(self, one: _Kept) -> Origin:
        by_people = one.origin.event in self._told.confirmed
        return replace(one.origin, confirmed="people" if by_people else "play")

    # -- frames -----------------------------------------------------------------------------

    def _look(self, frame: Frame, observation: Observation) -> None:
        """Looks at the cards that lie bare: twice at each, some time apart."""
        if 0 <= frame.at - self._looked_at < LIMITS.every_s:
            return
        self._looked_at = frame.at
        lying = [track for track in observation.tracks if track.place is not None]
        numbers = {track.number for track in lying}
        self._watched = {k: known for k, known in self._watched.items() if k in numbers}
        for track in lying:
            known = self._watched.get(track.number)
            if known is None:
                known = self._matched(track, frame.at)
            if known is None:
                continue
            if track.face != known.face:  # it was named again, as another
                self._told.doubted.add(known.event)
                known.is_done = True
            if known.is_done or frame.at - known.at < LIMITS.apart_s:
                continue
            known.at = frame.at
            if self._is_bare(track, frame, observation):
                self._compare(known, track, frame)
            else:
                known.small = None

    def _matched(self, track: Track, at: float) -> _Watched | None:
        """The card with the newest event that told it, if no other card has that event."""
        if track.state != "lying" or track.confidence < LIMITS.sure:
            return None
        if track.face in (UNKNOWN, BACK):
            return None
        taken = {known.event for known in self._watched.values()}
        for number, card in reversed(self._told.lying.get(track.place or "", [])):
            if card == track.face and number not in taken:
                self._watched[track.number] = _Watched(number, card, at)
                return self._watched[track.number]
        return None

    def _is_bare(self, track: Track, frame: Frame, observation: Observation) -> bool:
        """Whether the whole card shows in the frame, and no hand is near it."""
        quad = np.array(track.corners, np.float32)
        size = (frame.width, frame.bgr.shape[0])
        if track.state != "lying" or length(quad) < LIMITS.smallest_px:
            return False
        if quad.min() < 1 or (quad.max(0) > np.array(size) - 1).any():
            return False
        mask = observation.cover.mask
        scale = np.array(mask.shape[::-1], np.float32) / size
        (x0, y0), (x1, y1) = (quad.min(0) * scale).astype(int), np.ceil(quad.max(0) * scale)
        if mask[y0 : int(y1) + 1, x0 : int(x1) + 1].any():
            return False
        above = observation.tracks[observation.tracks.index(track) + 1 :]  # or coming
        return all(
            overlap(quad, np.array(other.corners, np.float32)) <= LIMITS.touched for other in above
        )

    def _compare(self, known: _Watched, track: Track, frame: Frame) -> None:
        """The first look, or the second one: the card is kept if they agree."""
        quad = np.array(track.corners, np.float32)
        small = crop_to_corners(frame.bgr, quad, *_SMALL, 0)
        first, known.small = known.small, small
        if first is None or _correlation(first, small) < LIMITS.alike:
            return
        known.is_done = True
        picture, place = _cut(frame.bgr, quad)
        jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, LIMITS.quality])[1]
        light = float(frame.bgr[::16, ::16].mean())
        origin = Origin(
            self._clock(), self._game, self._number, known.event, track.place or "",
            track.seat or 0, float(track.confidence), light,
        )  # fmt: skip
        self._keep(_Kept(known.face, jpeg.tobytes(), place, origin))

    def _keep(self, one: _Kept) -> None:
        """Keeps it, and forgets the oldest where there are too many."""
        self._kept.append(one)
        mine = [k for k, other in enumerate(self._kept) if other.face == one.face]
        if len(mine) > LIMITS.per_face:
            del self._kept[mine[0]]
        if len(self._kept) > LIMITS.in_all:
            del self._kept[0]


def _about(news: EventJudged) -> Iterator[tuple[int, Call]]:
    """The calls, each with the number of the event that it is about."""
    numbers = news.about or (news.number,) * len(news.calls)
    return zip(numbers, news.calls, strict=True)


def _is_doubt(call: Call) -> bool:
    """Whether the card may have been misread: a foul, or a question."""
    return call.call in (CallKind.MISTAKE, CallKind.UNSURE)


def _cut(bgr: Image, quad: Quad) -> tuple[Image, Quad]:
    """The upright card with table around it, no larger than it was, and its corners there."""
    sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
    sizes = np.array([sides[0] + sides[2], sides[1] + sides[3]]) / 2
    width, height = np.rint(sizes * min(1.0, LIMITS.largest_px / sizes.max())).astype(int)
    pad = round(max(width, height) * LIMITS.margin)
    picture = crop_to_corners(bgr, quad, width, height, pad)
    return np.asarray(picture, np.uint8), rectangle(width, height) + np.float32(pad)


def _decoded(jpeg: bytes) -> Image:
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def _correlation(one: Image, other: Image) -> float:
    """Of the pixels of two crops of one size, -1..1."""
    flat = [x.astype(np.float32).ravel() - x.mean() for x in (one, other)]
    sizes = float(np.linalg.norm(flat[0]) * np.linalg.norm(flat[1]))
    return float(flat[0] @ flat[1]) / max(sizes, 1e-6)
