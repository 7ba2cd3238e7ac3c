"""Whether a lying card was nudged: what shows of it matches its picture after a small motion."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Image
from vision.geometry import Mask


@dataclass(frozen=True, slots=True)
class Nudge:
    """The motions that are tried, and when one explains what shows.

    `shrink`: a close picture's px per px that is compared; `shift`, `step`: such px, the nearest
    first; `degrees`: about the card's centre; `least`: px that must show; `drawn`: grey levels of
    deviation, below which the place is too plain to tell; `same`: correlation of colours, from
    which it is that card.
    """

    shrink: int = 2
    shift: int = 8
    step: int = 2
    degrees: tuple[float, ...] = (0.0, -3.0, 3.0, -6.0, 6.0, -10.0, 10.0)
    least: int = 60
    drawn: float = 12.0
    same: float = 0.8


NUDGE = Nudge()


def matches_nudged(before: Image, now: Image, card: Mask, others: Mask, free: Mask) -> bool:
    """Whether a card looks as in its picture `before` (h, w, 3), moved by a nudge.

    `now`: the same view in this frame; `card` (h, w): the card's own pixels in `before`; `others`:
    cards that lay on it and may have moved with it; `free`: what nothing else hides now.
    """
    k = NUDGE.shrink
    size = before.shape[1] // k, before.shape[0] // k
    then, seen = (cv2.resize(one, size, interpolation=cv2.INTER_AREA) for one in (before, now))
    own, open_ = (card & ~others)[::k, ::k], (free & ~others)[::k, ::k]
    own, open_ = (np.ascontiguousarray(part[: size[1], : size[0]]) for part in (own, open_))
    return any(
        _match(np.asarray(then, np.uint8), np.asarray(seen, np.uint8), own, open_, motion)
        >= NUDGE.same
        for motion in _motions(*size)
    )


def _motions(width: int, height: int) -> Iterator[npt.NDArray[np.float64]]:
    """Rotations about the picture's centre with shifts, (2, 3) each; the smallest shift first."""
    steps = range(-NUDGE.shift, NUDGE.shift + 1, NUDGE.step)
    for dx, dy in sorted(product(steps, steps), key=lambda shift: np.hypot(*shift)):
        for degrees in NUDGE.degrees:
            motion = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1.0)
            motion[:, 2] += dx, dy
            yield np.asarray(motion, np.float64)


def _match(
    before: Image, now: Image, own: Mask, free: Mask, motion: npt.NDArray[np.float64]
) -> float:
    """The correlation of the moved picture with this frame where both show the card."""
    size = before.shape[1::-1]
    place = cv2.warpAffine(own.view(np.uint8), motion, size, flags=cv2.INTER_NEAREST).view(bool)
    place &= free
    if np.count_nonzero(place) < NUDGE.least:
        return 0.0
    then = cv2.warpAffine(before, motion, size)[place].astype(np.float32)
    seen = now[place].astype(np.float32)
    if min(then.mean(axis=1).std(), seen.mean(axis=1).std()) < NUDGE.drawn:
        return 0.0
    then, seen = then - then.mean(), seen - seen.mean()
    return float((then * seen).sum() / np.sqrt((then * then).sum() * (seen * seen).sum()))
