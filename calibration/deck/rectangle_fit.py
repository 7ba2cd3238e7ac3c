"""Lays the sides of a rectangular card on the edges of its teaching picture."""

from dataclasses import replace

import cv2
import numpy as np

from calibration.deck.card_selection import DeckShape
from calibration.deck.edge_fit import EdgeFit, Matrix, fit_outline, mapped, soft_picture
from calibration.deck.segmentation import Image
from calibration.deck.teach import TeachingPicture, upright
from models.crop import rectangle
from vision import geometry
from vision.geometry import Quad
from vision.networks.locator import standing
from vision.sightings import Located

SIDE_POINTS = 60  # on each side
ROUNDED = 0.13  # share of a side at either end that a rounded corner may take
REACHES = 0.03, 0.02, 0.014, 0.01, 0.008  # of the card's size, of the edge search
CONFIRMED = 0.8  # share of the sides on an edge from which new corners are taken
SURE = 0.95  # the same of a card that the networks did not choose
NEARLY = 0.85  # of the deck's usual contrast that such a card needs
FAR = 0.04  # of the card's length: a larger move of a corner is another thing's edge


def fit_rectangle(picture: TeachingPicture) -> tuple[TeachingPicture, EdgeFit]:
    """The picture, its corners where the lines along the card's sides meet, and that fit.

    The corners stay as they are if the sides lie on no clear edges.
    """
    aspect = geometry.aspect(picture.quad)
    corners = (rectangle(1, 1) - 0.5) * np.array([1, aspect], np.float32)
    sides, counts = _sides(aspect)
    to = cv2.getPerspectiveTransform(corners, picture.quad.astype(np.float32))
    soft = soft_picture(picture.bgr, float(np.sqrt(geometry.area(picture.quad))))
    fit = fit_outline(soft, sides, np.asarray(to, np.float64), REACHES, counts)
    quad = mapped(fit.to, corners).astype(np.float32)
    far = float(np.linalg.norm(quad - picture.quad, axis=1).max())
    if fit.share < CONFIRMED or far > FAR * geometry.length(picture.quad):
        return picture, fit
    return replace(picture, quad=quad), fit


def side_share(bgr: Image, quad: Quad) -> float:
    """Share of the sides of a rectangle near `quad` (4, 2) px that lie on edges, 0..1."""
    return fit_rectangle(TeachingPicture("", bgr, standing(quad)))[1].share


def clearest_card(
    bgr: Image, located: Located | None, shape: DeckShape, usual: float
) -> Quad | None:
    """The quad (4, 2) px with the clearest edges among those of the deck's shape and size.

    `usual`: the median ΔE across the edges of the deck's cards. None if no quad comes near it.
    """
    if located is None or shape.aspect is None or shape.size is None:
        return None
    best, most = None, NEARLY * usual
    for quad in located.quads:
        stands = upright(quad, shape.aspect)
        ratio = geometry.aspect(stands) / shape.aspect
        size = np.sqrt(geometry.area(quad)) / np.hypot(*bgr.shape[:2]) / shape.size
        if abs(np.log(ratio)) > shape.tilted or abs(np.log(size)) > shape.far:
            continue
        picture, fit = fit_rectangle(TeachingPicture("", bgr, stands))
        if fit.share >= SURE and fit.contrast > most:
            best, most = picture.quad, fit.contrast
    return best


def _sides(aspect: float) -> tuple[Matrix, np.ndarray]:
    """Points (4 * SIDE_POINTS, 2) on the sides of a rectangle of width 1 about the origin, and
    which of them lie on straight parts."""
    along = (np.arange(SIDE_POINTS) + 0.5) / SIDE_POINTS
    none, full = np.zeros(SIDE_POINTS), np.ones(SIDE_POINTS)
    sides = [(along, none), (full, along), (1 - along, full), (none, 1 - along)]
    points = np.concatenate([np.stack(side, 1) for side in sides])
    is_straight = (along > ROUNDED) & (along < 1 - ROUNDED)
    return (points - 0.5) * [1, aspect], np.tile(is_straight, 4)
