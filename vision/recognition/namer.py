"""Names located cards: what a look at each tells, weighed; hidden ones looked for as a whole."""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from models.gallery import Gallery
from vision.geometry import area, aspect, iou, length, overlap, skew
from vision.matching.keypoints import Keypoints
from vision.networks.corners import IS_CARD, other_extents, turned_boxes
from vision.networks.embedder import Embedder
from vision.networks.locator import standing
from vision.recognition.confidence import Confidence, Presence
from vision.recognition.occluded_search import SAME, Hidden, distinct
from vision.recognition.recogniser import Examined, Examiner
from vision.sightings import BACK, NOTHING, UNKNOWN

SURE = 0.85  # least confidence of a name
SETTLED = 0.9  # least probability that it is not a near twin
SURER = 0.1  # so much surer must a guess make us
THERE = 0.8  # least probability that a card without a name is there at all,
OF_DECK = 0.65  # or of its kind: then it lies where its picture fits
LOOKS = 3  # for the card itself among those beside it
WITHIN = 0.7  # of a box lies in the card that it was drawn about
ABOUT = 0.5  # intersection over union: the box, though too large, was drawn about that card
MANY = 12  # points that tell a card's place though not its name
NEARLY = 0.6  # intersection over union: two cards, or one that was found twice
COVERED = 0.05  # of a card: the rest of it is worth another look
FITS = 0.85  # of a card that fits better, the corners are right
SQUEEZED = 0.12  # logarithm of what a tilted camera hardly makes of an aspect, or of a side
PART = 0.8  # of a box in a named card, and the box less than so much of it: it is a part of that
CLEAR_CORNERS = 0.4  # least probability that the corners of a card without a name are right


