"""Suds' table as it lies after a lost view."""

from collections.abc import Mapping

from rules.contract import mistakes as open_mistakes
from rules.games.suds.state import Pile, State, with_card
from rules.values import replace


def resume(state: State, table: Mapping[str, tuple[str, ...]]) -> State:
    """The table as it lies: every card right, counts unknown, no mistake open."""
    piles, unknowns = {}, []
    for place, cards in table.items():
        pile = Pile(doubtful="unknown" in cards)
        for card in cards:
            if card == "unknown":
                unknowns.append((place, None))
            elif card != "back":
                pile = with_card(pile, card, None)
        if pile.laid:
            piles[place] = _as_before(pile, state, place, cards)
    return replace(state, piles=piles, unknowns=tuple(unknowns), counts=None, mistakes=())


def _as_before(pile: Pile, state: State, place: str, cards: tuple[str, ...]) -> Pile:
    """A pile found after a lost view, with what is known of it from before.

    What the sweep of a finished pile has left is finished still. A pile that has changed may have
    been finished meanwhile: sweeping its rest is no mistake that anybody saw.
    """
    before = state.piles.get(place)
    if before is None:
        return pile
    lay = [laid.card for laid in before.laid] + ["back", "unknown"] * len(cards)
    lay += open_mistakes.wrong_cards(state.mistakes, place)
    if before.finished and all(cards.count(card) <= lay.count(card) for card in cards):
        return replace(pile, finished=True)
    changed = [laid.card for laid in before.laid] != [laid.card for laid in pile.laid]
    return replace(pile, doubtful=pile.doubtful or before.doubtful or changed)
