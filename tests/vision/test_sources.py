"""Sources of frames: recordings by their own clock, cameras with faults put in, one-line errors."""

from __future__ import annotations

import http.server
import itertools
import threading
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from rules.errors import FairdealError
from vision.frame import Frame
from vision.sources import Lost, open_source
from vision.sources.folder import natural_key
from vision.sources.live import CameraLost, LiveSource, Silence, pauses_s
from vision.sources.lock import CameraLock
from vision.sources.paced import Paced
from vision.sources.quiet import quieten
from vision.sources.source import Ended
from vision.sources.stream import without_password

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


def test_a_video_cut_off_in_the_middle_ends_there(tmp_path):
    path = tmp_path / "cut.mkv"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 15, (64, 48))
    for level in range(0, 200, 10):
        writer.write(grey(level))
    writer.release()
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    with open_source(str(path)) as source:
        frames = list(iter(source.read, None))
    assert 0 < len(frames) < 20
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
        with pytest.raises(FairdealError, match=r"2\.png cannot be read"):
            source.read()


def test_a_missing_picamera2_says_what_to_do(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "picamera2", None)
    with pytest.raises(FairdealError, match="apt install python3-picamera2"):
        open_source("picamera")


def test_picamera_wants_a_number():
    with pytest.raises(FairdealError, match="camera number"):
        open_source("picamera:left")


