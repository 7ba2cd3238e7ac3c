"""A further look at cards that the taught pictures leave without a name, with learned pictures."""

import numpy as np

from models.gallery import Gallery
from vision.geometry import Quad
from vision.networks.embedder import Embedder
from vision.recognition.judge import Judge
from vision.recognition.naming_limits import LEARNED
from vision.recognition.recognised import Recognised
from vision.recognition.recogniser import Recogniser


class LearnedLook:
    """Compares cards with the `taught` pictures of a deck and with those `learned` at the table."""

    def __init__(
        self,
        taught: Gallery,
        learned: Gallery,
        outline: str,
        aspect: float,
        embedder: Embedder,
        judge: Judge,
    ) -> None:
        known = taught.joined(learned)
        self._recogniser = Recogniser(known, outline, aspect, embedder)
        self._embedder, self._judge = embedder, judge
        self._names, self._vectors = np.array(known.faces), known.vectors
        self._first = len(taught.faces)  # of the learned pictures

    def again(self, bgr: np.ndarray, one: Recognised) -> Recognised:
        """The card as learned pictures show it; as it is, if it has a name or gets none by them."""
        judge = self._judge
        if judge.is_named(one) or not judge.is_of_deck(one) or not self._is_like(bgr, one.quad):
            return one
        found = self._recogniser.recognise_under(bgr, one, [])
        return found if found is not None and judge.is_learned(found) else one

    def _is_like(self, bgr: np.ndarray, quad: Quad) -> bool:
        """Whether a learned picture is the nearest of all, by enough: costs one embedding."""
        ways = np.stack([quad, np.roll(quad, 2, axis=0)]).astype(np.float32)
        alike = (self._embedder.embed(bgr, ways) @ self._vectors.T).max(0)
        best = int(alike.argmax())
        others = alike[self._names != self._names[best]]
        lead = float(alike[best] - others.max(initial=-1.0))
        return best >= self._first and lead >= LEARNED.similarity_margin
