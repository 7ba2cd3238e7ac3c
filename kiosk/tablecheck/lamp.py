"""Notices that the lamp goes off and on again, and measures whether the camera follows."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from calibration.light import light
from kiosk.tablecheck import view as views
from kiosk.tablecheck.evidence import Evidence
from kiosk.tablecheck.view import RESTS_S, Small, View, near

LAMP, LAMP_PART = 0.93, 0.7  # brightness with the lamp off at most, of so much of the picture
LAMP_S = 2.0  # in which a camera that follows has followed


class LampOff:
    """The picture gets darker at once, and stays so, or the camera follows."""

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence
        self._since: float | None = None
        self._darkest, self._last = 1.0, 1.0
        self._lit: View | None = None
        self._level, self._is_found = 0.0, True

    def see(self, view: View) -> bool:
        """As in Watching."""
        if self._lit is None or (self._since is None and not is_darker(self._lit, view)):
            is_better = self._lit is None or view.rest_s >= RESTS_S
            self._lit = view if is_better else self._lit
            return False
        self._since = view.at if self._since is None else self._since
        self._last = views.gain(self._lit.small, view.small)
        self._darkest = min(self._darkest, self._last)
        self._level = light.level(light.small(view.bgr))
        known = self._evidence.corner_at
        self._is_found = known is None or bool(near(view.cards, known.centre, known.length / 2))
        return view.at - self._since >= LAMP_S and self.end()

    def end(self) -> bool:
        """As in Watching."""
        if self._since is None or self._lit is None:
            return False
        found = self._evidence
        found.off, found.lit = self._darkest, self._lit.bgr
        found.recovered = max(0.0, (self._last - self._darkest) / (1 - self._darkest))
        found.off_level, found.off_found = self._level, self._is_found
        return True


class LampOn:
    """The picture gets as light as it was."""

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence
        self._before: Small | None = None
        self._since: float | None = None
        self._last: View | None = None

    def see(self, view: View) -> bool:
        """As in Watching."""
        if self._evidence.off is None:
            return False  # nothing was switched off
        if self._before is None:
            self._before = view.small
        self._last = view
        if self._since is None and views.gain(self._before, view.small) > 1 / LAMP:
            self._since = view.at
        return self._since is not None and view.at - self._since >= LAMP_S and self.end()

    def end(self) -> bool:
        """As in Watching."""
        lit, last = self._evidence.lit, self._last
        if self._since is None or lit is None or last is None:
            return False
        self._evidence.back = views.gain(views.small_of(lit), last.small)
        self._evidence.tint = _blue_to_red(last.bgr) / _blue_to_red(lit)
        return True


def is_darker(before: View, now: View) -> bool:
    """Whether nearly the whole picture is darker."""
    lit = before.small >= views.LIT
    if before.small.shape != now.small.shape or not lit.any():
        return False
    darker = now.small[lit] < LAMP * before.small[lit].astype(np.float32)
    return float(darker.mean()) > LAMP_PART


def _blue_to_red(bgr: npt.NDArray[np.uint8]) -> float:
    means = light.small(bgr).reshape(-1, 3).mean(axis=0) + 1
    return float(means[0] / means[2])
