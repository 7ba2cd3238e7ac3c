"""Corrects corners of teaching pictures where the deck's other pictures agree on an offset."""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.deck.teach import TeachingPicture
from models.crop import crop_to_corners
from vision import geometry
from vision.geometry import Quad
from vision.matching.template_match import HEIGHT, PAD, WIDTH, correlation, normalised, registered
from vision.networks.locator import standing

NEIGHBOURS = 10  # most similar pictures that each picture is registered on
FITS = 0.5  # correlation from which a registration counts
GAIN = 0.1  # gain of correlation from which a registration votes for other corners
SURE = 0.3  # median gain of correlation from which the new shape is not checked
FEWEST = 2  # votes that a correction needs
NEARER = 0.005  # log units by which a correction must approach the deck's aspect
FAR = 0.12  # of the template's height: a larger move is a wrong registration
NEAR = 0.02  # of the template's height: two votes agree
_CORNERS = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """A picture with final corners. `is_strange`: no other picture confirms its corners, though
    most pictures of the deck confirm each other."""

    picture: TeachingPicture
    is_strange: bool


def settle_corners(pictures: list[TeachingPicture]) -> list[Settled]:
    """Registers each picture on its most similar ones (ECC) and applies the majority's correction.

    Cards of a deck share borders, suits and art. If a side of a card was taken for another edge,
    most neighbours vote for the same move, and the moved quad has the deck's shape.
    """
    # Outlines have found their common rectangle already.
    if len(pictures) <= FEWEST or any(picture.outline is not None for picture in pictures):
        return [Settled(picture, is_strange=False) for picture in pictures]
    crops = [crop_of(picture) for picture in pictures]
    looks = [crop[PAD:-PAD, PAD:-PAD] for crop in crops]
    usual = float(np.median([geometry.aspect(standing(p.quad)) for p in pictures]))
    settled = [
        _settled(picture, crop, [looks[k] for k in nearest], usual)
        for picture, crop, nearest in zip(pictures, crops, _alike(looks), strict=True)
    ]
    are_alike = 2 * sum(is_known for _, is_known in settled) > len(settled)
    return [Settled(picture, are_alike and not is_known) for picture, is_known in settled]


def crop_of(picture: TeachingPicture) -> np.ndarray:
    """The picture's normalised card, (HEIGHT, WIDTH, 3) and PAD px wider on each side."""
    return normalised(crop_to_corners(picture.bgr, picture.quad, WIDTH, HEIGHT, PAD))


def _alike(looks: list[np.ndarray]) -> np.ndarray:
    """Indices of the most similar templates of each, (N, ≤ NEIGHBOURS), most similar first."""
    rows = np.stack([(look - look.mean((0, 1))).ravel() for look in looks])
    rows /= np.linalg.norm(rows, axis=1, keepdims=True) + 1e-6
    likeness = rows @ rows.T
    np.fill_diagonal(likeness, -2)
    return np.argsort(-likeness, axis=1)[:, : min(NEIGHBOURS, len(looks) - 1)]


def _settled(
    picture: TeachingPicture, crop: np.ndarray, others: list[np.ndarray], usual: float
) -> tuple[TeachingPicture, bool]:
    """The picture with final corners, and whether other pictures confirm them."""
    told = [one for look in others if (one := vote(crop, look)) is not None]
    moves = [move for gain, _, move in told if gain >= GAIN]
    alike = max(([b for b in moves if largest(b - a) < NEAR] for a in moves), key=len, default=[])
    if len(alike) >= FEWEST and 2 * len(alike) >= len(told):
        quad = moved(picture.quad, np.median(alike, axis=0))
        is_sure = np.median([gain for gain, _, _ in told]) >= SURE
        if is_sure or off(quad, usual) < off(picture.quad, usual) - NEARER:
            return replace(picture, quad=quad), True
    return picture, len(told) > 2 * len(moves)


def vote(crop: np.ndarray, look: np.ndarray) -> tuple[float, float, np.ndarray] | None:
    """The vote of a template (HEIGHT, WIDTH, 3) on a crop (PAD px wider on each side): the gain
    of correlation, the correlation, and the corners' move (4, 2) in px of the template."""
    to = registered(crop, look)
    if to is None:
        return None
    part = cv2.warpPerspective(crop, to, (WIDTH, HEIGHT), flags=cv2.WARP_INVERSE_MAP)
    fit = correlation(part, look)
    move = cv2.perspectiveTransform(_CORNERS[None], to)[0] - PAD - _CORNERS
    if fit < FITS or largest(move) > FAR:
        return None
    return fit - correlation(crop[PAD:-PAD, PAD:-PAD], look), fit, move


def largest(move: np.ndarray) -> float:
    """The largest of the corners' moves (4, 2) px, as a share of the template's height."""
    return float(np.linalg.norm(move, axis=1).max()) / HEIGHT


def moved(quad: Quad, move: np.ndarray) -> Quad:
    """The quad (4, 2) px after its corners' move (4, 2) in px of the template."""
    to = cv2.getPerspectiveTransform(_CORNERS, quad.astype(np.float32))
    return cv2.perspectiveTransform((_CORNERS + move)[None].astype(np.float32), to)[0]


def off(quad: Quad, usual: float) -> float:
    """Log ratio between the quad's aspect and the deck's."""
    return abs(float(np.log(geometry.aspect(standing(quad)) / usual)))
