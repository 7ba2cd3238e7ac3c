"""Cards that were seen clearly in play join a deck: named again by the taught pictures alone, few
a face, and none by which another taught picture would change its name.

A taught picture is never replaced. What cannot be told from a look-alike is not learned.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import reduce

import cv2
import numpy as np

from calibration.deck.ends import with_outline
from calibration.deck.history import keep_state
from calibration.deck.teach import TABLE, TeachingPicture, build_gallery, near_twins
from models.deck import SHIPPED, Deck
from models.gallery import BACK, Gallery, load_gallery
from models.learned import Learned, Origin, load_learned
from rules.errors import FairdealError
from vision.frame import Image
from vision.geometry import Quad, iou
from vision.networks.embedder import Embedder
from vision.recognition.confidence import Confidence
from vision.recognition.judge import Judge
from vision.recognition.recognised import Recognised
from vision.recognition.recogniser import Recogniser


@dataclass(frozen=True, slots=True)
class LearningLimits:
    """What a picture from the table must show. Probabilities, cosines, IoU; counts."""

    per_face: int = 2  # learned pictures; the newest that look different
    looked_at: int = 4  # newest candidates of a face that are checked at all
    sure: float = 0.95  # probability of its name by the taught pictures alone
    over_twins: float = 0.98  # probability that it shows no look-alike of that face
    margin: float = 0.1  # cosine to its own face over that to the nearest other one
    place: float = 0.85  # IoU of where it was seen and where its picture matches
    same: float = 0.97  # cosine above which a picture says nothing new
    rivals: int = 3  # nearest other faces whose taught pictures are named again


LIMITS = LearningLimits()
SOFT_PX = 2.0  # of a template; the blur at which a taught picture is named again
DIM = 0.6  # factor of its light


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """A card as play saw it: its face, a picture (H, W, 3) of the upright card with table around
    it, its corners (4, 2) px there, and where that comes from."""

    face: str
    picture: Image
    quad: Quad
    origin: Origin


@dataclass(frozen=True, slots=True)
class Lesson:
    """What came of it: how many pictures of each face are new, how many candidates were refused by
    reason, and how many pictures from the table the deck has now."""

    new: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    total: int = 0


class Lessons:
    """Checks candidates against one taught deck, and chooses among them. `until`: time (s) of the
    `clock` at which checking ends; what is left then is not learned."""

    def __init__(
        self, deck: Deck, taught: Gallery, embedder: Embedder,
        until: float = float("inf"), clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self._deck, self._taught, self._embedder = deck, taught, embedder
        self._until, self._clock = until, clock
        self._confidence = Confidence.load()
        self._judge = Judge(self._confidence)
        self._recogniser = self._with(None)
        self._twins = {face for pair in near_twins(taught, embedder) for face in pair[:2]}
        self.refused: Counter[str] = Counter()

    def chosen(self, seen: Iterable[Seen], known: Learned | None) -> Learned | None:
        """Of the candidates and what is known already, at most a few pictures a face, the newest
        first. Returns None where no picture passes."""
        pictures: list[tuple[Gallery, Origin]] = []
        for one in self._in_turn(seen):
            if self._clock() > self._until:
                self.refused["no time"] += 1
                continue
            outlined = with_outline(
                TeachingPicture(one.face, one.picture, one.quad), self._taught.outline
            )
            gallery = build_gallery([outlined], self._embedder)
            if self._is_new(gallery, pictures) and self._is_clear(one):
                pictures.append((gallery, one.origin))
        fresh = len(pictures)
        for k, origin in enumerate(known.origins if known is not None else ()):
            assert known is not None
            if self._is_new(known.gallery.of([k]), pictures):
                pictures.append((known.gallery.of([k]), origin))
        pictures = self._harmless(pictures, fresh)
        if not pictures:
            return None
        return Learned(_as_one(pictures), tuple(origin for _, origin in pictures))

    def _in_turn(self, seen: Iterable[Seen]) -> list[Seen]:
        """The last few candidates of each taught face: the newest of all faces, then the next."""
        count: Counter[str] = Counter()
        kept = []
        for one in sorted(seen, key=lambda one: -one.origin.at):
            count[one.face] += 1
            is_taught = one.face != BACK and one.face in self._taught.faces
            if is_taught and count[one.face] <= LIMITS.looked_at:
                kept.append((count[one.face], one))
        return [one for _, one in sorted(kept, key=lambda pair: pair[0])]

    def _is_new(self, gallery: Gallery, pictures: list[tuple[Gallery, Origin]]) -> bool:
        """Whether a picture looks different from the taught and chosen ones of its face, of which
        there are not too many yet."""
        face, vector = gallery.faces[0], gallery.vectors[0]
        mine = [other.vectors[0] for other, _ in pictures if other.faces[0] == face]
        taught = self._taught.vectors[[name == face for name in self._taught.faces]]
        if len(mine) >= LIMITS.per_face or not len(taught):
            return False
        return float((np.array([*taught, *mine]) @ vector).max()) < LIMITS.same

    def _is_clear(self, one: Seen) -> bool:
        """Whether the taught pictures alone name it so, clearly. Faces that have a near twin may be
        misread twice in the same way, however sure: they learn nothing."""
        if one.face in self._twins:
            reason = "a near twin"
        else:
            found = self._recogniser.recognise(one.picture, one.quad[None])
            reason = self._doubt(one, found[0]) if found else "not found"
        if reason:
            self.refused[reason] += 1
        return not reason

    def _doubt(self, one: Seen, found: Recognised) -> str:
        seen = found.evidence
        if found.face != one.face:
            return "another name"
        if not self._judge.is_named(found) or self._judge.sure(found) < LIMITS.sure:
            return "not sure"
        if self._confidence.over_twins(seen) < LIMITS.over_twins:
            return "a look-alike"
        if seen.similarity_margin < LIMITS.margin:
            return "near another face"
        return "" if iou(found.quad, one.quad) >= LIMITS.place else "not found"

    def _harmless(
        self, pictures: list[tuple[Gallery, Origin]], fresh: int
    ) -> list[tuple[Gallery, Origin]]:
        """The pictures without those of faces as which a taught picture of another face would be
        named: sharp, soft or dim. Of the first ones, the `fresh`, those that there is no time to
        check are left out."""
        if not fresh:
            return pictures
        gallery = _as_one(pictures)
        after = self._with(gallery)
        bad: set[str] = set()
        checked: set[int] = set()
        for k in range(fresh):
            if self._clock() > self._until:
                bad |= set(gallery.faces[k:fresh])
                break
            for rival in self._rivals(gallery, k) - checked:
                checked.add(rival)
                bad |= self._changed(rival, after)
        self.refused += Counter(
            "another face changes" for face in gallery.faces[:fresh] if face in bad
        )
        return [one for one in pictures if one[0].faces[0] not in bad]

    def _rivals(self, gallery: Gallery, number: int) -> set[int]:
        """The taught pictures of other faces that are nearest to a learned one."""
        alike = self._taught.vectors @ gallery.vectors[number]
        alike[[name == gallery.faces[number] for name in self._taught.faces]] = -1.0
        return {int(k) for k in np.argsort(-alike)[: LIMITS.rivals]}

    def _changed(self, number: int, after: Recogniser) -> set[str]:
        """The wrong faces as which a taught picture is named only with what was learned. What the
        taught pictures name is never named otherwise."""
        picture = self._taught.templates[number]
        h, w = picture.shape[:2]
        pad = h // 4
        quad = np.array([[[0, 0], [w, 0], [w, h], [0, h]]], np.float32) + pad
        found = set()
        for look in _looks(picture):
            frame = cv2.copyMakeBorder(look, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=TABLE)
            bgr = np.asarray(frame, np.uint8)
            if self._judge.is_named(self._recogniser.recognise(bgr, quad)[0]):
                continue
            now = after.recognise(bgr, quad)[0]
            found |= {now.face} if self._judge.is_learned(now) else set()
        return found - {self._taught.faces[number]}

    def _with(self, learned: Gallery | None) -> Recogniser:
        deck = self._deck
        aspect = deck.height_mm / deck.width_mm
        known = self._taught if learned is None else self._taught.joined(learned)
        return Recogniser(known, deck.outline, aspect, self._embedder)


def _as_one(pictures: list[tuple[Gallery, Origin]]) -> Gallery:
    return reduce(Gallery.joined, (gallery for gallery, _ in pictures))


def _looks(picture: Image) -> tuple[Image, ...]:
    """A taught picture as it is, soft, small, dim, and dim and soft."""
    soft = np.asarray(cv2.GaussianBlur(picture, (0, 0), SOFT_PX), np.uint8)
    h, w = picture.shape[:2]
    quarter = cv2.resize(picture, (w // 4, h // 4), interpolation=cv2.INTER_AREA)
    small: Image = np.asarray(cv2.resize(quarter, (w, h), interpolation=cv2.INTER_LINEAR), np.uint8)
    dim, both = (np.rint(one * DIM).astype(np.uint8) for one in (picture, soft))
    return picture, soft, small, dim, both


def check_can_learn(deck: Deck) -> None:
    """FairdealError for a shipped deck, and for one that lacks faces: a card of such a face may
    pass for its look-alike."""
    if deck.folder.resolve().parent == SHIPPED.resolve():
        raise FairdealError("a deck of your own to learn into", f"the shipped deck {deck.name}",
                            "teach your cards with `fairdeal calibrate deck`")  # fmt: skip
    if deck.missing:
        raise FairdealError("a deck with all its faces to learn into",
                            f"{deck.name} without {deck.missing[0]}", "teach the rest")  # fmt: skip


def learn(
    deck: Deck, seen: Sequence[Seen], embedder: Embedder, within_s: float = float("inf")
) -> Lesson:
    """Writes into the deck's folder what it learns from candidates, checked within so many seconds;
    what it was is kept as a state of its history. FairdealError as `check_can_learn`, and for a
    folder that cannot be written."""
    check_can_learn(deck)
    taught = load_gallery(deck.taught, embedder.checksum)
    known = load_learned(deck.learned, embedder.checksum)
    lessons = Lessons(deck, taught, embedder, time.monotonic() + within_s)
    chosen = lessons.chosen(seen, known)
    if chosen is None:
        return Lesson(refused=lessons.refused)
    before = set(known.origins) if known is not None else set()
    pictures = zip(chosen.gallery.faces, chosen.origins, strict=True)
    new = Counter(face for face, origin in pictures if origin not in before)
    if new:
        keep_state(deck.folder)
        chosen.save(deck.learned)
    return Lesson(new, lessons.refused, len(chosen.origins))
