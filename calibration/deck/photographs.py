"""Teaching pictures as read from their files: photographs of one card each, or flat art."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from calibration.deck.card_selection import DeckShape, select_card
from calibration.deck.deck_files import numbered
from calibration.deck.ends import Unusable
from calibration.deck.picture_quality import LIMITS
from calibration.deck.proposals import Finder
from calibration.deck.segmentation import Image, Region, segment
from calibration.deck.table_pattern import without_pattern
from calibration.deck.teach import picture_of_art
from models.picture_file import has_alpha, longer_side, read_art, read_picture
from rules.errors import FairdealError
from vision import geometry
from vision.geometry import Quad
from vision.sightings import Located

LARGEST_PX = 1600  # longer side of a picture that is kept: a deck must fit into a Pi's memory
ART_ASPECTS = 1.15, 1.75  # height / width of a file that may be flat art
CENTRED = 0.012  # of the longer side: how far a frame's corners are from those opposite, mirrored
STRAIGHT = 0.985  # area of a frame in its upright box
ART_NEAR = 0.08  # relative difference to the deck's aspect, if that is known


@dataclass(frozen=True, slots=True, eq=False)
class Photograph:
    """A file's picture (H, W, 3) BGR, all cards found in it, and the regions of its segmentation.

    Flat art has None for the cards, and may have an alpha channel. `taken`: the picture as it was
    taken, if a periodic pattern of the table has been removed from `bgr`. `name`: the face, or
    `<face>.2` for a second picture. `scale`: px of `bgr` for one of the file. `doubt`: why it must
    be asked, whatever it shows.
    """

    face: str
    path: Path
    bgr: Image
    located: Located | None
    regions: tuple[Region, ...] = ()
    taken: Image | None = None
    name: str = ""
    scale: float = 1.0
    doubt: FairdealError | None = None

    @property
    def as_taken(self) -> Image:
        """The picture with the table as it is."""
        return self.bgr if self.taken is None else self.taken


def read_photographs(
    files: Iterable[tuple[str, Path]], finder: Finder, aspect: float | None
) -> list[Photograph | Unusable]:
    """The pictures of files with their faces, all cards found in them; a file that shows nothing is
    unusable. aspect: height / width of the cards, if known."""
    files = list(files)
    found: list[Photograph | Unusable] = []
    for name, (face, path) in zip(numbered(face for face, _ in files), files, strict=True):
        try:
            found.append(_photograph(name, face, path, finder, aspect))
        except FairdealError as error:
            found.append(Unusable(name, face, error))
    return found


def view(one: Photograph) -> Image:
    """The picture (H, W, 3) BGR in which its card is taught: flat art on a plain table."""
    return one.bgr if one.located is not None else picture_of_art(one.face, one.bgr).bgr


def _photograph(
    name: str, face: str, path: Path, finder: Finder, aspect: float | None
) -> Photograph:
    bgr = read_picture(path, LARGEST_PX)
    if has_alpha(path):
        art = read_art(path)
        return Photograph(face, path, art, None, segment(picture_of_art(face, art).bgr), name=name)
    h, w = bgr.shape[:2]
    if min(h, w) < LIMITS.side_px:
        raise FairdealError(f"a picture of {LIMITS.side_px} px or more", f"{w}×{h} px",
                            "photograph the card closer", str(path))  # fmt: skip
    if float(bgr.mean()) < LIMITS.mean_level:
        raise FairdealError("a picture bright enough to see", f"a mean of {bgr.mean():.0f} of 255",
                            "more light", str(path))  # fmt: skip
    if max(h, w) > LARGEST_PX:
        less = LARGEST_PX / max(h, w)
        small = cv2.resize(bgr, None, fx=less, fy=less, interpolation=cv2.INTER_AREA)
        bgr = np.asarray(small, np.uint8)
    scale = max(bgr.shape[:2]) / longer_side(path)
    even = without_pattern(bgr)
    seen = bgr if even is None else even
    regions = segment(seen)
    located = finder.locate(seen, regions)
    if _may_be_art(h / w, aspect):
        card = select_card(located, DeckShape(), bgr.shape)
        is_png = path.suffix.lower() == ".png"
        if card is None or (is_png and _is_frame(card.quad, bgr.shape)):
            return Photograph(face, path, bgr, None, name=name, scale=scale)
    taken = None if even is None else bgr
    return Photograph(face, path, seen, located, regions, taken, name, scale)


def _is_frame(quad: Quad, shape: tuple[int, ...]) -> bool:
    """Whether the quad is a printed frame in flat art of that shape: it lies in its very middle,
    as no photograph has its card."""
    mirrored = np.array(shape[1::-1], np.float32) - quad
    apart = np.linalg.norm(quad[:, None] - mirrored[None], axis=2).min(1).max()
    box = np.array([quad.min(0), quad.max(0)])
    is_straight = geometry.area(quad) > STRAIGHT * float(np.prod(box[1] - box[0]))
    return bool(apart < CENTRED * max(shape[:2]) and is_straight)


def _may_be_art(shape: float, aspect: float | None) -> bool:
    if aspect is not None:
        return abs(shape / aspect - 1) < ART_NEAR
    return ART_ASPECTS[0] < shape < ART_ASPECTS[1]
