"""Looks at single cards: corners refined, set upright, nearest taught vector, a second look."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from models.gallery import Gallery
from vision.matching.keypoints import Place
from vision.matching.masked_crop import Cutout
from vision.matching.occlusion import CoveringCard
from vision.matching.partial_ranking import Shortlist
from vision.matching.polar_alignment import around, turn
from vision.matching.templates import Looks
from vision.networks.embedder import Embedder
from vision.networks.locator import standing
from vision.recognition.confidence import Evidence
from vision.recognition.verification import Candidate, Compared, compare, fits

CANDIDATES = 5  # faces that a second look compares
CLEAR = 0.25  # a face less alike than the best by this is no candidate
MOVED = 0.02  # of the diagonal: a card registered so far off is looked at once more
WHOLE = 0.85  # a card that fits worse is partly hidden, perhaps,
LOOKS = 2  # at one face, where it was taught by several pictures
HALVES = 3  # and so many faces are compared each way that half of it is like
BARE, FITS = 0.12, 0.5  # of a place worth a look: how much is bare, and how well it fits there
SURE_POINTS = 10  # that make up for a lesser fit
SQUARE = 1.12  # aspect up to which a card may be taken for one that lies across
UNSURE = 0.4  # probability of corners that were told by points and not looked for


@dataclass(frozen=True, slots=True, eq=False)
class Examined:
    """One card: its likeliest face, what speaks for it, its upright quad (4, 2) px, how surely a
    card lies there at all, 0..1, all faces that were compared, and what of it is `shown`."""

    face: str
    evidence: Evidence
    quad: np.ndarray
    is_card: float
    compared: tuple[str, ...]
    shown: CoveringCard


class Examiner:
    """Looks at the cards of one taught deck, of its `outline` and `aspect` (height / width)."""

    def __init__(self, gallery: Gallery, outline: str, aspect: float, embedder: Embedder) -> None:
        self._gallery, self._embedder, self._aspect = gallery, embedder, aspect
        self._names = np.array(gallery.faces)
        self._looks = Looks(gallery.templates)
        self._per_face = max(gallery.faces.count(face) for face in gallery.faces)
        self._shortlist = Shortlist(self._looks.sharp)
        self._is_turning = is_turning(outline, aspect)
        self._ways = turns(outline, aspect)
        self._around = [around(look) for look in self._looks.sharp] if self._is_turning else []
        self._tall = aspect > SQUARE

    @property
    def looks(self) -> list[np.ndarray]:
        """The taught pictures, normalised (HEIGHT, WIDTH, 3)."""
        return self._looks.sharp

    def once(self, bgr: np.ndarray, quads: np.ndarray, are_guesses: bool = False) -> list[Examined]:
        """The likeliest face of each card at `quads` (N, 4, 2), and what speaks for it. Of guesses
        only the likeliest are looked at closely, the others left out."""
        if len(quads) == 0:
            return []
        quads = np.stack([standing(q) if self._tall else q for q in quads]).astype(np.float32)
        corners = self._embedder.corners
        if are_guesses:
            found = corners.likeliest(bgr, quads, self._aspect)
        else:
            found = corners.find(bgr, quads, self._aspect)
        count = len(found.quads)
        if count == 0:
            return []
        # A box that is nearly square may have held a card that lies across.
        quads = np.stack([standing(q) if self._tall else q for q in found.quads])
        better = np.stack([np.stack([way(q) for q in quads]) for way in self._ways])
        vectors = self._embedder.look(bgr, better.reshape(-1, 4, 2).astype(np.float32))
        likeness = (vectors @ self._gallery.vectors.T).reshape(len(self._ways), count, -1)
        examined = []
        for i, (is_card, is_right) in enumerate(zip(found.is_card, found.is_right, strict=True)):
            chances = float(is_card), float(is_right)
            examined.append(self._weigh(bgr, likeness[:, i], better[:, i], *chances))
        return examined

    def _weigh(
        self,
        bgr: np.ndarray,
        likeness: np.ndarray,
        quads: np.ndarray,
        is_card: float,
        is_right: float,
        covering: Sequence[CoveringCard] = (),
    ) -> Examined:
        """The likeliest face of one card, and what speaks for it.

        `likeness` (W, K) and `quads` (W, 4, 2): of the ways in which it may lie, to each look. The
        faces near the likeliest are compared once more, on the registered crop, where it is bare.
        """
        ways = likeness.argmax(0)
        near = np.flatnonzero(likeness.max(0) > likeness.max() - CLEAR)
        near = near[np.argsort(-likeness.max(0)[near], kind="stable")]
        numbers = self._few(near.tolist(), CANDIDATES)
        places = {k: quads[ways[k]] for k in numbers}
        if self._is_turning:
            places = self._turned(bgr, quads[0], numbers, covering)
        seen = self._compare(bgr, places, covering)
        if seen.fit < WHOLE:
            numbers, seen = self._compare_all(bgr, numbers[seen.chosen], seen, covering)
        k = numbers[seen.chosen]
        top = float(likeness[:, self._names == self._names[k]].max())
        alike = likeness.max(0)
        if seen.moved > MOVED:
            alike = self._embedder.look(bgr, seen.quad[None])[0] @ self._gallery.vectors.T
            top = float(alike[self._names == self._names[k]].max())
        others = alike[self._names != self._names[k]]
        margin = top - float(others.max()) if len(others) else 1.0
        evidence = Evidence(top, margin, seen.fit, seen.half, *seen.duel, is_right)
        compared = tuple(dict.fromkeys(str(self._names[one]) for one in numbers))
        return Examined(str(self._names[k]), evidence, seen.quad, is_card, compared, seen.shown)

    def _turned(
        self,
        bgr: np.ndarray,
        quad: np.ndarray,
        numbers: list[int],
        covering: Sequence[CoveringCard],
    ) -> dict[int, np.ndarray]:
        """Where the card would lie, if it showed the looks `numbers`: turned as these tell."""
        card = around(Cutout.cut(bgr, quad, covering).inner)
        return {k: spun(quad, turn(card, self._around[k]), self._aspect) for k in numbers}

    def _compare_all(
        self, bgr: np.ndarray, first: int, seen: Compared, covering: Sequence[CoveringCard]
    ) -> tuple[list[int], Compared]:
        """Once more, with those of all faces that the better half of the card is most like; the
        numbers of the looks that were compared too."""
        places = {first: seen.quad}
        for way in (self._ways[0], self._ways[len(self._ways) // 2]):
            quad = way(seen.quad)
            likest = self._shortlist.likest(
                Cutout.cut(bgr, quad, covering).inner, HALVES * self._per_face
            )
            for k in self._few(likest, HALVES):
                places.setdefault(k, quad)
        numbers = self._few(list(places), 2 * HALVES + 1)
        return numbers, self._compare(bgr, {k: places[k] for k in numbers}, covering)

    def _compare(
        self, bgr: np.ndarray, places: dict[int, np.ndarray], covering: Sequence[CoveringCard]
    ) -> Compared:
        candidates = [Candidate(str(self._names[k]), k, quad) for k, quad in places.items()]
        return compare(bgr, candidates, self._looks, covering)

    def _few(self, numbers: list[int], faces: int) -> list[int]:
        """Of the looks, the likeliest first, those of so many faces, and few of each."""
        kept: dict[str, list[int]] = {}
        for k in numbers:
            of_face = kept.setdefault(str(self._names[k]), [])
            if len(of_face) < LOOKS:
                of_face.append(k)
        return [k for of_face in list(kept.values())[:faces] for k in of_face]

    def bared(
        self, bgr: np.ndarray, one: Examined, covering: Sequence[CoveringCard]
    ) -> Examined | None:
        """Another look at a card, now that it is known that the `covering` ones may lie on it;
        None where they leave too little of it."""
        if Cutout.cut(bgr, one.quad, covering).bare.mean() < BARE:
            return None
        ways = np.stack([way(one.quad) for way in self._ways]).astype(np.float32)
        likeness = self._embedder.look(bgr, ways) @ self._gallery.vectors.T
        return self._weigh(bgr, likeness, ways, one.is_card, one.evidence.corners, covering)

    def likeliest(
        self, bgr: np.ndarray, places: list[Place], covering: Sequence[CoveringCard], most: int
    ) -> list[Place]:
        """Up to `most` of the places, those first where the picture fits what is bare best; those
        that hardly fit, or are hardly bare, are left out."""
        found = []
        for place in places:
            fit, bare = fits(bgr, place.quad, self._looks.at(place.look), covering)
            if bare >= BARE and (fit >= FITS or (place.points >= SURE_POINTS and fit >= FITS / 2)):
                found.append((fit, place))
        found.sort(key=lambda one: -one[0])
        return [place for _, place in found[:most]]

    def at(self, bgr: np.ndarray, place: Place, covering: Sequence[CoveringCard] = ()) -> Examined:
        """The likeliest face of the card at a place that points told, of which what lies under
        the `covering` cards cannot be seen."""
        ways = np.stack([way(place.quad) for way in self._ways]).astype(np.float32)
        likeness = self._embedder.look(bgr, ways) @ self._gallery.vectors.T
        # Of a card that is half hidden, the vector may say anything, that it is upside down too.
        likeness[1:, place.look] = -1.0
        likeness[0, place.look] = max(likeness[0, place.look], float(likeness.max()) - CLEAR / 2)
        one = self._weigh(bgr, likeness, ways, 1.0, UNSURE, covering)
        return replace(one, evidence=replace(one.evidence, points=place.points))


def is_turning(outline: str, aspect: float) -> bool:
    """Whether the outline does not tell how the card is turned."""
    return outline in ("round", "bubble") and aspect <= SQUARE


def turns(outline: str, aspect: float):
    """The ways in which a card may lie, as functions of its quad: upside down too; a square four
    ways; one whose outline does not tell, all around."""
    if is_turning(outline, aspect):
        return [lambda q, a=a: spun(q, a, aspect) for a in np.arange(12) * np.pi / 6]
    count = 4 if aspect <= SQUARE else 2
    return [lambda q, k=k: np.roll(q, -k * (4 // count), axis=0) for k in range(count)]


def spun(quad: np.ndarray, angle: float, aspect: float) -> np.ndarray:
    """A card of that aspect (height / width) in the place of the quad (4, 2), turned clockwise by
    an angle in radians."""
    size = np.sqrt(cv2.contourArea(quad.astype(np.float32)) / aspect) / 2
    corners = np.array([[-1, -aspect], [1, -aspect], [1, aspect], [-1, aspect]]) * size
    across = quad[1] - quad[0] + quad[2] - quad[3]
    angle += np.arctan2(across[1], across[0])
    c, s = np.cos(angle), np.sin(angle)
    return (corners @ np.array([[c, s], [-s, c]]) + quad.mean(0)).astype(np.float32)
