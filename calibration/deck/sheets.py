"""A photograph of several cards in rows, and each of its cards as a teaching picture of its own."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from calibration.deck.photographs import Photograph
from calibration.deck.picture_quality import LIMITS
from calibration.deck.proposals import Finder
from calibration.deck.row_finding import SeveralFinder, several_cards
from calibration.deck.row_order import in_reading_order
from calibration.deck.segmentation import Image, segment
from calibration.deck.table_pattern import without_pattern
from models.crop import pixel_warp
from models.picture_file import read_picture
from rules.errors import FairdealError
from vision import geometry
from vision.geometry import Quad
from vision.sightings import Located

LARGEST_PX = 3200  # longer side of a sheet's picture that is kept
FINDING_PX = 1600  # longer side of the picture in which cards are looked for
CARD_PX = 640  # most length of a cut card
MARGIN = 0.35  # of the card's shorter side: table around a cut card, where there is room
LEAST_MARGIN = 0.16  # the same where a neighbour is near
CLEAR = 0.8  # of the gap to a neighbour that the cut shows
NEIGHBOUR = 0.04  # by which a neighbour is larger than its outline before it is painted out
OWN = 0.45  # IoU with the card's place from which a find in the cut is that card
PLACED = 0.5  # score of a card's place where nothing else is found
PAINT_PX = 160  # longer side of the picture in which a neighbour is painted out

Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class SheetCard:
    """A card of a sheet: its quad (4, 2) px of the sheet's picture from the upper left of the card
    as it lies in its row. doubt: why it may be none. is_given: a person has laid its corners."""

    quad: Quad
    doubt: FairdealError | None = None
    is_given: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """A photograph (H, W, 3) BGR and its cards in reading order. even: the same without a periodic
    pattern of the table, if it has one. where: its file, as errors name it. around: other things
    (4, 2) px, which are no part of it."""

    where: str
    bgr: Image
    cards: tuple[SheetCard, ...] = ()
    even: Image | None = None
    around: tuple[Quad, ...] = ()

    @property
    def sure(self) -> "Sheet":
        """The sheet without the things that may be no cards."""
        return replace(self, cards=tuple(card for card in self.cards if card.doubt is None))


@dataclass(frozen=True, slots=True, eq=False)
class CutCard:
    """A card cut out of its sheet: the photograph of it alone, and the homography (3, 3) from the
    sheet's picture to it."""

    photograph: Photograph
    to: Matrix
    is_given: bool
    quad: Quad

    def in_cut(self, points: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Points (N, 2) px of the sheet as points of the cut."""
        return _mapped(points, self.to)

    def on_sheet(self, points: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Points (N, 2) px of the cut as points of the sheet."""
        return _mapped(points, np.asarray(np.linalg.inv(self.to), np.float64))


def read_sheet(path: Path, finder: SeveralFinder) -> Sheet:
    """The sheet of a picture file. FairdealError for what is no picture, or shows no card."""
    return found_sheet(read_picture(path, LARGEST_PX), str(path), finder)


def found_sheet(bgr: Image, where: str, finder: SeveralFinder) -> Sheet:
    """The sheet of a picture (H, W, 3) BGR, its cards found. Raises
    FairdealError if there are none."""
    if float(bgr.mean()) < LIMITS.mean_level:
        raise FairdealError("a picture bright enough to see", f"a mean of {bgr.mean():.0f} of 255",
                            "more light", where)  # fmt: skip
    bgr = _reduced(bgr, LARGEST_PX)
    even = without_pattern(bgr)
    small = _reduced(bgr if even is None else even, FINDING_PX)
    found = several_cards(small, finder)
    if not found:
        raise FairdealError("cards in rows", "no card", "lay them apart on a plain table", where)
    scale = np.float32(bgr.shape[1] / small.shape[1])
    rows = in_reading_order([one.quad * scale for one in found])
    doubts = {_key(one.quad * scale): one.doubt for one in found}
    cards = tuple(SheetCard(quad, doubts[_key(quad)]) for quad in rows.quads)
    return Sheet(where, bgr, cards, even)


def with_cards(sheet: Sheet, cards: Sequence[SheetCard]) -> Sheet:
    """The sheet with other cards, in reading order."""
    if not cards:
        return replace(sheet, cards=())
    rows = in_reading_order([card.quad for card in cards])
    own = {_key(card.quad): card for card in cards}
    return replace(sheet, cards=tuple(replace(own[_key(quad)], quad=quad) for quad in rows.quads))


def cut_cards(sheet: Sheet, faces: Sequence[str], names: Sequence[str], finder: Finder
              ) -> list[CutCard]:  # fmt: skip
    """Each card of the sheet as a photograph of its own, upright as it lies in its row. `faces` and
    `names` (N,) as of a `Photograph`; a card with the face "" is left out."""
    cuts = []
    for k, (card, face, name) in enumerate(zip(sheet.cards, faces, names, strict=True)):
        if face:
            others = [*(one.quad for j, one in enumerate(sheet.cards) if j != k), *sheet.around]
            cuts.append(_cut(sheet, card, others, face, name, finder))
    return cuts


def card_view(sheet: Sheet, number: int) -> tuple[Image, Quad]:
    """The card of that number cut out upright, with its surroundings, and its quad there."""
    card = sheet.cards[number]
    others = [one.quad for k, one in enumerate(sheet.cards) if k != number]
    to, size = _view(card.quad, others, sheet.bgr.shape)
    return _warped(sheet.bgr, to, size), _mapped(card.quad, to)


def _cut(
    sheet: Sheet, card: SheetCard, others: Sequence[Quad], face: str, name: str, finder: Finder
) -> CutCard:
    to, size = _view(card.quad, others, sheet.bgr.shape)
    quad = _mapped(card.quad, to)
    around = [_mapped(one, to) for one in others]
    taken = _alone(_warped(sheet.bgr, to, size), quad, around)
    even = None if sheet.even is None else _alone(_warped(sheet.even, to, size), quad, around)
    seen = taken if even is None else even
    regions = segment(seen)
    located = _own(finder.locate(seen, regions), quad)
    photograph = Photograph(face, Path(sheet.where), seen, located, regions,
                            None if even is None else taken, name, 1.0, card.doubt)  # fmt: skip
    return CutCard(photograph, to, card.is_given, card.quad)


def _own(located: Located, place: Quad) -> Located:
    """What is found at the card's place; if there is nothing, the place itself."""
    own = np.array([geometry.iou(quad, place) >= OWN for quad in located.quads], bool)
    if not own.any():
        return Located(place[None], np.array([PLACED]))
    return Located(located.quads[own], located.scores[own])


def _view(
    quad: Quad, others: Sequence[Quad], shape: tuple[int, ...]
) -> tuple[Matrix, tuple[int, int]]:
    """The similarity (3, 3) that turns the card upright, and the size (W, H) px of the cut: the
    card with table around it, less where a neighbour or the picture's edge is near."""
    angle = float(np.arctan2(*(quad[1] - quad[0] + quad[2] - quad[3])[::-1]))
    c, s = np.cos(-angle), np.sin(-angle)
    scale = min(1.0, CARD_PX / geometry.length(quad))
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) * [[scale], [scale], [1]]
    own = _mapped(quad, turn)
    low, high = own.min(0), own.max(0)
    short = float((high - low).min())
    margins = np.full(4, MARGIN * short)  # left, above, right, below
    for other in (_mapped(one, turn) for one in others):
        gaps = np.array([*(low - other.max(0)), *(other.min(0) - high)])
        side = int(gaps.argmax())
        if gaps[side] < MARGIN * short:
            margins[side] = min(margins[side], CLEAR * max(0.0, float(gaps[side])))
    margins = np.maximum(margins, LEAST_MARGIN * short)
    low, high = np.floor(low - margins[:2]), np.ceil(high + margins[2:])
    limits = _mapped(np.array([[0, 0], [shape[1], 0], [shape[1], shape[0]], [0, shape[0]]],
                              np.float32), turn)  # fmt: skip
    low, high = np.maximum(low, limits.min(0)), np.minimum(high, limits.max(0))
    shift = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]])
    width, height = (max(8, int(side)) for side in high - low)
    return shift @ turn, (width, height)


