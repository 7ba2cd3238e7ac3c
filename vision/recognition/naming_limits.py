"""The thresholds of naming."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NamingLimits:
    """Probabilities, IoU and shares 0..1, log ratios, and counts."""

    named: float = 0.85  # probability of a name; lower names more cards and more of them wrongly
    over_twins: float = 0.9  # probability that the face is none of its look-alikes
    disagreement: float = 0.7  # of the worst place; above, it was not taught (but backs alias)
    glare: float = 1.2  # the same where all else matches: glare, a worn or a blurred place
    still_glare: float = 1.25  # the same in a still picture, if these two are reached:
    sure_kind: float = 0.99  # probability of the face's kind
    sure_over_twins: float = 0.98  # probability that it is this face, not a look-alike
    residual: float = 2.2  # where it differs from its rival; above, it is neither of them
    gain: float = 0.1  # probability that a guessed extent must gain
    is_card: float = 0.8  # probability that an unnamed box holds a card
    kind: float = 0.85  # probability of its kind that makes an unnamed find a card
    of_deck: float = 0.65  # or that it is of its kind; it then lies where its picture matches
    rounds: int = 3  # passes of the keypoint search in a box that shows the card beside it
    inside: float = 0.7  # share of a box inside the card that it shows
    same_box: float = 0.5  # IoU of a box and the card that it shows
    inliers: int = 12  # matches that place a card, though they do not name it
    covered: float = 0.05  # share of a card under others from which it is recognised again,
    mostly_covered: float = 0.5  # and from which only what they leave visible speaks for it
    correlation: float = 0.85  # above it, corners are right
    better_half: float = 0.8  # correlation below which a card of a known size may match better
    squeezed: float = 0.12  # log ratio of aspect or sides that a tilted camera hardly causes
    part: float = 0.8  # share of a box in a named card, and its size, if it is a part of that
    clear_corners: float = 0.4  # probability of an unnamed card's corners
    nothing: float = 0.3  # probability of a card; with less, and no similar face, none is sought


@dataclass(frozen=True, slots=True)
class OpenLimits:
    """What a name needs besides where cards of untaught faces lie on the table too: what differs
    from the nearest face is then no occluder, but another face's own mark. Cosines and correlations
    -1..1; chosen on real poker cards and drawn ones of which faces were left out."""

    similarity: float = 0.75  # cosine
    similarity_margin: float = -0.05  # cosine over the nearest other face: one that is nearer errs
    correlation: float = 0.74  # of all visible parts
    disagreement: float = 0.6  # of the worst place
    residual: float = 1.3  # where it differs from its rival


@dataclass(frozen=True, slots=True)
class RecogniserLimits:
    """Cosines and correlations -1..1, shares 0..1, and counts."""

    candidates: int = 5  # faces that are verified; more cost time
    similarity_gap: float = 0.25  # cosine below the best from which a face is no candidate
    surest: int = 3  # templates of nearest embedding that are verified in any case,
    lookalikes: int = 2  # and those most like the likeliest one, though their embedding is far
    alike: float = 0.6  # correlation of two templates from which they are look-alikes
    templates_per_face: int = 2  # verified, if a face was taught by several pictures
    weak: int = 8  # boxes of a low score whose corners are refined
    weak_alike: float = 0.6  # cosine below which such a box is compared with no template
    weak_size: float = 1.25  # times as long or short as the known cards that a card there may be
    sure_corners: float = 0.5  # probability of corners below which those before them compete,
    coarse_gain: float = 0.05  # and win by so much cosine
    unlike: float = 0.4  # cosine below which an unoccluded region shows no card of the deck
    moved: float = 0.02  # of the diagonal; a card registered so far off is embedded again
    whole: float = 0.85  # correlation below which a card may be partly occluded
    partial: float = 0.2  # correlation below which it is no card of the deck,
    guess: float = 0.4  # and a guessed extent is none
    partial_faces: int = 3  # faces from partial ranking for each orientation
    least_visible: float = 0.12  # share of a card; less is not verified
    least_pose: float = 0.5  # correlation of a pose worth verifying
    sure_inliers: int = 10  # inliers that halve that correlation
    pose_corners: float = 0.4  # probability given to corners that come from a pose


@dataclass(frozen=True, slots=True)
class LearnedLimits:
    """What a name needs besides that only learned pictures give. Of two look-alikes the one that
    was learned in this light would win: look-alikes are left to the taught pictures."""

    similarity_margin: float = 0.1  # cosine over the nearest other face
    over_twins: float = 0.97  # probability that it is none of its look-alikes


LIMITS = NamingLimits()
OPEN = OpenLimits()
LEARNED = LearnedLimits()
RECOGNISER = RecogniserLimits()
