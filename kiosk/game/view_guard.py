"""Watches, while a game runs, whether the camera or the mat was moved, and when play may go on.

A slow slip, as of a stand that gives way, and a short push, as of a knock, are followed: frames
are judged as if the view stood. Frames of a view moved further are not judged. Once the view
rests, at its new place or back at its old one, it counts again. Time is an argument.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from kiosk.game.limits import LIMITS
from vision.frame import Frame
from vision.scene import mat_watch, shift_estimate, view_shift
from vision.scene.steady import APART_S, Matrix, SteadyView


class ViewState(Enum):
    """How the view stands."""

    STANDS = "stands"
    MOVED = "moved"
    SETTLED = "settled"  # reported once after `MOVED`


@dataclass(frozen=True, slots=True)
class ViewReport:
    """The state after a frame; `why` is a sentence for people while the view is moved."""

    state: ViewState
    why: str = ""


STANDS = ViewReport(ViewState.STANDS)


@dataclass(frozen=True, slots=True)
class _Move:
    """A move under way: why, since when (s), and the watch over the view it may settle at."""

    why: str
    since: float
    watch: view_shift.Watch


class ViewGuard:
    """Sees each frame; it is compared twice a second, which takes some ten milliseconds."""

    def __init__(self) -> None:
        self._camera: view_shift.Watch | None = None
        self._mat: mat_watch.MatWatch | None = None
        self._began_at = 0.0
        self._move: _Move | None = None
        self._view = SteadyView()

    @property
    def to_now(self) -> Matrix | None:
        """From px of the view at its start to px of a frame, (2, 3); None while they are one."""
        return self._view.to_now

    def see(self, frame: Frame) -> ViewReport:
        """How the view stands after this frame."""
        if self._camera is None:
            self._begin(frame)
            return STANDS
        if self._move is not None:
            return self._settle(self._move, frame)
        return self._look(self.held(frame))

    def held(self, frame: Frame) -> Frame:
        """The frame in the coordinates of the view at its start, or when it last settled."""
        return self._view.hold(frame)

    def _look(self, frame: Frame) -> ViewReport:
        before = self._camera
        assert before is not None
        is_due = frame.at - before.looked_at >= APART_S and self._is_shifted(before)
        watch = self._follow(view_shift.look(before, frame.bgr, frame.at, now=is_due))
        if watch.moved_px is not None:
            return self._report(f"the camera was moved by {watch.moved_px:.0f} px", frame)
        return STANDS if watch is before else self._look_at_mat(frame)

    def check(self, frame: Frame) -> bool:
        """Looks at once: whether this held frame, in which something happened, appears shifted."""
        watch = self._camera
        if watch is None or self._move is not None:
            return False
        if frame.at - watch.looked_at >= LIMITS.doubt_every_s:
            watch = view_shift.look(watch, frame.bgr, frame.at, now=True)
            self._follow(watch)
        return self._is_shifted(watch)

    @staticmethod
    def _is_shifted(watch: view_shift.Watch) -> bool:
        return bool(watch.shifts) and watch.shifts[-1] > view_shift.limit_px(watch.reference)

    def _follow(self, watch: view_shift.Watch) -> view_shift.Watch:
        """Takes a look at a held frame, and the view that it shows. Returns the watch after it."""
        view = self._view.follow(watch)
        is_followed = view.to_now is not self._view.to_now
        is_denied = view.stands and view.looked_at == watch.looked_at
        if is_followed or is_denied:  # the shifts so far were those of an old view
            watch = replace(watch, shifts=(), corners=(), moved_px=None)
        self._camera, self._view = watch, view
        return watch

    def _begin(self, frame: Frame) -> None:
        self._camera = view_shift.Watch(
            shift_estimate.reference(frame.bgr), anew=True, anew_at=frame.at
        )
        self._mat, self._move, self._view = None, None, SteadyView()
        self._began_at = frame.at

    def _look_at_mat(self, frame: Frame) -> ViewReport:
        if self._mat is None:
            if frame.at - self._began_at <= LIMITS.mat_within_s:
                self._mat = mat_watch.watch_mat(frame.bgr)
            return STANDS
        self._mat = mat_watch.look_at_mat(self._mat, frame.bgr, frame.at)
        if self._mat.moved_px is None:
            return STANDS
        return self._report(f"the mat was moved by {self._mat.moved_px:.0f} px", frame)

    def _report(self, why: str, frame: Frame) -> ViewReport:
        self._move = _Move(why, frame.at, _watch_from(frame))
        return ViewReport(ViewState.MOVED, why)

    def _settle(self, move: _Move, frame: Frame) -> ViewReport:
        """Whether the view has been at rest for some looks."""
        watch = view_shift.look(move.watch, frame.bgr, frame.at)
        if watch is move.watch:
            return ViewReport(ViewState.MOVED, move.why)
        shifts, limit = watch.shifts, view_shift.limit_px(watch.reference)
        is_still = len(shifts) == view_shift.LOOKS and max(shifts) <= limit
        if is_still or frame.at - move.since > LIMITS.settle_within_s:
            self._begin(frame)
            return ViewReport(ViewState.SETTLED)
        if not shifts or shifts[-1] > limit:
            watch = _watch_from(frame)
        self._move = replace(move, watch=watch)
        return ViewReport(ViewState.MOVED, move.why)


def _watch_from(frame: Frame) -> view_shift.Watch:
    return view_shift.Watch(shift_estimate.reference(frame.bgr), looked_at=frame.at)
