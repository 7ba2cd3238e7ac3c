"""What the cards of one photograph tell of each other: which touch, whose corners are unlike."""

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from calibration.deck.ends import Asked, End, Taken
from calibration.deck.sheets import CutCard
from calibration.deck.teach import TeachingPicture
from calibration.deck.verdicts import OWN_EDGES
from rules.errors import FairdealError
from vision.geometry import Quad

Points = npt.NDArray[np.float32]
Matrix = npt.NDArray[np.float64]

TOUCH = 0.012  # of a card's size: two outlines this near touch
FEWEST = 4  # rectangles that tell the shape of the others
UNLIKE = 0.02  # of a card's length: a corner this far from where the other cards have it
CONFIRMING = 4  # taken rectangles that confirm a doubtful one
ALIKE = 0.012  # of a card's length: a card this near to the others' shape is one of them
ROUNDS = 8  # of the plane's fit
SPREAD = 0.006  # of a card's length: misfits beyond count less
STEP, DAMPING = 1e-4, 1e-3  # of its derivatives; of its parameters


def checked(cuts: Sequence[CutCard], ends: Sequence[End]) -> list[End]:
    """The ends (N,) of one sheet's cuts (N,). Taken cards that touch another one, or whose corners
    differ from the other cards', are asked. Cards whose corners only the other pictures' art could
    not confirm are taken, if they are of the others' size on their plane."""
    confirmed = _like(cuts, ends)
    ends = [_taken(end) if k in confirmed else end for k, end in enumerate(ends)]
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


def _taken(end: End) -> End:
    return end.accepted() if isinstance(end, Asked) else end


def _like(cuts: Sequence[CutCard], ends: Sequence[End]) -> set[int]:
    """The asked rectangles, doubtful for their edges alone, that the taken ones confirm."""
    taken = [k for k, end in enumerate(ends)
             if isinstance(end, Taken) and end.picture.outline is None]  # fmt: skip
    doubtful = [k for k, end in enumerate(ends) if _is_open(end)]
    if len(taken) < CONFIRMING:
        return set()
    confirmed = set()
    for k in doubtful:
        own = [*taken, k]
        off = np.abs(misfits(_quads([cuts[j] for j in own], [ends[j] for j in own]))).max(1)
        if off[-1] < ALIKE and np.median(off) < ALIKE:
            confirmed.add(k)
    return confirmed


def _is_open(end: End) -> bool:
    if not isinstance(end, Asked) or end.reason.found != OWN_EDGES or not end.proposals:
        return False
    return end.proposals[0].outline is None


def _quads(cuts: Sequence[CutCard], ends: Sequence[End]) -> Matrix:
    """The rectangles (N, 4, 2) px of the sheet, each from the card's upper left."""
    quads = [_standing(_outline(cut, end), cut.quad) for cut, end in zip(cuts, ends, strict=True)]
    return np.stack(quads).astype(np.float64)


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
    """The taken rectangles that are not of one size on one plane with the others."""
    own = [k for k, end in enumerate(ends)
           if isinstance(end, Taken) and end.picture.outline is None]  # fmt: skip
    if len(own) < FEWEST:
        return set()
    off = np.abs(misfits(_quads([cuts[k] for k in own], [ends[k] for k in own]))).max(1)
    return {k for k, far in zip(own, off, strict=True) if far > UNLIKE}


def misfits(quads: Matrix) -> Matrix:
    """How far quads (N, 4, 2) px differ from one rectangle that lies N times on a plane, in its
    lengths: width, height, shear, both parts of the skew, (N, 5).

    The plane's homography, up to a similarity, and the rectangle are fitted by least squares with
    Cauchy's weights: a quad with one wrong corner moves them little.
    """
    points = quads.reshape(-1, 2)
    flat = (quads - points.mean(0)) / max(1e-6, float(np.ptp(points, axis=0).max()))
    shapes = _shapes(flat)
    fit = np.array([0, 0, 0, 0, *np.median(shapes[:, :2], axis=0)])
    for _ in range(ROUNDS):
        left = _residuals(fit, flat)
        weights = 1 / np.sqrt(1 + (left / SPREAD) ** 2)
        steps = [(_residuals(fit + STEP * unit, flat) - left) / STEP for unit in np.eye(len(fit))]
        slopes = np.stack([(step * weights).ravel() for step in steps], 1)
        slopes = np.vstack([slopes, DAMPING * np.eye(len(fit))])
        wanted = np.append((left * weights).ravel(), np.zeros(len(fit)))
        fit = fit - np.linalg.lstsq(slopes, wanted, rcond=None)[0]
    return _residuals(fit, flat)


def _residuals(fit: Matrix, flat: Matrix) -> Matrix:
    """The misfits (N, 5) for a plane's perspective (2), its stretch (2), and the rectangle's
    logarithms of width and height (2)."""
    depth = 1 + flat @ fit[:2]
    x, y = flat[..., 0] / depth, flat[..., 1] / depth
    shapes = _shapes(np.stack([x + fit[2] * y, (1 + fit[3]) * y], -1))
    width, height = np.exp(fit[4:])
    shapes[:, :2] -= fit[4:]
    shapes[:, :3] *= np.array([width, height, height]) / max(width, height)
    return shapes


def _standing(quad: Quad, like: Quad) -> Quad:
    """The quad, begun at the corner nearest to the first one of another quad."""
    starts = [np.roll(quad, -k, axis=0) for k in range(4)]
    return min(starts, key=lambda one: float(np.linalg.norm(one - like)))


def _shapes(quads: Matrix) -> Matrix:
    """Of quads (N, 4, 2) the logarithms of width and height, the shear in radians, and both parts
    of the skew, in lengths of the quad, as far as it moves a corner, (N, 5)."""
    a, b, c, d = np.moveaxis(quads, 1, 0)
    across, down, skew = (b - a + c - d) / 2, (d - a + c - b) / 2, a - b + c - d
    width, height = np.linalg.norm(across, axis=1), np.linalg.norm(down, axis=1)
    along = across / width[:, None]
    normal = np.stack([-along[:, 1], along[:, 0]], 1)
    length = np.maximum(width, height)
    shear = np.arctan2((down * along).sum(1), (down * normal).sum(1))
    parts = [(skew * axis).sum(1) / length for axis in (along, normal)]
    return np.stack([np.log(width), np.log(height), shear, *parts], 1)


def _distance(one: Points, other: Points) -> float:
    """The least distance in px of two closed outlines; 0 where they overlap."""
    apart = [
        -cv2.pointPolygonTest(outline.astype(np.float32), (float(x), float(y)), True)
        for outline, points in ((one, other), (other, one)) for x, y in points
    ]  # fmt: skip
    return max(0.0, float(min(apart)))
