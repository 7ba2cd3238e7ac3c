"""The Cat in the Hat's table as it lies after a lost view."""

from collections.abc import Mapping

from rules.games.cat_in_the_hat.state import State
from rules.values import replace


def resume(state: State, table: Mapping[str, tuple[str, ...]]) -> State:
    """The table as it lies: every card right, no mistake open, the turn the next actor's."""
    piles = {
        place: tuple(card for card in cards if card not in ("unknown", "back"))
        for place, cards in table.items()
    }
    unknowns = tuple(p for p, cards in table.items() for card in cards if card == "unknown")
    return replace(
        state, turn=None, piles=piles, unknowns=unknowns, mistakes=(), fresh=False, naming=None
    )