def _alone(bgr: Image, quad: Quad, others: Sequence[Quad]) -> Image:
    """The cut with table in the place of neighbours."""
    mask = np.zeros(bgr.shape[:2], np.uint8)
    for other in others:
        grown = geometry.scaled(other, 1 + 2 * NEIGHBOUR)
        cv2.fillConvexPoly(mask, np.rint(grown).astype(np.int32), 255)
    cv2.fillConvexPoly(mask, np.rint(geometry.scaled(quad, 1 + NEIGHBOUR)).astype(np.int32), 0)
    if not mask.any():
        return bgr
    scale = min(1.0, PAINT_PX / max(bgr.shape[:2]))
    small = np.asarray(cv2.resize(bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))
    holes = cv2.resize(mask, small.shape[1::-1], interpolation=cv2.INTER_NEAREST)
    card = np.zeros(mask.shape, np.uint8)
    cv2.fillConvexPoly(card, np.rint(geometry.scaled(quad, 1 + NEIGHBOUR)).astype(np.int32), 255)
    # The card itself is a hole as well: its colours must not run into the table.
    holes = np.maximum(holes, cv2.resize(card, small.shape[1::-1]))
    if (holes > 0).all():
        return bgr
    table = cv2.resize(cv2.inpaint(small, holes, 3, cv2.INPAINT_TELEA), bgr.shape[1::-1])
    return np.asarray(np.where(mask[..., None] > 0, table, bgr), np.uint8)


def _warped(bgr: Image, to: Matrix, size: tuple[int, int]) -> Image:
    scale = float(np.sqrt(abs(np.linalg.det(to[:2, :2]))))
    if scale < 0.6:  # warping alone would alias
        small = cv2.resize(bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        to = to @ np.diag([bgr.shape[1] / small.shape[1], bgr.shape[0] / small.shape[0], 1.0])
        bgr = np.asarray(small, np.uint8)
    warped = cv2.warpPerspective(bgr, pixel_warp(to), size, flags=cv2.INTER_CUBIC,
                                 borderMode=cv2.BORDER_REPLICATE)  # fmt: skip
    return np.asarray(warped, np.uint8)


def _mapped(points: npt.NDArray[np.float32], to: Matrix) -> npt.NDArray[np.float32]:
    moved = cv2.perspectiveTransform(points[None].astype(np.float64), to)[0]
    return np.asarray(moved, np.float32)


def _reduced(bgr: Image, longest: int) -> Image:
    less = longest / max(bgr.shape[:2])
    if less >= 1:
        return bgr
    small = cv2.resize(bgr, None, fx=less, fy=less, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def _key(quad: Quad) -> tuple[int, int]:
    """The same for a quad and its rotations of corners."""
    x, y = np.rint(quad.sum(0) * 4).astype(int)
    return int(x), int(y)
