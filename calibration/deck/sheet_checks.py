"""What the cards of one photograph tell of each other: which touch, and whose corners are unlike."""

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from calibration.deck.ends import Asked, End, Taken
from calibration.deck.sheets import CutCard
from calibration.deck.teach import TeachingPicture
from rules.errors import FairdealError
from vision import geometry
from vision.geometry import Quad

Points = npt.NDArray[np.float32]
Matrix = npt.NDArray[np.float64]

TOUCH = 0.012  # of a card's size: two outlines this near touch
FEWEST = 4  # rectangles that tell the shape of the others
FIELD = 6  # rectangles from which the shape may change across the picture
UNLIKE = 0.018  # of a card's length: a corner this far from where the other cards have it
CORNER = 4.0  # a corner that is off moves the skew of its quad by this part of it


def checked(cuts: Sequence[CutCard], ends: Sequence[End]) -> list[End]:
    """The ends (N,) of one sheet's cuts (N,); taken cards that touch another one, or whose corners
    differ from the other cards', are asked."""
    outlines = [_outline(cut, end) for cut, end in zip(cuts, ends, strict=True)]
    unlike = _unlike(cuts, ends)
    found = []
    for k, (end, outline) in enumerate(zip(ends, outlines, strict=True)):
        near = TOUCH * float(np.sqrt(abs(cv2.contourArea(outline))))
        others = [one for j, one in enumerate(outlines) if j != k]
        if any(_distance(outline, one) <= near for one in others):
            end = _asked(end, "cards that lie apart", "two that touch", "lay them a finger apart")
        elif k in unlike:
            end = _asked(end, "the shape of the other cards", "another one", "look at its corners")
        found.append(end)
    return found


def _asked(end: End, *reason: str) -> End:
    if not isinstance(end, Taken):
        return end
    return Asked(end.name, end.face, end.picture.bgr, (end.picture,), FairdealError(*reason),
                 end.scale)  # fmt: skip


def _outline(cut: CutCard, end: End) -> Points:
    """The card's outline on its sheet, as far as it is known."""
    if isinstance(end, Taken):
        return cut.on_sheet(_rim(end.picture))
    if isinstance(end, Asked) and end.proposals:
        return cut.on_sheet(_rim(end.proposals[0]))
    return cut.quad


def _rim(picture: TeachingPicture) -> Points:
    return np.asarray(picture.quad if picture.outline is None else picture.outline, np.float32)


def _unlike(cuts: Sequence[CutCard], ends: Sequence[End]) -> set[int]:
    """The taken rectangles that have not the shape of the others, which changes linearly across
    the picture."""
    own = {k: cut.on_sheet(end.picture.quad)
           for k, (cut, end) in enumerate(zip(cuts, ends, strict=True))
           if isinstance(end, Taken) and end.picture.outline is None}  # fmt: skip
    if len(own) < FEWEST:
        return set()
    standing = {k: _standing(quad, cuts[k].quad) for k, quad in own.items()}
    shapes = np.stack([_shape(quad) for quad in standing.values()])
    centres = np.stack([geometry.centre(quad) for quad in own.values()]).astype(np.float64)
    off = np.abs(shapes - _smooth(shapes, centres)).max(1)
    return {k for k, far in zip(own, off, strict=True) if far > UNLIKE}


def _standing(quad: Quad, like: Quad) -> Quad:
    """The quad, begun at the corner nearest to the first one of another quad."""
    starts = [np.roll(quad, -k, axis=0) for k in range(4)]
    return min(starts, key=lambda one: float(np.linalg.norm(one - like)))


def _shape(quad: Quad) -> Matrix:
    """What a quad differs by from others of one card, in card lengths of a corner: width, height,
    shear, and both parts of its skew."""
    a, b, c, d = quad.astype(np.float64)
    across, down, skew = (b - a + c - d) / 2, (d - a + c - b) / 2, (a - b + c - d) / 4
    width, height = np.linalg.norm(across), np.linalg.norm(down)
    length = max(width, height)
    along = across / width
    normal = np.array([-along[1], along[0]])
    return np.array([
        np.log(width) * width / length, np.log(height) * height / length,
        np.arctan2(down @ along, down @ normal) * height / length,
        CORNER * (skew @ along) / length, CORNER * (skew @ normal) / length,
    ])  # fmt: skip


def _smooth(shapes: Matrix, centres: Matrix) -> Matrix:
    """The shapes (N, 5) as a robust linear fit over the cards' centres (N, 2) has them."""
    if len(shapes) < FIELD:
        return np.broadcast_to(np.median(shapes, axis=0), shapes.shape)
    away = (centres - centres.mean(0)) / max(1e-6, float(np.ptp(centres, axis=0).max()))
    at = np.column_stack([np.ones(len(away)), away])
    smooth = np.empty_like(shapes)
    for k, values in enumerate(shapes.T):
        weights = 1 / (1 + (np.abs(values - np.median(values)) / 0.02) ** 2)
        fit = np.zeros(3)
        for _ in range(5):
            fit = np.linalg.lstsq(at * weights[:, None], values * weights, rcond=None)[0]
            weights = 1 / (1 + ((values - at @ fit) / 0.008) ** 2)
        smooth[:, k] = at @ fit
    return smooth


def _distance(one: Points, other: Points) -> float:
    """The least distance in px of two closed outlines; 0 where they overlap."""
    apart = [
        -cv2.pointPolygonTest(outline.astype(np.float32), (float(x), float(y)), True)
        for outline, points in ((one, other), (other, one)) for x, y in points
    ]  # fmt: skip
    return max(0.0, float(min(apart)))
