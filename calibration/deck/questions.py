"""The question of a doubtful picture: where its card may be, the likeliest outline first."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from calibration.deck.card_selection import DeckShape, likelihoods
from calibration.deck.ends import Asked, End
from calibration.deck.outline import LearntOutline
from calibration.deck.photographs import ART_ASPECTS, Photograph
from calibration.deck.proposals import fitted_quad
from calibration.deck.rectangle_fit import fit_rectangle
from calibration.deck.teach import TeachingPicture, upright
from models.crop import rectangle
from rules.errors import FairdealError
from vision import geometry
from vision.frame import Image
from vision.geometry import Quad

MOST = 4  # proposals of a picture
SAME = 0.85  # IoU from which two quads are one proposal
SHARE = 0.02, 0.98  # of the picture's area that a proposal fills
SOLID = 0.8  # least solidity of a region that is proposed
FEWEST_CUT = 3  # pictures that show by their common shape that they are cut to their cards,
ONE_SHAPE = 0.02  # if their heights / widths differ by no more


def question(
    one: Photograph,
    best: TeachingPicture | None,
    shape: DeckShape,
    learnt: LearntOutline | None,
    reason: FairdealError,
) -> Asked:
    """Asks where the card is: at `best`, if that is known, or at another quad of the picture."""
    bgr = one.as_taken[..., :3]
    whole = rectangle(*bgr.shape[1::-1])
    outlines = [] if best is None else [TeachingPicture(one.face, bgr, best.quad, best.outline)]
    for quad in (*ranked_quads(one, shape), whole):
        is_new = all(geometry.iou(quad, known.quad) < SAME for known in outlines)
        if is_new and len(outlines) < MOST and (quad is not whole or not outlines):
            plain = TeachingPicture(one.face, bgr, upright(quad, shape.aspect))
            fitted = plain if quad is whole else fit_rectangle(plain)[0]
            outlines.append(fitted if learnt is None else learnt.laid_on(fitted))
    return Asked(one.name or one.face, one.face, bgr, tuple(outlines), reason, one.scale)


def ranked_quads(one: Photograph, shape: DeckShape) -> list[Quad]:
    """The picture's quads that may be a card, whatever their score, the likeliest first."""
    area = float(np.prod(one.bgr.shape[:2]))
    quads: list[Quad] = []
    if one.located is not None and len(one.located.quads):
        chances = likelihoods(one.located, shape, one.bgr.shape)
        quads = [one.located.quads[k] for k in np.argsort(-chances, kind="stable")]
    quads += [fitted_quad(region) for region in one.regions if region.solidity >= SOLID]
    return [quad for quad in quads if SHARE[0] < geometry.area(quad) / area < SHARE[1]]


def with_whole_first(
    photographs: Sequence[Photograph], ends: Sequence[End], shape: DeckShape
) -> list[End]:
    """The ends; where most pictures of a deck are asked, and all have the one shape of a card, they
    may be cut to their cards: each asked one proposes the whole picture first."""
    asked = [end for end in ends if isinstance(end, Asked)]
    are_files = len({one.path for one in photographs}) == len(photographs)  # no rows of a sheet
    if not are_files or not _are_cut([end.bgr for end in asked], len(ends)):
        return list(ends)
    return [_whole_first(end, shape) if isinstance(end, Asked) else end for end in ends]


def _are_cut(pictures: Sequence[Image], count: int) -> bool:
    shapes = [max(bgr.shape[:2]) / min(bgr.shape[:2]) for bgr in pictures]
    if len(shapes) < FEWEST_CUT or 2 * len(shapes) <= count:
        return False
    is_one = max(shapes) / min(shapes) < 1 + ONE_SHAPE
    return is_one and ART_ASPECTS[0] < min(shapes) and max(shapes) < ART_ASPECTS[1]


def _whole_first(end: Asked, shape: DeckShape) -> Asked:
    quad = upright(rectangle(*end.bgr.shape[1::-1]), shape.aspect)
    first = TeachingPicture(end.face, end.bgr, quad)
    others = [one for one in end.proposals if geometry.iou(one.quad, quad) < SAME]
    return replace(end, proposals=(first, *others[: MOST - 1]))
