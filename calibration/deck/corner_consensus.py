"""Sets taught corners right where a deck's other pictures agree that they are off."""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.deck.teach import TeachingPicture
from models.crop import crop_to_corners
from vision import geometry
from vision.geometry import Quad
from vision.matching.template_match import HEIGHT, PAD, WIDTH, correlation, normalised, registered
from vision.networks.locator import standing

ASKED = 10  # other pictures, the most alike
FITS = 0.5  # correlation from which on another picture can tell
GAIN = 0.1  # of the correlation, by which it tells that the corners are off
SURE = 0.3  # of the correlation: true whatever the shape then is
FEWEST = 2  # pictures that tell so
NEARER = 0.005  # to the usual aspect, a logarithm
FAR = 0.12  # of a look's height: registered on something else
NEAR = 0.02  # of a look's height: told the same
_CORNERS = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """A picture, perhaps with other corners, and whether it `is_strange`: no other confirms that
    it lies where these corners are, though most of its deck confirm each other."""

    picture: TeachingPicture
    is_strange: bool


def settle_corners(pictures: list[TeachingPicture]) -> list[Settled]:
    """What the pictures of a deck say of each other. Its cards share a frame, a suit, a picture:
    laid on those most like it, a card of which one side was taken for another is found to lie
    elsewhere by most of them, and to have the deck's shape there."""
    if len(pictures) <= FEWEST:
        return [Settled(picture, is_strange=False) for picture in pictures]
    crops = [normalised(crop_to_corners(p.bgr, p.quad, WIDTH, HEIGHT, PAD)) for p in pictures]
    looks = [crop[PAD:-PAD, PAD:-PAD] for crop in crops]
    usual = float(np.median([geometry.aspect(standing(p.quad)) for p in pictures]))
    settled = [
        _settled(picture, crop, [looks[k] for k in nearest], usual)
        for picture, crop, nearest in zip(pictures, crops, _alike(looks), strict=True)
    ]
    are_alike = 2 * sum(is_known for _, is_known in settled) > len(settled)
    return [Settled(picture, are_alike and not is_known) for picture, is_known in settled]


def _alike(looks: list[np.ndarray]) -> np.ndarray:
    """The numbers of the looks most like each, (N, ≤ ASKED), the most alike first."""
    rows = np.stack([(look - look.mean((0, 1))).ravel() for look in looks])
    rows /= np.linalg.norm(rows, axis=1, keepdims=True) + 1e-6
    likeness = rows @ rows.T
    np.fill_diagonal(likeness, -2)
    return np.argsort(-likeness, axis=1)[:, : min(ASKED, len(looks) - 1)]


def _settled(
    picture: TeachingPicture, crop: np.ndarray, others: list[np.ndarray], usual: float
) -> tuple[TeachingPicture, bool]:
    """The picture, perhaps with other corners, and whether others confirm where its card lies."""
    told = [one for look in others if (one := _told(crop, look)) is not None]
    moves = [move for gain, move in told if gain >= GAIN]
    alike = max(([b for b in moves if _largest(b - a) < NEAR] for a in moves), key=len, default=[])
    if len(alike) >= FEWEST and 2 * len(alike) >= len(told):
        quad = _moved(picture.quad, np.median(alike, axis=0))
        is_sure = np.median([gain for gain, _ in told]) >= SURE
        if is_sure or _off(quad, usual) < _off(picture.quad, usual) - NEARER:
            return replace(picture, quad=quad), True
    return picture, len(told) > 2 * len(moves)


def _told(crop: np.ndarray, look: np.ndarray) -> tuple[float, np.ndarray] | None:
    """What another look (HEIGHT, WIDTH, 3) tells of a crop (PAD wider on each side): by how much
    more it fits elsewhere, and how far off the corners (4, 2) are there, px of a look."""
    to = registered(crop, look)
    if to is None:
        return None
    part = cv2.warpPerspective(crop, to, (WIDTH, HEIGHT), flags=cv2.WARP_INVERSE_MAP)
    fit = correlation(part, look)
    move = cv2.perspectiveTransform(_CORNERS[None], to)[0] - PAD - _CORNERS
    if fit < FITS or _largest(move) > FAR:
        return None
    return fit - correlation(crop[PAD:-PAD, PAD:-PAD], look), move


def _largest(move: np.ndarray) -> float:
    """Of the corners' moves (4, 2) px, as a part of a look's height."""
    return float(np.linalg.norm(move, axis=1).max()) / HEIGHT


def _moved(quad: Quad, move: np.ndarray) -> Quad:
    to = cv2.getPerspectiveTransform(_CORNERS, quad.astype(np.float32))
    return cv2.perspectiveTransform((_CORNERS + move)[None].astype(np.float32), to)[0]


def _off(quad: Quad, usual: float) -> float:
    """How far the shape is off, a logarithm."""
    return abs(float(np.log(geometry.aspect(standing(quad)) / usual)))
