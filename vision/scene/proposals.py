"""Proposes cards where the picture changed and the locator found none."""

from __future__ import annotations

from statistics import median

import cv2
import numpy as np
import numpy.typing as npt

from vision import geometry
from vision.geometry import Mask, Quad
from vision.scene.background import Change
from vision.scene.table import Table

REST_S = 0.2  # s a region must have been still
LEAST = 0.12  # of a card's area: a smaller region is no card's
MOST = 2.5  # of a card's area: a larger one is no single card
ASPECTS = (1.05, 2.0)  # long side / short side of a region that may be a whole card
AREAS = (0.003, 0.12)  # of the picture, before the size of the cards is known
SCORE = 0.3  # stands for the locator's
_OPEN = np.ones((2, 2), np.uint8)


def proposed(change: Change, free: Mask, table: Table, scale: float) -> npt.NDArray[np.float32]:
    """Quads (N, 4, 2) px of the full picture for regions that changed and lie still.

    `free` (h, w): where neither a hand nor a candidate is; `scale`: low picture px per frame px.
    A region takes the size of the lying cards, since a pale card changes only a part of its place.
    """
    still = change.changed & free & (change.still_s >= REST_S)
    if not still.any():
        return np.zeros((0, 4, 2), np.float32)
    opened = cv2.morphologyEx(still.view(np.uint8), cv2.MORPH_OPEN, _OPEN)
    closed = cv2.morphologyEx(opened, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(closed, connectivity=8)
    size = card_size(table)
    found = []
    for blob in range(1, count):
        if _is_sized(int(stats[blob, cv2.CC_STAT_AREA]), size, scale, still.shape):
            rows, columns = np.nonzero(labels == blob)
            points = np.stack([columns, rows], 1).astype(np.float32) + np.float32(0.5)
            quad = _quad(points / np.float32(scale), size)
            if quad is not None:
                found.append(quad)
    return np.array(found, np.float32).reshape(-1, 4, 2)


def card_size(table: Table) -> tuple[float, float] | None:
    """The usual longer and shorter side (px) of the lying cards; None without a card."""
    if not table.cards:
        return None
    lengths = [geometry.length(card.quad) for card in table.cards]
    areas = [geometry.area(card.quad) for card in table.cards]
    return median(lengths), median(areas) / max(median(lengths), 1.0)


def _is_sized(
    pixels: int, size: tuple[float, float] | None, scale: float, shape: tuple[int, ...]
) -> bool:
    if size is None:
        whole = shape[0] * shape[1]
        return AREAS[0] * whole <= pixels <= AREAS[1] * whole
    card = size[0] * size[1] * scale * scale
    return LEAST * card <= pixels <= MOST * card


def _quad(points: npt.NDArray[np.float32], size: tuple[float, float] | None) -> Quad | None:
    (x, y), (width, height), degrees = cv2.minAreaRect(points)
    long, short = max(width, height), max(min(width, height), 1.0)
    if size is None:
        if not ASPECTS[0] <= long / short <= ASPECTS[1]:
            return None
    else:
        long, short = size
    across = (long, short) if width >= height else (short, long)
    return np.asarray(cv2.boxPoints(((x, y), across, degrees)), np.float32)
