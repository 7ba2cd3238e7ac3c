"""Names located cards: recognition, confidence, and the search for whole, occluded cards."""

from collections.abc import Collection

import numpy as np

from models.gallery import Gallery
from vision.geometry import Quad, aspect, iou, length
from vision.matching.keypoints import KeypointMatcher
from vision.matching.occlusion import covered_share
from vision.networks.embedder import Embedder
from vision.networks.locator import standing
from vision.nms import SAME_CARD
from vision.recognition.confidence import Confidence, Presence
from vision.recognition.in_parallel import in_parallel, in_waves
from vision.recognition.judge import Judge
from vision.recognition.learned_look import LearnedLook
from vision.recognition.naming_limits import LIMITS
from vision.recognition.occluded_search import OccludedSearch, are_near, distinct
from vision.recognition.recognised import Recognised
from vision.recognition.recogniser import Recogniser
from vision.recognition.row_search import RowSearch
from vision.recognition.whole_search import WholeSearch
from vision.sightings import BACK, NOTHING, UNKNOWN, Named


class Namer:
    """Names the cards of one taught deck, of its `outline` and `aspect` (height / width), several
    cards at once on so many `threads`. `is_open`: cards of untaught faces lie on the table too.
    `learned`: pictures from the table. What the taught pictures name they never name otherwise."""

    def __init__(
        self,
        gallery: Gallery,
        outline: str,
        aspect: float,
        embedder: Embedder,
        confidence: Confidence | None = None,
        threads: int = 1,
        is_open: bool = False,
        learned: Gallery | None = None,
    ) -> None:
        self.recogniser = Recogniser(gallery, outline, aspect, embedder, threads)
        self._aspect, self._threads = aspect, threads
        self._confidence = confidence or Confidence.load()
        self._judge = Judge(self._confidence, is_open)
        self._learned = (
            None
            if learned is None
            else LearnedLook(gallery, learned, outline, aspect, embedder, self._judge)
        )
        keypoints = KeypointMatcher(gallery.templates, aspect)
        self._whole = WholeSearch(
            self.recogniser, keypoints, self._judge, aspect, is_uneven=outline == "bubble"
        )
        self._rows = RowSearch(self.recogniser, self._judge)
        self.search = OccludedSearch(self.recogniser, keypoints, self._judge, threads)

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
        """As `name`, by one look at each quad, and by the taught pictures alone."""
        return self._decided(self.recogniser.recognise(bgr, quads), quads, None)

    def name_all(
        self,
        bgr: np.ndarray,
        quads: np.ndarray,
        scores: np.ndarray,
        weak: np.ndarray | None = None,
    ) -> Named:
        """As `name`. After these N come cards that were not located, if their kind is sure: most
        of them are occluded. If the `weak` boxes (M, 4, 2), of too low a score, are given too,
        each of those cards holds most of a box."""
        cards = self._best_placed(bgr, self.recognise(bgr, quads))
        known = distinct(sorted(filter(self.is_named, cards), key=self._sure, reverse=True))
        hints = None if weak is None else np.concatenate([quads, weak])
        found = self._rows.beside(bgr, known)
        if weak is not None:
            found += self.search.at_weak(bgr, weak, known + found)
        found += self.search.anywhere(bgr, known + found, hints)
        found += self.search.beside(bgr, known + found, hints)
        known += found
        cards = [one if self.is_named(one) else self._whole.under(bgr, one, known) or one
                 for one in cards]  # fmt: skip
        cards = self._searched_within(bgr, quads, cards, known)
        boxes = np.array([*quads, *(one.quad for one in found)], np.float32).reshape(-1, 4, 2)
        chances = np.array([*scores, *(self._sure(one) for one in found)], np.float32)
        cards += found
        apart = self.apart(bgr, cards, boxes)
        none = {k for k, one in enumerate(apart) if one is None}
        cards = [one or cards[k] for k, one in enumerate(apart)]
        return self._decided(cards, boxes, chances, none, is_still=True)

    def _best_placed(self, bgr: np.ndarray, cards: list[Recognised]) -> list[Recognised]:
        """The cards, those of clearest outline first, as `BackPlaces.best_placed` beside them;
        what has no better place stays."""
        placed = list(cards)
        order = sorted(range(len(cards)), key=lambda k: -cards[k].evidence.corners)
        for n, k in enumerate(order):
            surer = [placed[j] for j in order[:n] if self.is_named(placed[j])]
            placed[k] = self.search.backs.best_placed(bgr, cards[k], surer) or cards[k]
        return placed

    def apart(
        self, bgr: np.ndarray, cards: list[Recognised], boxes: np.ndarray
    ) -> list[Recognised | None]:
        """Each card of the `boxes` (N, 4, 2) by what the surer ones leave visible: a box astride
        two cards shows their faces. None: next to nothing is left of it, or its name is not borne
        out."""
        order = sorted(range(len(cards)), key=lambda k: self._sure(cards[k]), reverse=True)
        order.sort(key=lambda k: not self.is_named(cards[k]))
        seen: list[Recognised | None] = list(cards)
        surer: list[Recognised] = []
        for k in order:
            card = seen[k] = self._beside(bgr, cards[k], boxes[k], surer)
            if card is not None and self.is_named(card):
                surer.append(card)
        return seen

    def _beside(
        self, bgr: np.ndarray, one: Recognised, box: np.ndarray, surer: list[Recognised]
    ) -> Recognised | None:
        """One of the cards `apart`."""
        if self.is_named(one):
            return one if self._is_borne_out(bgr, one, surer) else None
        shown = [other.shown for other in surer]
        if covered_share(self.place(one, box), shown) < LIMITS.mostly_covered:
            return one
        return self.recogniser.recognise_under(bgr, one, shown)

    def _is_borne_out(self, bgr: np.ndarray, one: Recognised, surer: list[Recognised]) -> bool:
        """Whether a name stays, of a card near a `surer` one or of a weak match astride several."""
        others = [other for other in surer if iou(one.quad, other.quad) < SAME_CARD.recognised]
        near = [o.shown for o in others if iou(one.quad, o.quad) > SAME_CARD.doubtful]
        shown = [other.shown for other in others]
        if not near and one.evidence.better_half < LIMITS.correlation and not one.evidence.inliers:
            is_hidden = covered_share(one.quad, shown) >= LIMITS.mostly_covered
            near = shown if is_hidden else []
        again = self.recogniser.recognise_under(bgr, one, near) if near else one
        return again is not None and self.is_named(again)

    def _searched_within(
        self, bgr: np.ndarray, quads: np.ndarray, cards: list[Recognised], known: list[Recognised]
    ) -> list[Recognised]:
        """The cards after a search in each box without a name, or whose card lies elsewhere."""
        known = distinct(known + [one for one in cards if self.is_named(one)])
        searched = list(cards)
        unsettled = [
            i
            for i, one in enumerate(cards)
            if not (self._judge.is_settled(one) and iou(one.quad, quads[i]) >= LIMITS.same_box)
        ]

        def look(i: int) -> Recognised | None:
            return self.search.in_box(bgr, quads[i], known.copy())

        def settle(i: int, found: Recognised | None) -> Recognised | None:
            if found is not None:
                searched[i] = found
                known.append(found)
            return found

        def concerns(found: Recognised, i: int) -> bool:
            return are_near(found.quad, quads[i])

        in_waves(look, settle, concerns, unsettled, self._threads)
        return searched

    def _decided(
        self,
        cards: list[Recognised],
        quads: np.ndarray,
        scores: np.ndarray | None,
        none: Collection[int] = (),
        is_still: bool = False,
    ) -> Named:
        sure = [self._sure(one) for one in cards]
        if scores is None:
            there = [self._judge.is_clear(one) for one in cards]
        else:
            found = self.presences(cards, quads, scores)
            there = [
                self._confidence.is_card(presence) >= LIMITS.is_card or self._judge.is_of_deck(one)
                for presence, one in zip(found, cards, strict=True)
            ]
        faces, places = [], []
        for k, (one, is_there) in enumerate(zip(cards, there, strict=True)):
            is_named = self._judge.is_named(one, is_still, has_hand=not is_still)
            face = one.face if is_named else UNKNOWN if is_there else NOTHING
            faces.append(NOTHING if k in none else face)
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
            others = [other.shown for other in named if other is not one]
            found.append(Presence(
                float(score), one.is_card, one.evidence.corners,
                self._confidence.kind(one.evidence),
                iou(box, one.quad), covered_share(box, others), one.evidence.inliers,
                abs(np.log(length(place) / usual)) if usual else 0.0,
                abs(np.log(aspect(place) / self._aspect)), usual is None,
            ))  # fmt: skip
        return found

    def place(self, one: Recognised, box: np.ndarray) -> np.ndarray:
        """Where the card lies (4, 2): its refined corners if these are sure; else its box, as
        corners under another card are a guess."""
        judge = self._judge
        is_found = judge.is_named(one) or judge.is_clear(one) or judge.is_of_deck(one)
        return one.quad if is_found else box

    def recognise(
        self, bgr: np.ndarray, quads: np.ndarray, known: Quad | None = None
    ) -> list[Recognised]:
        """The card at each of the `quads` (N, 4, 2). If no face is sure, the quad may show only a
        part of a card, and the whole is searched for too: in the size of the card `known` (4, 2),
        if there is one."""
        cards = self._looked_again(bgr, self.recogniser.recognise(bgr, quads))
        judge = self._judge
        is_clear = [judge.is_settled(one) and not self._whole.is_squeezed(one) for one in cards]
        named = [
            one for one, clear in zip(cards, is_clear, strict=True) if clear and judge.is_named(one)
        ]
        known_then: dict[int, int] = {}  # how many were named when a card was searched for

        def look(i: int) -> tuple[int, Recognised]:
            one, others = cards[i], named.copy()
            sized = self._sized(bgr, quads[i], one, known)
            return len(others), sized or self._whole.whole(bgr, quads[i], one, others)

        def settle(i: int, found: tuple[int, Recognised]) -> Recognised | None:
            known_then[i], cards[i] = found
            if not self.is_named(cards[i]):
                return None
            named.append(cards[i])
            return cards[i]

        def concerns(found: Recognised, i: int) -> bool:
            return are_near(found.quad, quads[i])

        sought = [i for i, one in enumerate(cards) if not judge.is_nothing(one)]
        unclear = [i for i in sought if not is_clear[i]]
        in_waves(look, settle, concerns, unclear, self._threads)
        for i in sought:
            if i not in known_then and cards[i].evidence.better_half < LIMITS.better_half:
                cards[i] = self._sized(bgr, quads[i], cards[i], known) or cards[i]
        for i, count in known_then.items():
            if len(named) > count and not self.is_named(cards[i]):  # later ones may lie on it
                cards[i] = self._whole.under(bgr, cards[i], named) or cards[i]
        return cards

    def _looked_again(self, bgr: np.ndarray, cards: list[Recognised]) -> list[Recognised]:
        """The cards; those of the deck without a name are compared with what was learned too."""
        learned = self._learned
        if learned is None:
            return cards
        return in_parallel(lambda one: learned.again(bgr, one), cards, self._threads)

    def _sized(
        self, bgr: np.ndarray, box: np.ndarray, one: Recognised, known: Quad | None
    ) -> Recognised | None:
        """The card of the size of `known` in the box, if it has a name and matches better."""
        sized = None if known is None else self.search.sized(bgr, box, known)
        if sized is None or not self.is_named(sized):
            return None
        is_better = sized.evidence.correlation > one.evidence.correlation
        return sized if is_better or not self.is_named(one) else None

    def is_named(self, one: Recognised) -> bool:
        """Whether enough speaks for its face, and against its look-alikes, taught or not."""
        return self._judge.is_named(one)

    def _sure(self, one: Recognised) -> float:
        return self._judge.sure(one)
