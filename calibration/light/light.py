"""`fairdeal calibrate light`: checks brightness, flicker, glare, colour and focus; locks them."""

import argparse
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from calibration import inputs, pictures, preview, store
from calibration.controls.controls import Controls, open_controls
from calibration.finding import Finding, Verdict
from calibration.lens.intrinsics import today
from vision.sources.source import Source

DARK, BRIGHT = 35.0, 215.0  # median level of 255: dim below, too bright above
DIM = 60.0  # 95th percentile of the level, of 255: too dark below
FLICKER = 0.02  # swing of the brightness of a band of rows between frames
GLARE_LEVEL = 250  # all channels at or above it: burnt out
GLARE_SHARE = 0.0006  # smallest area of a reported spot, of the picture
GLARE_BAD = 0.01  # all spots together, of the picture
CAST = 1.6  # largest ratio of blue and red means
SETTLE_S = 1.0  # until the automatic controls have settled
_WHERE = (("upper left", "upper middle", "upper right"), ("left", "middle", "right"),
          ("lower left", "lower middle", "lower right"))  # fmt: skip


def judge(frames: Sequence[np.ndarray]) -> tuple[Finding, ...]:
    """Judges the light from frames (H, W, 3) uint8 of one still view."""
    seen = [small(frame) for frame in frames]
    return (_brightness(seen[-1]), _flicker(seen), _glare(seen[-1]), _cast(seen[-1]),
            _sharp(frames[-1]))  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Judges the light, locks the camera's controls and stores them. 1 if something is bad."""
    count = args.frames
    if args.folder or not args.source:
        return _judge_and_lock(args, inputs.frames(args, count), None)
    from vision.sources import open_source

    with open_source(args.source) as source:  # a Pi camera resets its controls when it is closed
        preview.aim(source, "fairdeal calibrate light", lambda bgr: "the table as in a game")
        controls = open_controls(args.source, source)
        if controls is not None:
            controls.automatic()
            settle(source)
        return _judge_and_lock(args, inputs.taken(source, count), controls)


def settle(source: Source) -> None:
    """Discards the pictures in which exposure and focus still change."""
    began_at = None
    while (frame := source.read()) is not None:
        began_at = frame.at if began_at is None else began_at
        if frame.at - began_at >= SETTLE_S:
            return


def _judge_and_lock(
    args: argparse.Namespace, shots: Sequence[inputs.Shot], controls: Controls | None
) -> int:
    picture = shots[-1][1]
    height, width = picture.shape[:2]
    folder, name = inputs.store_folder(args), inputs.camera_name(args)
    old = inputs.stored(args, picture)
    findings = judge([picture for _, picture, _ in shots])
    for finding in findings:
        print(finding.line)
    bad = any(finding.state == Verdict.BAD for finding in findings)
    proof_path = args.proof or store.path_for(folder, name, width, height).with_suffix(".light.jpg")
    pictures.write(proof_path, glare_picture(picture))
    print(f"proof picture: {proof_path}")
    if bad:
        print("nothing locked: correct the light first")
        return 1
    if controls is None:
        print("this source has no controls that can be locked; nothing stored")
        return 0
    locked, path = lock(controls, picture, old, folder)
    print("locked " + ", ".join(f"{key} {value:g}" for key, value in locked.controls))
    print(f"stored in {path}")
    return 0


def lock(
    controls: Controls, picture: np.ndarray, old: store.Calibration, folder: Path
) -> tuple[store.LightLock, Path]:
    """Locks the controls as they are now and stores them beside the other parts of `old`.

    Returns the locked values and the calibration file. FairdealError if it cannot be written.
    """
    locked = store.LightLock(tuple(controls.lock().items()), level(small(picture)), today())
    return locked, store.save(old.with_part(light=locked), folder)


def small(frame: np.ndarray) -> np.ndarray:
    """A picture (H, W, 3) uint8 as the light is judged, 640 px wide at most."""
    share = min(1.0, 640 / frame.shape[1])
    return cv2.resize(frame, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)


def level(bgr: np.ndarray) -> float:
    """The picture's median level, 0 to 255, of the brightest channel of each pixel."""
    return float(np.median(bgr.max(axis=2)))


