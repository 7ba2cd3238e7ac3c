"""Cameras that film in a process of their own: frames, faults, hangs, and the way back."""

import os
import signal
import subprocess
import sys
import time
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from patience import PATIENCE_S

from rules.errors import FairdealError
from vision.frame import Frame
from vision.sources import camera_process, open_camera
from vision.sources.adapters import CameraKind, CameraSpec
from vision.sources.camera_process import ProcessCamera, SteeredProcessCamera, spawn_child
from vision.sources.fake_camera import FakeCamera
from vision.sources.live import LiveSource, Silence
from vision.sources.ring import SLOT_BYTES, SLOTS, FrameRing
from vision.sources.source import Lost


@pytest.fixture
def plug(tmp_path, monkeypatch):
    """A plugged-in fake camera's path. A busy machine is no camera that hangs."""
    monkeypatch.setattr(camera_process, "Silence", partial(Silence, stall_s=PATIENCE_S))
    monkeypatch.setattr("vision.sources.live.PAUSES_S", (0.0, 0.05))
    monkeypatch.setattr(camera_process, "LEAVE_S", 0.1)
    monkeypatch.setattr(camera_process, "TERM_S", 0.1)
    monkeypatch.setattr(camera_process, "KILL_S", PATIENCE_S)
    path = tmp_path / "camera"
    path.write_text("")
    return path


@pytest.fixture
def impatient(plug, monkeypatch):
    """Silence is short, so that tests of it are."""
    monkeypatch.setattr(camera_process, "Silence", partial(Silence, stall_s=0.4))


def spec_of(path):
    return CameraSpec(CameraKind.FAKE, str(path), (64, 48), 200.0)


