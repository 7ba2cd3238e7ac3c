"""`fairdeal calibrate light`: too dark, flicker, glare and where; then lock it."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration import inputs, pictures, preview, store
from calibration.lens.intrinsics import today
from calibration.light.controls import Controls, open_controls
from vision.sources.source import Source

DARK, DIM, BRIGHT = 35.0, 60.0, 215.0
FLICKER = 0.02
GLARE_LEVEL, GLARE_SHARE = 250, 0.0006
CAST = 1.6
SETTLE_S = 1.0
_WHERE = (("upper left", "upper middle", "upper right"), ("left", "middle", "right"),
          ("lower left", "lower middle", "lower right"))  # fmt: skip


@dataclass(frozen=True)
class Finding:
    """One verdict: `state` is good, warn or bad; `todo` mends it."""

    name: str
    state: str
    words: str
    todo: str = ""


def judge(frames: Sequence[np.ndarray]) -> tuple[Finding, ...]:
    """Judges the light by frames (H, W, 3) uint8 of one resting view."""
    small = [_small(frame) for frame in frames]
    return (_brightness(small[-1]), _flicker(small), _glare(small[-1]), _cast(small[-1]),
            _sharp(frames[-1]))  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Judges the light, locks the camera's controls and stores them. 1 if something is bad."""
    count = max(args.frames, 1)
    if args.folder or not args.source:
        return _judge_and_lock(args, inputs.frames(args, count), None)
    from vision.sources import open_source

    with open_source(args.source) as source:  # a Pi camera forgets its controls when it is closed
        preview.aim(source, "fairdeal calibrate light", lambda bgr: "the table as in a game")
        controls = open_controls(args.source, source)
        if controls is not None:
            controls.automatic()
            _settle(source)
        return _judge_and_lock(args, inputs.taken(source, count), controls)


def _settle(source: Source) -> None:
    """Lets the pictures pass in which exposure and focus are still on their way."""
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
        todo = f"; {finding.todo}" if finding.todo else ""
        print(f"{finding.state:5} {finding.name}: {finding.words}{todo}")
    bad = any(finding.state == "bad" for finding in findings)
    proof_path = args.proof or store.path_for(folder, name, width, height).with_suffix(".light.jpg")
    pictures.write(proof_path, glare_picture(picture))
    print(f"proof picture: {proof_path}")
    if bad:
        print("nothing locked: mend the light first")
        return 1
    if controls is None:
        print("this source has no controls that can be locked from here; nothing stored")
        return 0
    locked = store.LightLock(tuple(controls.lock().items()), _level(_small(picture)), today())
    path = store.save(old.with_part(light=locked), folder)
    print("locked " + ", ".join(f"{key} {value:g}" for key, value in locked.controls))
    print(f"stored in {path}")
    return 0


def _small(frame: np.ndarray) -> np.ndarray:
    share = min(1.0, 640 / frame.shape[1])
    return cv2.resize(frame, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)


def _level(bgr: np.ndarray) -> float:
    return float(np.median(bgr.max(axis=2)))


def _brightness(bgr: np.ndarray) -> Finding:
    level, bright = _level(bgr), float(np.percentile(bgr.max(axis=2), 95))
    words = f"middle level {level:.0f} of 255"
    if bright < DIM:
        return Finding("brightness", "bad", f"too dark: {words}", "more light, or longer exposure")
    if level < DARK:
        return Finding("brightness", "warn", f"dim: {words}", "more light makes faces surer")
    if level > BRIGHT:
        return Finding("brightness", "bad", f"too bright: {words}", "less light or exposure")
    return Finding("brightness", "good", words)


def _flicker(frames: Sequence[np.ndarray]) -> Finding:
    if len(frames) < 6 or len({frame.shape for frame in frames}) > 1:
        return Finding("flicker", "warn", "cannot be told from so few frames", "use a live camera")
    rows = np.array([frame.mean(axis=(1, 2)) for frame in frames])
    # A lamp's beat moves whole bands of rows up and down from frame to frame.
    ratio = rows / np.maximum(np.median(rows, axis=0), 4.0)
    bands = ratio[:, : ratio.shape[1] // 16 * 16].reshape(len(rows), 16, -1).mean(axis=2)
    steps = np.diff(bands, axis=0)
    swing = float(np.median(np.abs(steps)) * 2)
    if swing > FLICKER:
        todo = "set the camera to the mains' 50 or 60 Hz, or take another lamp"
        return Finding("flicker", "bad", f"the light swings by {swing:.0%}", todo)
    return Finding("flicker", "good", f"steady within {max(swing, 0.001):.1%}")


def glare_mask(bgr: np.ndarray) -> np.ndarray:
    """(H, W) uint8, 255 where the picture is burnt out in all colours."""
    burnt = (bgr.min(axis=2) >= GLARE_LEVEL).astype(np.uint8) * 255
    return cv2.morphologyEx(burnt, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))


def _glare(bgr: np.ndarray) -> Finding:
    mask = glare_mask(bgr)
    height, width = mask.shape
    _, _, stats, centres = cv2.connectedComponentsWithStats(mask)
    spots = [
        (s[cv2.CC_STAT_AREA] / mask.size, c) for s, c in zip(stats[1:], centres[1:], strict=True)
    ]
    spots = sorted((spot for spot in spots if spot[0] > GLARE_SHARE), key=lambda s: -s[0])
    if not spots:
        return Finding("glare", "good", "none")
    places = []
    for _, (x, y) in spots[:4]:
        place = _WHERE[min(int(y * 3 / height), 2)][min(int(x * 3 / width), 2)]
        if place not in places:
            places.append(place)
    share = sum(area for area, _ in spots)
    state = "bad" if share > 0.01 else "warn"
    words = f"{share:.1%} of the picture is burnt out: " + ", ".join(places)
    return Finding("glare", state, words, "move the lamp aside or lower the exposure")


def _cast(bgr: np.ndarray) -> Finding:
    means = bgr.reshape(-1, 3).mean(axis=0)
    blue, red = float(means[0]) + 1, float(means[2]) + 1
    ratio = max(blue / red, red / blue)
    colour = "blue" if blue > red else "red"
    if ratio > CAST:
        return Finding("white balance", "warn", f"much more {colour} than the rest",
                       "a plain white sheet on the table helps while it is locked")  # fmt: skip
    return Finding("white balance", "good", f"blue to red {blue / red:.2f}")


def _sharp(bgr: np.ndarray) -> Finding:
    from calibration.lens.board import is_blurred, is_plain

    gray = cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY)
    if is_plain(gray):
        return Finding("focus", "warn", "cannot be told: the view is too plain",
                       "lay some cards or the mat on the table")  # fmt: skip
    if is_blurred(gray):
        return Finding("focus", "bad", "nothing in the picture is sharp", "focus on the table")
    return Finding("focus", "good", "sharp")


def glare_picture(bgr: np.ndarray) -> np.ndarray:
    """The picture with the burnt-out places outlined."""
    out = bgr.copy()
    outlines, _ = cv2.findContours(glare_mask(bgr), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    cv2.drawContours(out, outlines, -1, (60, 60, 230), 3)
    return out