class Clock:
    """A clock that is told the time."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class FakeCamera:
    """A camera that follows a script: a level gives a picture, an error is raised.

    At the script's end it hangs, as a stalled driver does, until it is closed.
    """

    name = "fake camera"

    def __init__(self, script: list[int | Exception], opens: list[Exception | None]) -> None:
        self.script, self.opens = iter(script), iter(opens)
        self.hang = threading.Event()
        self.closed = 0

    def open(self) -> None:
        error = next(self.opens, None)
        if error is not None:
            raise error

    def grab(self):
        step = next(self.script, None)
        if step is None:
            self.hang.wait(20)
            raise CameraLost("closed")
        if isinstance(step, Exception):
            raise step
        return grey(step), 0.0

    def close(self) -> None:
        self.closed += 1


def test_silence_is_noticed_within_three_seconds_and_ends_with_a_frame():
    silence = Silence(10.0)
    assert silence.check(12.0) is None
    lost = silence.check(13.0)
    assert lost is not None and "no picture for" in lost.why
    silence.heard(13.5)
    assert silence.check(14.0) is None
    silence.broke("unplugged")
    assert silence.check(14.0) == Lost(14.0, "unplugged")


def test_pauses_grow_and_stay():
    pauses = pauses_s()
    first = [next(pauses) for _ in range(8)]
    assert first == sorted(first)
    assert first[-1] == first[-2]


def test_a_camera_that_breaks_is_lost_and_comes_back(monkeypatch):
    monkeypatch.setattr("vision.sources.live.PAUSES_S", (0.0, 0.0))
    gone = FairdealError("a camera", "none")
    camera = FakeCamera([10, CameraLost("cable"), 20], [None, gone, gone, None])
    clock = Clock()
    with LiveSource(camera, clock) as source:
        levels = []
        while len(levels) < 1 or levels[-1] != 20:
            seen = source.watch(1.0)
            if isinstance(seen, Frame):
                levels.append(round(seen.bgr.mean()))
        assert levels in ([10, 20], [20])
        camera.hang.set()
    assert camera.closed >= 2


def test_a_camera_that_hangs_is_lost_by_the_clock():
    camera = FakeCamera([10], [None])
    clock = Clock()
    with LiveSource(camera, clock) as source:
        assert isinstance(source.watch(5.0), Frame)
        assert source.watch(0.0) is None
        clock.now = 3.0
        lost = source.watch(0.0)
        assert isinstance(lost, Lost) and lost.at == 3.0
        camera.hang.set()


def test_a_camera_missing_at_the_start_is_refused_at_once():
    with pytest.raises(FairdealError, match="found none"):
        LiveSource(FakeCamera([], [FairdealError("a camera", "none")]))


def test_read_gives_up_on_a_camera_that_stays_lost():
    camera = FakeCamera([], [None])
    ticks = iter(range(0, 10_000, 10))
    source = LiveSource(camera, lambda: float(next(ticks)))
    source._mailbox.take = lambda timeout_s: None  # type: ignore[method-assign,assignment]
    with source, pytest.raises(FairdealError, match="check the cable"):
        camera.hang.set()
        source.read()


def test_two_referees_for_one_camera(tmp_path):
    one, two = CameraLock("/dev/video7", tmp_path), CameraLock("/dev/video7", tmp_path)
    other = CameraLock("/dev/video8", tmp_path)
    one.take()
    other.take()
    with pytest.raises(FairdealError, match="two referees for one camera"):
        two.take()
    one.give_back()
    two.take()
    two.give_back()
    other.give_back()


def test_a_paced_recording_gives_frames_and_ends(tmp_path):
    path = write_video(tmp_path / "clip.mp4", [10, 60, 110])
    with open_source(str(path), live=True) as source:
        assert isinstance(source, Paced) and source.recorded
        seen = []
        while not isinstance(got := source.watch(5.0), Ended):
            if got is not None:
                seen.append(got.number)
    assert seen == sorted(set(seen)) and seen[-1] == 2
    assert len(seen) + source.drops == 3


def test_a_paced_recording_passes_its_error_on(tmp_path):
    (tmp_path / "1.png").write_bytes(b"")
    with (
        open_source(str(tmp_path), live=True) as source,
        pytest.raises(FairdealError, match="cannot be read"),
    ):
        source.read()


def test_a_late_player_skips_what_is_past(tmp_path):
    path = write_video(tmp_path / "clip.mp4", list(range(0, 200, 10)))
    with open_source(str(path)) as source:
        source.read()
        source.skip_to(1.0)
        frame = source.read()
    assert frame is not None and frame.number >= 12 and frame.at <= 1.01


class Mjpeg(http.server.BaseHTTPRequestHandler):
    """Streams pictures of growing brightness; `limit` of them, for ever when it is None."""

    limit: int | None = None

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        sent = 0
        pause = threading.Event()
        try:
            while self.limit is None or sent < self.limit:
                jpeg = cv2.imencode(".jpg", grey(sent % 250))[1].tobytes()
                head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
                self.wfile.write(head.encode() + jpeg + b"\r\n")
                sent += 1
                pause.wait(0.01)
        except OSError:
            return  # the reader hung up
        type(self).limit = 0  # a stream that has ended stays away until the test says otherwise

    def log_message(self, *_: object) -> None:
        return


@pytest.fixture
def mjpeg() -> Iterator[tuple[str, type[Mjpeg]]]:
    handler = type("Handler", (Mjpeg,), {})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/table.mjpg", handler
    server.shutdown()
    server.server_close()
    thread.join(5)


def test_an_mjpeg_stream_gives_frames(mjpeg):
    url, _ = mjpeg
    with open_source(url) as source:
        frames = [source.read() for _ in range(3)]
    assert not source.recorded
    numbers = [frame.number for frame in frames]
    assert numbers == sorted(set(numbers))
    assert frames[0].bgr.shape == (48, 64, 3)


def test_a_stream_that_ends_is_a_lost_camera_that_comes_back(mjpeg, monkeypatch):
    monkeypatch.setattr("vision.sources.live.PAUSES_S", (0.05,))
    url, handler = mjpeg
    handler.limit = 40
    with open_source(url) as source:
        lost = None
        while lost is None:
            seen = source.watch(1.0)
            lost = seen if isinstance(seen, Lost) else None
        assert "ended or fallen silent" in lost.why
        handler.limit = None
        assert isinstance(source.read(), Frame)


def test_a_stream_that_is_not_there_is_refused():
    with pytest.raises(FairdealError, match="no picture came"):
        open_source("http://127.0.0.1:9/none.mjpg")


def test_a_password_is_never_shown():
    assert without_password("rtsp://me:secret@cam.local/a@b") == "rtsp://cam.local/a@b"
