"""Learns the outline of a deck's cards from its teaching pictures: rectangles, rounds, any cut."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from calibration.deck.edge_fit import (
    SETTINGS,
    EdgeFit,
    edge_offsets,
    mapped,
    moved,
    resampled,
    soft_picture,
)
from calibration.deck.outline_shapes import (
    CIRCLE,
    SAME_CUT,
    Consensus,
    Shape,
    consensus,
    radii_of,
    rotation,
    rotations,
    shape_of,
)
from calibration.deck.outline_starts import CONFIRMED, best_fit, likely_starts, retried, usual_fit
from calibration.deck.proposals import fitted_quad, outline_iou, refined_contour
from calibration.deck.rectangle_fit import fit_rectangle
from calibration.deck.segmentation import Image, Points, Region, segment
from calibration.deck.teach import TeachingPicture, common_outline
from vision.geometry import Quad

Matrix = npt.NDArray[np.float64]

SOLID = 0.75  # least solidity of a region that may be a card
CUT_OFF = 0.02  # share of its contour on the picture's edge
CARD_SIZE = 0.45  # of the picture's shorter side: a card, to suppress noise before it is known
ROUNDS = 4  # of fits, each after an update of the common outline
MEASURED = (0.03, 0.02, 0.012)  # of the size: reaches of the correction after each round
CLEAR = 0.05  # least weight of an edge that corrects the common outline
FEEBLE = 0.35  # of the deck's median contrast, below which the card is not found
STRETCHED = 1.35  # ratio of axes against the deck's outline that no tilt explains
SIZES = 0.5, 2.0  # area of another card in the picture, in areas of the card
OVERLAP = 0.1  # IoU with the card up to which a like region is another card
RECTANGLE = 0.965  # IoU of the outline with its four sides from which it is a rectangle
LEAN = 5.0  # degrees by which the deck's upright may be corrected by its own box
LEANING = 0.01  # of the box's area that a degree must save: people photograph upright


@dataclass(frozen=True, slots=True, eq=False)
class LearntOutline:
    """The outline that the pictures share: `polygon` (N, 2) about the origin and its reference
    rectangle `box` (4, 2). `fits`: where it lies in each picture, None where it is not found.
    `others`: how many more cards of that outline each picture shows."""

    polygon: Matrix
    box: Matrix
    fits: tuple[EdgeFit | None, ...]
    others: tuple[int, ...]

    @property
    def is_rectangle(self) -> bool:
        """Whether the outline is a rectangle, its corners rounded or not. All cards of one
        photograph share its perspective: then a rectangle's outline has four straight sides."""
        polygon = self.polygon.astype(np.float32)
        area = abs(float(cv2.contourArea(polygon)))
        quad = fitted_quad(Region(polygon, area, 0.0, 1.0))
        return outline_iou(polygon, quad) >= RECTANGLE

    @property
    def contrast(self) -> float:
        """Median ΔE across the outline over all pictures."""
        return float(np.median([0.0 if fit is None else fit.contrast for fit in self.fits]))

    def placed(self, k: int, picture: TeachingPicture) -> TeachingPicture | None:
        """The picture `k` with its quad and outline; None if the outline is not found in it."""
        fit = self.fits[k]
        if fit is None:
            return None
        quad = mapped(fit.to, self.box).astype(np.float32)
        return replace(picture, quad=quad, outline=fit.points.astype(np.float32))

    def laid_on(self, picture: TeachingPicture) -> TeachingPicture:
        """The picture with the outline in the quad that it has already."""
        to = cv2.getPerspectiveTransform(
            self.box.astype(np.float32), picture.quad.astype(np.float32)
        )
        outline = mapped(np.asarray(to, np.float64), self.polygon)
        return replace(picture, outline=outline.astype(np.float32))


def learn_outline(
    pictures: Sequence[Image],
    regions: Sequence[Sequence[Region]],
    quads: Sequence[Sequence[Quad]] | None = None,
) -> LearntOutline | None:
    """The outline that most pictures share, from the segmentation of each (H, W, 3) uint8.

    The regions' contours vote on it. Then it is laid on the edges of each picture, and the median
    of what is left over corrects it. None if the pictures share no outline. `quads`: further
    places (4, 2) px where each picture's card may be.
    """
    shapes = [_shapes(bgr, own) for bgr, own in zip(pictures, regions, strict=True)]
    die = consensus(shapes)
    if die is None:
        return None
    polygon = resampled(die.polygon)
    softs = [soft_picture(bgr, CARD_SIZE * min(bgr.shape[:2])) for bgr in pictures]
    starts = [likely_starts(die, k) for k in range(len(pictures))]
    fits: list[EdgeFit | None] = []
    for number in range(ROUNDS):
        reaches = SETTINGS.reaches if number == 0 else SETTINGS.reaches[2:]
        fits = [best_fit(*one, polygon, reaches) for one in zip(softs, starts, strict=True)]
        if all(fit is None for fit in fits):
            return None
        if number == ROUNDS - 2:
            usual = usual_fit(fits, softs)
            places = [()] * len(pictures) if quads is None else quads
            fits = [
                retried(*one, die, polygon, usual)
                for one in zip(fits, softs, shapes, places, strict=True)
            ]
        starts = [[] if fit is None else [fit.to] for fit in fits]
        if number < ROUNDS - 1:
            polygon = _corrected(polygon, softs, fits, MEASURED[number])
    contrast, _ = usual_fit(fits, softs)
    kept = [fit if fit is not None and _is_found(fit, contrast) else None for fit in fits]
    others = tuple(_others(*one, die) for one in zip(kept, shapes, strict=True))
    return LearntOutline(polygon, _reference(polygon), tuple(kept), others)


