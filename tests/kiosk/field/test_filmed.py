"""The pictures of a recorded game on their way to the loop: judged as they are kept, none lost."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np
import pytest
from patience import PATIENCE_S
from recorded import RATE, RecordedGame, recording_in

from kiosk.field.film import CameraLost
from kiosk.field.filmed import Filmed
from kiosk.field.recording import read_recording
from rules.errors import FairdealError
from vision.frame import Frame
from vision.sources.source import Ended, Lost, Source

PICTURES = 12
SEED = 58


class Film(Source):
    """Gives what it was told to give, then ends, or raises what it was told to raise."""

    def __init__(self, seen: Iterable[Frame | Lost], error: Exception | None = None) -> None:
        self._seen, self._error, self.is_closed = iter(seen), error, False

    def read(self) -> Frame | None:
        raise AssertionError("the loop watches")

    def watch(self, timeout_s: float) -> Frame | Lost | Ended | None:
        seen = next(self._seen, None)
        if seen is None and self._error is not None:
            raise self._error
        return seen or Ended()

    def close(self) -> None:
        self.is_closed = True


class Camera(Film):
    """Films at `RATE`, and does not end."""

    recorded = False

    def watch(self, timeout_s: float) -> Frame | Lost | Ended | None:
        time.sleep(0.001)
        return next(self._seen, None)


def noisy(count: int = PICTURES) -> list[Frame]:
    """Pictures of noise, which JPEG changes most."""
    rng = np.random.default_rng(SEED)
    return [Frame(rng.integers(0, 256, (64, 96, 3), np.uint8), k / RATE, k) for k in range(count)]


def watched(source: Source) -> list[Frame | Lost]:
    """All that a loop sees until the end."""
    seen = []
    while not isinstance(each := source.watch(PATIENCE_S), Ended):
        if each is not None:
            seen.append(each)
    return seen


def test_the_loop_sees_the_very_pixels_that_are_kept(tmp_path: Path) -> None:
    taken = noisy()
    with RecordedGame(tmp_path, is_live=False) as game:
        game.inbox.recording.turn(on=True)
        seen = watched(Filmed(Film(taken), game.recorder))
    kept = list(read_recording(recording_in(tmp_path)).frames())
    assert [each.at for each in seen] == [each.at for each in taken]
    assert len(kept) == PICTURES
    for was, shown, now in zip(taken, seen, kept, strict=True):
        assert np.array_equal(shown.bgr, now.bgr) and not np.array_equal(shown.bgr, was.bgr)


def test_one_that_is_not_recorded_is_shown_as_it_is(tmp_path: Path) -> None:
    taken = noisy()
    with RecordedGame(tmp_path) as game:
        seen = watched(Filmed(Film(taken), game.recorder))
    assert seen == taken


def test_a_recorded_source_waits_for_a_slow_loop(tmp_path: Path) -> None:
    with RecordedGame(tmp_path, is_live=False) as game:
        game.inbox.recording.turn(on=True)
        source, numbers = Filmed(Film(noisy()), game.recorder), []
        while not isinstance(seen := source.watch(PATIENCE_S), Ended):
            time.sleep(0.005)
            numbers.append(seen.number)
    assert numbers == list(range(PICTURES)) and source.drops == 0


def test_of_a_live_camera_a_slow_loop_gets_the_newest_picture(tmp_path: Path) -> None:
    with RecordedGame(tmp_path) as game:
        game.inbox.recording.turn(on=True)
        source = Filmed(Camera(noisy()), game.recorder)
        source.watch(PATIENCE_S)
        until = time.monotonic() + PATIENCE_S
        while source.drops < PICTURES - 2 and time.monotonic() < until:
            time.sleep(0.001)
        newest = source.watch(PATIENCE_S)
        source.close()
    assert newest.number == PICTURES - 1 and source.drops >= PICTURES - 2


def test_a_lost_camera_is_lost_in_each_look_and_recorded_once(tmp_path: Path) -> None:
    first, *others = noisy(3)
    seen = [first, *[Lost(0.05, "no picture")] * 400, *others]
    with RecordedGame(tmp_path) as game:
        game.inbox.recording.turn(on=True)
        source, looks = Filmed(Camera(seen), game.recorder), []
        while not (isinstance(each := source.watch(0.005), Frame) and each.number == 2):
            looks.append(each)
        source.close()
    lost = [each for each in looks if isinstance(each, Lost)]
    assert len(lost) > 1 and {each.why for each in lost} == {"no picture"}
    (segment,) = read_recording(recording_in(tmp_path)).segments
    assert [each.why for each in segment.lines if isinstance(each, CameraLost)] == ["no picture"]


def test_who_reads_gets_frames_to_the_end_or_hears_of_a_lost_camera(tmp_path: Path) -> None:
    with RecordedGame(tmp_path, is_live=False) as game:
        film = Filmed(Film(noisy(2)), game.recorder)
        assert [film.read().number, film.read().number, film.read()] == [0, 1, None]
        camera = Filmed(Camera([Lost(0.0, "no picture")]), game.recorder)
        with pytest.raises(FairdealError, match="no picture"):
            camera.read()


def test_an_error_of_the_source_comes_out_at_the_loop(tmp_path: Path) -> None:
    with RecordedGame(tmp_path, is_live=False) as game:
        game.inbox.recording.turn(on=True)
        film = Film(noisy(), FairdealError("a whole video file", "half of one"))
        source, seen = Filmed(film, game.recorder), 0
        with pytest.raises(FairdealError, match="half of one"):
            while source.watch(PATIENCE_S):
                seen += 1
        source.close()
    assert seen == PICTURES and film.is_closed


def test_a_picture_that_cannot_be_kept_is_judged_and_ends_the_recording(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*of: object) -> None:
        raise cv2.error("no memory")

    monkeypatch.setattr(cv2, "imencode", refuse)
    with RecordedGame(tmp_path, is_live=False) as game:
        game.inbox.recording.turn(on=True)
        seen = watched(Filmed(Film(noisy()), game.recorder))
    assert len(seen) == PICTURES
    assert any("the recording ended" in line for line in game.said)


def test_closing_ends_the_thread_while_nobody_reads(tmp_path: Path) -> None:
    with RecordedGame(tmp_path, is_live=False) as game:
        game.inbox.recording.turn(on=True)
        source = Filmed(Film(noisy()), game.recorder)
        source.watch(PATIENCE_S)
        source.close()
        assert "filmed" not in [each.name for each in threading.enumerate()]
