"""A table check on a camera or a film: looks, locks the camera's controls, and judges."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

import numpy as np

from calibration import store
from calibration.controls.controls import Controls
from calibration.controls.held import KINDS, not_held
from calibration.finding import Verdict
from calibration.light import light
from kiosk.tablecheck.acts import Act, End
from kiosk.tablecheck.course import Course
from kiosk.tablecheck.judging import TableFinding, judge
from kiosk.tablecheck.view import View, look
from kiosk.tablecheck.watching import Quad
from rules.errors import FairdealError
from vision.frame import Frame, Image
from vision.networks.corners import CornerNetwork
from vision.networks.locator import Locator
from vision.sightings import Located

LOOK_S = 0.2  # between two looks
TOPIC = "lock"
Lock = Callable[[Image], TableFinding]


class Finder(Protocol):
    """Finds cards, whatever deck they are of."""

    def locate(self, bgr: Image) -> Located:
        """The cards of a picture."""
        ...

    def corners(self, bgr: Image, quad: Quad) -> Quad:
        """The true corners (4, 2) px of a card that is located."""
        ...


class Networks:
    """The locator and the corner network."""

    def __init__(self, threads: int) -> None:
        self._locator, self._corners = Locator(threads=threads), CornerNetwork(threads=threads)

    def locate(self, bgr: Image) -> Located:
        """As in Finder."""
        return self._locator.locate(bgr)

    def corners(self, bgr: Image, quad: Quad) -> Quad:
        """As in Finder."""
        return np.asarray(self._corners.refine(bgr, quad[None]).quads[0], np.float32)


class Checker:
    """Takes frames in the order of time.

    `is_film`: as in Course. `lock` locks the camera once its light is known to be good, and says
    what could be locked; None for a film.
    """

    def __init__(self, finder: Finder, *, is_film: bool = False, lock: Lock | None = None) -> None:
        self.course = Course(is_film=is_film, corners=finder.corners)
        self._locate, self._lock = finder.locate, lock
        self._locked: TableFinding | None = None

    def take(self, frame: Frame) -> View | None:
        """The next frame; the view of it, or None for one that comes too soon."""
        before = self.course.last
        if before is not None and 0 <= frame.at - before.at < LOOK_S:
            return None
        view = look(frame, self._locate(frame.bgr), before)
        self.course.see(view)
        if self._lock is not None and self._locked is None and self._is_bare_known:
            self._locked = self._lock_now(view)
        return view

    def findings(self) -> tuple[TableFinding, ...]:
        """What was found. Ends the check."""
        found = judge(self.course.finish())
        return found if self._locked is None else (*found, self._locked)

    @property
    def unseen(self) -> tuple[Act, ...]:
        """What was asked, and was not seen."""
        ends = self.course.evidence.ends
        return tuple(act for act in Act if act in ends and ends[act] is not End.SEEN)

    @property
    def _is_bare_known(self) -> bool:
        return Act.EMPTY in self.course.evidence.ends

    def _lock_now(self, view: View) -> TableFinding:
        assert self._lock is not None
        found = judge(self.course.evidence)
        if any(each.topic == "light" and each.state is Verdict.BAD for each in found):
            return TableFinding(TOPIC, "light", Verdict.WARN, 0, len(KINDS))
        return self._lock(view.bgr)


def locker(controls: Controls | None, folder: Path, camera: str) -> Lock:
    """Locks a camera's controls and stores them with its calibration, as `calibrate light`."""

    def lock(picture: Image) -> TableFinding:
        if controls is None:
            return TableFinding(TOPIC, "none", Verdict.WARN, 0, len(KINDS))
        try:
            height, width = picture.shape[:2]
            old = store.load_or_new(folder, camera, width, height)
            locked, _ = light.lock(controls, picture, old, folder)
        except FairdealError as error:
            return refused(error)
        return locked_finding(dict(locked.controls))

    return lock


def locked_finding(controls: Mapping[str, float]) -> TableFinding:
    """Which of exposure, colour and focus these controls hold."""
    missing = not_held(controls)
    held = len(KINDS) - len(missing)
    if not held:
        return TableFinding(TOPIC, "none", Verdict.WARN, 0, len(KINDS))
    if missing:
        return TableFinding(TOPIC, "some", Verdict.WARN, held, len(KINDS), missing)
    return TableFinding(TOPIC, "good", Verdict.GOOD, held, len(KINDS))


def refused(error: FairdealError) -> TableFinding:
    """The camera's controls could not be set."""
    return TableFinding(TOPIC, "refused", Verdict.WARN, 0, len(KINDS), (str(error),))
