"""Evidence behind each call: frames from 2 s before to 1 s after, with the cards outlined.

The frames are those that the tracker keeps of the last seconds (`vision/recent.py`), so they take
memory once. A call's evidence is cut from them once its second has passed, and written to
`GAME/CALL/`: `evidence.json`, `0.jpg`, `1.jpg`, …
"""

from __future__ import annotations

import json
import os
import shutil
from collections import deque
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kiosk.game.news import FrameJudged
from kiosk.serving.schema import read_file
from kiosk.web.pictures import EVIDENCE_WIDTH_PX, card_picture, jpeg
from kiosk.web.shown_calls import CallShown
from kiosk.web.state import CardShown, shown_cards
from rules.errors import FairdealError
from vision.recent import KeptFrame, RecentFrames
from vision.scene.tracks import Track

NO_NUMBER = "unkept"  # the evidence of a game that no journal keeps


@dataclass(frozen=True, slots=True)
class EvidenceSettings:
    """How much is kept. Times in s of the game's clock, sizes in bytes on the disk."""

    before_s: float = 2.0
    after_s: float = 1.0
    apart_s: float = 0.09  # between two frames
    most_bytes: int = 256 << 20  # of all evidence of a table; the oldest calls' goes first


@dataclass(frozen=True, slots=True)
class Sample:
    """A frame of the last seconds. `at`: the game's time (s)."""

    at: float
    frame: KeptFrame
    cards: tuple[CardShown, ...]


@dataclass(slots=True)
class Waiting:
    """A call whose evidence is not complete yet.

    `crop`: its card, cut from the last frame that shows it, when the hand is gone; `sure`: how
    sure its name was, 0 to 1. `before`: the frame before the call, for a card that was taken away.
    """

    folder: Path
    call: CallShown
    before: FrameJudged | None
    crop: bytes = b""
    sure: float | None = None


class Evidence:
    """Follows the latest frames and writes those of each call. All calls come from one thread."""

    def __init__(
        self,
        folder: Path,
        say: Callable[[str], None],
        settings: EvidenceSettings | None = None,
    ) -> None:
        self._folder, self._say = folder, say
        self._settings = settings or EvidenceSettings()
        self._samples: deque[Sample] = deque()
        self._own = RecentFrames()
        self._waiting: list[Waiting] = []
        self._latest: FrameJudged | None = None
        self._game = NO_NUMBER
        self._is_off = False
        self._kept = _kept(folder)

    @property
    def apart_s(self) -> float:
        """The time between two frames that are kept (s)."""
        return self._settings.apart_s

    def begin(self, number: int | None, *, is_resumed: bool = False) -> None:
        """Evidence is of this game from now on. That of an earlier one in its place goes."""
        self.finish()
        self._game = game_key(number)
        if not is_resumed:
            old = self._folder / self._game
            shutil.rmtree(old, ignore_errors=True)
            self._kept = {path: n for path, n in self._kept.items() if path.parent != old}

    def last(self, number: int | None) -> int:
        """The highest number of a call of this game with evidence; 0 without any."""
        try:
            names = [path.name for path in (self._folder / game_key(number)).iterdir()]
        except OSError:
            return 0
        return max((int(name) for name in names if name.isdecimal()), default=0)

    def see(self, news: FrameJudged) -> None:
        """Takes the newest of the frames that are kept, with the cards that lie."""
        self._latest = news
        for waiting in self._waiting:
            if news.at >= waiting.call.at:
                _cut(waiting, news)
        # Without a tracker behind it, as at a club's simulated table, the news brings no frames.
        newest = (news.observation.recent or self._own.see(news.frame))[-1]
        if not self._samples or newest is not self._samples[-1].frame:
            at = newest.at + (news.at - news.frame.at)
            if self._samples and at < self._samples[-1].at:  # another game began
                self._samples.clear()
            self._samples.append(Sample(at, newest, shown_cards(news)))
        span = self._settings.before_s + self._settings.after_s + 2 * self._settings.apart_s
        while self._samples and news.at - self._samples[0].at > span:
            self._samples.popleft()

    def expect(self, call: CallShown) -> None:
        """A call was made; its evidence is written when its time has passed."""
        folder = self._folder / self._game / f"{call.n:06d}"
        self._waiting.append(Waiting(folder, call, self._latest))

    def finish(self) -> None:
        """The game is over: what waits is written with the frames that are there."""
        self.write_due(float("inf"))

    def write_due(self, at: float) -> tuple[CallShown, ...]:
        """Writes the evidence that is complete at `at` (s); the calls whose it is."""
        due = [w for w in self._waiting if at >= w.call.at + self._settings.after_s]
        if not due:
            return ()
        self._waiting = [w for w in self._waiting if w not in due]
        for waiting in due:
            self._write(waiting)
        self._drop_oldest()
        return tuple(waiting.call for waiting in due)

    def _write(self, waiting: Waiting) -> None:
        if self._is_off:
            return
        if not waiting.crop and waiting.before is not None:
            _cut(waiting, waiting.before)
        call, folder = waiting.call, waiting.folder
        first, last = call.at - self._settings.before_s, call.at + self._settings.after_s
        samples = [sample for sample in self._samples if first <= sample.at <= last]
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            for number, sample in enumerate(samples):
                (folder / f"{number}.jpg").write_bytes(jpeg(sample.frame.bgr, EVIDENCE_WIDTH_PX))
            if waiting.crop:
                (folder / "card.jpg").write_bytes(waiting.crop)
            text = json.dumps(described(waiting, samples))
            part = folder / "evidence.part"
            part.write_text(text, encoding="utf-8")
            os.replace(part, folder / "evidence.json")
            self._kept[folder] = _size(folder)
        except OSError as error:
            self._is_off = True
            self._say(f"page: evidence is no longer kept: {error.strerror}; free the disk")

    def _drop_oldest(self) -> None:
        """Keeps all evidence of the table within its bound; the oldest call's goes first."""
        total = sum(self._kept.values())
        while total > self._settings.most_bytes and len(self._kept) > 1:
            folder = next(iter(self._kept))
            total -= self._kept.pop(folder)
            shutil.rmtree(folder, ignore_errors=True)