def with_outlines(
    pictures: list[TeachingPicture], regions: Sequence[Sequence[Region]] | None = None
) -> list[TeachingPicture]:
    """The pictures with quad and outline of one reference rectangle, if the deck's cards are no
    rectangles; else as they are. `regions`: each picture's segmentation, if that is known already.
    A picture in which the outline is not found stays without one."""
    found = [segment(one.bgr) for one in pictures] if regions is None else regions
    learnt = learn_outline([one.bgr for one in pictures], found)
    if learnt is None or not is_better(learnt, pictures):
        return pictures
    return [learnt.placed(k, picture) or picture for k, picture in enumerate(pictures)]


def is_better(learnt: LearntOutline, pictures: Sequence[TeachingPicture]) -> bool:
    """Whether the outline explains the edges better than the pictures' quads do."""
    if learnt.is_rectangle:
        return False
    quads = [fit_rectangle(picture)[1].contrast for picture in pictures]
    return not quads or learnt.contrast >= float(np.median(quads))


def deck_outline(pictures: list[TeachingPicture]) -> tuple[str, Points | None]:
    """`card`, `round` or `bubble`, and the outline (P, 2) in shares of the reference rectangle;
    None for a rectangle."""
    polygon = common_outline(pictures)
    if polygon is None:
        return "card", None
    radii = radii_of(polygon - 0.5)
    return ("round" if float(radii.std() / radii.mean()) < CIRCLE else "bubble"), polygon


def _shapes(bgr: Image, regions: Sequence[Region]) -> list[Shape]:
    usable = [one for one in regions if one.solidity >= SOLID and one.rim < CUT_OFF]
    return [shape_of(refined_contour(bgr, one.contour)) for one in usable]


def _corrected(
    polygon: Matrix,
    softs: Sequence[npt.NDArray[np.float32]],
    fits: Sequence[EdgeFit | None],
    reach: float,
) -> Matrix:
    """The common outline, moved by the median distance to the pictures' edges."""
    told = [edge_offsets(soft, polygon, fit.to, reach)
            for soft, fit in zip(softs, fits, strict=True) if fit is not None]  # fmt: skip
    offsets, weights = (np.stack(parts) for parts in zip(*told, strict=True))
    masked = np.ma.masked_array(offsets, weights < CLEAR)
    median = np.ma.median(masked, axis=0).filled(0.0)
    wide = np.concatenate([median[-1:], median, median[:1]])
    return resampled(moved(polygon, np.convolve(wide, np.array([1, 2, 1]) / 4, "valid")))


def _is_found(fit: EdgeFit, usual: float) -> bool:
    """Whether the outline lies on edges, and no more oblique than a hand-held camera sees it."""
    middle = fit.to @ np.array([0.0, 0.0, 1.0])
    slope = (fit.to[:2, :2] - np.outer(middle[:2], fit.to[2, :2]) / middle[2]) / middle[2]
    is_plain = float(np.linalg.cond(slope)) <= STRETCHED
    return is_plain and fit.share >= CONFIRMED and fit.contrast >= FEEBLE * usual


def _others(fit: EdgeFit | None, shapes: Sequence[Shape], die: Consensus) -> int:
    """Further regions of the die's shape and of similar size in the picture, of one place one."""
    if fit is None:
        return 0
    area = abs(float(cv2.contourArea(fit.points.astype(np.float32))))
    known = [fit.points.astype(np.float32)]
    for shape in shapes:
        share = abs(float(cv2.contourArea(shape.contour))) / area
        if not SIZES[0] < share < SIZES[1]:
            continue
        is_apart = all(outline_iou(shape.contour, one) < OVERLAP for one in known)
        if is_apart and rotations(shape.radii, die.radii)[1] <= SAME_CUT:
            known.append(shape.contour)
    return len(known) - 1


def _reference(polygon: Matrix) -> Matrix:
    """The box (4, 2) around the outline, in the rotation of least area up to LEAN degrees."""
    best, least = 0.0, np.inf
    for lean in np.arange(-LEAN, LEAN + 0.5, 0.5):
        turned = polygon @ rotation(np.radians(lean))
        area = float(np.prod(np.ptp(turned, axis=0))) * (1 + LEANING * abs(lean))
        if area < least:
            best, least = float(lean), area
    straight = polygon @ rotation(np.radians(best))
    low, high = straight.min(0), straight.max(0)
    box = np.array([low, [high[0], low[1]], high, [low[0], high[1]]])
    return box @ rotation(np.radians(best)).T
