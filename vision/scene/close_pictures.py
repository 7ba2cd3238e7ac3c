"""Close pictures of lying cards: whether a card still lies where a like one is seen now."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from models.crop import cut_to
from vision import geometry
from vision.frame import Image
from vision.geometry import Mask, Quad
from vision.scene.same_face import RESTACKING, Course, course, shift
from vision.scene.table import Card

SIZE = (120, 156)  # px, width and height of a picture, with
MARGIN = (12, 14)  # px of the table around the card


@dataclass(frozen=True, slots=True)
class Rim:
    """When the part of a card beside another one tells whether the card is still there."""

    inset: float = 0.96  # of the card's size: corners are not exact
    print: float = 0.9  # the same, without the border
    core: float = 0.8  # the same, beyond what the border lightens
    beside: float = 1.06  # of the other card's size: its edge and its shadow
    least: int = 60  # px of a picture
    drawn: float = 12.0  # grey levels of deviation, from which the drawing tells it
    faint: float = 2.5  # grey levels, below which a whole print tells nothing
    same: float = 0.7  # correlation with the picture, from which the card lies there
    other: float = 0.3  # the same, below which it does not
    beyond: float = 0.2  # part of the card, at most beside one that is laid exactly on it
    all: float = 0.97  # correlation of the whole card, from which nothing lies on it
    contrast: float = 40.0  # levels between plain paper and table, from which the colour tells it
    paper: float = 0.35  # of that contrast by which the paper may differ


RIM = Rim()
_WIDE = 15  # px of a picture: wider than the lines of a print
_CARD = np.array(
    [[MARGIN[0], MARGIN[1]], [SIZE[0] - MARGIN[0], MARGIN[1]],
     [SIZE[0] - MARGIN[0], SIZE[1] - MARGIN[1]], [MARGIN[0], SIZE[1] - MARGIN[1]]], np.float32
)  # fmt: skip


class ClosePictures:
    """One picture (156, 120, 3) of each lying card, taken while nothing lay over it."""

    def __init__(self) -> None:
        self._pictures: dict[int, Image] = {}

    def keep(self, card: Card, bgr: Image) -> None:
        """Remembers how the card looks in this frame."""
        self._pictures[card.number] = _cut(bgr, card.quad)[0]

    def forget(self, number: int) -> None:
        """The card has gone."""
        self._pictures.pop(number, None)

    def still_shows(self, card: Card, over: Quad, others: Iterable[Card], bgr: Image) -> bool:
        """Whether the card still shows beside one that lies at `over` (4, 2) px in this frame.

        `others`: the cards that lie too; plain paper beside these tells nothing.
        """
        before = self._pictures.get(card.number)
        if before is None:
            return False
        now, to_picture = _cut(bgr, card.quad)
        hidden = _filled(geometry.mapped(_scaled(over, RIM.beside), to_picture))
        inner = _filled(_scaled(_CARD, RIM.inset))
        rim = inner & ~hidden
        if np.count_nonzero(rim) < RIM.least or _is_itself(before, now, inner, rim):
            return False
        grey_then, grey_now = (_grey(picture)[rim] for picture in (before, now))
        if grey_then.std() >= RIM.drawn:
            return bool(grey_now.std() > 0 and _correlation(grey_then, grey_now) >= RIM.same)
        bare = _free_of((other.quad for other in others), to_picture)
        outside = ~_filled(_CARD) & ~hidden & bare
        return _is_paper(before, now, rim & bare, outside)

    def is_gone(self, card: Card, over: Iterable[Quad], bgr: Image) -> bool:
        """Whether the card's drawing shows no more beside those that lie at `over` (N, 4, 2) px in
        this frame. A plain part tells nothing."""
        same = self._beside(card, over, bgr)
        return same is not None and same < RIM.other

    def likeness(self, card: Card, bgr: Image, under: Quad | None = None) -> float | None:
        """The correlation of a card's print with its picture, whatever light falls on a part of it;
        None where it is not known, or too faint. `under` (4, 2) px: only of what lies there."""
        before = self._pictures.get(card.number)
        if before is None:
            return None
        seen, to_picture = _cut(bgr, card.quad)
        inner = _filled(_scaled(_CARD, RIM.core))
        if under is not None:
            inner &= _filled(geometry.mapped(under, to_picture))
        if np.count_nonzero(inner) < RIM.least:
            return None
        then, now = (_lines(picture)[inner] for picture in (before, seen))
        if then.std() < RIM.faint:
            return None
        return _correlation(then, now) if now.std() > 0 else 0.0

    def is_bare(self, card: Card, over: Iterable[Quad], bgr: Image) -> bool:
        """Whether the part of the card beside quads (N, 4, 2) px has the table's colour now, by
        the middle of its pixels."""
        before = self._pictures.get(card.number)
        if before is None:
            return False
        now, to_picture = _cut(bgr, card.quad)
        free = _free_of(over, to_picture)
        rim = _filled(_scaled(_CARD, RIM.inset)) & free
        off = _off(before, now, rim, ~_filled(_CARD) & free)
        return off is not None and off[1] <= RIM.paper

    def is_beside(self, card: Card, over: Quad, bgr: Image) -> bool:
        """Whether any part of a card lies beside one at `over` (4, 2) px, as far as is known."""
        if card.number not in self._pictures:
            return True
        rim, _ = self._rim(card, (over,), bgr)
        return bool(np.count_nonzero(rim) >= RIM.least)

    def may_show(self, card: Card, above: Iterable[Card], bgr: Image) -> bool:
        """Whether the card's drawing may still show beside all that lie on it. A plain part tells
        nothing."""
        same = self._beside(card, [other.quad for other in above], bgr)
        return same is not None and same >= RIM.other

    def _beside(self, card: Card, over: Iterable[Quad], bgr: Image) -> float | None:
        """The correlation of what shows of a card's drawing beside quads with its picture."""
        before = self._pictures.get(card.number)
        if before is None:
            return None
        rim, now = self._rim(card, over, bgr)
        if np.count_nonzero(rim) < RIM.least:
            return None
        then, seen = (_grey(picture)[rim] for picture in (before, now))
        if then.std() < RIM.drawn or seen.std() == 0:
            return None
        return _correlation(then, seen)

    def _rim(self, card: Card, over: Iterable[Quad], bgr: Image) -> tuple[Mask, Image]:
        """Where a card lies beside quads (N, 4, 2) px that are on it; and its place as it looks in
        this frame. Both have the size of a close picture."""
        now, to_picture = _cut(bgr, card.quad)
        return _filled(_scaled(_CARD, RIM.inset)) & _free_of(over, to_picture), now

    def shows_elsewhere(self, card: Card, bgr: Image) -> bool:
        """Whether the card's face is seen in this frame, and not where the card lay."""
        before = self._pictures.get(card.number)
        if before is None:
            return False
        inner = _filled(_scaled(_CARD, RIM.print))
        apart = shift(before, _cut(bgr, card.quad)[0], _CARD, inner)
        return apart is not None and apart >= RESTACKING.apart

    def course(
        self, card: Card, below: Sequence[Card], bgr: Image, over: Card | None = None
    ) -> Course | None:
        """What became of a card whose face is seen; None where it is not. Corners in px of this
        frame. `below`: the cards under it, from the bottom up; `over`: one that lay on it and may
        be gone: then it may also be a like one, laid on that."""
        before = self._pictures.get(card.number)
        if before is None:
            return None
        now, to_picture = _cut(bgr, card.quad)
        upon = before if over is None else self._mapped(over, bgr, to_picture, before)
        under = cv2.inpaint(before, _WITHOUT, 3, cv2.INPAINT_TELEA)
        for other in below:
            under = self._mapped(other, bgr, to_picture, np.asarray(under, np.uint8))
        like = over is None and bool(below) and below[-1].face == card.face
        like = like and below[-1].number in self._pictures
        inner = _filled(_scaled(_CARD, RIM.print))
        found = course(before, upon, np.asarray(under, np.uint8), now, _CARD, inner, like=like)
        if found is None:
            return None
        back = geometry.mapped(found.corners, np.linalg.inv(to_picture))
        return replace(found, corners=np.asarray(back, np.float32))

    def _mapped(
        self, card: Card, bgr: Image, to_picture: npt.NDArray[np.float64], base: Image
    ) -> Image:
        """The picture `base` with the card's own on it, as it lies there."""
        own = self._pictures.get(card.number)
        if own is None:
            return base
        mapping = to_picture @ np.linalg.inv(_cut(bgr, card.quad)[1])
        size = base.shape[1::-1]
        moved = cv2.warpPerspective(own, mapping, size)
        place = cv2.warpPerspective(_filled(_CARD).view(np.uint8), mapping, size).view(bool)
        return np.where(place[..., None], moved, base)


