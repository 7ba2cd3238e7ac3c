"""A plain drawn table for tests: cloth, cards, arms, and the truth about them."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np

SIZE = (640, 360)
SKIN = (90, 120, 190)
KINDS = 16  # of noise, in turn


def card_quad(centre, length=80.0, degrees=0.0):
    """Corners (4, 2) of a card, clockwise from the upright face's top-left."""
    half = np.array([[-0.35, -0.5], [0.35, -0.5], [0.35, 0.5], [-0.35, 0.5]]) * length
    turn = np.radians(degrees)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return (half @ spin.T + np.asarray(centre, float)).astype(np.float32)


def colour_of(face):
    """A colour that is the face's own."""
    seed = sum(ord(c) * (k + 7) for k, c in enumerate(face))
    return tuple(int(v) for v in np.random.default_rng(seed).integers(60, 256, 3))


class Tabletop:
    """Draws cards (face, quad) and an arm from a side to a point, with noise.

    `ink`: cards have dark lines all over, as drawings have. `pale`: they are nearly white but for
    one line.
    """

    def __init__(self, seed=0, noise=2.0, ink=False, pale=False):
        random = np.random.default_rng(seed)
        self._grain, self._ink, self._pale = _grain(noise), ink, pale
        self._number = seed
        cloth = random.integers(35, 75, (SIZE[1] // 8, SIZE[0] // 8, 3)).astype(np.uint8)
        self._cloth = cv2.resize(cloth, SIZE, interpolation=cv2.INTER_CUBIC)

    def picture(self, cards, arm=None, light=1.0):
        """BGR picture; `arm`: (side, (x, y)) of a hand that reaches there."""
        bgr = self._cloth.copy()
        for face, quad in cards:
            _draw_card(bgr, quad, (250, 245, 240) if self._pale else colour_of(face))
            if self._ink:
                _draw_lines(bgr, quad)
        if arm is not None:
            _draw_arm(bgr, *arm)
        if light != 1.0:
            bgr = cv2.convertScaleAbs(bgr, alpha=light)
        self._number += 1
        return cv2.add(bgr, self._grain[self._number % KINDS], dtype=cv2.CV_8U)


@cache
def _grain(noise):
    """Noise of a sensor, (KINDS, H, W, 3) int16: drawn once, for drawing it takes longest."""
    drawn = np.random.default_rng(97).standard_normal((KINDS, SIZE[1], SIZE[0], 3), np.float32)
    return (noise * drawn).round().astype(np.int16)


def _draw_card(bgr, quad, colour):
    outline = np.rint(quad).astype(np.int32)
    cv2.fillConvexPoly(bgr, outline, (245, 245, 245))
    inner = (quad - quad.mean(0)) * 0.85 + quad.mean(0)
    cv2.fillConvexPoly(bgr, np.rint(inner).astype(np.int32), colour)
    a, b = np.rint(quad[:2] * 0.6 + quad.mean(0) * 0.4).astype(int)
    cv2.line(bgr, tuple(map(int, a)), tuple(map(int, b)), (20, 20, 20), 5)


def _draw_lines(bgr, quad):
    for part in np.arange(0.1, 0.95, 0.12):
        a, b = (quad[k] * (1 - part) + quad[3 - k] * part for k in (0, 1))
        cv2.line(bgr, tuple(map(int, a)), tuple(map(int, b)), (45, 45, 45), 2)


def _draw_arm(picture, side, point, colour=SKIN):
    x, y = (int(v) for v in point)
    edge = {"bottom": (x, SIZE[1]), "top": (x, -1), "left": (-1, y), "right": (SIZE[0], y)}[side]
    cv2.line(picture, (x, y), edge, colour, 34)
    cv2.circle(picture, (x, y), 26, colour, -1)


def arm_mask(arm):
    """Mask (H, W) bool of the arm."""
    drawn = np.zeros((SIZE[1], SIZE[0]), np.uint8)
    if arm is not None:
        _draw_arm(drawn, *arm, colour=1)
    return drawn.view(bool)
