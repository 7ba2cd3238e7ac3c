"""Decides from a recognised card's evidence whether it has a name, a kind, or clear corners."""

from vision.matching.template_match import LIMITS as MATCH
from vision.networks.corners import LIMITS as CORNERS
from vision.recognition.confidence import LIMITS as SHOWN
from vision.recognition.confidence import Confidence, Evidence
from vision.recognition.naming_limits import LEARNED, LIMITS, OPEN, RECOGNISER
from vision.recognition.recognised import Recognised
from vision.sightings import BACK


class Judge:
    """The thresholds of naming on the probabilities of one `confidence`.

    `is_open`: cards of untaught faces lie on the table too. A name then needs more: the card's own
    face, which would have won, is none of those that compete.
    """

    def __init__(self, confidence: Confidence, is_open: bool = False) -> None:
        self._confidence, self._is_open = confidence, is_open

    def is_named(self, one: Recognised, is_still: bool = False, has_hand: bool = False) -> bool:
        """Whether enough speaks for its face, and against its look-alikes, taught or not.
        `is_still`: no hand moves over it, so what differs may be glare; `has_hand`: one may lie on
        it, of which an edge shows beside what it hides."""
        seen = one.evidence
        most = self._most_disagreement(seen, is_still)
        worst = seen.off_hidden if has_hand and not self._is_open else seen.disagreement
        is_taught = one.face == BACK or worst <= most
        is_matched = seen.residual <= LIMITS.residual
        if seen.residual >= MATCH.residual_unseen:  # no difference is seen
            is_matched = seen.similarity >= SHOWN.alike and seen.corners > LIMITS.clear_corners
        is_settled = self._confidence.over_twins(seen) >= LIMITS.over_twins
        is_like = is_taught and is_matched and seen.is_alike
        is_like = is_like and (not self._is_open or one.face == BACK or _excludes_others(seen))
        return is_like and is_settled and self.sure(one) >= LIMITS.named

    def is_learned(self, one: Recognised) -> bool:
        """Whether it has a name, though only by pictures that were learned at the table."""
        seen = one.evidence
        return (
            self.is_named(one)
            and seen.similarity_margin >= LEARNED.similarity_margin
            and self._confidence.over_twins(seen) >= LEARNED.over_twins
        )

    def _most_disagreement(self, seen: Evidence, is_still: bool) -> float:
        """How far the worst place may differ from the template's."""
        if self._is_open:
            return LIMITS.disagreement
        if seen.correlation >= LIMITS.correlation and seen.better_half >= LIMITS.better_half:
            return LIMITS.glare
        is_sure = (
            self._confidence.kind(seen) >= LIMITS.sure_kind
            and self._confidence.over_twins(seen) >= LIMITS.sure_over_twins
        )
        return LIMITS.still_glare if is_still and is_sure else LIMITS.disagreement

    def is_settled(self, one: Recognised) -> bool:
        """Whether a search for the whole card would change nothing: it has a name, or its kind is
        sure and its template matches, though its look-alikes are not excluded."""
        return self.is_named(one) or (
            self.is_placed(one) and one.evidence.correlation >= LIMITS.correlation
        )

    def is_nothing(self, one: Recognised) -> bool:
        """Whether neither the corners nor the embedding speak for a card there. Where a part of a
        card shows, one of them does."""
        return one.is_card < LIMITS.nothing and one.evidence.similarity < RECOGNISER.unlike

    def is_placed(self, one: Recognised) -> bool:
        """Whether a card of this kind surely lies there, whichever of its look-alikes it is."""
        return self._confidence.kind(one.evidence) >= LIMITS.kind

    def is_of_deck(self, one: Recognised) -> bool:
        """Whether a card of this kind lies there, though maybe not exactly at its quad."""
        return self._confidence.kind(one.evidence) >= LIMITS.of_deck

    def is_clear(self, one: Recognised) -> bool:
        """Whether a card lies there by its corners or keypoints, whatever its face."""
        is_seen = one.is_card >= CORNERS.is_card and one.evidence.corners >= LIMITS.clear_corners
        return is_seen or one.evidence.inliers >= LIMITS.inliers

    def sure(self, one: Recognised) -> float:
        """The probability that its face is right, 0..1."""
        return self._confidence.of(one.evidence)


def _excludes_others(seen: Evidence) -> bool:
    """Whether the card is hardly one of an untaught face, which would have won the contest."""
    is_residual_seen = seen.residual < MATCH.residual_unseen
    return (
        seen.similarity >= OPEN.similarity
        and seen.similarity_margin >= OPEN.similarity_margin
        and seen.correlation >= OPEN.correlation
        and seen.disagreement <= OPEN.disagreement
        and not (is_residual_seen and seen.residual > OPEN.residual)
    )
