"""Draws on a frame what the referee knows: outlined cards with names, what is due, the calls."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from rules.table.call import Call
from vision.frame import Image
from vision.scene.tracks import Track
from vision.sightings import UNKNOWN, Sightings

COLOURS = {  # BGR
    "lying": (90, 200, 60),
    "coming": (40, 190, 250),
    "covered": (150, 150, 150),
    "unknown": (60, 60, 230),
    "mistake": (50, 50, 235),
    "complete": (80, 200, 60),
    "corrected": (80, 200, 60),
    "win": (60, 210, 240),
    "tie": (60, 210, 240),
    "notice": (240, 180, 60),
    "unsure": (190, 90, 200),
}
_WHITE, _DARK = (255, 255, 255), (35, 32, 30)
_FONT = cv2.FONT_HERSHEY_SIMPLEX


def draw_sightings(bgr: Image, seen: Sightings) -> Image:
    """A copy of the picture with every card outlined and named.

    A dot marks the top-left corner of the upright face.
    """
    picture = bgr.copy()
    for quad, face, sure in zip(seen.quads, seen.faces, seen.confidences, strict=True):
        colour = COLOURS["unknown" if face == "unknown" else "lying"]
        _card(picture, quad, f"{face} {sure:.2f}", colour)
    return picture


def draw_table(
    bgr: Image,
    tracks: Sequence[Track],
    lines: Sequence[tuple[str, str]] = (),
    calls: Sequence[Call] = (),
    headline: str = "",
) -> Image:
    """A copy of the picture with tracked cards, the game's lines and the last calls."""
    picture = bgr.copy()
    for track in tracks:
        # A moving region without a name may be a hand.
        if track.state == "covered" or (track.state == "coming" and track.face == UNKNOWN):
            continue
        kind = UNKNOWN if track.face == UNKNOWN else track.state
        _card(picture, np.asarray(track.corners, np.float32), track.face, COLOURS[kind])
    scale = picture.shape[0] / 900
    shown = [(f"{label}: {text}", _WHITE) for label, text in lines[:8]]
    _panel(picture, ([(headline, _WHITE)] if headline else []) + shown, scale, top=True)
    said = [(_plain(call.message), COLOURS.get(call.call, _WHITE)) for call in calls[-4:]]
    _panel(picture, said, scale, top=False)
    return picture


def _card(picture: Image, quad: np.ndarray, text: str, colour: tuple[int, int, int]) -> None:
    width = max(1, round(picture.shape[0] / 400))
    points = np.round(quad).astype(np.int32)
    cv2.polylines(picture, [points], True, colour, width, cv2.LINE_AA)
    cv2.circle(picture, points[0].tolist(), 2 * width, colour, -1, cv2.LINE_AA)
    scale = picture.shape[0] / 1400
    size, base = cv2.getTextSize(text, _FONT, scale, width)
    x, y = np.round(quad.mean(axis=0)).astype(int) - (size[0] // 2, 0)
    cv2.rectangle(picture, (x - 3, y - size[1] - 3), (x + size[0] + 3, y + base), _DARK, -1)
    cv2.putText(picture, text, (int(x), int(y)), _FONT, scale, colour, width, cv2.LINE_AA)


def _panel(
    picture: Image, lines: Sequence[tuple[str, tuple[int, int, int]]], scale: float, *, top: bool
) -> None:
    if not lines:
        return
    font, thick = 0.65 * scale, max(1, round(1.4 * scale))
    step = round(30 * scale)
    width = max(cv2.getTextSize(text, _FONT, font, thick)[0][0] for text, _ in lines) + step
    height = step * len(lines) + step // 2
    y = 0 if top else picture.shape[0] - height
    corner = picture[y : y + height, : min(width, picture.shape[1])]
    corner[:] = (corner * 0.35 + np.array(_DARK) * 0.65).astype(np.uint8)
    for k, (text, colour) in enumerate(lines, 1):
        at = (step // 2, y + k * step)
        cv2.putText(picture, text, at, _FONT, font, colour, thick, cv2.LINE_AA)


def _plain(text: str) -> str:
    """OpenCV's drawing font has ASCII only."""
    return text.replace("…", "...").replace("–", "-").encode("ascii", "replace").decode()
