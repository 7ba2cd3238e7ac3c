"""Watches over the camera's place and the mat's while a game runs, and says when play may go on.

A moved view is of no use for judging; once it lies still at its new place, or back at its old one,
it is good again. Time is an argument.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from vision.frame import Frame
from vision.scene import view_shift

State = Literal["stands", "moved", "settled"]
MAT_WITHIN_S = 5.0  # a mat that shows no markers so long after the start is none
GIVE_UP_S = 10.0  # a view too plain to tell whether it lies still is used all the same
SOON_S = 0.1  # between looks that are asked for


@dataclass(frozen=True, slots=True)
class Stand:
    """How the view stands; `settled` is said once after `moved`, at its old place or a new one."""

    state: State
    why: str = ""


STANDS = Stand("stands")


class Lookout:
    """Told of each frame; a look is made twice a second and takes some ten milliseconds."""

    def __init__(self) -> None:
        self._camera: view_shift.Watch | None = None
        self._mat: view_shift.MatWatch | None = None
        self._began_at = 0.0
        self._new: view_shift.Watch | None = None
        self._said_at = 0.0
        self._why = ""

    def look(self, frame: Frame) -> Stand:
        """How the view stands after this frame."""
        if self._camera is None:
            self._begin(frame)
            return STANDS
        if self._why:
            return self._settle(frame)
        before = self._camera
        self._camera = view_shift.look(before, frame.bgr, frame.at)
        if self._camera.moved_px is not None:
            return self._say(f"the camera was moved by {self._camera.moved_px:.0f} px", frame)
        return STANDS if self._camera is before else self._look_at_mat(frame)

    def is_doubtful(self, frame: Frame) -> bool:
        """Whether this frame, in which something happened, looks shifted: it may be no play."""
        watch = self._camera
        if watch is None or self._why:
            return False
        if frame.at - watch.looked_at >= SOON_S:
            self._camera = watch = view_shift.look(watch, frame.bgr, frame.at, now=True)
        return bool(watch.shifts) and watch.shifts[-1] > view_shift.limit_px(watch.reference)

    def _begin(self, frame: Frame) -> None:
        self._camera = view_shift.Watch(
            view_shift.reference(frame.bgr), anew=True, anew_at=frame.at
        )
        self._mat, self._new, self._why = None, None, ""
        self._began_at = frame.at

    def _look_at_mat(self, frame: Frame) -> Stand:
        if self._mat is None:
            if frame.at - self._began_at <= MAT_WITHIN_S:
                self._mat = view_shift.watch_mat(frame.bgr)
            return STANDS
        self._mat = view_shift.look_at_mat(self._mat, frame.bgr, frame.at)
        if self._mat.moved_px is None:
            return STANDS
        return self._say(f"the mat was moved by {self._mat.moved_px:.0f} px", frame)

    def _say(self, why: str, frame: Frame) -> Stand:
        self._why, self._said_at = why, frame.at
        self._new = view_shift.Watch(view_shift.reference(frame.bgr), looked_at=frame.at)
        return Stand("moved", why)

    def _settle(self, frame: Frame) -> Stand:
        """Whether the view has lain still for some looks."""
        assert self._new is not None
        before = self._new
        self._new = view_shift.look(before, frame.bgr, frame.at)
        if self._new is before:
            return Stand("moved", self._why)
        shifts, limit = self._new.shifts, view_shift.limit_px(self._new.reference)
        still = len(shifts) == view_shift.LOOKS and max(shifts) <= limit
        if still or frame.at - self._said_at > GIVE_UP_S:
            self._begin(frame)
            return Stand("settled")
        if not shifts or shifts[-1] > limit:
            self._new = view_shift.Watch(view_shift.reference(frame.bgr), looked_at=frame.at)
        return Stand("moved", self._why)
