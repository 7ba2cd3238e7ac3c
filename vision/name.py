"""Names located cards: corners refined, set upright, nearest taught vector, a second look."""

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from models.crop import cut, cut_to
from models.gallery import Gallery
from models.weights import CORNERS, NAMER
from vision import second_look
from vision.corners import BATCH, IS_CARD, Corners, as_input, other_extents
from vision.engine import Engine
from vision.evidence import Confidence, Evidence
from vision.locate import standing
from vision.sightings import BACK, NOTHING, UNKNOWN

VERSION = 1
CANDIDATES = 5  # faces that a second look compares
CLEAR = 0.25  # a face less alike than the best by this is no candidate
SURE = 0.7  # least confidence of a name
LIKE = 0.04  # least confidence of what is somewhat like a card of the deck
CLEAR_CORNERS = 0.4  # least probability that the corners of a card without a name are right


@dataclass(frozen=True, slots=True, eq=False)
class Named:
    """Faces of N cards ("nothing" where none lies) with confidences (N,) 0..1, quads (N, 4, 2) px
    from the upright face's top-left corner clockwise, and face_up (N,) bool."""

    faces: tuple[str, ...]
    confidences: np.ndarray
    quads: np.ndarray
    face_up: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Examined:
    """One card: its likeliest face, what speaks for it, its upright quad (4, 2) px, and how surely
    a card lies there at all, 0..1."""

    face: str
    evidence: Evidence
    quad: np.ndarray
    is_card: float


class Embedder:
    """The networks that look at single cards: crops to true corners, and crops to vectors."""

    def __init__(self, threads: int = 1, namer: Path = NAMER, corners: Path = CORNERS) -> None:
        self._namer = Engine(namer, VERSION, threads)
        self.corners = Corners(corners, threads)
        self.checksum: str = self._namer.report["sha256"][:16]

    def look(self, bgr: np.ndarray, quads: np.ndarray) -> np.ndarray:
        """Vectors (N, V) of the cards at `quads` (N, 4, 2), each upright."""
        starts = range(0, len(quads), BATCH)
        parts = [as_input([cut(bgr, q)[0] for q in quads[s : s + BATCH]]) for s in starts]
        return np.concatenate([self._namer.run(part)[0] for part in parts])


class Namer:
    """Names the cards of one taught deck, of its `outline` and `aspect` (height / width)."""

    def __init__(
        self,
        gallery: Gallery,
        outline: str,
        aspect: float,
        embedder: Embedder,
        confidence: Confidence | None = None,
    ) -> None:
        self._gallery, self._embedder = gallery, embedder
        self._names = np.array(gallery.faces)
        self._looks = [second_look.normalised(look) for look in gallery.looks]
        self._ways = turns(outline, aspect)
        self._aspect = aspect
        self._confidence = confidence or Confidence()
        self._tall = aspect > 1.12 and outline != "round"

    def name(self, bgr: np.ndarray, quads: np.ndarray, strict: bool = False) -> Named:
        """Names the cards at `quads` (N, 4, 2), any corner first, of the frame `bgr`. `strict`:
        what has no name counts as a card only where its corners are clear."""
        n = len(quads)
        if n == 0:
            return Named(
                (), np.zeros(0, np.float32), np.zeros((0, 4, 2), np.float32), np.zeros(0, bool)
            )
        examined = self.examine(bgr, quads)
        sure = [self._sure(one) for one in examined]
        faces = tuple(
            one.face if chance >= SURE else UNKNOWN if _is_there(one, chance, strict) else NOTHING
            for one, chance in zip(examined, sure, strict=True)
        )
        return Named(
            faces,
            np.array(sure, np.float32),
            np.stack([one.quad for one in examined]),
            np.array([f != BACK for f in faces]),
        )

    def examine(self, bgr: np.ndarray, quads: np.ndarray) -> list[Examined]:
        """As `examine_once`; but where too little speaks for a face, the quad may hold a part of
        the card: the whole card that it may be a part of is looked at too."""
        examined = self.examine_once(bgr, quads)
        for i, one in enumerate(examined):
            if self._sure(one) >= SURE:
                continue
            others = self.examine_once(bgr, other_extents(one.quad, self._aspect), are_guesses=True)
            best = max(others, key=self._sure, default=one)
            if self._sure(best) >= SURE:
                examined[i] = best
        return examined

    def _sure(self, one: Examined) -> float:
        return self._confidence.of(one.evidence)

    def examine_once(
        self, bgr: np.ndarray, quads: np.ndarray, are_guesses: bool = False
    ) -> list[Examined]:
        """The likeliest face of each card at `quads` (N, 4, 2), and what speaks for it. Of guesses
        only the likeliest two are looked at closely, the others left out."""
        if len(quads) == 0:
            return []
        quads = np.stack([standing(q) if self._tall else q for q in quads]).astype(np.float32)
        corners = self._embedder.corners
        if are_guesses:
            found = corners.likeliest(bgr, quads)
        else:
            found = corners.find(bgr, quads, self._aspect)
        count = len(found.quads)
        if count == 0:
            return []
        better = np.stack([np.stack([turn(q) for q in found.quads]) for turn in self._ways])
        vectors = self._embedder.look(bgr, better.reshape(-1, 4, 2).astype(np.float32))
        likeness = (vectors @ self._gallery.vectors.T).reshape(len(self._ways), count, -1)
        examined = []
        for i, (is_card, is_right) in enumerate(zip(found.is_card, found.is_right, strict=True)):
            way, face, evidence = self._weigh(bgr, likeness[:, i], better[:, i], float(is_right))
            examined.append(Examined(face, evidence, better[way, i], float(is_card)))
        return examined

    def _weigh(
        self, bgr: np.ndarray, likeness: np.ndarray, quads: np.ndarray, is_right: float
    ) -> tuple[int, str, Evidence]:
        """The likeliest way to lie and face of one card, and what speaks for them.

        The faces near the likeliest are compared once more, on the registered crop.
        """
        best: dict[str, tuple[float, int, int]] = {}
        for way, k in np.argwhere(likeness > likeness.max() - CLEAR):
            name = str(self._names[k])
            value = (float(likeness[way, k]), int(way), int(k))
            best[name] = max(best.get(name, value), value)
        ranked = sorted(best.values(), reverse=True)[:CANDIDATES]
        way = ranked[0][1]
        # All in one crop: two ways of one card are compared where they differ on the table.
        crop = _padded(bgr, quads[way])
        looks = [_as_seen(self._looks[k], quads[w], quads[way]) for _, w, k in ranked]
        fits = [second_look.aligned(crop, look) for look in looks]
        chosen, duel, misfit = 0, 1.0, 0.0
        for i in range(1, len(ranked)):
            won, off = second_look.duel(fits[chosen][0], looks[chosen], fits[i][0], looks[i])
            if won < 0:
                chosen, duel, misfit = i, -won, off
            elif won < duel:
                duel, misfit = won, off
        top, way, k = ranked[chosen]
        others = likeness.max(0)[self._names != self._names[k]]
        margin = top - float(others.max()) if len(others) else 1.0
        return (
            way,
            str(self._names[k]),
            Evidence(top, margin, fits[chosen][1], duel, misfit, is_right),
        )