def _kept(folder: Path) -> dict[Path, int]:
    """The bytes of each call's evidence in a folder, oldest first."""
    try:
        found = sorted(folder.glob("*/*/"), key=lambda path: path.stat().st_mtime)
        return {path: _size(path) for path in found}
    except OSError:
        return {}


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir())


def _cut(waiting: Waiting, news: FrameJudged) -> None:
    """Cuts the call's card out of a frame that shows it."""
    call = waiting.call
    lying = [
        track
        for track in news.observation.tracks
        if track.face == call.card and track.place in (call.place, None)
    ]
    if call.card is None or not lying:
        return
    newest: Track = max(lying, key=lambda track: track.number)
    waiting.crop = jpeg(card_picture(news.frame.bgr, newest.corners), quality=85)
    waiting.sure = round(newest.confidence, 3)


def described(waiting: Waiting, samples: list[Sample]) -> dict[str, Any]:
    """What `evidence.json` holds: the call, and each frame's time with the cards seen in it.

    `rest`: the first frame in which the card was at rest, which is when the call was made.
    """
    call = waiting.call
    rest = next((k for k, each in enumerate(samples) if each.at >= call.at), len(samples) - 1)
    return {
        "call": asdict(call),
        "rest": max(rest, 0),
        "has_card": bool(waiting.crop),
        "sure": waiting.sure,
        "frames": [
            {"at": round(s.at, 3), "cards": [asdict(card) for card in s.cards]} for s in samples
        ],
    }


def game_key(number: int | None) -> str:
    """The folder of a game's evidence, by its number in the journal."""
    return NO_NUMBER if number is None else str(number)


def read_evidence(folder: Path, game: str, n: int) -> dict[str, Any] | None:
    """The evidence of call `n` of a game; None where there is none (yet, or no more)."""
    path = folder / game / f"{n:06d}" / "evidence.json"
    try:
        return read_file(dict[str, Any], path, "the evidence of a call")
    except FairdealError:
        return None


def evidence_file(folder: Path, game: str, n: int, name: str) -> Path | None:
    """A picture of a call: `card`, or the number of a frame; None where there is none."""
    if name != "card" and not (name.isdecimal() and len(name) <= 3):
        return None
    path = folder / game / f"{n:06d}" / f"{name}.jpg"
    return path if path.is_file() else None
