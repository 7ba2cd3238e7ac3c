"""Tells a second card beside or below the one that is taught, where both pass for one thing."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.deck.proposals import CLOSE, EDGE, around, edge_contrast
from calibration.deck.segmentation import Image, Points
from calibration.deck.teach import TeachingPicture
from vision import geometry
from vision.geometry import Quad
from vision.networks.locator import standing
from vision.sightings import Located


@dataclass(frozen=True, slots=True)
class SecondCardSettings:
    """Areas are in areas of the taught card, lengths in its size, the root of that area."""

    oblong: float = 1.12  # aspect from which a card stands or lies
    agree: float = 0.75  # share of the pictures that stand as most do
    score: float = 0.5  # least score of a card within a pair
    pair_score: float = 0.8  # least score of a pair
    within: float = 0.93  # share of a card in its pair
    part: tuple[float, float] = (0.3, 0.8)  # area of a card in the pair that was taken for a card
    pair: tuple[float, float] = (1.25, 2.3)  # area of a pair around the taught card
    alike: float = 0.13  # log ratio of aspects up to which a part has the deck's shape
    unlike: float = 0.2  # the same from which a pair has not
    beside: tuple[float, float] = (0.45, 2.2)  # area of another card
    apart: float = 0.05  # share of another card that may lie on the taught one
    sure_edges: float = 0.92  # share of its sides on edges
    aside: float = 0.1  # distance between the centres of a pair and its card
    edges: float = 0.85  # share of its sides on edges
    near: float = 0.04  # distance of two outlines that run together
    common: float = 0.35  # least share of a pair's outline along the card's


SETTINGS = SecondCardSettings()


@dataclass(frozen=True, slots=True)
class DeckPose:
    """Aspect (height / width) of a deck's cards and whether most pictures show them standing."""

    aspect: float
    is_standing: bool


def usual_pose(pictures: Sequence[TeachingPicture]) -> DeckPose | None:
    """How most of the pictures show the deck's cards; None if they differ or are square."""
    if not pictures:
        return None
    aspect = float(np.median([geometry.aspect(standing(one.quad)) for one in pictures]))
    stands = float(np.mean([_stands(one.quad) for one in pictures]))
    if aspect < SETTINGS.oblong or max(stands, 1 - stands) < SETTINGS.agree:
        return None
    return DeckPose(aspect, stands > 0.5)


def is_pair(bgr: Image, quad: Quad, located: Located, pose: DeckPose) -> bool:
    """Whether the quad (4, 2) px is two cards side by side, or one of two.

    A pair of upright cards may have the shape of one that lies. Then one of them stands in it as
    the deck's other cards do.
    """
    found = [(standing(np.asarray(other, np.float32)), float(score))
             for other, score in zip(located.quads, located.scores, strict=True)]  # fmt: skip
    if any(score >= SETTINGS.pair_score and _is_beside(bgr, other, quad, pose)
           for other, score in found):  # fmt: skip
        return True
    is_turned = _stands(quad) != pose.is_standing
    if is_turned and any(
        score >= SETTINGS.score and _is_card_in(bgr, other, quad, pose) for other, score in found
    ):
        return True
    return not is_turned and any(
        score >= SETTINGS.pair_score and _is_pair_around(bgr, other, quad, pose)
        for other, score in found
    )


def _is_beside(bgr: Image, other: Quad, quad: Quad, pose: DeckPose) -> bool:
    """Whether another card of the deck's shape lies apart from the taught one."""
    share = geometry.area(other) / geometry.area(quad)
    if not SETTINGS.beside[0] < share < SETTINGS.beside[1]:
        return False
    is_apart = geometry.overlap(other, quad) < SETTINGS.apart
    has_shape = abs(float(np.log(geometry.aspect(other) / pose.aspect))) < SETTINGS.unlike
    return is_apart and has_shape and _edges(bgr, other) > SETTINGS.sure_edges


def _is_card_in(bgr: Image, part: Quad, pair: Quad, pose: DeckPose) -> bool:
    share = geometry.area(part) / geometry.area(pair)
    if not SETTINGS.part[0] < share < SETTINGS.part[1] or _stands(part) != pose.is_standing:
        return False
    is_inside = geometry.overlap(part, pair) > SETTINGS.within
    size = float(np.sqrt(geometry.area(pair)))
    is_aside = float(np.linalg.norm(part.mean(0) - pair.mean(0))) > SETTINGS.aside * size
    has_shape = abs(float(np.log(geometry.aspect(part) / pose.aspect))) < SETTINGS.alike
    return is_inside and is_aside and has_shape and _edges(bgr, part) > SETTINGS.edges


def _is_pair_around(bgr: Image, pair: Quad, quad: Quad, pose: DeckPose) -> bool:
    share = geometry.area(pair) / geometry.area(quad)
    if not SETTINGS.pair[0] < share < SETTINGS.pair[1]:
        return False
    is_around = geometry.overlap(quad, pair) > SETTINGS.within
    is_other = abs(float(np.log(geometry.aspect(pair) / pose.aspect))) > SETTINGS.unlike
    is_other |= _stands(pair) != pose.is_standing
    along = _common(around(pair), around(quad), SETTINGS.near * geometry.area(quad) ** 0.5)
    is_common = along > SETTINGS.common
    return is_around and is_other and is_common and _edges(bgr, pair) > SETTINGS.edges


def _stands(quad: Quad) -> bool:
    """Whether the longer sides are nearer to the vertical than to the horizontal."""
    tall = standing(quad)
    along = np.abs((tall[3] - tall[0]) + (tall[2] - tall[1]))
    return bool(along[1] >= along[0])


def _edges(bgr: Image, quad: Quad) -> float:
    """Share of the quad's sides on sharp edges, 0..1."""
    return float((edge_contrast(bgr, around(quad), CLOSE) > EDGE).mean())


def _common(outline: Points, other: Points, near: float) -> float:
    """Share of a closed outline (N, 2) px within `near` px of another."""
    closed = np.ascontiguousarray(other, np.float32)
    away = [abs(cv2.pointPolygonTest(closed, (float(x), float(y)), True)) for x, y in outline]
    return float((np.array(away) < near).mean())
