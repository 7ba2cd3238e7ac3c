"""Chooses the one card of a teaching picture among all that was found there."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from vision import geometry
from vision.geometry import Quad
from vision.networks.locator import standing
from vision.sightings import Located

SURE = 0.45  # least score of a find
SHARE = 0.02, 0.8  # of the picture that a card fills
NEARLY = 0.8  # as sure as the surest: another card, or the whole of which that is a part
WITHIN = 0.85  # of a part in its whole,
LARGER = 1.1  # which is so much larger,
SURER = 0.2  # or so much surer before it is known what cards are like
APART = 0.1  # most that two cards share
SMALL = 0.5  # of the card: what is smaller is none of its deck
# Logarithms of what a tilted camera makes of an aspect, and of sizes as cards are held nearer or
# further off: of a camera that stands still, and of one held in the hand.
TILT = 0.09, 0.2
FAR = 0.7, 1.3
SPREAD = 0.9  # of a deck's pictures tell how much theirs differ,
TILT_MORE, FAR_MORE = 1.5, 2.5  # and the next may differ so many times as much
CERTAIN = 0.97  # score from which a card of an unusual size is taken all the same
LIKELY = 0.4  # least chance of a card that is taught
FEW = 5  # pictures that tell nothing of the others


@dataclass(frozen=True, slots=True)
class DeckShape:
    """What the cards of a deck are like: their `aspect` (height / width), and their `size` in the
    pictures, a part of the diagonal; each None where it is not known. How far off a card may be,
    logarithms: its aspect as it is `tilted`, its size as it is more or less `far`."""

    aspect: float | None = None
    size: float | None = None
    tilted: float = TILT[1]
    far: float = FAR[1]


@dataclass(frozen=True, slots=True, eq=False)
class SelectedCard:
    """The card's quad (4, 2) px, the `chance` that it is one of its deck, 0..1, and how many
    `others` may be."""

    quad: Quad
    chance: float
    others: int

    @property
    def is_likely(self) -> bool:
        """Whether it may be taught."""
        return self.chance >= LIKELY


def select_card(located: Located, usual: DeckShape, shape: tuple[int, ...]) -> SelectedCard | None:
    """The surest find in a picture of `shape` (H, W, ...), or the whole of which that is a part;
    None where there is none. What a card or a table shows may look like a card, but of another
    shape or size than is `usual`."""
    share = np.array([geometry.area(quad) for quad in located.quads]) / (shape[0] * shape[1])
    is_sure = (located.scores >= SURE) & (share > SHARE[0]) & (share < SHARE[1])
    quads = [located.quads[k] for k in np.flatnonzero(is_sure)]
    if not quads:
        return None
    areas = np.array([geometry.area(quad) for quad in quads])
    scores = located.scores[is_sure].astype(float)
    likely = scores.copy()
    if usual.aspect is not None:
        aspects = np.array([geometry.aspect(standing(quad)) for quad in quads])
        likely *= _near(aspects / usual.aspect, usual.tilted)
    of_shape = likely.copy()
    if usual.size is not None:
        sizes = np.array([_size(quad, shape) for quad in quads])
        likely *= _near(sizes / usual.size, usual.far)
    first = int(likely.argmax())
    is_near = likely >= NEARLY * likely[first]
    # Half of a court card has the shape of a card too.
    may_be_whole = is_near | (scores > scores[first] + SURER)
    for k in np.argsort(-areas):
        is_whole = geometry.overlap(quads[first], quads[k]) > WITHIN
        if may_be_whole[k] and areas[k] > LARGER * areas[first] and is_whole:
            first = int(k)
    others: list[Quad] = []
    for k in np.flatnonzero(is_near & (areas > SMALL * areas[first])):
        if all(geometry.overlap(quads[k], known) < APART for known in (quads[first], *others)):
            others.append(quads[k])
    # A camera may come much nearer: the size chooses a card, and refuses none that is certain.
    chance = of_shape[first] if scores[first] >= CERTAIN else likely[first]
    return SelectedCard(quads[first], float(chance), len(others))


def estimate_shape(
    cards: Iterable[tuple[Quad, tuple[int, ...]]], aspect: float | None
) -> DeckShape:
    """What most of the cards are like, each a quad (4, 2) in a picture of shape (H, W, ...), of an
    `aspect` (height / width) that may be known; nothing more where they are few."""
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
    """How far off the median most of the values (N,) are, a logarithm."""
    return float(np.quantile(np.abs(np.log(values / np.median(values))), SPREAD))


def _size(quad: Quad, shape: tuple[int, ...]) -> float:
    """A part of the picture's diagonal."""
    return float(np.sqrt(geometry.area(quad)) / np.hypot(shape[0], shape[1]))


def _near(ratios: np.ndarray, spread: float) -> np.ndarray:
    """How near the ratios (N,) are to 1, 0..1."""
    return np.exp(-((np.log(ratios) / spread) ** 2))