def _is_itself(before: Image, now: Image, inner: Mask, rim: Mask) -> bool:
    """Whether all of a card looks as it did, where another one should hide most of it: that is the
    card itself, seen a little aside."""
    if np.count_nonzero(rim) > RIM.beyond * np.count_nonzero(inner):
        return False
    then, seen = _grey(before)[inner], _grey(now)[inner]
    return bool(then.std() >= RIM.drawn and seen.std() > 0 and _correlation(then, seen) >= RIM.all)


def _is_paper(before: Image, now: Image, rim: Mask, outside: Mask) -> bool:
    """Whether a plain rim has the colour that it had, and not the table's."""
    off = _off(before, now, rim, outside)
    return off is not None and off[0] <= RIM.paper


def _off(before: Image, now: Image, rim: Mask, outside: Mask) -> tuple[float, float] | None:
    """How far a rim is off its colour, and off the table's, as parts of what these differ by; None
    where that tells nothing."""
    if min(np.count_nonzero(rim), np.count_nonzero(outside)) < RIM.least:
        return None
    paper, table, seen = (
        np.median(picture[place].astype(np.float32), axis=0)
        for picture, place in ((before, rim), (before, outside), (now, rim))
    )
    contrast = float(np.abs(paper - table).max())
    if contrast < RIM.contrast:
        return None
    off_paper, off_table = (float(np.abs(seen - colour).max()) for colour in (paper, table))
    return off_paper / contrast, off_table / contrast