def _is_there(one: Examined, chance: float, strict: bool) -> bool:
    """Whether a card lies there though it has no name: its corners are clear, or, unless `strict`,
    it is somewhat like a card of the deck."""
    is_clear = one.evidence.corners >= CLEAR_CORNERS
    return one.is_card >= IS_CARD and (is_clear or (not strict and chance >= LIKE))


def _as_seen(look: np.ndarray, quad: np.ndarray, crop: np.ndarray) -> np.ndarray:
    """The look of a card that lies at `quad`, as it appears in a crop cut at the quad `crop`."""
    if np.array_equal(quad, crop):
        return look
    h, w = look.shape[:2]
    box = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32) - 0.5
    here, there = (cv2.getPerspectiveTransform(q.astype(np.float32), box) for q in (quad, crop))
    turn = there @ np.linalg.inv(here)
    return cv2.warpPerspective(look, turn, (w, h), borderMode=cv2.BORDER_REPLICATE)


def crop_to_corners(
    bgr: np.ndarray, quad: np.ndarray, width: int, height: int, pad: int
) -> np.ndarray:
    """The card cut to its corners, (height, width, 3) and `pad` px more on each side."""
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) + pad
    return cut_to(bgr, quad, corners, width + 2 * pad, height + 2 * pad)[0]


def _padded(bgr: np.ndarray, quad: np.ndarray) -> np.ndarray:
    """What a second look compares: PAD px wider than a look on each side, normalised."""
    return second_look.normalised(
        crop_to_corners(bgr, quad, second_look.WIDTH, second_look.HEIGHT, second_look.PAD)
    )


def turns(outline: str, aspect: float):
    """The ways in which a card may lie, as functions of its quad: upside down too; a square four
    ways; a round one all around."""
    if outline == "round" and aspect < 1.12:
        return [lambda q, a=a: _spun(q, a) for a in np.arange(12) * np.pi / 6]
    count = 4 if aspect <= 1.12 else 2
    return [lambda q, k=k: np.roll(q, -k * (4 // count), axis=0) for k in range(count)]


def _spun(quad: np.ndarray, angle: float) -> np.ndarray:
    centre = quad.mean(0)
    half = (np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[3] - quad[0])) / 4
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    c, s = np.cos(angle), np.sin(angle)
    return (corners @ np.array([[c, s], [-s, c]]) + centre).astype(np.float32)
