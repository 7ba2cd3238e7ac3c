"""Selects the card of a teaching picture among all quads found in it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from vision import geometry
from vision.geometry import Quad
from vision.networks.locator import standing
from vision.sightings import Located

SURE = 0.45  # least score of a quad
SHARE = 0.02, 0.8  # of the picture's area that a card fills
NEARLY = (
    0.8  # of the best score or probability: a second card, or the whole that contains the best quad
)
RIVAL = 0.3  # of the best probability: a second card, whose tilt may differ
WITHIN = 0.85  # share of a part that lies in its whole
LARGER = 1.1  # least area of a whole, in areas of its part
EDGELESS = 0.05  # share of its sides by which a whole may lie less on edges than its part
SURER = 0.2  # score by which a whole may also win before shape and size count
APART = 0.1  # largest share of a card's area that another card may have in common with it
SMALL = 0.5  # of the card's area: a smaller quad is no card of its deck
# Tolerances as log ratios, each least and most. The aspect changes with the camera's tilt, the
# size with its distance: least for a fixed camera, most for a hand-held one.
TILT = 0.09, 0.2
FAR = 0.7, 1.3
SPREAD = 0.9  # quantile of the deck's own pictures that measures how far they differ
TILT_MORE, FAR_MORE = 1.5, 2.5  # tolerance, in units of that quantile
CERTAIN = 0.97  # score from which a card of an unusual size is taken all the same
LIKELY = 0.4  # least probability of a card that is taught
FEW = 5  # fewer pictures do not define shape and size


@dataclass(frozen=True, slots=True)
class DeckShape:
    """Aspect (height / width) and size (share of the picture's diagonal) of a deck's cards, None
    if unknown. `tilted` and `far`: tolerances of aspect and size as log ratios."""

    aspect: float | None = None
    size: float | None = None
    tilted: float = TILT[1]
    far: float = FAR[1]


@dataclass(frozen=True, slots=True, eq=False)
class SelectedCard:
    """The card's quad (4, 2) px, the probability (`chance`) that it is a card of its deck, 0..1,
    and the number of `others` in the picture."""

    quad: Quad
    chance: float
    others: int

    @property
    def is_likely(self) -> bool:
        """Whether it may be taught."""
        return self.chance >= LIKELY


def select_card(
    located: Located,
    usual: DeckShape,
    shape: tuple[int, ...],
    edges: Callable[[Quad], float] | None = None,
) -> SelectedCard | None:
    """The most probable quad of a picture of `shape` (H, W, ...), or the whole that contains it.

    None without a quad of score SURE. Printed frames and table tiles look like cards too, but
    differ from the `usual` shape or size. `edges`: share of a quad's sides on edges, 0..1; a whole
    must not have fewer than its part.
    """
    share = np.array([geometry.area(quad) for quad in located.quads]) / (shape[0] * shape[1])
    is_sure = (located.scores >= SURE) & (share > SHARE[0]) & (share < SHARE[1])
    quads = [located.quads[k] for k in np.flatnonzero(is_sure)]
    if not quads:
        return None
    areas = np.array([geometry.area(quad) for quad in quads])
    scores = located.scores[is_sure].astype(float)
    sure = Located(located.quads[is_sure], located.scores[is_sure])
    of_shape = likelihoods(sure, replace(usual, size=None), shape)
    likely = likelihoods(sure, usual, shape)
    first = int(likely.argmax())
    is_near = likely >= NEARLY * likely[first]
    # Half of a court card has the shape of a card, too.
    may_be_whole = is_near | (scores > scores[first] + SURER)
    for k in np.argsort(-areas):
        if may_be_whole[k] and _is_whole(quads[k], quads[first], edges):
            first = int(k)
    is_rival = (scores >= NEARLY * scores[first]) & (likely >= RIVAL * likely[first])
    is_large = areas > SMALL * areas[first]
    others = _apart(quads[first], [quads[k] for k in np.flatnonzero(is_rival & is_large)])
    # A camera may come much nearer: the size chooses a card, and refuses none that is certain.
    chance = of_shape[first] if scores[first] >= CERTAIN else likely[first]
    return SelectedCard(quads[first], float(chance), others)


def likelihoods(
    located: Located, usual: DeckShape, shape: tuple[int, ...]
) -> npt.NDArray[np.float64]:
    """The scores (N,) of quads in a picture of `shape` (H, W, ...), each lowered as far as the quad
    differs from the deck's usual aspect and size."""
    likely = located.scores.astype(np.float64)
    if usual.aspect is not None:
        aspects = np.array([geometry.aspect(standing(quad)) for quad in located.quads])
        likely *= _near(aspects / usual.aspect, usual.tilted)
    if usual.size is not None:
        sizes = np.array([_size(quad, shape) for quad in located.quads])
        likely *= _near(sizes / usual.size, usual.far)
    return likely


def _is_whole(quad: Quad, part: Quad, edges: Callable[[Quad], float] | None) -> bool:
    """Whether the quad contains the part, is larger, and lies on edges as the part does."""
    if geometry.area(quad) <= LARGER * geometry.area(part):
        return False
    is_around = geometry.overlap(part, quad) > WITHIN
    return is_around and (edges is None or edges(quad) > edges(part) - EDGELESS)


def _apart(card: Quad, rivals: list[Quad]) -> int:
    """How many of the quads lie apart from the card and from each other."""
    known = [card]
    for quad in rivals:
        if all(geometry.overlap(quad, one) < APART for one in known):
            known.append(quad)
    return len(known) - 1


def estimate_shape(
    cards: Iterable[tuple[Quad, tuple[int, ...]]], aspect: float | None
) -> DeckShape:
    """Median aspect and size of cards, each a quad (4, 2) in a picture of shape (H, W, ...), and
    tolerances from their spread. `aspect`: height / width, if known. Fewer than FEW cards: only
    that."""
    cards = list(cards)
    if len(cards) < FEW:
        return DeckShape(aspect)
    aspects = np.array([geometry.aspect(standing(quad)) for quad, _ in cards])
    sizes = np.array([_size(quad, shape) for quad, shape in cards])
    return DeckShape(
        aspect or float(np.median(aspects)),
        float(np.median(sizes)),
        float(np.clip(TILT_MORE * _spread(aspects), *TILT)),
        float(np.clip(FAR_MORE * _spread(sizes), *FAR)),
    )


def _spread(values: np.ndarray) -> float:
    """The SPREAD quantile of the values' (N,) log ratios to their median."""
    return float(np.quantile(np.abs(np.log(values / np.median(values))), SPREAD))


def _size(quad: Quad, shape: tuple[int, ...]) -> float:
    """Root of the area as a share of the picture's diagonal."""
    return float(np.sqrt(geometry.area(quad)) / np.hypot(shape[0], shape[1]))


def _near(ratios: np.ndarray, spread: float) -> np.ndarray:
    """A Gaussian of the ratios' (N,) logarithms, 0..1."""
    return np.exp(-((np.log(ratios) / spread) ** 2))
