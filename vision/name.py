"""Names located cards: corners refined, set upright, nearest taught vector, a second look."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from models.crop import cut
from models.gallery import Gallery
from models.weights import CORNERS, NAMER
from vision import second_look
from vision.candidates import Candidate, compare
from vision.corners import BATCH, IS_CARD, Corners, as_input, other_extents, turned_boxes
from vision.engine import Engine
from vision.evidence import Confidence, Evidence, Presence
from vision.geometry import iou
from vision.locate import standing
from vision.sightings import BACK, NOTHING, UNKNOWN

VERSION = 1
CANDIDATES = 5  # faces that a second look compares
CLEAR = 0.25  # a face less alike than the best by this is no candidate
SURE = 0.7  # least confidence of a name
MOVED = 0.02  # of the diagonal: a card registered so far off is looked at once more
SURER = 0.1  # so much surer must a guess make us
THERE = 0.6  # least probability that a card without a name is there at all
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
        self._confidence = confidence or Confidence.load()
        self._is_uneven = outline == "bubble"
        self._tall = aspect > 1.12 and outline != "round"

    def name(self, bgr: np.ndarray, quads: np.ndarray, scores: np.ndarray | None = None) -> Named:
        """Names the cards at `quads` (N, 4, 2), any corner first, of the frame `bgr`, located with
        `scores` (N,). Without these, what has no name counts as a card only where its corners are
        clear."""
        examined = self.examine(bgr, quads)
        sure = [self._sure(one) for one in examined]
        faces, places = [], []
        for k, (one, chance) in enumerate(zip(examined, sure, strict=True)):
            is_clear = one.is_card >= IS_CARD and one.evidence.corners >= CLEAR_CORNERS
            if scores is None:
                is_there = is_clear
            else:
                is_there = self.presence(one, quads[k], float(scores[k])) >= THERE
            is_named = chance >= SURE
            faces.append(one.face if is_named else UNKNOWN if is_there else NOTHING)
            # Corners that lie under another card are a guess, the box a better one.
            places.append(one.quad if is_named or is_clear else quads[k])
        return Named(
            tuple(faces),
            np.array(sure, np.float32),
            np.array(places, np.float32).reshape(-1, 4, 2),
            np.array([f != BACK for f in faces], bool),
        )

    def presence(self, one: Examined, box: np.ndarray, score: float) -> float:
        """How likely a card lies there: `one` was examined in a `box` (4, 2) located with `score`,
        0..1."""
        corners, chance = one.evidence.corners, self._sure(one)
        return self._confidence.presence(
            Presence(score, one.is_card, corners, chance, iou(box, one.quad))
        )

    def examine(self, bgr: np.ndarray, quads: np.ndarray) -> list[Examined]:
        """As `examine_once`; but where too little speaks for a face, the quad may hold a part of
        the card: the whole card that it may be a part of is looked at too."""
        examined = self.examine_once(bgr, quads)
        for i, one in enumerate(examined):
            if self._sure(one) >= SURE:
                continue
            guesses = other_extents(one.quad, self._aspect)
            if self._is_uneven:  # its outline hardly tells how it lies
                guesses = np.concatenate([guesses, turned_boxes(one.quad, self._aspect)])
            others = self.examine_once(bgr, guesses, are_guesses=True)
            best = max(others, key=self._sure, default=one)
            if self._sure(best) >= self._sure(one) + SURER:
                examined[i] = best
        return examined

    def _sure(self, one: Examined) -> float:
        return self._confidence.of(one.evidence)

    def examine_once(
        self, bgr: np.ndarray, quads: np.ndarray, are_guesses: bool = False
    ) -> list[Examined]:
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
        better = np.stack([np.stack([turn(q) for q in quads]) for turn in self._ways])
        vectors = self._embedder.look(bgr, better.reshape(-1, 4, 2).astype(np.float32))
        likeness = (vectors @ self._gallery.vectors.T).reshape(len(self._ways), count, -1)
        examined = []
        for i, (is_card, is_right) in enumerate(zip(found.is_card, found.is_right, strict=True)):
            face, evidence, quad = self._weigh(bgr, likeness[:, i], better[:, i], float(is_right))
            examined.append(Examined(face, evidence, quad, float(is_card)))
        return examined

    def _weigh(
        self, bgr: np.ndarray, likeness: np.ndarray, quads: np.ndarray, is_right: float
    ) -> tuple[str, Evidence, np.ndarray]:
        """The likeliest face of one card, what speaks for it, and its upright quad.

        `likeness` (W, K) and `quads` (W, 4, 2): of the ways in which it may lie, to each look. The
        faces near the likeliest are compared once more, on the registered crop.
        """
        best: dict[str, tuple[float, int, int]] = {}
        for way, k in np.argwhere(likeness > likeness.max() - CLEAR):
            name = str(self._names[k])
            value = (float(likeness[way, k]), int(way), int(k))
            best[name] = max(best.get(name, value), value)
        ranked = sorted(best.values(), reverse=True)[:CANDIDATES]
        seen = compare(bgr, [Candidate(self._looks[k], quads[way]) for _, way, k in ranked])
        top, _, k = ranked[seen.chosen]
        alike = likeness.max(0)
        if seen.moved > MOVED:
            alike = self._embedder.look(bgr, seen.quad[None])[0] @ self._gallery.vectors.T
            top = float(alike[self._names == self._names[k]].max())
        others = alike[self._names != self._names[k]]
        margin = top - float(others.max()) if len(others) else 1.0
        evidence = Evidence(top, margin, seen.fit, seen.half, seen.duel, seen.misfit, is_right)
        return str(self._names[k]), evidence, seen.quad


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
