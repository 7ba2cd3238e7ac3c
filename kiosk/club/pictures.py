"""Evidence for the club: frames around each call, kept on the disk and sent when asked for."""

from __future__ import annotations

import shutil
import threading
from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from kiosk.game.news import FrameJudged
from kiosk.web.evidence import NO_NUMBER, Evidence, evidence_file, read_evidence
from kiosk.web.state import CallShown, PageState

SESSIONS_KEPT = 5  # earlier runs whose evidence stays on the disk
MOST_FRAMES = 60  # of one call
WAITING = 12  # frames at full size that wait for the thread; the oldest goes first
SHOWN = ("mistake", "unsure", "win", "tie")  # calls whose picture is published by itself


class EvidencePost:
    """`sample` is called on the loop's thread, everything else on the link's."""

    def __init__(self, folder: Path, session: str, say: Callable[[str], None]) -> None:
        self._folder, self._session = folder, session
        self._evidence = Evidence(folder / session, say)
        self._samples: deque[FrameJudged] = deque(maxlen=WAITING)
        self._sampled_at = float("-inf")
        self._lock = threading.Lock()
        self._is_swept = False

    def sample(self, news: FrameJudged) -> None:
        """Keeps a frame for evidence where the last one lies far enough back."""
        if not 0.0 <= news.at - self._sampled_at < self._evidence.apart_s:
            self._sampled_at = news.at
            with self._lock:
                self._samples.append(news)

    def work(self, page: PageState, fresh: Iterable[int]) -> list[bytes]:
        """Takes frames and new calls; the pictures to publish of calls whose evidence is whole."""
        with self._lock:
            samples = list(self._samples)
            self._samples.clear()
        for sample in samples:
            self._evidence.see(sample)
        numbers = set(fresh)
        for call in page.calls:
            if call.n in numbers:
                self._evidence.expect(call)
        if numbers and not self._is_swept:
            self._is_swept = True
            self._drop_old_sessions()
        last = samples[-1].at if samples else page.at
        written = self._evidence.write_due(max(page.at, last))
        return [picture for call in written for picture in self._picture(call)]

    def parts(self, session: str, n: int) -> tuple[dict[str, Any], list[tuple[str, bytes]]]:
        """What is known of a call's evidence, and its pictures by name (`0`, `1`, …, `card`)."""
        folder = self._folder / session
        found = read_evidence(folder, NO_NUMBER, n)
        if found is None:
            return {"is_kept": False, "rest": 0, "frames": []}, []
        frames = found["frames"][:MOST_FRAMES]
        names = [str(k) for k in range(len(frames))] + (["card"] if found["has_card"] else [])
        pictures = []
        for name in names:
            path = evidence_file(folder, NO_NUMBER, n, name)
            if path is not None:
                pictures.append((name, path.read_bytes()))
        about = {
            "is_kept": True, "rest": found["rest"], "has_card": found["has_card"],
            "frames": frames,
        }  # fmt: skip
        return about, pictures

    def _picture(self, call: CallShown) -> list[bytes]:
        folder = self._folder / self._session
        found = read_evidence(folder, NO_NUMBER, call.n)
        if found is None or not found["frames"] or call.call not in SHOWN:
            return []
        path = evidence_file(folder, NO_NUMBER, call.n, str(found["rest"]))
        return [] if path is None else [path.read_bytes()]

    def _drop_old_sessions(self) -> None:
        try:
            folders = [p for p in self._folder.iterdir() if p.is_dir() and p.name != self._session]
            folders.sort(key=lambda p: p.stat().st_mtime)
        except OSError:
            return
        for folder in folders[:-SESSIONS_KEPT]:
            shutil.rmtree(folder, ignore_errors=True)
