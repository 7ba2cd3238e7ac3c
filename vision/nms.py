"""Non-maximum suppression of quads, so that each card is found once."""

from __future__ import annotations

from dataclasses import dataclass
from math import dist

import cv2
import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class SameCard:
    """IoU, 0 to 1, from which two quads are one card. A higher limit keeps more duplicates."""

    box: float = 0.5  # two boxes of the locator; two cards half over each other share a third
    at_one_size: float = 0.7  # likewise, at one size of the input; cards of a fan share two thirds
    start: float = 0.9  # two corner searches about one box that ended alike
    closeup: float = 0.85  # two finds in a teaching picture, where parts compete with wholes
    pose: float = 0.8  # two poses from keypoints
    coarse_pose: float = 0.7  # two poses on the coarse grid of masked correlation
    recognised: float = 0.75  # a recognised card and a pose that a search proposes
    named: float = 0.75  # two named cards of different faces; cards in a pile share much
    same_face: float = 0.65  # two named cards of one face, less likely in one pile
    unnamed: float = 0.6  # an unnamed card and any other
    doubtful: float = 0.6  # two named cards from here to `recognised`: the less sure is verified


@dataclass(frozen=True, slots=True)
class PartOfCard:
    """When a box is only a part of a larger one."""

    inside: float = 0.75  # share of its area inside the larger box; higher keeps more parts
    larger: float = 1.2  # how many times as large the other box must be


SAME_CARD = SameCard()
PART_OF_CARD = PartOfCard()


def suppress(
    quads: npt.NDArray[np.float32],
    limit: float | npt.NDArray[np.float64],
    part: PartOfCard | None = None,
    most: int | None = None,
) -> npt.NDArray[np.intp]:
    """Indices of the quads (N, 4, 2), best first, that no better one suppresses; `most` at most.

    `limit`: the IoU above which a better quad suppresses another one, 0.5 or more; for all pairs,
    or for each pair (N, N). With `part`, a quad inside a larger, better one is suppressed too.
    """
    limits = np.broadcast_to(limit, (len(quads), len(quads)))
    quads = quads.astype(np.float32)
    middles = quads.mean(1)
    # Plain numbers: a dozen kept quads are passed faster than an array of them is made.
    reach = np.linalg.norm(quads - middles[:, None], axis=2).max(1, initial=0).tolist()
    centres = middles.tolist()
    areas = [cv2.contourArea(q) for q in quads]

    def is_suppressed(j: int, i: int) -> bool:
        shared = cv2.intersectConvexConvex(quads[j], quads[i])[0]
        is_part = (
            part is not None
            and shared > part.inside * areas[j]
            and areas[i] > part.larger * areas[j]
        )
        return is_part or bool(shared > limits[j, i] * (areas[i] + areas[j] - shared))

    kept: list[int] = []
    for j in range(len(quads)):
        near = (i for i in kept if dist(centres[i], centres[j]) <= 0.5 * (reach[i] + reach[j]))
        if not any(is_suppressed(j, i) for i in near):
            kept.append(j)
            if len(kept) == most:
                break
    return np.array(kept, np.intp)
