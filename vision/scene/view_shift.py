"""Notices, while a game runs, that the camera, the table or its mat was moved.

Pure: a `Watch` and a frame give a new `Watch`. A shift (`shift_estimate`) counts if several looks
half a second apart show it, the last two of which agree on the motion: a pushed camera rests at its
new place, a hand goes on. It must also show against the last look at which the view stood: like
cards that came to lie where others lay differ from an older reference as a shifted view does. The
reference is renewed while nothing moves.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.scene.shift_estimate import (
    Reference,
    Shift,
    reference,
    shift_of,
    shift_px,
    small_picture,
)
from vision.scene.votes import MOST, corners_of

LOOK_EVERY_S = 0.5
ANEW_EVERY_S = 2.0
LOOKS = 3
# In pixels of the small picture: 1 px is some 1.5 mm on a table of 70 cm.
MOVED_PX, DENIED_PX = 1.2, 0.6
SAME_MOTION_PX = 2.0  # between two looks, at the picture's corners: the camera rests there
REST_LEVELS, REST_PART = 12, 0.002  # grey levels, and the part of the picture that may change more
SLIPS_PX = 0.12  # at the picture's corners, of the small picture
STILL_PX = 9  # about a pixel that moved, within which a corner may move too


@dataclass(frozen=True)
class Watch:
    """What is known so far; `moved_px` (pixels of the full frame) is None while nothing moved.

    `anew`: the reference is renewed while all is at rest. `counted_at`: time (s) of the last look
    that counts. `corners`: of that look's shift and the one before; `agreed`: of that look's.
    `said_at`: time (s) of the last look that said something. `before`: the last small picture;
    `stood`: the last one that showed the view where it was.
    """

    reference: Reference
    anew: bool = False
    looked_at: float = float("-inf")
    anew_at: float = float("-inf")
    shifts: tuple[float, ...] = ()
    unsaid: int = 0
    moved_px: float | None = None
    counted_at: float = float("-inf")
    said_at: float = float("-inf")
    corners: tuple[np.ndarray, ...] = ()
    agreed: float = 0.0
    before: np.ndarray | None = None
    stood: np.ndarray | None = None


def look(watch: Watch, bgr: np.ndarray, at: float, *, now: bool = False) -> Watch:
    """The watch after a frame of time `at` (s); the same object if it is not yet time to look.

    `now` looks whatever the time is. Such a look replaces the last one if that is less than
    LOOK_EVERY_S ago: several looks at one moment are one piece of evidence.
    """
    if at - watch.looked_at < LOOK_EVERY_S and not now:
        return watch
    small, _ = small_picture(bgr)
    is_resting = _is_resting(watch.before, small)
    shift = shift_of(watch.reference, small) if watch.reference.is_watchable else None
    seen = replace(watch, looked_at=at, before=small)
    limit = limit_px(watch.reference)
    if shift is not None and shift.px > limit:
        if shift.agreed < MOST or _is_denied(watch.stood, small):
            shift = None  # a fan that went, or corners of another place
    elif shift is not None:
        seen = replace(seen, stood=small)
    if shift is None:  # covered, dark or plain: this look says nothing
        silent = replace(seen, unsaid=watch.unsaid + 1)
        patience = 2 * LOOKS if watch.reference.is_watchable else 1
        if silent.unsaid <= patience or watch.before is None:
            return silent
        return _renewed(silent, bgr, at, True, _still(watch.before, small))
    seen = _counted(replace(seen, unsaid=0), shift, at)
    is_told = len(seen.shifts) == LOOKS and min(seen.shifts) > limit and seen.agreed >= MOST
    if is_told and _is_same_motion(seen.corners):
        return replace(seen, moved_px=float(np.median(seen.shifts)))
    if max(seen.shifts) > limit:
        return seen
    stands = replace(seen, moved_px=None)
    if watch.before is not None and not watch.reference.shows_middle:
        return _renewed(stands, bgr, at, True, _still(watch.before, small))
    return _renewed(stands, bgr, at, is_resting)


def _is_denied(stood: np.ndarray | None, small: np.ndarray) -> bool:
    """Whether the picture shows no shift against the last one that showed the view where it was."""
    px = None if stood is None else shift_px(reference(stood), small)
    return px is not None and px < DENIED_PX


def _counted(watch: Watch, shift: Shift, at: float) -> Watch:
    """The watch with one more shift, or with its last one replaced."""
    watch = replace(watch, said_at=at)
    if at - watch.counted_at < 0.9 * LOOK_EVERY_S:
        shifts = (*watch.shifts[:-1], shift.px)
        corners = (*watch.corners[:-1], shift.corners)
        return replace(watch, shifts=shifts, corners=corners, agreed=shift.agreed)
    return replace(
        watch, counted_at=at, shifts=(*watch.shifts, shift.px)[-LOOKS:],
        corners=(*watch.corners, shift.corners)[-2:], agreed=shift.agreed,
    )  # fmt: skip


def _is_same_motion(corners: tuple[np.ndarray, ...]) -> bool:
    """Whether the last two looks saw the view at the same place."""
    if len(corners) < 2:
        return False
    return float(np.linalg.norm(corners[1] - corners[0], axis=1).max()) < SAME_MOTION_PX


def _is_resting(before: np.ndarray | None, small: np.ndarray) -> bool:
    """Whether nothing moved between two looks."""
    if before is None or before.shape != small.shape:
        return False
    return float((cv2.absdiff(before, small) > REST_LEVELS).mean()) <= REST_PART


def _slips(watch: Watch) -> bool:
    """Whether the last look saw the view a little off: a new reference would forget that."""
    if not watch.corners or watch.said_at < watch.looked_at:
        return False
    rest = corners_of(watch.reference.small.shape)
    return float(np.abs(watch.corners[-1] - rest).max()) > SLIPS_PX


def _still(before: np.ndarray, small: np.ndarray) -> np.ndarray:
    """Where nothing moved between two looks, nor near it."""
    moved = (cv2.absdiff(before, small) > REST_LEVELS).astype(np.uint8)
    return cv2.dilate(moved, np.ones((STILL_PX, STILL_PX), np.uint8)) == 0


def _renewed(
    watch: Watch, bgr: np.ndarray, at: float, is_resting: bool, still: np.ndarray | None = None
) -> Watch:
    is_due = watch.anew and watch.moved_px is None and at - watch.anew_at >= ANEW_EVERY_S
    if not is_due or not is_resting or _slips(watch):
        return watch
    return replace(
        watch, reference=reference(bgr, still), anew_at=at, shifts=(), corners=(), unsaid=0,
        counted_at=float("-inf"),
    )  # fmt: skip


def limit_px(watched: Reference) -> float:
    """What counts as moved, in pixels of the full frame."""
    return MOVED_PX / watched.scale
