"""Finds the card of a doubtful picture where the deck's sure pictures register on it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.deck.corner_consensus import crop_of, largest, moved, off, vote
from calibration.deck.edge_fit import EdgeFit
from calibration.deck.rectangle_fit import fit_rectangle
from calibration.deck.teach import TeachingPicture, upright
from vision import geometry
from vision.frame import Image
from vision.geometry import Quad
from vision.matching.template_match import PAD, correlation
from vision.networks.locator import standing

FEWEST = 5  # sure pictures that define a deck
TRIED = 6  # quads of a picture
NEIGHBOURS = 6  # sure pictures, most similar first, that are registered at each quad
VOTES = 2  # of these that must agree
NEAR = 0.02  # of the template's height: corners that agree
ASPECT = 0.03  # log units by which the card's aspect may differ from the deck's
CONFIRMED = 0.8  # share of the sides on edges
# Where no sure picture registers:
SAME_ASPECT = 0.02  # log units by which the aspect may differ then
ON_EDGES = 0.95  # share of the sides on edges
LIKE = 0.3  # correlation with the most similar sure pictures
LIKER = 1.5  # times that of the picture's other quads
SAME = 0.85  # IoU from which two quads are one place


@dataclass(frozen=True, slots=True, eq=False)
class SureDeck:
    """What the sure pictures of a deck show: looks (N, HEIGHT, WIDTH, 3), both ways up, and the
    usual aspect."""

    looks: tuple[np.ndarray, ...]
    aspect: float

    @classmethod
    def of(cls, pictures: Sequence[TeachingPicture]) -> "SureDeck | None":
        """None for too few pictures, and for cards that are no rectangles."""
        if len(pictures) < FEWEST or any(one.outline is not None for one in pictures):
            return None
        looks = [crop_of(one)[PAD:-PAD, PAD:-PAD] for one in pictures]
        looks += [np.ascontiguousarray(look[::-1, ::-1]) for look in looks]
        aspects = [geometry.aspect(standing(one.quad)) for one in pictures]
        return cls(tuple(looks), float(np.median(aspects)))


def confirmed(
    face: str, bgr: Image, quads: Sequence[Quad], deck: SureDeck
) -> TeachingPicture | None:
    """The picture (H, W, 3) of a face, its card at one of the `quads` (4, 2) or near it, where sure
    pictures register. Where none does, as for the only king: at the one quad of the deck's shape
    that is more like the sure pictures than all others. None if it is at neither, or at two
    places."""
    starts = [upright(quad, deck.aspect) for quad in quads[:TRIED]]
    fits = [fit_rectangle(TeachingPicture(face, bgr, quad)) for quad in starts]
    registered = [one for start, _ in fits if (one := _registered(start, deck)) is not None]
    if not registered:
        return _likest(fits, deck)
    best = max(registered, key=lambda one: one[0])[1]
    is_only = all(geometry.iou(best.quad, one.quad) >= SAME for _, one in registered)
    return best if is_only else None


def _registered(picture: TeachingPicture, deck: SureDeck) -> tuple[float, TeachingPicture] | None:
    """How well sure pictures fit, and the picture where they agree on its corners."""
    votes = _votes(picture, deck)
    if len(votes) < VOTES:
        return None
    move = np.median([move for _, move in votes], axis=0)
    if largest(move) > NEAR:
        picture = fit_rectangle(replace(picture, quad=moved(picture.quad, move)))[0]
        votes = _votes(picture, deck)
    near = [fit for fit, move in votes if largest(move) <= NEAR]
    is_card = len(near) >= VOTES and off(picture.quad, deck.aspect) <= ASPECT
    is_on_edges = is_card and fit_rectangle(picture)[1].share >= CONFIRMED
    return (float(np.mean(near)), picture) if is_on_edges else None


def _likest(
    fits: Sequence[tuple[TeachingPicture, EdgeFit]], deck: SureDeck
) -> TeachingPicture | None:
    """The one picture whose sides lie on edges, of the deck's shape, and much liker the sure ones
    than the others."""
    likeness = np.array([_likeness(picture, deck) for picture, _ in fits])
    if not len(likeness):
        return None
    best = int(likeness.argmax())
    picture, fit = fits[best]
    is_card = off(picture.quad, deck.aspect) <= SAME_ASPECT and fit.share >= ON_EDGES
    elsewhere = [
        alike
        for alike, (one, _) in zip(likeness, fits, strict=True)
        if geometry.iou(one.quad, picture.quad) < SAME
    ]
    is_alone = likeness[best] >= LIKE and likeness[best] >= LIKER * max(elsewhere, default=0.0)
    return picture if is_card and is_alone else None


def _likeness(picture: TeachingPicture, deck: SureDeck) -> float:
    """The mean correlation with the VOTES sure pictures that are most similar."""
    inner = crop_of(picture)[PAD:-PAD, PAD:-PAD]
    alike = sorted((correlation(inner, look) for look in deck.looks), reverse=True)
    return float(np.mean(alike[:VOTES]))


def _votes(picture: TeachingPicture, deck: SureDeck) -> list[tuple[float, np.ndarray]]:
    """The fit and the corners' move (4, 2) px of a template, of each sure picture that registers
    and agrees with another one."""
    crop = crop_of(picture)
    inner = crop[PAD:-PAD, PAD:-PAD]
    nearest = sorted(deck.looks, key=lambda look: -correlation(inner, look))[:NEIGHBOURS]
    told = [one for look in nearest if (one := vote(crop, look)) is not None]
    moves = [move for _, _, move in told]
    return [
        (fit, move)
        for _, fit, move in told
        if sum(largest(move - one) < NEAR for one in moves) >= VOTES
    ]
