"""Referees one generated game in a process of its own.

`python -m lab.games.worker FOLDER [FROM TO]` reads FOLDER/script.txt and FOLDER/setup.json and
writes FOLDER/seen.json; with FROM and TO (s) also FOLDER/worst.mp4, the game between them.
`python -m lab.games.worker TRUTH.json FILM SEEN.json` referees a film.
"""

import json
import resource
import sys
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from kiosk.assembly import Company, read_request, run_game
from kiosk.game.inbox import Inbox
from kiosk.game.news import EventJudged, FrameJudged, GameEnded, News
from kiosk.game.observers import Observer
from kiosk.overlay import draw_table
from lab.games.truth import FilmTruth, from_json, truth_of_script
from models.drawing.script import read_script
from rules.contract.game import View
from rules.errors import FairdealError
from rules.table.call import Call
from rules.table.event import Event, Pressed
from vision.frame import Frame
from vision.recognition.eyes import Eyes
from vision.sightings import Named
from vision.sources import open_source
from vision.sources.simulated import SIZE, SimulatedSource
from vision.sources.source import Source

SCRIPT, SETUP, SEEN, FILM = "script.txt", "setup.json", "seen.json", "worst.mp4"
_LAST_CALLS = 3  # shown in the film


class PressingSource(Source):
    """A table whose players also press buttons: `presses`, in the source's time."""

    def __init__(self, table: Source, presses: Sequence[Pressed], inbox: Inbox) -> None:
        self._table, self._inbox = table, inbox
        self.name = table.name
        self.read_at = 0.0  # process time (s) when the last frame was ready
        self._presses = deque(presses)

    def read(self) -> Frame | None:
        """The next frame; what was pressed before it waits in the inbox."""
        frame = self._table.read()
        while frame is not None and self._presses and self._presses[0].at <= frame.at:
            self._inbox.press(self._presses.popleft())
        self.read_at = time.process_time()
        return frame

    def close(self) -> None:
        """Closes the table."""
        self._table.close()


class CountingEyes(Eyes):
    """Eyes that count how many crops they looked at."""

    def __init__(self, eyes: Eyes) -> None:
        self.__dict__.update(eyes.__dict__)
        self.looks = 0

    def name(
        self, bgr: np.ndarray, quads: np.ndarray, quick: bool = False,
        known: np.ndarray | None = None,
    ) -> Named:  # fmt: skip
        """Names the cards as eyes do."""
        self.looks += len(quads)
        return super().name(bgr, quads, quick, known)


class Recorder:
    """Observer: keeps events and calls with the film's time at which they were told.

    The work on a frame counts with its processor time, whatever else the machine does.
    """

    name = "recorder"

    def __init__(self, source: PressingSource) -> None:
        self._source = source
        self.is_complete = False  # not so if the game was stopped, or a busy machine left it out
        self.events: list[dict[str, object]] = []
        self.calls: list[dict[str, object]] = []
        self.frame_s: list[float] = []  # the work on each frame
        self._fresh: list[EventJudged] = []

    def hear(self, news: News) -> None:
        """Told: the frame's time and the work on it (s)."""
        if isinstance(news, EventJudged):
            self._fresh.append(news)
        elif isinstance(news, GameEnded):
            self.is_complete = news.is_over
        elif isinstance(news, FrameJudged):
            self.frame_s.append(time.process_time() - self._source.read_at)
            self.take(news.frame.at + self.frame_s[-1])

    def take(self, told: float) -> None:
        """Dates what is not dated yet."""
        for news in self._fresh:
            self._keep(news.event, news.calls, round(told, 3))
        self._fresh.clear()

    def _keep(self, event: Event | None, calls: tuple[Call, ...], told: float) -> None:
        if event is not None:
            self.events.append(json.loads(event.to_json()) | {"told": told})
        self.calls += [json.loads(call.to_json()) | {"told": told} for call in calls]


