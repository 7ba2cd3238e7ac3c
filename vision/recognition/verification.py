"""Verifies candidate faces: registers the crop on the best template, then compares pairs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
import numpy as np

from models.crop import rectangle
from vision.geometry import Mask
from vision.matching import template_match
from vision.matching.fine_match import FineCrop, disagreement
from vision.matching.fine_templates import FineTemplates
from vision.matching.masked_crop import CORNERS, MaskedCrop, Match
from vision.matching.occlusion import Occluder
from vision.matching.template_match import HEIGHT, PAD, WIDTH
from vision.matching.templates import BLURS, Templates
from vision.recognition.contest import Contest, Contestant, better_turns, decide, view_of


@dataclass(frozen=True, slots=True)
class VerificationLimits:
    """Correlations -1..1, ratios, and shares of the card's diagonal."""

    registered: float = 0.96  # correlation; a crop above it needs no registration
    sharp: float = 0.985  # correlation; a crop above it is not compared with blurred templates
    blur_gain: float = 0.004  # correlation that the next blur must gain
    much_blur: float = 2.0  # px of a template; a crop as soft as that is registered again
    better_half: float = 0.8  # after registration; below, the face is another
    area: tuple[float, float] = (0.8, 1.25)  # of the card after and before registration
    moved: float = 0.09  # of the diagonal; a corner that moves further went astray
    disagreement: float = 0.5  # from which on it is measured without cells beside hidden ones


