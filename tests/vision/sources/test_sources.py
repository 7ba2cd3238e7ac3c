"""Sources of frames: recordings by their own clock, and what is no source, in one line."""

from __future__ import annotations

import itertools
import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from patience import PATIENCE_S

from rules.errors import FairdealError
from vision.frame import Frame
from vision.sources import open_source
from vision.sources.folder import natural_key
from vision.sources.paced import Paced, Unhurried
from vision.sources.quiet import quieten
from vision.sources.source import Ended, Lost, Source

quieten()  # as open_source does; FFmpeg takes it once, at the first file that is opened


def grey(level: int) -> np.ndarray:
    return np.full((48, 64, 3), level, np.uint8)


def write_video(path: Path, levels: list[int], fps: float = 15.0) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), fps, (64, 48))
    for level in levels:
        writer.write(grey(level))
    writer.release()
    return path


def test_a_video_gives_every_frame_by_its_own_clock(tmp_path):
    path = write_video(tmp_path / "clip.mp4", [10, 60, 110, 160, 210])
    with open_source(str(path)) as source:
        frames = list(iter(source.read, None))
    assert source.recorded
    assert [frame.number for frame in frames] == [0, 1, 2, 3, 4]
    assert [frame.at for frame in frames] == pytest.approx([i / 15 for i in range(5)], abs=1e-3)
    assert [round(frame.bgr.mean() / 50) for frame in frames] == [0, 1, 2, 3, 4]


def test_a_folder_gives_its_pictures_in_natural_order(tmp_path):
    for name, level in (("2.png", 20), ("10.png", 100), ("1.jpg", 10)):
        cv2.imwrite(str(tmp_path / name), grey(level))
    (tmp_path / "notes.txt").write_text("not a picture")
    with open_source(str(tmp_path), rate=4) as source:
        frames = list(iter(source.read, None))
    assert [round(frame.bgr.mean()) for frame in frames] == [10, 20, 100]
    assert [frame.at for frame in frames] == [0.0, 0.25, 0.5]


def test_natural_order_mixes_words_and_numbers():
    names = ["b1", "a10", "a2", "2", "10", "a"]
    assert sorted(names, key=natural_key) == ["2", "10", "a", "a2", "a10", "b1"]


def test_one_picture_is_a_source_of_one_frame(tmp_path):
    cv2.imwrite(str(tmp_path / "one.png"), grey(7))
    with open_source(str(tmp_path / "one.png")) as source:
        assert source.read() is not None
        assert source.read() is None


@pytest.mark.parametrize("spec", ["no/such/file.mp4", "ftp://somewhere/x", "/dev/video99", "99"])
def test_what_is_not_there_is_said_in_one_line(spec):
    with pytest.raises(FairdealError) as caught:
        open_source(spec)
    assert "\n" not in str(caught.value)
    assert "expected" in str(caught.value)


@pytest.mark.parametrize("name", ["text.mp4", "empty.mp4", "bytes.avi", "story.txt"])
def test_a_file_that_is_no_video_is_refused(tmp_path, name, capfd):
    contents = {"empty.mp4": b"", "bytes.avi": np.random.default_rng(3).bytes(5000)}
    (tmp_path / name).write_bytes(contents.get(name, b"Once upon a time\n" * 40))
    with pytest.raises(FairdealError, match="expected a video file"):
        open_source(str(tmp_path / name))
    assert capfd.readouterr().err == ""


def test_a_video_cut_off_in_the_middle_is_no_finished_game(tmp_path):
    path = tmp_path / "cut.mkv"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 15, (64, 48))
    for level in range(0, 200, 10):
        writer.write(grey(level))
    writer.release()
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    frames = []
    with (
        open_source(str(path)) as source,
        pytest.raises(FairdealError, match="a whole video file"),
    ):
        frames.extend(iter(source.read, None))
    with open_source(str(path)) as source:
        frames = [source.read() for _ in range(5)]
    assert all(b.at > a.at for a, b in itertools.pairwise(frames))


def test_an_empty_folder_is_refused(tmp_path):
    with pytest.raises(FairdealError, match="no picture in"):
        open_source(str(tmp_path))


