"""The question of a doubtful picture: where its card may be, the likeliest outline first."""

import numpy as np

from calibration.deck.card_selection import DeckShape, likelihoods
from calibration.deck.ends import Asked
from calibration.deck.outline import LearntOutline
from calibration.deck.photographs import Photograph
from calibration.deck.proposals import fitted_quad
from calibration.deck.rectangle_fit import fit_rectangle
from calibration.deck.teach import TeachingPicture, upright
from rules.errors import FairdealError
from vision import geometry
from vision.geometry import Quad

MOST = 4  # proposals of a picture
SAME = 0.85  # IoU from which two quads are one proposal
SHARE = 0.02, 0.98  # of the picture's area that a proposal fills
SOLID = 0.8  # least solidity of a region that is proposed


def question(
    one: Photograph,
    best: TeachingPicture | None,
    shape: DeckShape,
    learnt: LearntOutline | None,
    reason: FairdealError,
) -> Asked:
    """Asks where the card is: at `best`, if that is known, or at another quad of the picture."""
    bgr = one.as_taken[..., :3]
    h, w = bgr.shape[:2]
    whole = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
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
