"""Suds: a pile is born where a card lands away from all others, unless it lies face down."""

import re

from rules.table.layout import PILE, LandedCard, Layout, Spot, Tabletop
from rules.table.placing import LIMITS, apart, nowhere, share, sureness

PLACES_TEXT = "pile/1, pile/2 and so on"
_is_pile = re.compile(r"pile/[1-9][0-9]{0,8}").fullmatch
# Of the shared part, a lead of 3.2 of it is 0.98 sure.
_SHARE_SCALE = 0.04


def is_place(place: str, players: int) -> bool:
    """Whether this is a pile."""
    return _is_pile(place) is not None


def find(tabletop: Tabletop, card: LandedCard) -> Spot:
    """The pile with which the card shares most, else a new one. Numbers are not used again.

    A card face down that touches no pile has no place: it is mostly one in a player's hand.
    """
    joins: dict[str, float] = {}
    length = max(tabletop.card_mm)
    for lying in tabletop.cards:
        far = apart(card.pose, lying.pose) / length
        shared = share(card.pose, lying.pose, tabletop.card_mm)
        if lying.place is None or far > 2.0:
            continue
        if shared >= LIMITS.pile_share or far <= LIMITS.pile_near:
            score = shared + 0.1 * (1.0 - far / 2.0)
            if score >= joins.get(lying.place, 0.0):
                joins[lying.place] = score
    if joins:
        ranked = sorted(joins.items(), key=lambda join: join[1], reverse=True)
        other, second = ranked[1] if len(ranked) > 1 else (None, 0.0)
        sure = sureness(ranked[0][1] - second, _SHARE_SCALE)
        return Spot(ranked[0][0], sure, other=other)
    if card.face == "back":
        return nowhere()
    numbers = (int(place.removeprefix(PILE)) for place in tabletop.known)
    return Spot(f"{PILE}{max(numbers, default=0) + 1}")


LAYOUT = Layout(grammar=find, in_turn=False)
