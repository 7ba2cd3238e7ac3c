"""The locator and the namer of one deck, ready to look at pictures."""

from dataclasses import dataclass

import numpy as np

from models.deck import Deck, load_deck
from models.gallery import load_gallery
from models.learned import load_learned
from vision.geometry import length
from vision.networks.embedder import Embedder
from vision.networks.locator import SCORE, Locator
from vision.nms import PART_OF_CARD, SAME_CARD, suppress
from vision.recognition.in_parallel import in_parallel
from vision.recognition.namer import Namer
from vision.settings import DEFAULT_ENGINES, EngineSettings
from vision.sightings import NOTHING, UNKNOWN, Located, Named, Sightings

SIDES = (640, 384, 224, 128)  # px of the locator's input for a single picture
WEAK = 0.05  # score of a box that is looked at where a single picture is not explained


@dataclass(frozen=True, slots=True)
class SizeLimits:
    """How many times longer or shorter than the usual card of one picture a card may be."""

    unnamed: float = 1.6
    named: float = 2.2


SIZES = SizeLimits()


class Eyes:
    """Locates and names the cards of one deck."""

    def __init__(
        self, locator: Locator, namer: Namer, score: float = SCORE, threads: int = 1
    ) -> None:
        self._locator, self._namer, self._score = locator, namer, score
        self._threads = threads

    @classmethod
    def open(
        cls,
        deck: str | Deck,
        threads: int = 1,
        score: float = SCORE,
        engines: EngineSettings = DEFAULT_ENGINES,
    ) -> "Eyes":
        """The shipped weights and a taught deck (a name or a folder); `score`: the least of a
        located card in a running game.

        Raises FairdealError if weights or deck are missing, damaged or of another version.
        """
        deck = load_deck(deck) if isinstance(deck, str) else deck
        embedder = Embedder(threads, engines)
        gallery = load_gallery(deck.taught, embedder.checksum)
        learned = load_learned(deck.learned, embedder.checksum)
        aspect = deck.height_mm / deck.width_mm
        is_open = bool(deck.missing)
        namer = Namer(
            gallery, deck.outline, aspect, embedder, threads=threads, is_open=is_open,
            learned=learned.agreeing(gallery) if learned is not None else None,
        )  # fmt: skip
        return cls(Locator(threads=threads, engine=engines.locator), namer, score, threads)

    def locate(self, bgr: np.ndarray) -> Located:
        """The cards of a frame (H, W, 3), not named."""
        return self._locator.locate(bgr, score=self._score)

    def name(
        self,
        bgr: np.ndarray,
        quads: np.ndarray,
        quick: bool = False,
        known: np.ndarray | None = None,
    ) -> Named:
        """Names the cards at `quads` (N, 4, 2) of a frame; "nothing" without a name or clear
        corners. A `quick` look leaves out the search for whole cards of which parts show; else
        they are searched for in the size of the card `known` (4, 2), which lies near."""
        if quick:
            return self._namer.glance(bgr, quads)
        return self._namer.name(bgr, quads, known=known)

    def see(self, bgr: np.ndarray) -> Sightings:
        """All cards of a single picture, named.

        Large cards are located at smaller inputs too; occluded ones are searched for around those
        that are recognised, and have their confidence for a score.
        """
        found = self._located(bgr, WEAK)
        is_weak = found.scores < SCORE
        located = Located(found.quads[~is_weak], found.scores[~is_weak])
        named = self._namer.name_all(bgr, located.quads, located.scores, found.quads[is_weak])
        scores = np.append(located.scores, named.confidences[len(located) :])
        # A name beats an unnamed look at the same card, however sure its kind is.
        is_unnamed = np.array([face == UNKNOWN for face in named.faces], bool)
        order = np.lexsort((-np.where(is_unnamed, scores, named.confidences), is_unnamed))
        fits = _is_usual_size(named)
        cards = np.array([k for k in order if named.faces[k] != NOTHING and fits[k]], np.intp)
        kept = cards[suppress(named.quads[cards], _limits(named, cards), PART_OF_CARD)]
        faces = tuple(named.faces[k] for k in kept)
        return Sightings(
            named.quads[kept],
            scores[kept],
            faces,
            named.confidences[kept],
            named.face_up[kept],
        )

    def locate_all(self, bgr: np.ndarray) -> Located:
        """The cards of a frame (H, W, 3), large ones too, not named."""
        return self._located(bgr, SCORE)

    def _located(self, bgr: np.ndarray, score: float) -> Located:
        # A box around a whole fan must not suppress its cards; `see` leaves out parts by name.
        same = SAME_CARD.at_one_size
        found = in_parallel(
            lambda side: self._locator.locate(bgr, side, score, part=None, same=same),
            SIDES,
            self._threads,
        )
        quads = np.concatenate([one.quads for one in found])
        scores = np.concatenate([one.scores for one in found])
        sides = np.repeat(SIDES, [len(one) for one in found])
        best = np.argsort(-scores, kind="stable")
        is_one_size = sides[best, None] == sides[best]
        limits = np.where(is_one_size & (scores[best, None] >= SCORE), same, SAME_CARD.box)
        best = best[suppress(quads[best], limits)]
        return Located(quads[best], scores[best])


def _limits(named: Named, cards: np.ndarray) -> np.ndarray:
    """The IoU above which each of the `cards` (N,) suppresses each other one, (N, N).

    Quads of named cards are exact, and cards of a pile share much; two of one face rarely do.
    """
    faces = np.array([named.faces[k] for k in cards])
    of_two = np.where(faces[:, None] == faces, SAME_CARD.same_face, SAME_CARD.named)
    return np.where(faces[:, None] != UNKNOWN, of_two, SAME_CARD.unnamed)


def _is_usual_size(named: Named) -> np.ndarray:
    """Which cards (N,) bool are about as long as the median of the surer half of the named ones."""
    lengths = np.array([length(quad) for quad in named.quads])
    known = np.array([face not in (UNKNOWN, NOTHING) for face in named.faces], bool)
    if not known.any():
        return np.ones(len(lengths), bool)
    surest = np.argsort(-np.where(known, named.confidences, -1.0), kind="stable")
    usual = float(np.median(lengths[surest[: (np.count_nonzero(known) + 1) // 2]]))
    off = np.exp(np.abs(np.log(np.maximum(lengths, 1e-6) / usual)))
    return off < np.where(known, SIZES.named, SIZES.unnamed)
