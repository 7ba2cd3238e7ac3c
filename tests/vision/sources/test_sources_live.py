"""Live cameras: faults put in, the way back, streams, one referee for a camera."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator

import cv2
import numpy as np
import pytest
from patience import PATIENCE_S

from rules.errors import FairdealError
from vision.frame import Frame
from vision.sources import Lost, open_source
from vision.sources.live import CameraLost, LiveSource, Silence, pauses_s
from vision.sources.lock import CameraLock
from vision.sources.quiet import quieten
from vision.sources.stream import without_password

quieten()  # as open_source does; FFmpeg takes it once, at the first file that is opened


def grey(level: int) -> np.ndarray:
    return np.full((48, 64, 3), level, np.uint8)


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
            self.hang.wait(PATIENCE_S)
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
        assert isinstance(source.watch(PATIENCE_S), Frame)
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


def test_whatever_a_driver_raises_the_camera_is_lost_and_comes_back(monkeypatch):
    monkeypatch.setattr("vision.sources.live.PAUSES_S", (0.0, 0.0))
    camera = FakeCamera([10, ValueError("bad buffer"), 20], [None, RuntimeError("busy"), None])
    clock = Clock()
    source = LiveSource(camera, clock)
    levels = set()
    for _ in range(200):
        seen = source.watch(0.05)
        if isinstance(seen, Frame):
            levels.add(int(seen.bgr[0, 0, 0]))
        if 20 in levels:
            break
    camera.hang.set()
    source.close()
    assert 20 in levels


def test_a_slow_camera_is_not_a_dead_one():
    silence = Silence(0.0)
    for at in (3.0, 6.0, 9.0):
        silence.heard(at)
    assert silence.check(13.0) is None
    assert silence.check(15.5) is not None
