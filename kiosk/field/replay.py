"""Judges a recording once more, with today's code: what the camera saw, what people pressed.

A recording that begins in mid-game goes on as a game does after a power cut: its journal tells
what happened before, and the cards on the table are compared with it. For that, the film's first
picture stands still for some seconds.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from calibration import saved_setup
from calibration.settings import Settings
from host.scratch import scratch_folder
from kiosk.assembly import GameRequest, read_request
from kiosk.field.about import CALIBRATION, DECK
from kiosk.field.film import CameraLost
from kiosk.field.recording import Recording
from kiosk.game.inbox import Inbox
from kiosk.game.overruling import to_json
from kiosk.journal.entries import EventEntry, GameHead, MovedEntry, OverruledEntry
from kiosk.journal.file import JournalFile
from kiosk.journal.opening import CutGame
from rules.contract.reader import read_events
from rules.errors import FairdealError
from rules.games import game as game_named
from rules.table.event import Event, Placed, Pressed
from vision.frame import Frame
from vision.settings import VisionSettings
from vision.sources.source import Ended, Lost, Source

STILL_S, STILL_RATE = 4.0, 10.0  # how long the first picture stands still; its pictures a second

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Replay:
    """A recording as a game. `offset_s`: the game's time when the film's clock is at 0.

    `presses`: what people pressed, in the game's time.
    """

    recording: Recording
    request: GameRequest
    offset_s: float
    presses: tuple[Pressed, ...]

    def with_deck(self, folder: Path) -> Replay:
        """The same with another deck for the game. Raises FairdealError."""
        about = self.recording.about
        deck = read_request(about.game, str(folder), about.players, {}, None, True).deck
        return replace(self, request=replace(self.request, deck=deck))

    def source(self, inbox: Inbox) -> Source:
        """Its pictures; buttons reach `inbox` between those between which they were pressed."""
        return RecordedTable(self.recording, self.offset_s, self.presses, inbox)


class RecordedTable(Source):
    """The pictures of a recording, its lost cameras, and the buttons that were pressed."""

    def __init__(
        self, recording: Recording, offset_s: float, presses: tuple[Pressed, ...], inbox: Inbox
    ) -> None:
        self.recorded, self.name = True, recording.folder.name
        frames = recording.frames(offset_s)
        self._frames = frames if recording.is_whole else _with_still(frames)
        lost = (
            Lost(line.at - offset_s, line.why)
            for segment in recording.segments
            for line in segment.lines
            if isinstance(line, CameraLost)
        )
        self._lost = deque(sorted(lost, key=lambda each: each.at))
        self._presses = deque(presses)
        self._offset_s, self._inbox = offset_s, inbox
        self._ahead: Frame | None = None
        self._at = -1.0

    def read(self) -> Frame | None:
        while isinstance(seen := self.watch(0.0), Lost):
            continue
        return seen if isinstance(seen, Frame) else None

    def watch(self, timeout_s: float) -> Frame | Lost | Ended | None:
        self._press()
        if self._ahead is None:
            self._ahead = next(self._frames, None)
        if self._lost and (self._ahead is None or self._lost[0].at <= self._ahead.at):
            return self._lost.popleft()
        frame, self._ahead = self._ahead, None
        if frame is None:
            return Ended()
        self._at = frame.at
        return frame

    def _press(self) -> None:
        """What was pressed up to the picture that was given last."""
        while self._presses and self._presses[0].at - self._offset_s <= self._at:
            self._inbox.press(self._presses.popleft())


def _with_still(frames: Iterator[Frame]) -> Iterator[Frame]:
    """The frames; the first one stands still before its time."""
    number = 0
    for first in frames:
        at = max(0.0, first.at - STILL_S)
        while at < first.at:
            yield Frame(first.bgr, at, number)
            number, at = number + 1, at + 1 / STILL_RATE
        yield replace(first, number=number)
        break
    for frame in frames:
        number += 1
        yield replace(frame, number=number)


@contextmanager
def replay_of(recording: Recording, threads: int, say: Say) -> Iterator[Replay]:
    """The recording as a game that can be run. Raises FairdealError."""
    about = recording.about
    folder = recording.folder
    request = read_request(
        about.game, str(folder / DECK), about.players, dict(about.options), ",".join(about.sides),
        is_incomplete=True,
    )  # fmt: skip
    calibrations = saved_setup.stored("camera", folder / CALIBRATION, say)
    request = replace(
        request, signals="none", source=about.source, threads=threads,
        settings=_settings(about.settings, say), tables=saved_setup.tables(calibrations),
    )  # fmt: skip
    filed = _presses(recording)
    pressed = tuple(each for each in recording.events() if isinstance(each, Pressed))
    if recording.is_whole:
        by_hand = tuple(each for each in pressed if each not in filed)[about.is_started :]
        request = replace(request, presses=filed, start=about.is_started)
        yield Replay(recording, request, 0.0, by_hand)
        return
    past = tuple(
        replace(event, at=min(event.at, max(0.0, recording.began - STILL_S)))
        for event in recording.events()[: recording.segments[0].began.events]
    )
    offset_s = past[-1].at
    with scratch_folder() as made:
        path = made / "journal.sqlite"
        cut = _journal(path, recording, past)
        request = replace(request, journal=path, cut=cut, start=False)
        later = tuple(each for each in pressed if each.at >= recording.began)
        yield Replay(recording, request, offset_s, later)


def _presses(recording: Recording) -> tuple[Pressed, ...]:
    """The buttons that came from a file."""
    about = recording.about
    lines = [text.encode() for text in about.presses]
    events = read_events(lines, game_named(about.game), about.players) if lines else ()
    return tuple(each for each in events if isinstance(each, Pressed))


def _journal(path: Path, recording: Recording, past: tuple[Event, ...]) -> CutGame:
    """A journal of the game up to the first picture, as a power cut would have left it."""
    about, began = recording.about, recording.segments[0].began
    head = GameHead(
        about.game, about.players, dict(about.options), "", ",".join(about.sides), about.source
    )
    last = {event.place: k for k, event in enumerate(past) if isinstance(event, Placed)}
    entries: list[EventEntry | MovedEntry | OverruledEntry] = [
        EventEntry(event, spot=began.spots.get(event.place))
        if isinstance(event, Placed) and last[event.place] == k
        else EventEntry(event)
        for k, event in enumerate(past)
    ]
    entries += [MovedEntry(place, at) for place, at in began.moved.items()]
    entries += [
        OverruledEntry(each.event, to_json(each))
        for each in recording.overruled
        if each.event <= len(past)
    ]
    journal = JournalFile(path)
    try:
        number = journal.begin(head)
        journal.append(number, entries)
        return CutGame(number, head, 0.0)
    finally:
        journal.close()


def _settings(kept: Mapping[str, Mapping[str, object]], say: Say) -> Settings:
    """Those of the scene as the table had them; the engines are this machine's."""
    try:
        return Settings(vision=VisionSettings.read(kept.get("vision", {})))
    except FairdealError as error:
        say(f"settings of the recording not used: {error}")
        return Settings()
