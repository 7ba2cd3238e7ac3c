"""The course of a table check: one act after the other, each ends by itself; time is the film's."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kiosk.tablecheck.acts import MOST_S, Act, End
from kiosk.tablecheck.evidence import Evidence
from kiosk.tablecheck.view import RESTS_S, View
from kiosk.tablecheck.watching import Corners, Quad, Watching, watching
from vision.frame import Image
from vision.scene import shift_estimate

BORDER = 0.12  # of the picture's sides: what stands there does not move with a mat
FEWEST = 5  # points that speak for a part of the picture


def _as_is(bgr: Image, quad: Quad) -> Quad:
    return quad


class Course:
    """Takes views in the order of time; says what is asked now, and holds what was measured.

    `is_film`: nobody hears what is asked. All acts are looked for at once, and none has a time.
    `corners` makes the corners of a located card exact.
    """

    def __init__(
        self, acts: Sequence[Act] = tuple(Act), *, is_film: bool = False, corners: Corners = _as_is
    ) -> None:
        self._corners = corners
        self.evidence = Evidence(is_asked=not is_film)
        self.is_film = is_film
        self._waiting = list(acts)
        self._began_at: float | None = None
        self._lookers: dict[Act, Watching] = {}
        self._last: View | None = None

    @property
    def asked(self) -> Act | None:
        """What is asked now; None at the end."""
        return self._waiting[0] if self._waiting else None

    @property
    def left_s(self) -> float:
        """How long the check still waits for what is asked."""
        if self.asked is None or self._began_at is None or self._last is None:
            return 0.0 if self.asked is None else MOST_S[self.asked]
        return max(0.0, MOST_S[self.asked] - (self._last.at - self._began_at))

    @property
    def last(self) -> View | None:
        """The newest view."""
        return self._last

    def see(self, view: View) -> None:
        """The next view."""
        self._last = view
        if self._began_at is None:
            self._began_at = view.at
        is_bare = self.asked is Act.EMPTY
        for act in [*self._waiting] if self.is_film and not is_bare else self._waiting[:1]:
            if self._looker(act).see(view):
                self._over(act, End.SEEN)
        if self.asked is not None and self.left_s <= 0 and (is_bare or not self.is_film):
            self._give_up(self.asked, End.LATE)

    def skip(self) -> None:
        """People skip what is asked."""
        if self.asked is not None:
            self._over(self.asked, End.SKIPPED)

    def finish(self) -> Evidence:
        """All that was measured. What is still asked has not been seen."""
        while self.asked is not None:
            self._give_up(self.asked, End.CUT)
        first, last = self.evidence.first, self._last
        if first is not None and last is not None and self.evidence.bare is not None:
            inner, outer = _ways(first, last.bgr)
            self.evidence.slipped, self.evidence.stood = inner, outer
        return self.evidence

    def _looker(self, act: Act) -> Watching:
        if act not in self._lookers:
            self._lookers[act] = watching(act, self.evidence, self._corners, is_film=self.is_film)
        return self._lookers[act]

    def _give_up(self, act: Act, how: End) -> None:
        self._over(act, End.SEEN if self._looker(act).end() else how)

    def _over(self, act: Act, how: End) -> None:
        self.evidence.ends[act] = how
        self._waiting.remove(act)
        self._began_at = None if self._last is None else self._last.at
        if self._last is not None and self._last.rest_s >= RESTS_S:
            self.evidence.rested = self._last.small


def _ways(before: np.ndarray, now: np.ndarray) -> tuple[float | None, float | None]:
    """How far what lies in the picture's middle, and what stands at its border, has moved (px)."""
    reference = shift_estimate.reference(before)
    if not reference.is_watchable or before.shape != now.shape:
        return None, None
    pairs = shift_estimate.followed(reference, shift_estimate.small_picture(now)[0])
    part = pairs[:, :2] / np.array(reference.small.shape[::-1], np.float64)
    is_border = (np.abs(part - 0.5) > 0.5 - BORDER).any(axis=1)
    ways = np.linalg.norm(pairs[:, 2:] - pairs[:, :2], axis=1) / reference.scale
    found = [float(np.median(ways[where])) if np.count_nonzero(where) >= FEWEST else None
             for where in (~is_border, is_border)]  # fmt: skip
    return found[0], found[1]