def _brightness(bgr: np.ndarray) -> Finding:
    middle, bright = level(bgr), float(np.percentile(bgr.max(axis=2), 95))
    words = f"middle level {middle:.0f} of 255"
    if bright < DIM:
        return Finding(
            "brightness", Verdict.BAD, f"too dark: {words}", "more light, or longer exposure"
        )
    if middle < DARK:
        return Finding(
            "brightness",
            Verdict.WARN,
            f"dim: {words}",
            "more light makes recognition more reliable",
        )
    if middle > BRIGHT:
        return Finding(
            "brightness", Verdict.BAD, f"too bright: {words}", "less light or shorter exposure"
        )
    return Finding("brightness", Verdict.GOOD, words)


def swing(frames: Sequence[np.ndarray]) -> float | None:
    """How much the brightness of a band of rows swings from frame to frame; None: too few."""
    if len(frames) < 6 or len({frame.shape for frame in frames}) > 1:
        return None
    rows = np.array([frame.mean(axis=(1, 2)) for frame in frames])
    # With a rolling shutter, flicker changes whole bands of rows from frame to frame.
    ratio = rows / np.maximum(np.median(rows, axis=0), 4.0)
    bands = ratio[:, : ratio.shape[1] // 16 * 16].reshape(len(rows), 16, -1).mean(axis=2)
    return float(np.median(np.abs(np.diff(bands, axis=0))) * 2)


def _flicker(frames: Sequence[np.ndarray]) -> Finding:
    found = swing(frames)
    if found is None:
        return Finding("flicker", Verdict.WARN, "unknown: too few frames", "use a live camera")
    if found > FLICKER:
        todo = "set the camera to the mains frequency, 50 or 60 Hz, or use another lamp"
        return Finding("flicker", Verdict.BAD, f"the brightness swings by {found:.0%}", todo)
    return Finding("flicker", Verdict.GOOD, f"steady within {max(found, 0.001):.1%}")


def glare_mask(bgr: np.ndarray) -> np.ndarray:
    """(H, W) uint8, 255 where all channels are burnt out."""
    burnt = (bgr.min(axis=2) >= GLARE_LEVEL).astype(np.uint8) * 255
    return cv2.morphologyEx(burnt, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))


def glare(bgr: np.ndarray) -> tuple[float, tuple[str, ...]]:
    """The part of a picture that is burnt out, and where its largest spots are, in words."""
    mask = glare_mask(bgr)
    height, width = mask.shape
    _, _, stats, centres = cv2.connectedComponentsWithStats(mask)
    spots = [
        (s[cv2.CC_STAT_AREA] / mask.size, c) for s, c in zip(stats[1:], centres[1:], strict=True)
    ]
    spots = sorted((spot for spot in spots if spot[0] > GLARE_SHARE), key=lambda s: -s[0])
    places: list[str] = []
    for _, (x, y) in spots[:4]:
        place = _WHERE[min(int(y * 3 / height), 2)][min(int(x * 3 / width), 2)]
        if place not in places:
            places.append(place)
    return sum(area for area, _ in spots), tuple(places)


def _glare(bgr: np.ndarray) -> Finding:
    share, places = glare(bgr)
    if not places:
        return Finding("glare", Verdict.GOOD, "none")
    state = Verdict.BAD if share > GLARE_BAD else Verdict.WARN
    words = f"{share:.1%} of the picture is burnt out: " + ", ".join(places)
    return Finding("glare", state, words, "move the lamp aside or lower the exposure")


def _cast(bgr: np.ndarray) -> Finding:
    means = bgr.reshape(-1, 3).mean(axis=0)
    blue, red = float(means[0]) + 1, float(means[2]) + 1
    ratio = max(blue / red, red / blue)
    colour = "blue" if blue > red else "red"
    if ratio > CAST:
        return Finding("white balance", Verdict.WARN, f"a strong {colour} cast",
                       "lay a white sheet on the table while it is locked")  # fmt: skip
    return Finding("white balance", Verdict.GOOD, f"blue to red {blue / red:.2f}")


def _sharp(bgr: np.ndarray) -> Finding:
    from calibration.lens.board import is_blurred, is_plain

    gray = cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY)
    if is_plain(gray):
        return Finding("focus", Verdict.WARN, "unknown: the view has too little contrast",
                       "lay some cards or the mat on the table")  # fmt: skip
    if is_blurred(gray):
        return Finding("focus", Verdict.BAD, "nothing is sharp", "focus on the table")
    return Finding("focus", Verdict.GOOD, "sharp")


def glare_picture(bgr: np.ndarray) -> np.ndarray:
    """A copy of the picture with burnt-out areas outlined."""
    out = bgr.copy()
    outlines, _ = cv2.findContours(glare_mask(bgr), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    cv2.drawContours(out, outlines, -1, (60, 60, 230), 3)
    return out