class Film:
    """Observer: films the game between two times (s), with what the referee sees and says.

    Frames wait in memory until the game is over: an observer must not hold up the game.
    """

    name = "film"

    def __init__(self, path: Path, begin: float, end: float, rate: float) -> None:
        self._path, self._begin, self._end, self._rate = path, begin, end, rate
        self._shots: list[tuple[FrameJudged, tuple[Call, ...], View | None]] = []
        self._calls: deque[Call] = deque(maxlen=_LAST_CALLS)
        self._view: View | None = None

    def hear(self, news: News) -> None:
        """Keeps the frame and what was said last."""
        if isinstance(news, EventJudged):
            self._calls += news.calls
            self._view = news.view
        elif isinstance(news, FrameJudged) and self._begin <= news.at <= self._end:
            self._shots.append((news, tuple(self._calls), self._view))

    def write(self) -> None:
        """Draws and writes the film."""
        fourcc = cv2.VideoWriter.fourcc(*"mp4v")
        writer = cv2.VideoWriter(str(self._path), fourcc, self._rate, SIZE)
        for news, calls, view in self._shots:
            lines = view.lines if view else ()
            tracks, headline = news.observation.tracks, f"{news.at:.1f} s"
            writer.write(draw_table(news.frame.bgr, tracks, lines, calls, headline))
        writer.release()


def referee(folder: Path, film: tuple[float, float] | None = None, threads: int = 1) -> None:
    """Plays and referees the folder's game. Raises FairdealError."""
    script = read_script(str(folder / SCRIPT))
    setup = json.loads((folder / SETUP).read_text(encoding="utf-8"))
    truth = truth_of_script(script, setup["options"], tuple(setup["sides"]))
    table = SimulatedSource(script, sides=truth.sides)
    filming = Film(folder / FILM, *film, truth.fps) if film else None
    seen = judge(table, truth, threads, (filming,) if filming else ())
    if filming:
        filming.write()
    (folder / SEEN).write_text(json.dumps(seen), encoding="utf-8")


def judge(
    table: Source, truth: FilmTruth, threads: int = 1, observers: Sequence[Observer] = ()
) -> dict[str, Any]:
    """Referees what the source shows: what was seen and called, and what it cost. FairdealError."""
    request = replace(
        read_request(
            truth.game, truth.deck or None, truth.players, truth.options, ",".join(truth.sides)
        ),
        signals="none", start=False, threads=threads,
    )  # fmt: skip
    eyes, inbox = CountingEyes(Eyes.open(request.deck, threads)), Inbox()
    began = time.perf_counter()
    with PressingSource(table, truth.presses, inbox) as source:
        recorder = Recorder(source)
        summary = run_game(request, source, eyes, Company((recorder, *observers), inbox=inbox))
    spent = time.perf_counter() - began
    if not recorder.is_complete:
        raise FairdealError(
            "a game played to its end", "one cut off", "try again on an idle machine"
        )
    recorder.take(summary.seconds)
    return {
        "events": recorder.events, "calls": recorder.calls, "frames": summary.frames,
        "work_s": round(spent, 1), "judged_s": round(sum(recorder.frame_s), 3),
        "frame_s": [round(s, 4) for s in recorder.frame_s], "looks": eyes.looks,
        "memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }  # fmt: skip


def referee_film(truth_file: Path, film: Path, seen: Path, threads: int = 1) -> None:
    """Referees a film by its truth's game, and writes what was seen. Raises FairdealError."""
    truth = from_json(truth_file.read_text(encoding="utf-8"))
    made = judge(open_source(str(film)), truth, threads)
    seen.write_text(json.dumps(made), encoding="utf-8")


def main(words: list[str]) -> int:
    """The command line."""
    cv2.setNumThreads(1)  # its waiting threads would count as work on the frame
    if words[0].endswith(".json"):
        referee_film(Path(words[0]), Path(words[1]), Path(words[2]))
        return 0
    film = (float(words[1]), float(words[2])) if len(words) > 2 else None
    referee(Path(words[0]), film)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
