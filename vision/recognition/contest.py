"""Decides between candidate faces that look alike: each pair is compared where the two differ."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from vision.matching import template_match
from vision.matching.colours import UNSEEN as NO_COLOURS
from vision.matching.colours import colour_margin
from vision.matching.fine_match import UNSEEN, FineCrop, FineMargin, compare
from vision.matching.fine_templates import FineTemplates, View
from vision.matching.masked_crop import MaskedCrop, Match
from vision.recognition.confidence import lead


@dataclass(frozen=True, slots=True)
class ContestLimits:
    """Which faces are look-alikes, and which views are compared by patches."""

    rival: float = 0.6  # of the better correlation; a face below it is no look-alike
    turn_gap: float = 0.03  # correlation by which a half-turn may be worse before it is aligned
    clear_margin: float = 0.6  # margin by templates that needs no patches
    enough_visible: float = 0.5  # share of a pair's patches; with less the margin counts less
    no_match: float = 1.1  # residual from which the margin counts nothing,
    matching: float = 0.6  # and so much less of it in full
    discoloured: float = -0.8  # margin by colours below which a face is not the likelier one,
    covered: float = 0.9  # if less than this share of the card can be seen: lamps have colours too
    hopeless: float = 0.25  # correlation below which neither face is there, so patches are spared
    clear: float = 0.4  # correlation from which that share tells faces apart
    aligned: float = 0.9994  # cosine; two views rotated by more (2°) are not compared by patches


LIMITS = ContestLimits()


class Contest(NamedTuple):
    """How a face compares with its nearest rival where the two differ.

    margin: by templates, -1..1; residual: how badly it matches there; fine: margin by patches,
    -1..1 (0 if none can be seen); fine_residual: of these patches; colours: margin by colours,
    -1..1.
    """

    margin: float
    residual: float
    fine: float
    fine_residual: float
    colours: float

    @property
    def lead(self) -> float:
        """Above 0 if the face is likelier than the rival."""
        return lead(self.margin, self.fine, self.colours)

    def reversed(self) -> "Contest":
        """The same contest as the rival sees it."""
        return self._replace(margin=-self.margin, fine=-self.fine, colours=-self.colours)


UNCONTESTED = Contest(1.0, 0.0, 1.0, 0.0, 0.0)
UNDECIDED = Contest(0.0, template_match.LIMITS.residual_unseen, 0.0, UNSEEN.residual, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class Contestant:
    """A candidate `face` as it appears in the crop: the normalised template (HEIGHT, WIDTH, 3), the
    match, the `view` for patches (None if rotated against the crop) and the colours as it was
    taught; `is_reversed`: turned by 180° against its candidate."""

    face: str
    view: View | None
    template: np.ndarray
    match: Match
    taught_colours: np.ndarray
    is_reversed: bool = False

    @property
    def colours(self) -> np.ndarray | None:
        """Its colours as they appear in the crop; None if it is rotated against the crop."""
        if self.view is None:
            return None
        return self.taught_colours[::-1, ::-1] if self.view.is_turned else self.taught_colours

    def reversed(self, crop: MaskedCrop) -> "Contestant":
        """The same candidate turned by 180°."""
        template = template_match.half_turned(self.template)
        view = View(self.view.number, not self.view.is_turned) if self.view else None
        return replace(self, view=view, template=template, match=crop.match(template),
                       is_reversed=not self.is_reversed)  # fmt: skip


def view_of(number: int, quad: np.ndarray, place: np.ndarray) -> View | None:
    """How the template `number` of a candidate at `quad` (4, 2) appears in a crop at `place`."""
    sides = [one[1] - one[0] + one[2] - one[3] for one in (quad, place)]
    cosine = float(sides[0] @ sides[1]) / max(float(np.prod(np.linalg.norm(sides, axis=1))), 1e-9)
    return View(number, cosine < 0) if abs(cosine) >= LIMITS.aligned else None


def better_turns(crop: MaskedCrop, contestants: Sequence[Contestant]) -> list[Contestant]:
    """The look-alikes among the contestants, each in the half-turn that matches better.

    A card may have been taught upside down, and court cards hardly differ from their half-turn.
    """
    least = LIMITS.rival * max(one.match.correlation for one in contestants)
    rivals = {one.face for one in contestants if one.match.correlation >= least}
    if len(rivals) < 2:
        return list(contestants)
    turned = []
    for one in contestants:
        if one.view is not None and one.match.correlation >= least:
            template = crop.masked(template_match.half_turned(one.template))
            likely = template_match.correlation(one.match.normal, template)
            if likely > one.match.correlation - LIMITS.turn_gap:
                one = max(one, one.reversed(crop), key=lambda each: each.match.correlation)
        turned.append(one)
    return turned


def decide(
    crop: MaskedCrop,
    contestants: Sequence[Contestant],
    fine: FineCrop,
    taught: FineTemplates,
) -> tuple[int, Contest]:
    """The number of the contestant that wins all its contests, and the narrowest of these.

    Two contestants of one face do not compete, nor do two of which one matches clearly and the
    other far worse: the better match stays.
    """
    chosen, narrowest = 0, UNCONTESTED
    for i in range(1, len(contestants)):
        mine, other = contestants[chosen], contestants[i]
        if mine.face == other.face or not _are_rivals(mine, other):
            if other.match.correlation > mine.match.correlation:
                chosen = i
            continue
        contest = between(crop, mine, other, fine, taught)
        if contest.lead < 0:
            chosen, narrowest = i, contest.reversed()
        elif narrowest is UNCONTESTED or contest.lead < narrowest.lead:
            narrowest = contest
    return chosen, narrowest


def _are_rivals(mine: Contestant, other: Contestant) -> bool:
    """Whether neither matches so much better that the other is no look-alike."""
    worse, best = sorted((mine.match.correlation, other.match.correlation))
    return best < LIMITS.clear or worse >= LIMITS.rival * best


def between(
    crop: MaskedCrop,
    mine: Contestant,
    other: Contestant,
    fine: FineCrop,
    taught: FineTemplates,
) -> Contest:
    """The contest of two faces: by templates, by patches and by colours."""
    visible = crop.visible
    margin, residual = template_match.pair_margin(
        mine.match.normal, mine.template, other.match.normal, other.template, visible
    )
    patches = UNSEEN
    worse, best = sorted((mine.match.correlation, other.match.correlation))
    if abs(margin) >= LIMITS.clear_margin and margin * (mine.match.correlation - worse) >= 0:
        patches = FineMargin(float(np.sign(margin)), 0.0, 1.0)
    elif best >= LIMITS.hopeless and mine.view is not None and other.view is not None:
        patches = compare(fine, taught, mine.view, other.view)
    # A margin counts less if little of the difference can be seen, or neither face matches there.
    seen = min(1.0, patches.visible / LIMITS.enough_visible)
    matched = min(1.0, max(0.0, (LIMITS.no_match - patches.residual) / LIMITS.matching))
    one, two, colours = mine.colours, other.colours, NO_COLOURS
    if one is not None and two is not None:
        colours = colour_margin(crop.colours, one, two, visible)
    inks = colours.margin * colours.weight
    found = Contest(margin, residual, patches.margin * seen * matched, patches.residual, inks)
    # The poor registration of a covered card may prefer the face of the other colour by its shapes.
    if crop.share >= LIMITS.covered:
        return found
    is_contradicted = np.sign(found.lead) * colours.margin <= LIMITS.discoloured
    return found._replace(margin=0.0, fine=0.0, colours=0.0) if is_contradicted else found
