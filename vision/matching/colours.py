"""Compares two faces by their colours alone, whatever the colour of the lamp.

Faces may have one drawing in several colours. Luminance hardly tells them apart, and thin lines
that are a pixel aside match badly in each channel. The logarithm of a pixel over its surroundings
does not change with the lamp, which multiplies each channel by a factor of its own; averaged over
some width it does not ask where exactly a line lies.
"""

from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np

from vision.matching.template_match import HEIGHT, WIDTH


@dataclass(frozen=True, slots=True)
class ColourLimits:
    """Sizes, and mean squares of log ratios."""

    place: int = 4  # px of a template that are averaged to one place
    surroundings: int = 7  # places of the box filters of the local mean
    smooth: int = 3  # places over which colours are averaged once more
    black: float = 6.0  # grey levels that are added: noise in the dark has no colour
    rim: int = 1  # places that are left out: they may show the table
    least: float = 0.0004  # mean square of a difference in colour that is compared
    share: float = 0.5  # of the whole difference; it counts in full from here on,
    veiled: float = 0.4  # and if it is more than this part of the faces' own colours: a reflection
    other_ink: float = 0.8  # on a teaching picture makes them paler. In full from here on


class ColourMargin(NamedTuple):
    """How much liker a card's colours are to one face's than to another's where these differ.

    margin: -1..1, above 0 for the one; weight: how far the two are one drawing in two inks, 0..1.
    It is near 0 where brightness differs more than colour, as it does between shapes, and where
    only one colour's strength differs.
    """

    margin: float
    weight: float


UNSEEN = ColourMargin(0.0, 0.0)
LIMITS = ColourLimits()
PLACES = WIDTH // LIMITS.place, HEIGHT // LIMITS.place
_OFF_GREY = np.eye(3, dtype=np.float32) - np.float32(1 / 3)  # takes off the channels' mean


def colours(picture: np.ndarray) -> np.ndarray:
    """The log ratios of the channels of a card (H, W, 3) uint8 to their surroundings: a float32
    picture of PLACES, three channels."""
    small = cv2.resize(picture, PLACES, interpolation=cv2.INTER_AREA).astype(np.float32)
    ratios = np.log(small + LIMITS.black)
    around = (LIMITS.surroundings, LIMITS.surroundings)
    ratios -= cv2.blur(cv2.blur(ratios, around), around)
    return cv2.blur(ratios, (LIMITS.smooth, LIMITS.smooth))


def colour_margin(
    card: np.ndarray, one: np.ndarray, other: np.ndarray, visible: np.ndarray
) -> ColourMargin:
    """Compares the `colours` of a card with those of two faces. `visible` (HEIGHT, WIDTH, 1): what
    no other card covers."""
    counts = cv2.resize(visible, PLACES, interpolation=cv2.INTER_AREA) > 0.99
    rim = LIMITS.rim
    counts[:rim] = counts[-rim:] = counts[:, :rim] = counts[:, -rim:] = False
    if not counts.any():
        return UNSEEN
    seen, mine, rival = card[counts], one[counts], other[counts]
    weight = _colour(mine - rival)
    colour = float(weight.mean())
    if colour < LIMITS.least:
        return UNSEEN
    off_mine, off_rival = (float(_colour(seen - face) @ weight) for face in (mine, rival))
    brightness = float(((mine - rival) ** 2).sum(1).mean()) - colour
    own = float(_colour(mine).mean() + _colour(rival).mean())
    part = (colour / own - LIMITS.veiled) / (LIMITS.other_ink - LIMITS.veiled)
    share = colour / (colour + brightness) / LIMITS.share
    return ColourMargin(
        (off_rival - off_mine) / (off_mine + off_rival + 1e-12),
        min(1.0, share) * min(1.0, max(0.0, part)),
    )


def _colour(ratios: np.ndarray) -> np.ndarray:
    """The squares of what differs between the channels, (N,) of (N, 3)."""
    apart = ratios @ _OFF_GREY
    return np.einsum("ij,ij->i", apart, apart)