LIMITS = VerificationLimits()


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A taught `face`, the number of one of its templates, and where the card's corners would lie:
    quad (4, 2) px. Templates of one face do not compete."""

    face: str
    template: int
    quad: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class _Matched:
    """A crop at a quad, the candidates' normalised templates as they appear in it, their matches,
    and the number of the best."""

    crop: MaskedCrop
    quad: np.ndarray
    templates: list[np.ndarray]
    matches: list[Match]
    best: int

    @classmethod
    def of(cls, crop: MaskedCrop, quad: np.ndarray, templates: list[np.ndarray]) -> "_Matched":
        matches = [crop.match(template) for template in templates]
        best = max(range(len(matches)), key=lambda i: matches[i].correlation)
        return cls(crop, quad, templates, matches, best)

    @property
    def correlation(self) -> float:
        """Of the best candidate."""
        return self.matches[self.best].correlation


@dataclass(frozen=True, slots=True, eq=False)
class Verified:
    """The winner of the candidates.

    chosen: its number; quad (4, 2) px: registered; moved: how far a corner moved in diagonals;
    correlation and that of the better half, -1..1; contest: its narrowest; shown: where it can be
    seen; disagreement: of the worst visible place, 0 to about 3 (0 if it was not measured);
    off_hidden: the same without the cells beside hidden ones.
    """

    chosen: int
    quad: np.ndarray
    moved: float
    correlation: float
    better_half: float
    contest: Contest
    shown: Occluder
    disagreement: float = 0.0
    off_hidden: float = 0.0


def verify(
    bgr: np.ndarray,
    candidates: list[Candidate],
    taught: Templates,
    fine: FineTemplates,
    occluders: Sequence[Occluder] = (),
) -> Verified:
    """Registers the crop on the candidates, likeliest first, and compares these where they differ.

    The templates are blurred as the card is. All are compared in one crop, though the two
    orientations of a card have their corners at different places. Pixels under the `occluders`
    are left out.
    """
    place = candidates[0].quad
    matched, blur = _matched(bgr, candidates, taught, occluders)
    contestants = [
        Contestant(
            one.face,
            view_of(one.template, one.quad, place),
            template,
            match,
            taught.colours(one.template),
        )
        for one, template, match in zip(candidates, matched.templates, matched.matches, strict=True)
    ]
    turned = better_turns(matched.crop, contestants)
    patches = FineCrop.cut(bgr, matched.quad, occluders, blur / HEIGHT)
    chosen, contest = decide(matched.crop, turned, patches, fine)
    found = _verified(candidates[chosen], chosen, turned[chosen], contest, place, matched)
    view = turned[chosen].view
    if view is None:
        return found
    cells = found.shown.is_visible
    worst = off_hidden = disagreement(patches, fine, view, cells)
    if worst > LIMITS.disagreement and not cells.all():
        off_hidden = disagreement(patches, fine, view, _beside_hidden_left_out(cells))
    return replace(found, disagreement=worst, off_hidden=off_hidden)


def _beside_hidden_left_out(cells: Mask) -> Mask:
    """The visible cells but for those beside hidden ones: there edge and shadow show of what
    lies on the card."""
    about = np.ones((3, 3), np.uint8)
    return cv2.erode(cells.astype(np.uint8), about, borderValue=1).view(bool)


def _matched(
    bgr: np.ndarray, candidates: list[Candidate], taught: Templates, occluders: Sequence[Occluder]
) -> tuple["_Matched", float]:
    """The candidates on the registered crop, blurred as the card is; and that blur, px."""
    place, blur = candidates[0].quad, 0.0
    templates = [_as_seen(taught.normal(one.template), one, place) for one in candidates]
    matched = _Matched.of(MaskedCrop.cut(bgr, place, occluders), place, templates)
    if matched.correlation < LIMITS.registered:
        matched = _registered(bgr, matched, occluders) or matched
    if matched.correlation < LIMITS.sharp:
        blur = _blur(matched, candidates, place, taught)
    if blur:
        templates = [_as_seen(taught.normal(one.template, blur), one, place) for one in candidates]
        softer = _Matched.of(matched.crop, matched.quad, templates)
        # Sharp templates may have registered it worse.
        is_worse = softer.correlation < LIMITS.registered and blur >= LIMITS.much_blur
        matched = (_registered(bgr, softer, occluders) if is_worse else None) or softer
    return matched, blur


def _verified(
    candidate: Candidate,
    chosen: int,
    winner: Contestant,
    contest: Contest,
    place: np.ndarray,
    matched: "_Matched",
) -> Verified:
    """The winner with its registered quad and what of it can be seen."""
    old = candidate.quad.astype(np.float32)
    to = cv2.getPerspectiveTransform(place.astype(np.float32), matched.quad.astype(np.float32))
    quad = old if matched.quad is place else cv2.perspectiveTransform(old[None], to)[0]
    moved = _moved(old, quad)
    if winner.is_reversed:
        quad = np.roll(quad, 2, axis=0)
    visible = matched.crop.masked(winner.template)
    shown = Occluder(
        matched.quad.astype(np.float32), template_match.visible_cells(winner.match.normal, visible)
    )
    half = template_match.better_half(winner.match.normal, visible)
    return Verified(chosen, quad, moved, winner.match.correlation, half, contest, shown)


def visible_correlation(
    bgr: np.ndarray, quad: np.ndarray, template: np.ndarray, occluders: Sequence[Occluder]
) -> tuple[float, float]:
    """The correlation, -1..1, of a template with the visible part of the card at `quad`, and the
    size of that part, 0..1."""
    crop = MaskedCrop.cut(bgr, quad, occluders)
    return crop.match(template).correlation, crop.share


def _registered(
    bgr: np.ndarray, matched: _Matched, occluders: Sequence[Occluder]
) -> _Matched | None:
    """The same after registration on the best template, if that matches better."""
    best = matched.best
    quad = _registered_quad(matched.crop, matched.quad, matched.templates[best])
    if quad is None:
        return None
    crop = MaskedCrop.cut(bgr, quad, occluders)
    match = crop.match(matched.templates[best])
    if match.correlation <= matched.correlation:
        return None
    half = template_match.better_half(match.normal, crop.masked(matched.templates[best]))
    return _Matched.of(crop, quad, matched.templates) if half > LIMITS.better_half else None


def _blur(
    matched: _Matched, candidates: list[Candidate], place: np.ndarray, taught: Templates
) -> float:
    """The least of the BLURS after which the next one does not raise the correlation."""
    one, part = candidates[matched.best], matched.matches[matched.best].normal
    correlation = matched.correlation
    for before, blur in pairwise(BLURS):
        template = _as_seen(taught.normal(one.template, blur), one, place)
        again = template_match.correlation(part, matched.crop.masked(template))
        if again < correlation + LIMITS.blur_gain:
            return before
        correlation = again
    return BLURS[-1]


def _registered_quad(crop: MaskedCrop, quad: np.ndarray, template: np.ndarray) -> np.ndarray | None:
    """The card's corners (4, 2) float32 after registration on the template; None if it failed."""
    to = template_match.registered(crop.normal, crop.masked(template))
    if to is None:
        return None
    half = np.float32(0.5)  # the first pixel's centre
    inside = cv2.perspectiveTransform((CORNERS - half)[None], to.astype(np.float64))[0] + half
    back = cv2.getPerspectiveTransform(CORNERS + np.float32(PAD), quad.astype(np.float32))
    found = cv2.perspectiveTransform(inside[None].astype(np.float32), back)[0]
    grown = cv2.contourArea(found) / max(cv2.contourArea(quad.astype(np.float32)), 1.0)
    is_near = LIMITS.area[0] < grown < LIMITS.area[1] and _moved(quad, found) < LIMITS.moved
    return found if is_near and cv2.isContourConvex(found) else None


def _moved(old: np.ndarray, new: np.ndarray) -> float:
    """How far the worst corner moved, in diagonals."""
    return float(np.linalg.norm(new - old, axis=1).max() / np.linalg.norm(old[2] - old[0]))


def _as_seen(template: np.ndarray, candidate: Candidate, place: np.ndarray) -> np.ndarray:
    """A candidate's template as it appears in a crop cut at `place`."""
    if np.array_equal(candidate.quad, place):
        return template
    pixels = rectangle(WIDTH, HEIGHT) - np.float32(0.5)
    here, there = (
        cv2.getPerspectiveTransform(quad.astype(np.float32), pixels)
        for quad in (candidate.quad, place)
    )
    turn = there @ np.linalg.inv(here)
    return cv2.warpPerspective(template, turn, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REPLICATE)
