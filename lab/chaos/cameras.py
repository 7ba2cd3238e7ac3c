"""Cameras whose driver fails in every way: each failure is a lost camera, and it comes back."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from random import Random

import numpy as np

from rules.errors import FairdealError
from vision.frame import Frame, Image
from vision.sources import live
from vision.sources.live import CameraLost, LiveSource
from vision.sources.source import Ended, Lost

RETRY_S = (0.05,) * 6  # pauses between tries: short, yet a busy machine sees each loss
ERRORS: tuple[type[Exception], ...] = (
    ValueError, RuntimeError, OSError, MemoryError, KeyError, CameraLost, TypeError,
)  # fmt: skip
AT = ("grab", "open", "close")


@dataclass(frozen=True, slots=True)
class CameraScore:
    """Of `trials` failures, how many were told as lost, and after how many pictures came again."""

    trials: int
    told: int
    came_back: int
    ended: int
    raised: tuple[str, ...]


class FailingCamera:
    """Fails once, at its third picture: there, when it is opened again, or when it is closed."""

    name = "failing"

    def __init__(self, error: type[Exception], where: str) -> None:
        self._error, self._where = error, where
        self._opened, self._grabbed, self._failed = 0, 0, False

    def open(self) -> None:
        """Fails at the second opening where that is wished."""
        self._opened += 1
        if self._where == "open" and self._opened == 2:
            raise self._error("open")

    def grab(self) -> tuple[Image, float]:
        """Grey noise; one failure after two pictures."""
        self._grabbed += 1
        time.sleep(0.002)
        if self._grabbed == 3 and not self._failed:
            self._failed = True
            raise CameraLost("grab") if self._where != "grab" else self._error("grab")
        noise = np.random.default_rng(self._grabbed).integers(0, 255, (8, 8, 3), np.uint8)
        return noise, 0.0

    def close(self) -> None:
        """Fails once after the loss where that is wished."""
        if self._where == "close" and self._failed and self._opened == 1:
            raise self._error("close")


def camera_trials(count: int, seed: int) -> CameraScore:
    """Random failures one after the other."""
    rng, told = Random(seed), Counter[str]()
    raised: list[str] = []
    before, live.PAUSES_S = live.PAUSES_S, RETRY_S
    try:
        for _ in range(count):
            error, where = rng.choice(ERRORS), rng.choice(AT)
            try:
                told.update(_trial(error, where))
            except Exception as fault:  # what reaches the loop is the result
                raised.append(f"{error.__name__} at {where}: {type(fault).__name__}: {fault}")
    finally:
        live.PAUSES_S = before
    return CameraScore(count, told["lost"], told["back"], told["ended"], tuple(raised))


def _trial(error: type[Exception], where: str) -> set[str]:
    """What the loop hears within a bound: `lost`, `back`, `ended`."""
    heard: set[str] = set()
    with LiveSource(FailingCamera(error, where)) as source:
        end = time.monotonic() + 5.0
        while time.monotonic() < end and "back" not in heard:
            try:
                seen = source.watch(0.005)
            except FairdealError:
                continue
            if isinstance(seen, Ended):
                heard.add("ended")
                break
            if isinstance(seen, Lost):
                heard.add("lost")
            elif isinstance(seen, Frame) and seen.number >= 4:
                heard.add("back")
    return heard