@dataclass(frozen=True, slots=True, eq=False)
class Named:
    """Faces of N cards ("nothing" where none lies) with confidences (N,) 0..1, quads (N, 4, 2) px
    from the upright face's top-left corner clockwise, and face_up (N,) bool."""

    faces: tuple[str, ...]
    confidences: np.ndarray
    quads: np.ndarray
    face_up: np.ndarray


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
        self.examiner = Examiner(gallery, outline, aspect, embedder)
        self._aspect = aspect
        self._confidence = confidence or Confidence.load()
        self._is_uneven = outline == "bubble"
        self._keypoints = Keypoints(gallery.templates, aspect)
        self.hidden = Hidden(self.examiner, self._keypoints, self._confidence)

    def name(self, bgr: np.ndarray, quads: np.ndarray, scores: np.ndarray | None = None) -> Named:
        """Names the cards at `quads` (N, 4, 2), any corner first, of the frame `bgr`, located with
        `scores` (N,). Without these, what has no name counts as a card only where its corners are
        clear."""
        return self._judged(self.examine(bgr, quads), quads, scores)

    def name_all(self, bgr: np.ndarray, quads: np.ndarray, scores: np.ndarray) -> Named:
        """As `name`; then, after these N, the cards that were not located, for they are mostly
        hidden: those whose kind is sure all the same."""
        examined = self.examine(bgr, quads)
        known = distinct(sorted(filter(self.is_named, examined), key=self._sure, reverse=True))
        found = self.hidden.anywhere(bgr, known)
        found += self.hidden.beside(bgr, known + found)
        known += found
        for i, one in enumerate(examined):
            if not self.is_named(one):
                examined[i] = self._bared(bgr, one, known) or one
        self._slide(bgr, quads, examined, known)
        boxes = np.array([*quads, *(one.quad for one in found)], np.float32).reshape(-1, 4, 2)
        chances = np.array([*scores, *(self._sure(one) for one in found)], np.float32)
        examined += found
        return self._judged(examined, boxes, chances, self.mistaken(bgr, examined))

    def mistaken(self, bgr: np.ndarray, examined: list[Examined]) -> set[int]:
        """The numbers of those with a name that lie nearly where a surer one lies, and have none
        by what that leaves to be seen of them."""
        named = [k for k, one in enumerate(examined) if self.is_named(one)]
        named.sort(key=lambda k: self._sure(examined[k]), reverse=True)
        mistaken: set[int] = set()
        for weaker, surer in ((i, j) for n, i in enumerate(named) for j in named[:n]):
            one, other = examined[weaker], examined[surer]
            if {weaker, surer} & mistaken or not NEARLY < iou(one.quad, other.quad) < SAME:
                continue
            again = self.examiner.bared(bgr, one, [other.shown])
            if again is None or not self.is_named(again):
                mistaken.add(weaker)
        return mistaken

    def _slide(
        self, bgr: np.ndarray, quads: np.ndarray, examined: list[Examined], known: list[Examined]
    ) -> None:
        """Looks for hidden cards in boxes without a name, and in those that led to a card which
        lies elsewhere; what is found takes their place."""
        known = distinct(known + [one for one in examined if self.is_named(one)])
        for i, one in enumerate(examined):
            if self.is_named(one) and iou(one.quad, quads[i]) >= ABOUT:
                continue
            card = self.hidden.within(bgr, quads[i], known)
            if card is not None:
                known.append(card)
                examined[i] = card

    def _judged(
        self,
        examined: list[Examined],
        quads: np.ndarray,
        scores: np.ndarray | None,
        mistaken: Collection[int] = (),
    ) -> Named:
        sure = [self._sure(one) for one in examined]
        if scores is None:
            there = [self._is_clear(one) for one in examined]
        else:
            found = self.presences(examined, quads, scores)
            there = [
                self._confidence.is_card(presence) >= THERE or self._is_of_deck(one)
                for presence, one in zip(found, examined, strict=True)
            ]
        faces, places = [], []
        for k, (one, is_there) in enumerate(zip(examined, there, strict=True)):
            face = one.face if self.is_named(one) else UNKNOWN if is_there else NOTHING
            faces.append(NOTHING if k in mistaken else face)
            places.append(self.place(one, quads[k]))
        return Named(
            tuple(faces),
            np.array(sure, np.float32),
            np.array(places, np.float32).reshape(-1, 4, 2),
            np.array([f != BACK for f in faces], bool),
        )

    def presences(
        self, examined: list[Examined], quads: np.ndarray, scores: np.ndarray
    ) -> list[Presence]:
        """What speaks for a card at each of the boxes `quads` (N, 4, 2), located with `scores`
        (N,), which were examined."""
        named = [one for one in examined if self.is_named(one)]
        usual = float(np.median([length(one.quad) for one in named])) if named else None
        found = []
        for one, box, score in zip(examined, quads, scores, strict=True):
            place = standing(self.place(one, box))
            others = (overlap(box, other.quad) for other in named if other is not one)
            found.append(Presence(
                float(score), one.is_card, one.evidence.corners, self._sure(one),
                iou(box, one.quad), max(others, default=0.0), one.evidence.points,
                abs(np.log(length(place) / usual)) if usual else 0.0,
                abs(np.log(aspect(place) / self._aspect)), usual is None,
            ))  # fmt: skip
        return found

    def place(self, one: Examined, box: np.ndarray) -> np.ndarray:
        """Where the card lies (4, 2): corners under another card are a guess, the box a better
        one, unless it surely is a card of that kind."""
        is_found = self.is_named(one) or self._is_clear(one) or self._is_of_deck(one)
        return one.quad if is_found else box

    def _is_of_deck(self, one: Examined) -> bool:
        return self._confidence.kind(one.evidence) >= OF_DECK

    def _is_clear(self, one: Examined) -> bool:
        is_seen = one.is_card >= IS_CARD and one.evidence.corners >= CLEAR_CORNERS
        return is_seen or one.evidence.points >= MANY

    def examine(self, bgr: np.ndarray, quads: np.ndarray) -> list[Examined]:
        """What is seen at each of the `quads` (N, 4, 2). Where too little speaks for a face, the
        quad may hold a part of a card: the whole card is looked for too."""
        examined = self.examiner.once(bgr, quads)
        is_clear = [self.is_named(one) and not self._is_squeezed(one) for one in examined]
        named = [one for one, clear in zip(examined, is_clear, strict=True) if clear]
        known = {}  # how many had a name when a card was looked at
        for i, one in enumerate(examined):
            if is_clear[i]:
                continue
            known[i] = len(named)
            box = one.quad if self.is_named(one) else quads[i]
            whole = self._bared(bgr, one, named) or self._by_points(bgr, box, named)
            if whole is None or not self.is_named(whole):
                whole = self._by_guesses(bgr, box, one, whole)
            is_found = self.is_named(one) or one.evidence.fit >= FITS
            if is_found and whole.evidence.fit <= one.evidence.fit:
                whole = one
            if self.is_named(whole):
                named.append(whole)
            examined[i] = whole
        for i, count in known.items():
            if len(named) > count and not self.is_named(examined[i]):  # those later may lie on it
                examined[i] = self._bared(bgr, examined[i], named) or examined[i]
        return examined

    def _is_squeezed(self, one: Examined) -> bool:
        """Whether the corners may be wrong: the quad that of the part that can be seen, taken for
        a whole card, or one turned wrongly, as the outline of a bubble hardly tells."""
        off = max(abs(np.log(aspect(one.quad) / self._aspect)), skew(one.quad))
        return one.evidence.fit < FITS and (self._is_uneven or off > SQUEEZED)

    def _bared(self, bgr: np.ndarray, one: Examined, named: list[Examined]) -> Examined | None:
        """The card, if it has a name once those `named` that lie on it are left out."""
        over = [card.shown for card in named if COVERED < overlap(one.quad, card.quad) < SAME]
        again = self.examiner.bared(bgr, one, over) if over else None
        if again is None or not self.is_named(again) or self._is_squeezed(again):
            return None
        return again

    def _by_points(
        self, bgr: np.ndarray, box: np.ndarray, named: list[Examined]
    ) -> Examined | None:
        """The whole card that the `box` shows a part of: one of those `named`, or one beside them
        by the points of its picture."""
        for one in named:
            if overlap(box, one.quad) > PART and area(box) < PART * area(one.quad):
                return one
        seen = self._keypoints.look(bgr, box)
        others = [one.shown for one in named]
        for _ in range(LOOKS):
            places = self._keypoints.places(seen, others)
            looked = [self.examiner.at(bgr, place, others) for place in places]
            whole = max(looked, key=self._sure, default=None)
            if whole is None or overlap(box, whole.quad) >= WITHIN:
                return whole
            if self.is_named(whole) and iou(box, whole.quad) >= ABOUT:
                return whole
            others.append(whole.shown)  # a card beside this one
        return None

    def _by_guesses(
        self, bgr: np.ndarray, box: np.ndarray, one: Examined, whole: Examined | None
    ) -> Examined:
        """The whole card that the quad of `one` in its `box` may hold a part of, by the shape of
        cards; else `whole`, if enough points speak for it, else `one`."""
        guesses = other_extents(one.quad, self._aspect)
        if self._is_uneven:  # its outline hardly tells how it lies
            guesses = np.concatenate([guesses, turned_boxes(one.quad, self._aspect)])
        others = self.examiner.once(bgr, guesses, are_guesses=True)
        others = [other for other in others if overlap(box, other.quad) >= WITHIN]
        best = max(others, key=self._sure, default=one)
        if self.is_named(best):
            return best
        if whole is not None and whole.evidence.points >= MANY:
            return whole
        return best if self._sure(best) >= self._sure(one) + SURER else one

    def is_named(self, one: Examined) -> bool:
        """Whether enough speaks for its face, and against its near twins."""
        is_settled = self._confidence.over_twins(one.evidence) >= SETTLED
        return is_settled and self._sure(one) >= SURE

    def _sure(self, one: Examined) -> float:
        return self._confidence.of(one.evidence)
