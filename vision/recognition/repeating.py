"""Backs whose pattern repeats: such a back also fits astride two cards, shifted by a period.

Its picture is compared again at all places up to half a card away. The card lies where its
picture fits best: there no gap, no table and no neighbour's edge is seen.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from models.crop import crop_to_corners, rectangle
from models.gallery import BACK
from vision.geometry import Quad, mapped, overlap
from vision.matching import template_match
from vision.matching.keypoints import Pose
from vision.matching.template_match import HEIGHT, WIDTH
from vision.recognition.naming_limits import LIMITS as NAMING
from vision.recognition.recognised import Recognised
from vision.recognition.recogniser import Recogniser


@dataclass(frozen=True, slots=True)
class RepeatLimits:
    """Correlations -1..1, shares of a card, and a probability; chosen on drawn grids."""

    repeats: float = 0.6  # of a back with itself, shifted, from which its pattern repeats
    shortest: float = 0.03  # shift; a picture matches itself at less
    longest: float = 0.4  # shift; more compares too little of a back
    reach: float = 0.6  # how far away a back is compared; a neighbour lies further
    same: float = 0.06  # shift that registration may leave
    gain: float = 0.03  # of the correlation at a better place
    outlined: float = 0.5  # probability of corners from which a back's place is not doubted
    covered: float = 0.25  # share of a back under known cards from which its place is not known


LIMITS = RepeatLimits()
CORNERS = rectangle(WIDTH, HEIGHT)
ACROSS, DOWN = (round(LIMITS.reach * side) for side in (WIDTH, HEIGHT))  # px of a template
PAD = max(ACROSS, DOWN)


class RepeatingBacks:
    """The backs of one deck whose pattern repeats, if there are any."""

    def __init__(self, faces: Sequence[str], templates: Sequence[np.ndarray]) -> None:
        """`templates`: K normalised ones (HEIGHT, WIDTH, 3), of these faces."""
        sums = [template_match.summed(one) for face, one in zip(faces, templates, strict=True)
                if face == BACK]  # fmt: skip
        repeating = [one for one in sums if repeats(one)]
        self._sums = [each for one in repeating for each in (one, cv2.rotate(one, cv2.ROTATE_180))]

    def __bool__(self) -> bool:
        return bool(self._sums)

    def better_place(self, bgr: np.ndarray, quad: Quad) -> Quad | None:
        """Where (4, 2) a back at `quad` (4, 2) fits better in the frame (H, W, 3); None if it does
        not, or if no back repeats."""
        if not self._sums:
            return None
        wide = template_match.normalised(crop_to_corners(bgr, quad, WIDTH, HEIGHT, PAD))
        around = template_match.summed(wide)[PAD - DOWN : PAD + DOWN + HEIGHT,
                                             PAD - ACROSS : PAD + ACROSS + WIDTH]  # fmt: skip
        maps = [cv2.matchTemplate(around, one, cv2.TM_CCOEFF_NORMED) for one in self._sums]
        scores = np.max(maps, axis=0)
        rows, columns = np.ogrid[-DOWN : DOWN + 1, -ACROSS : ACROSS + 1]
        is_same = (abs(rows) <= LIMITS.same * HEIGHT) & (abs(columns) <= LIMITS.same * WIDTH)
        own = float(scores[is_same].max())
        scores[is_same] = -1.0
        row, column = np.unravel_index(int(scores.argmax()), scores.shape)
        if float(scores[row, column]) < own + LIMITS.gain:
            return None
        shift = np.array([column - ACROSS, row - DOWN], np.float32)
        to = cv2.getPerspectiveTransform(CORNERS, quad.astype(np.float32))
        return mapped(CORNERS + shift, to)


class BackPlaces:
    """Where the backs of one deck lie whose pattern repeats."""

    def __init__(self, recogniser: Recogniser) -> None:
        self._recogniser = recogniser
        self._backs = RepeatingBacks(recogniser.faces, recogniser.templates)

    def best_placed(
        self, bgr: np.ndarray, card: Recognised, known: Sequence[Recognised]
    ) -> Recognised | None:
        """The card; a back whose pattern repeats, and whose outline is not seen, where its picture
        fits best. None if it matches poorly there, or if cards that are `known` cover a part of it:
        it then fits at several places."""
        if not self._backs or card.face != BACK or card.evidence.corners >= LIMITS.outlined:
            return card
        place = self._backs.better_place(bgr, card.quad)
        if place is not None:
            pose = Pose(self._recogniser.faces.index(BACK), place, card.evidence.inliers)
            card = self._recogniser.recognise_pose(bgr, pose)
            if card.evidence.correlation < NAMING.correlation:
                return None
        is_covered = any(overlap(card.quad, one.quad) >= LIMITS.covered for one in known)
        return None if is_covered else card


def repeats(template: np.ndarray) -> bool:
    """Whether the summed template (HEIGHT, WIDTH) of a card fits itself at a short shift."""
    across, down = (round(LIMITS.longest * side) for side in (WIDTH, HEIGHT))
    inner = template[down:-down, across:-across]
    scores = cv2.matchTemplate(template, inner, cv2.TM_CCOEFF_NORMED)
    rows, columns = np.ogrid[-down : down + 1, -across : across + 1]
    is_near = (abs(rows) < LIMITS.shortest * HEIGHT) & (abs(columns) < LIMITS.shortest * WIDTH)
    return bool(scores[~is_near].max() >= LIMITS.repeats)
