"""Measures the bare table: its light, cloth, view and the camera's pace."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import cv2
import numpy as np

from calibration.light import light
from kiosk.tablecheck.evidence import BareTable
from kiosk.tablecheck.view import Lying, View, near
from vision.frame import Image
from vision.scene import shift_estimate

LOOKS = 8  # pictures that are compared in full
OFTEN = 0.6  # of the looks, in which a place looks like a card
PATTERN_PX = 9.0  # of the small picture: what changes over more than that is light


def bare_table(views: Sequence[View]) -> BareTable:
    """What the views of the table without cards show. At least one view."""
    chosen = views[:: max(1, len(views) // LOOKS)][-LOOKS:]
    pictures = [light.small(view.bgr) for view in chosen]
    last = pictures[-1]
    burnt, burnt_at = light.glare(last)
    return BareTable(
        level=light.level(last), bright=float(np.percentile(last.max(axis=2), 95)),
        noise=_noise([view.bgr for view in chosen]), swing=light.swing(pictures), burnt=burnt,
        burnt_at=burnt_at, pattern=pattern(views[-1]),
        cards=_false_cards(views), shake=_shake([view.bgr for view in chosen]), rate=_rate(views),
    )  # fmt: skip


def pattern(view: View) -> float:
    """The contrast of the cloth, in levels: of the ninth of the picture in the middle of all."""
    grey = view.small[..., 1].astype(np.float32)
    even = np.abs(grey - cv2.GaussianBlur(grey, (0, 0), PATTERN_PX))
    ninths = [part for row in np.array_split(even, 3) for part in np.array_split(row, 3, axis=1)]
    return float(np.median([np.sqrt((part**2).mean()) for part in ninths]))


def _noise(pictures: Sequence[Image]) -> float:
    """The standard deviation of a pixel from picture to picture, where nothing moves."""
    found = []
    for before, now in pairwise(pictures):
        if before.shape == now.shape:
            step = now[::3, ::3, 1].astype(np.float32) - before[::3, ::3, 1]
            # The median of the deviations: what moves or is burnt out is no noise.
            found.append(float(np.median(np.abs(step - np.median(step)))) * 1.4826 / np.sqrt(2))
    return float(np.median(found)) if found else 0.0


def _false_cards(views: Sequence[View]) -> int:
    """Places that look like a card in most of the views."""
    places: list[tuple[Lying, int]] = []
    for view in views:
        for card in view.cards:
            for k, (known, count) in enumerate(places):
                if near([known], card.centre, known.length / 3):
                    places[k] = (known, count + 1)
                    break
            else:
                places.append((card, 1))
    return sum(count >= max(2, OFTEN * len(views)) for _, count in places)


def _shake(pictures: Sequence[Image]) -> float | None:
    """How far the view moves to and fro, px; None where nothing can be followed."""
    reference = shift_estimate.reference(pictures[0])
    if not reference.is_watchable:
        return None
    shifts = [shift_estimate.shift_px(reference, picture) for picture in pictures[1:]]
    known = [shift for shift in shifts if shift is not None]
    return max(known) if known else None


def _rate(views: Sequence[View]) -> float:
    """Frames a second of the camera, those that nobody worked on included; 0: not known."""
    seconds = views[-1].at - views[0].at
    return (views[-1].number - views[0].number) / seconds if seconds > 0 else 0.0
