"""Teaching pictures from files: photographs of one card each, or flat art."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from calibration.deck.card_selection import DeckShape, estimate_shape, select_card
from calibration.deck.corner_consensus import settle_corners
from calibration.deck.orientation import turned_upright
from calibration.deck.outline import with_outlines
from calibration.deck.picture_quality import LIMITS, flaw
from calibration.deck.proposals import Finder
from calibration.deck.segmentation import Image, Region, segment
from calibration.deck.teach import TeachingPicture, picture_of_art, upright
from models.picture_file import has_alpha, read_art, read_picture
from rules.errors import FairdealError
from vision.geometry import Quad
from vision.sightings import Located

STRANGE = 0.8  # least probability of a card whose corners no other picture confirms
LARGEST_PX = 1600  # longer side of a picture that is kept: a deck must fit into a Pi's memory
ART_ASPECTS = 1.15, 1.75  # height / width of a file that may be flat art
ART_NEAR = 0.08  # relative difference to the deck's aspect, if that is known

Refuse = Callable[[FairdealError], None]


@dataclass(frozen=True, slots=True, eq=False)
class Photograph:
    """A file's picture (H, W, 3) BGR, all cards found in it, and the regions of its segmentation.

    Flat art has None for the cards, and may have an alpha channel.
    """

    face: str
    path: Path
    bgr: Image
    located: Located | None
    regions: tuple[Region, ...] = ()


def read_pictures(
    files: Iterable[tuple[str, Path]], finder: Finder, aspect: float | None, refuse: Refuse
) -> list[TeachingPicture]:
    """Teaching pictures from files with their faces; the reason for each other file goes to
    `refuse`. aspect: height / width of the cards, if known."""
    photographs = []
    for face, path in files:
        try:
            photographs.append(_photograph(face, path, finder, aspect))
        except FairdealError as error:
            refuse(error)
    return select_pictures(photographs, aspect, refuse)


def select_pictures(
    photographs: list[Photograph], aspect: float | None, refuse: Refuse
) -> list[TeachingPicture]:
    """The usable photographs with final corners. All pictures of the deck vote on shape, size,
    outline and corners; the reason for each other photograph goes to `refuse`."""
    shape = estimate_shape(_single_cards(photographs, aspect), aspect)
    are_photographs = any(one.located is not None for one in photographs)
    taken = []
    for one in photographs:
        try:
            if are_photographs and one.located is None and one.path.suffix.lower() != ".png":
                raise _no_card(one)  # an upright photograph of a bare table has the shape of art
            taken.append((one, *_selected(one, shape)))
        except FairdealError as error:
            refuse(error)
    outlined = with_outlines([p for _, p, _ in taken], [one.regions for one, _, _ in taken])
    has_outline = any(picture.outline is not None for picture in outlined)
    settled = settle_corners(outlined)
    pictures = []
    for (one, _, probability), last in zip(taken, settled, strict=True):
        try:
            is_odd = has_outline and last.picture.outline is None
            if is_odd or (last.is_strange and probability < STRANGE):
                raise _doubtful(one)
            _check_quality(one, last.picture)
            pictures.append(last.picture)
        except FairdealError as error:
            refuse(error)
    return turned_upright(pictures)


def _single_cards(
    photographs: list[Photograph], aspect: float | None
) -> Iterator[tuple[Quad, tuple[int, ...]]]:
    """The cards of photographs that show one card, and these pictures' shapes."""
    for one in photographs:
        if one.located is not None:
            card = select_card(one.located, DeckShape(aspect), one.bgr.shape)
            if card is not None and not card.others:
                yield card.quad, one.bgr.shape


def _photograph(face: str, path: Path, finder: Finder, aspect: float | None) -> Photograph:
    bgr = read_picture(path, LARGEST_PX)
    if has_alpha(path):
        art = read_art(path)
        return Photograph(face, path, art, None, segment(picture_of_art(face, art).bgr))
    h, w = bgr.shape[:2]
    if min(h, w) < LIMITS.side_px:
        raise FairdealError(f"a picture of {LIMITS.side_px} px or more", f"{w}×{h} px",
                            "photograph the card closer", str(path))  # fmt: skip
    if float(bgr.mean()) < LIMITS.mean_level:
        raise FairdealError("a picture bright enough to see", f"a mean of {bgr.mean():.0f} of 255",
                            "more light", str(path))  # fmt: skip
    if max(h, w) > LARGEST_PX:
        scale = LARGEST_PX / max(h, w)
        small = cv2.resize(bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        bgr = np.asarray(small, np.uint8)
    regions = segment(bgr)
    located = finder.locate(bgr, regions)
    if _may_be_art(h / w, aspect):
        is_png = path.suffix.lower() == ".png"
        if is_png or select_card(located, DeckShape(), bgr.shape) is None:
            return Photograph(face, path, bgr, None)
    return Photograph(face, path, bgr, located, regions)


def _selected(one: Photograph, shape: DeckShape) -> tuple[TeachingPicture, float]:
    """The teaching picture, and the probability that its quad is the card, 0..1."""
    if one.located is None:
        return picture_of_art(one.face, one.bgr), 1.0
    card, where = select_card(one.located, shape, one.bgr.shape), str(one.path)
    if card is None:
        raise _no_card(one)
    if card.others:
        raise FairdealError("one card", f"{1 + card.others} cards", "photograph each face alone",
                            where)  # fmt: skip
    if not card.is_likely:
        raise _doubtful(one)
    return TeachingPicture(one.face, one.bgr, upright(card.quad, shape.aspect)), card.chance


def _check_quality(one: Photograph, picture: TeachingPicture) -> None:
    """FairdealError if the card is cut off, small, out of focus, or not alone."""
    if one.located is None:
        return
    found = flaw(one.bgr, picture.quad, picture.outline, one.regions)
    if found is not None:
        raise FairdealError(found.expected, found.found, found.todo, str(one.path))


def _no_card(one: Photograph) -> FairdealError:
    return FairdealError("one card on a table, or flat art", "no card",
                         "photograph the card alone", str(one.path))  # fmt: skip


def _doubtful(one: Photograph) -> FairdealError:
    return FairdealError("a card whose edges stand out", "edges that may be its picture's",
                         "photograph it once more, on a plain ground", str(one.path))  # fmt: skip


def _may_be_art(shape: float, aspect: float | None) -> bool:
    if aspect is not None:
        return abs(shape / aspect - 1) < ART_NEAR
    return ART_ASPECTS[0] < shape < ART_ASPECTS[1]
