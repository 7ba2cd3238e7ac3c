"""Turns teaching pictures that were taken upside down, as the deck's other pictures show."""

from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from calibration.deck.teach import TeachingPicture, without_table
from models.crop import crop_to_corners
from vision.matching.template_match import normalised

WIDTH, HEIGHT = 60, 80  # px of the compared crops
BLUR = 2.0  # px (Gaussian sigma): corners may be off by as much
GAIN = 0.06  # mean gain of correlation from which a picture is turned
AGREE = 0.8  # share of the other pictures that must fit better then
FEWEST = 3  # pictures that can agree


def turned_upright(pictures: list[TeachingPicture]) -> list[TeachingPicture]:
    """The pictures, their quads rotated by 180° where the other pictures fit better so.

    Cards of a deck share indices, captions and layout. Most people photograph upright, so the
    majority stays. Faces that are point-symmetric gain nothing and stay as they are.
    """
    if len(pictures) < FEWEST:
        return pictures
    rows = np.stack([_row(picture) for picture in pictures])
    around = rows.reshape(len(rows), HEIGHT, WIDTH, 3)[:, ::-1, ::-1].reshape(len(rows), -1)
    straight, turned = rows @ rows.T, rows @ around.T
    for likeness in (straight, turned):
        np.fill_diagonal(likeness, -2.0)
    is_turned = np.zeros(len(rows), bool)
    for _ in range(len(rows)):
        gains = np.array([_gain(k, straight, turned, is_turned) for k in range(len(rows))])
        k = int(gains.argmax())
        if gains[k] < GAIN:
            break
        is_turned[k] = not is_turned[k]
    if 2 * is_turned.sum() > len(rows):
        is_turned = ~is_turned
    return [
        replace(picture, quad=np.roll(picture.quad, 2, axis=0)) if turn else picture
        for picture, turn in zip(pictures, is_turned, strict=True)
    ]


def _row(picture: TeachingPicture) -> npt.NDArray[np.float32]:
    """The card, small, soft and normalised, as a vector of unit length."""
    clean = without_table(picture)
    crop = crop_to_corners(clean.bgr, clean.quad, 2 * WIDTH, 2 * HEIGHT, 0)
    soft = cv2.GaussianBlur(normalised(crop), (0, 0), 2 * BLUR)
    small = cv2.resize(soft, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
    row = (small - small.mean((0, 1))).ravel()
    return np.asarray(row / (np.linalg.norm(row) + 1e-6), np.float32)


def _gain(
    k: int,
    straight: npt.NDArray[np.float32],
    turned: npt.NDArray[np.float32],
    is_turned: npt.NDArray[np.bool_],
) -> float:
    """By how much picture `k` fits the other pictures better after another half turn."""
    differs = is_turned != is_turned[k]
    now = np.delete(np.where(differs, turned[k], straight[k]), k)
    then = np.delete(np.where(differs, straight[k], turned[k]), k)
    # The most similar pictures alone would mislead: an A turned around is like a V.
    if (then > now).mean() < AGREE:
        return 0.0
    return float((then - now).mean())
