"""Names located cards: recognition, confidence, and the search for whole, occluded cards."""

from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from models.gallery import Gallery
from vision.geometry import Quad, area, aspect, iou, length, overlap, skew
from vision.matching.keypoints import KeypointMatcher
from vision.matching.template_match import LIMITS as MATCH
from vision.networks.corners import LIMITS as CORNERS
from vision.networks.corners import other_extents, rotated_boxes
from vision.networks.embedder import Embedder
from vision.networks.locator import standing
from vision.nms import SAME_CARD
from vision.recognition.confidence import LIMITS as SHOWN
from vision.recognition.confidence import Confidence, Presence
from vision.recognition.naming_limits import LIMITS
from vision.recognition.occluded_search import OccludedSearch, distinct
from vision.recognition.recogniser import Recognised, Recogniser
from vision.sightings import BACK, NOTHING, UNKNOWN, Named


class Namer:
    """Names the cards of one taught deck, of its `outline` and `aspect` (height / width), several
    cards at once on so many `threads`."""

    def __init__(
        self,
        gallery: Gallery,
        outline: str,
        aspect: float,
        embedder: Embedder,
        confidence: Confidence | None = None,
        threads: int = 1,
    ) -> None:
        self.recogniser = Recogniser(gallery, outline, aspect, embedder, threads)
        self._aspect = aspect
        self._confidence = confidence or Confidence.load()
        self._is_uneven = outline == "bubble"
        self._keypoints = KeypointMatcher(gallery.templates, aspect)
        self.search = OccludedSearch(self.recogniser, self._keypoints, self._confidence)

    def name(
        self,
        bgr: np.ndarray,
        quads: np.ndarray,
        scores: np.ndarray | None = None,
        known: Quad | None = None,
    ) -> Named:
        """Names the cards at `quads` (N, 4, 2), any corner first, of the frame `bgr`, located with
        `scores` (N,). Without scores, an unnamed box is a card only if its corners are clear.
        `known` (4, 2): a card that lies near them, as large as they are."""
        return self._decided(self.recognise(bgr, quads, known), quads, scores)

    def glance(self, bgr: np.ndarray, quads: np.ndarray) -> Named:
        """As `name`, by one look at each quad."""
        return self._decided(self.recogniser.recognise(bgr, quads), quads, None)

    def name_all(self, bgr: np.ndarray, quads: np.ndarray, scores: np.ndarray) -> Named:
        """As `name`. After these N come cards that were not located, if their kind is sure: most
        of them are occluded."""
        with ThreadPoolExecutor(1, "keypoints") as beside:  # they need nothing of the cards
            seen = beside.submit(self.search.detect_anywhere, bgr)
            cards = self.recognise(bgr, quads)
        known = distinct(sorted(filter(self.is_named, cards), key=self._sure, reverse=True))
        found = self.search.anywhere(bgr, seen.result(), known)
        found += self.search.beside(bgr, known + found)
        known += found
        cards = [one if self.is_named(one) else self._under(bgr, one, known) or one
                 for one in cards]  # fmt: skip
        cards = self._searched_within(bgr, quads, cards, known)
        boxes = np.array([*quads, *(one.quad for one in found)], np.float32).reshape(-1, 4, 2)
        chances = np.array([*scores, *(self._sure(one) for one in found)], np.float32)
        cards += found
        return self._decided(cards, boxes, chances, self.duplicates(bgr, cards))

    def duplicates(self, bgr: np.ndarray, cards: list[Recognised]) -> set[int]:
        """The numbers of named cards that lie nearly where a surer one lies, and have no name by
        what the surer one leaves visible of them."""
        named = [k for k, one in enumerate(cards) if self.is_named(one)]
        named.sort(key=lambda k: self._sure(cards[k]), reverse=True)
        doubles: set[int] = set()
        for weaker, surer in ((i, j) for n, i in enumerate(named) for j in named[:n]):
            one, other = cards[weaker], cards[surer]
            is_near = SAME_CARD.doubtful < iou(one.quad, other.quad) < SAME_CARD.recognised
            if {weaker, surer} & doubles or not is_near:
                continue
            again = self.recogniser.recognise_under(bgr, one, [other.shown])
            if again is None or not self.is_named(again):
                doubles.add(weaker)
        return doubles

    def _searched_within(
        self, bgr: np.ndarray, quads: np.ndarray, cards: list[Recognised], known: list[Recognised]
    ) -> list[Recognised]:
        """The cards after a search in each box without a name, or whose card lies elsewhere."""
        known = distinct(known + [one for one in cards if self.is_named(one)])
        searched = []
        for box, one in zip(quads, cards, strict=True):
            is_there = self._is_settled(one) and iou(one.quad, box) >= LIMITS.same_box
            found = None if is_there else self.search.in_box(bgr, box, known)
            if found is not None:
                known.append(found)
            searched.append(found or one)
        return searched

    def _decided(
        self,
        cards: list[Recognised],
        quads: np.ndarray,
        scores: np.ndarray | None,
        doubles: Collection[int] = (),
    ) -> Named:
        sure = [self._sure(one) for one in cards]
        if scores is None:
            there = [self._is_clear(one) for one in cards]
        else:
            found = self.presences(cards, quads, scores)
            there = [
                self._confidence.is_card(presence) >= LIMITS.is_card or self._is_of_deck(one)
                for presence, one in zip(found, cards, strict=True)
            ]
        faces, places = [], []
        for k, (one, is_there) in enumerate(zip(cards, there, strict=True)):
            face = one.face if self.is_named(one) else UNKNOWN if is_there else NOTHING
            faces.append(NOTHING if k in doubles else face)
            places.append(self.place(one, quads[k]))
        return Named(
            tuple(faces),
            np.array(sure, np.float32),
            np.array(places, np.float32).reshape(-1, 4, 2),
            np.array([f != BACK for f in faces], bool),
            tuple(one.shown.is_visible for one in cards),
        )

    def presences(
        self, cards: list[Recognised], quads: np.ndarray, scores: np.ndarray
    ) -> list[Presence]:
        """What speaks for a card at each of the boxes `quads` (N, 4, 2) with locator `scores`
        (N,); `cards`: what was recognised there."""
        named = [one for one in cards if self.is_named(one)]
        usual = float(np.median([length(one.quad) for one in named])) if named else None
        found = []
        for one, box, score in zip(cards, quads, scores, strict=True):
            place = standing(self.place(one, box))
            others = (overlap(box, other.quad) for other in named if other is not one)
            found.append(Presence(
                float(score), one.is_card, one.evidence.corners,
                self._confidence.kind(one.evidence),
                iou(box, one.quad), max(others, default=0.0), one.evidence.inliers,
                abs(np.log(length(place) / usual)) if usual else 0.0,
                abs(np.log(aspect(place) / self._aspect)), usual is None,
            ))  # fmt: skip
        return found

    def place(self, one: Recognised, box: np.ndarray) -> np.ndarray:
        """Where the card lies (4, 2): its refined corners if these are sure; else its box, as
        corners under another card are a guess."""
        is_found = self.is_named(one) or self._is_clear(one) or self._is_of_deck(one)
        return one.quad if is_found else box

    def _is_of_deck(self, one: Recognised) -> bool:
        return self._confidence.kind(one.evidence) >= LIMITS.of_deck

    def _is_clear(self, one: Recognised) -> bool:
        is_seen = one.is_card >= CORNERS.is_card and one.evidence.corners >= LIMITS.clear_corners
        return is_seen or one.evidence.inliers >= LIMITS.inliers

    def recognise(
        self, bgr: np.ndarray, quads: np.ndarray, known: Quad | None = None
    ) -> list[Recognised]:
        """The card at each of the `quads` (N, 4, 2). If no face is sure, the quad may show only a
        part of a card, and the whole is searched for too: in the size of the card `known` (4, 2),
        if there is one."""
        cards = self.recogniser.recognise(bgr, quads)
        is_clear = [self._is_settled(one) and not self._is_squeezed(one) for one in cards]
        named = [
            one for one, clear in zip(cards, is_clear, strict=True) if clear and self.is_named(one)
        ]
        known_then: dict[int, int] = {}  # how many were named when a card was searched for
        for i, one in enumerate(cards):
            if is_clear[i]:
                continue
            known_then[i] = len(named)
            sized = None if known is None else self.search.sized(bgr, quads[i], known)
            if sized is not None and self.is_named(sized):
                cards[i] = sized
            else:
                cards[i] = self._whole(bgr, quads[i], one, named)
            if self.is_named(cards[i]):
                named.append(cards[i])
        for i, count in known_then.items():
            if len(named) > count and not self.is_named(cards[i]):  # later ones may lie on it
                cards[i] = self._under(bgr, cards[i], named) or cards[i]
        return cards

    def _is_settled(self, one: Recognised) -> bool:
        """Whether a search for the whole card would change nothing: it has a name, or its kind is
        sure and its template matches, though its look-alikes are not excluded."""
        return self.is_named(one) or (
            self.search.is_placed(one) and one.evidence.correlation >= LIMITS.correlation
        )

    def _whole(
        self,
        bgr: np.ndarray,
        quad: np.ndarray,
        one: Recognised,
        named: list[Recognised],
    ) -> Recognised:
        """The whole card that `quad` may show a part of; `one` if nothing matches better."""
        box = one.quad if self.is_named(one) else quad
        whole = self._under(bgr, one, named) or self._by_keypoints(bgr, box, named)
        if whole is None or not self.is_named(whole):
            whole = self._by_extent(bgr, box, one, whole)
        is_found = self.is_named(one) or one.evidence.correlation >= LIMITS.correlation
        is_better = whole.evidence.correlation > one.evidence.correlation
        return one if is_found and not is_better else whole

    def _is_squeezed(self, one: Recognised) -> bool:
        """Whether the corners may be wrong: those of the visible part, taken for the whole card,
        or of a wrong rotation, as a bubble's outline hardly tells it."""
        off = max(abs(np.log(aspect(one.quad) / self._aspect)), skew(one.quad))
        is_doubtful = one.evidence.correlation < LIMITS.correlation
        return is_doubtful and (self._is_uneven or bool(off > LIMITS.squeezed))

    def _under(
        self, bgr: np.ndarray, one: Recognised, named: list[Recognised]
    ) -> Recognised | None:
        """The card, if it has a name once the pixels under those `named` are masked."""
        over = [
            card.shown
            for card in named
            if LIMITS.covered < overlap(one.quad, card.quad) < SAME_CARD.recognised
        ]
        again = self.recogniser.recognise_under(bgr, one, over) if over else None
        if again is None or not self.is_named(again) or self._is_squeezed(again):
            return None
        return again

    def _by_keypoints(
        self,
        bgr: np.ndarray,
        box: np.ndarray,
        named: list[Recognised],
    ) -> Recognised | None:
        """The whole card that the `box` shows a part of: one of those `named`, or one beside them
        by keypoints."""
        for one in named:
            if overlap(box, one.quad) > LIMITS.part and area(box) < LIMITS.part * area(one.quad):
                return one
        seen = self._keypoints.detect_around(bgr, box)
        occluders = [one.shown for one in named]
        for _ in range(LIMITS.rounds):
            poses = self._keypoints.poses(seen, occluders)
            cards = [self.recogniser.recognise_pose(bgr, pose, occluders) for pose in poses]
            whole = max(cards, key=self._sure, default=None)
            if whole is None or overlap(box, whole.quad) >= LIMITS.inside:
                return whole
            if self.is_named(whole) and iou(box, whole.quad) >= LIMITS.same_box:
                return whole
            occluders.append(whole.shown)  # a card beside this one
        return None

    def _by_extent(
        self, bgr: np.ndarray, box: np.ndarray, one: Recognised, whole: Recognised | None
    ) -> Recognised:
        """The whole card of the deck's aspect that the quad of `one` in its `box` may show a part
        of; else `whole`, if enough inliers place it, else `one`."""
        guesses = other_extents(one.quad, self._aspect)
        if self._is_uneven:  # a bubble's outline hardly tells its rotation
            guesses = np.concatenate([guesses, rotated_boxes(one.quad, self._aspect)])
        others = self.recogniser.recognise(bgr, guesses, are_guesses=True)
        others = [other for other in others if overlap(box, other.quad) >= LIMITS.inside]
        best = max(others, key=self._sure, default=one)
        if self.is_named(best):
            return best
        if whole is not None and whole.evidence.inliers >= LIMITS.inliers:
            return whole
        return best if self._sure(best) >= self._sure(one) + LIMITS.gain else one

    def is_named(self, one: Recognised) -> bool:
        """Whether enough speaks for its face, and against its look-alikes, taught or not."""
        seen = one.evidence
        is_taught = one.face == BACK or seen.disagreement <= LIMITS.disagreement
        is_matched = seen.residual <= LIMITS.residual
        if seen.residual >= MATCH.residual_unseen:  # no difference is seen
            is_matched = seen.similarity >= SHOWN.alike and seen.corners > LIMITS.clear_corners
        is_settled = self._confidence.over_twins(seen) >= LIMITS.over_twins
        is_like = is_taught and is_matched and seen.is_alike
        return is_like and is_settled and self._sure(one) >= LIMITS.named

    def _sure(self, one: Recognised) -> float:
        return self._confidence.of(one.evidence)
