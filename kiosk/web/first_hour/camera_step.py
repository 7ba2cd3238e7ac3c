"""Step 1, the camera: the live picture with focus and light meter, then `calibrate light`."""

from __future__ import annotations

import cv2

from calibration import store
from calibration.controls.controls import Controls, open_controls
from calibration.finding import Verdict
from calibration.lens.board import BLURRED, steepness
from calibration.light import light
from kiosk.web.first_hour.bench import Bench
from kiosk.web.first_hour.desk import Order
from kiosk.web.first_hour.steps import Mark, Meter, Step, Work
from vision.frame import Image

METER_APART_S = 0.25  # between two readings
METER_WIDTH_PX = 640
FRAMES = 12  # one light check; flicker needs some frames


def look(bench: Bench) -> None:
    """The live picture with its meter, until the page asks for something else."""
    desk, read_at, best = bench.desk, float("-inf"), 0.0
    while not desk.is_called_away():
        frame = bench.frame()
        if frame is None or 0 <= frame.at - read_at < METER_APART_S:
            continue
        read_at = frame.at
        meter = read_meter(frame.bgr, best)
        best = meter.focus_best
        desk.change(meter=meter)


def read_meter(bgr: Image, best: float = 0.0) -> Meter:
    """Focus and light of a picture (H, W, 3) BGR. `best`: the best focus so far."""
    share = min(1.0, METER_WIDTH_PX / bgr.shape[1])
    small = cv2.resize(bgr, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    # Edges are measured at full size: a shrunk picture looks sharp.
    focus = steepness(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY))
    return Meter(
        round(focus, 4), round(max(best, focus), 4), BLURRED,
        round(light.level(small), 1), light.DARK, light.BRIGHT,
    )  # fmt: skip


def check(order: Order, bench: Bench) -> None:
    """Judges focus and light, and locks the camera's controls, as `calibrate light` does."""
    desk = bench.desk
    desk.change(work=Work.MEASURING, progress=0.0, message="", findings=(), words=())
    controls = open_controls(bench.spec, bench.source)
    if controls is not None:
        controls.automatic()
        light.settle(bench.source)
    shots = bench.shots(FRAMES)
    findings = light.judge([picture for _, picture, _ in shots])
    desk.change(findings=findings)
    bad = [finding for finding in findings if finding.state is Verdict.BAD]
    if bad:
        desk.tell(bad[0].line.removeprefix(bad[0].state).strip(), is_bad=True)
        return
    words = _locked(bench, controls, shots[-1][1])
    desk.mark(Step.CAMERA, Mark.PASSED, words)
    desk.tell("", words=(*(finding.line for finding in findings), words))


def _locked(bench: Bench, controls: Controls | None, picture: Image) -> str:
    """Locks what the camera found, where it has controls; says what was done."""
    if controls is None:
        return "this source has no controls that can be locked"
    height, width = picture.shape[:2]
    old = store.load_or_new(bench.folder, bench.camera, width, height)
    locked, _ = light.lock(controls, picture, old, bench.folder)
    return "locked " + ", ".join(f"{key} {value:g}" for key, value in locked.controls)
