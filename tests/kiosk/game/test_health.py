"""The health of a running table as one value, and what it says to people."""

from types import SimpleNamespace

from device.machine import Machine
from kiosk.game.health import CameraHealth, Health
from kiosk.game.health_watch import (
    ERRORS_KEPT,
    FrameTimes,
    HealthWatch,
    Probes,
    camera_health,
)
from kiosk.game.news import FrameJudged, HealthRead, LostBy, ViewFound, ViewLost

QUIET = Machine(50.0, False, False, False, 20 * 2**30, True)


def frame(at, latency_s=0.1):
    return FrameJudged(SimpleNamespace(), SimpleNamespace(), at, 0.05, latency_s)


def test_frame_rate_and_latency_are_those_of_the_last_seconds():
    old = [FrameTimes(k / 2, 0.3, 0.9) for k in range(20)]
    new = [FrameTimes(20 + k / 25, 0.02, 0.06) for k in range(100)]
    found = camera_health((*old, *new), 3, "")
    assert round(found.fps, 3) == 25.0
    assert (found.latency_s, found.work_s, found.drops) == (0.06, 0.02, 3)


def test_a_recording_has_no_latency_and_a_lost_camera_no_rate():
    frames = tuple(FrameTimes(k / 15, 0.02, None) for k in range(30))
    assert camera_health(frames, 0, "").latency_s is None
    assert camera_health(frames, 0, "gone").fps == 0.0
    assert camera_health((), 0, "gone") == CameraHealth(lost="gone")


def test_the_watch_gathers_all_parts():
    watch = HealthWatch(wall=lambda: 1000.0)
    probes = Probes(
        lambda: QUIET, lambda: {"board": "unplugged", "mock": ""}, lambda: "disk full", lambda: 7
    )
    for k in range(11):
        watch.hear(frame(k / 10))
    watch.note("board: unplugged")
    found = watch.read(probes)
    assert round(found.camera.fps, 6) == 10.0 and found.camera.drops == 7
    assert [(e.when, e.line) for e in found.errors] == [(1000.0, "board: unplugged")]
    bad = {f.name for f in found.findings() if f.state == "bad"}
    assert bad == {"journal", "lamps board"}
    watch.hear(ViewLost(2.0, LostBy.CAMERA, "camera lost: no picture"))
    assert watch.read(probes).camera.lost == "camera lost: no picture"
    watch.hear(ViewFound(3.0))
    assert watch.read(probes).camera.lost == ""


def test_a_reading_is_told_once_and_lines_are_bounded():
    watch, asked = HealthWatch(), []

    def machine():
        asked.append(1)
        return QUIET

    for k in range(3 * ERRORS_KEPT):
        watch.note(f"line {k}")
    with watch.reading(Probes(machine)):
        while (told := watch.take()) is None:
            pass
    assert isinstance(told, HealthRead) and len(told.health.errors) == ERRORS_KEPT
    assert told.health.errors[-1].line == f"line {3 * ERRORS_KEPT - 1}"
    assert isinstance(told.health, Health) and asked
