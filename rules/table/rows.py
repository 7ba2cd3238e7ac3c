"""Which of two rows or fans a card continues that touches the cards of both."""

from rules.table.layout import LandedCard, Spot, Tabletop
from rules.table.placing import LIMITS, local, sureness

_STEP = 0.3  # card widths between two cards of a row, usually


def of_two_rows(tabletop: Tabletop, card: LandedCard, place: str, other: str) -> Spot:
    """Of two rows or fans whose cards a card touches, the one that it continues."""
    off, other_off = (_off_the_next(tabletop, card, each) for each in (place, other))
    sure = sureness(abs(other_off - off), LIMITS.side_scale)
    return Spot(place, sure, other=other) if off <= other_off else Spot(other, sure, other=place)


def _off_the_next(tabletop: Tabletop, card: LandedCard, place: str) -> float:
    """How far, in card widths, a card lies from where the row's next one is expected: as far from
    its last one as those lie from each other."""
    row = [other for other in tabletop.cards if other.place == place]
    last, width = row[-1], min(tabletop.card_mm)
    right, _ = local(card.pose, last.pose)
    if len(row) == 1:
        return abs(abs(right / width) - _STEP)
    back, _ = local(row[0].pose, last.pose)
    return abs(right + back / (len(row) - 1)) / width
