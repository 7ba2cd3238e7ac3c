"""Blobs of what covers the table, and from which side of the picture each comes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from rules.table.layout import SIDES
from vision.geometry import Mask
from vision.scene.background import Change

EDGE = 3  # px at a side of the picture, by which a blob reaches in
CORNER = 2.0  # times as many pixels at another side: the hand comes from there
_ABOUT = np.ones((5, 5), np.uint8)  # 2 px around a fan: an arm that comes from below it shows there


@dataclass(frozen=True, slots=True, eq=False)
class Cover:
    """What lies over the table in this frame, in the small picture.

    `mask` (h, w) bool; `side` (h, w) uint8: 0 none or not known, else 1 + index in SIDES; `faded`
    (h, w) bool: resting hands whose sleeve is taken for the table.
    """

    mask: Mask
    side: npt.NDArray[np.uint8]
    faded: Mask | None = None

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides from which something reaches in now."""
        present = np.unique(self.side[self.mask])
        return tuple(SIDES[int(side) - 1] for side in present if side)


def rival_of(side: int, edge: npt.NDArray[np.int64]) -> int:
    """The other side (1 + index in SIDES) from which a hand of this `side` may come as well, as it
    has about as many pixels there: it comes from a corner of the picture; 0: none."""
    if side == 0:
        return 0
    others = [k for k in range(len(SIDES)) if k != side - 1 and edge[k] >= EDGE]
    rivals = [k for k in others if CORNER * edge[k] > edge[side - 1]]
    return max(rivals, key=lambda k: int(edge[k]), default=-1) + 1


def joined(cover: Cover, change: Change) -> Cover:
    """The cover where a part of a hand without a side has that of the rest: what seems to rest
    upon an arm cuts its hand off."""
    unknown = cover.mask & (cover.side == 0)
    if not unknown.any() or not cover.side.any():
        return cover
    whole = (change.changed | cover.mask).view(np.uint8)
    count, labels = cv2.connectedComponents(whole, connectivity=8)
    sides = range(len(SIDES) + 1)
    votes = np.stack([np.bincount(labels[cover.side == k], minlength=count) for k in sides])
    votes[0] = 0
    side = cover.side.copy()
    side[unknown] = votes.argmax(axis=0)[labels[unknown]]
    return replace(cover, side=side)


def _lines(picture: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], ...]:
    """What lies (h, w) at the picture's sides, as in SIDES."""
    return picture[-1], picture[:, 0], picture[0], picture[:, -1]


def edges_of(labels: npt.NDArray[np.int32], count: int) -> npt.NDArray[np.int64]:
    """How many pixels each blob has at each side of the picture, (count, 4) as in SIDES."""
    return np.stack([np.bincount(line, minlength=count) for line in _lines(labels)], axis=1)


def reached(
    labels: npt.NDArray[np.int32], count: int, fans: Mask | None
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """How many pixels each blob has at each side of the picture (count, 4), and whether it reaches
    in there (count,). One that does not may come from below `fans` (h, w) that are held there."""
    edges = edges_of(labels, count)
    reach_in = np.asarray(edges.max(axis=1) >= EDGE)
    if fans is not None and not reach_in.all():
        edges[~reach_in] = _edges_behind(labels, count, fans)[~reach_in]
    return edges, reach_in


def _edges_behind(labels: npt.NDArray[np.int32], count: int, fans: Mask) -> npt.NDArray[np.int64]:
    """How many pixels each blob has beside `fans` (h, w) that are held at each side, (count, 4): an
    arm that comes from below such a fan shows only beyond it."""
    _, parts = cv2.connectedComponents(fans.view(np.uint8), connectivity=8)
    found = []
    for line in _lines(np.asarray(parts)):
        held = np.isin(parts, np.unique(line[line > 0]))
        near = cv2.dilate(held.view(np.uint8), _ABOUT).view(bool)
        found.append(np.bincount(labels[near], minlength=count))
    return np.stack(found, axis=1)


def nearest(inside: Mask, before: npt.NDArray[np.uint8], sides: list[int]) -> npt.NDArray[np.uint8]:
    """Of each pixel `inside` (h, w) a blob, 1 + the side whose arm was nearest to it `before` (h,
    w): two arms that touch are one blob."""
    far = [cv2.distanceTransform((before != k + 1).view(np.uint8), cv2.DIST_L1, 3) for k in sides]
    return (np.array(sides, np.uint8) + 1)[np.argmin(far, axis=0)][inside]


class FadedSleeves:
    """Where hands at rest came to look as the table, though nothing moved there: a sleeve that
    differs little from it is taken for it. Such a hand reaches in still."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self._faded = np.zeros(shape, bool)
        self._parts = np.zeros(shape, np.int32)
        self._reach_in = np.zeros(1, bool)

    def see(self, blobs: Mask, covered: Mask, as_table: Mask) -> None:
        """Takes the `blobs` of a frame, all (h, w), what hands covered in the last frame, and what
        looks as the table and has not moved a moment ago."""
        self._faded = (self._faded | covered) & as_table
        whole = (blobs | self._faded).view(np.uint8)
        count, labels = cv2.connectedComponents(whole, connectivity=8)
        self._parts = np.asarray(labels, np.int32)
        self._reach_in = edges_of(self._parts, count).max(axis=1) >= EDGE

    def reaches_in(self, box: tuple[slice, slice], inside: Mask) -> bool:
        """Whether a blob at rest, `inside` a box of the picture, reaches in by such a sleeve."""
        return bool(self._reach_in[self._parts[box][inside][0]])

    def goes(self, box: tuple[slice, slice], inside: Mask) -> None:
        """A blob, `inside` a box of the picture, moves: its sleeve went with it."""
        self._faded &= self._parts != self._parts[box][inside][0]
