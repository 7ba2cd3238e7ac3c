"""The process that films: stopped, killed, unkillable, its camera gone and back; its speed."""

from __future__ import annotations

import os
import signal
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from lab.chaos.resources import Resources, resources_now
from vision.frame import Frame
from vision.sources.adapters import CameraKind, CameraSpec, make_camera
from vision.sources.camera_process import ChildProcess, ProcessCamera, spawn_child
from vision.sources.live import LiveSource
from vision.sources.source import Lost

LIMIT_S = 60.0  # for a machine under load
SMALL, LARGE = (640, 360), (1920, 1080)


@dataclass(frozen=True, slots=True)
class CaptureScore:
    """Of `trials` faults: how many were told, were over by themselves; the slowest times (s)."""

    what: str
    trials: int
    told: int
    came_back: int
    slowest_told_s: float
    slowest_back_s: float
    before: Resources
    after: Resources


@dataclass(frozen=True, slots=True)
class SpeedScore:
    """A camera of `rate` on a thread of this process, or in one of its own."""

    where: str
    size: tuple[int, int]
    fps: float
    latency_ms: float
    worst_ms: float
    own_share: float  # of one core, in this process


class Undead:
    """A process that survives SIGTERM and SIGKILL, as one does that waits inside the kernel."""

    def __init__(self, child: ChildProcess) -> None:
        self.child = child

    def poll(self) -> int | None:
        """As in Popen."""
        return self.child.poll()

    def wait(self, timeout: float | None = None) -> int:
        """As in Popen."""
        return self.child.wait(timeout)

    def terminate(self) -> None:
        """Survived."""

    def kill(self) -> None:
        """Survived."""


class CaptureTrial:
    """A referee's end of a camera, and the camera's plug."""

    def __init__(self, folder: Path) -> None:
        self.plug = folder / "camera"
        self.plug.write_text("")
        self.children: list[Undead] = []
        self.is_undead = False
        spec = CameraSpec(CameraKind.FAKE, str(self.plug), SMALL, 30.0)
        self.source = LiveSource(ProcessCamera(spec, self._spawn))

    def stop(self) -> None:
        """SIGSTOP: it hangs, as in a driver."""
        os.kill(self._newest, signal.SIGSTOP)

    def kill(self) -> None:
        """SIGKILL."""
        os.kill(self._newest, signal.SIGKILL)

    def unplug(self) -> None:
        """The camera is gone until it is plugged in."""
        self.plug.unlink()

    def until(self, kind: type) -> float | None:
        """Seconds until the source gives one; None within the limit."""
        began = time.monotonic()
        while (passed := time.monotonic() - began) < LIMIT_S:
            if isinstance(self.source.watch(0.05), kind):
                return passed
        return None

    @property
    def _newest(self) -> int:
        child = self.children[-1].child
        return child.pid  # type: ignore[attr-defined]

    def _spawn(self, descriptors: tuple[int, int, int]) -> ChildProcess:
        child = spawn_child(descriptors)
        self.children.append(Undead(child))
        return self.children[-1] if self.is_undead else child


def capture_faults(stops: int, plugs: int) -> list[CaptureScore]:
    """The faults one after the other; the camera is plugged in again half a second later."""
    return [
        _run("SIGSTOP of the capture process", stops, lambda trial: trial.stop()),
        _run("SIGKILL of the capture process", stops, lambda trial: trial.kill()),
        _run("capture process that survives SIGKILL", 3, lambda trial: trial.stop(), undead=True),
        _run("camera gone and back", plugs, lambda trial: trial.unplug()),
    ]


def _run(
    what: str, trials: int, break_it: Callable[[CaptureTrial], None], undead: bool = False
) -> CaptureScore:
    told, back = [], []
    with tempfile.TemporaryDirectory(prefix="fairdeal-camera-") as folder:
        trial = CaptureTrial(Path(folder))
        with trial.source:
            trial.until(Frame)
            before = resources_now()
            trial.is_undead = undead
            for _ in range(trials):
                if undead:
                    trial.kill()  # the first one is an ordinary one
                    trial.until(Lost)
                    trial.until(Frame)
                break_it(trial)
                told.append(trial.until(Lost))
                time.sleep(0.5)
                trial.plug.touch()
                back.append(trial.until(Frame))
            after = resources_now()
        for child in trial.children:
            if child.poll() is None:
                os.kill(child.child.pid, signal.SIGKILL)  # type: ignore[attr-defined]
    count_told, count_back = (sum(each is not None for each in times) for times in (told, back))
    slowest_told, slowest_back = (max(each or 0.0 for each in times) for times in (told, back))
    return CaptureScore(
        what, trials, count_told, count_back, slowest_told, slowest_back, before, after
    )


def speeds(seconds: float, size: tuple[int, int] = LARGE, rate: float = 30.0) -> list[SpeedScore]:
    """The same camera on a thread and in a process."""
    with tempfile.TemporaryDirectory(prefix="fairdeal-camera-") as folder:
        plug = Path(folder) / "camera"
        plug.write_text("")
        spec = CameraSpec(CameraKind.FAKE, str(plug), size, rate)
        return [
            _speed("thread of the referee", LiveSource(make_camera(spec)), size, seconds),
            _speed("process of its own", LiveSource(ProcessCamera(spec)), size, seconds),
        ]


def _speed(where: str, source: LiveSource, size: tuple[int, int], seconds: float) -> SpeedScore:
    ages: list[float] = []
    with source:
        source.read()
        began, spent = time.monotonic(), time.process_time()
        while time.monotonic() - began < seconds:
            frame = source.watch(0.1)
            if isinstance(frame, Frame):
                ages.append(source.age_s(frame))
        took = time.monotonic() - began
        share = (time.process_time() - spent) / took
    ages.sort()
    middle, worst = ages[len(ages) // 2], ages[int(0.95 * len(ages))]
    return SpeedScore(where, size, len(ages) / took, 1000 * middle, 1000 * worst, share)