@pytest.mark.parametrize("content", [b"", b"no picture at all"])
def test_a_picture_that_cannot_be_read_is_named(tmp_path, content):
    cv2.imwrite(str(tmp_path / "1.png"), grey(5))
    (tmp_path / "2.png").write_bytes(content)
    with open_source(str(tmp_path)) as source:
        assert source.read() is not None
        with pytest.raises(FairdealError, match=r"expected a picture \(jpg or png\)") as caught:
            source.read()
    assert "2.png" in str(caught.value)


def test_a_picture_that_claims_too_many_pixels_is_not_decoded(tmp_path):
    """400 MB of pixels in a file of some hundred bytes."""
    header = struct.pack(">IIBBBBB", 20_000, 20_000, 8, 2, 0, 0, 0)
    chunk = struct.pack(">I", len(header)) + b"IHDR" + header
    data = b"\x89PNG\r\n\x1a\n" + chunk + struct.pack(">I", zlib.crc32(b"IHDR" + header))
    (tmp_path / "1.png").write_bytes(data)
    with open_source(str(tmp_path)) as source, pytest.raises(FairdealError, match="megapixel"):
        source.read()


def test_a_missing_picamera2_says_what_to_do(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "picamera2", None)
    with pytest.raises(FairdealError, match="apt install python3-picamera2"):
        open_source("picamera")


def test_picamera_wants_a_number():
    with pytest.raises(FairdealError, match="camera number"):
        open_source("picamera:left")


def test_a_paced_recording_gives_frames_and_ends(tmp_path):
    path = write_video(tmp_path / "clip.mp4", [10, 60, 110])
    with open_source(str(path), live=True) as source:
        assert isinstance(source, Paced) and source.recorded
        seen = []
        while not isinstance(got := source.watch(PATIENCE_S), Ended):
            if got is not None:
                seen.append(got.number)
    assert seen == sorted(set(seen)) and seen[-1] == 2
    assert len(seen) + source.drops == 3


def test_a_paced_recording_passes_its_error_on(tmp_path):
    (tmp_path / "1.png").write_bytes(b"")
    with (
        open_source(str(tmp_path), live=True) as source,
        pytest.raises(FairdealError, match="found an empty file"),
    ):
        source.read()


class Film(Source):
    """Pictures at 10 a second; after the third one the camera is lost for 2 s."""

    def __init__(self):
        black = grey(0)
        self.items = [Frame(black, k / 10, k) for k in range(3)]
        self.items += [Lost(0.3, "the plug"), Frame(black, 2.3, 3), Frame(black, 2.4, 4)]

    def read(self):
        raise NotImplementedError

    def watch(self, timeout_s):
        return self.items.pop(0) if self.items else Ended()


class Clock:
    """Time passes only where somebody sleeps or works."""

    def __init__(self):
        self.now = 50.0

    def sleep(self, seconds):
        self.now += seconds


def test_a_film_that_waits_is_played_in_real_time_where_its_reader_keeps_up():
    clock, seen = Clock(), []
    with Unhurried(Film(), lambda: clock.now, clock.sleep) as film:
        while not isinstance(got := film.watch(0.5), Ended):
            if got is not None:
                seen.append((type(got).__name__, round(clock.now - 50.0, 6), got.at))
    assert seen == [
        ("Frame", 0.0, 0.0), ("Frame", 0.1, 0.1), ("Frame", 0.2, 0.2), ("Lost", 0.3, 0.3),
        ("Frame", 2.3, 2.3), ("Frame", 2.4, 2.4),
    ]  # fmt: skip


def test_a_film_that_waits_stands_still_for_a_slow_reader_and_drops_nothing():
    clock, film = Clock(), Film()
    with Unhurried(film, lambda: clock.now, clock.sleep) as played:
        numbers = []
        while (frame := played.read()) is not None:
            numbers.append(frame.number)
            clock.now += 1.0 if frame.number < 3 else 0.02  # naming, on a loaded machine
    assert numbers == [0, 1, 2, 3, 4] and played.drops == 0
    # Three pictures of 1 s each, then 0.1 s from the last but one to the last.
    assert clock.now == pytest.approx(50.0 + 3.0 + 2.0 + 0.1 + 0.02)


def test_a_late_player_skips_what_is_past(tmp_path):
    path = write_video(tmp_path / "clip.mp4", list(range(0, 200, 10)))
    with open_source(str(path)) as source:
        source.read()
        source.skip_to(1.0)
        frame = source.read()
    assert frame is not None and frame.number >= 12 and frame.at <= 1.01
