"""Evens the tone of teaching pictures: one that is dim, faded or tinted against the others."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from calibration.deck.teach import TeachingPicture
from models.crop import crop_to_corners

Colours = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ToneSettings:
    """Levels are grey levels of a channel, 0 to 255."""

    width: int = 60  # px of the crops that are compared
    height: int = 80
    inside: float = 0.04  # share of the crop left out at each side: the table and shadows
    paper: float = 95.0  # percentile that shows the paper
    ink: float = 2.0  # percentile that shows the ink
    alike: float = 20.0  # levels within which papers count as the same
    most: float = 0.6  # share of the pictures whose papers must be alike
    other: float = 25.0  # levels from which a paper's tone is corrected
    lightest: float = 0.75  # quantile of the inks that a faded one is held against
    darkest: float = 12.0  # a paper below this shows no colour


SETTINGS = ToneSettings()


def evened(pictures: list[TeachingPicture]) -> list[TeachingPicture]:
    """The pictures; where most cards show the same paper, those of another tone get that tone.

    The paper's levels in each channel follow exposure and white balance. A faded picture also
    lifts its ink. Cards without common paper stay as they are: their colours are their own.
    """
    if len(pictures) < 3:
        return pictures
    papers, inks = (np.stack(levels) for levels in zip(*map(_levels, pictures), strict=True))
    usual = _usual(papers)
    if usual is None:
        return pictures
    lightest_ink = np.quantile(inks[_is_alike(papers, usual)], SETTINGS.lightest, axis=0)
    return [
        _corrected(*one, usual, lightest_ink) for one in zip(pictures, papers, inks, strict=True)
    ]


def _levels(picture: TeachingPicture) -> tuple[Colours, Colours]:
    """Levels of the paper and of the ink (3,) of the card."""
    crop = crop_to_corners(picture.bgr, picture.quad, SETTINGS.width, SETTINGS.height, 0)
    x, y = (max(1, round(SETTINGS.inside * side)) for side in (SETTINGS.width, SETTINGS.height))
    pixels = crop[y:-y, x:-x].reshape(-1, 3)
    paper, ink = np.percentile(pixels, (SETTINGS.paper, SETTINGS.ink), axis=0)
    return np.asarray(paper, np.float64), np.asarray(ink, np.float64)


def _usual(papers: Colours) -> Colours | None:
    """The paper (3,) that most of the pictures (N, 3) show; None if they differ."""
    alike = [_is_alike(papers, one) for one in papers]
    most = max(alike, key=lambda own: int(own.sum()))
    if most.mean() < SETTINGS.most:
        return None
    return np.asarray(np.median(papers[most], axis=0))


def _is_alike(papers: Colours, paper: Colours) -> npt.NDArray[np.bool_]:
    return np.asarray((np.abs(papers - paper) < SETTINGS.alike).all(1))


def _corrected(
    picture: TeachingPicture, paper: Colours, ink: Colours, usual: Colours, lightest_ink: Colours
) -> TeachingPicture:
    """The picture with the usual paper, and with ink no lighter than the others' if it is faded."""
    is_faded = bool((ink > lightest_ink + SETTINGS.other).all())
    is_other = float(np.abs(paper - usual).max()) > SETTINGS.other
    if not (is_other or is_faded) or float(paper.min()) < SETTINGS.darkest:
        return picture
    low, to_low = (ink, lightest_ink) if is_faded else (np.zeros(3), np.zeros(3))
    gain = (usual - to_low) / np.maximum(paper - low, 1.0)
    levels = np.arange(256)[:, None]
    table = np.clip((levels - low) * gain + to_low, 0, 255)
    bgr = cv2.LUT(picture.bgr, np.rint(table).astype(np.uint8)[:, None])
    return replace(picture, bgr=np.asarray(bgr, np.uint8))