def until(source, kind):
    """The next of that kind that a source gives."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        seen = source.watch(0.02)
        if isinstance(seen, kind):
            return seen
    raise AssertionError(f"no {kind.__name__}")


def test_the_pixels_arrive_as_they_were_taken(plug):
    truth = FakeCamera(str(plug), (64, 48))
    rows = {truth.grab()[0].tobytes() for _ in range(64)}
    with open_camera(spec_of(plug)) as source:
        first, second = until(source, Frame), until(source, Frame)
        assert first.bgr.tobytes() in rows and second.bgr.tobytes() in rows
        assert second.at > first.at and not first.bgr.flags.writeable


def test_a_camera_that_is_missing_is_refused_in_its_own_words(plug):
    plug.unlink()
    with pytest.raises(FairdealError, match=r"expected a camera at .*, found none; plug it in"):
        open_camera(spec_of(plug))


def test_an_unplugged_camera_comes_back_in_the_same_process(plug):
    with open_camera(spec_of(plug)) as source:
        until(source, Frame)
        child = source._camera._child.pid
        plug.unlink()
        assert "was unplugged" in until(source, Lost).why
        plug.write_text("")
        until(source, Frame)
        assert source._camera._child.pid == child


@pytest.mark.parametrize("is_told", [False, True], ids=["before it answers", "as it answers"])
def test_a_process_that_starts_slowly_is_not_taken_for_a_hanging_driver(plug, monkeypatch, is_told):
    """On a busy machine Python alone takes longer than any driver may."""
    late_s = 0.0
    clock = SimpleNamespace(monotonic=lambda: time.monotonic() + late_s)
    monkeypatch.setattr(camera_process, "time", clock)
    camera = ProcessCamera(spec_of(plug))
    receive, spawn, started = camera._receive, camera._spawn, []

    def receive_late(wait_s):
        nonlocal late_s
        message = receive(wait_s)
        while is_told and not late_s and message is None:
            message = receive(wait_s)
        late_s = camera_process.OPEN_S + 1.0
        return message

    monkeypatch.setattr(camera, "_receive", receive_late)
    monkeypatch.setattr(camera, "_spawn", lambda words: started.append(words) or spawn(words))
    with LiveSource(camera) as source:
        until(source, Frame)
    assert len(started) == 1


def test_an_error_of_the_driver_is_told(plug):
    with open_camera(spec_of(plug)) as source:
        until(source, Frame)
        plug.write_text("select timeout")
        assert "RuntimeError: select timeout" in until(source, Lost).why


@pytest.mark.parametrize("how", ["stopped", "killed", "hangs in the driver"])
def test_a_process_that_films_no_more_is_replaced(plug, impatient, how):
    with open_camera(spec_of(plug)) as source:
        until(source, Frame)
        child = source._camera._child
        if how == "hangs in the driver":
            plug.write_text("hang")
        else:
            os.kill(child.pid, signal.SIGSTOP if how == "stopped" else signal.SIGKILL)
        until(source, Lost)
        plug.write_text("")
        until(source, Frame)
        if how != "hangs in the driver":  # there the old one may film on
            assert source._camera._child.pid != child.pid and child.poll() is not None
        assert not source.is_stuck


class Undead:
    """A process that survives SIGTERM and SIGKILL, as one does that waits inside the kernel."""

    def __init__(self, child):
        self.child = child

    def poll(self):
        return self.child.poll()

    def wait(self, timeout=None):
        return self.child.wait(timeout)

    def terminate(self):
        pass

    def kill(self):
        pass


def test_a_process_that_survives_sigkill_is_left_behind(plug, impatient, monkeypatch):
    monkeypatch.setattr(camera_process, "KILL_S", 0.1)
    children = []

    def spawn(descriptors):
        child = spawn_child(descriptors)
        children.append(child if children else Undead(child))
        return children[-1]

    with LiveSource(ProcessCamera(spec_of(plug), spawn)) as source:
        until(source, Frame)
        first = children[0].child
        first.send_signal(signal.SIGSTOP)
        until(source, Lost)
        until(source, Frame)
        assert len(children) >= 2 and source.is_stuck
        first.send_signal(signal.SIGKILL)
        first.wait()
        assert not source.is_stuck


def test_too_many_processes_left_behind_start_no_more(plug, monkeypatch):
    monkeypatch.setattr(camera_process, "MOST_STUCK", 0)
    camera = ProcessCamera(spec_of(plug))
    asleep = subprocess.Popen(["sleep", "600"])
    camera._stuck = [asleep]
    try:
        with pytest.raises(FairdealError, match="restart the machine"):
            camera.open()
    finally:
        asleep.kill()
        asleep.wait()


def test_a_process_that_does_not_start_is_one_line(plug):
    def spawn(descriptors):
        return subprocess.Popen(["false"])

    with pytest.raises(FairdealError, match="its process ended; run `fairdeal doctor`"):
        ProcessCamera(spec_of(plug), spawn).open()


def test_the_process_ends_with_its_parent(plug):
    code = (
        "import os, sys\n"
        "from vision.sources import open_camera\n"
        "from vision.sources.adapters import CameraKind, CameraSpec\n"
        "source = open_camera(CameraSpec(CameraKind.FAKE, sys.argv[1], (64, 48), 200.0))\n"
        "source.read()\n"
        "print(source._camera._child.pid, flush=True)\n"
        "os._exit(0)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(plug)], capture_output=True, text=True, check=True
    )
    end = time.monotonic() + PATIENCE_S
    while _lives(int(done.stdout)) and time.monotonic() < end:
        os.sched_yield()
    assert not _lives(int(done.stdout))


def _lives(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_controls_of_a_pi_camera_pass_through_with_their_types(monkeypatch):
    """The fake refuses values of other types than libcamera's."""
    code = (
        "import sys\n"
        "from vision.sources import fake_picamera2 as fake, picamera\n"
        "picamera.WARM_UP_S = 0.0\n"
        "sys.modules['picamera2'] = fake.module(fake.Sensor())\n"
        "from vision.sources.camera_child import main\n"
        "main(sys.argv[1:])\n"
    )

    def spawn(descriptors):
        words = [sys.executable, "-c", code, *map(str, descriptors)]
        return subprocess.Popen(words, pass_fds=descriptors)

    spec = CameraSpec(CameraKind.PI, "0", (64, 48), 30.0)
    with LiveSource(SteeredProcessCamera(spec, spawn)) as source:
        until(source, Frame)
        steered = source.steered
        assert steered.ranges()["ExposureTime"][0] == 29
        steered.set_controls({"AwbEnable": False, "ColourGains": (2.5, 1.25)})
        end = time.monotonic() + PATIENCE_S
        while steered.metadata()["ColourGains"] != (2.5, 1.25) and time.monotonic() < end:
            until(source, Frame)
        assert steered.metadata()["ColourGains"] == (2.5, 1.25)
        with pytest.raises(FairdealError, match="Zoom is not advertised"):
            steered.set_controls({"Zoom": 1.0})
    with pytest.raises(FairdealError, match="closed"):
        steered.metadata()


def test_a_usb_camera_has_no_controls_to_set(plug):
    with open_camera(spec_of(plug)) as source:
        assert source.steered is None


def test_a_parent_that_reads_nothing_fills_no_memory(plug):
    camera = ProcessCamera(spec_of(plug))
    camera.open()
    try:
        waiting = [camera._receive(PATIENCE_S) for _ in range(SLOTS)]
        assert sorted(message["slot"] for message in waiting) == list(range(SLOTS))
        assert camera._receive(0.1) is None  # no slot is free: the frames are dropped
        camera._give_back(0)
        assert camera._receive(PATIENCE_S)["slot"] == 0
    finally:
        camera.close()


def test_the_ring_refuses_what_does_not_fit():
    ring = FrameRing()
    picture = np.arange(4 * 5 * 3, dtype=np.uint8).reshape(4, 5, 3)
    ring.write(SLOTS - 1, picture)
    assert np.array_equal(ring.read(SLOTS - 1, 4, 5), picture)
    for slot, height, width in ((SLOTS, 4, 5), (-1, 4, 5), (0, 0, 5), (0, SLOT_BYTES, 1)):
        with pytest.raises(ValueError, match="expected"):
            ring.read(slot, height, width)
    ring.close()
    ring.close()
