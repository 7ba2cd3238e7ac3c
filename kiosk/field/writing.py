"""Makes recordings: a folder for each, with all that it takes to judge the game again."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import msgspec

from calibration import store
from calibration.store import Calibration
from kiosk.field.about import (
    ABOUT,
    CALIBRATION,
    DECK,
    FILM,
    FORMAT,
    GAME,
    RULED,
    About,
    machine,
    source_kind,
    unusual,
    write_about,
)
from kiosk.field.film import Began, SegmentWriter
from kiosk.field.space import Space
from kiosk.journal.reading import JournalReader
from kiosk.journal.text import is_call, lines_in
from kiosk.version import version
from models.deck import ART_SUFFIXES, Deck
from models.picture_file import Image
from rules.errors import FairdealError

if TYPE_CHECKING:
    from kiosk.assembly import GameRequest
    from kiosk.game.news import GameBegan

MOST_ART = 8 << 20  # bytes of one picture of a face


@dataclass(frozen=True, slots=True)
class Recordings:
    """Where a game's recordings go, and what they keep of it.

    `is_live`: its pictures are a camera's, or play as one's. `clock`: time of day (s).
    """

    folder: Path
    request: GameRequest
    calibrations: Sequence[Calibration] = ()
    is_live: bool = True
    is_started: bool = False
    clock: Callable[[], float] = time.time

    def past(self, news: GameBegan) -> tuple[list[str], list[str]]:
        """The lines and the overrulings of a game that goes on, up to now."""
        path = self.request.journal
        if not news.is_resumed or path is None or news.number is None:
            return [], []
        from kiosk.journal.opening import file_of

        with JournalReader(file_of(path)) as journal:
            ruled = [each.ruling for each in journal.overrulings(news.number)]
            return list(lines_in(journal, news.number)), ruled

    def begin(self, news: GameBegan) -> RecordingWriter:
        """A new recording. Raises FairdealError or OSError."""
        request, settings = self.request, self.request.settings
        folder = self._new_folder(news.game.name)
        about = About(
            format=FORMAT, version=version(), game=news.game.name, players=news.setup.players,
            made=time.strftime("%Y-%m-%d %H:%M", time.localtime(self.clock())),
            options=dict(news.setup.options), sides=[str(side) for side in news.sides],
            deck=request.deck.name, source=source_kind(request.source), is_live=self.is_live,
            is_started=self.is_started, machine=machine(), settings=unusual(settings),
            presses=[press.to_json() for press in request.presses], number=news.number,
        )  # fmt: skip
        keep_deck(request.deck, folder / DECK)
        for each in self.calibrations:
            store.save(replace(each, camera="camera"), folder / CALIBRATION)
        write_about(folder, about)  # last: a folder without it is no recording
        machine_settings = settings.machine
        space = Space(self.folder, settings.recording.most_mb, machine_settings.keep_free_mb)
        return RecordingWriter(folder, about, space)

    def _new_folder(self, game: str) -> Path:
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        name = f"{time.strftime('%Y%m%d-%H%M%S', time.localtime(self.clock()))}-{game}"
        for k in range(1000):
            folder = self.folder / (name if k == 0 else f"{name}-{k}")
            with suppress(FileExistsError):
                folder.mkdir(mode=0o700)
                (folder / FILM).mkdir(mode=0o700)
                return folder
        raise FairdealError("a new folder for the recording", f"{name}, which exists")


class RecordingWriter:
    """One recording while it is written. OSError or FairdealError where that fails."""

    def __init__(self, folder: Path, about: About, space: Space) -> None:
        self.folder = folder
        self._about, self._space = about, space
        self._number = 0
        self._segment: SegmentWriter | None = None
        self._texts = {is_ruling: _appended(folder / name)
                       for is_ruling, name in ((False, GAME), (True, RULED))}  # fmt: skip

    @property
    def began_at(self) -> float | None:
        """When the segment began that is written now (s of the game)."""
        return None if self._segment is None else self._segment.began.at

    def turn(self, began: Began) -> None:
        """The next segment. Old film goes where space is short."""
        if self._segment is not None:
            self._segment.close()
        self._number += 1
        self._segment = SegmentWriter(self.folder / FILM, self._number, began)
        if not self._space.make(self._segment.paths[0]):
            raise FairdealError("room for the recording", "a disk that is nearly full",
                                "free the disk")  # fmt: skip

    def add(self, at: float, jpeg: bytes) -> None:
        """A picture, of `at` (s of the game)."""
        assert self._segment is not None
        self._segment.add(at, jpeg)

    def lose(self, at: float, why: str) -> None:
        """The camera is lost."""
        if self._segment is not None:
            self._segment.lose(at, why)

    def note(self, lines: Iterable[str], *, is_ruling: bool = False) -> None:
        """Lines of the game, or overrulings; durable when this returns."""
        text = "".join(f"{line}\n" for line in lines).encode()
        descriptor = self._texts[is_ruling]
        while text:
            text = text[os.write(descriptor, text) :]
        os.fdatasync(descriptor)

    def close(self, drops: int) -> None:
        """Completes the recording."""
        try:
            if self._segment is not None:
                self._segment.close()
        finally:
            for descriptor in self._texts.values():
                with suppress(OSError):
                    os.close(descriptor)
            self._texts = {}
        if (self.folder / ABOUT).is_file():
            write_about(self.folder, msgspec.structs.replace(self._about, drops=drops))


def jpeg_encoder(quality: int) -> Callable[[Image], bytes]:
    """A function that gives a picture (H, W, 3) BGR as a JPEG file."""
    flags = (cv2.IMWRITE_JPEG_QUALITY, quality)

    def encode(bgr: Image) -> bytes:
        good, data = cv2.imencode(".jpg", bgr, flags)
        if not good:
            raise FairdealError("a picture that can be kept", f"one of {bgr.shape}")
        return data.tobytes()

    return encode


def is_event(line: str) -> bool:
    """Whether a line of a game is an event, and no call."""
    return not is_call(line.encode())


def keep_deck(deck: Deck, folder: Path) -> None:
    """Copies what the deck was taught, and its pictures of faces. OSError."""
    faces = folder / "faces"
    faces.mkdir(parents=True)
    for name in ("deck.toml", "taught.npz", "learned.npz"):
        if (deck.folder / name).is_file():
            shutil.copyfile(deck.folder / name, folder / name)
    for name in {*(face.name for face in (*deck.faces, *deck.extras)), deck.back}:
        for suffix in ART_SUFFIXES:
            art = deck.folder / "faces" / f"{name}{suffix}"
            if art.is_file() and art.stat().st_size <= MOST_ART:
                shutil.copyfile(art, faces / art.name)


def _appended(path: Path) -> int:
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW
    return os.open(path, flags, 0o600)