def _free_of(quads: Iterable[Quad], to_picture: npt.NDArray[np.float64]) -> Mask:
    """Where in a close picture no card at these quads (N, 4, 2) px of the frame lies."""
    free = np.ones(SIZE[::-1], bool)
    for quad in quads:
        free &= ~_filled(geometry.mapped(_scaled(quad, RIM.beside), to_picture))
    return free


def _cut(bgr: Image, quad: Quad) -> tuple[Image, npt.NDArray[np.float64]]:
    crop, to_picture = cut_to(bgr, quad, _CARD, *SIZE)
    return np.asarray(crop, np.uint8), np.asarray(to_picture, np.float64)


def _scaled(quad: Quad, factor: float) -> Quad:
    middle = geometry.centre(quad)
    return np.asarray(middle + (quad - middle) * factor, np.float32)


def _filled(quad: Quad) -> Mask:
    mask = np.zeros(SIZE[::-1], np.uint8)
    cv2.fillConvexPoly(mask, np.rint(quad).astype(np.int32), 1)
    return mask.view(bool)


_WITHOUT = cv2.dilate(_filled(_CARD).view(np.uint8), np.ones((5, 5), np.uint8))


def _grey(picture: Image) -> npt.NDArray[np.float32]:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.float32)


def _lines(picture: Image) -> npt.NDArray[np.float32]:
    """The grey picture without what is wider than the lines of a print."""
    grey = _grey(picture)
    return grey - np.asarray(cv2.blur(grey, (_WIDE, _WIDE)), np.float32)


def _correlation(a: npt.NDArray[np.float32], b: npt.NDArray[np.float32]) -> float:
    return float(np.corrcoef(a, b)[0, 1])
