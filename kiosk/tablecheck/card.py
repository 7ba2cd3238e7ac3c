"""Measures one lying card: its size, its sharpness, and how it stands out from the cloth."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.lens.board import steepness
from kiosk.tablecheck.evidence import CornerCard
from kiosk.tablecheck.view import Lying, Small
from vision import geometry
from vision.frame import Image

RIM = 0.025  # of a card's length: inside and outside its edge, where the contrast is measured
LOOKS = (24, 32)  # width and height (px) of a card's looks
OWN_BLUR_PX = 1.2  # of the measure itself
WHITE = 90.0  # percentile of a card's levels, from which it is white
DIFFERS = 10.0  # mean difference (levels) of two cards' looks


def corner_card(bgr: Image, card: Lying) -> CornerCard:
    """The measures of a card in a picture (H, W, 3) BGR."""
    blur, contrast = _blur(bgr, card), _contrast(bgr, card)
    return CornerCard(card.length, blur, contrast, card.score, _cast(bgr, card))


def looks_like(bgr: Image, card: Lying) -> Small:
    """What is to be seen at a card's place, (h, w, 3); the place itself stays the same."""
    width, height = LOOKS
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    to_looks = cv2.getPerspectiveTransform(card.quad.astype(np.float32), corners)
    seen = cv2.warpPerspective(cv2.GaussianBlur(bgr, (5, 5), 0), to_looks, LOOKS)
    return np.asarray(seen, np.uint8)


def differs(before: Small, now: Small) -> bool:
    """Whether another card lies there."""
    return float(cv2.absdiff(before, now).mean()) > DIFFERS


def _blur(bgr: Image, card: Lying) -> float:
    """How wide the sharpest edges around and on the card are, in parts of its length."""
    low = np.floor(card.quad.min(axis=0)).astype(int) - 4
    high = np.ceil(card.quad.max(axis=0)).astype(int) + 4
    part = bgr[max(0, low[1]) : high[1], max(0, low[0]) : high[0]]
    steep = max(steepness(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY)), 1e-3)
    # The steepest step of an edge that a Gaussian of width s blurs is 1 / (s * sqrt(2 pi)).
    width = 1 / (steep * np.sqrt(2 * np.pi))
    return float(np.sqrt(max(0.0, width**2 - OWN_BLUR_PX**2))) / card.length


def _cast(bgr: Image, card: Lying) -> float:
    """How far blue and red differ in the card's white parts, 1 for not at all."""
    width, height = LOOKS
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    quad = geometry.scaled(card.quad, 1 - RIM)
    seen = cv2.warpPerspective(bgr, cv2.getPerspectiveTransform(quad, corners), LOOKS)
    pixels = seen.reshape(-1, 3).astype(np.float32)
    levels = pixels.sum(axis=1)
    means = pixels[levels >= np.percentile(levels, WHITE)].mean(axis=0) + 1
    return float(max(means[0] / means[2], means[2] / means[0]))


def _contrast(bgr: Image, card: Lying) -> float:
    """The difference of colour across the card's faintest side, in levels."""
    even = cv2.GaussianBlur(bgr, (0, 0), 1.0).astype(np.float32)
    inner = geometry.scaled(card.quad, 1 - 2 * RIM)
    outer = geometry.scaled(card.quad, 1 + 2 * RIM)
    sides = []
    for k in range(4):
        inside = _along(even, inner[k], inner[(k + 1) % 4])
        outside = _along(even, outer[k], outer[(k + 1) % 4])
        sides.append(float(np.median(np.abs(inside - outside).max(axis=1))))
    return min(sides)


def _along(picture: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Colours (N, 3) along the middle of a line."""
    points = a + (b - a) * np.linspace(0.15, 0.85, 24)[:, None]
    high = np.array(picture.shape[1::-1]) - 1
    x, y = np.clip(np.round(points).astype(int), 0, high).T
    return np.asarray(picture[y, x], np.float32)
