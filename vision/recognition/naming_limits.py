"""The thresholds of naming."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NamingLimits:
    """Probabilities, IoU and shares 0..1, log ratios, and counts."""

    named: float = 0.85  # probability of a name; lower names more cards and more of them wrongly
    over_twins: float = 0.9  # probability that the face is none of its look-alikes
    disagreement: float = 0.7  # of the worst place; above, it was not taught (but backs alias)
    residual: float = 2.2  # where it differs from its rival; above, it is neither of them
    gain: float = 0.1  # probability that a guessed extent must gain
    is_card: float = 0.7  # probability that an unnamed box holds a card
    of_deck: float = 0.65  # or that it is of its kind; it then lies where its picture matches
    rounds: int = 3  # passes of the keypoint search in a box that shows the card beside it
    inside: float = 0.7  # share of a box inside the card that it shows
    same_box: float = 0.5  # IoU of a box and the card that it shows
    inliers: int = 12  # matches that place a card, though they do not name it
    covered: float = 0.05  # share of a card under others from which it is recognised again
    correlation: float = 0.85  # above it, corners are right
    squeezed: float = 0.12  # log ratio of aspect or sides that a tilted camera hardly causes
    part: float = 0.8  # share of a box in a named card, and its size, if it is a part of that
    clear_corners: float = 0.4  # probability of an unnamed card's corners


LIMITS = NamingLimits()
