"""Teaching pictures from files: photographs of one card each, or flat art."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from calibration.deck.card_selection import DeckShape, estimate_shape, select_card
from calibration.deck.corner_consensus import settle_corners
from calibration.deck.teach import TeachingPicture, picture_of_art, upright
from rules.errors import FairdealError
from vision.geometry import Quad
from vision.recognition.closeup import Closeup
from vision.sightings import Located

SMALLEST_PX = 60
DARKEST = 18  # mean grey level
STRANGE = 0.8  # least chance of a card that is unlike its deck's others
LARGEST_PX = 1600  # a telephone's photographs of a whole deck would fill a Pi's memory


@dataclass(frozen=True, slots=True, eq=False)
class Photograph:
    """A file's picture (H, W, 3) BGR and all cards found in it; none of flat art."""

    face: str
    path: Path
    bgr: np.ndarray
    located: Located | None


def read_pictures(
    files: Iterable[tuple[str, Path]],
    closeup: Closeup,
    aspect: float | None,
    refuse: Callable[[FairdealError], None],
) -> list[TeachingPicture]:
    """The pictures of faces, each from the file beside its name; why a file is of no use is told
    to `refuse`. `aspect`: the cards' height / width where it is known; else most of them tell it
    to the few in which something else looks like a card."""
    looked = []
    for face, path in files:
        try:
            looked.append(_looked(face, path, closeup, aspect))
        except FairdealError as error:
            refuse(error)
    return select_pictures(looked, aspect, refuse)


def select_pictures(
    looked: list[Photograph], aspect: float | None, refuse: Callable[[FairdealError], None]
) -> list[TeachingPicture]:
    """The pictures of those photographs that may be taught, judged by each other, each with its
    true corners; why one is of no use is told to `refuse`."""
    usual = estimate_shape(_alone(looked, aspect), aspect)
    taken = []
    for one in looked:
        try:
            taken.append((one, *_taken(one, usual)))
        except FairdealError as error:
            refuse(error)
    settled = settle_corners([picture for _, picture, _ in taken])
    pictures = []
    for (one, _, chance), said in zip(taken, settled, strict=True):
        if chance >= STRANGE or not said.is_strange:
            pictures.append(said.picture)
        else:
            refuse(_doubtful(one))
    return pictures


def _alone(
    looked: list[Photograph], aspect: float | None
) -> Iterator[tuple[Quad, tuple[int, ...]]]:
    """The only cards of their photographs, and these' shapes."""
    for one in looked:
        if one.located is not None:
            card = select_card(one.located, DeckShape(aspect), one.bgr.shape)
            if card is not None and not card.others:
                yield card.quad, one.bgr.shape


def _looked(face: str, path: Path, closeup: Closeup, aspect: float | None) -> Photograph:
    bgr = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if bgr is None:
        raise FairdealError(
            "a picture (jpg or png)", "a file that is none", "replace it", str(path)
        )
    h, w = bgr.shape[:2]
    if min(h, w) < SMALLEST_PX:
        raise FairdealError(f"a picture of {SMALLEST_PX} px or more", f"{w}×{h} px",
                            "photograph the card closer", str(path))  # fmt: skip
    if float(bgr.mean()) < DARKEST:
        raise FairdealError("a picture bright enough to see", f"a mean of {bgr.mean():.0f} of 255",
                            "more light", str(path))  # fmt: skip
    if max(h, w) > LARGEST_PX:
        scale = LARGEST_PX / max(h, w)
        bgr = cv2.resize(bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    located = closeup.locate(bgr)
    if _is_art(h / w, aspect):
        is_png = path.suffix.lower() == ".png"
        if is_png or select_card(located, DeckShape(), bgr.shape) is None:
            return Photograph(face, path, bgr, None)
    return Photograph(face, path, bgr, located)


def _taken(one: Photograph, usual: DeckShape) -> tuple[TeachingPicture, float]:
    """The picture to be taught, and the chance that its card is one, 0..1."""
    if one.located is None:
        return picture_of_art(one.face, one.bgr), 1.0
    card, where = select_card(one.located, usual, one.bgr.shape), str(one.path)
    if card is None:
        raise FairdealError("one card on a table, or flat art", "no card",
                            "photograph the card alone", where)  # fmt: skip
    if card.others:
        raise FairdealError("one card", f"{1 + card.others} cards", "photograph each face alone",
                            where)  # fmt: skip
    if not card.is_likely:
        raise _doubtful(one)
    return TeachingPicture(one.face, one.bgr, upright(card.quad, usual.aspect)), card.chance


def _doubtful(one: Photograph) -> FairdealError:
    return FairdealError("a card whose edges stand out", "edges that may be its picture's",
                         "photograph it once more, on a plain ground", str(one.path))  # fmt: skip


def _is_art(shape: float, aspect: float | None) -> bool:
    return abs(shape / aspect - 1) < 0.08 if aspect else 1.15 < shape < 1.75
