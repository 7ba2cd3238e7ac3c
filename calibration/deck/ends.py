"""The three ends of a teaching picture: taken, asked, unusable; and a person's answers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import cv2
import numpy as np

from calibration.deck.rectangle_fit import fit_rectangle
from calibration.deck.teach import TeachingPicture
from models.crop import rectangle
from rules.errors import FairdealError
from vision.frame import Image
from vision.geometry import Quad


@dataclass(frozen=True, slots=True, eq=False)
class Taken:
    """A picture whose card is found surely, or that a person has confirmed. scale: px of the
    picture for one of its file."""

    name: str
    picture: TeachingPicture
    scale: float = 1.0

    def with_corners(self, corners: Quad) -> "Taken":
        """The picture with other corners, as `Asked.with_corners`."""
        return _laid(self.name, self.face, self.picture.bgr, corners, self.scale)

    @property
    def face(self) -> str:
        """The face that it teaches."""
        return self.picture.face


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """A picture that may be taught once a person says where its card is.

    name: of the picture: its face, or `<face>.2` for a second one. bgr: as taken, (H, W, 3), at
    `scale` px for one of its file. proposals: outlines of the card in `bgr`, the best first; there
    may be none. reason: what is doubtful.
    """

    name: str
    face: str
    bgr: Image
    proposals: tuple[TeachingPicture, ...]
    reason: FairdealError
    scale: float = 1.0

    def accepted(self, number: int = 0) -> Taken:
        """The picture with the proposal of that number, 0 the best."""
        return Taken(self.name, self.proposals[number], self.scale)

    def with_corners(self, corners: Quad) -> Taken:
        """The picture with its card at corners (4, 2) px of its file, clockwise from the upper left
        of the upright card; each side is laid on the edge near it."""
        return _laid(self.name, self.face, self.bgr, corners, self.scale)


def _laid(name: str, face: str, bgr: Image, corners: Quad, scale: float) -> Taken:
    quad = np.asarray(corners, np.float32) * np.float32(scale)
    return Taken(name, fit_rectangle(TeachingPicture(face, bgr, quad))[0], scale)


@dataclass(frozen=True, slots=True)
class Unusable:
    """A picture that shows no card to a person either; the reason says what to do."""

    name: str
    face: str
    reason: FairdealError


End = Taken | Asked | Unusable


@dataclass(frozen=True, slots=True)
class Answers:
    """What a person says of the asked pictures, by their names.

    accepted: the number of the right proposal, 0 the best. corners: (4, 2) px of the picture's
    file. is_yes: the best proposal of every picture is right.
    """

    accepted: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    corners: Mapping[str, Quad] = field(default_factory=lambda: MappingProxyType({}))
    is_yes: bool = False

    @property
    def names(self) -> set[str]:
        """The pictures that are named."""
        return {*self.accepted, *self.corners}

    def __bool__(self) -> bool:
        """Whether anything is answered."""
        return self.is_yes or bool(self.names)

    def settled(self, ends: Sequence[End]) -> list[End]:
        """The ends as the person wants them; those not answered stay.

        Raises FairdealError for an answer to no picture, and for a proposal that there is not.
        """
        names = {end.name for end in ends if not isinstance(end, Unusable)}
        strange = sorted(self.names - names)
        if strange:
            asked = ", ".join(end.name for end in ends if isinstance(end, Asked)) or "none"
            raise FairdealError(f"an asked picture ({asked})", ascii(strange[0]), "name another")
        return [self._settled(end) for end in ends]

    def _settled(self, end: End) -> End:
        if end.name in self.corners and not isinstance(end, Unusable):
            return end.with_corners(self.corners[end.name])
        if not isinstance(end, Asked):
            return end
        if end.name in self.accepted:
            number = self.accepted[end.name]
            if number >= len(end.proposals):
                raise FairdealError(
                    f"one of {len(end.proposals)} proposed outlines", f"number {number + 1}",
                    f"give --corners {end.name}=x,y,x,y,x,y,x,y", end.name,
                )  # fmt: skip
            return end.accepted(number)
        return end.accepted() if self.is_yes and end.proposals else end


NO_ANSWERS = Answers()


def read_answers(accepted: Iterable[str], corners: Iterable[str], is_yes: bool = False) -> Answers:
    """Answers from their words: `hat`, `hat=2` (the second proposal), `hat=x,y,x,y,x,y,x,y`; names
    may be joined by commas. FairdealError for other words."""
    numbers = {}
    for words in accepted:
        for word in filter(None, words.split(",")):
            name, _, number = word.partition("=")
            if number and not (number.isdecimal() and 0 < int(number) < 100):
                raise FairdealError(
                    "FACE or FACE=NUMBER with --accept", ascii(word), "numbers stand on the sheet"
                )
            numbers[name] = int(number or 1) - 1
    return Answers(numbers, dict(map(_named_corners, corners)), is_yes)


def _named_corners(word: str) -> tuple[str, Quad]:
    name, _, text = word.partition("=")
    try:
        quad = np.array([float(part) for part in text.split(",")], np.float32).reshape(4, 2)
    except ValueError:
        quad = np.zeros((4, 2), np.float32)
    area = float(cv2.contourArea(quad, oriented=True)) if np.isfinite(quad).all() else 0.0
    if not name or area <= 0 or not cv2.isContourConvex(quad):
        raise FairdealError(
            "FACE=x,y,x,y,x,y,x,y with --corners", ascii(word)[:80],
            "name the corners in px, clockwise from the card's upper left",
        )  # fmt: skip
    return name, quad


def with_outline(picture: TeachingPicture, outline: np.ndarray | None) -> TeachingPicture:
    """The picture with the deck's common outline (P, 2), in shares of the card's rectangle, where
    it has none of its own. None: the deck's cards are rectangles."""
    if outline is None or picture.outline is not None:
        return picture
    to = cv2.getPerspectiveTransform(rectangle(1, 1), picture.quad.astype(np.float32))
    points = cv2.perspectiveTransform(outline[None].astype(np.float32), to)[0]
    return replace(picture, outline=np.asarray(points, np.float32))
