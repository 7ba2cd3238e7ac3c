"""The cards as they lie at each place, wrong ones too."""

from collections.abc import Mapping

from rules.table.event import CardEvent, Placed

# Place to cards, bottom to top.
Table = Mapping[str, tuple[str, ...]]


def after_event(table: Table, event: CardEvent) -> Table | None:
    """The table after a card event; None when a card is removed that does not lie there."""
    card, place = event.card, event.place
    cards = table.get(place, ())
    after = dict(table)
    if isinstance(event, Placed):
        after[place] = (*cards, card)
        return after
    if card not in cards:
        return None
    top = len(cards) - 1 - cards[::-1].index(card)
    left = cards[:top] + cards[top + 1 :]
    if left:
        after[place] = left
    else:
        del after[place]
    return after
