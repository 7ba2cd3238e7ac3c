"""The eyes: the locator and the namer of one deck, ready to look."""

import numpy as np

from models.deck import Deck, load_deck
from models.gallery import load_gallery
from vision.geometry import length
from vision.networks.embedder import Embedder
from vision.networks.locator import SAME_IOU, Locator, drop_doubles
from vision.recognition.namer import Named, Namer
from vision.sightings import NOTHING, UNKNOWN, Located, Sightings

SIDES = (640, 384, 224, 128)  # px of the locator's input for a picture that is looked at once
# Intersection over union from which on a card was found twice: with a name, without, and with the
# same: of which another hides so much, it shows by a fifth.
SAME_NAMED, SAME_UNKNOWN, SAME_FACE = 0.75, 0.6, 0.65
SIZES = 1.6  # so much longer or shorter than a card beside it, in one picture, no card is,
SIZES_NAMED = 2.2  # nor one with a name


class Eyes:
    """Finds and names the cards of one deck."""

    def __init__(self, locator: Locator, namer: Namer) -> None:
        self._locator, self._namer = locator, namer

    @classmethod
    def open(cls, deck: str | Deck, threads: int = 1) -> "Eyes":
        """The shipped weights and a taught deck (a name or a folder).

        Raises FairdealError where weights or deck are missing, damaged or of another version.
        """
        deck = load_deck(deck) if isinstance(deck, str) else deck
        embedder = Embedder(threads=threads)
        gallery = load_gallery(deck.taught, embedder.checksum)
        namer = Namer(gallery, deck.outline, deck.height_mm / deck.width_mm, embedder)
        return cls(Locator(threads=threads), namer)

    def locate(self, bgr: np.ndarray) -> Located:
        """The cards of a frame (H, W, 3), not named."""
        return self._locator.locate(bgr)

    def name(self, bgr: np.ndarray, quads: np.ndarray) -> Named:
        """Names the cards at `quads` (N, 4, 2) of a frame: none without name or clear corners."""
        return self._namer.name(bgr, quads)

    def see(self, bgr: np.ndarray) -> Sightings:
        """All cards of a picture, named; large ones are looked for at a small input too, hidden
        ones about those that are known. These have their confidence for a score."""
        located = self.locate_all(bgr)
        named = self._namer.name_all(bgr, located.quads, located.scores)
        scores = np.append(located.scores, named.confidences[len(located) :])
        order = np.argsort(-named.confidences, kind="stable")
        fits = _of_one_size(named)
        cards = np.array([k for k in order if named.faces[k] != NOTHING and fits[k]], np.intp)
        kept = cards[drop_doubles(named.quads[cards], _limits(named, cards))]
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
        found = [self._locator.locate(bgr, side) for side in SIDES]
        quads = np.concatenate([one.quads for one in found])
        scores = np.concatenate([one.scores for one in found])
        best = np.argsort(-scores, kind="stable")
        best = best[drop_doubles(quads[best], SAME_IOU)]
        return Located(quads[best], scores[best])


def _limits(named: Named, cards: np.ndarray) -> np.ndarray:
    """From which shared part on each of the `cards` (N,) is another that was found twice, (N, N):
    quads of cards with a name are true, and may share much in a pile, but hardly two of one face.
    """
    faces = np.array([named.faces[k] for k in cards])
    of_two = np.where(faces[:, None] == faces, SAME_FACE, SAME_NAMED)
    return np.where(faces[:, None] != UNKNOWN, of_two, SAME_UNKNOWN)


def _of_one_size(named: Named) -> np.ndarray:
    """Which cards (N,) bool are about as long as the surest half of those with a name; others that
    have one may be further off."""
    lengths = np.array([length(quad) for quad in named.quads])
    known = np.array([face not in (UNKNOWN, NOTHING) for face in named.faces], bool)
    if not known.any():
        return np.ones(len(lengths), bool)
    surest = np.argsort(-np.where(known, named.confidences, -1.0), kind="stable")
    usual = float(np.median(lengths[surest[: (np.count_nonzero(known) + 1) // 2]]))
    off = np.exp(np.abs(np.log(np.maximum(lengths, 1e-6) / usual)))
    return off < np.where(known, SIZES_NAMED, SIZES)
