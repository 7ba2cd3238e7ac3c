"""Evidence behind each call: frames from 2 s before to 1 s after, with the cards outlined.

The link's thread samples frames into a short ring of JPEGs. A call's evidence is cut from that
ring once its second has passed, and written to a folder: `evidence.json`, `0.jpg`, `1.jpg`, …
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
from kiosk.web.pictures import EVIDENCE_WIDTH_PX, card_picture, jpeg
from kiosk.web.state import CallShown, CardShown, shown_cards


@dataclass(frozen=True, slots=True)
class EvidenceSettings:
    """How much is kept. Times in s of the game's clock, sizes in bytes on the disk."""

    before_s: float = 2.0
    after_s: float = 1.0
    apart_s: float = 0.09  # between two frames
    most_bytes: int = 256 << 20  # of all evidence of a table; the oldest calls' goes first


@dataclass(frozen=True, slots=True)
class Sample:
    """A frame of the ring. `at`: the game's time (s)."""

    at: float
    jpeg: bytes
    cards: tuple[CardShown, ...]


@dataclass(frozen=True, slots=True)
class Waiting:
    """A call whose evidence is not complete yet; `crop`: its card as it was when called."""

    call: CallShown
    crop: bytes


class Evidence:
    """Keeps the ring and writes what belongs to a call. All calls come from one thread."""

    def __init__(
        self,
        folder: Path,
        say: Callable[[str], None],
        settings: EvidenceSettings | None = None,
    ) -> None:
        self._folder, self._say = folder, say
        self._settings = settings or EvidenceSettings()
        self._ring: deque[Sample] = deque()
        self._waiting: list[Waiting] = []
        self._latest: FrameJudged | None = None
        self._is_off = False

    @property
    def apart_s(self) -> float:
        """The time between two frames that are kept (s)."""
        return self._settings.apart_s

    def see(self, news: FrameJudged) -> None:
        """Takes a frame into the ring."""
        self._latest = news
        if self._ring and news.at < self._ring[-1].at:  # another game began
            self._ring.clear()
        cards = shown_cards(news)
        self._ring.append(Sample(news.at, jpeg(news.frame.bgr, EVIDENCE_WIDTH_PX), cards))
        span = self._settings.before_s + self._settings.after_s + 2 * self._settings.apart_s
        while self._ring and news.at - self._ring[0].at > span:
            self._ring.popleft()

    def expect(self, call: CallShown) -> None:
        """A call was made; its evidence is written when its time has passed."""
        self._waiting.append(Waiting(call, self._crop(call)))

    def finish(self) -> None:
        """The game is over: what waits is written with the frames that are there."""
        self.write_due(float("inf"))

    def _crop(self, call: CallShown) -> bytes:
        if self._latest is None or call.card is None:
            return b""
        tracks = self._latest.observation.tracks
        lying = [t for t in tracks if t.face == call.card and t.place in (call.place, None)]
        if not lying:
            return b""
        return jpeg(card_picture(self._latest.frame.bgr, lying[-1].corners), quality=85)

    def write_due(self, at: float) -> None:
        """Writes the evidence that is complete at `at` (s)."""
        due = [w for w in self._waiting if at >= w.call.at + self._settings.after_s]
        if not due:
            return
        self._waiting = [w for w in self._waiting if w not in due]
        for waiting in due:
            self._write(waiting)
        self._drop_oldest()

    def _write(self, waiting: Waiting) -> None:
        if self._is_off:
            return
        call = waiting.call
        first, last = call.at - self._settings.before_s, call.at + self._settings.after_s
        samples = [sample for sample in self._ring if first <= sample.at <= last]
        folder = self._folder / f"{call.n:06d}"
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            for number, sample in enumerate(samples):
                (folder / f"{number}.jpg").write_bytes(sample.jpeg)
            if waiting.crop:
                (folder / "card.jpg").write_bytes(waiting.crop)
            text = json.dumps(described(call, samples, bool(waiting.crop)))
            part = folder / "evidence.part"
            part.write_text(text, encoding="utf-8")
            os.replace(part, folder / "evidence.json")
        except OSError as error:
            self._is_off = True
            self._say(f"page: evidence is no longer kept: {error.strerror}; free the disk")

    def _drop_oldest(self) -> None:
        try:
            folders = sorted(p for p in self._folder.iterdir() if p.is_dir())
            sizes = [sum(f.stat().st_size for f in folder.iterdir()) for folder in folders]
        except OSError:
            return
        total = sum(sizes)
        for folder, size in zip(folders, sizes, strict=True):
            if total <= self._settings.most_bytes:
                break
            shutil.rmtree(folder, ignore_errors=True)
            total -= size


def described(call: CallShown, samples: list[Sample], has_crop: bool) -> dict[str, Any]:
    """What `evidence.json` holds: the call, and each frame's time with the cards seen in it."""
    rest = min(range(len(samples)), key=lambda k: abs(samples[k].at - call.at), default=0)
    return {
        "call": asdict(call),
        "rest": rest,
        "has_card": has_crop,
        "frames": [
            {"at": round(s.at, 3), "cards": [asdict(card) for card in s.cards]} for s in samples
        ],
    }


def read_evidence(folder: Path, n: int) -> dict[str, Any] | None:
    """The evidence of call `n`; None where there is none (yet, or no more)."""
    try:
        return json.loads((folder / f"{n:06d}" / "evidence.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def evidence_file(folder: Path, n: int, name: str) -> Path | None:
    """A picture of call `n`: `card`, or the number of a frame; None where there is none."""
    if name != "card" and not (name.isdecimal() and len(name) <= 3):
        return None
    path = folder / f"{n:06d}" / f"{name}.jpg"
    return path if path.is_file() else None
